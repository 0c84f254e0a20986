#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ctrl-C, SIGTERM and SIGKILL during a run: what has been measured is kept, and nobody survives.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# Three cases: one of a few runs, the others without end.
cat >endless.json <<'JSON'
{
  "schema": "coopbench-config", "schema_version": "1.0",
  "settings": {"cpu": true, "order": "listed"},
  "suite": [
    {"bench": "discover", "protocol": "lockfree", "microbenchmark": "11", "wg-sizes": "none",
     "bound": "off", "launch": 16, "runs": 3},
    {"bench": "discover", "protocol": "lockfree", "microbenchmark": ["L1", "1W"],
     "wg-sizes": "none", "bound": "off", "launch": 16, "runs": 1000000}
  ]
}
JSON

# start_run ID: goes on when the second case is being measured.
start_run() {
  start run endless.json --run-id "$1"
  wait_for 'the second case' measures discover/lockfree/L1
  worker=$(worker_of_program)
}

worker_gone() { test ! -e "/proc/$worker" || grep -q '^State:.*[ZX]' "/proc/$worker/status"; }

for signal in INT:130 TERM:143; do
  id=${signal%:*}
  start_run "$id"
  kill -s "$id" "$program"
  check_end "${signal#*:}"
  wait_for "the worker to end after SIG$id" worker_gone
  check_stderr "Interrupted: finished cases are in results/$id"
  check_schema run.schema.json "results/$id/run.json"
  check_json "results/$id/run.json" \
    "not d['complete'] and d['exit_code'] == ${signal#*:} and len(d['cases']) == 3" \
    '[c["status"] for c in d["cases"]] == ["ok", "interrupted", "interrupted"]' \
    'metric("*/11/*", "groups_found")["n"] == 3' \
    'case("*/1W/*")["reason"] == "interrupted before it started"'
done

start_run killed
kill -KILL "$program"
check_end 137
wait_for 'the worker to follow its parent' worker_gone
check "events.jsonl lacks the finished row" test "$(wc -l <results/killed/events.jsonl)" = 1
check_json results/killed/events.jsonl \
  'd["id"] == "discover/lockfree/11/launch=16" and d["status"] == "ok"' \
  'len(d["samples"]["groups_found"]) == 3'
