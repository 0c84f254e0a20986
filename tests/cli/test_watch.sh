#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# watch: runs that go on, what changes in them, a second watch, and wrong usage.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

cat >tiny.json <<'JSON'
{"schema": "coopbench-config", "schema_version": "1.0", "name": "tiny", "description": "One mutex.",
 "settings": {"runs": 3, "warmup": 1}, "suite": [{"bench": "primitives", "groups": [1], "section": 0}]}
JSON
one=(--cpu --filter 'primitives/mutex.spin/*')
watch() { timeout 120 "$COOPBENCH" watch "$@"; }

# ---- Three runs, of which the machine has become slow --------------------------------------------
check_exit 0 "$COOPBENCH" run tiny.json "${one[@]}" --run-id base
check_exit 0 "$COOPBENCH" run smoke "${one[@]}" --run-id other # of another suite
python3 - <<'PYTHON'
import json, os, random
from documents import scale
base = json.load(open("results/base/run.json"))
random.seed(1)
for i in range(20):
    run = json.loads(json.dumps(base))
    run["run_id"], run["time"]["start"] = f"a{i:02}", f"2026-01-{i + 1:02}T00:00:00Z"
    for case in run["cases"]:
        case["metrics"] = [m for m in case["metrics"] if m["name"] != "core_speed"]
        for metric in case["metrics"]:
            scale(metric, 1000 ** (1 if metric["better"] == "higher" else -1) * random.gauss(1, 0.01))
    os.mkdir(f"results/a{i:02}")
    json.dump(run, open(f"results/a{i:02}/run.json", "w"))
PYTHON
rm -r results/base
cp -r results purpose
check_exit 5 watch tiny.json "${one[@]}" --every 1s --times 3 --openmetrics tiny.prom \
  --on-change 'printf "%s\n" "$COOPBENCH_WATCH_RUN: $COOPBENCH_WATCH_TEXT" >>told; echo told'
check_stdout '^Watching tiny.json in results, which has 20 runs of it$'
check_stdout '^Run 1, results/[^ ]*: 1 of 1 case ok; nothing changed; (.*; )?next at 20[0-9-]+T[0-9:]+Z$'
check_stdout '^Run 3, results/[^ ]*: 1 of 1 case ok; worse: [a-z_]+ of primitives/mutex.spin/'
check_stdout '^3 runs, 0 failed; [1-3] worse, 0 better, 0 of the environment$'
check "another number of lines: $(cat out)" test "$(wc -l <out)" = 5
check "what --on-change was told" grep -Eq '^results/[^ ]*: 1 of 1 case ok; worse: ' told
check "it was told more than once" test "$(wc -l <told)" = 1
check_exit 0 python3 "$SOURCE_DIR/tests/consumers/openmetrics.reader.py" tiny.prom
check_stdout "^coopbench_run_info .*\"run_id\": \"$(readlink results/latest)\", \"suite\": \"tiny.json\""
check "a lock is left" test ! -e results/.watch
# It is known now.
check_exit 0 watch tiny.json "${one[@]}" --times 1
check_stdout '^Watching tiny.json in results, which has 23 runs of it$'
check_stdout 'nothing changed$'
check_exit 0 watch tiny.json "${one[@]}" --times 1 --quiet
check "a line about nothing" test ! -s out

# Worse on purpose: nobody needs to be told.
printf 'primitives/mutex.spin/*@a19 * a slower machine\n' >purpose/accepted.txt
check_exit 0 watch tiny.json "${one[@]}" --every 1s --times 3 -o purpose
check_stdout '^3 runs, 0 failed; 0 worse, 0 better, 0 of the environment$'
check_exit 0 "$COOPBENCH" history purpose --filter 'primitives/mutex.spin/*'
check_stdout 'a slower machine'

# ---- Two at once, and a signal ---------------------------------------------------------------------
start watch tiny.json "${one[@]}" --every 1h -o wait
wait_for 'the first run' grep -q 'next at' out
check_exit 2 watch tiny.json "${one[@]}" -o wait
check_stderr "^coopbench: wait is watched by process $program already; end it first"
kill -INT "$program"
check_end 130
check "a lock is left" test ! -e wait/.watch
check "runs: $(ls wait)" test "$(find wait -name run.json | wc -l)" = 1

# ---- Wrong usage ---------------------------------------------------------------------------------
check_exit 2 watch
check_stderr 'watch takes one suite'
check_exit 2 watch nowhere.json
check_exit 2 watch tiny.json --every 5
check_stderr '^coopbench: --every: expected a duration of 1 s or more, as 90s, 30m, 1.5h or 1d, got "5"$'
check_exit 2 watch tiny.json --every 0.5s
check_exit 2 watch tiny.json --limit -1d
check_exit 2 watch tiny.json --run-id x
check_stderr '^coopbench: --run-id is of a single run'
check_exit 2 watch tiny.json --openmetrics nowhere/x.prom
check_stderr '^coopbench: --openmetrics: cannot write nowhere/x.prom'
touch file
check_exit 1 watch tiny.json -o file/results
check_stderr '^coopbench: cannot create the folder file: '
