#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# discover with workgroups in one to three dimensions, and one that forgets the third.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# Laid out in two or three dimensions, as many run at once and are found; 24 work-items are 6 x 4 and 4 x 3 x 2.
check_exit 0 "$COOPBENCH" discover --cpu -p ticket,lockfree -m 1W --wg-sizes 24 --dimensions 1,2,3 --runs 3 --json - --run-id laid
check_json out 'len(d["cases"]) == 18 == d["summary"]["ok"]' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  'all(metric(c["id"], "groups_bound")["median"] == 8 for c in d["cases"])' \
  'sum(c["params"].get("dimensions") == 3 for c in d["cases"]) == 6' \
  '"dimensions" in [f["id"] for f in d["findings"]]'
copy_sources sources
plant sources/kernels/native.clh 's|size(0) \* (id(1) + size(1) \* id(2))|size(0) * id(1)|'
COOPBENCH_KERNEL_DIR=sources check_exit 3 "$COOPBENCH" discover --cpu -p lockfree -m none --wg-sizes 24 --dimensions 2,3 --bound off --runs 2 --json - --run-id planted
check_json out 'case("*dimensions=2")["status"] == "ok"' 'case("*dimensions=3")["status"] == "verify_failed"'
