#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tables are printed as soon as they are finished. On a terminal, the rows of the others that are measured
# stand above the progress bar; when the run ends, or is interrupted, only the tables that stay are left.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# Two short cases, and two without end.
cat >endless.json <<'JSON'
{
  "schema": "coopbench-config", "schema_version": "1.0",
  "settings": {"cpu": true, "order": "listed"},
  "suite": [
    {"bench": "discover", "protocol": "lockfree", "microbenchmark": ["11", "L1"],
     "wg-sizes": "none", "bound": "off", "launch": 16, "runs": 3},
    {"bench": "discover", "protocol": "lockfree", "microbenchmark": ["1W", "LW"],
     "wg-sizes": "none", "bound": "off", "launch": 16, "runs": 1000000}
  ]
}
JSON

# on_terminal ROWS COLUMNS PATTERN KEYS ARGUMENT...: the screens before the keys and at the end are in
# the files during and after.
on_terminal() {
  local code=0
  python3 "$SOURCE_DIR/tests/cli/terminal.py" "${@:1:4}" "$COOPBENCH" "${@:5}" >out 2>err || code=$?
  sed '/^====$/,$d' out >during
  sed '1,/^====$/d' out >after
  return "$code"
}
rows() { grep -c '^| 1 item' "$1" || true; }

for size in '40 100' '12 60'; do
  code=0
  # shellcheck disable=SC2086 # two numbers
  on_terminal $size '^.3/4.* run [1-9][0-9][0-9]' '\x03' run endless.json --run-id "at-${size#* }" || code=$?
  ((code == 130)) || fail "exit code $code instead of 130"
  check "not two rows above the bar" test "$(rows during)" = 2
  check "the bar is not the last line" grep -Eq '^\[3/4\] .* run [0-9]+' <(tail -n 1 during)
  check "not two rows at the end" test "$(rows after)" = 2
  check "the bar has stayed" test "$(grep -c ' run [0-9]' after)" = 0
  check "tables stand there twice" test "$(grep -c '^Workgroups found' after)" = 1
  check "more than five lines follow the tables" \
    test "$(sed -n '/^Interrupted: /,$p' after | grep -c .)" -le 5
  check "no command to go on with" grep -q '^To go on: ' after
done

# Standard output is not the terminal's: nothing but the bar is drawn.
code=0
on_terminal 40 100 '^.3/4.* run [1-9]' '\x03' run endless.json --run-id aside --json - || code=$?
((code == 130)) || fail "exit code $code instead of 130"
check "tables beside JSON" test "$(rows during)" = 0

# ---- Tables that are finished --------------------------------------------------------------------

# Two benches, of which the second one takes so many runs.
two_benches() {
  cat >two.json <<JSON
{
  "schema": "coopbench-config", "schema_version": "1.0", "settings": {"cpu": true},
  "suite": [
    {"bench": "discover", "protocol": "lockfree", "microbenchmark": ["11", "L1"],
     "wg-sizes": "none", "bound": "off", "launch": 16, "runs": 3},
    {"bench": "apps", "app": "bfs", "input": "grid:20x20", "mode": ["specialised", "portable"],
     "wg-size": "32", "runs": $1}
  ]
}
JSON
}
found() { test "$(grep -c '^| 1 item' "${1:-out}")" = 2; }

# In a pipe: the reader has the table while the second bench, which has no end, is measured.
two_benches 1000000
mkfifo pipe
rm -f err
"$COOPBENCH" run two.json --run-id pipe --progress bar >pipe 2>err &
program=$!
cat <pipe >out &
wait_for 'the second bench' measures apps/bfs
wait_for 'the table of the first bench' found
kill -0 "$program" || fail "the run has ended"
kill -INT "$program"
check_end 130
wait_for 'the reader to end' bash -c "! kill -0 $!"
check "a table stands there twice" found
check "a head stands there twice" test "$(grep -c '^Workgroups found' out)" = 1

# On a terminal, too: it stays when the bar and rows go.
code=0
on_terminal 40 100 '^.[34]/4.*apps/bfs.* run [1-9]' '\x03' run two.json --run-id stays || code=$?
((code == 130)) || fail "exit code $code instead of 130"
check "the table is not there once during the run" found during
check "the table is not there once at the end" found after

# Of a run that was interrupted, a long table that is not finished does not hide how to go on.
cat >long.json <<'JSON'
{
  "schema": "coopbench-config", "schema_version": "1.0",
  "settings": {"cpu": true, "order": "listed"},
  "suite": [
    {"bench": "discover", "protocol": ["spin", "ticket"], "delay": ["0", "1", "2", "3", "4", "5"],
     "microbenchmark": ["11", "L1"], "wg-sizes": "none", "bound": "off", "launch": 16, "runs": 1},
    {"bench": "discover", "protocol": "lockfree", "microbenchmark": "1W", "wg-sizes": "none",
     "bound": "off", "launch": 16, "runs": 1000000}
  ]
}
JSON
start run long.json --run-id long
wait_for 'the last case' measures discover/lockfree/1W
kill -INT "$program"
check_end 130
check "more than a few lines" test "$(grep -c . out)" -lt 3
check_stdout '^Tables that were not finished are in results/long/report.md'
check "report.md has no rows" test "$(grep -c '^| 1 item' results/long/report.md)" = 24

# A run that ends prints what report.md holds.
two_benches 3
check_exit 0 "$COOPBENCH" run two.json --run-id whole
check "other text than in report.md" python3 - <<'PYTHON'
blocks = lambda text: sorted(text.strip("\n").split("\n\n"))
out, results = open("out").read().split("\nResults: ")
assert blocks(out) == blocks(open("results/whole/report.md").read())
PYTHON
