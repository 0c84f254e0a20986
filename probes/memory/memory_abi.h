/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

/* The words that are read and written begin as this. */
#define CB_MEMORY_INITIAL 1u

/* What workgroup get_group_id(0) says of its run. */
typedef struct {
    cb_u64 start, end;    /* device clock: before the first access, after the last is done */
    cb_u32 participating; /* discovery: 1 if it is one of those found */
    cb_u32 passed;        /* 1: passed the barrier and made its accesses */
    cb_u32 sum;           /* of the values read */
    cb_u32 drained;       /* keeps the last access from being left out */
} cb_memory_group;
