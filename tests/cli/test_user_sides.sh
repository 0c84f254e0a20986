#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Cooperative kernels with two dimensions, and with arguments in local memory, in all modes and beside a task.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

cat >squares.cl <<'CL'
kernel void squares(global uint *out)
{
    out[get_global_id(0)] = get_global_id(0) * get_global_id(0);
}
CL
setup squares '"out": {"count": 512}' '"global": 512, "local": 32, "period_ms": 10'

# in_all_modes NAME: of NAME.cl, by the setup that init writes.
in_all_modes() {
  check_exit 0 "$COOPBENCH" init "$1.cl" -o "$1.json"
  check_stderr 'tried on the CPU: a run takes .* ms, and stays within its buffers'
  check_schema setup.schema.json "$1.json"
  check_exit 0 "$COOPBENCH" apps --verify --cpu --app "./$1.json" --run-id "$1-apps"
  all_are ok "results/$1-apps"
  check_exit 0 "$COOPBENCH" selftest --cpu --stress 4 --seed 5 --app "./$1.json" --run-id "$1-selftest"
  all_are ok "results/$1-selftest"
  check_exit 0 "$COOPBENCH" multitask --cpu --app "./$1.json" --task squares.json --runs 1 --budget 0.1 --groups 1 \
    --barrier regular,query,atomic --run-id "$1-multitask"
  all_are ok "results/$1-multitask"
}

# Each place, whatever its workgroup, from its neighbours in both dimensions; what a workgroup has in common has its sides.
cat >grid.cl <<'CL'
#define SIDE 4
kernel __attribute__((reqd_work_group_size(2 * SIDE, SIDE, 1))) void grid(const global uint *in, global uint *a, uint width, uint height,
                                                              uint steps)
{
    local uint tile[4][8];
    for (uint y = get_global_id(1); y < height; y += get_global_size(1))
        for (uint x = get_global_id(0); x < width; x += get_global_size(0))
            a[y * width + x] = in[y * width + x];
    resizing_global_barrier();
    for (transmit uint t = 0; t < steps; t++) {
        const global uint *from = a + t % 2 * width * height;
        global uint *to = a + (t + 1) % 2 * width * height;
        tile[get_local_id(1)][get_local_id(0)] = get_local_id(1) * get_local_size(0) + get_local_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint y = get_global_id(1); y < height; y += get_global_size(1))
            for (uint x = get_global_id(0); x < width; x += get_global_size(0)) {
                const uint left = x > 0 ? from[y * width + x - 1] : 3, up = y > 0 ? from[(y - 1) * width + x] : 5;
                to[y * width + x] = left + up + tile[3 - y % 4][x % 8];
            }
        resizing_global_barrier();
    }
}
CL
in_all_modes grid
setup grid '"in": {"count": 16}, "a": {"count": 32}, "width": 4, "height": 4, "steps": 2' '"workgroup_size": 64'
check_exit 2 "$COOPBENCH" apps --cpu --app ./grid.json
check_stderr 'workgroup_size: the kernel requires 32 \(reqd_work_group_size\)'

# Sums in local memory of a size that the setup says.
cat >sums.cl <<'CL'
void add_up(local uint *room, local volatile uint *other)
{
    for (uint left = get_local_size(0) / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) < left) {
            room[get_local_id(0)] += room[get_local_id(0) + left];
            other[get_local_id(0)] ^= other[get_local_id(0) + left];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void sums(const global uint *v, local uint *s, global uint *out, __local volatile uint *restrict t, uint n, uint steps)
{
    for (transmit uint k = 0; k < steps; k++) {
        for (uint g = get_group_id(0); g < n; g += get_num_groups(0)) {
            s[get_local_id(0)] = get_local_id(0) < 8 ? v[g] + k : 0;
            t[get_local_id(0)] = get_local_id(0) < 3 ? g + k : 0;
            add_up(s, t);
            if (get_local_id(0) == 0) {
                out[2 * g] = s[0];
                out[2 * g + 1] = t[0];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        resizing_global_barrier();
    }
}
CL
in_all_modes sums
check_json sums.json 'd["arguments"]["s"]["count"] >= 64'
check_exit 0 "$COOPBENCH" merge sums.cl -o merged.cl
check "the count is not asked for" grep -q '^#error define COOP_COUNT_OF_s' merged.cl
