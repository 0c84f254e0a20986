#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Cooperative kernels with long phases beside tasks on the CPU device: one that ends its phase when it is asked to, and one
# that never gives up a workgroup.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# measure CODE OPTION...: the bench, with its document in document.json. On a busy machine workgroups wait
# longer than the usual deadline.
measure() {
  check_exit "$1" "$COOPBENCH" multitask --cpu --tasks 3 --runs 1 --warmup 0 --order listed \
    --wait-deadline 2000 --json document.json "${@:2}"
}

# ---- A long phase that ends when it is asked to ------------------------------------------------------

# A path is searched by workgroup 0 alone, here without a point in between, and cleared in few slices; most tasks come
# in the midst of a search. It asks as seldom as on a GPU.
copy_sources sources
plant sources/apps/bfs/bfs.cl 's|BFS_ALONE_WORK 144000u|BFS_ALONE_WORK 0xf0000000u|'
plant sources/apps/bfs/bfs.cl 's|BFS_SWEEP *16384u|BFS_SWEEP 1000000u|'
plant sources/apps/bfs/bfs.cl 's|BFS_ASK_WORK *512u|BFS_ASK_WORK 4096u|'
echo '{"schema": "coopbench-workload", "name": "seldom", "period_ms": 330, "duration_ms": 1}' >seldom.json
longest_gather() { # CONDITION: of the time of a search
  COOPBENCH_KERNEL_DIR=$PWD/sources measure 0 --app bfs --input grid:4000000x1 --barrier atomic \
    --workload seldom.json --groups N-1 --tasks 9 --budget 4 --wait-deadline 20000
  holds document.json \
    "metric('*/seldom/*', 'gather_time')['max'] / metric('*/seldom/*', 'app_time_alone')['median'] $1"
}
check 'a phase that asks goes on' once_in 4 longest_gather '< 0.3'
plant sources/kernels/coop.clh 's|define coop_resize_is_wanted() cb_load.*|define coop_resize_is_wanted() 0u|'
check 'a phase that does not ask ends' once_in 4 longest_gather '> 0.3'

# ---- A phase without an end ---------------------------------------------------------------------

# A kernel that never offers a workgroup: it runs longer than the scheduler waits. It is made to end,
# and whoever comes after it has the device.
copy_sources sources
cp -r "$SOURCE_DIR/apps" sources
plant sources/apps/bfs/bfs.cl 's/resizing_global_barrier()/global_barrier()/'
COOPBENCH_KERNEL_DIR=$PWD/sources measure 4 --app bfs,game --input bfs=grid:1x4000000,game=6 \
  --barrier query --workload heavy --groups 1 --gather-deadline 0.2 --exclude '*/overhead/*'
check_json document.json '[c["status"] for c in d["cases"]] == ["timeout", "ok"]' \
  're.search(r"the scheduler waited too long for the cooperative kernel to give up workgroups",
             case("*/bfs/*")["reason"])' \
  'metric("*/game/*", "tasks")["median"] == 3' 'case("*/game/*")["verification"]["status"] == "pass"'

