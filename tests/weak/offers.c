/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/coop/offers/highest.clh: a workgroup that waits at its offer is killed by another's, and
 * has not seen that yet. It must not be sent for before it has (models/members.pml): a fork counts
 * those that are out of the pool. Thread 0 is workgroup 0, which has heard of nothing when it
 * forks; 1 forks 2 and 3, which leave together; 4 is the scheduler.
 */
#include "opencl.h"
#include "programs.h"

#define get_group_id(d)   weak_thread()
#define get_num_groups(d) 5u
#define COOP_MODE         COOP_COOPERATIVE
#define COOP_RESIZING     COOP_QUERY
#define COOP_SEMANTICS    COOP_HIGHEST
#define COOP_USES_OFFERS
#define CB_BARRIER   counter
#define CB_PROTOCOL  lockfree
#define COOP_ARGS(X) X(uint, unused)
#include "kernels/coop.clh"

#define COOP_NAME(name, k) name
#define COOP_EACH(X)       X(0)
#include "kernels/coop/points.clh"
typedef struct {
    coop_transmit of;
} coop_state;
#include "kernels/coop/megakernel.clh"
#pragma GCC diagnostic pop

#define WORKERS 4u

coop_kernel(app) /* not run */
{
    coop_begin();
    coop_end();
}

static cb_launch *launch;
static coop_control *control;
static cb_u32 *mail;
static coop_entry *entries;
static uchar *states;
static uint *written, group_count;

static void start(void)
{
    launch = weak_launch();
    control = weak_shared(sizeof *control);
    mail = weak_shared(WORKERS * COOP_LINE * sizeof *mail);
    entries = weak_shared((WORKERS + 1) * sizeof *entries);
    states = weak_shared(WORKERS * COOP_STATE_BYTES);
    control->workers = WORKERS;
    control->offer_ticks = UINT64_MAX;
    control->kernels[0].out = 2;
    control->kernels[0].members = COOP_MEMBERS(0, 2, 4, 0, 0, 0);
}

static ulong await_members(uint groups, uint target)
{
    ulong seen;
    while (COOP_GROUPS(seen = cb_load64_relaxed(CB_ATOMIC64(control->kernels[0].members))) !=
               groups ||
           COOP_TARGET(seen) != target)
        weak_turn();
    return seen;
}

/* Goes from the pool into the kernel, and back by an offer. */
static void come_and_go(coop_worker *w)
{
    coop_decision decision = {0};
    coop_wait_for_work(w, &decision);
    WEAK_CHECK(decision.action == COOP_ACT_ENTER, "no message to join");
    coop_entered(w, &decision);
    await_members(4, 2);
    WEAK_CHECK(coop_try_kill(w), "a killed workgroup goes on");
    cb_add_release(CB_ATOMIC(w->in.words->out), 0xffffffffu); /* as coop_enter_pool() */
}

static void be_scheduler(void)
{
    volatile cb_atomic64 *word = CB_ATOMIC64(control->kernels[0].members);
    await_members(4, 4);
    cb_fetch_add64_acq_rel(word, 0 - 2 * COOP_TARGET_ONE);
    await_members(2, 2);
    cb_fetch_add64_acq_rel(word, 2 * COOP_TARGET_ONE);
}

static void offers(unsigned thread)
{
    coop_own own;
    coop_transmit state = {0};
    coop_worker w = {launch, control, mail, {control->kernels, entries, states, NULL}};
    if (thread == WORKERS) {
        be_scheduler();
        return;
    }
    w.own = &own;
    coop_clear_own(&own, NULL);
    own.workers = WORKERS;
    own.id = own.slot = thread;
    if (thread >= 2) {
        come_and_go(&w);
        return;
    }
    if (thread == 0)
        while (COOP_VERSION(await_members(2, 4)) == 0)
            weak_turn();
    coop_try_fork(&w, &state);
}

/* ---- An offer that completes a barrier ------------------------------------------------------- */

#define STAY 1u

/* 0 is at a barrier, which the others complete by leaving: it sees what they wrote, and how many
 * there are. */
static void start_at_barrier(uint groups)
{
    start();
    group_count = groups;
    control->kernels[0].out = groups;
    control->kernels[0].members = COOP_MEMBERS(0, groups, STAY, 0, 0, 0);
    written = weak_shared(WORKERS * sizeof *written);
}

static void start_two(void)
{
    start_at_barrier(2);
}

static void start_three(void)
{
    start_at_barrier(3);
}

static void completes(unsigned thread)
{
    coop_own own;
    coop_transmit state = {0};
    coop_worker w = {launch, control, mail, {control->kernels, entries, states, NULL}};
    const uint groups = group_count;
    w.own = &own;
    coop_clear_own(&own, NULL);
    own.id = own.slot = thread;
    w.groups = groups;
    if (thread > 0) {
        written[thread] = 1;
        WEAK_CHECK(coop_try_kill(&w), "a surplus workgroup goes on");
        return;
    }
    WEAK_CHECK(coop_meet_word(&w, &state, COOP_KEEPS) == COOP_GOES_ON, "a wait was given up");
    WEAK_CHECK(w.groups == STAY, "not all hear of a workgroup that has left");
    for (uint g = 1; g < groups; g++)
        WEAK_CHECK(written[g] == 1, "a workgroup that has left, and whose words are not seen");
}

/* ---- Two forks, one after the other ---------------------------------------------------------- */

/* 0 forks 1, and then 2, once 1 has read the state that it was sent. */
static void start_alone(void)
{
    start();
    control->kernels[0].out = 1;
    control->kernels[0].members = COOP_MEMBERS(0, 1, 2, 0, 0, 0);
}

static void fork_twice(coop_worker *w)
{
    coop_transmit state = {0};
    while (COOP_GROUPS(cb_load64_relaxed(CB_ATOMIC64(w->in.words->members))) < 3) {
        state.coop_point++;
        coop_try_fork(w, &state);
        weak_turn();
    }
}

static void forks(unsigned thread)
{
    coop_own own;
    coop_decision decision = {0};
    coop_worker w = {launch, control, mail, {control->kernels, entries, states, NULL}};
    w.own = &own;
    coop_clear_own(&own, NULL);
    own.workers = WORKERS;
    own.id = own.slot = thread;
    if (thread == 0) {
        fork_twice(&w);
    } else if (thread == 1) {
        coop_wait_for_work(&w, &decision);
        WEAK_CHECK(((const coop_transmit *)states)[decision.from].coop_point > 0, "no state");
        coop_entered(&w, &decision);
    } else {
        await_members(2, 2);
        cb_fetch_add64_acq_rel(CB_ATOMIC64(control->kernels[0].members), COOP_TARGET_ONE);
    }
}

const weak_program offer_programs[] = {
    {"offers, two forks", 3, start_alone, forks, .random_only = true, .most_turns = 1000},
    {"offers, barrier of two", 2, start_two, completes, .waits_end = true},
    {"offers, barrier of three", 3, start_three, completes, .random_only = true,
     .most_turns = 1000},
    {"offers, late", WORKERS + 1, start, offers, .random_only = true, .most_turns = 1000},
    {NULL},
};
