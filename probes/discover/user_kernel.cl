/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands before a user's kernel, with names that are not in its way: cb_user_meets() is called
 * by the kernel's first statement (user_text.c). Local memory would be the kernel's own, so that it
 * uses none.
 */
#define CB_DIMENSIONS 3
#include "barrier_once.clh"
#include "user_kernel_abi.h"

/* All workgroups that are launched meet. True, and nothing of the user's kernel runs, since nobody
 * sets words->runs. A compiler cannot know that: it gives the kernel the registers and the local
 * memory that it takes to run. */
static inline bool cb_user_meets(global cb_launch *launch, volatile global cb_user_words *words)
{
    if (cb_native_item() == 0)
        cb_barrier_once(launch, words->arrived, cb_native_groups());
    return cb_load_relaxed(CB_ATOMIC(words->runs)) == 0;
}
