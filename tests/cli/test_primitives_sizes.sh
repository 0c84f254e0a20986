#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Primitives with workgroups of few work-items, of numbers that are no power of two, and of a thousand; with the atomics of
# OpenCL 1.2.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/primitives.sh"
need_cpu

measure 0 --wg-size 1 --groups N --barrier $all_barriers,relaunch,relaunch_sync --mutex $all_mutexes --section 0 \
  --initial 1 --queue $queues --ops 100
check_all_pass $(($(count "$all_barriers") + 2 + $(count "$all_mutexes") + n_semaphores + $(count "$queues"))) \
  'all(c["params"]["wg-size"] == 1 for c in d["cases"])'
measure 0 --wg-size 7 --groups N --barrier $barriers --mutex spin,ticket_backoff \
  --semaphore spin_backoff,ticket --section 3 --initial 2,120 --ops 100
check_all_pass $((n_barriers + 6))
measure 0 --wg-size 1000 --groups N --barrier $barriers --mutex spin_backoff,ring,array \
  --semaphore sleeping,optimistic --section 1 --initial 3 --ops 20
check_all_pass $((n_barriers + 5))
for size in 2 3 4; do # fewer work-items than workgroups: the master's watch several each
  measure 0 "${nothing_else[@]}" --barrier xf --wg-size $size --groups N --ops 20
  check_all_pass 1
done
measure 0 --atomics cl12 --groups N --barrier xf,counter,two_stage,monitor --mutex spin,ticket,ring,array --queue $queues \
  --semaphore spin,sleeping,optimistic --section 1 --initial 3 --ops 50 --wg-size 64
check_all_pass 13 'd["devices"][0]["atomics"] == "cl12"'
