#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A worker process that dies or hangs costs its case, and nothing else.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# Three cases that last until somebody ends them, or for two seconds.
long=(discover --cpu --protocol lockfree --microbenchmark "11,L1,1W" --wg-sizes none --bound off
  --launch 16 --order listed --stop time --max-time 2 --max-runs 1000000)

start "${long[@]}" --run-id killed
wait_for 'the second case' measures discover/lockfree/L1
worker=$(worker_of_program)
kill -KILL "$worker"
check_end 1
check_schema run.schema.json results/killed/run.json
check_stderr 'discover/lockfree/L1/launch=16: crashed: .*signal 9'
check_json results/killed/run.json \
  'd["complete"] and d["exit_code"] == 1 and len(d["cases"]) == 3' \
  '[c["status"] for c in d["cases"]] == ["ok", "crashed", "ok"]' \
  '"signal 9 (Killed)" in case("*/L1/*")["reason"]'
check "events.jsonl lacks rows" test "$(wc -l <results/killed/events.jsonl)" = 3

# What may end otherwise is measured by the command that stands below.
again=$(tr '\r' '\n' <err | sed -n 's/^.*To measure again what failed (1 of 3 cases): //p')
check "not the command: $again" test "$again" = "$COOPBENCH ${long[*]} --progress bar --resume results/killed"
check_exit 0 bash -c "$again"
check_stderr '^1 case to be run, 2 kept of results/killed'
check "says that something failed" test "$(grep -c 'To measure again' err)" = 0
check_json results/killed/run.json 'd["complete"] and d["exit_code"] == 0' \
  '[c["status"] for c in d["cases"]] == ["ok"] * 3'

# A worker can be ended gently: the escalation to SIGKILL takes seconds.
start "${long[@]}" --run-id terminated
wait_for 'the second case' measures discover/lockfree/L1
kill -TERM "$(worker_of_program)"
check_end 1
check_json results/terminated/run.json '"signal 15" in case("*/L1/*")["reason"]'

start "${long[@]}" --run-deadline 2 --run-id stopped
wait_for 'the second case' measures discover/lockfree/L1
worker=$(worker_of_program)
kill -STOP "$worker"
check_end 4
check_json results/stopped/run.json \
  '[c["status"] for c in d["cases"]] == ["ok", "timeout", "ok"]' \
  '"gave no answer within 2 s while running" in case("*/L1/*")["reason"]' \
  '"--run-deadline" in case("*/L1/*")["reason"]' \
  '2 <= case("*/L1/*")["duration_s"] < 20'
check "the stopped worker survived" test ! -e "/proc/$worker"

# A device that loses too many workers is given up: the rest is skipped.
start "${long[@]}" --max-kills 1 --run-id given_up
wait_for 'the first case' measures discover/lockfree/11
kill -KILL "$(worker_of_program)"
check_end 1
check_json results/given_up/run.json \
  '[c["status"] for c in d["cases"]] == ["crashed", "skipped", "skipped"]' \
  '"signal 9" in case("*/11/*")["reason"]' \
  '"--max-kills" in case("*/1W/*")["reason"]'

# A device that goes away while it is measured: its driver's registration vanishes with its worker.
vendors=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
if [[ -d $vendors ]] && loader_takes_vendors; then
  cp -r "$vendors" vendors
  OCL_ICD_VENDORS=$PWD/vendors start "${long[@]}" --run-id gone
  wait_for 'the first case' measures discover/lockfree/11
  rm vendors/*
  kill -KILL "$(worker_of_program)"
  check_end 1
  check_schema run.schema.json results/gone/run.json
  check_json results/gone/run.json \
    '[c["status"] for c in d["cases"]] == ["crashed", "error", "error"]' \
    '"has gone" in case("*/1W/*")["reason"]' \
    'd["summary"]["error"] == 2'
fi
