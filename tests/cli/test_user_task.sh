#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Plain kernels of the user as tasks, by their setups, beside apps of theirs and ours; wrong ones are found.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

multitask() { "$COOPBENCH" multitask --cpu --scale tiny --groups 1 --runs 2 --budget 0.1 --barrier atomic "$@"; }
task() { setup "$1" "$3" "\"period_ms\": 20, $2"; } # NAME RANGE ARGUMENTS

# ---- Right ones ----
# Two dimensions and a helper, beside a kernel of the user's and two of ours.
cp "$SOURCE_DIR/examples/ring.cl" .
sed 's/00000/000/g' "$SOURCE_DIR/examples/ring.json" >ring.json
cp "$SOURCE_DIR/examples/blur.cl" .
sed 's/786432/3072/; s/1024/64/; s/768/48/; s/\[16, 4\]/[8, 4]/' "$SOURCE_DIR/examples/blur.json" >blur.json
check_schema setup.schema.json "$SOURCE_DIR/examples/blur.json"
check_schema setup.schema.json blur.json
check_exit 0 multitask --app ./ring.json,bfs,octree --task ./blur.json --run-id blur --json document.json
all_are ok results/blur 6
check_stdout '^ring ./ring.json beside the task blur: a task \([0-9.]+ (µs|ms) as a launch of its own, [0-9]+ % in time\) every 20.0 ms$'
check_stdout '^- Give the task `blur` \(every 20.0 ms\) 1 workgroup|`blur` \(every 20.0 ms\) is late'
check_schema run.schema.json document.json
check_json document.json \
  'sorted(c["id"] for c in d["cases"] if "blur" in c["id"]) ==
   [f"multitask/{app}/blur/groups=1,barrier={b}" for app, b in [("bfs", "atomic"), ("octree", "none"), ("ring", "atomic")]]' \
  'all(metric(c["id"], "launch_time")["median"] > 0 for c in d["cases"] if "blur" in c["id"])' \
  'all(c["params"]["wg-size"] >= 32 for c in d["cases"])' \
  'all({"hash", "source"} == set(c["inputs"]["task"]) for c in d["cases"] if "blur" in c["id"])'
check_exit 0 multitask --app ./ring.json,bfs,octree --task ./blur.json --resume results/blur

# What was built before the run is there.
check_exit 0 multitask --app ./ring.json,bfs,octree --task ./blur.json --run-id again
check "kernels are built again" eval '! grep -q "^Building" err'

# Each adds to what the last one left; local memory, barriers, a trace.
cat >sums.cl <<'CL'
kernel void sums(global uint *sums, const global uint *in, local uint *room, ushort2 add)
{
    const uint item = get_local_id(0);
    room[item] = in[get_global_id(0)] + add.x;
    for (uint left = get_local_size(0) / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < left)
            room[item] += room[item + left];
    }
    if (item == 0)
        sums[get_group_id(0)] += room[0];
}
CL
task sums '"global": 512, "local": [32]' \
  '"sums": {"count": 16, "fill": "iota"}, "in": {"count": 512, "fill": "random"}, "room": {"count": 32}, "add": 3'
check_schema setup.schema.json sums.json
check_exit 0 multitask --app game --task sums.json --trace traces --run-id sums
all_are ok results/sums 2
check "no trace" test -s traces/game-sums-1-none-0_0.tsv

# Structures, vectors of three and halves, by value, in buffers and in local memory.
cat >nodes.cl <<'CL'
typedef struct { bool odd; float3 at; half h; short edges[2][2]; union { float f; uint u; }; } node;
typedef struct { char3 c; double d; } change;
kernel void nodes(global node *all, change by, int3 k, local node *room, uchar last, global float3 *to, global atomic_int *n)
{
    const uint i = get_global_id(0);
    room[get_local_id(0)] = all[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    node own = room[get_local_size(0) - 1 - get_local_id(0)];
    own.odd = own.edges[1][0] & 1;
    own.at += to[i] * (float)by.d;
    own.edges[1][1] += k.z + by.c.y + last;
    own.f += 1;
    vstore_half((float)k.y, 0, &own.h);
    all[i] = own;
    atomic_fetch_add(n, own.edges[1][1]);
}
CL
task nodes '"global": 256, "local": 32' '"all": {"count": 256, "members": {"edges": [1, 2, 3, 4], "f": {"fill": "iota"}}},
  "by": {"members": {"c": [1, -2, 3], "d": 0.5}}, "k": [5, 6, 7], "room": {"count": 32}, "last": 200,
  "to": {"count": 256, "fill": "random"}, "n": {"count": 1}'
check_schema setup.schema.json nodes.json
check_exit 0 multitask --app game --task nodes.json --run-id nodes
all_are ok results/nodes
check_exit 0 "$COOPBENCH" init nodes.cl -o first_nodes.json
check_schema setup.schema.json first_nodes.json
check_exit 0 multitask --app game --task first_nodes.json
sed -i 's/"room": {"count": 32}/"room": {"count": 400}/' nodes.json
check_exit 2 multitask --app game --task nodes.json --dry-run
check_stderr 'room: the local memory that a task.s arguments ask for is more than 16384 bytes'

# Ids that do not begin with 0, in rows and in workgroups: without the offset, elements before all.
shifted() { # NAME VALUE
  cat >"$1.cl" <<CL
kernel void $1(global ulong *rows, uint width)
{
    rows[(get_global_id(1) - 5) * width + get_global_id(0) - 3] += $2 + get_global_id(1);
}
CL
  task "$1" '"global": [24, 8], "local": [8, 2], "offset": [3, 5]' '"rows": {"count": 192, "fill": "iota"}, "width": 24'
  check_schema setup.schema.json "$1.json"
  check_exit 0 multitask --app game --task "$1.json" --run-id "$1"
  all_are ok "results/$1"
  sed -i 's/, "offset": \[3, 5\]//' "$1.json"
  check_exit 3 multitask --app game --task "$1.json"
  check_stderr 'rows: a plain launch writes to element -[0-9]+, which is before its 192 elements'
}
shifted inner 'get_global_linear_id() * 1000 + get_global_offset(1) * 10'
shifted marked 'get_group_id(0) * 1000 + get_local_id(1)'

# As they come, and within which time.
for arrivals in '"poisson"' '"closed"' '{"file": "times.txt"}'; do
  echo '0 1 5 30' >times.txt
  task sums "\"global\": 512, \"local\": 32, \"deadline_ms\": 1000, \"arrivals\": $arrivals" \
    '"sums": {"count": 16}, "in": {"count": 512}, "room": {"count": 32}, "add": 3'
  check_schema setup.schema.json sums.json
  check_exit 0 multitask --app game --task sums.json --json document.json
  case $arrivals in
    *poisson*) check_stdout 'at random, every 20.0 ms on average, each to be answered within 1.00 s$' ;;
    *closed*) check_stdout "20.0 ms after the last one's answer, each to be answered within 1.00 s\$" ;;
    *) check_stdout 'at the times of a file, again after 20.0 ms, each to be answered within 1.00 s$' ;;
  esac
  check_json document.json 'case("*/sums/*")["params"]["deadline_ns"] == 1e9' \
    '"arrivals" in case("*/sums/*")["params"]'
done

# A first setup of a plain kernel is a task's.
rm -f blur2.json
check_exit 0 "$COOPBENCH" init blur.cl -o blur2.json
check_schema setup.schema.json blur2.json
check_json blur2.json 'd["global"][0] >= 64 and d["local"] == [8, 8] and d["period_ms"] > 0'
check_exit 0 multitask --app ring.json --task ./blur2.json

# ---- Wrong ones are found ----
# Work that is left out, work that is done twice.
copy_sources sources
plant sources/kernels/coop/task_kernels.clh 's/(ulong)(first + parts)/(ulong)(first + parts - 1)/'
cp sums.cl sums.json blur.cl blur.json ring.cl ring.json sources
COOPBENCH_KERNEL_DIR=$PWD/sources check_exit 3 multitask --app ring.json --task blur.json --run-id left
check_stderr 'out, element [0-9]+: 0 instead of 0\.[0-9]+, as a plain launch has it'
copy_sources sources
plant sources/kernels/coop/task_kernels.clh 's/decision->shares + cb_fetch_add/decision->shares - 1 + cb_fetch_add/'
COOPBENCH_KERNEL_DIR=$PWD/sources check_exit 3 multitask --app ring.json --task sums.json --run-id twice
check_stderr 'sums, element [0-9]+: [0-9]+ instead of [0-9]+, as a plain launch has it'

cat >after.cl <<'CL'
kernel void after(global uint *o)
{
    o[get_global_id(0) + 1] = 1;
}
CL
task after '"global": 64, "local": 8' '"o": {"count": 64}'
check_exit 3 multitask --app ring.json --task after.json --run-id after
check_stderr 'o: an access to element 64, which is after its 64 elements: an index of it is wrong, or "count"'
check 'the kernel is not suspected' grep -q 'likeliest cause is your kernel' <(tr -s '\n ' ' ' <out) # lines are wrapped

# One that never ends costs its row and its process, and nothing else.
cat >forever.cl <<'CL'
kernel void forever(global uint *o, uint n)
{
    while (o[0] != n)
        o[get_local_id(0) + 1]++;
}
CL
task forever '"global": 16, "local": 8' '"o": {"count": 9}, "n": 7'
check_exit 4 multitask --app ring.json --task forever.json --run-id forever
check_stderr 'forever, as a launch of its own: a task has to end: it has not ended after 10 s'
check_json results/forever/run.json \
  '{c["id"]: c["status"] for c in d["cases"]} ==
   {"multitask/ring/overhead/barrier=atomic": "ok", "multitask/ring/forever/groups=1,barrier=atomic": "timeout"}'

# One that ends as launches of its own, but not for the twelfth time beside the kernel, which goes on or is given up.
cat >stops.cl <<'CL'
kernel void stops(volatile global uint *o)
{
    if (get_global_id(0) == 0)
        for (o[0]++; o[0] > 11; o[1]++)
            ;
}
CL
setup stops '"o": {"count": 2}' '"period_ms": 1, "global": 16, "local": 8'
hangs() { check_exit 4 multitask --app ring.json --task stops.json --task-deadline 0.5 "$@"; }
hangs --on-timeout give-up
check_stderr 'task 12 has not ended after 0.5 s: the kernel beside it was given up'
hangs --json hung.json
check_stderr 'task 12 has not ended after 0.5 s: the kernel beside it went on, and ended once more'
check_json hung.json '[c["status"] for c in d["cases"]] == ["ok", "timeout"]'

# Another kernel, and another setup: the run does not go on.
sed -i 's/ \/ 9/ \/ 10/' blur.cl
check_exit 2 multitask --app ./ring.json,bfs,octree --task ./blur.json --resume results/blur

# ---- Refused ----
refused() { # WORDS COMMAND...
  check_exit 2 "${@:2}"
  check_stderr "$1"
}
refused 'task: expected matmul, reduce, a kernel, as blur.cl, or a setup, as ./blur.json, got "mtmul" \(did you mean "matmul"\?\)' multitask --task mtmul
refused 'a task.s setup has its NDRange and how often it comes, as "global"' multitask --app bfs --task ring.json
refused 'it has an NDRange, as a task.s: --task ./blur.json' multitask --app ./blur.json
task blur3 '"global": [64, 48], "local": [8, 4]' ''
sed -i 's/blur3.cl/ring.cl/' blur3.json
refused 'a kernel with scheduling points is no task, but an app: --app' multitask --app bfs --task ./blur3.json
room='{"count": 32}'
wrong() { # WORDS RANGE [ROOM]
  setup sums "\"sums\": {\"count\": 16}, \"in\": {\"count\": 512}, \"room\": ${3:-$room}, \"add\": 3" "$2"
  refused "$1" multitask --app bfs --task sums.json
}
wrong 'sums.json:1: local: expected one to three numbers of work-items' '"global": 512, "period_ms": 20'
wrong 'local: expected as many numbers as "global" has' '"global": 512, "local": [8, 4], "period_ms": 20'
wrong 'offset: expected as many numbers as "global" has' '"global": 512, "local": 8, "offset": [1, 2], "period_ms": 20'
wrong 'offset: expected a whole number from 0 to 4294967295' '"global": 512, "local": 8, "offset": -1, "period_ms": 20'
wrong 'global: 512 work-items are no workgroups of 24' '"global": 512, "local": 24, "period_ms": 20'
wrong 'local: 8192 work-items are too many for a workgroup: at most 4096' '"global": 8192, "local": 8192, "period_ms": 20'
wrong 'period_ms: expected how often a task comes' '"global": 512, "local": 32'
wrong 'period_ms: expected a number from 0.001 to 3600000' '"global": 512, "local": 32, "period_ms": 0'
wrong 'arrivals: expected "periodic", "poisson", "closed" or' '"global": 512, "local": 32, "period_ms": 20, "arrivals": "often"'
wrong 'deadline_ms: is a task.s, which has "global", too' '"deadline_ms": 20'
echo '3 2' >times.txt
wrong 'arrivals: number 2 of the file, 2: expected milliseconds that rise' \
  '"global": 512, "local": 32, "period_ms": 20, "arrivals": {"file": "times.txt"}'
wrong 'setup: deadline_ms: expected a number from 0.001' '"global": 512, "local": 32, "period_ms": 20, "deadline_ms": 0'
wrong 'global: expected a whole number from 1' '"global": [0], "local": 32, "period_ms": 20'
wrong 'global: expected one to three numbers' '"global": [2, 2, 2, 2], "local": 32, "period_ms": 20'
wrong 'period_ms: is a task.s, which has "global", too' '"period_ms": 20'
wrong 'workgroup_size: a task.s workgroups are as large as "local" says' \
  '"global": 512, "local": 32, "period_ms": 20, "workgroup_size": 8'
wrong 'room: is local memory: expected \{"count": how many elements\}' '"global": 512, "local": 32, "period_ms": 20' 3
wrong 'room: "fill" is not known here' '"global": 512, "local": 32, "period_ms": 20' '{"count": 32, "fill": "zero"}'
cp blur.json heavy.json
refused 'a workload is called heavy: give this one another name' multitask --app bfs --task ./heavy.json

# By the device: a row says why.
check_exit 77 multitask --app ring.json --task blur.json --wg-size 16 --filter '*/blur/*'
check_stderr 'blur: a task.s workgroups have 32 work-items, more than the 16 of the megakernel.s: --wg-size, or a smaller "local"'
