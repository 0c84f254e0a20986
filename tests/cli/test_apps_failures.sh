#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Apps in their modes on the CPU device: sizes that do not build, a budget that is over, wrong results, a
# deadlock, a lost worker and Ctrl-C.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# measure CODE OPTION...: the bench, with its document in document.json. On a busy machine workgroups wait
# longer than the usual deadline.
measure() {
  check_exit "$1" "$COOPBENCH" apps --cpu --wait-deadline 2000 --json document.json "${@:2}"
}

# ---- Tuning --------------------------------------------------------------------------------------

# A size that does not build is left out, and a note says why; without any, there is no time.
copy_sources sources
plant sources/apps/bfs/bfs.cl 's/^coop_kernel(bfs)/#if COOP_WG_SIZE > 32\n#error too large\n#endif\n&/'
COOPBENCH_KERNEL_DIR=$PWD/sources measure 0 --app bfs --input grid:9x9 --mode portable \
  --wg-size 64,32 --runs 1
check_schema run.schema.json document.json
check_json document.json '[m["name"] for m in case("*/tuning")["metrics"]] == ["wg_32"]' \
  'len(case("*/tuning")["notes"]) == 1' \
  'case("*/tuning")["notes"][0].startswith(
     "portable, 64 work-items a workgroup: error: apps/bfs/bfs.cl does not build")' \
  'metric("*/portable/grid:9x9", "wg_size")["max"] == 32'
check_stdout '^- bfs \[grid:9x9\]: portable, 64 work-items a workgroup: error: '
COOPBENCH_KERNEL_DIR=$PWD/sources measure 1 --app bfs --input grid:9x9 --mode portable --wg-size 64,128
check_json document.json '[c["status"] for c in d["cases"]] == ["error", "skipped"]' \
  '"too large" in case("*/tuning")["reason"]'

# A budget that is over leaves the first size, to all modes.
measure 0 --app game --input 5 --mode portable,specialised --wg-size 64,32,16 --runs 1 --tune-budget 0
check_json document.json 'len(d["cases"]) == 4 == d["summary"]["ok"]' \
  'all([m["name"] for m in c["metrics"]] == ["wg_64"] and
       c["notes"] == ["--tune-budget was over before 32, 16 work-items a workgroup"]
       for c in d["cases"] if "sizes" in c["params"])'

# ---- Modes that fail -----------------------------------------------------------------------------

# One mode that is wrong, or hangs, is its own row; the others are measured.
copy_sources sources
plant sources/apps/bfs/bfs.cl 's/== A->source ? 0 :/== A->source ? COOP_MODE == COOP_PORTABLE :/'
COOPBENCH_KERNEL_DIR=$PWD/sources measure 3 --app bfs --input grid:9x9 --wg-size 64 --runs 2
check_json document.json 'd["summary"]["ok"] == 3 and d["summary"]["verify_failed"] == 1' \
  'case("*/portable/*")["reason"].startswith("vertex ")'
COOPBENCH_KERNEL_DIR=$PWD/sources measure 3 --app bfs --input grid:9x9 --wg-size 32,64 --mode portable
check_json document.json '[c["status"] for c in d["cases"]] == ["verify_failed", "skipped"]' \
  'case("*/tuning")["reason"].startswith("32 work-items a workgroup: vertex ")'

copy_sources sources
plant sources/apps/bfs/bfs.cl \
  's/^    while (S->size > 0) {/    while (S->size > 0 \&\& (COOP_MODE != COOP_SPECIALISED || coop_group_id() != 1)) {/'
COOPBENCH_KERNEL_DIR=$PWD/sources measure 4 --app bfs --input grid:9x9 --wg-size 64 --runs 2
check_json document.json 'd["summary"]["ok"] == 3 and d["summary"]["timeout"] == 1' \
  '"global barrier" in case("*/specialised/*")["reason"]'

# No room: nobody waits for anything.
copy_sources sources
plant sources/apps/game/game_abi.h 's/CB_DEQUE_ROOM 128u/CB_DEQUE_ROOM 8u/'
COOPBENCH_KERNEL_DIR=$PWD/sources measure 1 --app game --input 8 --mode portable --runs 2
check_stderr 'error: workgroup [0-9]+ of [0-9]+ has no room for more work \(saw [0-9]+, there are 8 places\)'

# ---- A lost worker -------------------------------------------------------------------------------

long=(apps --cpu --app bfs --input grid:60x60 --wg-size 64 --wait-deadline 2000 --order listed)
start "${long[@]}" --runs 400 --run-id lost
wait_for 'a run' measures apps/bfs/
kill -KILL "$(worker_of_program)"
check_end 1
check_schema run.schema.json results/lost/run.json
check_json results/lost/run.json 'd["summary"]["crashed"] == 1 and d["summary"]["ok"] == 3' \
  'all(c["sampling"]["runs"] == 400 for c in d["cases"] if c["status"] == "ok")'

# ---- Ctrl-C --------------------------------------------------------------------------------------

start "${long[@]}" --runs 1000000 --run-id stopped
wait_for 'a run' measures apps/bfs/
kill -INT "$program"
check_end 130
check_stderr 'Interrupted: finished cases are in results/stopped'
check_schema run.schema.json results/stopped/run.json
check_json results/stopped/run.json \
  'not d["complete"] and [c["status"] for c in d["cases"]] == ["interrupted"] * 4'
