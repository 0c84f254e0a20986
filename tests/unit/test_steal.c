/* SPDX-License-Identifier: Apache-2.0
 *
 * The deques of kernels/steal.clh, compiled as C: order, limits, and threads that steal.
 */

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "steal_fixture.h"
#include "tests/unit/unit.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include "kernels/steal.clh"
#pragma GCC diagnostic pop

/* --- Some deques ------------------------------------------------------------------------------ */

#define DEQUES 3

static cb_u64 ends[DEQUES], places[DEQUES * CB_DEQUE_ROOM];
static const cb_deques deques = {ends, places};

static int clear(void **unused)
{
    (void)unused;
    memset(ends, 0, sizeof ends);
    memset(places, 0xee, sizeof places);
    return 0;
}

static bool push(cb_take *take, cb_u64 first, uint n)
{
    cb_u64 tasks[2 * CB_DEQUE_ROOM];
    for (uint i = 0; i < n; i++)
        tasks[i] = first + i;
    return cb_deque_push(take, deques, 0, tasks, n);
}

/* --- One after the other ---------------------------------------------------------------------- */

TEST_WITH(order, clear, NULL)
{
    cb_take take = {0};
    assert_true(push(&take, 1, 5));
    assert_int_equal(cb_deque_pop(&take, deques, 0), 5);
    assert_int_equal(cb_deque_steal(deques, 0), 1);
    assert_int_equal(cb_deque_pop(&take, deques, 0), 4);
    assert_int_equal(cb_deque_steal(deques, 0), 2);
    assert_int_equal(cb_deque_pop(&take, deques, 0), 3);
    assert_true(cb_deque_pop(&take, deques, 0) == CB_NO_TASK);
    assert_true(cb_deque_steal(deques, 0) == CB_NO_TASK);
}

TEST_WITH(full, clear, NULL)
{
    cb_take take = {0};
    for (uint round = 0; round < 100; round++) { /* past the end of the ring */
        assert_true(push(&take, 10 * round, CB_DEQUE_ROOM - 1));
        assert_false(push(&take, 0, 2));
        assert_true(push(&take, 10 * round + CB_DEQUE_ROOM - 1, 1));
        assert_false(push(&take, 0, 1));
        for (uint i = 0; i < CB_DEQUE_ROOM; i++)
            assert_int_equal(round % 2 ? cb_deque_steal(deques, 0) : cb_deque_pop(&take, deques, 0),
                             10 * round + (round % 2 ? i : CB_DEQUE_ROOM - 1 - i));
        assert_true(cb_deque_pop(&take, deques, 0) == CB_NO_TASK);
    }
}

/* The word of a deque that is not empty never comes twice, or a thief that was suspended would take
 * what has been replaced. */
TEST_WITH(last_task, clear, NULL)
{
    cb_take take = {0};
    push(&take, 1, 1);
    cb_u64 before = ends[0];
    assert_int_equal(cb_deque_pop(&take, deques, 0), 1);
    push(&take, 2, 1);
    assert_true(ends[0] != before);
}

/* A workgroup that joins may find anything in local memory. */
/* After 2^32 tasks, stolen or taken as the last one. */
TEST_WITH(wrap, clear, NULL)
{
    for (uint before = 0; before < 4; before++) {
        const uint at = 0u - before;
        cb_take take = {.ends = at * CB_DEQUE_ONE + at};
        ends[0] = take.ends;
        for (uint i = 0; i < 8; i++) {
            assert_true(push(&take, 10 * i, i % 2 + 1));
            assert_int_equal(cb_deque_size(ends[0]), i % 2 + 1);
            assert_int_equal(cb_deque_pop(&take, deques, 0), 10 * i + i % 2);
            if (i % 2)
                assert_int_equal(cb_deque_steal(deques, 0), 10 * i);
            assert_int_equal(cb_deque_size(ends[0]), 0);
        }
    }
}

TEST_WITH(unknown_ends, clear, NULL)
{
    const cb_u64 wrong[] = {0, 3, CB_DEQUE_ONE, 7 * CB_DEQUE_ONE + 2, 0xdeadbeefdeadbeef, ~0ull};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cb_take take = {0};
        clear(NULL);
        push(&take, 1, 3);
        take.ends = wrong[i];
        cb_take_own(&take, deques, 0);
        assert_int_equal(take.task, 3);
        assert_true(take.ends == ends[0]);
        assert_int_equal(cb_deque_pop(&take, deques, 0), 2);
        assert_int_equal(cb_deque_pop(&take, deques, 0), 1);
        take.ends = wrong[i];
        assert_true(cb_deque_pop(&take, deques, 0) == CB_NO_TASK);
    }
}

static void look(cb_take *take, uint id, uint turn, uint items)
{
    take->victim = CB_NO_VICTIM;
    for (uint item = 0; item < items; item++)
        cb_take_look(take, deques, DEQUES, id, turn, item, items);
}

TEST_WITH(look, clear, NULL)
{
    for (uint items = 1; items <= 4; items++) {
        cb_take take = {0};
        clear(NULL);
        look(&take, 1, 0, items);
        assert_true(take.victim == CB_NO_VICTIM);
        push(&take, 42, 2);
        ends[2] = 2 * CB_DEQUE_ONE;
        look(&take, 1, 0, items); /* the next is 2, then 0 */
        assert_int_equal(take.victim & 0xffffu, 2);
        ends[2] = 0;
        for (uint turn = 0; turn < 10; turn++) {
            look(&take, 1, turn, items);
            assert_int_equal(take.victim & 0xffffu, 0);
        }
        cb_take_steal(&take, deques);
        assert_int_equal(take.task, 42);
    }
}

/* --- At the same time ------------------------------------------------------------------------- */

#define TASKS   400000u
#define THIEVES 3

static unsigned char taken[TASKS];
static uint done;

static void take_down(cb_u64 task)
{
    if (task == CB_NO_TASK)
        return;
    __atomic_fetch_add(&taken[task], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
}

static void *steal_all(void *unused)
{
    (void)unused;
    while (__atomic_load_n(&done, __ATOMIC_RELAXED) < TASKS) {
        cb_u64 task = cb_deque_steal(deques, 0);
        take_down(task);
        if (task == CB_NO_TASK)
            sched_yield();
    }
    return NULL;
}

TEST_WITH(threads, clear, NULL)
{
    pthread_t thieves[THIEVES];
    cb_take take = {0};
    uint random = 1;
    memset(taken, 0, sizeof taken);
    done = 0;
    for (int i = 0; i < THIEVES; i++)
        assert_int_equal(pthread_create(&thieves[i], NULL, steal_all, NULL), 0);
    for (uint pushed = 0; pushed < TASKS || cb_deque_size(ends[0]) > 0;) {
        random = random * 1664525u + 1013904223u;
        uint n = min(1 + (random >> 29) / 6,
                     TASKS - pushed); /* most often one: the last is the hardest */
        if (push(&take, pushed, n))
            pushed += n;
        for (uint pops = random >> 20 & 3; pops > 0; pops--)
            take_down(cb_deque_pop(&take, deques, 0));
    }
    for (int i = 0; i < THIEVES; i++)
        pthread_join(thieves[i], NULL);
    for (uint i = 0; i < TASKS; i++)
        assert_int_equal(taken[i], 1);
}
