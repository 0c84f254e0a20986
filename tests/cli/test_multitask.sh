#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Cooperative kernels beside tasks on the CPU device: rows, tables, pictures, and what happens with too many workgroups,
# a wrong input, and Ctrl-C. Traces, channels and workloads of files: test_multitask_traces.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/multitask.sh"
need_cpu

# ---- Rows ----------------------------------------------------------------------------------------

measure 0 "${few[@]}" --app barriers --input barriers=500 --barrier regular,query,atomic --groups 1,N-1 \
  --workload heavy --run-id rows
check_schema run.schema.json document.json
check_json document.json 'len(d["cases"]) == 21 == d["summary"]["ok"]' \
  'all(c["verification"] == {"status": "pass", "detail": None} for c in d["cases"])' \
  '{c["id"] for c in d["cases"]} ==
     {f"multitask/{kernel}/{rest}barrier={barrier}"
      for kernel in ["bfs", "game", "barriers"]
      for rest in ["overhead/", "heavy/groups=1,", "heavy/groups=N-1,"]
      for barrier in (["none"] if kernel == "game" else ["regular", "query", "atomic"])}'
check_json document.json \
  'all([(m["name"], m["unit"]) for m in c["metrics"]] == [
         ("gather_time", "ns"), ("exec_time", "ns"), ("answer_time", "ns"), ("overhead", "1"),
         ("app_time", "ns"), ("app_time_alone", "ns"), ("period", "ns"), ("deadlines_met", "1"),
         ("active", "workgroups"), ("tasks", "1"), ("kills", "workgroups"), ("forks", "workgroups"),
         ("app_runs", "1"), ("workers", "workgroups"), ("task_groups", "workgroups"),
         ("task_rows", "1"), ("task_depth", "1")]
       for c in d["cases"] if "/heavy/" in c["id"])' \
  'all([(m["name"], m["unit"]) for m in c["metrics"]] == [
         ("app_time_alone", "ns"), ("workers", "workgroups"), ("specialised_time", "ns"),
         ("portable_time", "ns"), ("overhead_specialised", "1"), ("overhead_portable", "1"),
         ("overhead_trace", "1")]
       for c in d["cases"] if "/overhead/" in c["id"])' \
  'all(m["primary"] == (m["name"] == "gather_time") for c in d["cases"] for m in c["metrics"])' \
  'all(m["min"] > 0 or m["name"] in ["deadlines_met", "kills", "forks"]
       for c in d["cases"] for m in c["metrics"])'
check_json document.json \
  'all(metric(c["id"], "tasks")["median"] == 3 == metric(c["id"], "exec_time")["n"]
         and metric(c["id"], "answer_time")["min"] > metric(c["id"], "exec_time")["min"]
       for c in d["cases"] if "/heavy/" in c["id"])' \
  'all(metric(c["id"], "task_groups")["median"]
         == (1 if c["params"]["groups"] == "1" else metric(c["id"], "workers")["median"] - 1)
       for c in d["cases"] if "/heavy/" in c["id"])' \
  'all(metric(c["id"], "active")["max"]
         <= metric(c["id"], "workers")["median"] - metric(c["id"], "task_groups")["median"]
       for c in d["cases"] if "/heavy/" in c["id"])' \
  'any(metric(c["id"], "active")["max"] > 0 for c in d["cases"] if "/heavy/" in c["id"])' # between two runs there are none

# ---- Tables and pictures -------------------------------------------------------------------------

check_stdout '^bfs grid:60x60 beside the workload heavy: a task of 10.0 ms every 40.0 ms$'
check_stdout '^game 6 beside the workload heavy: a task of 10.0 ms every 40.0 ms$'
check_stdout '^\| N-1 = [1-7] +\| query +\|( +[0-9.]+ (µs|ms) \| +- \| +- \| +[0-9.]+ ms )'
check_stdout '^Without tasks \(Tab. 2\): time of a run; ratios of pairs of runs'
check_stdout '^\| barriers 500 +\| atomic +\| +[2-7] \|( +[0-9.]+ (µs|ms|s) \|){3}( +[0-9.]+ \|){3}$'

check_exit 0 "$COOPBENCH" plot results/rows -o pictures
for figure in fse17_fig5 fse17_fig6; do
  check_stdout "^pictures/$figure.svg\$"
  check_stdout "^pictures/$figure.png\$"
  check "$figure is no picture" grep -q '</svg>' "pictures/$figure.svg"
done
check "fig5 lacks lines" test "$(grep -c '^$' pictures/fse17_fig5.dat)" = 18 # between 7 and 3 lines
check "fig6 lacks lines" test "$(grep -c '^$' pictures/fse17_fig6.dat)" = 4
check "a picture of a trace without a trace" test ! -e pictures/fse17_fig1.svg

# ---- Quick runs, and full ones -------------------------------------------------------------------

apps=$("$COOPBENCH" list apps | grep '^[a-z]' | grep -vc 'not among all')
# Of each app, input and barrier: the overhead, and three workloads with four numbers of workgroups.
is_full() { test "$(wc -l <out)" = $((13 * $(grep -c /overhead/ out))) && test "$(cut -d/ -f2 out | sort -u | wc -l)" = "$apps"; }
check_exit 0 "$COOPBENCH" multitask --cpu --dry-run
check "it plans $(wc -l <out) cases" test "$(grep -c '/groups=fewest,barrier=[an].* at least 6 runs' out)" = $((2 * apps))
check_exit 0 "$COOPBENCH" multitask --cpu --dry-run --full
check "a full run plans $(wc -l <out) cases" is_full
check_exit 0 "$COOPBENCH" multitask --cpu --dry-run --matrix
check "a matrix is quick" is_full
check "a matrix has further inputs" test "$(grep -c 'bfs/[a-z]*/overhead' out)" = 6
suite() { echo "{\"schema\": \"coopbench-config\", \"schema_version\": \"1.0\", \"suite\": [{\"bench\": \"multitask\"$1}]}" >suite.json; }
suite ''
check_exit 0 "$COOPBENCH" run suite.json --cpu --dry-run
check "a suite is quick" is_full
suite ', "full": false'
check_exit 0 "$COOPBENCH" run suite.json --cpu --dry-run
check "a suite cannot be quick" test "$(wc -l <out)" = $((3 * apps))

measure 0 "${few[@]}" --workload light --run-id quick
check_json document.json '{c["params"].get("groups") for c in d["cases"]} == {None, "fewest"}' \
  'metric("*/bfs/light/*", "task_groups")["min"] >= 1' \
  'len(d["left_out"]) == 1 and "--barrier atomic in place of regular,query,atomic" in d["left_out"][0]' \
  '"runs of a case" not in d["left_out"][0]' # they are given
check_stdout '^\| fewest = [1-7] +\| atomic '
check_stdout "^Quick run of multitask: --groups fewest in place of .*The same command with --full measures all.$"
check "report.md says nothing of it" grep -q '^Quick run of multitask' results/quick/report.md
check_schema run.schema.json document.json
measure 0 "${small[@]}" --workload light --groups 1
check_json document.json '"left_out" not in d'

# ---- Refusals ------------------------------------------------------------------------------------

printf '{\n"schema": "coopbench-workload",\n"name" "x"}\n' >wrong.json
echo '{"schema": "coopbench-workload", "name": "always", "period_ms": 10, "duration_ms": 10}' >always.json
refused() {
  check_exit 2 "$COOPBENCH" multitask --cpu --dry-run "${@:2}"
  check_stderr "$1"
}
refused 'expected all, barriers, .*, got "gmae" \(did you mean "game"\?\)' --app gmae
refused 'expected light, medium, heavy or a file, got "hevy"' --workload hevy
refused '^coopbench: .*wrong\.json:3: is no JSON' --workload wrong.json
refused 'always\.json: duration_ms: a task of 10 ms every 10 ms leaves the app nothing' --workload always.json
refused 'for several apps, say whose it is: bfs=grid:9x9' --input grid:9x9
refused 'expected a number from 1, N, N/K, KN/L or N-K, got "N-"' --groups N-

# ---- Rows that fail ------------------------------------------------------------------------------

# More workgroups than there are, and none for the kernel: the rest is measured.
measure 0 "${small[@]}" --workload light --groups 100,N,1
check_json document.json 'd["summary"]["unsupported"] == 2 == d["summary"]["ok"]' \
  're.fullmatch(r"100 workgroups asked for, but only \d run at once: they could not start together",
                case("*/groups=100,*")["reason"])' \
  're.fullmatch(r"a task of (\d) workgroups leaves none of \1 to the cooperative kernel: --semantics whole lets it have all",
                case("*/groups=N,*")["reason"])'
check_stdout '^\| 100 +\| atomic +\|( unsupported \|){8}$'
measure 77 "${small[@]}" --workload light --groups 1 --workgroups 100
check_json document.json 'd["summary"]["unsupported"] == 2 == len(d["cases"])' \
  're.search(r"^100 workgroups asked for, but only \d run at once beside the scheduler$",
             case("*/light/*")["reason"])'

# An input that is malformed, and one that does not exist.
printf 'p sp 2 1\na 1 3 1\n' >wrong.gr
measure 2 --app bfs,game --input bfs=wrong.gr,game=5 --barrier query --workload light --groups 1
check_json document.json 'd["summary"]["usage"] == 2 == d["summary"]["ok"]' \
  'all(c["reason"] == "wrong.gr:2: second vertex: expected an integer from 1 to 2, got \"3\""
       for c in d["cases"] if c["params"]["app"] == "bfs")'
measure 2 --app bfs --input gird:4x4 --barrier query --workload none
check_json document.json 'len(d["cases"]) == 1' \
  "'did you mean \"grid\"' in d['cases'][0]['reason']"

# ---- Ctrl-C --------------------------------------------------------------------------------------

start multitask --cpu "${small[@]}" --workload light --groups 1,2 --runs 1 --warmup 0 --tasks 100000 \
  --budget 3600 --order listed --wait-deadline 2000 --run-id stopped
wait_for 'the second case' grep -aEq '\[2/3\] [^ ]*  run 0' err
sleep 0.5
worker=$(worker_of_program)
worker_gone() { test ! -e "/proc/$worker" || grep -q '^State:.*[ZX]' "/proc/$worker/status"; }
kill -INT "$program"
check_end 130
wait_for 'the worker to end' worker_gone
check_stderr 'Interrupted: finished cases are in results/stopped'
check_schema run.schema.json results/stopped/run.json
check_json results/stopped/run.json 'not d["complete"] and d["exit_code"] == 130' \
  '[c["status"] for c in d["cases"]] == ["ok", "interrupted", "interrupted"]' \
  'metric("*/overhead/*", "app_time_alone")["n"] == 1'

# A run goes on until the app has ended so often, whatever --tasks and --budget say.
measure 0 "${small[@]}" --workload heavy --groups 1 --tasks 1 --budget 0.01 --app-runs 1000 --filter '*/heavy/*' --run-id app-runs
check_json document.json 'metric("multitask/bfs/heavy/groups=1,barrier=atomic", "app_runs")["median"] >= 1000' \
  'd["cases"][0]["params"]["app-runs"] == 1000'
