/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths by a worklist, round by round, as in LonestarGPU's sssp with the barriers that it
 * has on its GPU (OOPSLA'16 Section 5.3): each workgroup shares the edges of some vertices of the
 * list out among its work-items (gather.clh), which relax them and append the ends that got nearer
 * to the other list; after a barrier the lists change places, and after another the next round
 * begins.
 *
 * A vertex is in a list once at most, since its word says whether it waits (sssp_abi.h): that is
 * cleared as it is taken. So a list needs no more than `vertices` places.
 * Nor are there more rounds; a run with a wrong result so ends, too, and a list that is left then
 * spoils its digest.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint *restrict, rows) /* of each vertex, of the edges that leave it */          \
    X(const global uint *restrict, columns)                                                        \
    X(const global uint *restrict, weights)                                                        \
    X(volatile global uint *, words)                                                               \
    X(volatile global uint *, digests) /* of each run */                                           \
    X(global uint *, lists)            /* two of `vertices` words */                               \
    X(volatile global uint *, sizes)   /* of the list that is read, and of the one written */      \
    X(uint, vertices)                                                                              \
    X(uint, source)
#define COOP_TRANSMIT                                                                              \
    uint round;                                                                                    \
    uint size;        /* of the list that is read */                                               \
    uint first;       /* of this workgroup's vertices in it */                                     \
    uint done, edges; /* of theirs */
#define COOP_LOCAL                                                                                 \
    gather_local gather;                                                                           \
    uint distance[COOP_WG_SIZE]; /* of the vertex of each work-item */                             \
    uint digest;

#include "append.clh"
#include "apps/shared/gather.clh"
#include "coop.clh"

#include "apps/shared/sssp.clh"

#define WORKLIST_IN  (A->sizes[0])
#define WORKLIST_OUT (A->sizes[SSSP_LINE])

static inline global uint *worklist_of(const coop_args *A, uint round)
{
    return A->lists + (size_t)(round % 2) * A->vertices;
}

static inline void worklist_begin(const coop_args *A, const coop_view V)
{
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        A->words[v] = v == A->source ? SSSP_CHANGED : SSSP_UNREACHED;
    if (coop_global_id() > 0)
        return;
    worklist_of(A, 0)[0] = A->source;
    WORKLIST_OUT = 0;
    A->digests[coop_run() % COOP_MAX_RUNS] = 0;
}

/* Offers the end of an edge a word; appends it if that is smaller, unless it waits already. */
static inline void worklist_relax(const coop_args *A, const coop_transmit *S, uint edge,
                                  uint distance)
{
    uint end = A->columns[edge], offer = sssp_offer(distance, A->weights[edge]);
    if (offer >= A->words[end])
        return;
    uint seen = atomic_min(&A->words[end], offer);
    if (offer < seen && !(seen & SSSP_CHANGED))
        worklist_of(A, S->round + 1)[cb_append_global(&WORKLIST_OUT, 1)] = end;
}

/* The edges of a work-item's vertex, of those of the list from S->first on, and its distance. */
static inline uint2 worklist_edges(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                   uint item)
{
    if (S->first + item >= S->size)
        return 0;
    uint v = worklist_of(A, S->round)[S->first + item];
    L->distance[item] = sssp_distance(atomic_and(&A->words[v], ~SSSP_CHANGED));
    return (uint2)(A->rows[v], A->rows[v + 1]);
}

#ifdef COOP_CPU_DEVICE
/* Work-items come one after the other: it does not matter which of them does which edges. */
static inline void worklist_expand(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                   uint item)
{
    uint2 edges = worklist_edges(A, S, L, item);
    for (uint e = edges.x; e < edges.y; e++)
        worklist_relax(A, S, e, L->distance[item]);
}
#endif

static inline uint worklist_digests(const coop_args *A, const coop_view V)
{
    uint sum = 0;
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        sum += sssp_digest(v, A->words[v]);
    return sum;
}

coop_kernel(sssp_worklist)
{
    coop_begin();
    worklist_begin(A, V);
    S->size = 1;
    global_barrier();

    while (S->size > 0 && S->round < A->vertices) {
        S->first = coop_group_id() * coop_local_size();
        while (S->first < S->size) {
#ifdef COOP_CPU_DEVICE
            worklist_expand(A, S, L, coop_local_id());
#else
            L->gather.edges = 0;
            workgroup_barrier();
            gather_take(&L->gather, coop_local_id(), worklist_edges(A, S, L, coop_local_id()));
            workgroup_barrier();
            S->edges = L->gather.edges;
            for (S->done = 0; S->done < S->edges; S->done += coop_local_size()) {
                gather_fill(&L->gather, coop_local_id(), coop_local_size(), S->done);
                workgroup_barrier();
                if (S->done + coop_local_id() < S->edges)
                    worklist_relax(A, S, L->gather.edge[coop_local_id()],
                                   L->distance[L->gather.owner[coop_local_id()]]);
                workgroup_barrier();
            }
#endif
            S->first += coop_global_size();
        }
        global_barrier();
        if (coop_global_id() == 0) {
            WORKLIST_IN = WORKLIST_OUT;
            WORKLIST_OUT = 0;
        }
        S->round++;
        resizing_global_barrier();
        S->size = WORKLIST_IN;
    }

    L->digest = 0;
    workgroup_barrier();
    atomic_add(&L->digest, worklist_digests(A, V));
    workgroup_barrier();
    if (coop_local_id() == 0)
        atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest + S->size);
    coop_end();
}

#include "coop_run.clh"
