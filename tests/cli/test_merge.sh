#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# 'coopbench merge': the guide's example in ordinary OpenCL C runs, and has the result of a plain loop; files, names and errors.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
: "${COOP_EXAMPLE:?is tests/cli/coop_example.c, built}"

need_libclang
awk '/^```c$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside { print > ("block" n ".c") }' \
  "$SOURCE_DIR/docs/cooperative-kernels.md"
ring=$(grep -l '^kernel void smooth_ring(' block?.c | head -n 1) || true
check "the guide has an example in ordinary OpenCL C" test -n "$ring"
cp "$ring" ring.cl

# ---- Files and names -----------------------------------------------------------------------------

check_exit 0 "$COOPBENCH" merge ring.cl
check_stdout '^coop_kernel\(smooth_ring\)$'
check_stdout '^#line [0-9]+ "ring.cl"$'
cp out written
check_exit 0 "$COOPBENCH" merge ring.cl:smooth_ring -o merged.cl
check "-o writes another text" cmp written merged.cl

check_exit 2 "$COOPBENCH" merge
check_stderr 'merge which kernel\? For instance: coopbench merge'
check_exit 2 "$COOPBENCH" merge ring.cl:smooth
check_stderr 'there is no kernel smooth in it; there is smooth_ring$'
check_exit 2 "$COOPBENCH" merge not-there.cl
check_stderr 'not-there.cl'
check_exit 1 "$COOPBENCH" merge ring.cl -o not/there.cl
check_stderr '^coopbench: -o: cannot write not/there.cl: '
sed 's/transmit uint round/uint round/' ring.cl >wrong.cl
check_exit 2 "$COOPBENCH" merge wrong.cl -o wrong-merged.cl
check_stderr 'wrong.cl:19:9: round lives across resizing_global_barrier\(\), and a workgroup that joins'
check "a kernel that cannot be merged is written" test ! -e wrong-merged.cl

# Files that include each other, and options that nothing can be made of.
echo '#include "back.h"' >forth.h
echo '#include "forth.h"' >back.h
{ echo '#include "forth.h"' && cat ring.cl; } >circle.cl
check_exit 1 "$COOPBENCH" merge circle.cl
check_stderr '^coopbench: \./(forth|back)\.h:1: (forth|back)\.h is included within 128 others, as by a circle: let files'
sed -i '1i #pragma once' forth.h
check_exit 0 "$COOPBENCH" merge circle.cl
check_exit 2 "$COOPBENCH" merge ring.cl -D 4=N
check_stderr '^coopbench: the build options:1:9: macro name must be an identifier'
check_exit 2 "$COOPBENCH" merge ring.cl -cl-std=CL9
check_stderr '^coopbench: unknown option -c in "-cl-std=CL9"$'

# What may be wrong is a warning, as compilers write it, of 'init', too; and all else is as it would be without.
cat >perhaps.cl <<'END'
kernel void perhaps(global uint *v)
{
    v[get_global_id(0)] = 1;
    if (v[get_global_id(0)] > 0)
        global_barrier();
}
END
check_exit 0 "$COOPBENCH" merge perhaps.cl -o perhaps-merged.cl
check_stderr '^perhaps\.cl:5:9: warning: not all work-items may reach this global_barrier\(\), by the condition in line 4, and'
check "a kernel with a warning is not written" grep -q 'global_barrier()' perhaps-merged.cl
check_exit 0 "$COOPBENCH" init perhaps.cl -o perhaps.json
check_stderr '^perhaps\.cl:5:9: warning: not all work-items may reach'
check_exit 0 "$COOPBENCH" merge ring.cl -o ring-merged.cl
check "a warning of what is right: $(cat err)" test ! -s err

# A helper in a file of its own, and a problem in it.
mkdir -p folder
sed -n '/^uint mean/,/^}/p' ring.cl >folder/mean.h
{ echo '#include "folder/mean.h"' && sed '/^uint mean/,/^}/d' ring.cl; } >parts.cl
check_exit 0 "$COOPBENCH" merge parts.cl -o parts-merged.cl
check "the text of a file that is included is missing" grep -q '^uint mean' parts-merged.cl
sed -i 's/return (/int x = 1; resizing_global_barrier(); return x + (/' folder/mean.h
check_exit 2 "$COOPBENCH" merge parts.cl
check_stderr 'folder/mean.h:3:16: x.* lives across resizing_global_barrier\(\), and a workgroup'

# ---- Running -------------------------------------------------------------------------------------

need_cpu
export COOPBENCH_KERNEL_DIR=$PWD/sources POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8
copy_sources sources
mkdir sources/example
run() { timeout 60 "$COOP_EXAMPLE" cpu ring "$@"; }
cp merged.cl sources/example/ring.cl
for mode in multikernel specialised portable cooperative\ {query,atomic}; do
  check_exit 0 run "$mode"
  check_stdout "^$mode: "
done
cp parts-merged.cl sources/example/ring.cl
check_exit 0 run specialised

# It would see another state after a point than before.
cp merged.cl sources/example/ring.cl
plant sources/example/ring.cl 's/coop_s->round = round; /coop_s->round = round + 1; /'
check_exit 1 run specialised

# With the kernel library in it, nothing else is needed.
check_exit 0 "$COOPBENCH" merge ring.cl --standalone -o alone.cl
check "something is included" test "$(grep -c '^ *# *include "' alone.cl)" = 0
cp alone.cl sources/example/ring.cl
rm sources/kernels/coop_run.clh
check_exit 0 run specialised
cp merged.cl sources/example/ring.cl
check_exit 1 run specialised

# ---- A plain kernel as a task (all of tests/fixtures/tasks: test_merge_tasks.sh) ---------------------

unset COOPBENCH_KERNEL_DIR
cp "$SOURCE_DIR/tests/fixtures/tasks/reduction.cl" .
check_exit 0 "$COOPBENCH" merge reduction.cl -o task.cl
check_exit 0 timeout 60 "${TASK_RUNNER:?}" cpu ./reduction.cl ./task.cl reduction 0 1024 64 uints:1024 zeros:16 local:256

# ---- Programs ------------------------------------------------------------------------------------

# Files that have the same names, and include the same one.
cat >common.h <<'EOF'
#pragma once
typedef struct { uint a, b; } pair;
static uint mean(uint x) { return x + get_global_size(0); }
EOF
cat >one.cl <<'EOF'
#include "common.h"
#define TIMES(x) (2 * (x))
kernel void one(global uint *a) { a[get_global_id(0)] = mean(TIMES(a[get_global_id(0)])); }
EOF
cat >two.cl <<'EOF'
#include "common.h"
#define TIMES(x) (3 * (x))
static uint group(uint x) { return mean(x) + get_local_id(0); }
kernel void two(global uint *a)
{
    pair p = {1, group(TIMES(a[get_global_id(0)]))};
    a[get_global_id(0)] = p.b;
}
EOF
check_exit 0 "$COOPBENCH" merge ring.cl one.cl reduction.cl two.cl -o all.cl
check "a task comes after the cooperative kernel" test "$(grep -n '^coop_kernel' all.cl | cut -d: -f1)" -gt \
  "$(grep -n '^kernel void two' all.cl | cut -d: -f1)"
check_exit 0 "$COOPBENCH" merge one.cl two.cl -o tasks.cl
for kernel in one two; do
  check_exit 0 timeout 60 "$TASK_RUNNER" cpu ./$kernel.cl ./tasks.cl $kernel 0 64 8 uints:64
done
printf 'kernel_exec(64, int2) void hinted(global int2 *a)\n{\n    a[get_global_id(0)].x++;\n}\n' >hinted.cl
check_exit 0 "$COOPBENCH" merge hinted.cl -o hinted_task.cl
check_exit 0 timeout 60 "$TASK_RUNNER" cpu ./hinted.cl ./hinted_task.cl hinted 0 64 8 uints:128
# In OpenCL C 1.2, where pointers that say nothing are private.
cat >private.cl <<'EOF'
uint first(const __private uint *p) { return p[0]; }
uint second(const uint *p) { return first(p + 1); }
kernel void private_pointers(global uint *a)
{
    uint x[2];
    x[0] = 1;
    x[1] = a[get_global_id(0)];
    a[get_global_id(0)] = second(x) * 3;
}
EOF
check_exit 0 "$COOPBENCH" merge private.cl -o private_task.cl
check_exit 0 timeout 60 "$TASK_RUNNER" cpu ./private.cl ./private_task.cl private_pointers 0 64 8 uints:64
copy_sources sources
mkdir sources/example
cp all.cl sources/example/ring.cl
COOPBENCH_KERNEL_DIR=$PWD/sources check_exit 0 run portable
check_exit 2 "$COOPBENCH" merge ring.cl one.cl parts.cl
check_stderr 'folder/mean.h:3:16: x.* lives across'
sed 's/smooth_ring/other/' ring.cl >other.cl
check_exit 2 "$COOPBENCH" merge ring.cl other.cl
check_stderr 'smooth_ring and other both have scheduling points: a program has one such kernel$'
check_exit 2 "$COOPBENCH" merge one.cl two.cl one.cl
check_stderr 'two kernels are called one: rename one$'

check_exit 0 "$COOPBENCH" merge reduction.cl -s -o alone.cl
copy_sources sources
rm sources/kernels/task.clh
export COOPBENCH_KERNEL_DIR=$PWD/sources
check_exit 1 timeout 60 "$TASK_RUNNER" cpu ./reduction.cl ./task.cl reduction 0 1024 64 uints:1024 zeros:16 local:256
check_stderr 'task.clh'
check_exit 0 timeout 60 "$TASK_RUNNER" cpu ./reduction.cl ./alone.cl reduction 0 1024 64 uints:1024 zeros:16 local:256
