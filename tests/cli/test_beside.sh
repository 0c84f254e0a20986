#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Neighbours of our own, beside any command's cases.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
few=(discover --cpu --microbenchmark 11 --wg-sizes none --runs 2)

# --- What is planned ------------------------------------------------------------------------------
check_exit 0 "$COOPBENCH" "${few[@]}" --dry-run --beside none,grid:groups=4:wg-size=2,process
check_stdout '^discover/bound/11 '
check_stdout '^discover/bound/11/beside=grid:groups=4:wg-size=2 '
check_stdout '^discover/lockfree/11/beside=process '
check_exit 0 "$COOPBENCH" "${few[@]}" --dry-run --beside none,process --filter 'discover/bound/11'
check "not two cases" test "$(wc -l <out)" = 2
check_exit 0 "$COOPBENCH" "${few[@]}" --dry-run --beside process --filter '*/bound/*'
check "a case without its neighbour" test "$(grep -vc beside=process out)" = 0
check_exit 0 "$COOPBENCH" preempt --cpu --dry-run --beside octree # its own option of that name has apps
check_stdout '^preempt/bfs/beside=octree '
check_exit 0 "$COOPBENCH" preempt --cpu --dry-run --beside queue
check_stdout '^preempt/bfs/light/process/groups=N/beside=queue '
check_exit 0 "$COOPBENCH" multitask --cpu --app bfs --dry-run --beside none,process # one app, or a list of ours
check_stdout '^multitask/.*/beside=process '
check "nothing without" grep -v beside=process out
cat >suite.json <<'JSON'
{"schema": "coopbench-config", "schema_version": "1.0", "suite": [
  {"bench": "discover", "microbenchmark": "11", "wg-sizes": "none", "beside": ["none", "copy"]},
  {"bench": "discover", "microbenchmark": "11", "wg-sizes": "none", "beside": ["grid"]},
  {"bench": "preempt", "app": "bfs", "beside": ["octree"]},
  {"bench": "preempt", "app": "game", "beside": ["queue"]},
  {"bench": "memory", "filter": "*contentious.read.atomic/groups=1"}]}
JSON
check_exit 0 "$COOPBENCH" run suite.json --cpu --dry-run
check_stdout '^discover/bound/11/beside=copy '
check_stdout '^discover/bound/11/beside=grid '
check_stdout '^memory/contentious.read.atomic/groups=1 '
# A command line replaces what entries have: all of it beside that, once.
check_exit 0 "$COOPBENCH" run suite.json --cpu --dry-run --beside process
check "a case without its neighbour" test "$(grep -vc '/beside=process ' out)" = 0
check "a case twice" test "$(grep -c '^discover/bound/11/' out)" = 1
check_stdout '^preempt/bfs/beside=octree/beside=process '
check "a neighbour that was replaced" test "$(grep -c beside=queue out)" = 0
wrong() { # TEXT WHAT
  check_exit 2 "$COOPBENCH" "${few[@]}" --dry-run --beside "$2"
  check_stderr "$1"
}
wrong 'expected one of none,process,queue,grid,display,copy,memory,random, got "proces" .did you mean "process"' proces
wrong 'bursts of copy take both :every=MS and a shorter :for=MS' copy:every=5
wrong 'bursts of queue take both' queue:every=5:for=5
wrong 'process takes the options every,for, each as :NAME=VALUE, got ":groups=3"' process:groups=3
wrong 'none takes no options' none:left=3
wrong 'groups of grid: expected an integer from 1' grid:groups=0
wrong 'from of grid: expected one of process, queue' grid:from=here
wrong 'groups of grid is given twice' grid:groups=4:groups=3
wrong 'order of grid: after takes :from=queue, too' grid:order=after
for command in preempt 'multitask --app bfs'; do # their own option has apps, or kinds
  few=($command --cpu)
  wrong 'beside: none is a kind of neighbour, but octree is not: give apps .*, or kinds, of none,process' octree,none
  wrong 'no app "proces" .did you mean "process"\?.*; kinds of neighbours are none,process,queue' proces
  wrong 'no app "octre" .did you mean "octree"' octre
done
few=(discover --cpu --microbenchmark 11 --wg-sizes none --runs 2)

# --- What is measured -----------------------------------------------------------------------------
# Two grids that each fit on the device's 8 threads wait for each other's room: a row, and no hang. What is there alone
# comes out as without --beside. A grid of another process leaves the threads of this one alone.
check_exit 0 "$COOPBENCH" discover --cpu --cpu-workgroups 8 --starvation 4,8 --microbenchmark 11 --wg-sizes none \
  --protocol lockfree --runs 2 --beside none,grid:from=queue:groups=4,grid:groups=4 --json document
check_schema run.schema.json document
check_json document \
  'len(d["cases"]) == 18' \
  'all(c["status"] == "ok" and c["id"].endswith("/beside=" + c["beside"] if "beside" in c else c["id"]) for c in d["cases"])' \
  '[metric("discover/bound/11" + b, "groups_bound")["median"]
    for b in ("", "/beside=grid:from=queue:groups=4", "/beside=grid:groups=4")] == [8, 4, 8]' \
  'metric("discover/lockfree/11/beside=grid:from=queue:groups=4", "groups_found")["max"] <= 4' \
  'metric("discover/starvation/xf/groups=8", "completes")["median"] == 1' \
  'metric("discover/starvation/xf/groups=4/beside=grid:from=queue:groups=4", "completes")["median"] == 1' \
  'metric("discover/starvation/xf/groups=8/beside=grid:from=queue:groups=4", "completes")["median"] == 0' \
  'metric("discover/starvation/xf/groups=8/beside=grid:groups=4", "completes")["median"] == 1'
check_stdout '^Beside grid:from=queue:groups=4'
check "as many tables as neighbours" test "$(grep -c 'workgroups wait at' out)" = 3
check "rows of what was counted alone" test "$(sed -n '/alone and beside/,/^Words/p' out | grep -Ec '[|] +[|]')" = 0

# Each of the others, with right results; profiles learn from none of it.
check_exit 0 "$COOPBENCH" "${few[@]}" --beside process,queue:every=20:for=2,copy --json document
check_json document \
  '{c["beside"] for c in d["cases"]} == {"process", "queue:every=20:for=2", "copy"}' \
  'all(c["status"] == "ok" and c["verification"]["status"] != "fail" for c in d["cases"])' \
  '{f["beside"] for f in d["findings"]} == {"process", "queue:every=20:for=2", "copy"}'
check_exit 0 env COOPBENCH_SHARED=ignore "$COOPBENCH" memory --cpu --runs 2 --warmup 0 --accesses 300 --groups 1,N \
  --access volatile,atomic --distances 4,4096 --beside copy # alone, it would learn
check_stdout '^Machine abstraction '
check_stdout '^- Beside copy: With all workgroups, the barrier '
check "a profile is kept" test ! -e profiles
check_exit 77 "$COOPBENCH" "${few[@]}" --beside memory
check_stderr "the neighbour .--beside memory.: the memory of a CPU device is the host's"
check "what needs the impossible is to be measured again" test "$(grep -c 'To measure again' err)" = 0
check_exit 0 "$COOPBENCH" selftest --cpu --stress 2 --seed 1 --wait-deadline 5000 --beside process --json document
check_json document 'len(d["cases"]) == 2' 'all(c["status"] == "ok" for c in d["cases"])'

# Which are drawn, says the seed.
check_exit 0 "$COOPBENCH" selftest --cpu --app bfs --stress 200 --seed 3 --beside random --dry-run
check "not all kinds" test "$(sed -n 's/.*beside=\([^ ]*\) .*/\1/p' out | sort -u | paste -sd,)" = copy,grid,grid:from=queue,process,queue
check "none alone" grep -q '^selftest/stress/[0-9]* ' out
cp out drawn
check_exit 0 "$COOPBENCH" selftest --cpu --app bfs --stress 200 --seed 3 --beside random --dry-run
check "drawn otherwise" cmp out drawn
few=(litmus --cpu)
wrong 'random draws all neighbours: name no other' random,process
few=(memory --cpu)
wrong 'random is for selftest and litmus, .* name one for memory' random
few=(discover --cpu --microbenchmark 11 --wg-sizes none --runs 2)
check_exit 0 "$COOPBENCH" selftest --cpu --app bfs --stress 4 --seed 3 --wait-deadline 5000 --beside random --json document
check_json document \
  '[c.get("beside") for c in d["cases"]] == ["queue", "copy", "grid:from=queue", None]' \
  'all(c["status"] == "ok" for c in d["cases"])'

# --- Trouble --------------------------------------------------------------------------------------
# One that is killed costs the case that it was beside, and no other: children are the worker, and the neighbour.
"$COOPBENCH" "${few[@]}" --runs 400 --order listed --beside process --json document >out 2>err &
run=$!
neighbour() { pgrep -P "$run" -f 'coopbench worker' | sort -n | tail -n +2 | tail -1; }
for ((i = 0; i < 600; i++)); do
  [[ $(neighbour) ]] && grep -qs . results/latest/events.jsonl && break
  sleep 0.1
done
kill -KILL "$(neighbour)"
code=0
wait "$run" || code=$?
check "exit code $code" test "$code" = 1
check_json document \
  '[c["status"] for c in d["cases"]].count("error") == 1' \
  'any("the neighbour (--beside process): the worker process died of signal 9" in (c["reason"] or "") for c in d["cases"])' \
  'd["cases"][-1]["status"] == "ok"'

# A case that fails by itself tells that, and the next case, of which the kernel is as it was, has a new neighbour: after
# one that has ended, and after one that was killed.
copy_sources sources
plant sources/probes/discover/discover.cl '$i\
    if (CB_WG_SIZE == 2 \&\& local_id == 0 \&\& cb_native_group() == 0) {\
        for (ulong begin = cb_clock(); cb_elapsed(cb_clock(), begin) < 10 * launch->deadline_ticks;)\
            cb_relax();\
        cb_abort(launch, CB_SITE_BARRIER, 0, 0, 1);\
    }'
late=(discover --cpu --cpu-workgroups 8 --microbenchmark none --wg-sizes 2,4 --protocol lockfree --bound off --runs 8 --warmup 0
  --order listed --json document)
fails_alone() { # BESIDE
  check_json document '[c["status"] for c in d["cases"]] == ["timeout", "ok"]' \
    "'ms for the global barrier' in case('discover/lockfree/wg=2/beside=$1')['reason']"
}
check_exit 4 env COOPBENCH_KERNEL_DIR="$PWD/sources" "$COOPBENCH" "${late[@]}" --wait-deadline 500 --beside grid:from=queue:groups=4
fails_alone grid:from=queue:groups=4
check_json document 'metric("discover/lockfree/wg=4/beside=grid:from=queue:groups=4", "groups_found")["max"] <= 4'
export COOPBENCH_KERNEL_DIR=$PWD/sources
start "${late[@]}" --wait-deadline 1000 --beside process
unset COOPBENCH_KERNEL_DIR
run=$program
wait_for "the case that fails" grep -aEq 'beside=process  (run |compiling: )[1-9]' err
kill -KILL "$(neighbour)"
check_end 4
fails_alone process

# A grid that is launched first keeps its workgroups; one that is launched after what is measured takes fewer from it.
check_exit 0 "$COOPBENCH" discover --cpu --cpu-workgroups 8 --microbenchmark 11 --wg-sizes none --protocol lockfree --bound off \
  --launch 16 --runs 20 --beside grid:from=queue:groups=4,grid:from=queue:groups=4:order=after --json document
check_json document \
  'metric("discover/lockfree/11/launch=16/beside=grid:from=queue:groups=4", "groups_found")["max"] <= 4' \
  'metric("discover/lockfree/11/launch=16/beside=grid:from=queue:groups=4:order=after", "groups_found")["max"] > 4'

# What was found beside a grid is not taken for what runs alone.
for order in none,grid:from=queue:groups=4 grid:from=queue:groups=4,none; do
  check_exit 0 "$COOPBENCH" apps --cpu --cpu-workgroups 8 --app bfs --input grid:20x20 --mode specialised --runs 2 --no-profile \
    --order listed --beside "$order" --json document
  check_json document \
    '{c.get("beside"): next(m["max"] for m in c["metrics"] if m["name"] == "workgroups") for c in d["cases"]}
      == {None: 7, "grid:from=queue:groups=4": 3}'
done

# The grid outlasts all waits beside it, however short they are, and one without room is an error at once. What its kernel
# takes to be compiled is no want of room.
check_exit 0 env POCL_CACHE_DIR="$PWD/cold" "$COOPBENCH" discover --cpu --cpu-workgroups 8 --microbenchmark 11 --wg-sizes none --filter '*/bound/*' \
  --wait-deadline 1 --beside grid:from=queue:groups=4 --json document
check_json document 'metric("discover/bound/11/beside=grid:from=queue:groups=4", "groups_bound")["median"] == 4'
check_exit 1 "$COOPBENCH" discover --cpu --cpu-workgroups 8 --microbenchmark 11 --wg-sizes none --filter '*/bound/*' \
  --wait-deadline 300 --beside grid:from=queue:groups=100000 --json document
check_json document \
  'all("no room for the grid: of its 100000 workgroups 8 have begun" in c["reason"] for c in d["cases"])'

# Launches that wait until a grid ends, for want of room, are not beside it.
check_exit 1 "$COOPBENCH" discover --cpu --cpu-workgroups 8 --microbenchmark 11 --wg-sizes none --filter '*/bound/*' \
  --wait-deadline 500 --beside grid:from=queue:groups=8 --json document
check_json document '[c["status"] for c in d["cases"]] == ["error"]' \
  'd["cases"][0]["reason"].startswith("the neighbour (--beside grid:from=queue:groups=8): the grid ended, after 4 s, before what")'

# Ctrl-C ends it, too.
"$COOPBENCH" "${few[@]}" --runs 100000 --beside process >out 2>err &
run=$!
for ((i = 0; i < 600; i++)); do
  [[ $(neighbour) ]] && break
  sleep 0.1
done
gone=$(neighbour)
kill -INT "$run"
code=0
wait "$run" || code=$?
check "exit code $code" test "$code" = 130
check "the neighbour is still there" test ! -e "/proc/$gone"

# It does not outlive a run that is killed, which can go on beside another.
"$COOPBENCH" "${few[@]}" --runs 300 --order listed --beside process --run-id killed >out 2>err &
run=$!
for ((i = 0; i < 600; i++)); do
  [[ $(neighbour) ]] && grep -qs . results/killed/events.jsonl && break
  sleep 0.1
done
gone=$(neighbour)
kill -KILL "$run"
wait "$run" || true
for ((i = 0; i < 600; i++)); do
  test -e "/proc/$gone" || break
  sleep 0.1
done
check "the neighbour is still there" test ! -e "/proc/$gone"
check_exit 0 "$COOPBENCH" "${few[@]}" --runs 300 --order listed --beside process --resume results/killed
check_stderr '^[0-3] cases? to be run, [1-4] kept of results/killed'
check_json results/killed/run.json 'len(d["cases"]) == 4' \
  'all(c["status"] == "ok" and c["beside"] == "process" for c in d["cases"])'
