#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A run that was killed, interrupted, or in which a case failed is completed by --resume: finished rows
# stay as they are, the others are measured, and what would not fit together is refused.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

suite() {
  cat >"$1" <<JSON
{
  "schema": "coopbench-config", "schema_version": "1.0",
  "settings": {"cpu": true, "order": "listed"},
  "suite": [
    {"bench": "discover", "protocol": "lockfree", "microbenchmark": ["11", "L1"],
     "wg-sizes": "none", "bound": "off", "launch": 16, "runs": 3},
    {"bench": "discover", "protocol": "lockfree", "microbenchmark": ["1W", "LW"],
     "wg-sizes": "none", "bound": "off", "launch": 16, "runs": $2}
  ]
}
JSON
}

# What does not change is not measured again: the first rows, as text without blanks.
first_rows() { head -n 2 "results/$1/events.jsonl" | tr -d ' \t'; }

# ---- Killed --------------------------------------------------------------------------------------

# 1000000 runs take longer than the test; so its options are changed in the record of the run, to what
# ends, before it is resumed.
suite endless.json 1000000
suite ending.json 3
begin() {
  start run endless.json --run-id "$1"
  wait_for 'the third case' measures discover/lockfree/1W
}
shorten() { sed -i 's/1000000/3/' "results/$1/run.json"; }

begin killed
check_exit 2 "$COOPBENCH" run endless.json --resume killed
check_stderr 'results/killed is being measured by another process$'
kill -KILL "$program"
check_end 137
check_json results/killed/run.json 'not d["complete"]' 'd["devices"][0]["type"] == "cpu"'
first_rows killed >before
printf '{"id":"discover/lockfr' >>results/killed/events.jsonl # a line that was cut short
check_exit 2 "$COOPBENCH" run ending.json --resume killed
check_stderr '^coopbench: --resume: --runs was \["1000000"\] in results/killed and is \["3"\] now$'
check_stderr 'A run is completed as it was begun \(coopbench run endless.json --run-id killed .*\)'
shorten killed
check_exit 0 "$COOPBENCH" run ending.json --resume killed --json document.json
check_stderr '^2 cases to be run, 2 kept of results/killed'
check_schema run.schema.json results/killed/run.json
check_json document.json 'd["complete"] and d["exit_code"] == 0 and d["run_id"] == "killed"' \
  '[c["id"] for c in d["cases"]] ==
     [f"discover/lockfree/{m}/launch=16" for m in ["11", "L1", "1W", "LW"]]' \
  'all(c["status"] == "ok" for c in d["cases"])' 'sorted(c["order"] for c in d["cases"]) == [0, 1, 2, 3]' \
  'len(d["time"]["resumed"]) == 1' 'd["invocation"]["argv"][1] == "endless.json"'
check "the rows before the kill have changed" diff before <(first_rows killed)
check "events.jsonl has not four rows" test "$(wc -l <results/killed/events.jsonl)" = 4
check "summary.csv lacks a case" test "$(cut -d, -f5 results/killed/summary.csv | sort -u | wc -l)" = 5
check "a file was left over" test ! -e results/killed/events.jsonl.new

# A run that is complete stays as it is.
check_exit 0 "$COOPBENCH" run ending.json --resume results/killed/
check_stderr '^0 cases to be run, 4 kept of results/killed'
check_json results/killed/run.json 'd["complete"] and len(d["cases"]) == 4 == d["summary"]["ok"]' \
  'd["devices"][0]["ns_per_tick"] > 0'

# ---- Ctrl-C --------------------------------------------------------------------------------------

# Words that a shell would change, and a folder with a space.
start run endless.json --output-dir 'my results' --run-id stopped --label "who=it's \$HOME"
wait_for 'the third case' measures discover/lockfree/1W
kill -INT "$program"
check_end 130
check "more than five lines, or other ones" \
  diff - <(grep -a -A 5 '^Interrupted' <(tr '\r' '\n' <err | sed 's/^.\[K//')) <<TEXT
Interrupted: finished cases are in my results/stopped (2 of 4)
To go on: $COOPBENCH run endless.json --output-dir 'my results' --label 'who=it'\''s \$HOME' --progress bar --resume 'my results/stopped'
TEXT
check_stdout '11.* [0-9.]+( ± [0-9.]+)?, ' # a loaded machine may miss a workgroup
check "shows what was not measured" test "$(grep -c 'interrupted\|1W\|LW' out)" = 0
check "report.md is not partial" grep -q '^Partial: .* 2 of 4 cases' 'my results/stopped/report.md'
check "report.md lacks the command" \
  grep -qF "    $(sed -n 's/^To go on: //p' err)" 'my results/stopped/report.md'
check "report.md shows what was not measured" test "$(grep -c '^|.*interrupted' 'my results/stopped/report.md')" = 0
head -n 2 'my results/stopped/events.jsonl' >before
sed -i 's/1000000/3/' 'my results/stopped/run.json'
suite endless.json 3
check_exit 0 "$COOPBENCH" run endless.json -o 'my results' --dry-run --resume latest
check_stdout '^discover/lockfree/L1/launch=16 .*: kept$'
check_stdout '^discover/lockfree/1W/launch=16 .* after 3$'
command=$(sed -n 's/^    //p' 'my results/stopped/report.md')
check_exit 0 bash -c "$command"
check_stderr '^2 cases to be run, 2 kept of my results/stopped'
check_json 'my results/stopped/run.json' 'd["complete"]' '[c["status"] for c in d["cases"]] == ["ok"] * 4'
check "the rows before Ctrl-C have changed" \
  diff <(tr -d ' \t' <before) <(head -n 2 'my results/stopped/events.jsonl' | tr -d ' \t')
check "report.md is still partial" test "$(grep -c Partial 'my results/stopped/report.md')" = 0

# ---- A case that failed, groups, and cases that others need --------------------------------------

apps=(apps --cpu --app bfs --input grid:20x20 --mode specialised,portable --wg-size 32,64 --runs 2)
check_exit 0 "$COOPBENCH" "${apps[@]}" --run-id apps
python3 - <<'PYTHON'
import json
path = "results/apps/events.jsonl"
rows = [json.loads(line) for line in open(path)]
for row in rows:
    if row["id"] == "apps/bfs/portable/grid:20x20":
        row["status"] = "timeout"
open(path, "w").writelines(json.dumps(row) + "\n" for row in rows)
PYTHON
check_exit 0 "$COOPBENCH" "${apps[@]}" --resume apps
check_stderr '^2 cases to be run, 2 kept of results/apps' # the group of both modes, not their tuning
check_json results/apps/run.json 'd["complete"] and d["summary"]["ok"] == 4' \
  'metric("*/portable/grid:20x20", "wg_size")["median"] in [32, 64]'

# ---- Refusals ------------------------------------------------------------------------------------

refused() {
  check_exit 2 "$COOPBENCH" "${@:2}"
  check_stderr "$1"
}
refused '^coopbench: --resume: there is no run gone: neither gone/run.json nor results/gone/run.json$' \
  "${apps[@]}" --resume gone
refused '^coopbench: --resume goes on with a run, --run-id names a new one' \
  "${apps[@]}" --resume apps --run-id more
refused '^coopbench: --resume: --tune-budget was not given in results/apps and is \["1"\] now$' \
  "${apps[@]}" --tune-budget 1 --resume apps
refused '^coopbench: --resume: --clock was \["auto"\] in .* and is \["none"\] now$' \
  "${apps[@]}" --clock none --resume apps
refused '^coopbench: --resume: --seed was "[0-9]+" in .* and is "7" now$' \
  "${apps[@]}" --seed 7 --resume apps
refused '^coopbench: --resume: --cpu-workgroups was not given in .* and is \["5"\] now$' \
  "${apps[@]}" --cpu-workgroups 5 --resume apps
refused '^coopbench: --resume: the benchmark was "apps" in .* and is "discover" now$' \
  discover --cpu --resume apps
sed -i 's/"driver_version":.*/"driver_version": "0.1",/' results/apps/run.json
refused '^coopbench: --resume: driver_version of the device .* was "0.1" in' "${apps[@]}" --resume apps
copy_sources sources
echo '// changed' >>sources/apps/bfs/bfs.cl
COOPBENCH_KERNEL_DIR=$PWD/sources refused \
  '^coopbench: --resume: the digest of the kernels was "[0-9a-f]{16}" in' "${apps[@]}" --resume apps
