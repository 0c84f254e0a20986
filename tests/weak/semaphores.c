/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/semaphores/: of one, as a mutex, with a plain word; of two, counted.
 */
#include "opencl.h"
#include "programs.h"

#include "kernels/primitives_abi.h"
#include "kernels/semaphore.clh"
#include "kernels/semaphores/optimistic.clh"
#include "kernels/semaphores/sleeping.clh"
#include "kernels/semaphores/spin.clh"
#include "kernels/semaphores/spin_backoff.clh"
#include "kernels/semaphores/spin_backoff_post.clh"
#include "kernels/semaphores/ticket.clh"
#pragma GCC diagnostic pop

static cb_launch *launch;
static cb_u32 *words;
static uint *guarded, *inside, entered;

static void start(void)
{
    launch = weak_launch();
    words = weak_shared(CB_SEMAPHORE_WORDS * sizeof *words);
    guarded = weak_shared(2 * sizeof *guarded);
    inside = weak_shared(sizeof *inside);
    entered = 0;
}

typedef bool semaphore_call(cb_semaphore *);

static void use_one(semaphore_call *wait, semaphore_call *post, uint times)
{
    cb_semaphore s = {launch, words, 1};
    for (uint i = 0; i < times; i++) {
        WEAK_CHECK(wait(&s), "a wait was given up");
        WEAK_CHECK(++*guarded == 1, "two inside");
        entered++;
        WEAK_CHECK(--*guarded == 0, "two inside");
        WEAK_CHECK(post(&s), "a wait was given up");
    }
}

static void use_two(semaphore_call *wait, semaphore_call *post)
{
    cb_semaphore s = {launch, words, 2};
    WEAK_CHECK(wait(&s), "a wait was given up");
    WEAK_CHECK(cb_fetch_add_relaxed(CB_ATOMIC(*inside), 1) < 2, "three inside");
    entered++;
    cb_add_relaxed(CB_ATOMIC(*inside), 0xffffffffu);
    WEAK_CHECK(post(&s), "a wait was given up");
}

/* Threads 0 and 1 are the first inside, 2 stays there: 3 comes in once both have gone, and sees all
 * that they wrote. */
static void use_in_order(unsigned thread, semaphore_call *wait, semaphore_call *post)
{
    cb_semaphore s = {launch, words, 2};
    cb_wait turns = {launch};
    while (thread >= 2 && cb_load_relaxed(CB_ATOMIC(*inside)) < thread)
        cb_wait_turn(&turns, CB_SITE_SEMAPHORE, 0, 0);
    WEAK_CHECK(wait(&s), "a wait was given up");
    cb_add_relaxed(CB_ATOMIC(*inside), 1);
    entered += thread != 3;
    if (thread < 2) {
        cb_store_relaxed(CB_ATOMIC(guarded[thread]), 1);
        WEAK_CHECK(post(&s), "a wait was given up");
    } else if (thread == 3) {
        WEAK_CHECK(cb_load_relaxed(CB_ATOMIC(guarded[0])), "a post that is not seen");
        WEAK_CHECK(cb_load_relaxed(CB_ATOMIC(guarded[1])), "a post that is not seen");
    }
}

#define PROGRAM(kind, name, ...)                                                                   \
    static void in_order_##name(unsigned thread)                                                   \
    {                                                                                              \
        use_in_order(thread, cb_sem_wait_##name, cb_sem_post_##name);                              \
    }                                                                                              \
    static void one_##name(unsigned thread)                                                        \
    {                                                                                              \
        (void)thread;                                                                              \
        use_one(cb_sem_wait_##name, cb_sem_post_##name, 2);                                        \
    }                                                                                              \
    static void one_of_three_##name(unsigned thread)                                               \
    {                                                                                              \
        (void)thread;                                                                              \
        use_one(cb_sem_wait_##name, cb_sem_post_##name, 1);                                        \
    }                                                                                              \
    static void two_##name(unsigned thread)                                                        \
    {                                                                                              \
        (void)thread;                                                                              \
        use_two(cb_sem_wait_##name, cb_sem_post_##name);                                           \
    }
CB_SEMAPHORES(PROGRAM)

static const char *all_entered(void)
{
    return entered == 3 || entered == 4 ? NULL : "somebody did not come in";
}

#define LISTED(kind, name, ...)                                                                    \
    {"semaphore " #name ", one of two", 2, start, one_##name, all_entered},                        \
        {"semaphore " #name ", one of three", 3, start, one_of_three_##name, all_entered},         \
        {"semaphore " #name ", two of three", 3, start, two_##name, all_entered},                  \
        {"semaphore " #name ", in order", 4, start, in_order_##name, all_entered},
const weak_program semaphore_programs[] = {CB_SEMAPHORES(LISTED){NULL}};
