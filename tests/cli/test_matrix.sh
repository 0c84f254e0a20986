#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The matrix of one app with both of its inputs on the CPU device: rows, order, tables, pictures; and a
# matrix that was killed is completed.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# On a busy machine workgroups wait longer than the usual deadline.
matrix=(multitask --cpu --matrix --scale tiny --app bfs --workload light,heavy --groups '1,N/2'
  --barrier query,atomic --gather-tasks 4 --wait-deadline 2000)

check_exit 0 "$COOPBENCH" "${matrix[@]}" --run-id whole --json document.json
check_stderr '^20 cases, about [0-9]+ s without preparations$'
check_schema run.schema.json document.json
check_json document.json 'd["summary"]["ok"] == 20' \
  '{c["id"] for c in d["cases"]} ==
     {f"multitask/bfs/{name}/{rest},barrier={barrier}".replace("overhead,", "overhead/")
      for name in ["road", "rmat"] for barrier in ["query", "atomic"]
      for rest in ["overhead"] + [f"{w}/groups={g}" for w in ["light", "heavy"] for g in ["1", "N/2"]]}' \
  'all(c["sampling"]["runs"] == 1 and c["sampling"]["warmup"] == 0 for c in d["cases"])' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  '{(c["params"]["input_name"], c["params"]["input"]) for c in d["cases"]} ==
     {("road", "road:20000"), ("rmat", "rmat:14")}'
# Cases of an input come one after the other, in random order.
check_json document.json \
  '[c["params"]["input_name"] for c in sorted(d["cases"], key=lambda c: c["order"])] in
     [["road"] * 10 + ["rmat"] * 10, ["rmat"] * 10 + ["road"] * 10]'
# Tasks of the workload, and four more for the gather time; sizes are found once for each kernel.
check_json document.json \
  'all(metric(c["id"], "gather_time")["n"] <= metric(c["id"], "tasks")["median"] + 4
         and metric(c["id"], "exec_time")["n"] == metric(c["id"], "tasks")["median"] >= 2
       for c in d["cases"] if "/groups=" in c["id"])' \
  'all(metric(c["id"], "gather_time")["n"] > 2 for c in d["cases"] if "/groups=" in c["id"])' \
  'all(len({metric(c["id"], "task_rows")["median"] for c in d["cases"]
            if f"/{w}/" in c["id"] and c["params"]["barrier"] == b}) == 1
       for w in ["light", "heavy"] for b in ["query", "atomic"])'
check_exit 0 "$COOPBENCH" "${matrix[@]}" --run-id quiet --quiet --filter '*/bfs/road/light/*'
check "it is not quiet" test ! -s out -a ! -s err

report=results/whole/report.md
check "the pairs have no table" grep -Eq \
  '^\| heavy +\| N/2 +\| atomic +\| +2 \|( +[0-9.]+ \|){2}( +[0-9]+ % \|){2} +[0-9.]+ ms \|' "$report"
check "Tab. 3 is not there" grep -Eq \
  '^\| light +\| query +\| +1\.045 \| +[0-9.]+ \| (1|N/2) +\|$' "$report"
check_exit 0 "$COOPBENCH" plot results/whole -o pictures
for figure in fse17_fig5 fse17_fig6 fse17_fig6_pairs; do
  check_stdout "^pictures/$figure.svg\$"
  check "$figure is no picture" grep -q '</svg>' "pictures/$figure.svg"
done
check "fig6 has no medians" grep -q '"median over 2 pairs"' pictures/fse17_fig6_pairs.dat

# ---- Killed and resumed --------------------------------------------------------------------------

start "${matrix[@]}" --run-id killed --seed 5
rows_there() { test "$(wc -l <results/killed/events.jsonl)" -ge 4; }
wait_for 'four rows' rows_there
kill -KILL "$program"
check_end 137
rows=$(wc -l <results/killed/events.jsonl)
check_exit 0 "$COOPBENCH" "${matrix[@]}" --resume killed --json document.json
check_stderr "^$((20 - rows)) cases to be run, $rows kept of results/killed, about [0-9]+ s"
check_json document.json 'd["complete"] and d["summary"]["ok"] == 20 and d["invocation"]["seed"] == "5"' \
  'sorted(c["order"] for c in d["cases"]) == list(range(20))'
