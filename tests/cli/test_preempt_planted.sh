#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# preempt: wrong results of a task and of apps are found, and the task is right as GPUs run it.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
export COOPBENCH_KERNEL_DIR=$PWD/sources

# measure CODE OPTION...: the bench with small inputs, with its document in document.json.
measure() {
  check_exit "$1" "$COOPBENCH" preempt --cpu --runs 1 --warmup 0 --budget 0.1 --launch 0.05 --wait-deadline 2000 \
    --json document.json "${@:2}"
}
one=(--app barriers --input 500 --workload light --groups 1)

copy_sources sources
plant sources/probes/preempt/preempt.cl 's|DEPTH(size), salt}|DEPTH(size), salt + 1}|'
measure 3 "${one[@]}" --place process
check_json document.json 'case("*")["status"] == "verify_failed"' \
  'case("*")["reason"] == "calibrating the task: a product of 64 rows is wrong"'

copy_sources sources
plant sources/apps/barriers/barriers.cl 's/= S->passed;/= S->passed + (coop_run() == 0);/'
measure 3 "${one[@]}" --place queue
check_json document.json 'case("*")["status"] == "verify_failed"'
measure 3 --app game --input game=6 --scale tiny --beside barriers
check_json document.json 'case("*")["status"] == "verify_failed" and case("*")["reason"].startswith("the other app: ")'

# Through local memory, as on GPUs.
copy_sources sources
plant sources/kernels/tasks/matmul.clh 's/defined(COOP_CPU_DEVICE) || //'
for items in 32 48 64 256; do
  measure 0 "${one[@]}" --place process --wg-size $items
done
plant sources/kernels/tasks/matmul.clh 's/c3 += x.w/c3 += x.z/'
measure 3 "${one[@]}" --place process
check_json document.json "re.search('product of [0-9]+ rows is wrong', d['cases'][0]['reason'])"
