#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# history: of made runs with one step, one value that strays and one new driver, exactly the step is found. Nothing here
# needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

reference pocl-3.1/primitives >base.json
make_runs() { python3 "$SOURCE_DIR/tests/cli/history_runs.py" base.json "$@"; } # FOLDER N
history() { "$COOPBENCH" history "$@"; }

make_runs runs 80
# Throughput is what has a better way; run 80 is the first, 41 the last before the step, 20 has the new driver.
check_exit 0 history runs --json found.json
check_schema history.schema.json found.json
check_json found.json 'd["worse"] == 1 and d["better"] == 0 and d["recent_worse"] == 0' \
  '[c["verdict"] for c in d["changes"]].count("worse") == 1' 'd["runs"][0] == "run-080" and d["runs"][79] == "run-001"' \
  'all(c["run"]["id"] == "run-020" and "driver_version" in c["why"] for c in d["changes"] if c["verdict"] == "environment")'
check_json found.json '[(c["run"]["id"], c["run_before"]["id"], c["run"]["commit"], c["runs_before"], c["runs_after"])
  for c in d["changes"] if c["verdict"] == "worse"] == [("run-040", "run-041", "000000abc028", 40, 20)]' \
  'all(-0.06 < c["change"] < -0.04 and c["change_low"] < -0.05 < c["change_high"] for c in d["changes"] if c["verdict"] == "worse")'
check_stdout '80 runs from run-080 to run-001, 6 series: 1 worse, 0 better; the environment changed 1 time'
check_stdout 'git bisect start 000000abc028 000000abc027'
check_stdout "compare --bisect --baseline run-041 bisect-"
check "a row for each case of a new driver" test "$(grep -c driver_version out)" = 1

# Recent, by how many runs; what --since leaves; thresholds; forms.
check_exit 5 history runs --recent 40
check_exit 0 history runs --recent 39
check_exit 0 history runs --since run-040
check_stdout '40 runs from run-040 to run-001, 6 series: no change; the environment'
check_exit 0 history runs --since 2026-10-12
check_stdout '36 runs from run-036 to run-001'
check_exit 0 history runs --threshold 8
check_stdout 'no change'
check_exit 0 history runs --exclude '*'"$(python3 -c 'import json; print([c["case"] for c in json.load(open("found.json"))["changes"] if c["verdict"] == "worse"][0])')"
check_stdout '5 series: no change'
check_exit 5 history runs --recent 80 --format github
check_stdout '^::error title=coopbench history::throughput of .*: -5.* %25 since run-040 .commit 000000abc028.'
check_stdout '^::notice title=coopbench history::1 worse, 0 better'
check_exit 0 history runs --format none --markdown page.md
check "no Markdown" grep -q '^### coopbench history: 80 runs' page.md
check_exit 0 history runs/run-080 runs/run-079
check_stdout '2 runs from run-080 to run-079, 6 series: no change'

# What got worse is told with its command beside a larger change for the better.
cp -r runs both
python3 - <<'PYTHON'
import glob, json
from documents import scale
for path in glob.glob("both/run-0[0-3]?/run.json") + ["both/run-040/run.json"]:
    d = json.load(open(path))
    for m in (m for m in d["cases"][1]["metrics"] if m["name"] == "throughput"):
        scale(m, 1.5)
    json.dump(d, open(path, "w"))
PYTHON
check_exit 5 history both --recent 80
check_stdout '1 worse, 1 better'
check_stdout '^Since run-040: throughput of .* -5'

# Two machines take turns, of which the second is twice as fast: each is a series of its own, and both have the step.
cp -r runs turns
python3 - <<'PYTHON'
import glob, json
from documents import scale
for path in glob.glob("turns/*[13579]/run.json"):
    d = json.load(open(path))
    d["host"]["cpu"] = "another processor"
    for m in (m for c in d["cases"] for m in c["metrics"]):
        scale(m, 2)
    json.dump(d, open(path, "w"))
PYTHON
check_exit 0 history turns --json found.json
check_json found.json 'sorted((c["run"]["id"], c["run_before"]["id"], c["runs_before"], c["runs_after"]) for c in d["changes"]
  if c["verdict"] == "worse") == [("run-039", "run-041", 20, 10), ("run-040", "run-042", 20, 10)]' 'd["better"] == 0' \
  'sorted({c["run"]["id"] for c in d["changes"] if c["verdict"] == "environment"}) == ["run-019", "run-020", "run-079"]' \
  'all("another processor" in c["why"] for c in d["changes"] if c["run"]["id"] == "run-079")'

# Cores at half their speed explain half the throughput: no change, and said so, where the values step; the planted step is
# found all the same.
cp -r runs cores
python3 - <<'PYTHON'
import glob, json
from documents import scale
for path in glob.glob("cores/run-*/run.json"):
    d, share = json.load(open(path)), 0.5 if int(path[10:13]) <= 30 else 1
    for c in d["cases"]:
        for m in (m for m in c["metrics"] if m["name"] == "throughput"):
            scale(m, share)
        c["metrics"].append({"name": "core_speed", "unit": "ops/s", "better": "none", "primary": False, "n": 5, "median": 2e8 * share})
    json.dump(d, open(path, "w"))
PYTHON
check_exit 0 history cores --json found.json
check_schema history.schema.json found.json
check_json found.json 'd["worse"] == 1 and d["better"] == 0' \
  '[c["run"]["id"] for c in d["changes"] if c["verdict"] == "worse"] == ["run-040"]' \
  'len(d["changes"]) == 13 and [c["run"]["id"] for c in d["changes"] if c["verdict"] == "cores"] == ["run-030"] * 6' \
  'all(-0.6 < c["change"] < -0.4 and "p_adjusted" not in c and "(-50 %)" in c["why"] for c in d["changes"] if c["verdict"] == "cores")'
check_stdout '1 worse, 0 better; the speed of the cores explains 6 steps; the environment changed 1 time'
check_stdout '^\| run-030 .* cores .* explained by the speed of the cores \(-50 %\)'
check_exit 0 history cores --format github
check "an annotation of what is no change" test "$(grep -c 'since run-030' out)" = 0
check_exit 0 "$COOPBENCH" report cores -o cores-page
check "no row of what the cores explain" grep -q '■ cores' cores-page/report.html

# The last runs failed in every case: each is told once, whatever metrics it has. One that was skipped does not count, one
# failure of a case that fails now and then is none, two are, and what failed for long before counts no more.
break_cases() { # FOLDER STATUS PLACE_OF_CASE|all RUN...
  python3 - "$@" <<'PYTHON'
import json, sys
folder, status, place, *runs = sys.argv[1:]
for run in runs:
    path = f"{folder}/run-{run}/run.json"
    d = json.load(open(path))
    for i, case in enumerate(d["cases"]):
        if place == "all" or i == int(place):
            case.update(status=status, reason="signal 11", metrics=[])
    json.dump(d, open(path, "w"))
PYTHON
}
cp -r runs broken
break_cases broken crashed all 005 004 003 002 001
check_exit 5 history broken --json found.json
check_schema history.schema.json found.json
check_json found.json 'd["failed"] == d["recent_worse"] == 6' \
  'all(c["run"]["id"] == "run-005" and c["run_before"]["id"] == "run-006" and "crashed: signal 11" in c["why"]
    for c in d["changes"] if c["verdict"] == "failed")'
check_stdout '6 failed, 1 worse, 0 better'
check_stdout '^Since run-005: .* fails .crashed: signal 11.. The last run in which it was ok was run-006'
check_exit 5 history broken --format github
check_stdout '^::error title=coopbench history::.* fails since run-005'
check_exit 0 history broken --recent 4
check_exit 0 "$COOPBENCH" report broken -o broken-page
check "no row of what fails" grep -q '✗ failed' broken-page/report.html
cp -r runs flaky
break_cases flaky crashed 0 060 050 001
check_exit 0 history flaky
break_cases flaky timeout 0 002
check_exit 5 history flaky
check_stdout '1 failed'
cp -r runs skipped
break_cases skipped skipped all 001
break_cases skipped unsupported 0 002
check_exit 0 history skipped
break_cases skipped verify_failed 1 070 069 068 067 002
check_exit 5 history skipped
check_stdout '1 failed'
check_stdout '^Since run-002: '

# A run that was cut off in the folder, or has a case twice, is named and left out; by its name it is refused. All are: refused.
cp -r runs torn
head -c 3000 runs/run-033/run.json >torn/run-033/run.json
python3 - <<'PYTHON'
import json
d = json.load(open("torn/run-034/run.json"))
d["cases"].append(d["cases"][0])
json.dump(d, open("torn/run-034/run.json", "w"))
d = json.load(open("torn/run-035/run.json")) # edited or damaged: its median is outside its own minimum and maximum
d["cases"][2]["metrics"][0]["median"] *= 1000
json.dump(d, open("torn/run-035/run.json", "w"))
PYTHON
for again in 1 2; do # the second with an index
  check_exit 5 history torn --recent 80 --json found.json
  check_stderr 'a run is left out: torn/run-033/run.json'
  check_stderr 'It was cut off'
  check_stderr 'a run is left out: torn/run-034/run.json.*twice'
  check_stderr 'a run is left out: torn/run-035/run.json: .* are not in the order min, q1, median'
  check_json found.json 'len(d["runs"]) == 77' 'd["worse"] == 1' '"run-033" not in d["runs"]'
done
check_exit 0 "$COOPBENCH" report torn -o page
check_stderr 'a run is left out: torn/run-033/run.json'
check_stderr 'a run is left out: torn/run-035/run.json'
check "no page of the others" grep -q run-036 page/report.html
check_exit 0 "$COOPBENCH" export torn --to csv -o torn.csv
check_stderr 'a run is left out: torn/run-033/run.json'
check "no export of the others" grep -q run-036 torn.csv
check_exit 2 history runs/run-001 torn/run-033
check_exit 2 "$COOPBENCH" report torn/run-033 -o none
mkdir only
mv torn/run-033 only
check_exit 2 history only
check_stderr 'cut off'

# Trouble.
check_exit 2 history runs --since tomorrow
check_stderr 'no run is called "tomorrow", nor is it a day'
check_exit 2 history runs --since 2030-01-01
check_stderr 'all runs are older than 2030-01-01'
check_exit 2 history runs --metric none
check_stderr 'hold nothing to judge: none of their cases, as .*--metric'
check_exit 2 history nowhere
check_exit 2 history
for command in history report fleet 'export --to md' 'compare --baseline runs/run-001'; do
  read -ra words <<<"$command"
  check_exit 2 "$COOPBENCH" "${words[@]}" ''
  check_stderr '^coopbench: "" names no run: expected a folder of runs'
done

# Runs whose metrics have no better way, as those of litmus: there is nothing to judge, by whatever command.
make_runs undirected 3
sed -i 's/"better": "[a-z]*"/"better": "none"/g' undirected/*/run.json
check_exit 6 history undirected
check_stderr 'These runs hold nothing to judge: none of their cases is ok and has a metric of which less is better'
check_exit 6 "$COOPBENCH" fleet undirected
check_stderr 'hold nothing to judge'
check_exit 2 history undirected --metric none
# But one that turns wrong is told.
break_cases undirected verify_failed 0 001
check_exit 5 history undirected --json undirected.json
check_stdout '^3 runs from .*, 1 series: 1 failed'
check_stdout '^Since run-001: .* fails .verify_failed: signal 11'
check_json undirected.json 'd["failed"] == 1 and len(d["changes"]) == 1'
check_exit 0 "$COOPBENCH" report undirected -o undirected-page
check "no row of what turned wrong" grep -q '✗ failed' undirected-page/report.html
check_exit 2 history runs --json - --markdown -
