#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# All kernels in the manner of public suites.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
source "$SOURCE_DIR/tests/cli/suites.sh"
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

count=0
for file in "$suites"/*.cl; do
  mapfile -t kernels < <(kernels_of "$file")
  count=$((count + ${#kernels[@]}))
  suite "$(basename "$file" .cl)" "${kernels[@]}"
done
check "fewer kernels than there were" test "$count" -ge 55
