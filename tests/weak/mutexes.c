/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/mutexes/: a plain word is changed in the lock.
 */
#include "opencl.h"
#include "programs.h"

#include "kernels/mutex.clh"
#include "kernels/mutexes/array.clh"
#include "kernels/mutexes/ring.clh"
#include "kernels/mutexes/spin.clh"
#include "kernels/mutexes/spin_backoff.clh"
#include "kernels/mutexes/spin_then_backoff.clh"
#include "kernels/mutexes/ticket.clh"
#include "kernels/mutexes/ticket_backoff.clh"
#include "kernels/mutexes/ticket_linear.clh"
#include "kernels/primitives_abi.h"
#pragma GCC diagnostic pop

#define SLOTS 2u /* so that they are used again */

static cb_launch *launch;
static cb_u32 *words;
static uint *inside, entered;

static void start(void)
{
    launch = weak_launch();
    words = weak_shared(CB_MUTEX_WORDS(4) * sizeof *words);
    inside = weak_shared(sizeof *inside);
    entered = 0;
}

static void use(cb_mutex m, bool (*lock)(cb_mutex *), void (*unlock)(cb_mutex *), uint times)
{
    for (uint i = 0; i < times; i++) {
        WEAK_CHECK(lock(&m), "a wait was given up");
        WEAK_CHECK(++*inside == 1, "two in the lock");
        entered++;
        WEAK_CHECK(--*inside == 0, "two in the lock");
        unlock(&m);
    }
}

#define PROGRAM(kind, name, ...)                                                                   \
    static void two_##name(unsigned thread)                                                        \
    {                                                                                              \
        (void)thread;                                                                              \
        use(cb_mutex_start(launch, words, SLOTS), cb_lock_##name, cb_unlock_##name, 2);            \
    }                                                                                              \
    static void three_##name(unsigned thread)                                                      \
    {                                                                                              \
        (void)thread;                                                                              \
        use(cb_mutex_start(launch, words, 2 * SLOTS), cb_lock_##name, cb_unlock_##name, 1);        \
    }
CB_MUTEXES(PROGRAM)

static const char *all_entered(void)
{
    return entered == 3 || entered == 4 ? NULL : "somebody did not come in";
}

#define LISTED(kind, name, ...)                                                                    \
    {"mutex " #name ", two", 2, start, two_##name, all_entered},                                   \
        {"mutex " #name ", three", 3, start, three_##name, all_entered},
const weak_program mutex_programs[] = {CB_MUTEXES(LISTED){NULL}};
