/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths as in Pannotia's sssp, with OOPSLA'16's barriers in the place of its launches
 * (Section 5.2): in each round every vertex takes its new distance, then looks at all edges that
 * lead to it for the next one, and then whether that differs, with a barrier after each, until
 * nothing changes. A path has fewer edges than there are vertices, so that there are no more rounds
 * than these; a run with a wrong result so ends, too, and what still changes then spoils its
 * digest.
 */
#include "apps/shared/paper_barrier.clh"
#include "paper_steps.clh"

#define COOP_TRANSMIT uint round;
#define COOP_LOCAL    uint digest;

#include "coop.clh"

/* Three words in turns: one is set, one is read, one is cleared. */
#define BELLMAN_CHANGED(round) (A->changed[(round) % SSSP_SIZES * SSSP_LINE])

static inline void bellman_begin(const coop_args *A, const coop_view V)
{
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        bellman_init(A, v);
    if (coop_global_id() > 0)
        return;
    BELLMAN_CHANGED(0) = 0;
    BELLMAN_CHANGED(2) = 1; /* in the round before */
    A->digests[coop_run() % COOP_MAX_RUNS] = 0;
}

coop_kernel(sssp_bellman)
{
    coop_begin();
    bellman_begin(A, V);
    paper_barrier();

    while (S->round < A->vertices && BELLMAN_CHANGED(S->round + 2)) {
        for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
            bellman_assign(A, v);
        if (coop_global_id() == 0)
            BELLMAN_CHANGED(S->round + 1) = 0;
        paper_barrier();
        for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
            bellman_multiply(A, v);
        paper_barrier();
        for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
            if (bellman_differs(A, v))
                cb_store_relaxed(CB_ATOMIC(BELLMAN_CHANGED(S->round)), 1);
        S->round++;
        resizing_global_barrier();
    }

    L->digest = 0;
    workgroup_barrier();
    atomic_add(&L->digest, bellman_digests(A, coop_global_id(), coop_global_size()));
    workgroup_barrier();
    if (coop_local_id() == 0)
        atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS],
                   L->digest + BELLMAN_CHANGED(S->round + 2));
    coop_end();
}

#include "coop_run.clh"
