#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Workgroups that run at once beside neighbours: the table, the picture, and the safe numbers that the profile keeps.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# Without a bound, which a busy machine may contradict.
check_exit 0 "$COOPBENCH" discover --cpu --cpu-workgroups 8 --protocol lockfree --bound off --microbenchmark none \
  --wg-sizes 1,16 --runs 2 --headroom 0.9 --beside none,grid:from=queue:groups=3 --run-id run --json document
check_json document 'len(d["cases"]) == 8 == d["summary"]["ok"]' \
  'any(f["id"] == "beside" and f["beside"] == "grid:from=queue:groups=3" for f in d["findings"])'
check_stdout '^Workgroups that run at once, alone and beside'
check_stdout '^\| 1 item .*\(?found .*safe [1-8].*safe [1-8]'
check_stderr '^Profile of .* updated: .*discover'
profile=$(echo profiles/*.json)
check_schema profile.schema.json "$profile"
check_json "$profile" \
  'sorted((s["beside"], s["wg_size"]) for s in d["discover"]["headroom"]) == [("", 1), ("", 16), ("grid:from=queue:groups=3", 1), ("grid:from=queue:groups=3", 16)]' \
  'all(s["share"] == 0.9 and s["launches"] >= 1 and 1 <= s["groups_safe"] <= s["groups_most"] <= 8 for s in d["discover"]["headroom"])'

check_exit 0 "$COOPBENCH" plot results/run
check_stdout '^results/run/plots/beside.svg$'
check "a cut picture" grep -q '</svg>' results/run/plots/beside.svg
check "not two sizes, alone and beside" test "$(grep -c '^[0-9]' results/run/plots/beside.dat)" = 4
