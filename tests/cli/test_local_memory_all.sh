#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A device with 32 KiB of local memory, which test_local_memory.sh begins with: apps in all modes and variants, in pairs,
# and all commands whose kernels have local memory, but launch: test_local_memory_launch.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/small_device.sh"

measure 0 apps --scale tiny --mode specialised,portable,cooperative --wg-size 256
all_ok
measure 0 apps --scale tiny --mode specialised,portable,cooperative --variant paper --wg-size 256
all_ok

measure 0 apps --scale tiny --mode multikernel,baseline --variant ours,paper --wg-size 256
all_ok

# Both in one megakernel: its parts are told, too, how much there is.
measure 0 multitask --app bfs --beside sssp_bellman --wg-size 256 --scale tiny --workload light --groups 1 --barrier atomic --tasks 2
all_ok

measure 0 primitives --groups 2 --ops 20 --wg-size 256
all_ok
measure 0 discover --protocol lockfree --bound off
all_ok
measure 0 memory --groups 1 --accesses 100 --distances 4
all_ok
measure 0 litmus --iterations 1 --wg-size 256
all_ok
measure 0 multitask --app bfs --wg-size 256 --scale tiny --workload light --groups 1 --barrier atomic --tasks 2
all_ok
# The largest workgroups: the matrix product in the form of GPUs, too, which at this size has the same blocks.
plant sources/kernels/tasks/matmul.clh 's/defined(COOP_CPU_DEVICE) || //'
measure 0 multitask --app bfs,children,bh --wg-size 1024 --task matmul,reduce --scale tiny --workload light --groups 1 \
  --barrier atomic --tasks 2
all_ok
cp sources/kernels/tasks/matmul.clh{.orig,}
measure 0 preempt --app bfs --wg-size 256 --scale tiny --workload light --tasks 2
all_ok

measure 0 throttle --app bfs --scale tiny --schedule 1 --hold 0.1 --idle 0.1
all_ok

# What the program builds for such a device is kept apart from what it builds for others.
export POCL_KERNEL_CACHE=0
kept=()
for least in 32768 65536 32768; do
  measure 0 apps --scale tiny --app bfs --mode specialised --wg-size 256
  all_ok 1
  kept+=("$(find cache -type f | wc -l)")
done
check "kept after each run: ${kept[*]}" test "${kept[0]}" -lt "${kept[1]}" -a "${kept[1]}" = "${kept[2]}"
