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
check "the kernel comes back" grep -q 'run comes back' traces/*-N-atomic-whole-*.json
check "and does so by query" grep -q 'run comes back' traces/*-N-query-whole-*.json

check_exit 0 "$COOPBENCH" selftest --cpu --stress 8 --semantics whole --resizing query,atomic --wait-deadline 2000
check_exit 2 "$COOPBENCH" multitask --cpu --together --app bfs,game --semantics whole
check_stderr 'semantics: with --together they are highest'
