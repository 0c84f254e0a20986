#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Plain kernels of the user as tasks beside two apps in one megakernel, and bugs that are planted there.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

multitask() {
  "$COOPBENCH" multitask --cpu --scale tiny --groups 1 --runs 1 --budget 0.1 --barrier atomic --wait-deadline 2000 \
    --beside octree "$@"
}

# Two dimensions and a helper; `mean` is also a function of ring.cl, and another one.
cp "$SOURCE_DIR"/examples/{ring,blur}.cl .
sed 's/00000/000/g' "$SOURCE_DIR/examples/ring.json" >ring.json
sed 's/786432/3072/; s/1024/64/; s/768/48/; s/\[16, 4\]/[8, 4]/' "$SOURCE_DIR/examples/blur.json" >blur.json
# Barriers and local memory; each adds to what the last one left.
cat >sums.cl <<'CL'
#define octree 1
uint mean(uint a, uint b) { return a + b; }
kernel void sums(global uint *sums, const global uint *in, local uint *room, ushort2 add)
{
    const uint item = get_local_id(0);
    room[item] = in[get_global_id(0)] + add.x * octree;
    for (uint left = get_local_size(0) / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < left)
            room[item] = mean(room[item], room[item + left]);
    }
    if (item == 0)
        sums[get_group_id(0)] += room[0];
}
CL
setup sums '"sums": {"count": 16, "fill": "iota"}, "in": {"count": 512, "fill": "random"}, "room": {"count": 32}, "add": 3' \
  '"period_ms": 20, "global": 512, "local": [32]'

# ---- Right ones ----
check_exit 0 multitask --app ./ring.json,bfs --task ./blur.json,./sums.json --trace traces --run-id right --json document.json
all_are ok results/right 4
check_json document.json \
  'sorted(c["id"] for c in d["cases"]) == [f"multitask/{app}+octree/{task}/groups=1,barrier=atomic"
     for app in ["bfs", "ring"] for task in ["blur", "sums"]]' \
  'all(metric(c["id"], "launch_time")["median"] > 0 and metric(c["id"], "tasks")["median"] >= 1 for c in d["cases"])'
check "no trace" test -s traces/bfs-sums-1-atomic-0_0.tsv

# ---- What cannot be ----
cat >nested.cl <<'CL'
kernel void nested(global uint *o, uint n)
{
    o[n] = n;
    if (n > 0)
        submit_task(nested, task_range_1d(1, 1), o, n - 1);
}
CL
setup nested '"o": {"count": 9}, "n": 3' '"period_ms": 20, "global": 1, "local": 1'
check_exit 77 multitask --app bfs --task ./nested.json
check_stderr 'nested submits tasks of its own, which it can beside one app only'

# ---- Wrong ones are found ----
copy_sources sources
plant sources/kernels/coop/task_kernels.clh 's/(ulong)(first + parts)/(ulong)(first + parts - 1)/'
COOPBENCH_KERNEL_DIR=$PWD/sources check_exit 3 multitask --app bfs --task blur.json
check_stderr 'out, element [0-9]+: 0 instead of 0\.[0-9]+, as a plain launch has it'
copy_sources sources
plant sources/kernels/coop/task_kernels.clh 's/decision->shares + cb_fetch_add/decision->shares - 1 + cb_fetch_add/'
COOPBENCH_KERNEL_DIR=$PWD/sources check_exit 3 multitask --app bfs --task sums.json
check_stderr 'sums, element [0-9]+: [0-9]+ instead of [0-9]+, as a plain launch has it'
