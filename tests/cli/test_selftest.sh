#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The selftest: random runs of the cooperative runtime pass. Planted bugs: test_protocols_planted.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# A busy machine may not run a thread for 200 ms.
run() { "$COOPBENCH" selftest --cpu --seed 1 --wait-deadline 1000 --json - "$@"; }

check_exit 0 run --stress 12
check_schema run.schema.json out
check_json out \
  'len(d["cases"]) == 12' \
  'all(c["status"] == "ok" and c["verification"]["status"] == "pass" for c in d["cases"])' \
  'all(c["sampling"]["runs"] == 1 for c in d["cases"])' \
  'd["invocation"]["seed"] == "1"' \
  'all(metric(c["id"], "tasks")["median"] + metric(c["id"], "withdrawn")["median"] == c["params"]["tasks"] for c in d["cases"])' \
  'all(metric(c["id"], "events")["median"] > 0 for c in d["cases"] if c["params"]["trace"])' \
  'sum(metric(c["id"], "kills")["median"] for c in d["cases"]) > 0' \
  'sum(metric(c["id"], "forks")["median"] for c in d["cases"]) > 0' \
  'all((metric(c["id"], "limits")["median"] > 0) == c["params"]["limits"] for c in d["cases"])' \
  'any(c["params"]["limits"] for c in d["cases"])' \
  'any(c["params"]["all_modes"] for c in d["cases"])'

# The same case alone is the same, and options of the number of runs do not change it.
mv out all
check_exit 0 run --stress 3 --filter 'selftest/stress/0003' --runs 5 --warmup 2
for option in runs warmup; do
  check_stderr "^Note: --$option changes nothing here: these cases run as often as they need$"
done
check "a note of what was not asked for" test "$(grep -c '^Note: ' err)" = 2
check 'a case alone has the parameters that it has among others' python3 - <<'PYTHON'
import json
alone, among = (json.load(open(name))["cases"] for name in ("out", "all"))
assert len(alone) == 1
assert alone[0]["params"] == among[2]["params"], (alone[0]["params"], among[2]["params"])
assert alone[0]["sampling"]["runs"] == 1 and alone[0]["sampling"]["warmup"] == 0
PYTHON

# The report is for people.
check_exit 0 "$COOPBENCH" selftest --cpu --seed 7 --stress 1 --app bfs --wait-deadline 1000
check_stdout 'cooperative runtime, seed 7'
check_stdout 'random runs, of which passed +\| +1, 1 '
check_stdout 'limits of their workgroups'
check_stdout 'workgroups killed'
check_stdout 'gather time \(median, p95, p99\)'

check_exit 2 "$COOPBENCH" selftest --cpu --stress 0
check_stderr '--stress: expected an integer from 1 to 99999'
check_exit 2 "$COOPBENCH" selftest --cpu --app gane
check_stderr 'did you mean "game"'
