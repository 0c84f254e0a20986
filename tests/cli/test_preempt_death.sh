#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tasks of another process beside a long kernel: when one of the processes is ended or stopped, the case has a row, and
# nobody is left.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# start_long ID OPTION...: goes on while tasks are being measured; $worker and $companion are its processes.
start_long() {
  start preempt --cpu --app barriers --input 500 --workload light --place process --groups "${groups:-1}" --runs 1 --warmup 0 --tasks 100000 \
    --budget 60 --order listed --wait-deadline 2000 --run-id "$1" "${@:2}"
  wait_for 'two processes' both_run
  sleep 1
}
both_run() {
  worker=$(worker_of_program) && companion=$(pgrep -P "$worker" -f 'coopbench worker$')
}
is_gone() { test ! -e "/proc/$1" || grep -q '^State:.*[ZX]' "/proc/$1/status"; }
check_nobody_survives() {
  wait_for 'the worker to end' is_gone "$worker"
  wait_for 'the process of the tasks to end' is_gone "$companion"
}

# The process of the tasks: the case has a row, and the next one two processes again.
groups=1,2 start_long killed
kill -KILL "$companion"
first=$companion
wait_for 'the next case' eval 'both_run && test "$companion" != "$first"'
kill -TERM "$companion"
check_end 1
check_json results/killed/run.json '[c["status"] for c in d["cases"]] == ["crashed", "crashed"]' \
  'case("*/groups=1")["reason"] ==
     "the tasks'"'"' process: the worker process died of signal 9 (Killed)"' \
  '"signal 15" in case("*/groups=2")["reason"]'

# One that hangs costs the case its worker.
start_long stopped --run-deadline 3
kill -STOP "$companion"
check_end 4
check_nobody_survives
check_json results/stopped/run.json 'case("*")["status"] == "timeout"' \
  '"--run-deadline" in case("*")["reason"]'

for signal in INT:130 TERM:143; do
  start_long "${signal%:*}"
  kill -s "${signal%:*}" "$program"
  check_end "${signal#*:}"
  check_nobody_survives
  check_json "results/${signal%:*}/run.json" 'case("*")["status"] == "interrupted"'
done

start_long gone
kill -KILL "$program"
check_end 137
check_nobody_survives

# The app's process takes the other with it.
start_long crashed
kill -KILL "$worker"
check_end 1
check_nobody_survives
check_json results/crashed/run.json '"signal 9" in case("*")["reason"]'
