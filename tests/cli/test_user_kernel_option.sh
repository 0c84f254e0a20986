#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Kernels of the user by --kernel and --task, with the setups of both in one file, --setup.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

multitask() { "$COOPBENCH" multitask --cpu --scale tiny --groups 1 --runs 2 --budget 0.1 --barrier atomic "$@"; }

# both [KERNELS]: setup.json, in another folder than the kernels.
ring='"smooth_ring": {"arguments": {"input": {"count": 2000, "fill": "random", "below": 1000000},
  "rings": {"count": 4000}, "n": 2000, "rounds": 100}}'
blur='"blur": {"global": [64, 48], "local": [8, 4], "period_ms": 20, "deadline_ms": 1000,
  "arguments": {"in": {"count": 3072, "fill": "random"}, "out": {"count": 3072}, "width": 64, "height": 48}}'
both() {
  printf '{"schema": "coopbench-setup", "schema_version": "1.1", "summary": "Two",\n"kernels": {%s}}\n' \
    "${1-$ring, $blur}" >"$setup"
}
mkdir setups
setup=$PWD/setups/setup.json
cp "$SOURCE_DIR"/examples/{ring,blur}.cl .
both
check_schema setup.schema.json setups/setup.json

# ---- Right ones ----
check_exit 0 multitask --kernel ring.cl --task blur.cl --setup setups/setup.json --run-id both --json -
mv out document.json
check_schema run.schema.json document.json
check_json document.json \
  '{c["id"]: c["status"] for c in d["cases"]} ==
   {"multitask/smooth_ring/overhead/barrier=atomic": "ok", "multitask/smooth_ring/blur/groups=1,barrier=atomic": "ok"}' \
  'all(c["verification"]["status"] == "pass" and c["params"]["app"] == "smooth_ring" for c in d["cases"])' \
  'case("*/blur/*")["params"]["deadline_ns"] == 1e9'
check_exit 0 multitask --kernel ring.cl --task blur.cl --setup setups/setup.json --resume results/both
check_stderr '0 cases to be run, 2 kept'
check_stdout '^smooth_ring setups/setup.json#ring.cl beside the task blur: a task'

# Another setup, if only of one of them: the run does not go on.
both "$ring, ${blur/fill/seed\": 2, \"fill}"
check_exit 2 multitask --kernel ring.cl --task blur.cl --setup setups/setup.json --resume results/both
both

# By name; beside an app of ours, a task of ours; in other commands; in a suite.
check_exit 0 multitask --kernel ./ring.cl:smooth_ring --task reduce --workload light --setup setups/setup.json --run-id named
all_are ok results/named 2
check_exit 0 multitask --app game --task blur.cl:blur --setup setups/setup.json --run-id task
all_are ok results/task 2
check_exit 0 "$COOPBENCH" apps --cpu --kernel ring.cl --setup setups/setup.json --runs 1 --run-id apps
all_are ok results/apps 4
check_exit 0 "$COOPBENCH" selftest --cpu --kernel ring.cl --setup setups/setup.json --stress 2 --run-id stress
all_are ok results/stress 2
check_exit 0 "$COOPBENCH" throttle --cpu --kernel ring.cl --setup setups/setup.json --schedule 1 --hold 0.1 --idle 0.1
cat >suite.json <<'JSON'
{"schema": "coopbench-config", "schema_version": "1.0", "suite": [{"bench": "multitask", "kernel": ["ring.cl"],
  "task": "blur.cl", "setup": "setups/setup.json", "groups": ["1"], "barrier": ["atomic"], "budget": 0.1}]}
JSON
check_exit 0 "$COOPBENCH" run suite.json --cpu --runs 1 --run-id suite
all_are ok results/suite 2

# ---- Several tasks ----
# Each as it comes, in workgroups that have room for its own; without tasks, for the largest.
cp "$SOURCE_DIR/examples/squares.cl" .
squares='"squares": {"global": 512, "local": 128, "period_ms": 5, "arrivals": "closed",
  "arguments": {"out": {"count": 512}, "first": 3}}'
both "$ring, $blur, $squares"
check_exit 0 multitask --kernel ring.cl --task blur.cl,squares.cl --setup setups/setup.json --json document.json
check_schema run.schema.json document.json
check_json document.json \
  '{c["id"]: (c["status"], c["params"]["wg-size"]) for c in d["cases"]} ==
   {"multitask/smooth_ring/overhead/barrier=atomic": ("ok", 128),
    "multitask/smooth_ring/blur/groups=1,barrier=atomic": ("ok", 64),
    "multitask/smooth_ring/squares/groups=1,barrier=atomic": ("ok", 128)}' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  '[(p["period_ns"], p.get("deadline_ns"), p.get("arrivals")) for p in (case("*/blur/*")["params"], case("*/squares/*")["params"])] ==
   [(20e6, 1e9, None), (5e6, None, "closed")]' \
  'metric("*/blur/*", "launch_time")["median"] > 0 and metric("*/squares/*", "launch_time")["median"] > 0'
check_stdout '^smooth_ring .* beside the task blur: .* every 20.0 ms, each to be answered within 1.00 s$'
check_stdout '^smooth_ring .* beside the task squares: .* 5.00 ms after the last one.s answer$'
check_stdout '^- (Give tasks of )?`(blur|squares)`'

# What is named twice is measured once; ours come with all workloads, before the user's.
plans() { # IDS OPTION...
  check_exit 0 multitask --app game --setup setups/setup.json --dry-run "${@:2}"
  check 'other cases' test "$(sed -n 's/^multitask\/game\/\([^ ]*\) .*/\1/p' out | paste -sd' ')" = "$1"
}
plans 'overhead/barrier=none blur/groups=1,barrier=none squares/groups=1,barrier=none' --task blur.cl,squares.cl,blur.cl
light=light/groups=1,barrier=none
plans "overhead/barrier=none $light $light,task=reduce squares/groups=1,barrier=none" \
  --task squares.cl,reduce,matmul --workload light
check_exit 0 "$COOPBENCH" preempt --cpu --kernel ring.cl --task blur.cl,squares.cl --setup setups/setup.json --budget 0.1 \
  --launch 0.1 --runs 1 --json document.json
check_json document.json \
  '{c["id"]: c["status"] for c in d["cases"]} == {f"preempt/smooth_ring/{task}/{place}/groups={n}": "ok"
    for task, n in [("blur", 96), ("squares", 4)] for place in ["process", "queue"]}'
check "the quick run is said to have another app" eval '! grep -q -- "--app" out'
both

# A command for a failure is one that works.
cat >after.cl <<'CL'
kernel void after(global uint *o)
{
    resizing_global_barrier();
    if (get_global_id(0) == 0)
        o[64] = 1;
}
CL
both '"after": {"arguments": {"o": {"count": 64}}}'
check_exit 3 "$COOPBENCH" selftest --cpu --kernel after.cl --setup setups/setup.json --stress 1 --seed 5
check_stderr 'o: an access to element 64, which is after its 64 elements'
command=$(sed -n 's/^ *`coopbench \(selftest .*\)`$/\1/p' out | head -n 1)
check "no command for the failure: $command" test -n "$command"
eval "words=($command)" # it may have quotes
check_exit 3 "$COOPBENCH" "${words[@]}"
both

# ---- A first file ----
check_exit 0 "$COOPBENCH" init ring.cl blur.cl -o first.json
check_stdout 'coopbench multitask --kernel ring.cl --task blur.cl --setup first.json'
check_schema setup.schema.json first.json
check_json first.json 'list(d["kernels"]) == ["smooth_ring", "blur"]' 'd["kernels"]["blur"]["global"][0] >= 64' \
  '"kernel" not in d and d["kernels"]["smooth_ring"]["arguments"]["n"] >= 1024'
check_exit 0 multitask --kernel ring.cl --task blur.cl --setup first.json --dry-run
check_exit 0 "$COOPBENCH" init blur.cl ring.cl
check_stdout '"kernels"'
check_exit 0 "$COOPBENCH" init squares.cl ring.cl:smooth_ring blur.cl -o all.json
check_stdout 'coopbench multitask --kernel ring.cl:smooth_ring --task squares.cl,blur.cl --setup all.json$'

# That of one kernel, which names it, too.
check_exit 0 "$COOPBENCH" init blur.cl -o setups/blur.json
check_stdout 'coopbench multitask --task setups/blur.json'
check_exit 0 multitask --app game --task blur.cl --setup setups/blur.json --dry-run

# ---- Refused ----
refused() { # WORDS COMMAND...
  check_exit 2 "${@:2}"
  check_stderr "$1"
}
refused 'another one is called blur, too' "$COOPBENCH" init blur.cl ring.cl ./blur.cl
refused '-o: setup: expected a file, as setup.json' "$COOPBENCH" init blur.cl ring.cl -o setup
# A suite says which setup it means.
suite() { printf '{"schema": "coopbench-config", "schema_version": "1.0", "suite": [{"bench": "multitask", %s}]}\n' "$1" >suite.json; }
suite '"kernel": "ring.cl", "task": ["blur.cl", "./blur.json", "squares.cl", "matmul"]'
refused "ring.cl: what are its arguments\? 'coopbench init ring.cl blur.cl squares.cl -o setup.json'" "$COOPBENCH" run suite.json --cpu
suite '"app": "game", "task": ["squares.cl", "blur.cl"]'
refused "squares.cl: what are its arguments\? 'coopbench init squares.cl blur.cl -o setup.json'" "$COOPBENCH" run suite.json --cpu
both "$ring, $blur, $squares"
cd setups
cp ../*.cl .
refused 'kernel: it comes in the place of --app: give one of both' multitask --kernel ring.cl --app all --setup setup.json
refused 'setup: it is for --kernel FILE.cl or --task FILE.cl' multitask --app bfs --setup setup.json
refused 'setup: expected a file, as setup.json, got "setup"' multitask --kernel ring.cl --setup setup
refused 'cannot read setp.json' multitask --kernel ring.cl --setup setp.json
refused 'cannot read ./rng.cl' multitask --kernel rng.cl --setup setup.json
refused 'setup.json:2: kernels: there is no "smooth_rng", of ./ring.cl \(did you mean "smooth_ring"\?\)' \
  multitask --kernel ring.cl:smooth_rng --setup setup.json
refused 'it has an NDRange, as a task.s: --task blur.cl' multitask --kernel blur.cl --setup setup.json
refused 'a task.s setup has its NDRange' multitask --kernel ring.cl --task ring.cl --setup setup.json
refused 'setup.json:2: kernels: one of several is named by its file: --kernel FILE.cl' multitask --app ./setup.json
refused 'blur.json:4: kernel: the command line names another one, ./ring.cl:smooth_ring' multitask --kernel ring.cl --setup blur.json
refused 'the path of a kernel has no quotes' multitask --kernel 'ri"ng.cl' --setup setup.json
refused 'task: expected matmul, reduce, .*, got "redcue" .did you mean "reduce"' multitask --app bfs --task blur.cl,redcue --setup setup.json
refused 'task: expected a kernel, .*, got "reduce"' "$COOPBENCH" preempt --task blur.cl,reduce --setup setup.json
refused 'setup.json#./blur.cl: setup.json#blur.cl is called so, too: give one another name' \
  multitask --app bfs --task blur.cl,./blur.cl --setup setup.json
echo '{"schema": "coopbench-workload", "name": "squares", "period_ms": 10, "duration_ms": 0.5}' >short.json
refused 'setup.json#squares.cl: a workload is called squares, too: give one another name' \
  multitask --app bfs --task matmul,squares.cl --workload ./short.json --setup setup.json
wrong() { # WORDS KERNELS
  both "$2"
  refused "$1" multitask --kernel ring.cl --setup setup.json
}
wrong 'setup.json:2: kernels: there is no "smooth_ring", of ./ring.cl' ''
wrong 'setup.json:4: kernels: "smooth_ring" is there twice' "$ring,
$ring"
wrong 'setup.json:3: kernels: "blur" is there twice' "$ring, \"blur\": 1, \"blur\": 2"
wrong 'setup.json:2: kernels: smooth_ring: expected an object' '"smooth_ring": []'
wrong 'setup.json:2: arguments: expected an object with the kernel.s parameters' '"smooth_ring": {}'
wrong 'setup.json:2: setup: "schema" is not known here' '"smooth_ring": {"schema": "coopbench-setup"}'
wrong 'setup.json:2: setup: "kernels" is not known here' '"smooth_ring": {"kernels": {}}'
wrong 'setup.json:2: kernel: the command line names another one' '"smooth_ring": {"kernel": "blur.cl"}'
wrong 'setup.json:3: rounds: is a value: expected a number' '"smooth_ring": {
"arguments": {"input": {"count": 1}, "rings": {"count": 1}, "n": 1, "rounds": "x"}}'
for kernels in 3 '[1]' '"ring"' null; do
  echo "{\"kernels\": $kernels}" >setup.json
  refused 'setup.json:1: kernels: expected an object of setups, by the names of their kernels' \
    multitask --kernel ring.cl --setup setup.json
done
echo '{"kernels": {}, "arguments": {}}' >setup.json
refused 'setup.json:1: setup: "arguments" is not known here' multitask --kernel ring.cl --setup setup.json
