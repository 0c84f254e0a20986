#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# All cooperative kernels in the manner of public suites, and one from which a barrier is missing.
source "${SOURCE_DIR:?}/tests/cli/cooperative.sh"

solvers=(conjugate_gradient floyd_warshall jacobi lu nbody needleman ntt red_black)
others=(bfs_queue bitonic components histogram kmeans life pagerank prefix_sums)
first_setups "${solvers[0]}" "${solvers[@]}"
cooperative 95 "${solvers[@]}"
first_setups "${others[0]}" "${others[@]}"
cooperative 95 "${others[@]}"

# Workgroups read what others have not written yet.
mkdir planted
cd planted
cp ../blur.cl ../prefix_sums.cl .
plant prefix_sums.cl '/next = swapped;/{n; d}'
first_setups prefix_sums prefix_sums
measure 3 apps prefix_sums prefix_sums -- --verify --runs 1
check_stderr 'verify_failed: (even|odd), element [0-9]+, (sum|most): [0-9]+ instead of [0-9]+, as multikernel mode'
