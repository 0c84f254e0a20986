/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel that steals tasks (steal.clh) has in local memory.
 */
#pragma once
#include "types.h"

#define CB_NO_TASK   (~(cb_u64)0)
#define CB_NO_VICTIM 0xffffffffu

typedef struct {
    cb_u64 task; /* the one to go on with, or CB_NO_TASK */
    cb_u64 ends; /* of the own deque, as its owner left it; may be anything before cb_take_own() */
    cb_u32 victim; /* the nearest deque that has any task: distance << 16 | its number */
} cb_take;
