#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A PoCL device of two threads has too few workgroups for a megakernel: this is said before a kernel is built for it.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

export POCL_KERNEL_CACHE=0 POCL_CACHE_DIR=$PWD/pocl # what is built is kept by the program alone
mkdir pocl
for command in "selftest --stress 1" "apps --app bfs --mode cooperative --scale tiny --runs 1 --warmup 0"; do
  read -ra words <<<"$command"
  rm -rf "$COOPBENCH_CACHE_DIR"
  check_exit 77 "$COOPBENCH" "${words[@]}" --cpu --cpu-workgroups 2 --json document.json
  check_json document.json \
    'all("2 workgroups run at once: a scheduler and two workers are the least" in c["reason"] for c in d["cases"])'
  check "more was built than what asks for the clock" \
    test "$(find "$COOPBENCH_CACHE_DIR" -name '*.entry' -size +4k | wc -l)" -le 1
done
