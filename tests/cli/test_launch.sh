#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# launch: every program is right with a launcher of the device, and a program of each kind with all, since each pair is a
# kernel to compile.
# All launchers: test_local_memory_launch.sh, and test_launch_planted_*.sh, which find what is wrong.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

launch() { "$COOPBENCH" launch --cpu "$@"; }
parents=$(launch --scale tiny --launcher serial --dry-run 2>err | wc -l) # programs whose parents launch children,
chains=$(launch --scale tiny --launcher loop --dry-run 2>err | wc -l)     # and those that launch themselves
check 'a program of the paper is missing' test "$parents" -ge 13 -a "$chains" -ge 6
check_exit 0 launch --scale tiny --dry-run
check "not all programs by all launchers" test "$(wc -l <out)" = $((parents * 9 + chains * 11))
check_exit 0 launch --scale tiny --launcher multiblock,loop --json document.json
check_schema run.schema.json document.json
check_json document.json "len(d['cases']) == $parents + $chains == d['summary']['ok']" \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' 'metric("launch/los/loop/small", "steps")["median"] == 2'
check_exit 0 launch --size medium --program bfs_nested,sc --runs 2 --json document.json
check_json document.json 'd["summary"]["ok"] == 9 + 11' 'metric("launch/sc/PAO-128/medium", "steps")["median"] == 25'
check_stdout '^- Programs that launch themselves: with medium inputs'
check_stdout '^- Parents that launch children: with medium inputs'
check_exit 0 launch --size large --program upd --launcher PA,PAO --descendants all --runs 1 --json document.json
check_json document.json 'd["summary"]["ok"] == 2' 'metric("launch/upd/PA-all/large", "steps")["median"] == 2584'
check_exit 0 launch --size small --program power --threshold 1,9 --launcher thread,grid --runs 1 --json document.json
check_json document.json 'd["summary"]["ok"] == 4' \
  'metric("launch/power/grid,threshold=9/small", "launches")["max"] < metric("launch/power/grid/small", "launches")["min"]'

write_clique
check_exit 0 launch --program gc,mstf,mstv --launcher multiblock --input clique.wel --runs 1 --json document.json
check_json document.json 'd["summary"]["ok"] == 3'

# Places as in the paper: in order, and each by an addition of its own.
check_exit 0 launch --program gc --launcher warp,block,multiblock,grid,ahead --places scan --scale tiny --json document.json
check_json document.json 'd["summary"]["ok"] == 5' 'all("places=scan" in c["id"] for c in d["cases"])'
check_exit 0 launch --program bt,gc,qt,power --launcher grid,ahead --places sequential --scale tiny --json document.json
check_json document.json 'd["summary"]["ok"] == 8' 'all("places=sequential" in c["id"] for c in d["cases"])'

# A child's own size, and arguments of its own parent.
check_exit 0 launch --program power --launcher host,thread,warp,multiblock,grid,ahead --child-size noted,items --scale tiny \
  --json document.json
check_json document.json 'd["summary"]["ok"] == 12' '{c["params"]["child-size"] for c in d["cases"]} == {"noted", "items"}'
check_exit 0 launch --program bt --launcher block,multiblock,grid,ahead --child-size items --arguments arrays --places scan \
  --scale tiny --json document.json
check_json document.json 'd["summary"]["ok"] == 4' 'all(c["params"]["arguments"] == "arrays" for c in d["cases"])'
check_stdout '\| bt +\| grid, scan, sizes by items, arrays +\|'

# Steps that are launched in vain, and abort.
check_exit 0 launch --program sc,los --launcher P,PO,PA --descendants all --condition known,found --size medium --runs 2 --json document.json
check_json document.json 'd["summary"]["ok"] == 10' 'metric("launch/sc/PO,condition=found/medium", "steps")["min"] == 25'
check_stdout '\| los +\| P, speculative +\|'

# The other lines of KLAP's: with more points.
check_exit 0 launch --program bt --launcher serial,grid --input T2048/C64 --runs 1 --json document.json
check_json document.json 'd["summary"]["ok"] == 2' 'metric("launch/bt/grid/input", "launches")["min"] == 25600'
check_exit 2 launch --program bt --launcher serial --input T2/C64 --runs 1
check_stderr 'bt: expected T and C of its lines, T4/C1 to T65536/C65536, as T2048/C64, got "T2/C64"'

# Children that launch, to the depth that is asked for: as many launches as by rounds.
check_exit 0 launch --program qt --launcher recursive,grid --depth 4 --size medium --runs 2 --json document.json
check_json document.json 'd["summary"]["ok"] == 2' \
  'metric("launch/qt/recursive,depth=4/medium", "launches")["max"] == metric("launch/qt/grid,depth=4/medium", "launches")["min"] > 99'
check_exit 0 launch --program qt --launcher recursive,ahead --scale tiny --json document.json
check_json document.json 'd["summary"]["ok"] == 2'

# Two hubs: launches that are counted on their own, beside those that are counted together.
{
  echo 'p sp 140002 140001'
  echo 'a 1 2 1'
  for hub in 1 2; do seq -f "a $hub %.0f 1" $((hub * 70000 - 69997)) $((hub * 70000 + 2)); done
} >hubs.gr
check_exit 0 launch --program bfs_nested --launcher serial,host,grid,ahead --input hubs.gr --runs 1 --json document.json
check_json document.json 'd["summary"]["ok"] == 4' 'metric("launch/bfs_nested/grid/input", "launches")["mean"] >= 2'

check_exit 1 launch --program equal --launcher grid,host --size small --pool 100 --runs 1
check_stderr 'launch/equal/grid/small: error: [0-9]+ launches, and room for 100: --pool [0-9]+'

check_exit 77 launch --atomics cl12 --program sc --size small
check_stderr 'unsupported: .* OpenCL 1.2'
if ! launch --launcher enqueue --program bfs_nested --size small --runs 1 --json enqueue.json >/dev/null 2>&1; then
  check_exit 77 launch --launcher enqueue --program bfs_nested --size small
  check_stderr 'unsupported: the device has no queues for kernels'
else
  check_json enqueue.json 'd["summary"]["ok"] == 1'
fi
refused() { # WORDS OPTION...
  check_exit 2 launch "${@:2}"
  check_stderr "$1"
}
refused 'program: .*did you mean "unq"' --program unp
for n in 0 -1 x 2x 70000 ''; do
  refused 'descendants' --descendants "$n"
done
refused 'pool' --pool 0
refused 'threshold' --threshold 0
refused 'none of the programs has it' --program bfs_nested --launcher PA
refused 'condition: .*"maybe"' --condition maybe
refused 'depth' --program qt --depth 21
refused 'depth: none of the programs recurses: --program qt' --program bt --depth 4
refused 'child-size: .*"large"' --child-size large
refused 'tune: tries .*--child-size or --arguments' --tune --program qt --child-size items
refused 'places: sequential is of the launchers grid and ahead' --program gc --launcher block --places sequential
refused 'breakdown: needs a program' --program sc,bt --launcher serial,flat,PA --breakdown

# test_launch_tune.sh has more of these.
check_exit 2 launch --launcher tuned --program bfs_nested --size small
check_stderr 'launcher: nothing is tuned for bfs_nested on .*: coopbench launch --tune --program bfs_nested'
check_exit 0 launch --breakdown --program bfs_nested --launcher host,grid --size small --runs 1 --json document.json
check_json document.json 'len(d["cases"]) == 2 == d["summary"]["ok"]' \
  'all(metric(c["id"], "launch_time")["min"] >= 0 and metric(c["id"], "run_time")["min"] > 0 for c in d["cases"])'
check_stdout '^Where the time of the longest round goes'
check_exit 0 launch --occupancy --program qt,pd --launcher grid,PAO --size small --runs 1 --json document.json
check_json document.json 'len(d["cases"]) == 4 == d["summary"]["ok"]' \
  'all(metric(c["id"], "at_once")["min"] > 0 for c in d["cases"])'
check_stdout '^Steps that run at once .KLAP.16 Fig. 11., small inputs'
check_stdout '^Children that run at once, in workgroups, small inputs'
# What takes turns on a CPU is no number.
check_exit 0 launch --occupancy --program equal --launcher thread,multiblock --size medium --runs 1
check_stdout '\| equal +\| multiblock +\|.*\| +turns +\|'
check_stdout '^turns: more had begun than the device has compute units'

# Clauses of one's own: comments, a clause of two lines, one literal twice, one that is always satisfied.
printf 'c two\np cnf 5 6\n1 -2\n3 0 -1 2 0\nc x\n4 4 5 0 -5 1 -3 2 0 1 -1 0\n2 0\n%%\n0\n' >formula.cnf
check_exit 0 launch --input formula.cnf --program sp,sid --launcher serial,multiblock --runs 1 --json document.json
check_json document.json 'd["summary"]["ok"] == 4' \
  '{n for c in d["cases"] for n in c.get("notes", [])} ==
   {"decimations: 1; fixed: 1 of 5 variables; left: 2 of 5 clauses; no variable is biased"}'
printf 'p cnf 3 1\n1 -4 0\n' >wrong.cnf
check_exit 2 launch --input wrong.cnf --program sp,sid --launcher serial --runs 1
check_stderr 'wrong.cnf:2: negated variable: expected an integer from 1 to 3, got "4"'
