/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests that compile kernels/steal*.clh as C, with threads for workgroups.
 */
#pragma once

#include <sched.h>

#define CB_WAITER     0u
#define CB_DEQUE_ROOM 8u /* small, so that it fills and wraps */

static void pause_somewhere(void);
#include "tests/unit/opencl_c.h"

/* Stands for a fence: other threads come in between a load and a swap, or a lock and what it
 * guards. */
static void pause_somewhere(void)
{
    static _Thread_local uint random = 1;
    random = random * 1664525u + 1013904223u;
    if (random >> 28 == 0)
        sched_yield();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
