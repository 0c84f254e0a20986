/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

/* Durations are sums over workgroups in words of 32 bits, so they count so many ticks. */
#define CB_OCCUPY_UNIT 1024u

/* One launch of the synthetic kernel. */
typedef struct {
    cb_u64 start;   /* device clock, of the first workgroup */
    cb_u32 came;    /* workgroups so far */
    cb_u32 started; /* 1: start is there */
    cb_u32 groups;  /* that were there before the end */
    cb_u32 length;  /* from the start until the last one left, in units */
    cb_u32 ran;     /* how long they were not stopped, over all of them, in units */
    cb_u32 pad;
} cb_occupy;
