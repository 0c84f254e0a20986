#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Workgroups that run at once beside neighbours: the table and the picture.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# Without a bound, which a busy machine may contradict.
check_exit 0 "$COOPBENCH" discover --cpu --cpu-workgroups 8 --protocol lockfree --bound off --microbenchmark none \
  --wg-sizes 1,16 --runs 2 --headroom 0.9 --beside none,grid:from=queue:groups=3 --run-id run --json document
check_json document 'len(d["cases"]) == 8 == d["summary"]["ok"]' \
  'any(f["id"] == "beside" and f["beside"] == "grid:from=queue:groups=3" for f in d["findings"])'
check_stdout '^Workgroups that run at once, alone and beside'
check_stdout '^\| 1 item .*\(?found .*safe [1-8].*safe [1-8]'
check_exit 0 "$COOPBENCH" plot results/run
check_stdout '^results/run/plots/beside.svg$'
check "a cut picture" grep -q '</svg>' results/run/plots/beside.svg
check "not two sizes, alone and beside" test "$(grep -c '^[0-9]' results/run/plots/beside.dat)" = 4
