#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tasks in line and in flight, at random (task_line.c), one at a time and eight at once. SEED, TASKS, DEVICE: others.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/line.sh"

tasks=${TASKS:-80}
for in_flight in 1 8; do
  check_exit 0 timeout 100 "$TASK_LINE" "$device" ./program.cl $in_flight "$tasks" "$seed"
done

# It would notice: a line without an order, slots that two tasks have, a cancelled task that stays, one lane too many.
copy_sources sources
export COOPBENCH_KERNEL_DIR=$PWD/sources
line=kernels/coop/line.clh
wrong() { # SED-SCRIPT WORDS IN-FLIGHT
  cp "$line" "$line.right"
  plant "$line" "$1"
  check_exit 1 timeout 100 "$TASK_LINE" "$device" ./program.cl "$3" "$tasks" "$seed"
  check_stderr "$2"
  mv "$line.right" "$line"
}
cd sources && cp ../program.cl .
wrong 's/rank < line\[(i - 1) \/ 2\]/false/' 'left the line before' 1
line=kernels/coop/grants/one.clh wrong 's/free = end <= lane->first .*/free = true;/' 'waited too long|instead of' 8
wrong 's/^        coop_take_out(s, i);/        ;/' 'instead of' 1
wrong 's/popcount(s->busy) == lanes/popcount(s->busy) == lanes + 1/' 'had workgroups when' 1
