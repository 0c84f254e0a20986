/* SPDX-License-Identifier: Apache-2.0
 *
 * The megakernel (kernels/coop/): thread 0 is the scheduler, two are workers, the last the host.
 * The kernel's workgroups write plain words before a barrier and read each other's after it; tasks
 * write plain words that the host reads. Compiled once for each barrier that resizes
 * (CMakeLists.txt): COOP_RESIZING, COOP_SEMANTICS, COOP_USES_OFFERS and PROGRAMS, the name of the
 * list.
 */
#include "opencl.h"
#include "programs.h"

#define get_group_id(d)   weak_thread()
#define get_num_groups(d) (WORKERS + 1)

#ifndef WORKERS
#define WORKERS 2u
#endif
#define ROUNDS 3u
#ifndef COOP_KERNELS
#define COOP_KERNELS 1
#endif
#define TASK_GROUPS  (WORKERS - COOP_KERNELS)
#define COOP_WG_SIZE 1u
#define COOP_MODE    COOP_COOPERATIVE
#define CB_PROTOCOL  lockfree
#ifndef COOP_SEMANTICS
#define COOP_SEMANTICS COOP_HIGHEST
#endif
#define CB_BARRIER counter
#define AGREED     1024u
#define COOP_ARGS(X)                                                                               \
    X(global uint *, written)                                                                      \
    X(global uint *, begun) X(global uint *, agreed) X(global uint *, by_child)
/* round: of the app; began, before: M when it began, and before its barrier. */
#define COOP_TRANSMIT uint round, began, before;
#ifdef COOP_SUBMITS /* no tasks of a program, but children of the test's own */
#define COOP_CHILDREN
#define TASK_KERNELS(APART, TOGETHER)
typedef struct {
    uint x, y, z, w;
} four_numbers;
typedef struct {
    four_numbers groups, items, offset;
} task_range;
#define task_product(v) ((v).x * (v).y * (v).z)
#endif
#include "kernels/coop.clh"

/* ---- The kernel ------------------------------------------------------------------------------ */

#ifdef COOP_SUBMITS
#define HAS_CHILDREN 1
#else
#define HAS_CHILDREN 0
#endif
#define NUMBER(S, V) ((S)->round + (V).run * ROUNDS) /* of the round, over all runs */

/* Every workgroup reads after a barrier what all wrote before it. */
static void check_written(const coop_args *A, uint groups, uint number)
{
    for (uint g = 0; g < groups; g++)
        WEAK_CHECK(A->written[g] == number, "a workgroup that had not arrived");
}

/* Also what those wrote that were killed on the way there. */
static void check_begun(const coop_args *A, uint groups, uint number)
{
    for (uint g = 0; g < groups; g++)
        WEAK_CHECK(cb_load_relaxed(CB_ATOMIC(A->begun[g])) >= number,
                   "a workgroup that has left, and whose words are not seen");
}

/* All that come out of a barrier have the same number of workgroups. */
static void check_agreed(const coop_args *A, uint groups, uint number)
{
    const uint before = cb_exchange_relaxed(CB_ATOMIC(A->agreed[number % AGREED]), groups);
    WEAK_CHECK(before == 0 || before == groups, "workgroups do not agree on their number");
}

#ifdef COOP_SUBMITS
/* A child is to write its number. */
static void submit(const coop_submitter by, uint number, uint where)
{
    const uint place = coop_take_place(by.children, by.slot, by.item);
    WEAK_CHECK(place != CHILD_NONE, "no place for a child");
    coop_child_at(by.children, place)->arguments[0] = number;
    coop_child_at(by.children, place)->arguments[1] = where;
    coop_submit_place(by, place, 1);
}
#endif

coop_kernel(app)
{
    coop_begin();
    for (S->round = 1; S->round <= ROUNDS; S->round++) {
        S->began = S->round == 1 ? 0 : V.groups;
        cb_store_relaxed(CB_ATOMIC(A->begun[V.group]), NUMBER(S, V));
#ifdef COOP_USES_OFFERS
        offer_kill();
        request_fork();
#endif
#ifdef COOP_SUBMITS
        submit(V.by, NUMBER(S, V), V.by.slot);
        join_tasks();
        WEAK_CHECK(A->by_child[V.by.slot] == NUMBER(S, V), "a child that is not done");
        submit(V.by, NUMBER(S, V), WORKERS + V.by.slot); /* which may end after the kernel */
#endif
        S->before = V.groups;
        A->written[V.group] = NUMBER(S, V);
        resizing_global_barrier();
#if COOP_SEMANTICS == COOP_ANY
        check_written(A, 0, 0); /* ids may have gaps */
#elif defined(COOP_USES_OFFERS)
        check_written(A, 1, NUMBER(S, V)); /* M may change at any time, but for workgroup 0 */
        check_begun(A, S->began, NUMBER(S, V));
#else
        check_written(A, S->before, NUMBER(S, V));
#endif
        check_agreed(A, V.groups, NUMBER(S, V));
        global_barrier();
    }
    coop_end();
}

/* ---- What coop/main.clh does, for a workgroup of one ------------------------------------------
 */

#define COOP_NAME(name, k) name /* all kernels have the same code */
#if COOP_KERNELS == 1
#define COOP_EACH(X) X(0)
#else
#define COOP_EACH(X) X(0) X(1)
#endif
#include "kernels/coop/points.clh"
typedef struct {
    coop_transmit of;
} coop_state;
#include "kernels/coop/megakernel.clh"
#pragma GCC diagnostic pop

static cb_launch *launch;
static coop_control *control;
static cb_discovery *discovery;
static cb_u32 *mail;
static coop_entry *entries;
static uchar *states;
static coop_channel *channel;
static cb_u64 *arrivals;
static coop_args args[COOP_KERNELS];
static uint *done_by_share;

static uint act(coop_worker *w, coop_decision *decision, coop_state *state)
{
#ifdef COOP_SUBMITS
    if (decision->action == COOP_ACT_SHARE && decision->lane == COOP_LANE_OF_CHILDREN) {
        const child_place *child = coop_child_at(w->children, decision->packet);
        args[child->root / WORKERS].by_child[child->arguments[1]] = child->arguments[0];
        return COOP_SHARE_DONE;
    }
#endif
    if (decision->action == COOP_ACT_SHARE) {
        done_by_share[decision->share] = decision->packet;
        return COOP_SHARE_DONE;
    }
    const coop_view view = {.launch = launch,
                            .group = decision->group,
                            .groups = decision->groups,
                            .most = decision->most,
                            .items = 1,
                            .run = decision->run,
#ifdef COOP_SUBMITS
                            .by = coop_submitter_in_kernel(w, NULL, decision->group, 0),
#endif
                            .urgent = &control->kernels[COOP_KERNEL_OF(w)].urgent};
    if (decision->action == COOP_ACT_ENTER && decision->from == COOP_FROM_START)
        memset(state, 0, sizeof *state);
    else if (decision->action == COOP_ACT_ENTER)
        state->of = ((const coop_transmit *)w->in.states)[decision->from];
    return coop_app(&args[COOP_KERNEL_OF(w)], &state->of, NULL, &view);
}

static void be_workgroup(void)
{
    coop_own own;
    coop_decision decision = {0};
    coop_state state = {0};
    cb_environment env;
    coop_worker self = {launch, control, mail, {control->kernels, entries, states, arrivals}};
#if COOP_KERNELS > 1
    self.first = self.in;
#endif
#ifdef COOP_SUBMITS
    self.children = coop_children_in(mail, WORKERS);
#endif
    self.own = &own;
    coop_clear_own(&own, NULL);
    COOP_BEGIN(&self, control, discovery, &env, channel, &decision);
    while (decision.action != COOP_ACT_EXIT) {
        uint yield = act(&self, &decision, &state);
#ifdef COOP_MEET
        COOP_MEET(&self, &decision, yield, 0)
#endif
        COOP_DECIDE(&self, control, &decision, &state, yield);
#ifdef COOP_MET
        COOP_MET(&self, 0)
#endif
    }
}

/* ---- The host -------------------------------------------------------------------------------- */

static void await(cb_u32 *word, uint wanted)
{
    while (cb_host_load_acquire(CB_ATOMIC(*word)) != wanted)
        weak_turn();
}

static void write_limit(uint groups, uint number)
{
    const uint limits[] = {groups, WORKERS - groups}; /* of several kernels: one has the rest */
    for (uint k = 0; k < COOP_KERNELS; k++)
        cb_host_store_release(CB_ATOMIC(channel->host.limits[k]),
                              COOP_LIMIT(limits[k], number, number));
}

static void await_limit_of(uint k, uint groups, uint number)
{
    const volatile coop_device_kernel *d = &channel->device[k];
    await(&channel->device[k].limit, number);
    if (groups == COOP_LIMIT_NONE)
        groups = 0;
    WEAK_CHECK(cb_host_load_relaxed(CB_ATOMIC(channel->device[k].limit_active)) <= groups,
               "a limit that does not hold");
#ifndef COOP_SUBMITS /* with COOP_SUBMITS a pool workgroup may still run a child */
    WEAK_CHECK(cb_load_relaxed(CB_ATOMIC(control->kernels[k].out)) <= groups,
               "a limit is reached while somebody is on the way to the pool");
#endif
    WEAK_CHECK(d->limit_reached >= d->limit_seen, "times");
}

static void await_limit(uint groups, uint number)
{
    await_limit_of(0, groups, number);
    if (COOP_KERNELS > 1)
        await_limit_of(1, WORKERS - groups, number);
}

static void set_limit(uint groups, uint number)
{
    write_limit(groups, number);
    await_limit(groups, number);
}

static void send(uint number, uint kind, uint groups, uint what)
{
    coop_order *o = &channel->orders[number];
    o->kind = kind;
    o->groups = groups;
    o->what = what;
    o->rank = COOP_RANK(0, COOP_NO_DEADLINE, number);
    cb_host_store_release(CB_ATOMIC(channel->host.sent), number);
}

static void send_task(uint number)
{
    send(number, COOP_COMMAND_TASK, TASK_GROUPS, 100 + number);
}

/* Waits for a task. Returns whether it has been done; else it was cancelled. */
static bool await_task(uint number)
{
    await(&channel->answers[number].number, number);
    const bool done = channel->answers[number].fate == COOP_FATE_DONE;
    for (uint share = 0; done && share < TASK_GROUPS; share++)
        WEAK_CHECK(done_by_share[share] == 100 + number, "a task that is not done");
    return done;
}

static void stop(void)
{
    cb_host_store_release(CB_ATOMIC(channel->host.stop), 1);
}

static void start(void)
{
    launch = weak_launch();
    control = weak_shared(sizeof *control);
    discovery = weak_shared(sizeof *discovery);
    mail = weak_shared(coop_message_words(COOP_KERNELS, COOP_SEMANTICS, HAS_CHILDREN, WORKERS) *
                       sizeof *mail);
    entries = weak_shared(coop_entry_at(COOP_KERNELS, WORKERS, 0) * sizeof *entries);
    states = weak_shared(coop_state_at(COOP_KERNELS, WORKERS, 0));
    channel = weak_shared(sizeof *channel);
    arrivals = weak_shared(coop_arrivals_at(COOP_KERNELS) * sizeof(cb_u32));
    for (uint k = 0; k < COOP_KERNELS; k++) {
        args[k].written = weak_shared(WORKERS * sizeof(uint));
        args[k].begun = weak_shared(WORKERS * sizeof(uint));
        args[k].agreed = weak_shared(AGREED * sizeof(uint));
        args[k].by_child = weak_shared(2 * WORKERS * sizeof(uint));
        channel->host.repeat[k] = COOP_REPEAT;
    }
    done_by_share = weak_shared(WORKERS * sizeof *done_by_share);
    control->workers = control->most = WORKERS;
    control->lanes_used = 2;
    control->kernels[0].out = WORKERS;
    control->lifetime_ticks = control->gather_ticks = UINT64_MAX;
    control->offer_ticks = 4;
}

static void resize(void)
{
#if COOP_KERNELS > 1 /* each has one at least */
    for (uint number = 1; number <= 4; number++)
        set_limit(1 + number % 2, number);
    stop();
    return;
#endif
    set_limit(1, 1);
    write_limit(2, 2);
    set_limit(WORKERS, 3);
    set_limit(COOP_SEMANTICS == COOP_WHOLE ? COOP_LIMIT_NONE : 1, 4);
    set_limit(2, 5);
    stop();
}

static void tasks(void)
{
    send_task(1);
    WEAK_CHECK(await_task(1), "a task that was not cancelled");
    send_task(2);
    WEAK_CHECK(await_task(2), "a task that was not cancelled");
    send_task(3);
    stop(); /* what was sent before is done before the end */
    WEAK_CHECK(await_task(3), "a task that was not cancelled");
}

/* Another task gets the lane of one that was taken back. */
static void withdraw(void)
{
    send_task(1);
    send(2, COOP_COMMAND_WITHDRAW, 0, 1);
    await(&channel->answers[2].number, 2);
    WEAK_CHECK(await_task(1) == (channel->answers[2].fate == COOP_FATE_TOO_LATE), "two answers");
    send_task(3);
    WEAK_CHECK(await_task(3), "a task that was not cancelled");
    stop();
}

#define PROGRAM(name)                                                                              \
    static void run_##name(unsigned thread)                                                        \
    {                                                                                              \
        if (thread <= WORKERS)                                                                     \
            be_workgroup();                                                                        \
        else                                                                                       \
            name();                                                                                \
    }
PROGRAM(resize)
PROGRAM(tasks)
PROGRAM(withdraw)

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#define LISTED(name)                                                                               \
    {                                                                                              \
        TEXT(PROGRAMS)                                                                             \
        ", " #name, WORKERS + 2, start, run_##name, .most_turns = 3000, .random_only = true        \
    }
const weak_program PROGRAMS[] = {LISTED(resize), LISTED(tasks), LISTED(withdraw), {NULL}};
