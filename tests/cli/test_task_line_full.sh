#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tasks in line at random, many of them, until the line is full (task_line.c). SEED, TASKS, DEVICE: others.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/line.sh"

for in_flight in 1 2 8; do
  check_exit 0 timeout 100 "$TASK_LINE" "$device" ./program.cl $in_flight "${TASKS:-500}" $((seed + in_flight)) full
done
