#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Several users of one device, one results folder, one profile and one cache of kernels, at once, from nothing on.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
unset COOPBENCH_SHARED
export XDG_CACHE_HOME=$PWD/cache COOPBENCH_PROFILE_DIR=$PWD/profiles
users=(a b c)
pids=()
for user in "${users[@]}"; do
  "$COOPBENCH" run "$SOURCE_DIR/tests/cli/two_users.json" --cpu --run-id "$user" >"$user.out" 2>"$user.err" &
  pids+=($!)
done
for i in "${!users[@]}"; do
  code=0
  wait "${pids[i]}" || code=$?
  check "user ${users[i]}: exit code $code: $(cat "${users[i]}.err")" test "$code" = 0
  check_schema run.schema.json "results/${users[i]}/run.json"
  check_json "results/${users[i]}/run.json" 'd["complete"] and all(c["status"] == "ok" for c in d["cases"])' \
    'all(c["verification"]["status"] != "fail" for c in d["cases"])'
done
check "latest is none of them" test -e results/latest/run.json
check "nobody has seen the others" grep -q '"disturbed"' results/?/run.json
for profile in profiles/*.json; do
  [[ -e $profile ]] && check_schema profile.schema.json "$profile"
done
# The same id for two: one of them gets it.
for user in 1 2; do
  "$COOPBENCH" memory --cpu --runs 3 --filter memory/contentious.read.atomic/groups=1 --run-id same >"$user.out" 2>"$user.err" &
  pids[user]=$!
done
codes=()
for user in 1 2; do
  code=0
  wait "${pids[user]}" || code=$?
  codes+=("$code")
done
check "exit codes ${codes[*]}" test $((codes[0] == 0)) != $((codes[1] == 0))
check_json results/same/run.json 'd["complete"] and len(d["cases"]) == 1'
check "who came second is not told why: $(cat 1.err 2.err)" grep -q 'results/same' 1.err 2.err
