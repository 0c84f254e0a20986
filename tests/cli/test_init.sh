#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# First setups of other people's kernels: with build options, with sizes that a trial has found, unchanged to a right row.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

mkdir inc kernels
echo '#define TWICE(x) ((x) + (x))' >inc/twice.h
cat >kernels/rows.cl <<'END'
#include <twice.h>
kernel void rows(global const float *in, global float *out, int width, int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    out[(y + 1) * width + x] = TWICE(in[y * width + x]) * FACTOR; /* a row more than it reads */
}
END
write_ring

counts() { # FILE EXPECTATION OF s, the setup
  check "$1: not $2" python3 -c '
import json, sys
s = json.load(open(sys.argv[1]))
sys.exit(not eval(sys.argv[2]))' "$1" "$2"
}
run_task() { # NAME TASK
  "$COOPBENCH" multitask --cpu --app ./ring.json --task "$2" --runs 1 --warmup 0 --tasks 4 --budget 0.2 --cpu-workgroups 4 \
    --groups 1 -x '*overhead*' --no-profile -q -o results --run-id "$1"
}

# Without its options the kernel is no kernel; with them, from whatever folder.
check_exit 2 "$COOPBENCH" init kernels/rows.cl
check_exit 1 timeout 2 "$COOPBENCH" init kernels/rows.cl -D FACTOR=2 -Iinc -o setups/rows.json # no such folder: no trial
mkdir setups
check_exit 0 "$COOPBENCH" init kernels/rows.cl -D FACTOR=2 -Iinc -o setups/rows.json
check_stderr '^rows: tried on the CPU: a run takes [0-9.e+-]+ ms, and stays within its buffers\.'
counts setups/rows.json 's["global"][0] == s["arguments"]["width"] and s["global"][1] == s["arguments"]["height"]'
counts setups/rows.json 's["arguments"]["out"]["count"] >= s["arguments"]["width"] * (s["arguments"]["height"] + 1)'
counts setups/rows.json 's["arguments"]["in"]["count"] <= s["arguments"]["width"] * s["arguments"]["height"] + 1024'
check_exit 0 "$COOPBENCH" init ring.cl -o ring.json
counts ring.json 's["arguments"]["v"]["count"] >= 2 * s["arguments"]["n"] - 1'
check_exit 0 run_task rows setups/rows.json
all_are ok results/rows

# A change of what is included is another kernel.
hash_of() { python3 -c 'import json, sys; print([i for i in json.load(open(sys.argv[1] + "/run.json"))["cases"][0]["inputs"].items()])' "$1"; }
echo '#define TWICE(x) ((x) * 2)' >inc/twice.h
check_exit 0 run_task changed setups/rows.json
[[ $(hash_of results/rows) != "$(hash_of results/changed)" ]] || fail "what is included is not in the result's identity"

# An access outside is named, however far away: in a task, and in a cooperative kernel.
python3 - <<'END'
import json
setup = json.load(open("setups/rows.json"))
setup["arguments"]["out"]["count"] -= 1024 + setup["arguments"]["width"]
json.dump(setup, open("setups/small.json", "w"))
ring = json.load(open("ring.json"))
ring["arguments"]["v"]["count"] = ring["arguments"]["n"]
json.dump(ring, open("few.json", "w"))
END
check_exit 3 run_task small setups/small.json
all_are verify_failed results/small
counts results/small/run.json \
  '__import__("re").match("small: out: an access to element [0-9]+, which is after its [0-9]+ elements: ", s["cases"][0]["reason"])'
check_exit 3 "$COOPBENCH" apps --cpu --app ./few.json --mode multikernel --verify --runs 1 --no-profile -q -o results --run-id few
all_are verify_failed results/few
counts results/few/run.json \
  '__import__("re").match("few: v: an access to element [0-9]+, which is after its [0-9]+ elements: ", s["cases"][0]["reason"])'

# What reads before a buffer is said so, and so is what nobody can measure.
echo 'kernel void before(global int *v) { v[get_global_id(0)] = v[(int)get_global_id(0) - 1]; }' >before.cl
check_exit 0 "$COOPBENCH" init before.cl -o before.json
check_stderr '^before: edit before.json before you use it: setup: v: an access to element -1, which is before its [0-9]+ elements'

# Where ids that begin further on mend that, they do. One that is right with 0 keeps it.
cat >five.cl <<'END'
kernel void five(global const uchar *in, global uchar *out, int width, int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    uint sum = 0;
    if (x >= width || y >= height)
        return;
    for (int i = -2; i <= 2; i++)
        sum += in[(y + i) * width + x + i];
    out[y * width + x] = sum / 5;
}
END
check_exit 0 "$COOPBENCH" init five.cl -o five.json
check_stderr '^five: tried on the CPU'
counts five.json 's["offset"] == [2, 2] and len(s["global"]) == 2'
counts setups/rows.json '"offset" not in s'
check_exit 0 run_task five ./five.json
all_are ok results/five
echo 'kernel void ever(global int *v) { while (v[0] < 1000) v[1]++; }' >ever.cl # three trials, of 10 s each, and no more
check_exit 0 timeout 90 "$COOPBENCH" init ever.cl -o ever.json
check_stderr '^ever: edit ever.json before you use it: '

# Values that are no sizes: a radius of 16 is too large here. Rows that each work-item goes through are fewer than items.
cat >radius.cl <<'END'
kernel void smooth(global const uint *in, global uint *out, uint width, uint height, uint radius)
{
    const uint x = get_global_id(0);
    for (uint y = 16 * radius; y < height + 2 * radius - 16 * radius; y++)
        out[y * width + x] = in[(y - 16 * radius) * width + x] + in[(height - 16 * radius) * width + x];
}
END
check_exit 0 "$COOPBENCH" init radius.cl -o radius.json
check_stderr '^smooth: tried on the CPU'
counts radius.json 's["arguments"]["radius"] == 2 and s["arguments"]["height"] == 64'

# Local memory: as much as is used, and none that nobody has written: of one kernel by other sizes of workgroups.
cat >pairs.cl <<'END'
#define ITEMS 256
kernel void pairs(global const uint *in, global uint *out)
{
    local uint own[ITEMS];
    const uint i = get_local_id(0), at = get_group_id(0) * ITEMS + i;
    own[i] = in[at];
    own[i + ITEMS / 2] = in[at + ITEMS / 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = own[ITEMS - 1 - i];
    out[at + ITEMS / 2] = own[ITEMS / 2 - 1 - i];
}
END
check_exit 0 "$COOPBENCH" init pairs.cl -o pairs.json
counts pairs.json 's["local"] == 128'
check_exit 0 run_task pairs ./pairs.json
all_are ok results/pairs
cat >wide.cl <<'END'
kernel void wide(global float *out, local float *own)
{
    for (int i = get_local_id(0); i < 3000; i += get_local_size(0))
        own[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = own[2999 - get_local_id(0)];
}
END
check_exit 0 "$COOPBENCH" init wide.cl -o wide.json
counts wide.json 's["arguments"]["own"]["count"] == 3000'
check_exit 0 run_task wide ./wide.json
all_are ok results/wide
echo 'kernel void stale(global float *v) { local float s[64]; if (get_local_id(0) > 9) s[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE); v[get_global_id(0)] = s[get_local_id(0)]; }' >stale.cl
check_exit 0 "$COOPBENCH" init stale.cl -o stale.json
check_stderr '^stale: edit stale\.json .*: v, element 0: .*, as a launch with other numbers in local memory has it: .* reads there what no work-item has written'

# Beyond what it declares, in local memory: what it reads there, and what it writes.
echo 'kernel void beyond(global int *v) { local int s[64]; s[get_local_id(0)] = v[get_local_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
  v[get_global_id(0)] = s[get_local_id(0) + 1]; }' >beyond.cl
echo 'kernel void after(global int *v) { local int s[64]; s[get_local_id(0)] = v[get_global_id(0)]; s[64] = 1;
  barrier(CLK_LOCAL_MEM_FENCE); v[get_global_id(0)] = s[get_local_id(0)] + 1; }' >after.cl
check_exit 0 "$COOPBENCH" init beyond.cl -o beyond.json
check_stderr '^beyond: edit beyond\.json .*: with these sizes it reads there what no work-item has written$'
check_exit 0 "$COOPBENCH" init after.cl -o after.json
check_stderr '^after: edit after\.json .*: setup: an access up to 4 bytes after all that the kernel declares in local memory'

# One that asks where no work-item is does all by one.
echo 'kernel void sums(global int *v, int n) { for (int i = 1; i < n; i++) v[i] += v[i - 1]; }' >sums.cl
check_exit 0 "$COOPBENCH" init sums.cl -o sums.json
counts sums.json 's["global"] == 1 and s["arguments"]["n"] == 64'

# Some versions of PoCL make this wrong, without the merge tool: init tells it from a fault of the kernel.
cat >halves.cl <<'END'
kernel void halves(const global int *in, global int *out, local int *own)
{
    int l = get_local_id(0);
    own[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int skip = 1; skip < get_local_size(0); skip *= 2) {
        if ((l & (2 * skip - 1)) == 0)
            own[l] = own[l] + own[l + skip];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = own[0];
}
END
check_exit 0 "$COOPBENCH" init halves.cl -o halves.json
if grep -q '^halves: edit' err; then
  check_stderr '^halves: edit halves\.json .*: the merged kernel does what a plain launch does without optimisations'
  check_exit 0 "$COOPBENCH" init --build-options -cl-opt-disable halves.cl -o slow.json
  check_json slow.json 'd["build_options"] == "-cl-opt-disable"'
fi
check_stderr '^halves: tried on the CPU'

# The work grows with the third power of the sizes: smaller ones do.
for point in '' 'resizing_global_barrier();'; do
  name=floyd${point:+_app}
  cat >$name.cl <<END
kernel void $name(const global uint *edges, global uint *paths, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        for (uint k = 0; k < n; k++)
            for (uint j = 0; j < n; j++)
                paths[i * n + j] = min(k > 0 ? paths[i * n + j] : edges[i * n + j], edges[i * n + k] + edges[k * n + j]);
    $point
}
END
  check_exit 0 "$COOPBENCH" init $name.cl -o $name.json
  check_stderr "^$name: tried on the CPU: a run takes [0-9.]+ ms, and stays within its buffers"
  counts $name.json '64 <= s["arguments"]["n"] < 1024 and s["arguments"]["paths"]["count"] == s["arguments"]["n"] ** 2'
done

# Bytes of any number.
echo 'kernel void inv(global uchar *v, int n) { if (get_global_id(0) < n) v[get_global_id(0)] = 255 - v[get_global_id(0)]; }' >inv.cl
for n in 63 225; do
  printf '{"kernel": "inv.cl", "global": 256, "local": 64, "period_ms": 20, "arguments": {"v": {"count": %s, "fill": "iota"}, "n": %s}}' \
    $n $n >inv.json
  check_exit 0 run_task inv$n ./inv.json
  all_are ok results/inv$n
done

# Kernels without a setup: where a trial is sure of one, it is made, and found again; else not.
echo 'kernel void twice(global float *v, int n) { if (get_global_id(0) < n) v[get_global_id(0)] *= 2; }' >twice.cl
without() { # NAME TASK.cl
  "$COOPBENCH" multitask --cpu --kernel ring.cl --task "$2" --runs 1 --warmup 0 --tasks 4 --budget 0.2 --cpu-workgroups 4 \
    --groups 1 -x '*overhead*' --no-profile -q -o results --run-id "$1"
}
check_exit 0 without none twice.cl
check_stderr '^Setup: results/setups/setup-[0-9a-f]{8}\.json: look at its values'
all_are ok results/none
check_schema setup.schema.json results/setups/setup-*.json
check_exit 0 without again twice.cl
check_stderr '^Setup: results/setups/setup-[0-9a-f]{8}\.json, of an earlier run$'
check_exit 0 "$COOPBENCH" multitask --cpu --kernel ring.cl --task twice.cl --dry-run -o new/folder # all of it is made
check_stderr '^Setup: new/folder/setups/setup-[0-9a-f]{8}\.json: look at its values'
check_exit 2 without before before.cl
check_stderr 'cannot be guessed for sure: .coopbench init KERNEL\.cl -o setup\.json'
