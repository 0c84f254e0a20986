/* SPDX-License-Identifier: Apache-2.0
 *
 * The queues of kernels/steal_locked.clh, compiled as C: order, limits, locks that are given up,
 * and threads that steal.
 */

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "steal_fixture.h"
#include "tests/unit/unit.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include "kernels/steal_locked.clh"
#pragma GCC diagnostic pop

/* --- Some queues ------------------------------------------------------------------------------ */

#define QUEUES 3

static cb_launch launch;
static cb_u32 words[QUEUES * CB_LOCKED_WORDS];
static cb_u64 places[QUEUES * CB_DEQUE_ROOM];
static const cb_locked queues = {&launch, words, places};

static int clear(void **unused)
{
    (void)unused;
    memset(&launch, 0, sizeof launch);
    launch.deadline_turns = 100000000; /* seconds */
    memset(words, 0xee, sizeof words);
    memset(places, 0xee, sizeof places);
    for (uint q = 0; q < QUEUES; q++)
        cb_locked_clear(queues, q);
    return 0;
}

static bool is_free(uint q)
{
    return words[q * CB_LOCKED_WORDS] == 0;
}

static uint size_of(uint q)
{
    return *cb_locked_size(queues, q);
}

/* --- One after the other ---------------------------------------------------------------------- */

TEST_WITH(order, clear, NULL)
{
    for (cb_u64 task = 1; task <= 3; task++)
        assert_true(cb_locked_push(queues, 1, task));
    assert_int_equal(size_of(1), 3);
    assert_int_equal(cb_locked_pop(queues, 1), 3);
    assert_true(cb_locked_push(queues, 1, 4));
    assert_int_equal(cb_locked_pop(queues, 1), 4);
    assert_int_equal(cb_locked_pop(queues, 1), 2);
    assert_int_equal(cb_locked_pop(queues, 1), 1);
    assert_true(cb_locked_pop(queues, 1) == CB_NO_TASK);
    assert_int_equal(size_of(1), 0);
}

/* Neither a full nor an empty queue keeps its lock, nor does it touch its neighbours. */
TEST_WITH(full, clear, NULL)
{
    for (uint i = 0; i < CB_DEQUE_ROOM; i++)
        assert_true(cb_locked_push(queues, 1, 10 + i));
    assert_false(cb_locked_push(queues, 1, 99));
    assert_true(is_free(1));
    assert_int_equal(size_of(1), CB_DEQUE_ROOM);
    assert_true(cb_locked_pop(queues, 0) == CB_NO_TASK && is_free(0));
    assert_true(cb_locked_pop(queues, 2) == CB_NO_TASK && is_free(2));
    for (uint i = CB_DEQUE_ROOM; i-- > 0;)
        assert_int_equal(cb_locked_pop(queues, 1), 10 + i);
    assert_true(cb_locked_pop(queues, 1) == CB_NO_TASK && is_free(1));
    assert_int_equal(launch.abort, 0);
}

/* The own queue first, then the next, around the end; no queue beyond those that there are. */
TEST_WITH(take, clear, NULL)
{
    cb_locked_push(queues, 0, 1);
    cb_locked_push(queues, 1, 2);
    cb_locked_push(queues, 2, 3);
    assert_int_equal(cb_locked_take(queues, QUEUES, 1), 2);
    assert_int_equal(cb_locked_take(queues, QUEUES, 1), 3);
    assert_int_equal(cb_locked_take(queues, QUEUES, 1), 1);
    assert_true(cb_locked_take(queues, QUEUES, 1) == CB_NO_TASK);
    cb_locked_push(queues, 2, 4);
    assert_true(cb_locked_take(queues, 2, 0) == CB_NO_TASK);
    assert_int_equal(cb_locked_take(queues, QUEUES, 0), 4);
    for (uint q = 0; q < QUEUES; q++)
        assert_true(is_free(q));
}

/* Somebody has died with the lock. */
TEST_WITH(given_up, clear, NULL)
{
    cb_locked_push(queues, 1, 1);
    words[CB_LOCKED_WORDS] = 1;
    launch.deadline_turns = 1000;
    assert_true(cb_locked_pop(queues, 1) == CB_NO_TASK);
    assert_int_equal(launch.abort, 1);
    assert_int_equal(launch.site, CB_SITE_MUTEX);
    assert_false(cb_locked_push(queues, 1, 2));
    assert_true(cb_locked_take(queues, QUEUES, 1) == CB_NO_TASK);
    assert_int_equal(words[CB_LOCKED_WORDS], 1); /* not ours to unlock */
    assert_int_equal(size_of(1), 1);
}

/* --- At the same time ------------------------------------------------------------------------- */

#define TASKS 200000u /* the first half of them makes the second, one each */

static unsigned char taken[TASKS];
static uint done;
static volatile bool overflowed;

/* A workgroup pushes to its own queue only, from which it or a thief has just taken a task. */
static void work(uint id, cb_u64 task)
{
    if (task == CB_NO_TASK)
        return;
    if (task < TASKS / 2)
        overflowed = overflowed || !cb_locked_push(queues, id, task + TASKS / 2);
    __atomic_fetch_add(&taken[task], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
}

static void *run_worker(void *argument)
{
    uint id = (uint)(uintptr_t)argument;
    while (__atomic_load_n(&done, __ATOMIC_RELAXED) < TASKS && !overflowed) {
        cb_u64 task = cb_locked_take(queues, QUEUES, id);
        if (task == CB_NO_TASK)
            sched_yield();
        else
            work(id, task);
    }
    return NULL;
}

TEST_WITH(threads, clear, NULL)
{
    pthread_t workers[QUEUES];
    memset(taken, 0, sizeof taken);
    done = 0;
    overflowed = false;
    for (uintptr_t i = 1; i < QUEUES; i++)
        assert_int_equal(pthread_create(&workers[i], NULL, run_worker, (void *)i), 0);
    for (uint pushed = 0; pushed < TASKS / 2;)
        if (cb_locked_push(queues, 0, pushed))
            pushed++;
        else
            work(0, cb_locked_pop(queues, 0)); /* full */
    run_worker((void *)0);
    for (int i = 1; i < QUEUES; i++)
        pthread_join(workers[i], NULL);
    assert_false(overflowed);
    for (uint i = 0; i < TASKS; i++)
        assert_int_equal(taken[i], 1);
    for (uint q = 0; q < QUEUES; q++)
        assert_true(size_of(q) == 0 && is_free(q));
}
