#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Faults of a driver that once were more than a row: each run here is one that scripts/faults.sh has found.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# ---- No call is left out -------------------------------------------------------------------------

nm -D --undefined-only "$COOPBENCH" | sed -n 's/^ *U \(cl[A-Z][A-Za-z]*\).*/\1/p' | sort -u >called
nm -D --defined-only "${DRIVER_FAULTS:?}" | sed -n 's/.* T \(cl[A-Z][A-Za-z]*\)$/\1/p' | sort >wrapped
check 'nothing is called' test -s called
check "tests/faults lacks $(comm -23 called wrapped | paste -sd' ')" test -z "$(comm -23 called wrapped)"

# ---- What was found ------------------------------------------------------------------------------

runs=(
  # times of events that no kernel can have
  apps:warm:profiling-backwards:1
  apps:warm:profiling-zero:1
  apps:warm:profiling-once-backwards:3
  # sizes of answers that no memory holds
  selftest:cold:log-size:1
  selftest:warm:info-size-huge:1
  # success, but no memory
  launch:warm:map-null:1
  # success, but no queue
  multitask-queue:cold:queue-null:14
  # success, but no kernel
  launch:cold:kernel-null:15
  # a device without units, and one with 2^64
  selftest:warm:infos-zero:9
  selftest:warm:infos-ones:9
  # kernels that do not run
  litmus:warm:kernels-lost:33
  litmus:warm:kernel-lost:1
  # why did it end?
  throttle:warm:status-negative:4
  # somebody ended the process, not the run
  throttle:warm:status-terminates:4
  # the compiler, not the launch, says that a kernel needs more local memory than there is
  apps:cold:log-shared:1
  # which driver was it?
  litmus:warm:platforms-crash:1
  # what the API says nothing of, and arguments of which it tells nothing
  discover-kernel:warm:kernel-info-zero:39
  discover-kernel:warm:argument-unknown:3
  # who has the memory?
  apps:warm:buffer-refused:9
  multitask-queue:warm:buffers-refused:12
  memory:warm:launch-no-memory:5
  # a clearing that comes after what another queue has written
  selftest-queue:warm:queue-slow:1
  multitask-queue:warm:first-queues-slow:1
)
check 'ends as it should' python3 "$SOURCE_DIR/tests/faults/faults.py" --program "$COOPBENCH" \
  --library "$DRIVER_FAULTS" --folder faults --verbose "${runs[@]/#/--one=}"
