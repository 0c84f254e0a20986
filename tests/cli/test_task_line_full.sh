#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tasks in line at random, many of them, until the line is full (task_line.c). SEED, TASKS, DEVICE: others.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
: "${TASK_LINE:?is tests/cli/task_line.c, built}"
device=${DEVICE:-cpu}
[[ $device != cpu ]] || need_cpu
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

"$COOPBENCH" merge /dev/null 2>err || ! grep -q libclang err || exit 77
"$COOPBENCH" merge "$SOURCE_DIR/tests/fixtures/cooperative/rounds.cl" "$SOURCE_DIR/tests/fixtures/line.cl" -o program.cl
seed=${SEED:-$RANDOM}
for in_flight in 1 2 8; do
  check_exit 0 timeout 100 "$TASK_LINE" "$device" ./program.cl $in_flight "${TASKS:-500}" $((seed + in_flight)) full
done
