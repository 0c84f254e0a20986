/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search by a worklist, level by level, as in LonestarGPU's bfs with the barriers
 * that it has on its GPU (OOPSLA'16 Section 5.3): each workgroup shares the edges of some vertices
 * of the list out among its work-items (gather.clh), which give the ends that have none their level
 * and append them to the other list; after a barrier the lists change places, and after another the
 * next level begins.
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
    uint size;        /* of the list that is read */                                               \
    uint first;       /* of this workgroup's vertices in it */                                     \
    uint done, edges; /* of theirs */
#define COOP_LOCAL                                                                                 \
    gather_local gather;                                                                           \
    uint digest;

#include "append.clh"
#include "apps/shared/gather.clh"
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

static inline void bfs_follow(const coop_args *A, const coop_transmit *S, uint edge)
{
    uint end = A->columns[edge];
    if (A->levels[end] == BFS_UNREACHED &&
        atomic_cmpxchg(&A->levels[end], BFS_UNREACHED, S->level + 1) == BFS_UNREACHED)
        bfs_list(A, S->level + 1)[cb_append_global(&BFS_OUT, 1)] = end;
}

/* The edges of a work-item's vertex, of those of the list from S->first on. */
static inline uint2 bfs_edges(const coop_args *A, const coop_transmit *S, uint item)
{
    if (S->first + item >= S->size)
        return 0;
    uint v = bfs_list(A, S->level)[S->first + item];
    return (uint2)(A->rows[v], A->rows[v + 1]);
}

#ifdef COOP_CPU_DEVICE
/* Work-items come one after the other: it does not matter which of them does which edges. */
static inline void bfs_expand(const coop_args *A, const coop_transmit *S, uint item)
{
    uint2 edges = bfs_edges(A, S, item);
    for (uint e = edges.x; e < edges.y; e++)
        bfs_follow(A, S, e);
}
#endif

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
        S->first = coop_group_id() * coop_local_size();
        while (S->first < S->size) {
#ifdef COOP_CPU_DEVICE
            bfs_expand(A, S, coop_local_id());
#else
            L->gather.edges = 0;
            workgroup_barrier();
            gather_take(&L->gather, coop_local_id(), bfs_edges(A, S, coop_local_id()));
            workgroup_barrier();
            S->edges = L->gather.edges;
            for (S->done = 0; S->done < S->edges; S->done += coop_local_size()) {
                gather_fill(&L->gather, coop_local_id(), coop_local_size(), S->done);
                workgroup_barrier();
                if (S->done + coop_local_id() < S->edges)
                    bfs_follow(A, S, L->gather.edge[coop_local_id()]);
                workgroup_barrier();
            }
#endif
            S->first += coop_global_size();
        }
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
