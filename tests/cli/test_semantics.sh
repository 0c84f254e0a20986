#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Semantics other than the paper's on the CPU device: rows, ids, traces by their rules.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# An app of either kind, each traced: a violation makes a row that fails.
check_exit 0 "$COOPBENCH" multitask --cpu --scale tiny --app bfs,octree --workload light --groups N/2 --barrier atomic \
  --semantics highest,some --runs 1 --budget 0.05 --trace traces --wait-deadline 2000 --json document.json
check_schema run.schema.json document.json
check_json document.json 'd["summary"]["ok"] == len(d["cases"]) == 8' \
  '{c["id"] for c in d["cases"] if "light" in c["id"]} ==
     {f"multitask/{app}/light/groups=N/2,barrier={b}{s}" for app, b in [("bfs", "atomic"), ("octree", "none")]
      for s in ["", ",semantics=some"]}' \
  'all(c["params"].get("semantics", "highest") == ("some" if "some" in c["id"] else "highest") for c in d["cases"])'
check "a trace of each" [ "$(ls traces/*-some-*.json | wc -l)" = 2 ]

check_exit 0 "$COOPBENCH" selftest --cpu --stress 12 --semantics some --wait-deadline 2000
# Whoever is first at an offer leaves: not with an app whose ids have to be consecutive.
check_exit 0 "$COOPBENCH" multitask --cpu --scale tiny --app bfs,game --workload light --groups N-1 --barrier atomic \
  --semantics any --runs 1 --budget 0.05 --trace traces --wait-deadline 2000 --json document.json
check_json document.json \
  '{c["id"]: c["status"] for c in d["cases"] if "light" in c["id"]} ==
     {"multitask/bfs/light/groups=N-1,barrier=atomic,semantics=any": "unsupported",
      "multitask/game/light/groups=N-1,barrier=none,semantics=any": "ok"}'
check_stderr "bfs cannot have the semantics 'any': its workgroups need consecutive ids"
check_exit 0 "$COOPBENCH" selftest --cpu --stress 12 --app octree,game --together none --semantics any --wait-deadline 2000
check_exit 2 "$COOPBENCH" multitask --cpu --semantics none
check_stderr 'highest'
