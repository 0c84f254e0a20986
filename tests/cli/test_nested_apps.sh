#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Programs whose work-items launch children, as apps: beside tasks of the host, resized at random, in all modes.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

check_exit 0 "$COOPBENCH" list apps --json -
programs=($(python3 -c 'import json
print(*(a["id"] for a in json.load(open("out"))["apps"] if "small" in [i["name"] for i in a["inputs"]]))'))
all=$(IFS=, && echo "${programs[*]}")
measure() { check_exit "$1" "$COOPBENCH" "$2" --cpu --runs 1 --output-dir results --json "$2.json" "${@:3}"; }
groups=1
beside() { measure "$1" multitask --workload heavy --groups "$groups" --barrier atomic --tasks 4 --budget 0.1 "${@:2}"; }
good='all(c["status"] == "ok" and c["verification"]["status"] == "pass" for c in d["cases"])'

come_and_go() {
  beside 0 --app qt,bfs_nested --trace traces
  check_json multitask.json "$good" 'len(d["cases"]) == 4'
  holds multitask.json 'metric("*/qt/heavy/*", "tasks")["median"] >= 2 and metric("*/qt/heavy/*", "app_runs")["median"] >= 2' \
    'metric("*/qt/heavy/*", "kills")["median"] > 0'
}
check "no task came between two runs" once_in 3 come_and_go
check_json traces/qt-*.json 'any(re.fullmatch("child share [0-7] at place [0-9]+", e["name"]) for e in d["traceEvents"])'
measure 0 apps --app "$all"
check_json apps.json "$good" "len(d['cases']) == 4 * ${#programs[@]}"
check_exit 0 "$COOPBENCH" selftest --cpu --stress 12 --app "$all" --output-dir results

# Workgroups that are smaller than a child's; an input by its name, and a graph.
beside 0 --app mstf,bt --wg-size 24 --exclude '*/overhead/*'
check_json multitask.json "$good" 'len(d["cases"]) == 2'
measure 0 apps --app qt,gc --mode cooperative --input qt=medium,gc=grid:30x30
check_json apps.json "$good" '{c["params"]["input"] for c in d["cases"]} == {"medium", "grid:30x30"}'

# They run only if they are named.
for benchmark in apps multitask selftest; do
  check_exit 0 "$COOPBENCH" $benchmark --cpu --app all --dry-run
  check "$benchmark runs them unasked" test -z "$(grep -E '/(qt|bfs_nested)\b' out)"
done

# What there is not.
measure 2 apps --app qt --input grid:30x30
check_stderr 'qt: expected small, medium or large, got "grid:30x30"'
measure 2 apps --app qt --input smal
check_stderr 'its own are by-scale, small, medium, large'
check_exit 2 "$COOPBENCH" apps --cpu --app power
echo 'kernel void twice(global uint *out) { out[get_global_id(0)] *= 2; }' >twice.cl
echo '{"kernel": "twice.cl", "global": 64, "local": 64, "period_ms": 20, "arguments": {"out": {"count": 64}}}' >twice.json
if "$COOPBENCH" merge twice.cl -o merged.cl 2>/dev/null; then # there is libclang
  measure 77 multitask --app qt --task ./twice.json --exclude '*/overhead/*'
  check_stderr 'the app qt brings tasks of its own'
fi

# Bugs are found: of a program, of a second run, of a run long before the last, of a child that nobody does
copy_sources sources
export COOPBENCH_KERNEL_DIR=$PWD/sources
wrong() { # APP REASON FILE SED-SCRIPT OPTION...
  cp "sources/$3" right
  plant "sources/$3" "$4"
  beside 3 --app "$1" --exclude '*/overhead/*' "${@:5}"
  check_stderr "multitask/$1/.*: verify_failed: $2"
  cp right "sources/$3"
}
launch=apps/nested/programs
wrong qt 'run [0-9]+: node [0-9]+ has another number of points' $launch/qt.clh 's/? 2u : 0u/\&\& point % 9 != 0 &/'
wrong bfs_nested 'run [0-9]+: word [0-9]+ is' apps/nested/nested.clh 's/words\[i\] = first\[i\]/words[i] = i < 9 ? first[i] : 1/'
# There is a run 2 on any machine: the app runs so often, however long its tasks take.
wrong bfs_nested '.*499.*500' apps/nested/nested.clh 's/A->n_expected,/A->n_expected - (coop_run() == 2),/' --app-runs 3
wrong sssp_nested 'run [0-9]+: word' $launch/nest_coop.clh 's/coop_local_id() < nest_at_once(A)/coop_local_id() + 64 < nest_at_once(A)/'
# And of workgroups that come back after a task: six do after each of twelve, all of which the budget has room for, and go
# on with a run. Tasks of 3 ms every 70 are over before the next is due on a machine that is twenty times as slow, too;
# heavy ones would follow each other there, and nobody would come back.
groups=N-1 wrong bfs_nested 'run [0-9]+' kernels/coop/main.clh 's/^        do  */        if (entered) state.COOP_NAME(of, k).at = 0; do /' \
  --wg-size 32 --workload light --tasks 12 --budget 60

# The tables of results have all programs but those that are apps, which they find in the runs.
cat >programs.py <<'PYTHON'
import json, sys
sys.path.append(sys.argv[1])
from tables import klap
launch, = (b for b in json.load(open("benchmarks.json"))["benchmarks"] if b["id"] == "launch")
there, = (p["choices"] for p in launch["params"] if p["name"] == "program")
apps = {app["id"] for app in json.load(open("apps.json"))["apps"]}
missing = set(there.split(",")) - apps - {*klap.FILLS, *klap.CHAINS}
sys.exit(f"scripts/tables/klap.py does not have {missing}" if missing else 0)
PYTHON
check_exit 0 "$COOPBENCH" list benchmarks --json -
mv out benchmarks.json
check_exit 0 "$COOPBENCH" list apps --json -
mv out apps.json
check_exit 0 python3 programs.py "$SOURCE_DIR/scripts"
