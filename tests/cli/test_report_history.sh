#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The history and the comparisons of an HTML page of many runs. Needs no device: nothing is measured.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
cli=$SOURCE_DIR/tests/cli
fixture=$SOURCE_DIR/tests/fixtures/export/run.json

python3 "$cli/report_history.py" <(reference pocl-3.1/discover)
ln -s run-3 many/latest
check_exit 0 "$COOPBENCH" report many
check_stdout '^many/report.html$'
check_exit 0 python3 "$cli/report_page.py" many/report.html
check_stdout '^runs 40 cases 1440 '
check "no change found" grep -Eq '<p>[1-9][0-9]* changes from one run' many/report.html
check "a change in another run" test -z \
  "$(grep '<td class="mark' many/report.html | grep -v '^<tr><td>run-30<')"
check "a change that is not +30 %" test -z \
  "$(grep '<td class="mark' many/report.html | grep -Ev '\+(29|30)\.[0-9] %')"

check "a column for one device" test "$(
  sed -n '/<section id="history">/,/<\/section>/p' many/report.html | grep -c '<th>device</th>')" = 0
check "local memory in bytes" grep -q '<td class="r">[0-9.]* [KM]iB</td>' many/report.html

# A metric that is another in another unit is no second change.
python3 - <(reference pocl-3.1/memory) <<'PYTHON'
import json, os, sys
from documents import scale
run = json.load(open(sys.argv[1]))
for i, factor in enumerate((1, 2)):
    run["run_id"], run["time"]["start"] = f"twice-{i}", f"2026-10-0{1 + i}T00:00:00Z"
    for metric in (m for c in run["cases"] for m in c["metrics"] if m["unit"] == "ns"):
        scale(metric, factor)
    os.makedirs(f"twice/twice-{i}")
    json.dump(run, open(f"twice/twice-{i}/run.json", "w"))
PYTHON
check_exit 0 "$COOPBENCH" report twice
check "time has not changed" grep -q '<td>time</td>.*<td class="mark' twice/report.html
check "a change is listed twice" test "$(grep -c '<td>access_time</td>.*<td class="mark' twice/report.html)" = 0

check "a change without its unit" test -z \
  "$(grep '<td class="mark' many/report.html | grep -Ev '<td class="r">[0-9.]+ (n|µ|m)s</td><td class="r">[0-9.]+ (n|µ|m)s</td>')"

# A quick look that is newer than a full run does not take its place; a newer full one does.
python3 - <(reference pocl-3.1/discover) <<'PYTHON'
import copy, json, os, sys
base = json.load(open(sys.argv[1]))
for i, (name, keep) in enumerate([("old", 1), ("full", 1), ("quick", 6)]):
    run = copy.deepcopy(base)
    run["run_id"], run["time"]["start"] = name, f"2026-10-0{1 + i}T00:00:00Z"
    run["cases"] = run["cases"][::keep]
    os.makedirs("sparse/" + name)
    json.dump(run, open(f"sparse/{name}/run.json", "w"))
PYTHON
check_exit 0 "$COOPBENCH" report sparse
check_exit 0 python3 "$cli/report_page.py" sparse/report.html
check "the tables are not of the full run" grep -q '<summary>Tables of run full</summary>' sparse/report.html
check "the tables are of the quick run" test -z "$(grep 'Tables of run quick' sparse/report.html)"
check "not said that there is a newer run" grep -q \
  'Of run <strong>full</strong> of 2026-10-02T00:00:00Z, whose pictures are the fullest. .*A newer run, <strong>quick</strong> of 2026-10-03T00:00:00Z, has 6 cases where this one has 36\.' \
  sparse/report.html
rm -r sparse/quick
check_exit 0 "$COOPBENCH" report sparse
check "not said that it is the newest" grep -q 'run <strong>full</strong> of 2026-10-02T00:00:00Z, the newest\.' sparse/report.html

# --- Comparison -----------------------------------------------------------------------------------
# same_verdicts PAGE BASELINE,... RUN OPTION...
same_verdicts() {
  local bases
  IFS=, read -ra bases <<<"${2}"
  "$COOPBENCH" compare "${bases[@]/#/--baseline=many/}" "many/$3" --format json --fail-on none "${@:4}" >told.json
  check_exit 0 python3 "$cli/report_pairs.py" "$1" "$2" "$3" <told.json
}
same_verdicts many/report.html run-0 run-39
check_stdout "regression.*same"
same_verdicts many/report.html run-37 run-38

check_exit 0 "$COOPBENCH" report many --baseline run-1 -b many/run-2,run-3 --threshold 40% -o based
check_exit 0 python3 "$cli/report_page.py" based/report.html
check_stdout '^pairs 37 '
same_verdicts based/report.html run-1,run-2,run-3 run-39 --threshold 40%
check "a change of 30 % is one at a threshold of 40 %" test "$(grep -c regression out)" = 0
check_exit 0 "$COOPBENCH" report many/run-9 --baseline many/run-5 -o based # which is read for that
check_exit 0 python3 "$cli/report_page.py" based/report.html
check_stdout '^runs 2 '
check_exit 2 "$COOPBENCH" report many --baseline nowhere
check_stderr '--baseline: nowhere: .*expected the folder of a run'
check_exit 2 "$COOPBENCH" report many --threshold none
check_stderr 'expected a percentage'

# Two hostile runs, of which one has failed since, and one with a case twice, which is left out.
python3 "$cli/report_hostile.py" "$fixture"
check_exit 0 "$COOPBENCH" report hostile
check_stderr '^Warning: not compared: hostile/twice/run.json: the case .* is there twice$'
check_exit 0 python3 "$cli/report_page.py" hostile/report.html
check_stdout '^pairs 1 '
