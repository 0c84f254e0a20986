/* SPDX-License-Identifier: Apache-2.0
 *
 * Offers, requests and both kinds of barrier in one loop, and nothing else: whether they are right
 * together (FSE'17 Section 3.1 allows any mixture). Each workgroup counts itself before barrier r;
 * all that come out of it must see the same count, which is final, and M, unless the barrier has
 * changed it. A barrier that misses a workgroup that joined, waits for one that was killed, or lets
 * one through early, makes counts differ, or never ends.
 */
#define COOP_ARGS(X)                                                                               \
    X(volatile global uint *, counts)  /* arrivals of each round */                                \
    X(volatile global uint *, low)     /* lowest count seen after the barrier */                   \
    X(volatile global uint *, high)    /* highest count seen after the barrier */                  \
    X(volatile global uint *, digests) /* one of each run: rounds that were right */               \
    X(uint, rounds)
#define COOP_TRANSMIT uint round, offers;
#define COOP_USES_OFFERS
/* in a round, at most: 8, since others may wait at the barrier meanwhile */
#define MIXED_OFFERS 8u

#include "coop.clh"

static inline uint mixed_right_rounds(const coop_args *A)
{
    uint right = 0;
    for (uint r = 0; r < A->rounds; r++)
        right += A->low[r] == A->high[r] && A->high[r] > 0;
    return right;
}

coop_kernel(mixed)
{
    coop_begin();
    for (uint r = coop_global_id(); r < A->rounds; r += coop_global_size()) {
        A->counts[r] = A->high[r] = 0;
        A->low[r] = 0xffffffffu;
    }
    global_barrier();
    while (S->round < A->rounds) {
        for (S->offers = 0; S->offers < 1 + S->round % MIXED_OFFERS; S->offers++) {
            offer_kill();
            request_fork();
        }
        if (coop_local_id() == 0)
            atomic_inc(&A->counts[S->round]);
        if (S->round % 3 == 0)
            resizing_global_barrier();
        else
            global_barrier();
        if (coop_local_id() == 0) {
            uint count = A->counts[S->round];
            if (S->round % 3 != 0 && count != coop_num_groups())
                count = 0;
            atomic_min(&A->low[S->round], count);
            atomic_max(&A->high[S->round], count);
        }
        S->round++;
    }
    global_barrier();
    if (coop_global_id() == 0)
        A->digests[coop_run() % COOP_MAX_RUNS] = mixed_right_rounds(A);
    coop_end();
}

#include "coop_run.clh"
