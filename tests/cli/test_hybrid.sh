#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Hybrid preemption beside an app with usual phases and beside one that never yields, its watchdog, options that do not
# go together, and a task that is done and withdrawn.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
export POCL_MAX_PTHREAD_COUNT=4 POCL_CPU_MAX_CU_COUNT=4

# measure CODE OPTION...: the bench, with its document in document.json.
measure() {
  check_exit "$1" timeout 120 "$COOPBENCH" preempt --cpu --hybrid "${app[@]}" --workload light --groups 1 \
    --runs 1 --warmup 0 --budget 0.15 --wait-deadline 20000 --json document.json "${@:2}"
}

app=(--app barriers --input 500)
answered=('metric("*", "answered_cooperatively")["median"] + metric("*", "answered_by_driver")["median"]
             == metric("*", "tasks")["median"] == metric("*", "answer_time")["n"] >= 2'
  'metric("*", "answer_time_sliced")["n"] >= 2'
  'metric("*", "hybrid_to_sliced")["median"] > 0'
  'case("*")["verification"]["status"] == "pass"')

# ---- An app that yields ----------------------------------------------------------------------------

POCL_CACHE_DIR=$PWD/cache measure 0 --gather-bound 10 --run-id rows
! grep -q 'warning' err || fail "$(cat err)"
check_schema run.schema.json document.json
check_json document.json 'd["cases"][0]["id"] == "preempt/barriers/light/hybrid/groups=1"' "${answered[@]}" \
  'metric("*", "answered_by_driver")["median"] == 0' 'metric("*", "app_runs")["median"] >= 1'
check_stdout '^Hybrid preemption: '
check_stdout '^- Beside barriers 500, cooperation (serves it|works)'
! grep -q 'without cooperation' out || fail "a table of other cases"

# All of them: no task is gathered in no time.
measure 0 --gather-bound 0 --watchdog 60
check_json document.json "${answered[@]}"

# ---- One that never does ---------------------------------------------------------------------------

measure 0 --phase 600
check_json document.json "${answered[@]}" 'metric("*", "answered_cooperatively")["median"] == 0' \
  'not {"answer_time_cooperative", "overhead", "gather_time"} & {m["name"] for m in case("*")["metrics"]}' \
  'any("cooperation alone is not in time" in n for n in case("*")["notes"])' \
  'any("too few runs" in n for n in case("*")["notes"])'
check_stdout '^- Beside barriers 500 with phases of 600 s, only the driver serves it: '

# Its process is ended while tasks wait, and they go on.
measure 4 --phase 600 --watchdog 0.1 --budget 0.5
check_json document.json 'case("*")["status"] == "timeout"' \
  'case("*")["id"] == "preempt/barriers/light/hybrid/groups=1,phase=600,watchdog=0.1"' \
  're.search(r"barriers came to no scheduling point for [\d.]+ s while a task waited \(--watchdog 0.1\): its process "
             r"was ended\. All (\d+) tasks were answered, 0 by cooperation and \1 by a process", case("*")["reason"])'

# Offers have points, too.
app=(--app octree --scale tiny)
measure 0 --phase 600
check_json document.json "${answered[@]}" 'metric("*", "answered_cooperatively")["median"] == 0'

# Long phases without --hybrid.
check_exit 0 "$COOPBENCH" preempt --cpu --app barriers --input 20 --workload light --groups 1 --runs 1 --warmup 0 \
  --budget 0.05 --launch 0.01 --phase 0.0005 --place process --wait-deadline 20000 --json document.json
check_json document.json 'metric("*", "app_time_alone")["min"] >= 20 * 0.5e6'
app=(--app barriers --input 500)

# ---- A bug that is noticed -------------------------------------------------------------------------

# Tasks that are said to be withdrawn, and done later all the same.
copy_sources sources
plant sources/kernels/coop/line.clh 's/(withdraws && coop_withdraw_task(s, number))/withdraws/'
COOPBENCH_KERNEL_DIR=$PWD/sources measure 3 --phase 600
check_json document.json 'case("*")["status"] == "verify_failed"' '"done and withdrawn" in case("*")["reason"]'

# ---- Options ---------------------------------------------------------------------------------------

check_exit 2 "$COOPBENCH" preempt --cpu --watchdog 1
check_stderr 'watchdog: only with --hybrid'
check_exit 2 "$COOPBENCH" preempt --cpu --gather-bound 1
check_stderr 'gather-bound: only with --hybrid'
check_exit 2 "$COOPBENCH" preempt --cpu --hybrid --beside bfs
check_stderr 'hybrid: not with --beside'
check_exit 2 "$COOPBENCH" preempt --cpu --hybrid --power
check_stderr 'hybrid: not with --power'
