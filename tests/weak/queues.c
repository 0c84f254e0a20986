/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/queues/ and kernels/steal_locked.clh: what an element means is a plain word, written
 * before it comes in, and written over by the one that takes it.
 */
#include "opencl.h"
#include "programs.h"

#define CB_MUTEX      ticket
#define CB_DEQUE_ROOM 2u
#include "kernels/queue.clh"
#include "kernels/queues/monitor.clh"
#include "kernels/queues/tickets.clh"
#include "kernels/steal_locked.clh"
#pragma GCC diagnostic pop

#define SLOTS    2u
#define ELEMENTS 3u

static cb_launch *launch;
static cb_u32 *words;
static cb_u64 *tasks;
static uint *meaning, taken;

static void start(void)
{
    launch = weak_launch();
    words = weak_shared(CB_QUEUE_WORDS(SLOTS) * sizeof *words + 2 * CB_LOCKED_WORDS * 4);
    tasks = weak_shared(2 * CB_DEQUE_ROOM * sizeof *tasks);
    meaning = weak_shared(2 * ELEMENTS * sizeof *meaning);
    cb_u32 *turns = &words[2 * CB_LINE_WORDS];
    for (uint slot = 0; slot < SLOTS; slot++) /* as cb_queue_age_tickets() leaves them */
        turns[2 * slot] = 0;
    taken = 0;
}

static void use(uint element)
{
    WEAK_CHECK(element < 2 * ELEMENTS && meaning[element] == 10 + element,
               "an element taken twice, or not whole");
    meaning[element] = 0;
    taken++;
}

typedef bool enqueue_call(cb_queue *, uint);
typedef bool dequeue_call(cb_queue *, uint *);

static void put(enqueue_call *enqueue, uint first, uint n)
{
    cb_queue q = cb_queue_start(launch, words, SLOTS);
    for (uint i = first; i < first + n; i++) {
        meaning[i] = 10 + i;
        WEAK_CHECK(enqueue(&q, i), "a wait was given up");
    }
}

/* in_order: there is one that puts and one that takes. */
static void get(dequeue_call *dequeue, uint n, bool in_order)
{
    cb_queue q = cb_queue_start(launch, words, SLOTS);
    for (uint i = 0; i < n; i++) {
        uint element = 0;
        WEAK_CHECK(dequeue(&q, &element), "a wait was given up");
        WEAK_CHECK(!in_order || element == i, "not in order");
        use(element);
    }
}

#define PROGRAM(name)                                                                              \
    static void one_##name(unsigned thread)                                                        \
    {                                                                                              \
        if (thread == 0)                                                                           \
            put(cb_enqueue_##name, 0, ELEMENTS);                                                   \
        else                                                                                       \
            get(cb_dequeue_##name, ELEMENTS, true);                                                \
    }                                                                                              \
    static void three_##name(unsigned thread)                                                      \
    {                                                                                              \
        if (thread < 2)                                                                            \
            put(cb_enqueue_##name, thread * 2, thread + 1);                                        \
        else                                                                                       \
            get(cb_dequeue_##name, 3, false);                                                      \
    }
PROGRAM(monitor)
PROGRAM(tickets)

static const char *all_taken(void)
{
    return taken == ELEMENTS ? NULL : "an element is lost";
}

/* ---- Queues with a lock ---------------------------------------------------------------------- */

static void locked(unsigned thread)
{
    const cb_locked q = {launch, words, tasks};
    for (uint i = 0; i < 2; i++) {
        const uint task = 2 * thread + i;
        meaning[task] = 10 + task;
        if (!cb_locked_push(q, thread % 2, task))
            meaning[task] = 0;
        const ulong found = cb_locked_take(q, 2, (thread + i) % 2);
        if (found != CB_NO_TASK)
            use((uint)found);
    }
}

const weak_program queue_programs[] = {
    {"queue monitor, one of each", 2, start, one_monitor, all_taken},
    {"queue monitor, three", 3, start, three_monitor, all_taken, .most_switches = 3},
    {"queue tickets, one of each", 2, start, one_tickets, all_taken},
    {"queue tickets, three", 3, start, three_tickets, all_taken},
    {"steal_locked, two", 2, start, locked, NULL},
    {NULL},
};
