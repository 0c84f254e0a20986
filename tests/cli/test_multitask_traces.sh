#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# multitask: traces and their pictures, the channel of packets, workloads of files.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/multitask.sh"
need_cpu

# Few and wide levels, so that the rings hold the whole run.
measure 0 --app bfs,game --input 'bfs=rmat:16,game=6' --barrier query --groups N/2 --workload heavy \
  --trace traces --trace-events 65536
check_json document.json 'len(d["cases"]) == 4 == d["summary"]["ok"]' \
  'all(("trace" in c["params"]) == ("workload" in c["params"]) for c in d["cases"])'
for name in traces/*.json; do # named by case and device
  name=$(basename "$name" .json)
  check_json "traces/$name.json" 'len(d["traceEvents"]) > 50' \
    "d['traceEvents'][-1]['args']['name'] == 'traces/$name'" \
    '{"workgroup 0", "scheduler"} <= {e["args"]["name"] for e in d["traceEvents"] if e["ph"] == "M"
        and e["name"] == "thread_name"}' \
    'all(e["ts"] >= 0 and e.get("dur", 0) >= 0 for e in d["traceEvents"] if e["ph"] in "Xi")' \
    'any(e["name"].startswith("gather for task") for e in d["traceEvents"])' \
    'any("share" in e["name"] for e in d["traceEvents"])' \
    'any(e["ph"] == "C" and e["args"]["M"] > 0 for e in d["traceEvents"])'
  check "$name has no three blocks" test "$(grep -c '^#' "traces/$name.tsv")" = 4
  check "$name is of no run" grep -q "^# of the run $(realpath --relative-to=. results/latest)$" "traces/$name.tsv"
done
# A task that comes between two runs of an app has its workgroups without a kill.
kills_of() { # APP: in the row, and in the trace
  echo "metric('*/$1/heavy/*', 'kills')['median'] ==
    sum(e['name'] == 'kill' for e in json.load(open('$(ls traces/"$1"-*.json)'))['traceEvents'])"
}
check_json document.json "$(kills_of bfs)" "$(kills_of game)" \
  'sum(metric(f"*/{app}/heavy/*", "kills")["median"] for app in ["bfs", "game"]) > 0'
check "there are not two traces" test "$(ls traces/*.json | wc -l)" = 2
check_exit 0 "$COOPBENCH" plot results/latest -o pictures
check_stdout '^pictures/fse17_fig1.svg$'
check "fig1 is no picture" grep -q '</svg>' pictures/fse17_fig1.svg
check "fig1 is of another trace" cmp -s pictures/fse17_fig1.dat <(tail -n +2 traces/bfs-heavy-N_2-query-*.tsv)
for file in traces/bfs-*.tsv; do # one that cannot be written
  rm "$file"
  mkdir "$file"
done
measure 1 "${few[@]}" --barrier query --groups N/2 --workload heavy --trace traces
check_json document.json 'any(re.search(r"cannot write the trace traces/bfs-.*\.tsv: Is a directory", c["reason"] or "")
       for c in d["cases"])'

# Of a kernel that submits tasks itself, and waits for them; it fills its rings before it ends.
measure 0 --app children --input 20 --barrier atomic --groups 1 --workload light --exclude '*/overhead/*' \
  --trace parents --trace-events 2000
check_json document.json 'len(d["cases"]) == 1 == d["summary"]["ok"]'
check_json parents/children-*.json 'any(re.fullmatch("child share [0-7] at place [0-9]+", e["name"]) for e in d["traceEvents"])' \
  'any(e["name"] == "await children" and e["ph"] == "X" for e in d["traceEvents"])'
check_exit 0 "$COOPBENCH" plot results/latest -o parents
check "no children are drawn" grep -q '>waits for children</tspan>' parents/fse17_fig1.svg

measure 0 "${few[@]}" --barrier atomic --groups 1 --workload light --channel queue
check_json document.json 'len(d["cases"]) == 4 == d["summary"]["ok"]' \
  'all(c["params"]["channel"] == "queue" for c in d["cases"])' \
  'metric("*/game/light/*", "tasks")["median"] == 3'

echo '{"schema": "coopbench-workload", "name": "often", "period_ms": 16, "duration_ms": 1}' >often.json
measure 0 "${small[@]}" --workload often.json --groups 1 --exclude '*/overhead/*' --trace short --trace-events 16
check_json document.json 'len(d["cases"]) == 1 == d["summary"]["ok"]' \
  'case("multitask/bfs/often/groups=1,barrier=atomic")["params"]["period_ns"] == 16000000' \
  '["--trace-events holds more" in note for note in d["cases"][0]["notes"]] == [True]'
