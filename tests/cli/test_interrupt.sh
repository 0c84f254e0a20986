#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ctrl-C, SIGTERM, SIGHUP and SIGKILL during a run: what has been measured is kept, and nobody survives.
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

# start_run ID HUP: in a process group of its own, with SIGHUP as env's option HUP says; goes on when the
# second case is being measured.
start_run() {
  rm -f out err
  env "--$2-signal=HUP" setsid "$COOPBENCH" run endless.json --run-id "$1" --progress bar >out 2>err &
  program=$!
  wait_for 'the second case' measures discover/lockfree/L1
  worker=$(worker_of_program)
}

worker_gone() { test ! -e "/proc/$worker" || grep -q '^State:.*[ZX]' "/proc/$worker/status"; }

# The process alone, or, as timeout(1) and CI systems do, the process and then its group.
for signal in INT:130 TERM:143 HUP:129 INT:130:group TERM:143:group HUP:129:group; do
  IFS=: read -r name code group <<<"$signal"
  id=$name$group
  start_run "$id" default
  kill -s "$name" -- "$program" ${group:+"-$program"}
  check_end "$code"
  wait_for "the worker to end after $id" worker_gone
  check_stderr "Interrupted: finished cases are in results/$id"
  check_schema run.schema.json "results/$id/run.json"
  check_json "results/$id/run.json" \
    "not d['complete'] and d['exit_code'] == $code and len(d['cases']) == 3" \
    '[c["status"] for c in d["cases"]] == ["ok", "interrupted", "interrupted"]' \
    'metric("*/11/*", "groups_found")["n"] == 3' \
    'case("*/1W/*")["reason"] == "interrupted before it started"'
  check 'no report' grep -q '^| 1 item (11) ' "results/$id/report.md"
done

# nohup's
start_run ignored ignore
kill -HUP "$program"
kill -TERM "$program"
check_end 143

start_run killed default
kill -KILL "$program"
check_end 137
wait_for 'the worker to follow its parent' worker_gone
check "events.jsonl lacks the finished row" test "$(wc -l <results/killed/events.jsonl)" = 1
check_json results/killed/events.jsonl \
  'd["id"] == "discover/lockfree/11/launch=16" and d["status"] == "ok"' \
  'len(d["samples"]["groups_found"]) == 3'
