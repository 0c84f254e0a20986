/* SPDX-License-Identifier: Apache-2.0
 *
 * Graph colouring as in Pannotia's color, with OOPSLA'16's barriers in the place of its launches
 * (Section 5.2): in round r every vertex without a colour looks for the highest priority among its
 * neighbours without one, and after a barrier takes colour r if its own is higher.
 */
#include "apps/shared/paper_barrier.clh"
#include "apps/shared/priority_rounds.clh"
#include "paper_steps.clh"

coop_kernel(color)
{
    coop_begin();
    priority_begin_all(A, V);
    paper_barrier();

    while (priority_goes_on(A, S->round)) {
        priority_find_all(A, S, V);
        paper_barrier();
        for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
            color_assign(A, v, S->round);
        S->round++;
        resizing_global_barrier();
    }

    L->digest = 0;
    workgroup_barrier();
    atomic_add(&L->digest, priority_digests(A, coop_global_id(), coop_global_size()));
    workgroup_barrier();
    if (coop_local_id() == 0)
        atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS],
                   L->digest + PRIORITY_LEFT(S->round + 2));
    coop_end();
}

#include "coop_run.clh"
