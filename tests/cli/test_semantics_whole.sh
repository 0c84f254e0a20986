#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The whole kernel leaves the CPU device, for a task of all workgroups, and comes back.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# All workgroups leave for a task, and come back; not with each barrier, nor with offers.
check_exit 0 "$COOPBENCH" multitask --cpu --scale tiny --app bfs,octree --workload light --groups N \
  --barrier regular,query,atomic --semantics whole --runs 1 --budget 0.05 --trace traces --wait-deadline 2000 \
  --json document.json
check_schema run.schema.json document.json
check_json document.json \
  '{c["id"]: c["status"] for c in d["cases"] if "light" in c["id"]} ==
     {f"multitask/{app}/light/groups=N,barrier={b},semantics=whole": s
      for app, b, s in [("bfs", "regular", "unsupported"), ("bfs", "query", "ok"), ("bfs", "atomic", "ok"),
                        ("octree", "none", "unsupported")]}' \
  'all({m["max"] for m in c["metrics"] if m["name"] == "workers"} == {m["min"] for m in c["metrics"] if m["name"] == "task_groups"}
       for c in d["cases"] if c["status"] == "ok" and "light" in c["id"])'
check_stderr 'only the barriers atomic and query let all go'
check_stderr 'octree cannot have the semantics .whole.: its workgroups leave one by one, at their offers'
# A task may come too late for the run in the trace: one of five has to come in time.
comes_back() {
  local i
  for i in 1 2 3 4 5; do
    ! grep -q 'run comes back' traces/*-N-"$1"-whole-*.json || return 0
    "$COOPBENCH" multitask --cpu --scale tiny --app bfs --workload light --groups N --barrier "$1" --semantics whole \
      --runs 1 --budget 0.05 --trace traces --wait-deadline 2000 >out 2>err
  done
  return 1
}
check "the kernel comes back" comes_back atomic
check "and does so by query" comes_back query

check_exit 0 "$COOPBENCH" selftest --cpu --stress 8 --semantics whole --resizing query,atomic --wait-deadline 2000
check_exit 2 "$COOPBENCH" multitask --cpu --together --app bfs,game --semantics whole
check_stderr 'semantics: with --together they are highest'
