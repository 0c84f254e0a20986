#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tasks that are reductions: beside an app, and whether wrong sums are found.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

printf '%s' '{"schema": "coopbench-workload", "name": "short", "period_ms": 10, "duration_ms": 0.5}' >short.json

# run OPTION...: a few tasks beside a small app.
run() {
  "$COOPBENCH" multitask --cpu --app bfs --input grid:30x30 --workload "$PWD/short.json" --groups "${groups:-1}" \
    --barrier atomic --tasks 5 --budget 1 --runs 1 --warmup 0 --wait-deadline 2000 --json - "$@"
}

# Of an odd number of work-items a workgroup, too; beside the same app as the product, each of a size of its own.
check_exit 0 run --task matmul,reduce --wg-size 24
check_json out 'sorted(c["id"] for c in d["cases"]) == ["multitask/bfs/overhead/barrier=atomic",
    "multitask/bfs/short/groups=1,barrier=atomic", "multitask/bfs/short/groups=1,barrier=atomic,task=reduce"]' \
  'd["summary"]["ok"] == 3' 'case("*reduce")["params"]["task"] == "reduce"' \
  '[metric("*/short/*atomic", m)["median"] for m in ("task_rows", "task_depth")] !=
   [metric("*reduce", m)["median"] for m in ("task_rows", "task_depth")]' \
  'metric("*reduce", "exec_time")["median"] > 0 and metric("*reduce", "tasks")["min"] >= 1'
check_exit 0 "$COOPBENCH" multitask --cpu --app bfs --workload light --groups 1 --barrier atomic --dry-run
check "the default has no name" test -z "$(grep task= out)"
check_exit 2 run --task redcue
check_stderr 'did you mean "reduce"'

export COOPBENCH_KERNEL_DIR=$PWD/sources
for bug in \
  'reduce|s|uint end = min(vectors, \(.*\));|uint end = min(vectors - 1, \1);|' \
  'digest|s|(found)\[0\]) + (part)|(found)[0]) + (item != 1) * (part)|'; do
  copy_sources sources
  plant "sources/kernels/tasks/${bug%%|*}.clh" "${bug#*|}"
  check_exit 3 run --task reduce --wg-size 24
  check_json out '"calibrating the task: the result of task 1 is wrong" in case("*reduce")["reason"]'
done
