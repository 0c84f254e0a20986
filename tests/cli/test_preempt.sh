#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tasks of another process and of a second queue beside a long kernel on the CPU device: rows, tables,
# Tab. 3 with cooperative kernels of the same run, and the ways to see slices. Wrong results:
# test_preempt_planted.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# measure CODE OPTION...: the bench, with its document in document.json. On a busy machine workgroups wait
# longer than the usual deadline.
measure() {
  check_exit "$1" "$COOPBENCH" preempt --cpu --runs 1 --warmup 0 --budget 0.1 --launch 0.05 --order listed \
    --wait-deadline 2000 --json document.json "${@:2}"
}

few=(--app game,barriers --input game=6,barriers=500)
small=(--app barriers --input 500 --workload light)
one=("${small[@]}" --groups 1)

# ---- Rows ----------------------------------------------------------------------------------------

# Its kernels build without a warning, of which PoCL tells unless it has them in its cache.
POCL_CACHE_DIR=$PWD/cache measure 0 "${few[@]}" --workload heavy --groups N/2,N --run-id rows
! grep -q 'warning' err || fail "$(cat err)"
check_schema run.schema.json document.json
check_json document.json 'd["summary"]["ok"] == 8' \
  '[c["id"] for c in d["cases"]] ==
     [f"preempt/{app}/heavy/{place}/groups={groups}" for app in ["barriers", "game"]
      for place in ["process", "queue"] for groups in ["N/2", "N"]]' \
  'all(c["verification"] == {"status": "pass", "detail": None} for c in d["cases"])' \
  'all([(m["name"], m["unit"]) for m in c["metrics"]] ==
         [("answer_time", "ns"), ("start_delay", "ns"), ("exec_time", "ns")]
         + ([("slices", "1")] if "/process/" in c["id"] else [])
         + [("overhead", "1"), ("app_time", "ns"), ("app_time_alone", "ns"), ("period", "ns"),
            ("deadlines_met", "1")]
         + ([] if "/process/" in c["id"] else [("waited", "1")])
         + [("launch_time", "ns"), ("tasks", "1"), ("app_runs", "1"), ("app_groups", "workgroups"),
            ("workers", "workgroups"), ("task_groups", "workgroups"), ("task_rows", "1"), ("task_depth", "1")]
       for c in d["cases"])' \
  'all(m["min"] > 0 or m["name"] in ["start_delay", "deadlines_met", "waited"] for c in d["cases"] for m in c["metrics"])'
check_json document.json \
  'all(metric(c["id"], "tasks")["median"] >= (2 if "/process/" in c["id"] else 1)
         and metric(c["id"], "answer_time")["n"] == metric(c["id"], "tasks")["median"]
       for c in d["cases"])' \
  'all(metric(c["id"], "answer_time")["min"] > metric(c["id"], "exec_time")["min"] for c in d["cases"])' \
  'all(metric(c["id"], "start_delay")["min"] >= 0 for c in d["cases"])' \
  'all(metric(c["id"], "task_groups")["median"]
         == metric(c["id"], "workers")["median"] // (2 if "N/2" in c["id"] else 1) for c in d["cases"])' \
  'all(metric(c["id"], "app_groups")["median"] == metric(c["id"], "workers")["median"] + 1
       for c in d["cases"])' \
  'all(any("second queue" in n for n in c["notes"]) for c in d["cases"] if "/queue/" in c["id"])'
check_stdout '^game 6, without cooperation, beside the workload heavy: a task of 10.0 ms every 40.0 ms$'
check_stdout '^\| other process \| N/2 = [1-7] +\| +[0-9.]+ \| +[0-9.]+ ms \| +- \| +[0-9.]+ (µs|ms) \|'
check_stdout '^\| second queue +\| N = [2-7] +\|'
check_stdout "^Cooperative kernels: 'coopbench run table3' measures both in one run\.$"

# ---- Slices, clocks ------------------------------------------------------------------------------

# The workgroup that watches may find no core beside the task: then a note says so.
measure 0 "${one[@]}" --watch clock
check_json document.json 'd["summary"]["ok"] == 2' \
  'all(any(m["name"] == "slices" and m["min"] >= 1 for m in c["metrics"])
         or any("came too late" in n for n in c["notes"]) for c in d["cases"])'
measure 0 "${one[@]}" --watch none --clock none --wait-deadline 20000 # in turns, of a busy machine
check_json document.json 'd["summary"]["ok"] == 2' \
  'all(not {"start_delay", "exec_time", "slices", "waited"} & {m["name"] for m in c["metrics"]}
         and metric(c["id"], "answer_time")["min"] > 0 and metric(c["id"], "overhead")["median"] > 0
       for c in d["cases"])'

# ---- Tab. 3 --------------------------------------------------------------------------------------

cat >both.json <<'JSON'
{
  "schema": "coopbench-config", "schema_version": "1.0",
  "settings": {"cpu": true, "runs": 1, "warmup": 0, "wait-deadline": 2000},
  "suite": [
    {"bench": "multitask", "app": "barriers", "input": "500", "barrier": "atomic", "workload": "light",
     "groups": ["1", "N-1"], "budget": 0.1},
    {"bench": "preempt", "app": "barriers", "input": "500", "workload": "light", "groups": "N",
     "place": "process", "budget": 0.1, "launch": 0.05}
  ]
}
JSON
check_exit 0 "$COOPBENCH" run both.json --run-id both
check_stdout '^Overhead of urgent tasks, and their answer time \(Tab. 3\)'
number=' +[0-9.]+ \| (1|N|N-1)(, [0-9]+ % in time)? +\| +[0-9.]+ (µs|ms) \|'
check_stdout "^\| light +\| barriers 500 +\| +1\.045 \|$number$number$number$"
check_exit 0 "$COOPBENCH" plot results/both -o pictures
check_stdout '^pictures/fse17_tab3.svg$'
check "fse17_tab3 is no picture" grep -q '</svg>' pictures/fse17_tab3.svg
check "fse17_tab3 has no four sides" test "$(grep -c '^0' pictures/fse17_tab3.dat)" = 4

# The suite of the paper plans both.
check_exit 0 "$COOPBENCH" run "$SOURCE_DIR/configs/table3.json" --cpu --dry-run
check "table3.json plans too little" test "$(grep -c '^multitask/.*/groups=' out)" = 348 -a \
  "$(grep -c '^preempt/.*/process/' out)" = 84 -a "$(grep -c '^preempt/.*/queue/' out)" = 21

# ---- Refusals and rows that fail -----------------------------------------------------------------

refused() {
  check_exit 2 "$COOPBENCH" preempt --cpu --dry-run "${@:2}"
  check_stderr "$1"
}
refused 'expected a number from 1, N, N/K, KN/L or N-K, got "N/"' --groups N/
refused '--place.*"proces"' --place proces
refused 'expected light, medium, heavy or a file, got "hevy"' --workload hevy
refused 'expected all, barriers, .*, got "gmae" \(did you mean "game"\?\)' --app gmae
measure 0 "${small[@]}" --groups 1,100 --place process
check_json document.json '[c["status"] for c in d["cases"]] == ["ok", "unsupported"]' \
  're.fullmatch(r"100 workgroups asked for, but only \d run at once: they could not start together",
                case("*/groups=100")["reason"])'
measure 77 "${one[@]}" --workgroups 100 --place process
check_json document.json \
  're.fullmatch(r"100 workgroups asked for, but only \d run at once: .*", case("*")["reason"])'
measure 2 --app barriers --workload light --groups 1 --input 5x --place process
check_json document.json 'case("*")["status"] == "usage"'

# ---- Two apps ------------------------------------------------------------------------------------

pair=(--app game --input game=6 --scale tiny)
measure 0 "${pair[@]}" --beside game,barriers --run-id pairs
check_json document.json '[c["id"] for c in d["cases"]] == ["preempt/game/beside=barriers", "preempt/game/beside=game"]' \
  'all(c["verification"] == {"status": "pass", "detail": None} for c in d["cases"])' \
  'all(all(m > 0 for m in times) and abs(stp / (times[1] / times[0] + times[3] / times[2]) - 1) < 1e-6
         and abs(antt / ((times[0] / times[1] + times[2] / times[3]) / 2) - 1) < 1e-6 and 0 < fairness <= 1
       for c in d["cases"]
       for *times, stp, antt, fairness in [[metric(c["id"], n)["median"] for n in
         ["app_time", "app_time_alone", "other_time", "other_time_alone", "stp", "antt", "fairness"]]])'
check_stdout '^\| game +\| barriers +\| +[0-9.]+ (µs|ms) \|'
check_stdout '^- Two apps that take turns by the driver do [0-9.]+ times as much as one after the other'
measure 2 "${pair[@]}" --beside gmae
check_stderr 'beside: there is no app "gmae"'

# ---- A kernel of the user's as the task ----------------------------------------------------------

# Each launch adds to what the last one left: another number of them would be seen.
cat >count.cl <<'CL'
kernel void count(global uint *counts, uint by)
{
    counts[get_global_id(0)] += by + get_local_id(0);
}
CL
echo '{"kernel": "count.cl", "global": [96, 2], "local": [8, 2], "period_ms": 20, "arguments": {"counts": {"count": 192}, "by": 3}}' >count.json
if "$COOPBENCH" merge count.cl >merged 2>err || ! grep -q libclang err; then
  measure 0 "${small[@]:0:4}" --task ./count.json --run-id own
  check_json document.json '[c["id"] for c in d["cases"]] ==
      [f"preempt/barriers/count/{place}/groups=12" for place in ["process", "queue"]]' \
    'all(c["verification"] == {"status": "pass", "detail": None} for c in d["cases"])' \
    'all(metric(c["id"], "exec_time")["median"] > 0 and metric(c["id"], "task_groups")["median"] == 12 for c in d["cases"])' \
    'all(m["name"] != "task_rows" for c in d["cases"] for m in c["metrics"])'
  check_stdout '^barriers 500, without cooperation, beside the task count: a task every 20.0 ms$'
  measure 2 "${small[@]:0:4}" --task matmul
  check_stderr 'task: expected a kernel, as blur.cl, or a setup, as ./blur.json, got "matmul"'
  sed -i 's/ += by/ = by/' count.cl
  measure 2 "${small[@]:0:4}" --task ./count.json --resume results/own
fi
