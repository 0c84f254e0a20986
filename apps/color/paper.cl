/* SPDX-License-Identifier: Apache-2.0
 *
 * Graph colouring as in Pannotia's color, with OOPSLA'16's barriers in the place of its launches
 * (Section 5.2): in round r every vertex without a colour looks for the highest priority among its
 * neighbours without one, and after a barrier takes colour r if its own is higher.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint *restrict, rows) /* both directions of each edge, no loops */              \
    X(const global uint *restrict, columns)                                                        \
    X(global uint *, results) /* of each vertex: its colour, or COLOR_NONE */                      \
    X(global uint *, highest) /* of each vertex: among its neighbours */                           \
    X(global uint *, unused)                                                                       \
    X(volatile global uint *, left)    /* of three rounds: 1: some had no colour */                \
    X(volatile global uint *, digests) /* of each run */                                           \
    X(uint, vertices)
#define COOP_TRANSMIT uint round;
#define COOP_LOCAL    uint digest;

#include "coop.clh"
#include "paper_steps.clh"

/* Three words in turns: one is set, one is read, one is cleared. */
#define COLOR_LEFT(round) (A->left[(round) % PRIORITY_SIZES * PRIORITY_LINE])

coop_kernel(color)
{
    coop_begin();
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        A->results[v] = COLOR_NONE;
    if (coop_global_id() == 0) {
        COLOR_LEFT(0) = 0;
        COLOR_LEFT(2) = 1; /* of the round before */
        A->digests[coop_run() % COOP_MAX_RUNS] = 0;
    }
    global_barrier();

    while (COLOR_LEFT(S->round + 2)) {
        for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
            if (color_find(A->rows, A->columns, A->results, A->highest, v))
                cb_store_relaxed(CB_ATOMIC(COLOR_LEFT(S->round)), 1);
        if (coop_global_id() == 0)
            COLOR_LEFT(S->round + 1) = 0;
        global_barrier();

        for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
            color_assign(A->results, A->highest, v, S->round);
        S->round++;
        resizing_global_barrier();
    }

    L->digest = 0;
    workgroup_barrier();
    atomic_add(&L->digest,
               color_digests(A->results, A->vertices, coop_global_id(), coop_global_size()));
    workgroup_barrier();
    if (coop_local_id() == 0)
        atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest);
    coop_end();
}

#include "coop_run.clh"
