/* SPDX-License-Identifier: Apache-2.0
 *
 * Betweenness centrality as in Pannotia's bc, with OOPSLA'16's barriers in the place of its
 * launches (Section 5.2). For each source: all vertices lose their levels; level by level those on
 * it reach the next and count their paths, with a barrier after each, until none is reached; and as
 * many levels back. There are no more levels than vertices; a run with a wrong result so ends, too,
 * and what it has found on the last spoils its digest.
 */
#include "paper_steps.clh"

#define COOP_TRANSMIT                                                                              \
    uint source; /* vertex */                                                                      \
    uint level;                                                                                    \
    uint turn; /* levels on the way forth so far, of all sources */
#define COOP_LOCAL uint digest;

#include "coop.clh"

/* Three words in turns: one is set, one is read, one is cleared. */
#define BC_FOUND(turn) (A->found[(turn) % BC_SIZES * BC_LINE])

static inline void bc_begin_run(const coop_args *A, const coop_view V)
{
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        bc_clear(A, v);
    if (coop_global_id() > 0)
        return;
    BC_FOUND(0) = 0;
    A->digests[coop_run() % COOP_MAX_RUNS] = 0;
}

/* Whether there is a level: some vertex was reached in the turn before. */
static inline bool bc_goes_on(const coop_args *A, const coop_transmit *S)
{
    return S->level == 0 || (S->level < A->vertices && BC_FOUND(S->turn + 2));
}

static inline void bc_forth_all(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        if (bc_forth(A, v, S->source, S->level))
            cb_store_relaxed(CB_ATOMIC(BC_FOUND(S->turn)), 1);
    if (coop_global_id() == 0)
        BC_FOUND(S->turn + 1) = 0;
}

coop_kernel(bc)
{
    coop_begin();
    bc_begin_run(A, V);
    global_barrier();

    for (S->source = 0; S->source < A->sources * bc_stride(A); S->source += bc_stride(A)) {
        for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
            bc_begin(A, v, S->source);
        global_barrier();
        for (S->level = 0; bc_goes_on(A, S); S->level++) {
            bc_forth_all(A, S, V);
            S->turn++;
            resizing_global_barrier();
        }
        while (S->level > 0) {
            S->level--;
            for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
                bc_back(A, v, S->level);
            resizing_global_barrier();
        }
    }

    L->digest = 0;
    workgroup_barrier();
    atomic_add(&L->digest, bc_digests(A, coop_global_id(), coop_global_size()));
    workgroup_barrier();
    if (coop_local_id() == 0)
        atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest + BC_FOUND(S->turn + 2));
    coop_end();
}

#include "coop_run.clh"
