#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Semantics other than the paper's on the CPU device: rows, ids, traces by their rules.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# measure APPS SEMANTICS: traced, so that a violation makes a row that fails.
measure() {
  check_exit 0 "$COOPBENCH" multitask --cpu --scale tiny --app "$1" --workload light --groups N/2 --barrier atomic \
    --semantics "$2" --runs 1 --budget 0.05 --trace "traces-$2" --wait-deadline 2000 --json document.json
}

# An app of either kind.
measure bfs,octree some
check_schema run.schema.json document.json
check_json document.json 'd["summary"]["ok"] == len(d["cases"]) == 4' \
  '{c["id"] for c in d["cases"] if "light" in c["id"]} ==
     {f"multitask/{app}/light/groups=N/2,barrier={b},semantics=some" for app, b in [("bfs", "atomic"), ("octree", "none")]}' \
  'all(c["params"]["semantics"] == "some" for c in d["cases"])'
check_stdout '\| atomic, some +\|'
check "a trace of each" [ "$(ls traces-some/*-some-*.json | wc -l)" = 2 ]

# The first workgroups at an offer leave. An app whose ids have to be consecutive cannot have that.
measure bfs,game any
check_json document.json \
  '{c["id"]: c["status"] for c in d["cases"] if "light" in c["id"]} ==
     {"multitask/bfs/light/groups=N/2,barrier=atomic,semantics=any": "unsupported",
      "multitask/game/light/groups=N/2,barrier=none,semantics=any": "ok"}'
check_stderr "bfs cannot have the semantics 'any': its workgroups need consecutive ids"

check_exit 0 "$COOPBENCH" selftest --cpu --stress 4 --app octree,bfs --together none --semantics some --wait-deadline 2000
check_exit 0 "$COOPBENCH" selftest --cpu --stress 4 --app octree,game --together none --semantics any --wait-deadline 2000
check_exit 2 "$COOPBENCH" multitask --cpu --semantics none
check_stderr 'highest'
