#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# On a terminal, the rows that are measured stand above the progress bar; when the run ends, or is
# interrupted, only the tables that stay are left.
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
