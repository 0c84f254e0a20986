#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The discovery on the CPU device: rows, metrics, files and their agreement.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

check_exit 0 "$COOPBENCH" discover --cpu --runs 5 --wg-sizes 8 --json - --run-id first --label a=b
check "standard output and run.json differ" cmp -s out results/first/run.json
check_schema run.schema.json out
check_json out \
  'd["complete"] and d["exit_code"] == 0 and d["run_id"] == "first"' \
  'd["invocation"]["argv"][0] == "discover" and d["invocation"]["labels"] == {"a": "b"}' \
  'd["host"]["hostname"] == "test"' \
  'len(d["devices"]) == 1 and d["devices"][0]["type"] == "cpu"' \
  'len(d["cases"]) == 20 == d["summary"]["cases"] == d["summary"]["ok"]' \
  'len({c["id"] for c in d["cases"]}) == 20' \
  'sorted(c["order"] for c in d["cases"]) == list(range(20))' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  'all(case(f"discover/{p}/{m}{s}") for p, s in
       [("bound", ""), ("ticket", "/delay=adaptive"), ("spin", "/delay=adaptive"), ("lockfree", "")]
       for m in ["11", "L1", "1W", "LW", "wg=8"])' \
  'all(metric(f"discover/bound/{m}", "groups_bound")["median"] == 8
       for m in ["11", "L1", "1W", "LW", "wg=8"])' \
  'all({m["name"] for m in c["metrics"]} ==
       {"groups_found", "groups_bound", "recall", "protocol_time", "launch_time"}
       for c in d["cases"] if c["params"]["protocol"] != "bound")' \
  'all(m["n"] == 5 for c in d["cases"] if c["params"]["protocol"] != "bound" for m in c["metrics"])' \
  'all(0 < m["min"] <= m["max"] <= 1 for c in d["cases"] for m in c["metrics"]
       if m["name"] == "recall")' \
  'all(m["min"] > 0 for c in d["cases"] for m in c["metrics"])' \
  'metric("*/lockfree/11", "protocol_time")["median"] < metric("*/lockfree/11", "launch_time")["max"]' \
  'case("*/bound/LW")["params"]["wg-size"] == d["devices"][0]["max_wg_size"]' \
  'case("*/bound/LW")["params"]["local_bytes"] == d["devices"][0]["local_mem_bytes"]'

# Each search but the first is told the bound, and one deadlock shows that it holds for its kernel, too: 1, 2, 4, the
# bound, one more, and the bound three times again.
check_json out \
  'sorted(metric(f"discover/bound/{m}", "search_probes")["median"] for m in ["11", "L1", "1W", "LW"])[:3] == [8] * 3'

# The adaptive delay needs no tuning to find everybody: the 8 workgroups of the bounds above, which need not
# be searched for again, three seconds each. How soon threads start is up to the operating system, so on a
# loaded machine each of the cases has some tries.
finds_all() {
  "$COOPBENCH" discover --cpu --protocol ticket,lockfree --wg-sizes none --bound off --json - -o tries \
    >found 2>err &&
    python3 - found <<'PYTHON' >>found_all && (($(sort -u found_all | wc -l) == 8))
import json, sys

for case in json.load(open(sys.argv[1]))["cases"]:
    for metric in case["metrics"]:
        if metric["name"] == "groups_found" and metric["median"] == 8:
            print(case["id"])
PYTHON
}
check "not all 8 workgroups found in any of six tries" once_in 6 finds_all

# A schema that takes everything would check nothing.
for lie in '"status": "timeout"' '"status": "perfect"' '"status": "ok", "more": 1'; do
  sed "0,/\"status\":\t\"ok\"/s//$lie/" results/first/run.json >lies.json
  if cmp -s results/first/run.json lies.json || valid run.schema.json lies.json 2>/dev/null; then
    fail "the schema takes a row with $lie"
  fi
done

check "latest is not the run" test "$(readlink results/latest)" = first
check "files in the folder" test "$(cd results/first && echo *)" = \
  'events.jsonl report.md run.json samples.csv summary.csv'
python3 - results/first >disagreement <<'PYTHON' || fail "the files disagree: $(cat disagreement)"
import csv, json, sys

folder = sys.argv[1]
cases = json.load(open(f"{folder}/run.json"))["cases"]
events = [json.loads(line) for line in open(f"{folder}/events.jsonl")]
summary = list(csv.DictReader(open(f"{folder}/summary.csv")))
samples = list(csv.DictReader(open(f"{folder}/samples.csv")))

def check(what, a, b):
    if a != b:
        sys.exit(print(f"{what}: {a} and {b}") or 1)

check("ids", sorted(c["id"] for c in cases), sorted(e["id"] for e in events))
check("order", [e["order"] for e in events], list(range(len(cases))))
check("metrics", [(c["id"], m["name"], m["unit"], m["median"]) for c in cases for m in c["metrics"]],
      [(r["case_id"], r["metric"], r["unit"], float(r["median"])) for r in summary])
check("samples", {(e["id"], m, i): v for e in events for m, values in e["samples"].items()
                  for i, v in enumerate(values)},
      {(r["case_id"], r["metric"], int(r["index"])): float(r["value"]) for r in samples})
check("counts", sum(m["n"] for c in cases for m in c["metrics"]), len(samples))
PYTHON

check_exit 0 "$COOPBENCH" discover --cpu --cpu-workgroups 3 -p lockfree -m 11 --wg-sizes none \
  --runs 2 --csv - --run-id second
check "standard output and summary.csv differ" cmp -s out results/second/summary.csv
check_json results/second/run.json \
  'metric("discover/bound/11", "groups_bound")["median"] == 3' \
  'metric("discover/lockfree/11", "groups_found")["max"] <= 3' \
  'd["devices"][0]["compute_units"] == 3' \
  "d['devices'][0]['host_cores'] == $(nproc)"
check_stderr "^Device .*\(cpu, 3 PoCL threads on $(nproc) cores?, driver "
check 'threads and cores are not in the report' grep -Eq ": 3 PoCL threads on $(nproc) cores?\$" results/second/report.md
check_exit 0 "$COOPBENCH" list devices --cpu-workgroups 3
check_stdout "^  Compute units +3 PoCL threads on $(nproc) cores?\$"
check "latest is not the last run" test "$(readlink results/latest)" = second

# What people see: a table, what it means, and where the results are.
check_exit 0 "$COOPBENCH" discover --cpu -p ticket -m 11 --wg-sizes none --runs 2 --run-id third
check_stdout "^\\| 1 item \\(11\\) +\\| +8 \\|"
check_stdout '^In short: discover on '
check_stdout '^- 8 workgroups of 1 work-item run at once\.$'
check_stdout '^- `coopbench primitives --cpu` tells '
check_stdout '^Results: results/third '
check "report.md has no findings" grep -q '^- 8 workgroups of 1 work-item run at once\.$' results/third/report.md
check_schema run.schema.json results/third/run.json
check_json results/third/run.json \
  '[f["id"] for f in d["findings"]][::2] == ["bound", "next"]' \
  'd["findings"][0] == {"bench": "discover", "device": d["devices"][0]["id"], "id": "bound",
                        "text": "8 workgroups of 1 work-item run at once."}'
check_exit 0 "$COOPBENCH" discover --cpu -p ticket -m 11 --wg-sizes none --bound off --runs 2 -q
check "-q prints" test ! -s out -a ! -s err

# The seed repeats the order; filters keep what a case needs.
for id in fourth fifth; do
  check_exit 0 "$COOPBENCH" discover --cpu -m 11,L1 --wg-sizes none --runs 1 --warmup 0 --seed 7 \
    --filter '*/spin/*' -q --run-id "$id"
done
check_json results/fourth/run.json \
  '[c["id"].split("/")[1] for c in d["cases"]] == ["bound", "spin", "bound", "spin"]' \
  '[(c["id"], c["order"]) for c in d["cases"]] ==
   [(c["id"], c["order"]) for c in json.load(open("results/fifth/run.json"))["cases"]]' \
  'd["invocation"]["seed"] == "7"'

# Ids in other orders: each has a row of its own, in which they are checked, and as printed in the paper, too. One
# participant alone would check no order.
check_exit 0 "$COOPBENCH" discover --cpu -p ticket,lockfree -m 11 --wg-sizes none --bound off --delay 0,adaptive \
  --ids arrival,native,shuffled --runs 3 --json -
check_json out \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  'sorted(c["id"] for c in d["cases"]) == sorted(f"discover/{p}/11{s}" for p, s in
     [("lockfree", s) for s in ("", "/ids=native", "/ids=shuffled")] +
     [("ticket", f"/delay={n}{s}") for n in ("0", "adaptive") for s in ("", ",ids=native", ",ids=shuffled")])' \
  'all(c["params"].get("ids") in (None, "native", "shuffled") for c in d["cases"])' \
  'metric("discover/lockfree/11/ids=native", "groups_found")["max"] > 1'
check_exit 0 "$COOPBENCH" discover --cpu -p unsafe -m 11 --wg-sizes none --bound off --launch 8 \
  --ids native,arrival,shuffled --runs 3 --json -
check_json out \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  '[c["params"].get("ids") for c in sorted(d["cases"], key=lambda c: c["id"])] == ["arrival", "shuffled", None]' \
  'all(metric(c["id"], "groups_found")["min"] == 8 for c in d["cases"])'
check_exit 0 "$COOPBENCH" discover --cpu -p ticket -m none --wg-sizes 1 --bound off --launch 1 --ids arrival,native --runs 2
check_stdout '^\| 1 item +\| not searched \| ticket, adaptive, launch 1 '
check_stdout '^\| 1 item +\| not searched \| ticket, adaptive, ids native, launch 1 '
check_exit 2 "$COOPBENCH" discover --cpu --ids sorted
check_stderr 'expected one of own, arrival, native, shuffled'

# An option on which no case that is chosen depends is told, whatever the benchmark; what has its default, and what some
# case depends on, is not.
in_vain() { # OPTIONS COMMAND...
  check_exit 0 "$COOPBENCH" "${@:2}" --cpu --dry-run
  check "$*: $(cat err)" test "$(sed -n 's/^Note: --\([a-z-]*\) changes nothing here: .*/\1/p' err | paste -sd,)" = "$1"
}
in_vain quiet-time discover -p ticket --delay 0 --quiet-time 5
in_vain delay discover -p lockfree --delay 0
in_vain '' discover -p lockfree,ticket --delay 0 --quiet-time 5
in_vain ids,barrier,protocol,delay apps --app bfs --mode specialised --ids native --barrier query --protocol ticket --delay 5
in_vain '' apps --app bfs --mode specialised,portable,cooperative --ids native --barrier query --protocol ticket --delay 5
in_vain '' apps --app bfs --mode specialised --barrier atomic
in_vain tune-by apps --app bfs --mode specialised --tune-by mean --wg-size 32
in_vain section,initial primitives --mutex none --section 5 --semaphore none --initial 3
in_vain backoff primitives --mutex spin --semaphore none --backoff 30
in_vain tasks,groups multitask --workload none --tasks 5 --groups 1
in_vain workgroups apps --app color --variant paper --mode baseline --workgroups 4
in_vain '' multitask --workload light --trace-events 100
in_vain trace-events multitask --app bfs --beside color --trace-events 100
in_vain '' multitask --app bfs --beside color --trace-events 100 --trace traces
in_vain trace-events,app-rate,registers multitask --together --app bfs,color --policy fixed,deadline --app-deadline 1 --trace-events 100 \
  --app-rate 9 --registers 32
in_vain '' multitask --together --app bfs,color --policy energy --app-rate 9 --trace-events 100 --trace traces
in_vain threshold launch --program bfs_nested --launcher serial --threshold 4
in_vain pool launch --program bfs_nested,sc --launcher serial,thread,block,loop --pool 100
in_vain '' launch --program bfs_nested --launcher ahead --pool 100
in_vain '' launch --program bfs_nested --launcher thread --pool 100 --breakdown
check_exit 0 "$COOPBENCH" apps --cpu --app bfs --mode specialised --ids native --dry-run --quiet
check "--quiet has notes" test ! -s err

# Laid out in three dimensions, as many run at once; more of it: test_discover_dimensions.sh.
check_exit 0 "$COOPBENCH" discover --cpu -p lockfree -m none --wg-sizes 24 --dimensions 1,3 --runs 2 --json -
check_json out 'len(d["cases"]) == 4 == d["summary"]["ok"]' 'all(metric(c["id"], "groups_bound")["median"] == 8 for c in d["cases"])'
check_exit 2 "$COOPBENCH" discover --cpu --dimensions 4

# A safe number: of a thousand launches.
check_exit 0 "$COOPBENCH" discover --cpu -p lockfree -m 11 --wg-sizes none --runs 2 --headroom 0.9 --json document
check_json document 'len(d["cases"]) == 3 == d["summary"]["ok"]' 'metric("*/headroom/*", "groups_found")["n"] == 1000' \
  '1 <= metric("*/headroom/*", "groups_safe")["median"] <= metric("*/headroom/*", "groups_found")["max"] <= 8'
check_stdout '^\| +1 \| 90 % of 1000 \|'
check_exit 2 "$COOPBENCH" discover --cpu --headroom 1
