# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Runs of the bench primitives on the CPU device, and the primitives that there are.

# Whether discovery has found fewer workgroups than there are for some row, as it may if the host takes
# the cores away meanwhile.
some_missing() {
  grep -q 'only [1-7] run at once' err ||
    grep -q ': N = [1-7] workgroups$\|: N = [0-9]* to \|N\(/[24]\)\? = [0-9]*-' out
}

# measure CODE OPTION...: the benchmark, with its document in document.json; again, if workgroups are missing.
# A fair lock on a busy machine may take longer than the usual deadline.
measure() {
  local expected=$1 code i
  shift
  for ((i = 0; i < 4; i++)); do
    code=0
    "$COOPBENCH" primitives --cpu --runs 2 --warmup 0 --wait-deadline "${deadline:-2000}" --json document.json "$@" \
      >out 2>err || code=$?
    some_missing || break
  done
  ((code == expected)) || fail "exit code $code instead of $expected: primitives $*"
}

# check_all_pass N FILTER...: N rows, each is ok and was checked.
check_all_pass() {
  check_json document.json "len(d['cases']) == $1 == d['summary']['ok']" \
    'all(c["verification"] == {"status": "pass", "detail": None} for c in d["cases"])' "${@:2}"
}

# All, and those that are measured without --full.
all_barriers=$(primitives BARRIER) all_mutexes=$(primitives MUTEX) queues=$(primitives QUEUE)
quick() { primitives "$1" '[01]' 1; }
barriers=$(quick BARRIER) mutexes=$(quick MUTEX) semaphores=$(quick SEMAPHORE)
count() { wc -w <<<"${1//,/ }"; }
n_barriers=$(count "$barriers") n_mutexes=$(count "$mutexes") n_semaphores=$(count "$semaphores")
nothing_else=(--barrier none --mutex none --semaphore none --queue none)
