#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Pictures of a run, with gnuplot and without.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

check_exit 0 "$COOPBENCH" discover --cpu --protocol ticket,lockfree --microbenchmark 11 \
  --wg-sizes 8,32 --runs 3 --run-id run
check_stdout '^Pictures: coopbench plot results/run$'

# pictures FOLDER RUNS: what so many runs have data for was drawn.
pictures() {
  local figure
  for figure in fig7 fig8; do
    check_stdout "^$1/$figure.svg$"
    check_stdout "^$1/$figure.png$"
    check "$1/$figure.svg is no SVG" grep -q '<svg' "$1/$figure.svg"
    check "$1/$figure.svg is cut off" grep -q '</svg>' "$1/$figure.svg"
    check "$1/$figure.png is no PNG" test "$(head -c 8 "$1/$figure.png" | od -An -tx1 | tr -d ' ')" = \
      89504e470d0a1a0a
  done
  check "$1/fig7.dat: not a row for a microbenchmark" test "$(grep -c '^[0-9]' "$1/fig7.dat")" = "$2"
  check "$1/fig8.dat: not two sizes of two protocols" test "$(grep -c '^[0-9]' "$1/fig8.dat")" = $((4 * $2))
  check "$1/fig8.dat lacks times" test \
    "$(awk -F'\t' '/^[0-9]/ && $8 >= $9 && $8 <= $10 && $9 > 0' "$1/fig8.dat" | wc -l)" = $((4 * $2))
}

# Commands that are printed can be given to a shell.
check_exit 0 "$COOPBENCH" discover --cpu --protocol ticket,lockfree --microbenchmark 11 --wg-sizes 8,32 --runs 1 \
  --run-id run --output-dir "it's here"
check_stdout "^Pictures: coopbench plot 'it'\\\\''s here/run'$"

check_exit 0 "$COOPBENCH" plot results/latest
pictures results/latest/plots 1
check_exit 0 "$COOPBENCH" plot results/run/run.json results/run -o elsewhere/deeper
pictures elsewhere/deeper 2

# Somebody can draw them again, as another picture.
check_exit 0 env -C results/run/plots gnuplot -e "out='again.svg'" fig7.gp
check "not drawn again" test -s results/run/plots/again.svg

# A line of two points and one of a single point, all whose workgroups were found, so that no number
# is written: gnuplot 5.4 used to crash.
python3 - <<'PYTHON'
import copy, json, os
run = json.load(open("results/run/run.json"))
sweep = [c for c in run["cases"] if c["id"].startswith("discover/") and "wg-size" in c["params"] and
         "microbenchmark" not in c["params"] and c["params"].get("protocol") != "bound"]
for name, keep in [("partial", 3), ("one", 1)]:
    part = copy.deepcopy(run)
    part["cases"] = copy.deepcopy(sorted(sweep, key=lambda c: c["params"]["protocol"])[:keep])
    assert len(part["cases"]) == keep
    for c in part["cases"]:
        bound = next(m for m in c["metrics"] if m["name"] == "groups_bound")
        found = next(m for m in c["metrics"] if m["name"] == "groups_found")
        found.update({k: bound[k] for k in bound if k not in ("name", "unit", "better")})
    os.mkdir(name)
    json.dump(part, open(name + "/run.json", "w"))
PYTHON
check_exit 0 "$COOPBENCH" plot partial
check_stdout '^partial/plots/fig8.svg$'
check_exit 2 "$COOPBENCH" plot one
check_stderr 'nothing to draw'

# Parts of other runs: what has data is drawn, and nothing crashes.
python3 - "$SOURCE_DIR/results/reference" <<'PYTHON'
import gzip, json, os, sys
reference = sys.argv[1]
for path in ["nvidia-h200/multitask", "nvidia-h200/throttle", "nvidia-h200/preempt", "pocl-3.1/table3",
             "pocl-3.1/oopsla16-tab5", "pocl-3.1/primitives", "pocl-3.1/apps", "pocl-3.1/paper-klap16"]:
    run = json.load(gzip.open(f"{reference}/{path}/run.json.gz"))
    # one case of seven; where a bench divides by others, these are missing
    run["cases"] = run["cases"][3::7]
    os.makedirs("parts/" + path.replace("/", "-"))
    json.dump(run, open("parts/" + path.replace("/", "-") + "/run.json", "w"))
PYTHON
for part in parts/*; do
  code=0
  "$COOPBENCH" plot "$part" >out 2>err || code=$?
  ((code == 0)) || { ((code == 2)) && grep -q 'nothing to draw' err; } || fail "plot $part: exit code $code"
done

# KLAP'16: ratios to each launch on its own, of several thresholds the best; to the host where that is missing. The mean
# is of the paper's programs.
python3 - "$SOURCE_DIR/results/reference/pocl-3.1/paper-klap16" <<'PYTHON'
import gzip, json, os, sys
run = json.load(gzip.open(sys.argv[1] + "/run.json.gz"))
device = run["devices"][0]["id"]

def case(kind, program, launcher, size, ms, metrics={}, **params):
    metrics = {"run_time": 1e6 * ms, **metrics}
    return {"id": f"launch/{program}/{launcher}{params}/{size}", "bench": "launch", "device": device, "status": "ok",
            "params": {"kind": kind, "program": program, "size": size, "launcher": launcher, **params},
            "metrics": [{"name": n, "n": 1, "median": v} for n, v in metrics.items()]}

def nested(program, launcher, ms, size="large", **params):
    return case("aggregation", program, launcher, size, ms, **params)

def parted(program, launcher, parts, size="large", **params):
    names = ("parent_time", "aggregation_time", "launch_time", "work_time")
    return case("breakdown", program, launcher, size, sum(parts), {n: 1e6 * p for n, p in zip(names, parts)}, **params)

def chain(program, launcher, size, rate, **params):
    return case("promotion", program, launcher, size, 1, {"rate": rate}, **params)

run["cases"] = [
    nested("bfs_nested", "serial", 4), nested("bfs_nested", "thread", 8, threshold=1),
    nested("bfs_nested", "thread", 4, threshold=64), nested("bfs_nested", "grid", 2, threshold=1),
    nested("bfs_nested", "grid", 1, threshold=64, coarsening=4), nested("bh", "grid", 4), nested("bh", "host", 8),
    nested("equal", "thread", 9), nested("equal", "grid", 1), nested("gc", "grid", 1),
    nested("sid", "thread", 9), nested("sid", "grid", 1),
    nested("qt", "thread", 3, "medium"), nested("qt", "warp", 3, "medium"),
    parted("bfs_nested", "thread", [1, 0, 6, 1], threshold=1), parted("bfs_nested", "thread", [1, 1, 1, 1], threshold=64),
    parted("bfs_nested", "grid", [1, 1, 1, 0], threshold=1), parted("bfs_nested", "grid", [9, 9, 9, 9], threshold=64),
    parted("bh", "grid", [1, 1, 1, 1]), parted("bh", "host", [1, 1, 1, 1]),
    parted("qt", "thread", [0, 0, 0, 0], "medium"), parted("qt", "warp", [1, 1, 1, 1], "medium"),
    chain("sc", "tail", "small", 10), chain("sc", "host", "small", 40), chain("sc", "PA", "large", 90, descendants="128"),
    chain("sc", "loop", "large", 30), chain("pd", "host", "medium", 5), chain("pd", "PA", "large", 20, descendants="128"),
    chain("pd", "PA", "large", 5, descendants="3"), chain("pt", "P", "large", 7)]
os.mkdir("launch")
json.dump(run, open("launch/run.json", "w"))
run["cases"] = [c for c in run["cases"] if c["params"]["launcher"] == "thread" and not c["params"].get("threshold", 1) > 1]
os.mkdir("launch-alone")
json.dump(run, open("launch-alone/run.json", "w"))
PYTHON
check_exit 0 "$COOPBENCH" plot launch
for figure in 8 9 10; do
  check_stdout "^launch/plots/klap16_fig$figure.png$"
  check "klap16_fig$figure.svg is cut off" grep -q '</svg>' "launch/plots/klap16_fig$figure.svg"
done
# rows FIGURE COLUMNS: these columns of all rows have to be stdin's; times and the panel's device are not among them.
rows() { check "other rows of $1" diff <(grep '^[0-9]' "launch/plots/$1.dat" | tr -d '"' | cut -f "$2") -; }
rows klap16_fig8 1,3,4,6,7,9,11,13 <<'TEXT'
0	0	0	0	0	qt	thread	1
0	0	0	0	0	qt	warp	1
1	0	0	0	0	bfs_nested	thread, from 64	2
1	0	0	0	0	bfs_nested	grid, from 64, by 4	8
1	0	0	1	0	bfs_nested	serial	2
1	1	0	0	0	bh (host)	grid	2
1	2	0	0	0	equal	thread	1
1	2	0	0	0	equal	grid	9
1	3	0	0	0	sid	thread	1
1	3	0	0	0	sid	grid	9
1	4	1	0	1	geometric mean	thread	2
1	4	1	0	2	geometric mean	grid	4
1	4	1	1	1	geometric mean	serial	2
TEXT
rows klap16_fig9 1,2,3,5,7,8,9,10,11,12 <<'TEXT'
0	0	0	bfs_nested	thread, from 64	0.125	0.125	0.125	0.125	8e+06
0	0	4	bfs_nested	grid	0.125	0.125	0.125	0	8e+06
TEXT
rows klap16_fig10 1,3,6,7,9,10,13 <<'TEXT'
0	0	0	0	sc	host	4
0	0	0	0	sc	tail	1
1	0	0	0	pd (host)	host	1
2	0	0	0	sc	PA-128	9
2	0	1	0	sc	loop	3
2	1	0	0	pd (host)	PA-128	4
2	1	0	0	pd (host)	PA-3	1
2	2	0	2	geometric mean	PA-128	6
2	2	0	1	geometric mean	PA-3	1
2	2	1	1	geometric mean	loop	3
TEXT
check_exit 0 "$COOPBENCH" plot launch-alone
check "a picture of nothing but what all is compared with" test ! -e launch-alone/plots/klap16_fig8.dat

# A picture that gnuplot fails at does not keep the others from being drawn.
copy_sources broken
echo 'set nonsense' >broken/plots/discover_fig7.gp
check_exit 1 env COOPBENCH_KERNEL_DIR=broken "$COOPBENCH" plot results/run -o rest
check_stdout '^rest/fig8.png$'
check_stderr '^coopbench: gnuplot failed to draw fig7.svg: .*nonsense'
check_stderr '^  The data and scripts are in rest$'

# "Pictures:" only where there are any.
check_exit 0 "$COOPBENCH" memory --cpu --runs 1 --groups 1 --contention contentious --operation read \
  --access volatile
check "pictures of memory" test -z "$(grep '^Pictures:' out)"
check_exit 2 "$COOPBENCH" plot results/latest

# Nothing else on PATH is needed; the program is named by its path.
program=$(realpath "$COOPBENCH")
mkdir empty
check_exit 77 env PATH="$PWD/empty" "$program" plot results/run -o without
check_stderr 'gnuplot-nox'
check_stderr 'data and scripts are in without'
check "no data without gnuplot" test -s without/fig7.dat -a -s without/fig7.gp

mkdir nonsense
echo '{}' >nonsense/run.json
for path in nowhere "$PWD" nonsense nonsense/run.json; do
  check_exit 2 "$COOPBENCH" plot "$path"
  check_stderr "^coopbench: $path"
done
