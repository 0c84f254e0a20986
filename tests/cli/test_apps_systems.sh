#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The papers' systems beside ours: protocols, barriers and variants of apps, all checked.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

measure() { check_exit "$1" "$COOPBENCH" apps --cpu --scale tiny --wait-deadline 20000 --json document.json "${@:2}"; }

measure 0 --app bfs --input grid:30x30 --verify --mode specialised,portable --protocol ticket,spin,lockfree,unsafe \
  --global-barrier xf,patient,counter,broadcast
check_json document.json 'd["summary"]["cases"] == 4 + 16 == d["summary"]["ok"]' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  'len({metric(c["id"], "workgroups")["median"] for c in d["cases"]}) == 1'

# Ids by arrival without a protocol, and in native order after one, in both of its forms.
measure 0 --app bfs --input grid:30x30 --verify --mode specialised,portable --protocol ticket,lockfree,unsafe \
  --ids arrival,native,shuffled --global-barrier xf
check_json document.json 'd["summary"]["cases"] == 1 + 9 == d["summary"]["ok"]' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  'len({metric(c["id"], "workgroups")["median"] for c in d["cases"]}) == 1' \
  'case("apps/bfs/portable/grid:30x30/protocol=unsafe,ids=arrival,global-barrier=xf")' \
  'case("apps/bfs/portable/grid:30x30/ids=native,global-barrier=xf")' \
  '"ids" not in case("apps/bfs/portable/grid:30x30/protocol=unsafe,global-barrier=xf")["params"]'
measure 2 --app bfs --ids sorted
check_stderr 'expected one of own, arrival, native, shuffled'

# Tuning builds kernels in its runs; the one of specialised is portable's.
measure 0 --full --app bfs --input grid:30x30 --mode specialised,portable --protocol ticket --global-barrier xf \
  --tune-by mean --wg-size 1,4 --runs 2
check_json document.json 'd["summary"]["ok"] == 4' \
  'metric("apps/bfs/specialised/grid:30x30/global-barrier=xf", "wg_size")["median"] ==
     metric("apps/bfs/portable/grid:30x30/protocol=ticket,global-barrier=xf", "wg_size")["median"]'
check_stdout '^Tuning: mean time of a run'

# With one workgroup more than run at once, each deadlocks, which is a result.
check_exit 0 "$COOPBENCH" apps --cpu --scale tiny --app bfs,octree --verify --mode specialised --validate-bound \
  --global-barrier xf,patient --workgroups 3 --input bfs=grid:30x30 --wait-deadline 1000 --json document.json
check_json document.json 'd["summary"]["cases"] == 8 == d["summary"]["ok"]' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  'all(metric(c["id"], "groups_bound")["median"] == 8 for c in d["cases"] if c["params"].get("validate-bound"))' \
  'all("workgroups (saw 8, waited for 9)" in c["notes"][0].replace("the global barrier", "workgroups")
     for c in d["cases"] if c["id"].endswith("d:30x30/bound"))' \
  'sum(c["params"].get("validate-bound", False) for c in d["cases"]) == 4' \
  '[f["id"] for f in d["findings"]] == ["bound", "next"]'
check_stdout '^\| bfs \[grid:30x30\] .* 8 \| ends   \| deadlock'
measure 2 --app bfs --mode portable --validate-bound
check_stderr 'validate-bound: only the mode specialised'

# Both algorithms, and the paper's without the runtime.
measure 0 --app color --input grid:20x20 --verify --variant paper,ours
check_json document.json 'd["summary"]["cases"] == 9 == d["summary"]["ok"]' \
  'len({metric(c["id"], "result")["median"] for c in d["cases"]}) == 1' \
  '"workgroups" not in {m["name"] for m in case("apps/color/baseline/*")["metrics"]}'
check_stdout '^\| variant \| protocol \| ids +\| barrier'

measure 2 --app barriers --variant paper
check_stderr 'barriers has no variant "paper": leave barriers out, or the variant, which only bc, bfs, '
measure 2 --app dmr --mode baseline
check_stderr 'dmr has no mode baseline: with --variant paper, bc, color'
measure 2 --app bfs --protocol lock
check_stderr 'expected one of ticket, spin, lockfree, unsafe'
measure 2 --app bfs --global-barrier native
check_stderr 'expected one of xf, xf_rounds, counter'
measure 2 --app bfs --delay soon
check_stderr 'delay: expected a number of turns or adaptive'
