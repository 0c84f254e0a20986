#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The example of docs/kernel-library.md, as printed there, in a program that has nothing of coopbench but the
# headers: with each implementation.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
command -v cc >/dev/null || {
  echo "skipped: no C compiler"
  exit 77
}

sed -n '/^```c$/,/^```$/p' "$SOURCE_DIR/docs/kernel-library.md" | sed '1d; $d' >example.cl
check "the page has an example" grep -q '^kernel void total' example.cl
cc -std=c11 -Wall -Wextra -Werror -I"$SOURCE_DIR/kernels" "$SOURCE_DIR/tests/cli/kernel_library.c" \
  -o user -lOpenCL
case $(uname -m) in
  x86_64) machine='-DCB_CLOCK_TSC -DCB_RELAX_SYSCALL_X86_64' ;;
  aarch64) machine='-DCB_CLOCK_CNTVCT -DCB_RELAX_SYSCALL_AARCH64' ;;
  *) machine='' ;;
esac
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

barriers=$(primitives BARRIER) mutexes=$(primitives MUTEX 0)
for choice in '' $(printf -- '-DCB_BARRIER=%s ' ${barriers//,/ }) $(printf -- '-DCB_MUTEX=%s ' ${mutexes//,/ }); do
  check_exit 0 timeout 60 ./user example.cl \
    "-cl-std=CL3.0 -I $SOURCE_DIR/kernels -DCB_ATOMICS_C11 $machine $choice"
  check "each workgroup has seen 1 + 2 + 3 + 4" test "$(sort -u out)" = 10
done

# It would see a mutex that is none, and a barrier that is none.
copy_sources sources
plant sources/kernels/barriers/counter.clh 's|return cb_wait_reached(.*|return true;|'
plant example.cl 's|if (get_local_id(0) == 0) {|& for (uint i = 0; i < 5000 * group; i++) cb_relax();|'
check_exit 1 timeout 60 ./user example.cl \
  "-cl-std=CL3.0 -I $PWD/sources/kernels -DCB_ATOMICS_C11 $machine -DCB_BARRIER=counter"
