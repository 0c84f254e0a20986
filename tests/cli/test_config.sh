#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Suites: those that come with coopbench, and what is said of a wrong one.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

# suite TEXT: writes wrong.json; SUITE in TEXT stands for a suite that is right.
suite() {
  printf '{\n"schema": "coopbench-config", "schema_version": "1.0",\n%s\n}\n' \
    "${1/SUITE/'"suite": [{"bench": "discover"}]'}" >wrong.json
}

suite '"settings": {"rnus": 3}, SUITE'
check_exit 2 "$COOPBENCH" run wrong.json
check_stderr '^coopbench: wrong.json:3: settings: unknown key "rnus" \(did you mean "runs"\?\)'
suite '"sute": []'
check_exit 2 "$COOPBENCH" run wrong.json
check_stderr 'wrong.json:3: .*unknown key "sute" \(did you mean "suite"\?\)'
suite $'"suite": [\n{"bench": "discover",\n"protocl": "spin"}]'
check_exit 2 "$COOPBENCH" run wrong.json
check_stderr 'wrong.json:5: suite\[0\]: unknown key "protocl" \(did you mean "protocol"\?\)'
suite $'"suite": [\n{"bench": "discover", "protocol": ["spin", "spun"]}]'
check_exit 2 "$COOPBENCH" run wrong.json
check_stderr 'wrong.json:4: suite\[0\].protocol\[1\]: .*"spun" \(did you mean "spin"\?\)'
suite '"suite": [{"bench": "dicsover"}]'
check_exit 2 "$COOPBENCH" run wrong.json
check_stderr 'wrong.json:3: suite\[0\]: unknown benchmark "dicsover" \(did you mean "discover"\?\)'
suite '"settings": {"runs": "3" "warmup": 1}, SUITE'
check_exit 2 "$COOPBENCH" run wrong.json
check_stderr 'wrong.json:3:[0-9]+: '
suite '"settings": {"runs": 3, "runs": 4}, SUITE'
check_exit 2 "$COOPBENCH" run wrong.json
check_stderr 'wrong.json:3: .*duplicate key "runs"'
check_exit 2 "$COOPBENCH" run no_such_file.json
check_stderr 'cannot read no_such_file.json'
check_stderr '^  Suites that need no file: ci, .*smoke, '
check_exit 2 "$COOPBENCH" run smokee
check_stderr '^coopbench: cannot read smokee: .*\(did you mean "run smoke"\?\)$'
check_exit 2 "$COOPBENCH" run configs/smoke.json
check_stderr '\(did you mean "run smoke"\?\)$'
check "a wrong suite left results" test ! -e results

for config in "$SOURCE_DIR"/configs/*.json; do
  check_schema config.schema.json "$config"
done
suite '"suite": [{"protocol": "spin"}]'
if valid config.schema.json wrong.json 2>/dev/null; then
  fail "the schema of suites takes an entry without bench"
fi

need_device
for config in "$SOURCE_DIR"/configs/*.json; do
  check_exit 0 "$COOPBENCH" run "$config" --dry-run
  check_stdout '^(discover|launch|memory|multitask|primitives)/[^ ]+ '
done
# By name, from any folder, the suites that the program carries; a file goes before, a folder does not.
mkdir smoke
check_exit 0 "$COOPBENCH" run smoke --dry-run
mv out by_name
check_exit 0 "$COOPBENCH" run "$SOURCE_DIR/configs/smoke.json" --dry-run
n=$(for kind in BARRIER MUTEX SEMAPHORE QUEUE; do primitives $kind; done | tr ',' '\n' | wc -l)
check "the suite lacks rows" test "$(wc -l <out)" = $((77 + n))
check "another suite by its name than by its file" cmp -s out by_name
suite SUITE
mv wrong.json ci
check_exit 0 "$COOPBENCH" run ci --dry-run
check "a file does not go before a name" test -z "$(grep -v '^discover/' out)"
rm ci

suite $'"suite": [\n{"bench": "discover", "seed": 1}]'
check_exit 2 "$COOPBENCH" run wrong.json
check_stderr '"seed" holds for the whole run'
suite '"suite": [{"bench": "discover"}, {"bench": "discover"}]'
check_exit 2 "$COOPBENCH" run wrong.json
check_stderr 'planned twice'

# A row of each kind; test_smoke.sh runs all.
check_exit 0 timeout 200 "$COOPBENCH" run "$SOURCE_DIR/configs/smoke.json" --json - --filter '*/spin/*=32*' \
  --filter 'memory/hostage.idle/*=4' --filter '*.xf/*' --filter '*.ticket/*' --filter '*.tickets/*'
check_schema run.schema.json out
check_json out \
  'd["complete"] and d["summary"]["ok"] == d["summary"]["cases"]' \
  '{c["bench"] for c in d["cases"]} == {"discover", "memory", "primitives"}' \
  '{c["params"]["kind"] for c in d["cases"] if c["bench"] == "primitives"} == {"barrier", "mutex", "semaphore", "queue"}' \
  'd["invocation"]["config"] == "smoke.json"' \
  'all(c["sampling"]["runs"] == 3 and c["sampling"]["warmup"] == 1 for c in d["cases"]
       if c["params"].get("protocol") != "bound")'
check_exit 0 "$COOPBENCH" run smoke --runs 2 --filter '*/spin/11*' --json -
check_json out 'case("*/spin/11*")["sampling"]["runs"] == 2' 'len(d["cases"]) == 2' \
  'd["invocation"]["config"] == "smoke.json"'
