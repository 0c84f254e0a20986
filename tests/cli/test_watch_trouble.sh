#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# watch: runs that fail, that take too long, that are killed or interrupted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

cat >tiny.json <<'JSON'
{"schema": "coopbench-config", "schema_version": "1.0", "name": "tiny", "description": "One mutex.",
 "settings": {"runs": 3, "warmup": 1}, "suite": [{"bench": "primitives", "groups": [1], "section": 0}]}
JSON
one=(--cpu --filter 'primitives/mutex.spin/*')
nobody_is_left() { ! pgrep -f -- "--output-dir=$1 " >/dev/null; }
watch() { timeout 120 "$COOPBENCH" watch "$@"; }

# A run that takes longer than the time to the next.
check_exit 0 watch tiny.json --cpu --runs 30 --every 1s --times 2 -o all
check_stdout '^Run 1, .* starts? passed meanwhile and left out; next at '

# ---- Failures ------------------------------------------------------------------------------------
check_exit 77 watch tiny.json --device name:nowhere --every 1s --give-up 2
check_stdout '^Run 1, .*: failed: exit code 77, 0 of 0 cases ok; 1 in a row, 2 are the end; .*next at'
check_stderr '^coopbench: 2 runs failed in a row, the last with exit code 77$'
check_exit 1 bash -c '(ulimit -f 0; exec "$@") | cat; exit "${PIPESTATUS[0]}"' full "$COOPBENCH" watch tiny.json "${one[@]}" \
  --every 1s --give-up 2 -o full
check_stdout '^Run 2, .*: failed: '
check_exit 124 watch tiny.json "${one[@]}" --runs 1000000 --limit 2s --give-up 1 -o long
check_stdout 'failed: it took too long'
check "a run has survived" once_in 50 nobody_is_left long

# ---- Signals -------------------------------------------------------------------------------------
# A watch that was killed locks nobody out.
start watch tiny.json "${one[@]}" --every 1h -o wait
wait_for 'a run' grep -q 'next at' out
kill -KILL "$program"
check_end 137
check "no lock is left" test -e wait/.watch
check_exit 0 watch tiny.json "${one[@]}" --times 1 -o wait

cat >two.json <<'JSON'
{"schema": "coopbench-config", "schema_version": "1.0", "name": "two", "description": "A short and a long one.",
 "suite": [{"bench": "discover", "protocol": ["ticket"], "microbenchmark": ["11"], "wg-sizes": "none", "bound": "off",
   "launch": "8", "runs": 3}, {"bench": "primitives", "groups": [1], "section": 0, "runs": 100000}]}
JSON
start watch two.json --cpu -o during
wait_for 'a row' test -s during/latest/events.jsonl
kill -INT "$program"
check_end 130
check "a run has survived" once_in 50 nobody_is_left during
run=$(find during -name run.json)
check_schema run.schema.json "$run"
check_json "$run" 'not d["complete"]' 'any(c["status"] == "ok" for c in d["cases"])' 'd["exit_code"] == 130'
check "it does not say what is kept: $(cat out)" grep -q ': interrupted; its finished cases are kept$' out
