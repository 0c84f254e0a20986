#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Graphics when a process dies or hangs: the renderer, the worker that started it, or the program, by
# Ctrl-C, SIGTERM or SIGKILL. The case is a row, and no process survives.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

long=(graphics --cpu --size 64x48 --scene medium,light --order listed --t 0.5 --pairs 8 --window 0.05)

# Finds the worker that measures, and the renderer that it has started.
find_processes() {
  for worker in $(worker_of_program); do
    if renderer=$(pgrep -P "$worker" -f 'coopbench worker$'); then return; fi
  done
  return 1
}

# begin ID OPTION...: goes on when the first case has been drawing for a while; again, if somebody else has the
# cores, so that there is no time to draw.
begin() {
  local i
  for ((i = 0; i < 4; i++)); do
    begin_once "$@"
    grep -aq 'the scene does not reach' err || break
    kill -KILL "$program" 2>/dev/null || true
    wait "$program" 2>/dev/null || true
    rm -rf "results/$1"
  done
  grep -q 'cannot render\|no OpenGL ES context' err && echo "skipped: $(tail -n 1 err)" && exit 77
  check 'there is no renderer' test -n "$renderer"
}
begin_once() {
  local i
  renderer=
  start "${long[@]}" --run-id "$@"
  for ((i = 0; i < 600; i++)); do
    if find_processes || gone "$program"; then break; fi
    sleep 0.1
  done
  sleep "$draws_for"
}
gone() { test ! -e "/proc/$1" || grep -q '^State:.*[ZX]' "/proc/$1/status"; }
all_gone() { gone "$worker" && gone "$renderer"; }

# ---- A renderer that stops -----------------------------------------------------------------------

# It is waited for ten seconds, in which the others are tried; it must be past its preparations, for which
# it would have a minute.
draws_for=1.5
begin stopped --confirm-time 600 --exclude '*/light/*'
kill -STOP "$renderer"
stopped=("$program" "$worker" "$renderer")
draws_for=0.7

# ---- The renderer --------------------------------------------------------------------------------

begin killed --confirm-time 1
kill -KILL "$renderer"
check_end 1
check_stderr 'medium/.*: crashed: the renderer: the worker process died of signal 9'
check_schema run.schema.json results/killed/run.json
check_json results/killed/run.json '[c["status"] for c in d["cases"]] == ["crashed", "ok"]'
wait_for 'the worker to end' all_gone

# ---- The worker ----------------------------------------------------------------------------------

begin worker --confirm-time 600 --exclude '*/light/*'
kill -KILL "$worker"
check_end 1
check_json results/worker/run.json '[c["status"] for c in d["cases"]] == ["crashed"]'
wait_for 'the renderer to follow its worker' all_gone

# ---- The program ---------------------------------------------------------------------------------

for signal in INT:130 TERM:143 KILL:137; do
  id=${signal%:*}
  begin "$id" --confirm-time 600
  kill -s "$id" "$program"
  check_end "${signal#*:}"
  wait_for "worker and renderer to end after SIG$id" all_gone
  [[ $id == KILL ]] && continue
  check_stderr "Interrupted: finished cases are in results/$id"
  check_schema run.schema.json "results/$id/run.json"
  check_json "results/$id/run.json" "d['exit_code'] == ${signal#*:}" \
    '[c["status"] for c in d["cases"]] == ["interrupted", "interrupted"]'
done

# ---- The end of the renderer that stopped --------------------------------------------------------

read -r program worker renderer <<<"${stopped[*]}"
check_end 4
check_json results/stopped/run.json '[c["status"] for c in d["cases"]] == ["timeout"]' \
  're.match(r"the renderer: the worker process gave no answer within", d["cases"][0]["reason"])'
wait_for 'the stopped renderer to end' all_gone
