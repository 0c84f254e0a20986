/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths by a worklist, round by round, as in LonestarGPU's sssp with the barriers that it
 * has on its GPU (OOPSLA'16 Section 5.3): each round relaxes the edges of the vertices in one list
 * and appends those whose distance got smaller to the other; after a barrier the lists change
 * places, and after another the next round begins.
 *
 * A vertex is in a list once at most, since its word says whether it waits (sssp_abi.h): that is
 * cleared as its edges are begun. So a list needs no more than `vertices` places.
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
    uint size; /* of the list that is read */
#define COOP_LOCAL uint digest;

#include "append.clh"
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
static inline void worklist_relax(const coop_args *A, global uint *next, uint v, uint offer)
{
    if (offer >= A->words[v])
        return;
    uint seen = atomic_min(&A->words[v], offer);
    if (offer < seen && !(seen & SSSP_CHANGED))
        next[cb_append_global(&WORKLIST_OUT, 1)] = v;
}

static inline void worklist_expand(const coop_args *A, global uint *next, uint v)
{
    uint distance = sssp_distance(atomic_and(&A->words[v], ~SSSP_CHANGED));
    for (uint e = A->rows[v]; e < A->rows[v + 1]; e++)
        worklist_relax(A, next, A->columns[e], sssp_offer(distance, A->weights[e]));
}

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
        for (uint i = coop_global_id(); i < S->size; i += coop_global_size())
            worklist_expand(A, worklist_of(A, S->round + 1), worklist_of(A, S->round)[i]);
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
