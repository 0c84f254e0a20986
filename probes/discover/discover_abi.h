/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

/* The record of workgroup cb_native_group() about its run of the protocol. */
typedef struct {
    cb_u64 start, end; /* device clock: before and after the protocol */
    cb_u32 started;    /* 1: the workgroup has run */
    cb_u32 participating;
    cb_u32 group_id;
    cb_u32 num_groups;
    cb_u32 global_size; /* p_get_global_size() */
    cb_u32 passed;      /* 1: passed the global barrier */
    cb_u32 unit;        /* 1 + the number of its compute unit; 0: it cannot be told */
} cb_discover_group;
