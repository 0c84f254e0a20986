/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/coop/children.clh: thread 0 submits children of two shares, one after the other in the
 * same place, and waits for their end; the others take shares. What a child is to do is a plain
 * word, and so is what its shares have done.
 */
#include "opencl.h"
#include "programs.h"

#define COOP_MODE COOP_COOPERATIVE
#define COOP_SUBMITS
#define COOP_CHILDREN
#include "kernels/coop/children.clh"
#pragma GCC diagnostic pop

#define WORKERS  2u
#define SHARES   2u
#define CHILDREN 2u

static coop_children all;
static uint *done, *ended; /* by each share: the number of the child */

static void start(void)
{
    all.workers = WORKERS;
    all.words = weak_shared(child_words(1, WORKERS) * sizeof(cb_u32));
    done = weak_shared(SHARES * sizeof *done);
    ended = weak_shared(sizeof *ended);
    *coop_child_word(all, 0, CHILD_USED) = 0xfffeu; /* there is one place */
}

static void await_end(void)
{
    while (cb_load_poll(CB_ATOMIC(*coop_child_word(all, 0, CHILD_COUNT))) != 0)
        weak_turn();
    cb_fence_polled();
}

/* waits: at a join; else the next place is free only at the end of the one before. */
static void submit_all(bool waits)
{
    const coop_submitter by = {.children = all, .root = 0};
    for (uint number = 1; number <= CHILDREN; number++) {
        uint place;
        while ((place = coop_take_place(all, 0, 0)) == CHILD_NONE)
            weak_turn();
        coop_child_at(all, place)->arguments[0] = number;
        coop_submit_place(by, place, SHARES);
        if (waits || number == CHILDREN)
            await_end();
        for (uint share = 0; waits && share < SHARES; share++) {
            WEAK_CHECK(done[share] == number, "a share that is not done");
            done[share] = 0;
        }
    }
    cb_store_relaxed(CB_ATOMIC(*ended), 1);
}

static void take_shares(bool waits)
{
    uint place;
    while (cb_load_relaxed(CB_ATOMIC(*ended)) == 0) {
        const coop_child_source source = coop_own_children(all, 0);
        if (source.ready == 0 || !coop_take_child(all, source, &place)) {
            weak_turn();
            continue;
        }
        global child_place *child = coop_child_at(all, place);
        const uint shares = child->shares, root = child->root, number = child->arguments[0];
        const uint share = coop_begin_share(all, place, shares);
        WEAK_CHECK(share < SHARES && root == 0 && shares == SHARES, "a share of no child");
        WEAK_CHECK(!waits || done[share] == 0, "a share done twice");
        if (waits)
            done[share] = number;
        coop_end_share(all, place, shares, root);
    }
}

static void joins(unsigned thread)
{
    if (thread == 0)
        submit_all(true);
    else
        take_shares(true);
}

static void goes_on(unsigned thread)
{
    if (thread == 0)
        submit_all(false);
    else
        take_shares(false);
}

const weak_program children_programs[] = {
    {"children, one takes", 2, start, joins, .waits_end = true},
    {"children, two take", 3, start, joins, .random_only = true, .most_turns = 1000},
    {"children, without waiting", 3, start, goes_on, .random_only = true, .most_turns = 1000},
    {NULL},
};
