#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tasks that cannot go on from what their last run left: "fresh" gives each run new inputs.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

tasks() { "$COOPBENCH" "$1" --cpu --scale tiny --runs 1 --budget 0.1 --app game --task moves.json "${@:2}"; }

# A second run on what the first one left writes outside of `moved`.
cat >moves.cl <<'CL'
kernel void moves(global uint *at, global uint *moved)
{
    const uint i = get_global_id(0), to = at[i];
    moved[to] = i + 1;
    at[i] = to + 512;
}
CL
moves() { # MORE-KEYS
  setup moves '"at": {"count": 512, "fill": "iota"}, "moved": {"count": 512}' \
    "\"global\": 512, \"local\": 32, \"period_ms\": 10$1"
  check_schema setup.schema.json moves.json
}
moves ', "fresh": true'
for command in multitask preempt; do
  check_exit 0 tasks $command --run-id $command
  all_are ok results/$command
done
check_json results/multitask/run.json 'metric("*/moves/*", "tasks")["median"] > 1'

# Without it, and with inputs that are new for the first run only.
moves ', "fresh": false'
check "without \"fresh\" nothing is wrong" eval '! tasks multitask --run-id used >out 2>err'
check_stderr 'moved: .*after its'
copy_sources sources
cp moves.cl sources

# Each run is checked: one that leaves work out, now and then, is found.
moves ', "fresh": true'
plant sources/kernels/coop/task_kernels.clh 's/(ulong)(first + parts)/(ulong)(first + parts - 1)/'
COOPBENCH_KERNEL_DIR=$PWD/sources check_exit 3 tasks multitask --run-id left
check_stderr 'element [0-9]+: [0-9]+ instead of [0-9]+, as a plain launch has it'

# Images that the kernel reads stay as they are; one that it writes is refused.
cat >pixels.cl <<'CL'
kernel void pixels(read_only image1d_t in, global uint *at, global uint *moved)
{
    const uint i = get_global_id(0), to = at[i];
    moved[to] = read_imageui(in, CLK_FILTER_NEAREST, (int)i).x + 1;
    at[i] = to + 512;
}
CL
printf '%s\n' 'kernel void drawn(write_only image1d_t in, global uint *at, global uint *moved)' '{' \
  '    write_imageui(in, (int)get_global_id(0), (uint4)(1));' '}' >drawn.cl
for kernel in pixels drawn; do
  setup $kernel '"in": {"width": 512, "type": "uint8", "fill": "random", "below": 100}, "at": {"count": 512, "fill": "iota"}, "moved": {"count": 512}' \
    '"global": 512, "local": 32, "period_ms": 10, "fresh": true'
done
for command in multitask preempt; do
  check_exit 0 tasks $command --task pixels.json --run-id pixels-$command
  all_are ok results/pixels-$command
done
check_json results/pixels-multitask/run.json 'metric("*/pixels/*", "tasks")["median"] > 1'
check_exit 2 tasks multitask --task drawn.json
check_stderr 'drawn.json:1: fresh: in is an image that the kernel writes, .*: give the kernel a buffer'

# ---- Bad input ----
moves_as() { setup moves '"at": {"count": 512}, "moved": {"count": 512}' "$1"; }
moves_as '"global": 512, "local": 32, "period_ms": 10, "fresh": 1'
check_exit 2 tasks multitask
check_stderr 'moves.json:1: fresh: expected true or false'
moves_as '"fresh": true'
check_exit 2 tasks multitask
check_stderr 'fresh: is a task.s, which has "global", too'
