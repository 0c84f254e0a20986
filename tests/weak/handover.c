/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/coop/grants/several.clh: a slot goes from one kernel to another while its workgroup is
 * still on the way to the pool. Thread 1 is that workgroup, 2 is workgroup 0 of the other kernel,
 * which sends for it, 0 is the scheduler.
 */
#include "opencl.h"
#include "programs.h"

#define get_group_id(d)   weak_thread()
#define get_num_groups(d) 4u
#define COOP_MODE         COOP_COOPERATIVE
#define COOP_RESIZING     COOP_QUERY
#define COOP_SEMANTICS    COOP_HIGHEST
#define COOP_KERNELS      2
#define COOP_USES_OFFERS
#define CB_BARRIER   counter
#define CB_PROTOCOL  lockfree
#define COOP_ARGS(X) X(uint, unused)
#include "kernels/coop.clh"

coop_kernel(app) /* not run */
{
    coop_begin();
    coop_end();
}

#define COOP_NAME(name, k) name
#define COOP_EACH(X)       X(0) X(1)
#include "kernels/coop/grants.clh"
#include "kernels/coop/points.clh"
#include "kernels/coop/pool.clh"
#pragma GCC diagnostic pop

#define WORKERS 3u

static cb_launch *launch;
static coop_control *control;
static cb_u32 *mail;
static coop_entry *entries;
static uchar *states;
static coop_channel *channel;

static coop_worker worker(coop_own *own)
{
    coop_worker w = {launch, control, mail, {control->kernels, entries, states, NULL}};
    w.first = w.in;
    w.own = own;
    coop_clear_own(own, NULL);
    own->workers = WORKERS;
    return w;
}

/* Kernel 0 has slots 0 and 1, and is to have one; kernel 1 has 2. */
static void start(void)
{
    launch = weak_launch();
    control = weak_shared(sizeof *control);
    mail = weak_shared(WORKERS * (COOP_KERNELS * COOP_LINE + COOP_LANES + 8) * sizeof *mail);
    entries = weak_shared(COOP_KERNELS * (WORKERS + 1) * sizeof *entries);
    states = weak_shared(COOP_KERNELS * WORKERS * COOP_STATE_BYTES);
    channel = weak_shared(sizeof *channel);
    for (uint k = 0; k < COOP_KERNELS; k++) {
        control->kernels[k].out = 2 - k;
        control->kernels[k].members = COOP_MEMBERS(0, 2 - k, 1, 0, 0, 0);
    }
    for (uint slot = 0; slot < WORKERS; slot++)
        coop_take_slot(mail, WORKERS, slot / 2, slot % 2, slot);
    mail[1 * COOP_LINE] = COOP_MAIL(COOP_MAIL_JOIN, 0, 0, COOP_FROM_START);
}

static void be_scheduler(void)
{
    coop_own own;
    coop_scheduler s = {launch, control, mail, channel};
    s.log = worker(&own);
    s.workers = s.lowest = WORKERS;
    for (uint k = 0; k < COOP_KERNELS; k++) {
        coop_watched *q = &s.kernels[k];
        q->in = coop_memory_of(&s.log, k);
        q->number = k;
        q->limit = 1 + k;
        q->groups = q->granted = 2 - k;
        q->wish = 1;
    }
    while (s.kernels[0].groups == 2) {
        s.kernels[0].word = coop_read_word(&s.kernels[0]);
        coop_look(&s.kernels[0]);
        weak_turn();
    }
    coop_share_out(&s);
    s.kernels[1].word = coop_read_word(&s.kernels[1]);
    WEAK_CHECK(coop_want(&s, &s.kernels[1], coop_reach(&s, &s.kernels[1])), "not wanted");
}

static void be_handed_over(void)
{
    coop_own own;
    coop_decision decision = {0};
    coop_worker w = worker(&own);
    own.slot = 1;
    coop_wait_for_work(&w, &decision);
    WEAK_CHECK(own.of == 0 && own.id == 1, "a message of another kernel");
    cb_fetch_add64_acq_rel(CB_ATOMIC64(w.in.words->members), 0 - COOP_GROUP_ONE); /* it leaves */
    coop_enter_pool(&w, &decision);
    WEAK_CHECK(own.of == 1 && own.id == 1, "a message of another kernel");
}

static void be_forker(void)
{
    coop_own own;
    coop_transmit state = {0};
    coop_worker w = worker(&own);
    own.of = 1;
    own.slot = 2;
    w.in = coop_memory_of(&w, 1);
    while (COOP_TARGET(cb_load64_relaxed(CB_ATOMIC64(w.in.words->members))) == 1)
        weak_turn();
    coop_try_fork(&w, &state);
    WEAK_CHECK(w.groups == 2, "nobody is forked");
}

static void hand_over(unsigned thread)
{
    if (thread == 0)
        be_scheduler();
    else if (thread == 1)
        be_handed_over();
    else
        be_forker();
}

const weak_program handover_programs[] = {
    {"hand over", 3, start, hand_over, .random_only = true, .most_turns = 500},
    {NULL},
};
