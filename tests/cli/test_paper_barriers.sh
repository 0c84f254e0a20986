#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Of the authors' apps all barriers resize, and with --variant paper-once some: as traces have it.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

count() { { grep -o "$1" traces/*.json || true; } | wc -l; }

# barriers VARIANT APP: how many barriers resize, and how many do not.
barriers() {
  rm -rf traces
  check_exit 0 "$COOPBENCH" multitask --cpu --app "$2" --variant "$1" --scale tiny --workload light --groups N/2 --barrier query \
    --workgroups 4 --runs 1 --warmup 0 --budget 0.1 --trace traces
  resize=$(count '"resizing barrier [0-9]*"')
  others=$(count '"barrier [0-9]*"')
}

for app in bfs color mis sssp_bellman sssp_worklist; do
  barriers paper $app
  check "$app: $resize barriers resize, and $others do not" test "$resize" -gt 0 -a "$others" = 0
  barriers paper-once $app
  check "$app, once: $resize barriers resize, and $others do not" test "$resize" -gt 0 -a "$others" -gt 0
done
