#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tasks that a cooperative kernel submits, and tasks of the host, in all modes and with other numbers of workgroups
# (task_children.c). SEED, TASKS, DEVICE: others.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
: "${TASK_CHILDREN:?is tests/cli/task_children.c, built}"
device=${DEVICE:-cpu} seed=${SEED:-$RANDOM} tasks=${TASKS:-20}
[[ $device != cpu ]] || need_cpu
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

need_libclang
fixtures=$SOURCE_DIR/tests/fixtures
"$COOPBENCH" merge "$fixtures/cooperative/parents.cl" "$fixtures/fill.cl" -o program.cl

"$COOPBENCH" merge "$fixtures/cooperative/trees.cl" "$fixtures"/{spread,branch,add}.cl -o trees.cl

parents() { timeout 100 "$TASK_CHILDREN" "$device" ./program.cl "$@" "$seed"; }
trees() { timeout 100 "$TASK_CHILDREN" "$device" ./trees.cl "$@" "$seed"; } # children of children

for mode in multikernel specialised portable; do # without children
  check_exit 0 parents $mode 40 64 3 0
  check_exit 0 trees $mode 40 64 3 0
  check_stdout ' 0 children of children'
done
check_exit 0 parents cooperative 8 64 20 0
check_exit 0 parents cooperative 40 64 3 "$tasks"  # some are refused
check_exit 0 parents cooperative 700 16 3 "$tasks"
check_exit 0 parents cooperative 3 3072 5 "$tasks" # by several workgroups each
check_exit 0 trees cooperative 3 1000 3 0
check_stdout ' [1-9][0-9]* children of children'
check_exit 0 trees cooperative 3 4000 5 "$tasks"   # some are refused
check_exit 0 trees cooperative 96 600 3 "$tasks"

# The app that does the same without libclang, at random.
check_exit 0 "$COOPBENCH" selftest --cpu --stress 15 --app children --seed "$seed"

# Without its tasks, the kernel says what to do.
"$COOPBENCH" merge "$fixtures/cooperative/parents.cl" -o alone.cl
check_exit 1 timeout 100 "$TASK_CHILDREN" "$device" ./alone.cl cooperative 8 64 1 0 1
check_stderr 'merge it with them'

# It would notice: shares that all do the same blocks, arguments of another child, children that are not counted in.
copy_sources sources
export COOPBENCH_KERNEL_DIR=$PWD/sources
cd sources && cp ../{program,trees}.cl .
wrong_in() { # COMMAND FILE SED-SCRIPT
  cp "kernels/coop/$2" right
  plant "kernels/coop/$2" "$3"
  check_exit 1 "$1" cooperative 3 3072 5 0
  check_stderr 'instead of'
  mv right "kernels/coop/$2"
}
wrong() { wrong_in parents "$@"; }
wrong children.clh 's/    return share;/    return 0;/' # of several
wrong submit.clh 's/    packet->items\[0\] = range.items.x;/    packet->items[0] = range.items.x - 1;/'
wrong submit.clh 's/coop_child_at(by.children, place)->arguments = arguments/coop_child_at(by.children, place ^ 1)->arguments = arguments/'
plant kernels/coop/pool.clh 's/        if (left == 0)/        if (true)/'
check_exit 3 "$COOPBENCH" apps --cpu --app children --scale tiny --mode cooperative --runs 1
mv kernels/coop/pool.clh.orig kernels/coop/pool.clh
wrong task_kernels.clh 's/COOP_CHILD_OF(w, decision)->taken/COOP_CHILD_OF(w, decision)->pad[0]/'

# Of children of children: a root that is another slot, a child that is submitted and done as well.
wrong_in trees task_kernels.clh 's/decision->root/w->own->workers - 1/'
wrong_in trees submit.clh 's/return true;/return false;/'

# Of tasks of the host: arguments that lie elsewhere.
cp kernels/coop/task_kernels.clh right
plant kernels/coop/task_kernels.clh 's/by = {w->children, arena, /by = {w->children, arena + 4, /'
check_exit 1 trees cooperative 1 1 1 2
check_stderr '^task [01], work-item'
mv right kernels/coop/task_kernels.clh
