#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Workgroups that run at once beside neighbours: the table, the picture, and the safe numbers that the profile keeps
# for apps.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
bfs=(apps --cpu --cpu-workgroups 8 --app bfs --input grid:9x9 --verify --mode)

# Nothing is known yet.
check_exit 2 "$COOPBENCH" "${bfs[@]}" specialised --headroom 0.9
check_stderr 'does not say how many workgroups run at once in 90 % of launches; .coopbench discover --cpu --headroom 0.9. measures it'
check_exit 2 "$COOPBENCH" "${bfs[@]}" portable --headroom 0.9
check_stderr 'headroom: only the mode specialised takes a safe number'

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

# Apps take the least of the numbers, as far as more of them run at once now.
python3 - "$profile" <<'PYTHON'
import json, sys
profile = json.load(open(sys.argv[1]))
for s in profile["discover"]["headroom"]:
    s.update(groups_safe=3 if s["beside"] else 4, groups_most=4)
json.dump(profile, open(sys.argv[1], "w"))
PYTHON
check_exit 0 "$COOPBENCH" "${bfs[@]}" specialised --headroom 0.9 --wg-size 8 --json document
check_json document 'd["cases"][0]["id"] == "apps/bfs/specialised/grid:9x9/headroom=0.9"' \
  'd["cases"][0]["params"]["headroom"] == 0.9' \
  'd["cases"][0]["notes"] == ["3 workgroups of 8 work-items, safe in 90 % of launches (beside grid:from=queue:groups=3)"]' \
  'metric("*", "workgroups")["median"] == 3 and d["cases"][0]["verification"]["status"] == "pass"'
check_exit 77 "$COOPBENCH" "${bfs[@]}" specialised --headroom 0.9 --wg-size 8 --workgroups 4
check_stderr '4 workgroups asked for, but only 3 of 8 work-items are safe .--headroom.'
check_exit 1 "$COOPBENCH" "${bfs[@]}" specialised --headroom 0.9 --wg-size 32
check_stderr 'no workgroups of 32 work-items were measured; .coopbench discover --cpu --headroom 0.9 --wg-sizes 32. does it'
check_exit 2 "$COOPBENCH" "${bfs[@]}" specialised --headroom 0.9 --no-profile
