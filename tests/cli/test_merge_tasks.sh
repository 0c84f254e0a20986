#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Plain kernels become tasks: those of different kinds (tests/fixtures/tasks) have, bit for bit, the results of a plain
# launch, however many workgroups work them off. DEVICE: which one, "cpu" if it is not set.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/tasks.sh"
: "${TASK_RUNNER:?is tests/cli/task_runner.c, built}"
device=${DEVICE:-cpu}
[[ $device != cpu ]] || need_cpu

need_libclang
cp "$SOURCE_DIR"/tests/fixtures/tasks/*.cl .
mkdir merged

task() {
  [ -e "merged/$1.cl" ] || check_exit 0 "$COOPBENCH" merge "$1.cl:$1" -o "merged/$1.cl"
  check_exit 0 timeout 60 "$TASK_RUNNER" "$device" "./$1.cl" "./merged/$1.cl" "$@"
}

every_task
check "not all kernels" test "$(ls merged | wc -l)" = "$(ls ./*.cl | wc -l)"

# It would notice: what lives across a barrier changed, a barrier that is none, another's group.
wrong() { # NAME SED-SCRIPT GLOBAL LOCAL ARGUMENT...
  cp "merged/$1.cl" wrong.cl
  plant wrong.cl "$2"
  check_exit 1 timeout 60 "$TASK_RUNNER" "$device" "./$1.cl" ./wrong.cl "$1" 0 "${@:3}"
  check_stderr 'instead of'
}
# not with plain barriers, across which variables live by themselves
wrong reduction 's/task_s->step = step;/task_s->step = step - 1;/; s/TASK_TOGETHER(/TASK_TOGETHER_EARLY(/' 1024 64 uints:1024 zeros:16 local:256
wrong scan 's/do { .*task_barrier(); } while (0)//' 640 64 uints:640 zeros:640
wrong transpose 's/task_group_id(task_v, d)/task_group_id(task_v, 1 - d)/' 48x32 8x8 uints:1536 zeros:1536 uint:48 uint:32
# a return that leaves one of two loops, another argument, a copy without its first element
wrong helpers 's/ first_above_[0-9]*_left = 1;//' 128 16 uints:128 zeros:128 local:64
wrong helpers 's/ + t; { s_/; { s_/' 128 16 uints:128 zeros:128 local:64
wrong copies 's/_i = get_local_linear_id()/_i = get_local_linear_id() + 1/' 120 24 uints:200 zeros:120 local:96
