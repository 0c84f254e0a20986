#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The examples of docs/cooperative-language.md, as printed there, in all four modes and with each of the
# resizing barriers; the result is that of a plain loop.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
: "${COOP_EXAMPLE:?is tests/cli/coop_example.c, built}"
need_cpu
export COOPBENCH_KERNEL_DIR=$PWD/sources POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

# The C blocks of the guide: block1.c, block2.c, ...
awk '/^```c$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside { print > ("block" n ".c") }' \
  "$SOURCE_DIR/docs/cooperative-language.md"
ring=$(grep -l '^coop_kernel(smooth_ring)' block?.c | head -n 1) || true
box=$(grep -l '^coop_kernel(smooth_box)' block?.c | head -n 1) || true
host=$(grep -l 'cb_coop_start(' block?.c | head -n 1) || true
check "the guide has an example of a kernel, and one with a grid" test -n "$ring" -a -n "$box"
check "the guide's host code is what is run here" python3 -c '
import sys
sys.exit(open(sys.argv[1]).read() not in open(sys.argv[2]).read())' \
  "${host:-none}" "$SOURCE_DIR/tests/cli/coop_example.c"

fresh_sources() {
  copy_sources sources
  mkdir sources/example
  cp "$ring" sources/example/ring.cl
  cp "$box" sources/example/box.cl
}
run() { timeout 60 "$COOP_EXAMPLE" cpu "$@"; }

fresh_sources
for shape in ring box; do
  check_exit 0 run "$shape"
  for mode in multikernel specialised portable cooperative\ {regular,query,atomic,literal,master,model,'atomic again'}; do
    check_stdout "^$mode: "
  done
done

cat >sources/example/long.cl <<'CL'
#ifndef LAST
#error the options were cut off
#endif
kernel void nothing(void) {}
CL
check_exit 0 run ring long

# It would see workgroups that join without the state, and an example without its barrier.
plant sources/kernels/coop/forks.clh \
  's|\(w->in.states)\[w->own->id\]\) = \*S;|\1.coop_point = S->coop_point;|'
check_exit 1 run ring 'cooperative query'
fresh_sources
plant sources/example/ring.cl 's|^        resizing_global_barrier();|        workgroup_barrier();|'
check_exit 1 run ring specialised

# And a grid that is shared out in another order in z, one that misses a virtual workgroup, and a tile of another size.
fresh_sources
plant sources/kernels/grid.clh 's|, row / size.y);|, row % size.y);|'
check_exit 1 run box specialised
fresh_sources
plant sources/kernels/grid.clh 's|(size + local_size - 1) / local_size|size / local_size|'
check_exit 1 run box portable
fresh_sources
plant sources/example/box.cl 's|coop_tile(4, 4, 2)|coop_tile(4, 4, 1)|'
check_exit 1 run box specialised
