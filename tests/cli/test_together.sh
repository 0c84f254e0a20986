#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Two apps in one megakernel on the CPU device: rows, table, sentence, policies, a kernel of the user's, what
# cannot be, and an app that is starved.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# together CODE OPTION...: with its document in document.json.
together() {
  check_exit "$1" "$COOPBENCH" multitask --cpu --together --scale tiny --runs 1 --budget 0.05 --wait-deadline 2000 \
    --progress-deadline 30 --json document.json "${@:2}"
}

# ---- Rows ----------------------------------------------------------------------------------------

m='(lambda c, name: next(x["median"] for x in c["metrics"] if x["name"] == name))'
together 0 --app octree,bfs --policy fixed,priority,learned,deadline --share N/2,1 --run-id shared
check_schema run.schema.json document.json
check_json document.json 'len(d["cases"]) == 5 == d["summary"]["ok"]' \
  '[c["id"] for c in sorted(d["cases"], key=lambda c: c["id"])] ==
     [f"multitask/together/octree+bfs/{p}" for p in ["deadline", "fixed=1", "fixed=N/2", "learned", "priority"]]' \
  'all(c["verification"] == {"status": "pass", "detail": None} for c in d["cases"])' \
  "all($m(c, name) > 0 for c in d['cases'] for name in ['stp', 'antt', 'fairness', 'overhead_beside_nobody',
     'resize_time', 'app_groups', 'beside_groups', 'app_time', 'beside_time', 'app_time_alone', 'beside_time_alone'])" \
  "all(abs($m(c, 'app_time_alone') / $m(c, 'app_time') + $m(c, 'beside_time_alone') / $m(c, 'beside_time')
       - $m(c, 'stp')) < 1e-6 for c in d['cases'])" \
  "[$m(c, 'app_groups') for c in d['cases'] if c['id'].endswith('fixed=1')] == [1]" \
  "[$m(c, 'beside_groups') for c in d['cases'] if c['id'].endswith('priority')] == [1]"
check_stdout 'Two apps in one megakernel'
check_stdout 'In one megakernel, octree and bfs with [0-9]+ and [0-9]+ workgroups \(learned\) do [0-9.]+ times'

# The windows of a policy, and the picture of them.
check "no windows" grep -q 'octree+bfs/learned,.*,window_app_groups,' results/shared/samples.csv
check_exit 0 "$COOPBENCH" plot results/shared
check "no picture of windows" test -s results/shared/plots/together_share.svg
check "not a line for each policy" test "$(grep -c '^$' results/shared/plots/together_share.dat)" = 8
check_json document.json "all($m(c, 'window_end') > $m(c, 'window_begin') >= 0 and
  $m(c, 'window_app_groups') >= 1 <= $m(c, 'window_beside_groups') for c in d['cases'])"

# The same app twice, and one of the user's.
together 0 --app game --policy fixed --trace shares --trace-events 65536
check "no trace of both" grep -q 'limit 1 reached: 1","args":{"kernel":1}' shares/game+game-fixed-N_2-0_0.json
check_json document.json '[c["id"] for c in d["cases"]] == ["multitask/together/game+game/fixed=N/2"]'
cp "$SOURCE_DIR"/examples/ring.{cl,json} .
together 0 --app ./ring.json,bfs --policy fixed
check_json document.json 'd["summary"]["ok"] == 1'

# ---- Tasks beside both ---------------------------------------------------------------------------

beside() {
  check_exit "$1" "$COOPBENCH" multitask --cpu --beside octree --scale tiny --tasks 3 --runs 1 --warmup 0 --workload light \
    --wait-deadline 2000 --json document.json "${@:2}"
}
beside 0 --app bfs,game --groups 1,N/2 --barrier atomic --trace traces
check_json document.json 'len(d["cases"]) == 4 == d["summary"]["ok"]' \
  '{c["id"] for c in d["cases"]} == {f"multitask/{app}+octree/light/groups={n},barrier={b}"
     for app, b in [("bfs", "atomic"), ("game", "none")] for n in ["1", "N/2"]}' \
  "all($m(c, 'tasks') >= 2 and $m(c, 'exec_time') > 0 for c in d['cases'])"
check_stdout 'bfs road:[0-9]+ and octree beside the workload light'
check "no trace" test -s traces/bfs-light-1-atomic-0_0.json
beside 77 --app bfs --groups N-1 --barrier atomic
check_stderr 'leaves too few of [0-9]+ to the cooperative kernels, one for each'
check_exit 2 "$COOPBENCH" multitask --cpu --app bfs --beside qt
check_stderr 'beside: qt cannot be together with another: it submits tasks of its own'
check_exit 2 "$COOPBENCH" multitask --cpu --app qt --beside bfs
check_stderr 'app: qt cannot be together with another'
check_exit 2 "$COOPBENCH" multitask --cpu --app bfs --beside nothing
check_stderr 'beside: there is no app "nothing"'

# ---- What cannot be ------------------------------------------------------------------------------

check_exit 2 "$COOPBENCH" multitask --cpu --together --app qt,bfs
check_stderr 'qt cannot be together with another: it submits tasks of its own'
for share in 0 N 5000 many; do
  check_exit 2 "$COOPBENCH" multitask --cpu --together --app bfs,game --share $share
  check_stderr "share: '$share' is no number of workgroups that leaves some to the other app"
done
check_exit 2 "$COOPBENCH" multitask --cpu --together --app bfs,game --policy best
check_stderr 'policy: expected .*learned'
check_exit 2 "$COOPBENCH" multitask --cpu --together --app bfs,nothing
check_stderr 'nothing'
together 77 --app bfs,game --policy fixed --share 4000
check_stderr 'only [0-9]+ run at once'

# An app that has no time to end a run.
check_exit 4 "$COOPBENCH" multitask --cpu --together --app game,bfs --input game=9 --scale tiny --runs 1 \
  --policy fixed --share 1 --budget 0.05 --progress-deadline 0.02 --json document.json
check_stderr 'timeout: .*game has ended [0-2] runs in 0.02 s beside bfs: the policy fixed starves it'
