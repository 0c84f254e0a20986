#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# memory: an access too few, or one too many, is seen in the values.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

export COOPBENCH_KERNEL_DIR=$PWD/sources
caught() {
  check_exit 3 "$COOPBENCH" memory --cpu --runs 2 --groups N --strides 64 --operation "$1" \
    --access atomic --json -
  check_json out 'all(c["status"] == "verify_failed" for c in d["cases"])' \
    "all(re.search(r'$2', c['reason']) for c in d['cases'])"
}
copy_sources sources
plant sources/probes/memory/memory.cl 's/i < accesses; i++/i + 1 < accesses; i++/'
caught read 'read a sum of \d+ instead of \d+'
caught write 'no workgroup.s last value|word \d+ holds \d+ instead of \d+'
caught_hostage() {
  check_exit 3 "$COOPBENCH" memory --cpu --runs 2 --contention hostage --access atomic \
    --distances 0,64 --json -
  check_json out "re.search(r'$1', case('memory/hostage.atomic/distance=0')['reason'])" \
    "re.search(r'$1', case('memory/hostage.atomic/distance=64')['reason'])"
}
copy_sources sources
plant sources/probes/memory/hostage.cl 's/i < accesses; i++/i + 1 < accesses; i++/'
caught_hostage "of the reader.s 100000 reads gave a right value"
copy_sources sources
plant sources/probes/memory/hostage.cl 's/CB_ATOMIC(\*(p)), 1)/CB_ATOMIC(*(p)), 2)/'
caught_hostage 'word 0 holds \d+ instead of \d+'
