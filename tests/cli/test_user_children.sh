#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A user's kernel that submits tasks of its own, as an app by its setup: in all modes, beside tasks of the host, ours and
# the user's, under stress; wrong ones are found, and what is missing is told.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang

cp "$SOURCE_DIR"/tests/fixtures/{cooperative/parents,fill}.cl "$SOURCE_DIR"/examples/blur.* .
arguments='"words": {"count": 10240}, "sums": {"count": 40}, "refused": {"count": 1, "check": false}, "blocks": 40,
  "items": 256, "rounds": 3'
setup parents "$arguments" '"children": ["fill.cl"]'
check_schema setup.schema.json parents.json
check_exit 0 "$COOPBENCH" apps --cpu --app ./parents.json --runs 2 --run-id apps
all_are ok results/apps 4
tasks() { "$COOPBENCH" multitask --cpu --app ./parents.json "$@" --groups 1 --runs 2 --budget 0.1 --gather-tasks 5; }
check_exit 0 tasks --workload light --run-id ours
check_exit 0 tasks --task ./blur.json --run-id users
for seed in $RANDOM $RANDOM; do
  check_exit 0 "$COOPBENCH" selftest --cpu --stress 8 --app ./parents.json --seed "$seed"
done

# A task of the host that submits others, beside a kernel that submits none, and one that submits some of the same.
cp "$SOURCE_DIR"/tests/fixtures/{cooperative/trees,branch,add,spread}.cl .
setup trees '"words": {"count": 3840}, "sums": {"count": 12}, "counts": {"count": 2, "check": false}, "blocks": 12,
  "items": 320, "rounds": 3' '"children": ["branch.cl", "add.cl"]'
setup spread '"out": {"count": 1024}, "first": 3, "salt": 12345' \
  '"children": ["add.cl"], "global": 1024, "local": 64, "period_ms": 5'
spread() { "$COOPBENCH" multitask --cpu --scale tiny --task ./spread.json --groups 1,N/2 --runs 2 --tasks 10 "$@"; }
check_exit 0 spread --app bfs,./trees.json --run-id spread
all_are ok results/spread 6
check_exit 0 spread --app game --semantics any --cpu-workgroups 16 --exclude '*/overhead/*' --run-id any
all_are ok results/any 2
check_exit 0 spread --app children
check_stderr 'children brings tasks of its own'
sed 's/"children": \["add.cl"\], //' spread.json >alone.json
check_exit 2 "$COOPBENCH" multitask --cpu --app bfs --task ./alone.json
check_stderr 'submits tasks, whose files'

# The example.
check_schema setup.schema.json "$SOURCE_DIR/examples/mandelbrot.json"
check_exit 0 "$COOPBENCH" apps --cpu --app "$SOURCE_DIR/examples/mandelbrot.json" --runs 1 --run-id example
all_are ok results/example 4
check_exit 0 "$COOPBENCH" multitask --cpu --app "$SOURCE_DIR/examples/mandelbrot.json" --workload light --groups 1 --runs 1 \
  --budget 0.1 --exclude '*/overhead/*' --trace traces
check_json traces/*.json 'any(e["name"].startswith("child share ") for e in d["traceEvents"])' \
  'any(e["name"] == "await children" for e in d["traceEvents"])'

# A child that does something else than the kernel, which does it where there is no child; one that another file has.
mkdir wrong && cp parents.cl parents.json wrong
sed 's/>> 15/>> 14/' fill.cl >wrong/fill.cl
check_exit 3 "$COOPBENCH" apps --cpu --app ./wrong/parents.json --mode cooperative --runs 1
check_stderr 'words|sums'

# A child that never ends, for which the kernel waits: its row and its process are lost, and nothing else.
mkdir hangs && cp parents.cl parents.json hangs
sed 's/    uint x = /    for (volatile uint n = 0; first == 256 \&\& salt == 1; n++)\n        ;\n&/' fill.cl >hangs/fill.cl
check_exit 4 "$COOPBENCH" apps --cpu --app ./hangs/parents.json,bfs --scale tiny --mode cooperative --wg-size suited --runs 1 \
  --run-deadline 10 --json hangs.json
check_json hangs.json \
  'sorted((c["id"].split("/")[1], c["status"]) for c in d["cases"]) == [("bfs", "ok"), ("parents", "timeout")]'

refused() { # WORDS COMMAND...
  check_exit 2 "$COOPBENCH" "${@:2}"
  check_stderr "$1"
}
for name in none other missing many number; do
  cp parents.cl $name.cl
done
setup none "$arguments"
setup other "$arguments" '"children": ["blur.cl"]'
setup missing "$arguments" '"children": ["fil.cl"]'
setup many "$arguments" '"children": ["1", "2", "3", "4", "5", "6", "7", "8", "9"]'
setup number "$arguments" '"children": [1]'
refused 'children.*fill.cl' apps --cpu --app ./none.json
refused 'submits the task fill' apps --cpu --app ./other.json
refused 'fil.cl' apps --cpu --app ./missing.json
refused 'at most 8' apps --cpu --app ./many.json
refused 'file of a task' apps --cpu --app ./number.json

# A task that waits for what it submits, and one that gives others what only its file has.
printf '%s\n' 'kernel void fill(global uint *out, uint first, uint salt) { join_tasks(); }' >waits.cl
refused '^coopbench: waits.cl:1:[0-9]+: join_tasks\(\) in fill, which is submitted' merge parents.cl waits.cl
printf '%s\n' 'typedef struct { uint a; } pair;' \
  'kernel void own(pair p, uint n) { if (n) submit_task(own, task_range_1d(1, 1), p, n - 1); }' >own.cl
refused '^coopbench: own.cl:2:[0-9]+: the parameter p has a type of its own' merge parents.cl fill.cl own.cl
printf '%s\n' 'kernel void direct(uint n) { if (n) direct(n - 1); }' >direct.cl
refused 'calls itself' merge direct.cl
check_exit 0 "$COOPBENCH" init parents.cl
check_stdout '"children"'
