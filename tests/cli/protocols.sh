# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For test_protocols_planted.sh and test_runtime_planted.sh, which source it after lib.sh: bugs in a copy of the runtime,
# and the selftest that has to find them.
begin=$SECONDS
check_exit 0 "$COOPBENCH" selftest --cpu --seed 1 --wait-deadline 1000 --stress 12
most_s=$((20 + 5 * (SECONDS - begin))) # for three, of which some wait for deadlines

export COOPBENCH_KERNEL_DIR=$PWD/sources

fresh_sources() {
  copy_sources sources
  cp -r "$SOURCE_DIR/apps" sources
}

# find_in FILE SCRIPT REASON OPTION...: a bug in a file of kernels/coop is caught.
find_in() {
  fresh_sources
  plant "sources/kernels/coop/$1" "$2"
  caught "${@:3}"
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
