# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests of tasks in line: program.cl, for task_line.c, and $device, $seed. SEED, DEVICE: others.
: "${TASK_LINE:?is tests/cli/task_line.c, built}"
device=${DEVICE:-cpu} seed=${SEED:-$RANDOM}
[[ $device != cpu ]] || need_cpu
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

need_libclang
"$COOPBENCH" merge "$SOURCE_DIR/tests/fixtures/cooperative/rounds.cl" "$SOURCE_DIR/tests/fixtures/line.cl" -o program.cl
