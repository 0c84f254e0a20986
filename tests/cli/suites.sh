# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Kernels in the manner of public suites (tests/fixtures/suites), each from its text to a right row: init, then a task
# beside an app, with the setup as init has written it.

source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

suites=$SOURCE_DIR/tests/fixtures/suites

kernels_of() { grep -Pzo '(?s)\b_*kernel\b[^;{]*?\bvoid\s+\K\w+(?=\()' "$1" | tr '\0' '\n'; }

# suite NAME KERNEL...: these of NAME.cl.
suite() {
  local name=$1 kernel
  local -a paths=() tasks=()
  shift
  for kernel; do
    paths+=("$name.cl:$kernel")
    tasks+=(--task "$name.cl:$kernel")
  done
  cp "$suites/$name.cl" .
  check_exit 0 "$COOPBENCH" init ring.cl "${paths[@]}" -o "$name.json"
  for kernel; do
    check_stderr "^$kernel: tried on the CPU: a run takes [0-9.e+-]+ ms, and stays within its buffers\."
  done
  check_exit 0 "$COOPBENCH" multitask --cpu --kernel ring.cl "${tasks[@]}" --setup "$name.json" --runs 1 --warmup 0 --tasks 3 \
    --budget 0.1 --cpu-workgroups 4 --groups 1 -x '*overhead*' --no-profile -q -o results --run-id "$name"
  all_are ok "results/$name" $#
}

write_ring
