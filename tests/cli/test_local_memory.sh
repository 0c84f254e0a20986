#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A device with 32 KiB of local memory: all apps run, and what cannot run says what it needs. In other modes and with
# all other commands: test_local_memory_all.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/small_device.sh"

# What is said of a launch that is refused is said in one place.
(cd "$SOURCE_DIR" && grep -rl 'clEnqueueNDRangeKernel(' --include=*.c apphost apps benchmarks library measure runtime suite) >launchers
check 'kernels are launched elsewhere than in runtime/enqueue.c' test "$(cat launchers)" = runtime/enqueue.c

measure 0 apps --scale tiny --mode specialised --wg-size 256
all_ok

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
needs='a workgroup of [0-9]+ work-items needs [4-9][0-9]{4} bytes of local memory, the device has 32768$'

# As a CPU, which must not be asked to run it, and as a GPU, which refuses.
plant sources/apps/bfs/bfs.cl 's/^#define BFS_RECENT .*/#define BFS_RECENT 8192u/'
measure 77 apps --scale tiny --app bfs --mode specialised --wg-size 64
says "$needs"
check_exit 77 env SMALL_GPU=yes SMALL_DEVICE=$least LD_PRELOAD="$DRIVER_FAULTS" "$COOPBENCH" apps --gpu --scale tiny --app bfs \
  --mode specialised --wg-size 64 --runs 1 --warmup 0 --json document.json
says "$needs"

# Kernels that are not cooperative.
plant sources/benchmarks/primitives/barrier.cl \
  's/^    local cb_environment env;/    local struct { cb_environment one; uint planted[12000]; } both;\n#define env both.one/'
measure 77 primitives --barrier xf --mutex none --semaphore none --queue none --groups 2 --ops 10
says "$needs"
plant sources/apps/shared/priority_baseline.clh \
  's/^    local uint sum;/    local struct { uint one, planted[12000]; } both;\n#define sum both.one/'
measure 77 apps --scale tiny --app mis --mode baseline --variant paper
says "$needs"
