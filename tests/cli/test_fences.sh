#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/fences.py notices fences that nothing holds, and lines of its tables that hold nothing. Over the whole checkout it
# runs as the test weak_fences. Nothing here needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

fences() { check_exit "$1" python3 "$SOURCE_DIR/scripts/fences.py" --root house "${@:2}" ./reached; }

# A small house in order: a fence that a program runs, one that it runs and does not need, one of the table, and the
# operations themselves.
build() {
  rm -rf house
  mkdir -p house/{kernels,apps,tests/weak}
  cp "$SOURCE_DIR/kernels/atomics.clh" house/kernels/
  printf '/* cb_fence_release() */\nstatic inline void hand_on(int x)\n{\n    cb_fence_acq_rel();\n}\n' >house/apps/a.clh
  printf 'static inline void end(int x)\n{\n    cb_store_release(&x, 1);\n}\n' >house/apps/b.clh
  printf 'kernel __attribute__((reqd_work_group_size(1, 1, 1))) void\nmeet(int x)\n{\n%s\n}\n' \
    '    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);' >house/apps/c.cl
  printf '#define OVER "the run ends"\nrows = {{"apps/b.clh", "end", "cb_store_release", WEAK_RELEASE, OVER},};\n' \
    >house/tests/weak/reasons.h
  printf '# Fences.\nfamily group: a workgroup\nunshown apps/c.cl meet barrier: @group\n' >house/tests/weak/fences.txt
  printf '#!/bin/sh\necho "site apps/a.clh:4 cb_fence_acq_rel hand_on chain"\n%s\n' \
    'echo "site apps/b.clh:3 cb_store_release end over"' >reached
  chmod +x reached
}
build
fences 0
check_stdout '^apps/a\.clh:4 hand_on\(\) cb_fence_acq_rel: run: reached, chain$'
check_stdout '^apps/b\.clh:3 end\(\) cb_store_release: reason: reached, over; release: the run ends$'
check_stdout '^apps/c\.cl:4 meet\(\) barrier: unshown: a workgroup$'
check_stdout '^ +1 a program of tests/weak fails without it$'
check_stdout '^ +0 NONE$'
fences 0 --check

# A new fence, and one that has moved out of what the program runs.
sed -i '4i \    cb_fence_release();' house/apps/a.clh
fences 1 --check
check_stdout '^apps/a\.clh:4 hand_on\(\) cb_fence_release: no test fails without it, and tests/weak/fences\.txt has no reason$'
check_stdout '^apps/a\.clh:5 hand_on\(\) cb_fence_acq_rel: no test fails without it'

# Lines whose place has gone, or that a program runs, or whose test is none.
build
sed -i 's/barrier(.*/;/' house/apps/c.cl
fences 1 --check
check_stdout '^tests/weak/fences\.txt: apps/c\.cl meet barrier: there is no such place$'
build
sed -i 's/void end(/void stop(/' house/apps/b.clh
sed -i 's/ end over/ stop over/' reached
fences 1 --check
check_stdout '^tests/weak/reasons\.h: apps/b\.clh end cb_store_release: there is no such place$'
build
echo 'argued apps/a.clh hand_on cb_fence_acq_rel: nothing reads it' >>house/tests/weak/fences.txt
fences 1 --check
check_stdout '^tests/weak/fences\.txt: apps/a\.clh hand_on cb_fence_acq_rel: a program of tests/weak runs it: delete the line$'
build
sed -i 's/^unshown.*/test apps\/c.cl meet barrier: tests\/cli\/test_none.sh: it fails/' house/tests/weak/fences.txt
fences 1 --check
check_stdout '^tests/weak/fences\.txt: apps/c\.cl meet barrier: there is no test tests/cli/test_none\.sh$'
build
echo 'hand_on is needed' >>house/tests/weak/fences.txt
fences 1 --check
check_stderr 'fences\.txt:4: no line of a fence: hand_on is needed'

# An operation that is weaker than its name, of each back end.
weaker() { # SED OPERATION
  build
  sed -i "$1" house/kernels/atomics.clh
  check "the sources have changed: $1" bash -c "! cmp -s house/kernels/atomics.clh '$SOURCE_DIR/kernels/atomics.clh'"
  fences 1 --check
  check_stdout "^kernels/atomics\.clh: $2: lacks the order that its name says\$"
}
weaker '0,/memory_order_acquire/s//memory_order_relaxed/' cb_load_acquire
weaker 's/memory_order_acq_rel,$/memory_order_acquire,/' cb_swap64_acq_rel
weaker 's/st\.release\.gpu\.global\.u32/st.relaxed.gpu.global.u32/' cb_store_release
weaker 's/atom\.acq_rel\.gpu\.global\.exch/atom.acquire.gpu.global.exch/' cb_exchange_acq_rel
weaker 's/fence\.acquire\.gpu;//' cb_fence_polled
weaker '/CB_CL12_FENCE;/{N;s/ *CB_CL12_FENCE;\n\( *atomic_or\)/\1/}' cb_or_release

# A program that fails as it is.
build
printf '#!/bin/sh\necho "chain: data race"\nexit 1\n' >reached
fences 1 --check
check_stderr 'chain: data race'
