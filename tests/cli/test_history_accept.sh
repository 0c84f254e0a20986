#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# history --accept: what got worse on purpose is said so, counts no more, and stays accepted while runs come; the file of
# it with anything in it. Nothing here needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

reference pocl-3.1/primitives >base.json
python3 "$SOURCE_DIR/tests/cli/history_runs.py" base.json results 80 # run-040 is the first of the slower ones
history() { "$COOPBENCH" history "$@" --recent 80; }
case=$( (history --json - || true) | python3 -c 'import json, sys
print([c["case"] for c in json.load(sys.stdin)["changes"] if c["verdict"] == "worse"][0])')
accepted=results/accepted.txt

check_exit 5 history
check_stdout "What is worse on purpose: coopbench history --accept CASE@RUN \"why\""

# --- Accepted -------------------------------------------------------------------------------------
check_exit 0 history --accept "$case@run-040" 'the lock is fair now (#12)'
check_stdout "^$accepted: $case@run-040 throughput -[45]\.[0-9]% the lock is fair now \(#12\)$"
check_exit 0 history --json found.json --markdown page.md
check_schema history.schema.json found.json
check_json found.json 'd["worse"] == 0 and d["accepted"] == 1 and d["recent_worse"] == 0 and d["exit_code"] == 0' \
  '[c["accepted"]["why"] for c in d["changes"] if c["verdict"] == "accepted"] == ["the lock is fair now (#12)"]' \
  'len(d["acceptances"]) == 1 and d["acceptances"][0]["line"] == 4 and not d["warnings"]' \
  '[c["run"]["id"] for c in d["changes"] if "accepted" in c] == ["run-040"]'
check_stdout '0 worse, 0 better, 1 accepted'
check_stdout '\| because +\|'
check_stdout '\| run-040 \| .* accepted .* the lock is fair now \(#12\) \|'
check "no reason in Markdown" grep -q 'the lock is fair now' page.md
check "told how to find a commit that is known" test "$(grep -c bisect out)" = 0
check_exit 0 history --format github
check_stdout '^::notice title=coopbench history::throughput .* since run-040 .*, accepted: the lock is fair now'
check "an accepted change is an error" test "$(grep -c '^::error\|^::warning' out)" = 0
check_exit 0 history results --since run-060 # which does not look at it
check "warned of a line of an older run" test ! -s err

# By commit, by folder, by glob. Of several lines for the same the last counts. A file of another name.
mv results/run-040 results/folder-40
check_exit 0 history --accept "$case@000000abc028" 'other words'
check_exit 0 history --json found.json
check_json found.json '[(a["line"], a["why"]) for a in d["acceptances"]] == [(5, "other words")]' \
  '[c["accepted"]["why"] for c in d["changes"] if c["verdict"] == "accepted"] == ["other words"]'
check_exit 0 history --accept "${case:0:14}*@folder-40" "$(printf 'a reason\nof two lines')" --accepted mine.txt
check "no reason of two lines" grep -q ' a reason of two lines$' mine.txt
check_exit 0 history --accepted mine.txt
mv results/folder-40 results/run-040
rm $accepted

# --- Runs that come -------------------------------------------------------------------------------
# A line whose run is one or two beside; one that is too far; one of another case, or metric.
for run in 042 041 039 038; do
  echo "$case@run-$run throughput meant" >$accepted
  check_exit 0 history
  check "warned" test ! -s err
done
for line in "$case@run-050 throughput meant" "other/case@run-040 throughput meant" "$case@run-040 time meant"; do
  echo "$line" >$accepted
  check_exit 5 history
  check_stderr "Warning: $accepted:1: "
done
echo '*@run-04[0-9] * no glob of runs' >$accepted
check_exit 5 history
check_stderr 'no run is called "run-04\[0-9\]"'

# slower FACTOR RUN...: throughput of the case in these runs.
slower() {
  python3 - "$case" "$@" <<'PYTHON'
import json, sys
from documents import scale
for run in sys.argv[3:]:
    path = f"results/run-{int(run):03}/run.json"
    d = json.load(open(path))
    for m in (m for c in d["cases"] if c["id"] == sys.argv[1] for m in c["metrics"] if m["name"] == "throughput"):
        scale(m, float(sys.argv[2]))
    json.dump(d, open(path, "w"))
PYTHON
}
# What comes later is judged against the level that was accepted: 5 % more counts, and so does the way back from it.
cp -r results kept
echo "$case@run-040 throughput -5.0% meant" >$accepted
slower 0.95 {21..30}
check_exit 5 history --json found.json
check_json found.json '[(c["verdict"], c["run"]["id"]) for c in d["changes"] if c["verdict"] != "environment"] ==
  [("accepted", "run-040"), ("worse", "run-030")]' 'd["changes"][1]["runs_before"] == 10'
# The same step, grown to four times of what was accepted.
rm -r results && cp -r kept results
slower 0.85 {21..40}
echo "$case@run-040 throughput -5.0% meant" >$accepted
check_exit 5 history
check_stderr "$accepted:1: throughput of $case was accepted at -5.0 %, and is -1[89].[0-9] % now"
check_exit 0 history --accept "$case@run-040" "all of it"
check_exit 0 history
rm -r results && mv kept results

# --- What is wrong --------------------------------------------------------------------------------
cat >$accepted <<LINES
# a comment

no line of mine
$case@run-040 throughput
@run-040 throughput why
$case@run-040 throughput -5.0% meant
LINES
check_exit 0 history
for line in 3 4 5; do
  check_stderr "^Warning: $accepted:$line: expected CASE@RUN METRIC \[CHANGE\] why, got"
done
# The marks of a conflict that git has left are no lines, and those of both sides count.
{
  echo '<<<<<<< HEAD'
  echo "$case@run-040 throughput -5.0% meant"
  echo '======='
  echo '>>>>>>> theirs'
} >$accepted
check_exit 0 history
for line in 1 3 4; do
  check_stderr "^Warning: $accepted:$line: expected CASE@RUN METRIC"
done
printf '\xff\xfe %s\r\n\r\n%s@run-040 throughput meant\r\n' "$(head -c 20000 /dev/zero | tr '\0' x)" "$case" >$accepted
check_exit 0 history
printf 'a\0b\n' >$accepted
check_exit 2 history
check_stderr "$accepted"
rm $accepted
mkdir $accepted
check_exit 2 history
check_exit 1 history --accept "$case@run-040" why --accepted nowhere/accepted.txt
rmdir $accepted

check_exit 2 history --accept "$case@run-040"
check_stderr '--accept: say why, as the last argument'
check_exit 2 history results --accept "$case@run-040"
check_stderr 'say why'
check_exit 2 history --accept "$case" why
check_stderr 'expected CASE@RUN'
for wrong in "$case@run-404" "${case:11:9}@run-040" "$case@run-041" "*@run-020"; do
  check_exit 2 history --accept "$wrong" why
  check_stderr "no case \"[^\"]*\" got worse at a run \"${wrong##*@}\""
  check_stderr "What did: $case@run-040$"
done
check_exit 2 history --accept "$case@run-040" --accept "$case@run-041" why
check "written all the same" test ! -e $accepted

# At the end of what others wrote. (Several writers at once: tests/unit/test_accepted.c)
printf '# mine\n\nz@run-1 time +1.0%% last' >$accepted
check_exit 0 history --accept "$case@run-040" why
check "not at the end" test "$(cut -d' ' -f1 $accepted | tr '\n' ' ')" = "#  z@run-1 $case@run-040 "
check_exit 5 history --accepted none.txt

# A link to a file elsewhere, which git keeps, stays one.
mkdir kept
ln -sf ../kept/mine.txt $accepted
check_exit 0 history --accept "$case@run-040" why
check "no link any more" test -L $accepted
check "not in the file that it leads to" grep -q "^$case@run-040 " kept/mine.txt
