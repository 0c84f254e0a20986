#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# All kernels in the manner of public suites.
source "${SOURCE_DIR:?}/tests/cli/suites.sh"

count=0
for file in "$suites"/*.cl; do
  mapfile -t kernels < <(kernels_of "$file")
  count=$((count + ${#kernels[@]}))
  suite "$(basename "$file" .cl)" "${kernels[@]}"
done
check "fewer kernels than there were" test "$count" -ge 64
