#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Kernels of the user as apps, by their setups: in all modes, beside tasks, under stress; wrong ones are found.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang

# ---- Right ones ----
cp "$SOURCE_DIR/examples/ring.cl" .
sed 's/00000/0000/g' "$SOURCE_DIR/examples/ring.json" >ring.json
check_schema setup.schema.json "$SOURCE_DIR/examples/ring.json"
check_exit 0 "$COOPBENCH" apps --cpu --app ./ring.json --runs 2 --run-id ring
all_are ok results/ring 4
check_stdout '^| ring '
check_schema run.schema.json results/ring/run.json

# Of every kind of argument; each run adds to what the last one left, and workgroups leave and come anywhere.
cat >sums.cl <<'CL'
kernel void sums(global uint *words, const global float4 *from, global float4 *to, global long *signs, uint n, float factor,
                 int2 pair, volatile global uchar *bytes)
{
    for (transmit uint round = 0; round < n; round++) {
        for (uint i = get_global_id(0); i < 500; i += get_global_size(0)) {
            words[i] += round;
            to[i] += from[i] * factor;
            signs[i] += pair.x + pair.y;
            bytes[i]++;
        }
        resizing_global_barrier();
    }
}
CL
setup sums '"words": {"count": 500, "fill": "iota"}, "from": {"count": 500, "fill": "random", "seed": 7, "below": 2.5},
  "to": {"count": 500}, "signs": {"count": 500, "fill": "random", "below": 9}, "n": 20, "factor": 1.25, "pair": -3,
  "bytes": {"count": 500}' '"workgroup_size": 16'
check_schema setup.schema.json sums.json
check_exit 0 "$COOPBENCH" multitask --cpu --app ./sums.json,ring.json --workload light --groups 1 --runs 2 --budget 0.1 \
  --gather-tasks 5 --run-id tasks
all_are ok results/tasks
check_exit 0 "$COOPBENCH" multitask --cpu --app ./sums.json --beside ./ring.json --workload light --groups 1 --runs 1 --budget 0.1 \
  --gather-tasks 5 -x '*overhead*' --run-id beside
all_are ok results/beside 1
check_stdout '^sums \./sums\.json and ring beside the workload light'
check_exit 0 "$COOPBENCH" preempt --cpu --app ./sums.json --beside ring.json --dry-run
check_stdout '^preempt/sums/beside=ring '
check_exit 2 "$COOPBENCH" multitask --cpu --app ./sums.json --beside ring.cl --dry-run
check_stderr "beside: ring\.cl is a kernel: give its setup, which 'coopbench init ring\.cl -o setup\.json' writes"
check_exit 0 "$COOPBENCH" selftest --cpu --app sums.json --stress 8 --seed 3 --run-id stress
all_are ok results/stress
check_exit 0 "$COOPBENCH" selftest --cpu --app sums.json --stress 8 --seed 3 --resume results/stress

# Structures, by value and in a buffer, with padding that differs; more parameters than most kernels have.
more=$(printf ', uint a%d' {1..120})
sum=$(printf ' + a%d' {1..120})
cat >nodes.cl <<CL
typedef struct { char kind; int edges[2]; float3 at; } node;
kernel void nodes(global node *all, node add, global uint *sums$more)
{
    for (transmit uint round = 0; round < 3; round++) {
        for (uint i = get_global_id(0); i < 100; i += get_global_size(0)) {
            node n = all[i];
            n.kind += add.kind;
            n.edges[1] += add.edges[0];
            n.at += add.at;
            all[i] = n;
            sums[i] = all[i].edges[1]$sum;
        }
        resizing_global_barrier();
    }
}
CL
setup nodes '"all": {"count": 100, "members": {"kind": 1, "edges": [5, -6], "at": {"fill": "iota"}}}, "sums": {"count": 100},
  "add": {"members": {"kind": -3, "edges": 2, "at": [1, 2, 3]}}'"$(printf ', "a%d": 1' {1..120})"
check_schema setup.schema.json nodes.json
check_exit 0 "$COOPBENCH" apps --cpu --app nodes.json --verify --runs 1
check_exit 0 "$COOPBENCH" init nodes.cl -o nodes_first.json
check_schema setup.schema.json nodes_first.json

# Offers: no barrier is chosen.
cat >offers.cl <<'CL'
kernel void offers(global uint *words)
{
    for (transmit uint turn = 0; turn < 50; turn++) {
        offer_kill();
        request_fork();
    }
    if (get_global_id(0) == 0)
        words[0] = 1;
}
CL
setup offers '"words": {"count": 1}'
check_exit 0 "$COOPBENCH" multitask --cpu --app ./offers.json --workload none --runs 1 --budget 0.1 --run-id offers
all_are ok results/offers 1
check_stdout '^| offers .*| none '

# A first setup, which runs as it is.
check_exit 0 "$COOPBENCH" init sums.cl -o first.json
check_stdout 'multitask --app ./first.json'
check_schema setup.schema.json first.json
check_exit 0 "$COOPBENCH" apps --cpu --app first.json --mode specialised --verify
check_exit 2 "$COOPBENCH" init sums.cl -o first.json
check_stderr 'first.json: File exists'
check_exit 0 "$COOPBENCH" init sums.cl:sums
check_stdout '"kernel":.*"sums.cl:sums"'
mkdir -p other
check_exit 0 "$COOPBENCH" init sums.cl -o other/first.json # it finds the kernel from there, too
check_exit 0 "$COOPBENCH" apps --cpu --app other/first.json --mode specialised --verify
check_exit 2 "$COOPBENCH" init sums.cl -o 'a b.json'
check_stderr 'letters, digits'
check_exit 2 "$COOPBENCH" init
check_exit 2 "$COOPBENCH" init no.cl

# Files of data: bytes, NumPy's, numbers.
cat >halves.cl <<'CL'
kernel void halves(global const int *a, global const int *b, global const int *c, global int2 *out)
{
    for (uint i = get_global_id(0); i < 3; i += get_global_size(0))
        out[i] = (int2)(a[i] + b[i], c[i]);
    resizing_global_barrier();
}
CL
python3 - <<'PYTHON'
import struct
values = 7, -9, 2**31 - 1
open("a.raw", "wb").write(struct.pack("<3i", *values))
header = "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }".ljust(117) + "\n"
for version, name in ((1, "b.npy"), (2, "late.npy")):
    size = struct.pack("<H" if version == 1 else "<I", len(header))
    open(name, "wb").write(b"\x93NUMPY" + bytes((version, 0)) + size + header.encode() + struct.pack("<3i", 1, 2, -3))
open("float.npy", "wb").write(open("b.npy", "rb").read().replace(b"<i4", b"<f4"))
open("row.npy", "wb").write(open("b.npy", "rb").read().replace(b"False", b"True "))
open("fortran.npy", "wb").write(open("row.npy", "rb").read().replace(b"(3,), }   ", b"(1, 3), } "))
open("more.npy", "wb").write(open("b.npy", "rb").read().replace(b"(3,)", b"(4,)"))
open("none.npy", "wb").write(open("b.npy", "rb").read().replace(b"shape", b"other"))
open("version.npy", "wb").write(open("b.npy", "rb").read().replace(b"NUMPY\x01", b"NUMPY\x09"))
open("cut.npy", "wb").write(open("b.npy", "rb").read()[:100])
open("odd.raw", "wb").write(bytes(11))
open("c.txt", "w").write("01, 0x10\n\t-3\n")
open("right.csv", "w").write("8;1;-7;16;2147483644;-3\n")
open("wrong.csv", "w").write("8;1;-7;16;2147483644;-4\n")
open("large.txt", "w").write("1 2\n3000000000\n")
open("words.txt", "w").write("1 two 3\n")
PYTHON
files() { setup halves "\"a\": {\"file\": \"$1\"}, \"b\": {\"file\": \"$2\"}, \"c\": {\"file\": \"$3\", \"count\": 3},
  \"out\": {\"count\": 3, \"expect\": \"$4\"}"; }
run_files() { files "$@" && "$COOPBENCH" apps --cpu --app halves.json --mode specialised --verify; }
check_exit 0 run_files a.raw b.npy c.txt right.csv
check_schema setup.schema.json halves.json
check_exit 0 run_files a.raw late.npy c.txt right.csv
check_exit 0 run_files a.raw row.npy c.txt right.csv # both orders are the same
check_exit 3 run_files a.raw b.npy c.txt wrong.csv
check_stderr 'out, element 2, y: -3 instead of -4'
no_file() { # FILES... TEXT
  check_exit 2 run_files "${@:1:4}"
  check_stderr "$5"
}
no_file none.raw b.npy c.txt right.csv 'cannot read .*none.raw'
no_file odd.raw b.npy c.txt right.csv '11 bytes are no elements of 4'
no_file a.raw float.npy c.txt right.csv 'its numbers are <f4, the kernel.s <i4'
no_file a.raw fortran.npy c.txt right.csv 'in Fortran.s order'
no_file a.raw more.npy c.txt right.csv 'it has 3 numbers, and its shape says 4: .4,. of <i4'
no_file a.raw none.npy c.txt right.csv "its header has no 'shape'"
no_file a.raw version.npy c.txt right.csv 'no .npy file of version 1 to 3'
no_file a.raw cut.npy c.txt right.csv 'a header of 118 bytes in a file of 100'
no_file a.raw c.txt large.txt right.csv 'large.txt:2: "3000000000" is none'
no_file a.raw b.npy words.txt right.csv 'words.txt:1: "two" is none'
no_file a.raw b.npy c.txt c.txt 'c.txt: 3 numbers are no vectors of 2'
files a.raw b.npy c.txt right.csv
sed -i 's/{"file": "b.npy"/{"count": 77, "file": "b.npy"/' halves.json
check_exit 2 "$COOPBENCH" apps --cpu --app halves.json
check_stderr 'file: it has [0-9]+ elements \(shape \([0-9, ]+\) of <i4\), not 77: edit "count", or leave it out'

# ---- Wrong ones ----
cat >counts.cl <<'CL'
kernel void counts(global float *out, global int *scratch)
{
    resizing_global_barrier();
    if (get_global_id(0) == 0)
        out[2] = 1 + get_num_groups(0) * 1e-5f;
    scratch[get_global_id(0) % 8] = get_num_groups(0);
    resizing_global_barrier();
}
CL
setup counts '"out": {"count": 3}, "scratch": {"count": 8, "check": false}'
check_exit 3 "$COOPBENCH" apps --cpu --app counts.json --mode specialised --runs 1 --run-id wrong
check_stderr 'out, element 2: 1\.0000[0-9]* instead of 1\.0000[0-9]*'
all_are verify_failed results/wrong
setup counts '"out": {"count": 3}, "scratch": {"count": 8, "check": false}' '"tolerance": 1e-3'
check_exit 0 "$COOPBENCH" apps --cpu --app counts.json --mode specialised --runs 1
setup counts '"out": {"count": 3}, "scratch": {"count": 8}' '"tolerance": 1e-3'
check_exit 3 "$COOPBENCH" apps --cpu --app counts.json --mode specialised --runs 1

# ---- What is no setup, and no argument ----
refused() { # SETUP TEXT
  printf '%s' "$1" >bad.json
  check_exit 2 "$COOPBENCH" apps --cpu --app bad.json
  check_stderr "$2"
}
ring='"input": {"count": 10}, "rings": {"count": 20}'
refused '{' 'bad.json: this is no JSON'
refused '{} {}' 'bad.json: this is no JSON'
refused '[]' 'bad.json:1: setup: expected an object'
refused '{"kernel": 3}' 'kernel: expected the file of a kernel'
refused '{"kernel": "no.cl", "arguments": {}}' 'cannot read ./no.cl'
for key in schema schema_version summary; do
  refused "{\"kernel\": \"ring.cl\", \"$key\": 1.0}" "$key: expected a text"
done
refused '{"kernel": "ring.cl"}' 'arguments: expected an object'
refused '{"kernel": "ring.cl", "argumens": {}}' '"argumens" is not known here'
refused '{"kernel": "ring.cl", "tolerance": 2, "arguments": {}}' 'tolerance: expected a number from 0 to 1'
refused '{"kernel": "ring.cl", "workgroup_size": 1.5, "arguments": {}}' 'expected a whole number from 1 to 4096'
refused '{"kernel": "ring.cl", "schema_version": "2.0", "arguments": {}}' 'version 1.x'
refused "{\"kernel\": \"ring.cl\", \"arguments\": {$ring, \"n\": 10}}" 'rounds .uint. is not there'
refused "{\"kernel\": \"ring.cl\", \"arguments\": {$ring, \"n\": 10, \"rounds\": 1.5}}" 'rounds: expected a whole number from 0 to 4294967295'
refused "{\"kernel\": \"ring.cl\", \"arguments\": {$ring, \"n\": -1, \"rounds\": 1}}" 'n: expected a whole number from 0 to 4294967295'
refused "{\"kernel\": \"ring.cl\", \"arguments\": {$ring, \"n\": 1, \"rounds\": 1, \"m\": 1}}" '"m" is not known here'
refused '{"kernel": "ring.cl", "arguments": {"input": 5}}' 'is a buffer: expected'
refused '{"kernel": "ring.cl", "arguments": {"input": {"count": 0}}}' 'count: expected a whole number from 1'
refused '{"kernel": "ring.cl", "arguments": {"input": {"count": 1, "fill": "ones"}}}' 'expected "zero", "iota" or "random"'
refused '{"kernel": "ring.cl", "arguments": {"input": {"count": 1, "fill": 3}}}' 'expected "zero", "iota" or "random"'
refused '{"kernel": "ring.cl", "arguments": {"input": {"count": 1, "check": "no"}}}' 'check: expected true or false'
refused '{"kernel": "ring.cl", "kernel": "sums.cl", "arguments": {}}' '"kernel" is there twice'
refused '{"kernel": "ring.cl:circle", "arguments": {}}' 'circle'
cp "$SOURCE_DIR/tests/fixtures/tasks/saxpy.cl" .
refused '{"kernel": "saxpy.cl", "arguments": {}}' 'no kernel with scheduling points'
echo 'kernel void k(global uint *p) { resizing_global_barrier() }' >broken.cl
refused '{"kernel": "broken.cl", "arguments": {"p": {"count": 1}}}' 'broken.cl:1:'
printf '%s\n' 'struct s { global int *i; };' 'kernel void k(global struct s *p)' '{ resizing_global_barrier(); }' >record.cl
refused '{"kernel": "record.cl", "arguments": {"p": 1}}' 'p: the kernel says "global struct s \*": its member i is a pointer'
check_exit 2 "$COOPBENCH" init record.cl
check_stderr 'its member i is a pointer'
long=$(printf 'x%.0s' {1..70})
echo "kernel void k(ulong $long, float f)" >large.cl
echo '{ resizing_global_barrier(); }' >>large.cl
refused "{\"kernel\": \"large.cl\", \"arguments\": {\"$long\": 1e16, \"f\": 0}}" 'from 0 to 9007199254740992'
refused "{\"kernel\": \"large.cl\", \"arguments\": {\"$long\": 5, \"f\": 1e39}}" 'f: expected a number from -3.40'
printf '%s\n' 'kernel void k(global uint *p)' '{' 'p[0] = coop_run();' 'resizing_global_barrier();' '}' >runs.cl
refused '{"kernel": "runs.cl", "arguments": {"p": {"count": 1}}}' 'coop_run.. counts the runs of a launch'
check_exit 2 "$COOPBENCH" apps --cpu --app ./no.json
check_stderr 'cannot read ./no.json'
cp ring.json bfs.json
check_exit 2 "$COOPBENCH" apps --cpu --app bfs.json
check_stderr 'there is an app bfs: give this one another name'
cp ring.json 'a b.json'
check_exit 2 "$COOPBENCH" apps --cpu --app 'a b.json'
check_stderr 'letters, digits'

# More than the device has: a row says so, and of which argument.
setup ring "\"input\": {\"count\": 1e11}, \"rings\": {\"count\": 20}, \"n\": 10, \"rounds\": 1"
check_exit 77 "$COOPBENCH" apps --cpu --app ring.json --runs 1
check_stderr 'input: no room for 372\.5 GiB more on .*, which has [0-9.]+ [GM]iB in all'
