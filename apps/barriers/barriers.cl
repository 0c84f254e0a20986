/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing but resizing barriers: what they cost (FSE'17 Section 4.2).
 *
 * Before one barrier of BARRIERS_CHECKED, so that it costs next to nothing, each workgroup writes
 * where it is, by a plain store, and after it reads what all others wrote that were at it. A
 * barrier that lets one through early, or does not order memory, shows.
 */
#define COOP_ARGS(X)                                                                               \
    X(volatile global uint *, digests) /* one of each run: barriers that workgroup 0 has passed */ \
    X(global uint *, phases)           /* position of each workgroup */                            \
    X(volatile global uint *, wrong)   /* number of times that another one was not there */        \
    X(uint, rounds)
#define COOP_TRANSMIT    uint passed, groups; /* groups: before the barrier */
#define BARRIERS_CHECKED 64u

#include "coop.clh"

/* Another number in each run. */
static inline uint barriers_phase(const coop_args *A, uint run, uint passed)
{
    return run * (A->rounds + 1) + passed;
}

static inline void barriers_compare(const coop_args *A, uint phase, uint groups, uint item,
                                    uint items)
{
    for (uint g = item; g < groups; g += items)
        if (A->phases[g] != phase)
            atomic_inc(A->wrong);
}

coop_kernel(barriers)
{
    coop_begin();
    while (S->passed < A->rounds) {
        S->passed++;
        S->groups = coop_num_groups();
        if (S->passed % BARRIERS_CHECKED == 1 && coop_local_id() == 0)
            A->phases[coop_group_id()] = barriers_phase(A, coop_run(), S->passed);
        resizing_global_barrier();
        if (S->passed % BARRIERS_CHECKED == 1)
            barriers_compare(A, barriers_phase(A, coop_run(), S->passed), S->groups,
                             coop_local_id(), coop_local_size());
    }
    if (coop_global_id() == 0)
        A->digests[coop_run() % COOP_MAX_RUNS] = S->passed;
    coop_end();
}

#include "coop_run.clh"
