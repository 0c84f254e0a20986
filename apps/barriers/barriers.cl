/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing but resizing barriers: what they cost (FSE'17 Section 4.2).
 */
#define COOP_ARGS(X)                                                                               \
    X(volatile global uint *, digests) /* of each run: barriers that workgroup 0 has passed */     \
    X(uint, rounds)
#define COOP_TRANSMIT uint passed;

#include "coop.clh"

coop_kernel(barriers)
{
    coop_begin();
    while (S->passed < A->rounds) {
        S->passed++;
        resizing_global_barrier();
    }
    if (coop_global_id() == 0)
        A->digests[coop_run() % COOP_MAX_RUNS] = S->passed;
    coop_end();
}

#include "coop_run.clh"
