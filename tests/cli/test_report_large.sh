#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The HTML page of a run with very many cases. Needs no device: nothing is measured.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
cli=$SOURCE_DIR/tests/cli

# many_cases RUN TIMES: a run with its cases so many times, in the folder large.
many_cases() {
  mkdir -p large
  python3 - <(reference "$1") "$2" <<'PYTHON'
import json, sys
run = json.load(open(sys.argv[1]))
run["cases"] = [{**c, "id": f"{c['id']},i={i}"} for i in range(int(sys.argv[2])) for c in run["cases"]]
open("large/run.json", "w").write(json.dumps(run)) # several times as fast as json.dump
PYTHON
}
many_cases pocl-3.1/discover 2800
check_exit 0 timeout 120 "$COOPBENCH" report large
check_exit 0 python3 "$cli/report_page.py" large/report.html
check_stdout '^runs 1 cases 100800 '
cases=$(reference pocl-3.1/primitives | grep -c '"id":	"primitives/')
many_cases pocl-3.1/primitives 360
check_exit 0 timeout 60 "$COOPBENCH" report large # finding the fastest of 25,000 was quadratic
check_exit 0 python3 "$cli/report_page.py" large/report.html
check_stdout "^runs 1 cases $((cases * 360)) "
