/* SPDX-License-Identifier: Apache-2.0
 *
 * What the task's kernel and the host share (preempt.cl, task.c). Times are ticks of the device
 * clock.
 */
#pragma once
#include "types.h"

typedef struct {
    cb_u64 begun, ended;
} preempt_share;

/* In memory, the shares of the task follow it. */
typedef struct {
    cb_u32 digest; /* sum over all tasks so far */
    cb_u32 done;   /* shares of all tasks so far */
    cb_u32 taken;  /* blocks of all tasks so far, beyond the first of each share */
    cb_u32 pad;
    /* Written by the workgroup that watches the clock. */
    cb_u64 watch_begun, watch_ended;
    cb_u64 gaps; /* how often the clock went on without the task */
    cb_u64 away; /* how long it was away, in all */
} preempt_record;
