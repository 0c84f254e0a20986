#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the check of a user's app finds, and what it lets pass; a run goes on only with the same kernel, setup and data.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang

# ---- Numbers that are not finite: a tolerance does not reach them ----
cat >copy.cl <<'CL'
kernel void copy(global const float *in, global float *out)
{
    for (uint i = get_global_id(0); i < 4; i += get_global_size(0))
        out[i] = in[i];
    resizing_global_barrier();
}
CL
copied() { # IN OUT MORE-KEYS
  echo "$1" >in.txt
  echo "$2" >out.txt
  setup copy '"in": {"file": "in.txt"}, "out": {"count": 4, "expect": "out.txt"}' "$3"
  "$COOPBENCH" apps --cpu --app copy.json --mode specialised --verify
}
check_exit 0 copied 'inf -inf nan 1.01' 'inf -inf nan 1' '"tolerance": 0.02'
check_exit 3 copied 'inf 1 2 3' '5 1 2 3' '"tolerance": 1'
check_stderr 'out, element 0: inf instead of 5, as its file has it'
check_exit 3 copied '5 1 2 3' '-inf 1 2 3' '"tolerance": 1'
check_exit 3 copied 'nan 1 2 3' '5 1 2 3' '"tolerance": 1'
check_exit 3 copied '1 1 2 3' '1.1 1 2 3' '"tolerance": 0.05'
check_exit 0 copied '0 1 2 3' '-0 1 2 3' '"tolerance": 0'

# ---- A file has the last word, also where launches of its own have none ----
echo '9 9 9 9' >out.txt
setup copy '"in": {"count": 4}, "out": {"count": 4, "check": false, "expect": "out.txt"}'
check_exit 3 "$COOPBENCH" apps --cpu --app copy.json --mode specialised --verify

# ---- Runs that add less than the tolerance to what the last one left ----
cat >adds.cl <<'CL'
kernel void adds(global float *o)
{
    for (uint i = get_global_id(0); i < 64; i += get_global_size(0))
        o[i] += 0.005f;
    resizing_global_barrier();
}
CL
python3 -c 'print("1 " * 64)' >ones.txt
setup adds '"o": {"file": "ones.txt"}' '"tolerance": 0.01'
check_exit 0 "$COOPBENCH" selftest --cpu --app adds.json --stress 3 --run-id adds
all_are ok results/adds 3

# ---- After the end of a buffer ----
cat >after.cl <<'CL'
kernel void after(global uint *o, global uint *p)
{
    resizing_global_barrier();
    if (get_global_id(0) == 0)
        o[64] = 1;
}
CL
setup after '"o": {"count": 64, "check": false}, "p": {"count": 64}'
check_exit 3 "$COOPBENCH" apps --cpu --app after.json --run-id after
all_are verify_failed results/after 4
check_stderr 'o: an access to element 64, which is after its 64 elements: an index of it is wrong, or "count"'
check 'the kernel is not suspected' grep -q 'likeliest cause is your kernel' <(tr -s '\n ' ' ' <out) # lines are wrapped

# ---- What depends on the size of workgroups is compared with runs of that size ----
cat >sized.cl <<'CL'
kernel void sized(global uint *v, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        v[i] += get_local_size(0);
    resizing_global_barrier();
}
CL
setup sized '"v": {"count": 64}, "n": 64' '"workgroup_size": 32'
cat >wide.cl <<'CL'
kernel void wide(global uint *v)
{
    v[get_global_id(0)] += get_local_size(0);
}
CL
setup wide '"v": {"count": 512}' '"global": 512, "local": 64, "period_ms": 10'
check_exit 0 "$COOPBENCH" apps --cpu --app sized.json --wg-size 16,64 --runs 2 --run-id sized
all_are ok results/sized
check_exit 0 "$COOPBENCH" multitask --cpu --app sized.json --task wide.json --groups 1 --runs 1 --budget 0.1 --run-id wide
all_are ok results/wide # whose workgroups are larger

# ---- What the compiler warns of is told once, with its place, and with -q not at all ----
cat >warned.cl <<'CL'
kernel void warned(global uint *v)
{
    if (v[0] = 3)
        v[0] = 4;
    resizing_global_barrier();
}
CL
setup warned '"v": {"count": 64}'
warned() { POCL_CACHE_DIR=$PWD/$1 "$COOPBENCH" apps --cpu --app warned.json --verify "${@:2}"; } # compiled anew
check_exit 0 warned told --shared ignore
check 'not one warning' test "$(grep -c 'warning' err)" = 1
check_stderr '^warning: .*warned.cl:3:[0-9]+: using the result of an assignment as a condition'
check_exit 0 warned quiet -q
check 'not quiet' test ! -s err

# ---- The command for a failure is one that works ----
cat >counts.cl <<'CL'
kernel void counts(global uint *o)
{
    resizing_global_barrier();
    if (get_global_id(0) == 0)
        o[0] = 100 + get_num_groups(0);
    resizing_global_barrier();
}
CL
setup counts '"o": {"count": 1}'
check_exit 3 "$COOPBENCH" apps --cpu --app counts.json --mode specialised --verify
check_stderr 'o, element 0: 10[0-9] instead of 104, as multikernel mode with 4 workgroups has it'
setup after '"o": {"count": 64}, "p": {"count": 64}'
check_exit 3 "$COOPBENCH" selftest --cpu --app ./after.json --stress 2 --seed 5
command=$(sed -n 's/^ *`coopbench \(selftest .*\)`$/\1/p' out | head -n 1)
check "no command for the failure: $command" test -n "$command"
read -ra words <<<"$command"
check_exit 3 "$COOPBENCH" "${words[@]}"

# ---- Another kernel, setup or data: no run goes on with these ----
cp "$SOURCE_DIR/examples/ring.cl" .
python3 -c 'print("5 " * 100)' >in.txt
ring() { setup ring "\"input\": {\"file\": \"in.txt\"}, \"rings\": {\"count\": 200}, \"n\": 100, \"rounds\": $1"; }
ring 3
measure() { "$COOPBENCH" apps --cpu --app ring.json --mode portable --runs 2 "$@"; }
check_exit 0 measure --run-id first
check_exit 0 measure --resume results/first
changed() {
  check_exit 2 measure --resume results/first
  check_stderr 'kernels'
}
ring 4
changed
ring 3
check_exit 0 measure --resume results/first
sed -i 's|/ 3;|/ 2;|' ring.cl
changed
sed -i 's|/ 2;|/ 3;|' ring.cl
check_exit 0 measure --resume results/first
python3 -c 'print("6 " * 100)' >in.txt
changed
