#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Apps in their modes on the CPU device: rows, tables, pictures, tuning, refusals, and what happens with too
# many workgroups or a wrong input.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# measure CODE OPTION...: the bench, with its document in document.json. On a busy machine workgroups wait
# longer than the usual deadline.
measure() {
  check_exit "$1" "$COOPBENCH" apps --cpu --wait-deadline 2000 --json document.json "${@:2}"
}

both=(--app bfs,game --input 'bfs=grid:30x30,game=5')

# ---- Rows ----------------------------------------------------------------------------------------

measure 0 "${both[@]}" --wg-size 32,64 --runs 6 --run-id rows
check_schema run.schema.json document.json
check_json document.json 'len(d["cases"]) == 16 == d["summary"]["ok"]' \
  'all(c["verification"] == {"status": "pass", "detail": None} for c in d["cases"])' \
  '{c["id"] for c in d["cases"]} == {f"apps/{app}/{mode}/{rest}"
     for app, name in [("bfs", "grid:30x30"), ("game", "5")] for rest in [name, name + "/tuning"]
     for mode in ["multikernel", "specialised", "portable", "cooperative"]}'
check_json document.json \
  'all([(m["name"], m["unit"], m["n"]) for m in c["metrics"]] == [
         ("run_time", "ns", 6), ("host_time", "ns", 6)]
       + [("throughput", "ops/s", 6), ("work", "1", 6)] * (c["params"]["app"] == "bfs")
       + [("wg_size", "1", 6), ("workgroups", "workgroups", 6)]
       for c in d["cases"] if "sizes" not in c["params"])' \
  'all({m["name"] for m in c["metrics"]} <= {"wg_32", "wg_64"} and c["sampling"]["runs"] == 6
       and all(m["min"] > 0 for m in c["metrics"]) for c in d["cases"] if "sizes" in c["params"])' \
  'all(metric(c["id"], "wg_size")["min"] ==
         int(min((m for m in case(c["id"] + "/tuning")["metrics"]),
                 key=lambda m: m["min"])["name"][3:])
       for c in d["cases"] if "sizes" not in c["params"])' \
  'all(metric(c["id"], "host_time")["min"] > 0 and metric(c["id"], "workgroups")["min"] >= 2
       for c in d["cases"] if "sizes" not in c["params"])' \
  'metric("*/multikernel/grid:30x30", "host_time")["min"]
     == metric("*/multikernel/grid:30x30", "run_time")["min"]' \
  'metric("*/bfs/portable/grid:30x30", "work")["median"] == 4 * 30 * 29' # each edge from both ends

# The modes of a pair take turns: they come one after the other, behind what they need.
check_json document.json \
  'all(max(orders) - min(orders) == 7 and sorted(orders)[4:] == orders[4:] for orders in
       [[c["order"] for c in d["cases"] if c["params"]["app"] == app] for app in ["bfs", "game"]])'

# ---- Tables and pictures -------------------------------------------------------------------------

time='[0-9.]+ (µs|ms) ±[0-9.]+ % \((32|64)\)'
check_stdout "^\| bfs +\| grid:30x30 \|( +$time \|){4} +[0-9.]+ [kM] edges/s \|$"
check_stdout "^\| game \| 5 +\|( +$time \|){4} +\|$"
check_stdout '^\| bfs \[grid:30x30\] \|( +[0-9.]+ \|){4}$'
check_stdout '^\| game \[5\] +\| +- \|( +[0-9.]+ \|){3}$'
check_stdout '^\| geometric mean +\|( +[0-9.]+ \|){4}$'
check_stdout '^\| specialised +\|( +[0-9.]+ \| +[0-9.]+, (bfs|game) \[.*\] \|){3}$'
check_stdout '^\| game \[5\] +\| cooperative \|( +[0-9.]+ (µs|ms)( \*)? \|| +- \|){2}$'

check_exit 0 "$COOPBENCH" plot results/rows -o pictures
for figure in fig9 fig10 fig11; do
  check_stdout "^pictures/$figure.svg\$"
  check_stdout "^pictures/$figure.png\$"
  check "$figure is no picture" grep -q '</svg>' "pictures/$figure.svg"
done
check "fig9 has not one bar" test "$(grep -vc '^#' pictures/fig9.dat)" = 1
check "fig10 has not two bars" test "$(grep -vc '^#' pictures/fig10.dat)" = 2

# ---- The check alone, one size, files ------------------------------------------------------------

measure 0 --scale tiny --verify --app bfs,game,mixed --mode multikernel,cooperative
check_json document.json 'd["summary"]["ok"] == len(d["cases"]) >= 6' \
  'all(c["sampling"] == {"warmup": 0, "runs": 1, "stop_rule": "count", "stop_reason": "count"}
       and c["verification"]["status"] == "pass" and c["params"]["wg-size"] >= 1 for c in d["cases"])'
check "ratios of a single run" test -z "$(grep -i ratio out)"

# The moves of the root are leaves themselves.
measure 0 --app game --input 1 --mode specialised,cooperative --verify
measure 0 --app game --input 1:3342 --mode cooperative --verify

printf 'p sp 3 4\na 1 2 1\na 2 1 1\na 2 3 1\na 3 2 1\n' >three.gr
measure 0 --app bfs --input "$PWD/three.gr" --wg-size 48 --workgroups 3 --runs 1 --barrier regular
check_json document.json 'len(d["cases"]) == 4 == d["summary"]["ok"]' \
  'all(c["id"].endswith("/three.gr") and c["params"]["barrier"] == ("regular" if "/cooperative/" in c["id"] else "atomic")
       for c in d["cases"])' \
  'metric("*/portable/*", "workgroups")["max"] == 3 and metric("*/portable/*", "wg_size")["max"] == 48'

# ---- Refusals ------------------------------------------------------------------------------------

refused() {
  check_exit 2 "$COOPBENCH" apps --cpu --dry-run "${@:2}"
  check_stderr "$1"
}
refused 'expected all, .*, got "gmae" \(did you mean "game"\?\)' --app gmae
refused 'for several apps, say whose it is: bfs=grid:9x9' --input grid:9x9
refused 'there is no app bsf' --input bsf=grid:9x9
refused 'color does not run: name it with --app, too' --app bfs --input color=grid:9x9
refused 'wg-size: .*got "48"' --wg-size 32,48
refused '--mode: expected one of .*"serial"' --mode serial
refused '--scale: expected one of tiny, small, paper, got "huge"' --scale huge
check_exit 0 "$COOPBENCH" apps --help
for option in app input scale mode verify wg-size tune-budget workgroups barrier; do
  check_stdout "--$option "
done

# ---- Rows that fail ------------------------------------------------------------------------------

measure 77 --app game --input 5 --wg-size 64 --workgroups 100 --mode portable
check_json document.json 'd["summary"]["unsupported"] == 1' \
  're.fullmatch(r"100 workgroups asked for, but only \d of 64 work-items run at once",
                case("*")["reason"])'

for input in game=-5 game=5k 'game= 5' game=18446744073709551621 game=14 game=5.3 barriers=-1 barriers=5: \
  mixed=0x5 octree=-5; do
  measure 2 --app "${input%%=*}" --input "$input" --mode portable --verify
  check_json document.json 'd["summary"]["usage"] == 1' \
    "d['cases'][0]['reason'].startswith('${input%%=*}: expected ') and d['cases'][0]['reason'].endswith('got \"${input#*=}\"')"
done
printf 'p sp 2 1\na 1 3 1\n' >wrong.gr
measure 2 --app bfs,game --input bfs=wrong.gr,game=5 --verify
check_json document.json 'd["summary"]["usage"] == 4 == d["summary"]["ok"]' \
  'all(c["reason"] == "wrong.gr:2: second vertex: expected an integer from 1 to 2, got \"3\""
       for c in d["cases"] if c["params"]["app"] == "bfs")'
