#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The selftest finds bugs that are planted in how cooperative kernels share slots (models/together.pml).
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

copy_sources sources
export COOPBENCH_KERNEL_DIR=$PWD/sources

# found SED-SCRIPT FILE: some random run fails.
found() {
  cp "sources/kernels/coop/$2" right
  plant "sources/kernels/coop/$2" "$1"
  for seed in 1 2 3 4; do
    "$COOPBENCH" selftest --cpu --stress 6 --together all --app bfs,game,mixed --seed $seed > stdout 2> stderr ||
      { cp right "sources/kernels/coop/$2" && return 0; }
  done
  fail "not found: $1"
}
# Slots are taken back that workgroups of the kernel have.
found 's/const uint kept = max(q->target, coop_used_ids(q));/const uint kept = q->target;/' grants/several.clh
# All kernels have the memory of the first.
found 's/w->first.words + k,/w->first.words,/' worker.clh
# A workgroup that leaves is counted as one of the kernel that it joins next.
found 's/^    w->in = coop_memory_of(w, of);/    if (of == 0) w->in = coop_memory_of(w, of);/' pool.clh
