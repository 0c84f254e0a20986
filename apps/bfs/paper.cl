/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search level by level, as LonestarGPU's bfs (OOPSLA'16 Section 5.3): a round gives
 * the ends of edges that have no level theirs. One work-item alone gives a vertex its level, so
 * that it is in a list once.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint *restrict, rows)                                                           \
    X(const global uint *restrict, columns)                                                        \
    X(volatile global uint *, levels)                                                              \
    X(global uint *, lists)                                                                        \
    X(volatile global uint *, sizes)                                                               \
    X(volatile global uint *, digests)                                                             \
    X(uint, vertices)                                                                              \
    X(uint, source)
#define WORKLIST_LOCAL

#include "apps/shared/worklist.clh"
#include "bfs_abi.h"

static inline void worklist_clear(const coop_args *A, const coop_view V)
{
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        A->levels[v] = v == A->source ? 0 : BFS_UNREACHED;
}

static inline void worklist_take(const coop_args *A, local coop_local *L, uint item, uint vertex)
{
    (void)A, (void)L, (void)item, (void)vertex; /* the round is its level */
}

static inline void worklist_follow(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                   uint edge, uint owner)
{
    (void)L, (void)owner;
    uint end = A->columns[edge];
    if (A->levels[end] == BFS_UNREACHED &&
        atomic_cmpxchg(&A->levels[end], BFS_UNREACHED, S->round + 1) == BFS_UNREACHED)
        worklist_append(A, S, end);
}

static inline uint worklist_digest(const coop_args *A, uint vertex)
{
    return bfs_digest(vertex, A->levels[vertex]);
}

#include "apps/shared/worklist_run.clh"
