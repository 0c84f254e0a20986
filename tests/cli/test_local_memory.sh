#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A device with 32 KiB of local memory: two apps of large frontiers run, and what cannot run says what it needs. All apps
# and all other commands: test_local_memory_all.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/small_device.sh"

# What is said of a launch that is refused is said in one place.
(cd "$SOURCE_DIR" && grep -rl 'clEnqueueNDRangeKernel(' --include=*.c analysis apps cli measure probes runtime) >launchers
check 'kernels are launched elsewhere than in runtime/enqueue.c' test "$(cat launchers)" = runtime/enqueue.c

# Frontiers that grow beyond what workgroup 0 has room for when it searches alone, and shrink again.
python3 >layers.wel <<'PYTHON'
first, widths = 0, [1, 15, 200, 1500, 2047, 2048, 2049, 3000, 2100, 900, 3, 40, 2500, 1]
for width, following in zip(widths, widths[1:]):
    for i in range(max(width, following)):
        print(first + i % width, first + width + i % following, 1 + i % 7)
        print(first + width + i % following, first + i % width, 1 + i % 7)
    first += width
PYTHON
measure 0 apps --app bfs,sssp_bellman --input bfs=layers.wel --input sssp_bellman=layers.wel --mode specialised --verify \
  --wg-size 256
all_ok 2

# ---- What cannot run -----------------------------------------------------------------------------

# says PATTERN: of every row.
says() {
  check_json document.json 'd["cases"]' 'all(c["status"] == "unsupported" for c in d["cases"])' \
    "all(re.search(r'''$1''', c['reason']) for c in d['cases'])"
}
needs='a workgroup of [0-9]+ work-items needs [3-9][0-9]{4} bytes of local memory, the device has 32768'
# A megakernel shares it with its runtime.
owners=" \\(the kernel.s or a task.s, whichever are more, and up to 320 of the runtime.s\\)\$"
owners_with_tasks=" \\(the kernel.s or a task.s with 16384 for its arguments, whichever are more, and up to 320 of the runtime.s\\)\$"

# As a CPU, which must not be asked to run it, and as a GPU, which refuses.
plant sources/apps/bfs/bfs.cl 's/^#define BFS_RECENT .*/#define BFS_RECENT 8192u/'
measure 77 apps --scale tiny --app bfs --mode specialised --wg-size 64
says "$needs$owners"
check_exit 77 env SMALL_GPU=yes SMALL_DEVICE=$least LD_PRELOAD="$DRIVER_FAULTS" "$COOPBENCH" apps --gpu --scale tiny --app bfs \
  --mode specialised --wg-size 64 --runs 1 --warmup 0 --json document.json
says "$needs$owners"

# Kernels that are not cooperative.
plant sources/probes/primitives/barrier.cl \
  's/^    local cb_environment env;/    local struct { cb_environment one; uint planted[12000]; } both;\n#define env both.one/'
measure 77 primitives --barrier xf --mutex none --semaphore none --queue none --groups 2 --ops 10
says "$needs\$"
plant sources/apps/shared/priority_baseline.clh \
  's/^    local uint sum;/    local struct { uint one, planted[12000]; } both;\n#define sum both.one/'
measure 77 apps --scale tiny --app mis --mode baseline --variant paper
says "$needs\$"

# ---- Users' kernels ------------------------------------------------------------------------------
# What the runtime has beside them is less than it says (COOP_OWN_LOCAL_BYTES).
if "$COOPBENCH" merge /dev/null 2>err || ! grep -q libclang err; then
  write_near() {
    cat >near.cl <<CL
kernel void near(global uint *out, uint n)
{
    local uint room[$1 / 4];
    for (uint i = (uint)get_local_id(0); i < $1 / 4; i += (uint)get_local_size(0))
        room[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0))
        out[i] = room[i % ($1 / 4)];
    global_barrier();
}
CL
    cat >near_task.cl <<CL
kernel void near_task(global uint *out, local uint *asked)
{
    local uint room[$2 / 4];
    const uint item = (uint)get_local_id(0);
    for (uint i = item; i < $2 / 4; i += (uint)get_local_size(0))
        room[i] = i;
    asked[item] = item;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = room[item * 7 % ($2 / 4)] + asked[get_local_size(0) - 1 - item];
}
CL
  }
  cat >setup.json <<'JSON'
{"schema": "coopbench-setup", "schema_version": "1.1", "summary": "Two",
 "kernels": {"near": {"arguments": {"out": {"count": 20000}, "n": 20000}},
  "near_task": {"global": 512, "local": 64, "period_ms": 20,
    "arguments": {"out": {"count": 512}, "asked": {"count": 64}}}}}
JSON
  with_task() {
    measure "$1" multitask --kernel near.cl --task near_task.cl --setup setup.json --scale tiny --groups 1 --barrier atomic --budget 0.1
  }
  write_near $((32768 - 320)) $((32768 - 16384 - 320))
  measure 0 apps --kernel near.cl --setup setup.json
  all_ok
  with_task 0
  all_ok

  write_near $((32768 - 64)) 64
  measure 77 apps --kernel near.cl --setup setup.json
  says "$needs$owners"
  write_near 64 $((32768 - 16384))
  with_task 0
  check_json document.json \
    "re.search(r\"\"\"$needs$owners_with_tasks\"\"\", case('*/near_task/*')['reason'])"
fi
