#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A folder of 1,000 runs of 400 cases stays fast: history after one new run, report. The times are printed; a test
# promises only what a loaded machine keeps. COOPBENCH_MANY: how many runs (1000). Nothing here needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
n=${COOPBENCH_MANY:-1000}

make_runs() { python3 "$SOURCE_DIR/tests/many_runs.py" runs "$1" 400 "$2"; }
# timed WHAT MOST COMMAND...: as check_exit 0, in so many seconds.
timed() {
  local what=$1 most=$2 TIMEFORMAT='%R s, %U s of the processor'
  shift 2
  { time check_exit 0 "$@"; } 2>took
  echo "$what: $(cat took)"
  check "$what took $(cat took)" python3 -c 'import sys; sys.exit(float(open("took").read().split()[0]) > float(sys.argv[1]))' "$most"
}

make_runs "$n" 0
timed 'history, the first time' 300 "$COOPBENCH" history runs --recent 1
make_runs 1 "$n"
timed 'history after one new run' 15 "$COOPBENCH" history runs --recent 1 --json new.json
check_json new.json "len(d['runs']) == $n + 1" 'd["worse"] > 0'
COOPBENCH_NO_CACHE=1 check_exit 0 "$COOPBENCH" history runs --recent 1 --json whole.json
check 'the index tells otherwise' cmp new.json whole.json
timed 'report' 200 "$COOPBENCH" report runs -o page
echo "the page has $(stat -c %s page/report.html) bytes"

# check_page RUNS FIRST: the page lists all runs, and has the cases of so many.
check_page() {
  sed -n '/id="data">/,/^<.script>/p' page/report.html | sed '1d;$d' >data.json
  check 'not all runs are listed' test "$(grep -c '^<tr><td>run-' page/report.html)" -ge $((n + 1))
  check 'which runs it is of' grep -q "<h2>$((n + 1)) runs</h2>" page/report.html
  check 'how many have their cases' grep -q "of the newest $1 runs" page/report.html
  check_json data.json "len(d['runs']) == $1 and len(d['cases']) == 400 * $1" "d['runs'][0][0] == '$2'" \
    "d['runs'][-1][0] == 'run-$(printf %05d "$n")'"
}
check_page 250 "run-$(printf %05d $((n - 249)))"
check_exit 0 "$COOPBENCH" report runs -o page --baseline run-00003
check_page 251 run-00003
check_json data.json 'd["pairs"] and all(p[0] == [0] for p in d["pairs"])'
