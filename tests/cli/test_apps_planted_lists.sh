#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The checks of apps that make and change lists of work find the bugs of tests/planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/planted.sh"

planted mst --input grid:59x59,uniform:9:16,road:3000
# Cells of several slices, and those of the lowest level. Workgroups need not look a minute for a task that is lost.
plant sources/kernels/steal_pause.clh 's/(1u << 22)/(1u << 15)/'
planted octree --input 20001:clustered,700:equal
# A vertex with all others for neighbours: each block has its turn once, and nearly all are too far to be done soon, more
# than a workgroup has room for.
python3 - >star.gr <<'PYTHON'
print("p sp 50001 100000")
for v in range(2, 50002):
    weight = 1 if v % 10 == 0 else 100
    print("a", 1, v, weight)
    print("a", v, 1, weight)
PYTHON
planted sssp_bellman --input road:5000,rmat:13,star.gr
planted sssp_worklist --input road:20000,rmat:13,star.gr
# Conflicts, and cavities that are large.
planted dmr --input 300,300:clustered,100:line,200:grid
# Games that are over within the look-ahead, and others: minimax hides most bugs, each in other positions.
planted game --input 7:334,8:3333445,8:012
