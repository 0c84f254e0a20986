/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search by a worklist, level by level, as in LonestarGPU's bfs with the barriers
 * that it has on its GPU (OOPSLA'16 Section 5.3): a work-item for each vertex of the list gives
 * those of its neighbours that have none their level and appends them to the other list; after a
 * barrier the lists change places, and after another the next level begins.
 *
 * One work-item alone gives a vertex its level, so that it is in a list once and a list needs no
 * more than `vertices` places. Nor are there more levels; a run with a wrong result so ends, too,
 * and a list that is left then spoils its digest.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint *restrict, rows)                                                           \
    X(const global uint *restrict, columns)                                                        \
    X(volatile global uint *, levels)                                                              \
    X(global uint *, lists)            /* two of `vertices` words */                               \
    X(volatile global uint *, sizes)   /* of the list that is read, and of the one written */      \
    X(volatile global uint *, digests) /* of each run */                                           \
    X(uint, vertices)                                                                              \
    X(uint, source)
#define COOP_TRANSMIT                                                                              \
    uint level;                                                                                    \
    uint size; /* of the list that is read */
#define COOP_LOCAL uint digest;

#include "append.clh"
#include "bfs_abi.h"
#include "coop.clh"

#define BFS_IN  (A->sizes[0])
#define BFS_OUT (A->sizes[BFS_LINE])

static inline global uint *bfs_list(const coop_args *A, uint level)
{
    return A->lists + (size_t)(level % 2) * A->vertices;
}

static inline void bfs_begin(const coop_args *A, const coop_view V)
{
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        A->levels[v] = v == A->source ? 0 : BFS_UNREACHED;
    if (coop_global_id() > 0)
        return;
    bfs_list(A, 0)[0] = A->source;
    BFS_OUT = 0;
    A->digests[coop_run() % COOP_MAX_RUNS] = 0;
}

static inline void bfs_expand(const coop_args *A, uint v, uint level)
{
    global uint *next = bfs_list(A, level);
    for (uint e = A->rows[v]; e < A->rows[v + 1]; e++) {
        uint end = A->columns[e];
        if (A->levels[end] == BFS_UNREACHED &&
            atomic_cmpxchg(&A->levels[end], BFS_UNREACHED, level) == BFS_UNREACHED)
            next[cb_append_global(&BFS_OUT, 1)] = end;
    }
}

static inline uint bfs_digests(const coop_args *A, const coop_view V)
{
    uint sum = 0;
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        sum += bfs_digest(v, A->levels[v]);
    return sum;
}

coop_kernel(bfs)
{
    coop_begin();
    bfs_begin(A, V);
    S->size = 1;
    global_barrier();

    while (S->size > 0 && S->level < A->vertices) {
        for (uint i = coop_global_id(); i < S->size; i += coop_global_size())
            bfs_expand(A, bfs_list(A, S->level)[i], S->level + 1);
        global_barrier();
        if (coop_global_id() == 0) {
            BFS_IN = BFS_OUT;
            BFS_OUT = 0;
        }
        S->level++;
        resizing_global_barrier();
        S->size = BFS_IN;
    }

    L->digest = 0;
    workgroup_barrier();
    atomic_add(&L->digest, bfs_digests(A, V));
    workgroup_barrier();
    if (coop_local_id() == 0)
        atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest + S->size);
    coop_end();
}

#include "coop_run.clh"
