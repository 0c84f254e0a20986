#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Barriers, mutexes and semaphores on the CPU device: rows, tables, pictures, refusals. Workgroups of other sizes, and more
# with the atomics of OpenCL 1.2: test_primitives_sizes.sh; that checks see what is wrong: test_primitives_planted.sh; what
# the tuner leaves in the device's profile: test_primitives_tune.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/primitives.sh"
need_cpu

few=(--mutex ticket --semaphore sleeping --section 1 --initial 10)

# ---- Rows ----------------------------------------------------------------------------------------

measure 0 --groups auto,3,5,6,7 --section 1 --initial 10 --ops 50 --wg-size 64
check_schema run.schema.json document.json
check_all_pass $((8 * (n_barriers + 2 + n_mutexes + n_semaphores))) \
  '[x["compute_units"] for x in d["devices"]] == [8]' \
  'all(case(f"primitives/barrier.{p}/groups={g}")
       for p in "'$barriers,native,relaunch'".split(",")
       for g in ["1", "N/4", "3", "N/2", "5", "6", "7", "N"])' \
  'all(case(f"primitives/mutex.{p}/groups={g},section=1")["params"]["section"] == 1
       for p in "'$mutexes'".split(",")
       for g in ["1", "N/4", "3", "N/2", "5", "6", "7", "N"])' \
  'all(case(f"primitives/semaphore.{p}/groups={g},initial=10")["params"]["initial"] == 10
       for p in "'$semaphores'".split(",")
       for g in ["1", "N/4", "3", "N/2", "5", "6", "7", "N"])' \
  'case("primitives/mutex.ticket/groups=N/2,section=1")["params"] == {
     "kind": "mutex", "primitive": "ticket", "groups": "N/2", "section": 1, "wg-size": 64, "ops": "50"}' \
  'case("primitives/barrier.xf/groups=N")["params"] == {
     "kind": "barrier", "primitive": "xf", "groups": "N", "wg-size": 64, "ops": "50"}' \
  'all(metric(c["id"], "groups")["min"] == metric(c["id"], "groups")["max"]
         == {"N": 8, "N/2": 4, "N/4": 2}.get(g, 0) or int(g)
       for c in d["cases"] for g in [c["params"]["groups"]])'

# Metrics: fairness where somebody waits for his turn, and only there.
check_json document.json \
  'all([(m["name"], m["unit"]) for m in c["metrics"]] == [("throughput", "ops/s"), ("op_time", "ns"),
         ("groups", "workgroups"), ("ops", "1")]
         + [("core_speed", "loops/s")] * (c["params"]["primitive"] not in ["native", "relaunch"]) + {"barrier": [], "semaphore": [("longest_wait", "1")],
         "mutex": [("longest_wait", "1"), ("out_of_order", "1")]}[c["params"]["kind"]]
       for c in d["cases"])' \
  'all(m["n"] == 2 and m["primary"] == (m["name"] == "throughput")
       for c in d["cases"] for m in c["metrics"])' \
  'all(metric(c["id"], "throughput")["min"] > 0 and metric(c["id"], "ops")["min"] == 50
       for c in d["cases"])' \
  'all(abs(metric(c["id"], "throughput")["max"] * metric(c["id"], "op_time")["min"] / 1e9 - 1) < 1e-6
       for c in d["cases"])' \
  'all(metric(c["id"], "core_speed")["min"] > 1e6 and metric(c["id"], "core_speed")["max"] < 1e10
       for c in d["cases"] if c["params"]["primitive"] not in ["native", "relaunch"])' \
  'all(metric(c["id"], "longest_wait")["min"] >= 1 for c in d["cases"]
       if c["params"]["kind"] != "barrier")' \
  'all(0 <= metric(c["id"], "out_of_order")["min"] <= metric(c["id"], "out_of_order")["max"] < 1
       for c in d["cases"] if c["params"]["kind"] == "mutex")' \
  'all(metric(c["id"], "out_of_order")["max"] == 0 for c in d["cases"]
       if c["params"]["kind"] == "mutex" and c["params"]["groups"] == "1")'

# ---- Tables and pictures -------------------------------------------------------------------------

check_stdout ': N = 8 workgroups$'
check_stdout '^Barriers a second by number of workgroups$'
check_stdout '^Time of a barrier by number of workgroups$'
check_stdout '^\| barrier +\| +1 \| +2 \| +4 \| +8 \| +3 \| +5 \| +6 \| +7 \|$'
check_stdout '^\| --------- \|( -+: \|){8}$'
for name in ${barriers//,/ } native relaunch; do
  check_stdout "^\\| $name +\\|( +[0-9.]+( [kMG])? \\|){8}\$"
  check_stdout "^\\| $name +\\|( +[0-9.]+ (ns|µs|ms) \\|){8}\$"
done
check_stdout "^With 8 workgroups, the best barrier, (${barriers//,/|}), takes [0-9.]+ times as \
long as native\$"
check_stdout "^With 8 workgroups, the best barrier, (${barriers//,/|}), takes [0-9.]+ times as \
long as relaunch\$"
check_stdout '^Mutex operations a second by number of workgroups, 1 increment in the critical section$'
check_stdout '^\(longest wait over the mean, share of grants out of order: with 8 workgroups\)$'
check_stdout '^Semaphore operations a second by number of workgroups, initial value 10$'
check_stdout '^\(longest wait over the mean: with 8 workgroups\)$'
check_stdout "^\\| workgroups +\\| +${mutexes//,/ \\| +} \\|\$"
check_stdout "^\\| out of order +\\|( +[0-9.]+ % \\|){$n_mutexes}\$"
check_stdout "^Best primitive \\(SO'11 Tab. 5\\)\$"
check_stdout '^\| primitive +\| low contention \(2 workgroups\) \| full contention \(8 workgroups\) \|$'
check_stdout '^\| barrier +\| [a-z, ()]+ +\| [a-z, ()]+ +\|$'
check_stdout '^\| mutex, section 1 +\| [a-z_, ()]+ +\| [a-z_, ()]+ +\|$'
check_stdout '^\| semaphore, initial 10 +\| [a-z_, ()]+ +\| [a-z_, ()]+ +\|$'
check_stdout "^No prediction: run 'coopbench memory' on this device first\\.\$"
check "native or relaunch among the best" \
  test "$(sed -n '/^Best/,/^No prediction/p' out | grep -c 'native\|relaunch')" = 0

check_exit 0 "$COOPBENCH" plot results/latest -o pictures
for figure in fig1 fig2 fig3; do
  check_stdout "^pictures/$figure.svg\$"
  check "$figure is no picture" grep -q '</svg>' "pictures/$figure.svg"
  check "$figure has no data" grep -q '"N\|"xf"\|"ticket"' "pictures/$figure.dat"
done
check "fig1 lacks barriers" test "$(grep -c '^[0-9]' pictures/fig1.dat)" = $((8 * (n_barriers + 2)))
check "fig2 lacks mutexes" test "$(grep -c '^[0-9]' pictures/fig2.dat)" = $((8 * n_mutexes))
check "fig3 lacks semaphores" test "$(grep -c '^[0-9]' pictures/fig3.dat)" = $((8 * n_semaphores))

# ---- Those that only --full has, with one work-item a workgroup -----------------------------------

others() { comm -13 <(tr , '\n' <<<"$1" | sort) <(tr , '\n' <<<"$2" | sort) | paste -sd,; }
more_barriers=$(others "$barriers" "$all_barriers"),relaunch,relaunch_sync more_mutexes=$(others "$mutexes" "$all_mutexes")
measure 0 --wg-size 1 --groups N --barrier "$more_barriers" --mutex "$more_mutexes" --semaphore none --section 0 \
  --queue "$queues" --ops 100
check_all_pass $(($(count "$more_barriers") + $(count "$more_mutexes") + $(count "$queues"))) \
  'all(c["params"]["wg-size"] == 1 for c in d["cases"])'

# ---- Back ends -----------------------------------------------------------------------------------

measure 0 --atomics cl12 --groups N --barrier xf,monitor --mutex ring --queue tickets --semaphore sleeping --section 1 --initial 3 \
  --ops 50 --wg-size 64
check_all_pass 5 'd["devices"][0]["atomics"] == "cl12"'
if [[ $("$COOPBENCH" list devices --json -) =~ '"atomics":'[[:space:]]*'"c11"' ]]; then
  measure 0 --atomics c11 --groups N --barrier xf "${few[@]}" --ops 50 --wg-size 64
  check_all_pass 3 'd["devices"][0]["atomics"] == "c11"'
fi

# Without a device clock, the kernel's profiling event tells the time; nobody knows who waited how long.
# As many operations as fill a launch are chosen either way. Without a clock the deadline is a number of turns, of which
# a loaded machine gives one thread many.
deadline=20000
for clock in none auto; do
  measure 0 --clock $clock --groups N --barrier xf,native "${few[@]}" --wg-size 64
  check_all_pass 4 \
    "(d['devices'][0]['clock'] == 'none') == ('$clock' == 'none')" \
    'all(metric(c["id"], "throughput")["min"] > 0 and metric(c["id"], "ops")["min"] >= 20
         for c in d["cases"])' \
    'metric("*/mutex.ticket/*", "out_of_order")["min"] >= 0' \
    "all(any(m['name'] == 'longest_wait' for m in case(f'*/{kind}.*')['metrics'])
         == (d['devices'][0]['clock'] != 'none') for kind in ['mutex', 'semaphore'])"
done
deadline=2000

# ---- The profile ---------------------------------------------------------------------------------

check "a run without --tune has left a profile" test ! -e "$COOPBENCH_PROFILE_DIR"

# What `memory` predicted stands below what was best.
check_exit 0 "$COOPBENCH" memory --cpu --runs 2 --warmup 0 --accesses 300 --groups 1,N --contention \
  contentious,noncontentious,hostage --access volatile,atomic --distances 4,4096
profile=$(echo "$COOPBENCH_PROFILE_DIR"/*.json)
measure 0 --groups N/4,N --barrier xf,counter --mutex spin,ticket --semaphore ticket,optimistic \
  --section 1 --initial 1,120 --ops 50 --wg-size 64
check_all_pass 16
check "not four lines of predictions" test \
  "$(grep -c '^| predicted  *|\( [a-z_]*: \(right\|wrong\|cannot tell\)  *|\)\{2\}$' out)" = 4
right=$(awk '/^. predicted/ { n += gsub(": right", "") } END { print n + 0 }' out)
check_stdout "^Predictions of 'coopbench memory': $right right, [0-8] wrong, [0-8] where "
check_json "$profile" 'd["memory"]["prediction"]' '"primitives" not in d'
check_json document.json \
  'd["devices"][0]["profile"] == {"memory": json.load(open("'"$profile"'"))["memory"]}'
check_schema run.schema.json document.json
# The run tells the same to who has another profile.
COOPBENCH_PROFILE_DIR=$PWD/none check_exit 0 "$COOPBENCH" report results/latest -o page
check "the page has other predictions" \
  grep -q "Predictions of .*coopbench memory.*: $right right, " page/report.html
measure 0 --no-profile --groups N "${nothing_else[@]}" --mutex ticket --section 1 --ops 50 --wg-size 64
check_stdout 'No prediction'

cp "$profile" profile.json

# ---- Refusals ------------------------------------------------------------------------------------

# More workgroups than run at once could not start together: refused, not tried.
measure 0 "${nothing_else[@]}" --barrier xf,native --groups 9,2 --ops 20 --wg-size 64 --no-profile
check_json document.json \
  'd["summary"]["unsupported"] == d["summary"]["ok"] == 2' \
  'all(case(f"primitives/barrier.{p}/groups=9")["status"] == "unsupported"
       and "only 8 run at once" in case(f"primitives/barrier.{p}/groups=9")["reason"]
       and case(f"primitives/barrier.{p}/groups=2")["status"] == "ok" for p in ["xf", "native"])'

# refused MESSAGE OPTION...
refused() {
  check_exit 2 "$COOPBENCH" primitives --cpu "${@:2}"
  check_stderr "$1"
  check "a refused run printed something" test ! -s out
}
refused 'wg-size: .* takes at most [0-9]+ work-items a workgroup' --wg-size 65536
for initial in 0 -1 x; do
  refused "\-\-initial: expected an integer from 1 to [0-9]+, got \"$initial\"" "--initial=$initial"
done
refused 'got "tickt" \(did you mean "ticket"\?\)' --mutex tickt
for groups in 0 N/0 M; do
  refused "groups: expected a number from 1, N, N/K, KN/L or N-K, got \"$groups\"" "--groups=$groups"
done
for ops in 0 x; do
  refused "ops: expected a number from 1 to 9999999 or auto, got \"$ops\"" --ops "$ops"
done
for backoff in 0 10:5 a:b; do
  refused "backoff: expected MIN:MAX or PLACE in ns .*, got \"$backoff\"" --backoff "$backoff"
done
refused 'case primitives/mutex.spin/groups=8,section=1 is planned twice' --groups 8,8 \
  "${nothing_else[@]}" --mutex spin --section 1
refused 'there is no case to measure: what primitives is asked for is none' "${nothing_else[@]}"

# ---- Ctrl-C --------------------------------------------------------------------------------------

cat >endless.json <<'JSON'
{
  "schema": "coopbench-config", "schema_version": "1.0",
  "settings": {"cpu": true, "order": "listed"},
  "suite": [
    {"bench": "primitives", "barrier": "counter", "mutex": "none", "semaphore": "none", "queue": "none",
     "groups": "2", "ops": "20", "wg-size": 64, "runs": 3},
    {"bench": "primitives", "barrier": "none", "mutex": ["ticket", "spin"], "semaphore": "none", "queue": "none",
     "groups": "2", "section": 1, "ops": "20", "wg-size": 64, "runs": 1000000, "tune": true}
  ]
}
JSON
start run endless.json --run-id interrupted
wait_for 'the second case' measures '\[2/3\] primitives'
kill -INT "${program:?}"
check_end 130
check_schema run.schema.json results/interrupted/run.json
check_json results/interrupted/run.json \
  'not d["complete"] and d["exit_code"] == 130' \
  '[c["status"] for c in d["cases"]] == ["ok", "interrupted", "interrupted"]' \
  'metric("primitives/barrier.counter/groups=2", "throughput")["n"] == 3'
check "events.jsonl lacks the finished row" grep -q 'barrier.counter.*"ok"' results/interrupted/events.jsonl
check "an interrupted run changed the profile" cmp -s "$profile" profile.json
