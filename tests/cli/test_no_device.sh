#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# No device, or none that was asked for: exit code 77, and what to do.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

if loader_takes_vendors; then
  mkdir no_drivers
  export OCL_ICD_VENDORS=$PWD/no_drivers
  for command in discover 'list devices' "run $SOURCE_DIR/configs/smoke.json"; do
    # shellcheck disable=SC2086 # several words
    check_exit 77 "$COOPBENCH" $command
    check_stderr 'no OpenCL device found'
    check_stderr 'apt-get install pocl-opencl-icd'
  done
  check_exit 77 "$COOPBENCH" list devices --json -
  check_json out 'd == {"devices": []}'
  check "a run without device left results" test ! -e results

  # A driver whose library does not load is named, with or without other devices.
  mkdir broken_drivers
  echo libnowhere.so.1 >broken_drivers/broken.icd
  export OCL_ICD_VENDORS=$PWD/broken_drivers
  check_exit 77 "$COOPBENCH" list devices
  check_stderr "The driver of $PWD/broken_drivers/broken.icd does not load: libnowhere.so.1: cannot open"
  check_stderr '^  Install its package again'
  check "advises to install a driver that is there" test "$(grep -c apt-get err)" = 0
  if [[ -d /etc/OpenCL/vendors ]] && cp /etc/OpenCL/vendors/*.icd broken_drivers 2>/dev/null; then
    "$COOPBENCH" list devices >out 2>err || true
    check_stderr '^Warning: The driver of .*/broken.icd does not load'
  fi
  unset OCL_ICD_VENDORS
fi

need_device
for wanted in 99:0 name:nonsense uuid:0123; do
  check_exit 77 "$COOPBENCH" discover --device "$wanted"
  check_stderr "no device matches '$wanted'. There is:"
  check_stderr '^ +0:0 '
done
check_exit 2 "$COOPBENCH" discover --device nonsense
check_stderr "device 'nonsense' is not understood"
if ! "$COOPBENCH" discover --gpu --dry-run >/dev/null 2>&1; then
  check_exit 77 "$COOPBENCH" discover --gpu
  check_stderr "no device matches 'gpu'. There is:"
  check_stderr '^ +0:0 '
  # The command line's device takes the place of the suite's, here the CPU.
  check_exit 77 "$COOPBENCH" run "$SOURCE_DIR/configs/oopsla16-tab5.json" --gpu --dry-run
fi

# Limits that leave no room for a worker's pipes.
check_exit 1 bash -c 'ulimit -n 7; exec "$@"' - "$COOPBENCH" list devices
check_stderr '^coopbench: while looking for devices: cannot start a worker process: Too many open files$'
check_stderr "^  This shell allows 7 open files, which may be too few: raise it with 'ulimit -n 256'"

# A stack in which drivers cannot compile: more is taken where the shell lets us; else that is said.
if "$COOPBENCH" list devices 2>/dev/null | grep -q '^[0-9]*:[0-9]* '; then
  check_exit 0 bash -c 'ulimit -S -s 64; exec "$@"' - "$COOPBENCH" list devices
  check_stdout '^[0-9]*:[0-9]* '
  code=0
  bash -c 'ulimit -s 64; exec "$@"' - "$COOPBENCH" list devices >out 2>err || code=$?
  ((code == 0)) || check_stderr "^  This shell allows 64 KiB of stack, which may be too few: raise it with 'ulimit -s 1024'"
fi

# So little that none of our functions has room; sanitizers need more before main() is called.
if ! grep -q __asan_init "$COOPBENCH"; then
  check_exit 1 env -i /bin/bash -c 'ulimit -s 24; exec "$1" list devices' - "$COOPBENCH"
  check_stderr "^coopbench: this shell allows too little stack: raise it with 'ulimit -s 1024'"
fi

# PoCL without a place for its kernels, which not even root can make.
touch file
if check_exit 0 "$COOPBENCH" list devices && [[ $(grep -c '^[0-9]*:[0-9]* ' out) == 1 ]] && grep -q 'Platform  *Portable Computing' out; then
  check_exit 77 env POCL_CACHE_DIR="$PWD/file/cache" "$COOPBENCH" list devices
  check_stderr "PoCL has no place for its kernels: cannot create the folder $PWD/file"
  check_stderr 'Set POCL_CACHE_DIR to a folder that can be written'
  check_exit 77 env -u POCL_CACHE_DIR -u XDG_CACHE_HOME HOME="$PWD/file" "$COOPBENCH" list devices
  check_stderr "PoCL has no place for its kernels: cannot create the folder $PWD/file"
fi
