/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/steal.clh: an owner and thieves. What a task means is a plain word, written before it is
 * pushed; a task is done by one alone, who may write there.
 */
#include "opencl.h"
#include "programs.h"

#define CB_DEQUE_ROOM 2u /* so that places are used again */
#include "kernels/steal.clh"
#pragma GCC diagnostic pop

#define TASKS 4u

static cb_deques deques;
static uint *meaning; /* of each task: 10 + task, 0 once it is done */
static bool pushed[TASKS];

static void start(void)
{
    deques.ends = weak_shared(sizeof(cb_u64));
    deques.tasks = weak_shared(CB_DEQUE_ROOM * sizeof(cb_u64));
    meaning = weak_shared(TASKS * sizeof *meaning);
    memset(pushed, 0, sizeof pushed);
}

static void do_task(ulong task)
{
    if (task == CB_NO_TASK)
        return;
    WEAK_CHECK(task < TASKS, "a task that is none");
    WEAK_CHECK(meaning[task] == 10 + task, "a task taken twice, or not whole");
    meaning[task] = 0;
}

static void push(cb_take *take, uint first, uint n)
{
    cb_u64 tasks[2];
    for (uint i = 0; i < n; i++) {
        tasks[i] = first + i;
        meaning[first + i] = 10 + first + i;
    }
    if (cb_deque_push(take, deques, 0, tasks, n))
        for (uint i = 0; i < n; i++)
            pushed[first + i] = true;
    else
        for (uint i = 0; i < n; i++)
            meaning[first + i] = 0;
}

/* Nothing is lost: what was pushed is done, or still there. */
static const char *count_left(void)
{
    const ulong ends = deques.ends[0];
    uint left = cb_deque_size(ends);
    for (uint i = 0; i < TASKS; i++)
        left -= meaning[i] != 0;
    return left == 0 ? NULL : "a task is lost";
}

/* Takes the last tasks, and uses places again. */
static void owner_of_few(void)
{
    cb_take take = {0};
    push(&take, 0, 1);
    do_task(cb_deque_pop(&take, deques, 0));
    push(&take, 1, 2);
    do_task(cb_deque_pop(&take, deques, 0));
    push(&take, 3, 1);
}

static void one_thief(unsigned thread)
{
    if (thread == 0)
        owner_of_few();
    else
        for (uint i = 0; i < 2; i++)
            do_task(cb_deque_steal(deques, 0));
}

/* Leaves all to thieves, so that places are free because they took what was there. */
static void two_thieves(unsigned thread)
{
    cb_take take = {0};
    if (thread > 0) {
        do_task(cb_deque_steal(deques, 0));
        return;
    }
    push(&take, 0, 2);
    take.ends = 0; /* as if it had just joined: it looks */
    do_task(cb_deque_pop(&take, deques, 0));
    push(&take, 2, 1);
    push(&take, 3, 1);
}

const weak_program deque_programs[] = {
    {"steal, one thief", 2, start, one_thief, count_left},
    {"steal, two thieves", 3, start, two_thieves, count_left},
    {NULL},
};
