#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The apps that only measure the runtime find bugs of its barriers and offers, which are in tests/planted: by their own
# checks, without a trace.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/planted.sh"

# Beside tasks that take half of the workgroups, and all but one; without tasks in all modes.
run_inputs() {
  run_to_document multitask --app "$app" --workload light --groups N/2,N-1 --runs 1 --budget 2 --scale tiny "${options[@]}"
}

# Whether workgroups meet in the way that makes a bug show is chance: the rarest shows in about every second run.
is_found() {
  for ((again = 0; again < 20; again++)); do
    run_inputs || { found_by_check && return; }
  done
  return 1
}

planted barriers --barrier atomic,query,master
planted mixed
