/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths by a worklist, as LonestarGPU's sssp (OOPSLA'16 Section 5.3): a round relaxes the
 * edges of its vertices, and appends the ends that got nearer. A vertex is in a list once at most,
 * since its word says whether it waits (sssp_abi.h): that is cleared as it is taken.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint *restrict, rows) /* of each vertex, of the edges that leave it */          \
    X(const global uint *restrict, columns)                                                        \
    X(const global uint *restrict, weights)                                                        \
    X(volatile global uint *, words)                                                               \
    X(volatile global uint *, digests)                                                             \
    X(global uint *, lists)                                                                        \
    X(volatile global uint *, sizes)                                                               \
    X(uint, vertices)                                                                              \
    X(uint, source)
#define WORKLIST_LOCAL uint distance[COOP_WG_SIZE]; /* of the vertex of each work-item */

#include "apps/shared/worklist.clh"

#include "apps/shared/sssp.clh"

static inline void worklist_clear(const coop_args *A, const coop_view V)
{
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        A->words[v] = v == A->source ? SSSP_CHANGED : SSSP_UNREACHED;
}

static inline void worklist_take(const coop_args *A, local coop_local *L, uint item, uint vertex)
{
    L->distance[item] = sssp_distance(atomic_and(&A->words[vertex], ~SSSP_CHANGED));
}

/* Offers the end of an edge a word; appends it if that is smaller, unless it waits already. */
static inline void worklist_follow(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                   uint edge, uint owner)
{
    uint end = A->columns[edge], offer = sssp_offer(L->distance[owner], A->weights[edge]);
    if (offer >= A->words[end])
        return;
    uint seen = atomic_min(&A->words[end], offer);
    if (offer < seen && !(seen & SSSP_CHANGED))
        worklist_append(A, S, end);
}

static inline uint worklist_digest(const coop_args *A, uint vertex)
{
    return sssp_digest(vertex, A->words[vertex]);
}

#include "apps/shared/worklist_run.clh"
