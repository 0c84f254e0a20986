/* SPDX-License-Identifier: Apache-2.0
 *
 * A recursion of launches as a chain of flags (KLAP'16 Section III, models/chain.pml). Words,
 * zeroed before a run: a line with the next step to give out, then a line for each step.
 */
#pragma once
#include "kernels/types.h"

#define CHAIN_LINE 32u /* words of a step */
#define CHAIN_NEXT 0u

/* Words of a step. The first chain: whether it is to be done. The second: two words of 64 bits with
 * data that the step before has passed on, each with its flag (CHAIN_VALUE), so that a step that
 * sees the flags has the data. */
#define CHAIN_CONDITION          0u
#define CHAIN_DATA               2u
#define CHAIN_VALUE(flag, value) ((cb_u64)(flag) << 32 | (value))
#define CHAIN_FLAG_OF(value)     ((cb_u32)((value) >> 32))

/* Words of a step with CHAIN_TIMES: when it began and ended, and how long it waited for the step
 * before, in ticks (64 bits); 0: it was not done. */
#define CHAIN_BEGAN  6u
#define CHAIN_WAITED 8u
#define CHAIN_ENDED  10u

/* Steps that are launched in vain at most, where it is not known how many there are: as deep as
 * CUDA's launches may be nested. */
#define CHAIN_TRAIL 24u

/* Flags of both chains; 0: not known yet. */
#define CHAIN_GO    1u
#define CHAIN_ABORT 2u

static inline cb_u32 chain_at(cb_u32 step, cb_u32 word)
{
    return CHAIN_LINE * (step + 1) + word;
}

/* Whether sc and pt keep an element. */
static inline int chain_keeps(cb_u32 element)
{
    return (element & 3) != 0;
}

/* los: whether the point x is seen under a higher angle than y, from the first point's height:
 * (height_x - first) / x > (height_y - first) / y, without a division and a sign. */
static inline int chain_hides(cb_u32 first, cb_u32 height_x, cb_u32 x, cb_u32 height_y, cb_u32 y)
{
    return (cb_u64)height_x * y + (cb_u64)first * x > (cb_u64)height_y * x + (cb_u64)first * y;
}
