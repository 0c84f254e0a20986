#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The checks of apps find the bugs of tests/planted in their authors' forms, too.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/planted.sh"

planted bfs_paper --input road:3000,directed:40000x160000
planted bc_paper --input grid:40x40@1,directed:300x3000@8
planted color_paper --input grid:59x59,uniform:9:16
planted mis_paper --input grid:59x59,uniform:9:16
# Conflicts, and cavities that are large.
planted dmr_paper --input 300,300:clustered,100:line,200:grid
planted mst_paper --input grid:59x59,uniform:9:16,road:3000
planted sssp_bellman_paper --input road:3000,rmat:10
planted sssp_worklist_paper --input road:3000,rmat:10
# Workgroups need not look a minute for a task that is lost.
plant sources/kernels/steal_pause.clh 's/(1u << 22)/(1u << 15)/'
planted octree_paper --input 20001:clustered,700:equal
planted game_paper --input 4:334,5:3333445,5:012
