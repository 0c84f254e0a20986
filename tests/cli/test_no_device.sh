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
