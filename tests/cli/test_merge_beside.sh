#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Plain kernels as tasks beside a cooperative kernel, all in one program: each has, bit for bit, the results of a plain
# launch, by one workgroup, by three and by all but one; and the cooperative kernel's are right. DEVICE: as in
# test_merge_tasks.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/tasks.sh"
: "${TASK_RUNNER:?is tests/cli/task_runner.c, built}"
device=${DEVICE:-cpu}
[[ $device != cpu ]] || need_cpu
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

need_libclang
cp "$SOURCE_DIR"/tests/fixtures/tasks/*.cl "$SOURCE_DIR"/tests/fixtures/cooperative/rounds.cl .
names=(*.cl) # rounds.cl, which is no task, among them
tasks=()
declare -A number
for name in "${names[@]%.cl}"; do
  [[ $name == rounds ]] && continue
  number[$name]=${#tasks[@]}
  tasks+=("$name.cl:$name")
done
check_exit 0 "$COOPBENCH" merge rounds.cl "${tasks[@]}" -o program.cl

done_tasks=()
task() {
  check_exit 0 timeout 100 "$TASK_RUNNER" "$device" "./$1.cl" ./program.cl "$1@${number[$1]}" "${@:2}"
  done_tasks+=("$1")
}
every_task
check "not all kernels" test "$(printf '%s\n' "${done_tasks[@]}" | sort -u | wc -l)" = ${#tasks[@]}

# It would notice: a barrier that ends the block, blocks that nobody takes, parts that are left out, another buffer.
copy_sources sources
export COOPBENCH_KERNEL_DIR=$PWD/sources
wrong() { # FILE SED-SCRIPT NAME OFFSET GLOBAL LOCAL ARGUMENT...
  cp "sources/$1" right
  plant "sources/$1" "$2"
  check_exit 1 timeout 100 "$TASK_RUNNER" "$device" "./$3.cl" ./program.cl "$3@${number[$3]}" "${@:4}"
  check_stderr 'instead of'
  cp right "sources/$1"
}
kernels=kernels/coop/task_kernels.clh
scan=(scan 0 640 32 uints:640 zeros:640) # half of the work-items: not with plain barriers
saxpy=(saxpy 0 3000 8 float:1.5 floats:3000 floats:3000)
wrong "$kernels" 's/decision->begins = !decision->again;/decision->begins = 1;/' "${scan[@]}"
wrong "$kernels" 's/decision->shares + cb_fetch_add/1 + decision->shares + cb_fetch_add/' "${scan[@]}"
wrong "$kernels" 's/(ulong)(first + parts) \* COOP_WG_SIZE/(ulong)(first + parts) * COOP_WG_SIZE - 1/' "${saxpy[@]}"
wrong kernels/task.clh 's/group, in_group, false/group, 0, false/; s/task_in_row(V, k)/task_in_row(V, 0)/' "${saxpy[@]}"

# Workgroups larger than the megakernel's are refused, with the number.
check_exit 1 timeout 100 "$TASK_RUNNER" "$device" ./saxpy.cl ./program.cl "saxpy@${number[saxpy]}" 0 3000 100 float:1.5 \
  floats:3000 floats:3000
check_stderr "a task's workgroups have 100 work-items, more than the 64"
