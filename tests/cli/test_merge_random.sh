#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Random kernels with points: what 'coopbench merge' makes of each writes the same as a plain launch of it without
# points, in all modes without a scheduler; and so does the task that it makes of it with barriers in their place. RUNS:
# how many; SEED: of the first.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
: "${MERGE_RUNNER:?is tests/cli/merge_runner.c, built}" "${TASK_RUNNER:?is tests/cli/task_runner.c, built}"
need_cpu
need_libclang
export COOPBENCH_KERNEL_DIR=$PWD/sources POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

runs=${RUNS:-25} seed=${SEED:-$((RANDOM * 32768 + RANDOM))}
echo "seed $seed, $runs kernels"
words=(transmit 'global_barrier()' 'resizing_global_barrier()' 'offer_kill()' 'barrier(flags)')
plain() { { printf '#define %s\n' "${words[@]}" && cat random.cl; } >sources/example/plain.cl; }
copy_sources sources
mkdir sources/example
for ((i = 0; i < runs; i++)); do
  python3 "$SOURCE_DIR/tests/cli/merge_random.py" $((seed + i)) random.cl
  check_exit 0 "$COOPBENCH" merge random.cl -o sources/example/merged.cl
  plain
  check_exit 0 timeout 60 "$MERGE_RUNNER"
  sed -E 's/\<transmit //; s/[a-z_]*(global_barrier|offer_kill|request_fork)\(\)/barrier(CLK_GLOBAL_MEM_FENCE)/' random.cl >task.cl
  check_exit 0 "$COOPBENCH" merge task.cl -o merged-task.cl
  check "no task" grep -q '^TASK_' merged-task.cl
  check_exit 0 timeout 60 "$TASK_RUNNER" cpu ./sources/example/plain.cl ./merged-task.cl k 0 24 8 zeros:24
  if ((failures > 0)); then
    echo "seed $((seed + i)):"
    cat random.cl
    break
  fi
done

# It would see a variable that is not written back at a point.
cat >random.cl <<'CL'
kernel void k(global uint *out)
{
    uint x = 1;
    for (uint i = 0; i < 3; i++) {
        x = 3 * x + 1;
        global_barrier();
    }
    out[get_global_id(0)] = x;
}
CL
plain
check_exit 0 "$COOPBENCH" merge random.cl -o sources/example/merged.cl
check_exit 0 timeout 60 "$MERGE_RUNNER"
plant sources/example/merged.cl 's/coop_s->x = x; //'
check_exit 1 timeout 60 "$MERGE_RUNNER"
