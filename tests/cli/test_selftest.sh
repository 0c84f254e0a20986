#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The selftest: random runs of the cooperative runtime pass, and bugs planted in a copy of its protocols
# are found, with the name of the rule that they break.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# A busy machine may not run a thread for 200 ms.
run() { "$COOPBENCH" selftest --cpu --seed 1 --wait-deadline 1000 --json - "$@"; }

begin=$SECONDS
check_exit 0 run --stress 12
most_s=$((20 + 5 * (SECONDS - begin))) # for three, of which some wait for deadlines
check_schema run.schema.json out
check_json out \
  'len(d["cases"]) == 12' \
  'all(c["status"] == "ok" and c["verification"]["status"] == "pass" for c in d["cases"])' \
  'all(c["sampling"]["runs"] == 1 for c in d["cases"])' \
  'd["invocation"]["seed"] == "1"' \
  'all(metric(c["id"], "tasks")["median"] == c["params"]["tasks"] for c in d["cases"])' \
  'all(metric(c["id"], "events")["median"] > 0 for c in d["cases"] if c["params"]["trace"])' \
  'sum(metric(c["id"], "kills")["median"] for c in d["cases"]) > 0' \
  'sum(metric(c["id"], "forks")["median"] for c in d["cases"]) > 0' \
  'all((metric(c["id"], "limits")["median"] > 0) == c["params"]["limits"] for c in d["cases"])' \
  'any(c["params"]["limits"] for c in d["cases"])' \
  'any(c["params"]["all_modes"] for c in d["cases"])'

# The same case alone is the same, and options of the number of runs do not change it.
mv out all
check_exit 0 run --stress 3 --filter 'selftest/stress/0003' --runs 5 --warmup 2
for option in runs warmup; do
  check_stderr "^Note: --$option changes nothing here: these cases run as often as they need$"
done
check "a note of what was not asked for" test "$(grep -c '^Note: ' err)" = 2
check 'a case alone has the parameters that it has among others' python3 - <<'PYTHON'
import json
alone, among = (json.load(open(name))["cases"] for name in ("out", "all"))
assert len(alone) == 1
assert alone[0]["params"] == among[2]["params"], (alone[0]["params"], among[2]["params"])
assert alone[0]["sampling"]["runs"] == 1 and alone[0]["sampling"]["warmup"] == 0
PYTHON

# The report is for people.
check_exit 0 "$COOPBENCH" selftest --cpu --seed 7 --stress 1 --app bfs --wait-deadline 1000
check_stdout 'cooperative runtime, seed 7'
check_stdout 'random runs, of which passed +\| +1, 1 '
check_stdout 'limits of their workgroups'
check_stdout 'workgroups killed'
check_stdout 'gather time \(median, p95, p99\)'

check_exit 2 "$COOPBENCH" selftest --cpu --stress 0
check_stderr '--stress: expected an integer from 1 to 9999'
check_exit 2 "$COOPBENCH" selftest --cpu --app gane
check_stderr 'did you mean "game"'

# ---- Planted bugs

export COOPBENCH_KERNEL_DIR=$PWD/sources

fresh_sources() {
  copy_sources sources
  cp -r "$SOURCE_DIR/apps" sources
}

# A wrong product or a broken rule (3), or a deadlock that follows from it (4). Or nothing wrong (0): whether
# workgroups meet in the way that makes a bug show is chance.
run_planted() {
  local code=0
  "$COOPBENCH" selftest --cpu --together none --semantics highest --wait-deadline 300 --json - "$@" >out 2>err || code=$?
  ((code == 0 || code == 3 || code == 4)) || fail "exit code $code instead of 3 or 4: $*"
}

# caught REASON OPTION...: a case fails for this reason, with one of the first seeds.
caught() {
  local reason=$1 seed begin
  shift
  for ((seed = 1; seed <= 12; seed++)); do
    begin=$SECONDS
    run_planted --seed "$seed" "$@"
    check "$reason took $((SECONDS - begin)) s" test $((SECONDS - begin)) -lt "$most_s"
    if holds out "any(re.search(r'$reason', c['reason'] or '') for c in d['cases'])"; then
      return
    fi
  done
  fail "$reason: not with any seed: $(cat filtered)"
}

# Workgroups leave together before all of them are at their offers.
fresh_sources
plant sources/kernels/coop/offers/highest.clh \
  's|COOP_OFFERED(seen) == COOP_GROUPS(seen) - COOP_TARGET(seen)|COOP_OFFERED(seen) > 0|'
caught 'trace: [A-Z]+ at .* (killed|active|acted)' --app game --stress 3

# A workgroup is killed that is not the highest, and does not wait for others.
fresh_sources
plant sources/kernels/coop/offers/highest.clh 's|coop_await_offers(w, coop_offer(w))|coop_offer(w)|'
plant sources/kernels/coop/offers/highest.clh 's|coop_is_surplus(w, \*seen) && w->own->id + 1 == COOP_GROUPS(\*seen)|true|'
caught 'trace: [A-Z]+ at .* (killed|active|acted)' --app game --stress 3

# A fork gives away an id that is active.
fresh_sources
plant sources/kernels/coop/offers/highest.clh \
  's|coop_send_joins(w, S, active, |coop_send_joins(w, S, active - 1, |'
caught 'trace: (FORK|JOIN) at .* active' --app game --stress 3

# One waiter does not wait.
fresh_sources
plant sources/kernels/coop/resizing/word.clh 's|== round \&\&$|== round \&\& w->own->id != 1 \&\&|'
caught 'trace: BARRIER at' --app bfs --variant ours --stress 4
fresh_sources
plant sources/kernels/coop/resizing/atomic.clh 's|- complete) < 0)$|- complete) < 0 \&\& w->own->id != 1)|'
caught 'trace: BARRIER at' --app bfs --variant ours --stress 4

# The draft's resizing barrier as printed: not all see the same M after it.
fresh_sources
plant sources/kernels/coop/resizing/literal.clh \
  '/coop_send_joins/,$ s|return coop_meet_word(w, S, COOP_KEEPS);|return COOP_GOES_ON;|; s|return coop_meet_word(w, 0, .*|return true;|'
caught 'the digest of its result is' --resizing literal --app bc --stress 4

# A slave of `master` is not waited for. Another keeps what it was told, and takes it for the next answer.
fresh_sources
plant sources/kernels/coop/resizing/master.clh 's|coop_await_slaves(w, 1 + item, |coop_await_slaves(w, 2 + item, |'
caught 'trace: BARRIER at .* before workgroup 1 had arrived' --resizing master --app bfs --stress 3
fresh_sources
plant sources/kernels/coop/resizing/master.clh 's|cb_store64_relaxed(flag, 0);||'
caught 'trace: BARRIER at .* saw an M of' --resizing master --app barriers --stress 3

# A run begins with more workgroups than the host allows.
fresh_sources
plant sources/kernels/coop/scheduler.clh 's|uint groups = coop_reach(s, q);|uint groups = s->workers;|'
caught 'trace: LIMIT at .* began with' --app barriers --stress 3

# A limit is said to have come to pass before it has.
fresh_sources
plant sources/kernels/coop/scheduler.clh 's/(q->groups != coop_target(s, q) || q->pending ||/(/'
caught 'at most [0-9]+ workgroups were asked for, and [0-9]+ were active|trace: LIMIT at' \
  --app barriers --stress 3

# Each share of a child is its first one.
fresh_sources
plant sources/kernels/coop/children.clh 's/    return share;/    return 0;/'
caught 'trace: CHILD at .* share 1 0 times' --app children --stress 3

# Some elements of each product are wrong.
fresh_sources
plant sources/kernels/tasks/matmul.clh 's/float4 c0 = 0,/float4 c0 = (float)(row == 4),/'
caught 'task [0-9]+ of [0-9]+ \(matmul, .* the result is wrong' --app game --stress 3
