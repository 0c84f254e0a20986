/* SPDX-License-Identifier: Apache-2.0
 *
 * State of one run of a discovery protocol, zeroed before each launch. Words that different
 * workgroups poll lie in 256-byte blocks of their own.
 */
#pragma once
#include "types.h"

#define CB_BLOCK_WORDS    64u
#define CB_DELAY_ADAPTIVE 0xffffffffu /* value of `delay`: until the count is quiet */
#define CB_MARKS_A_WORD   32u

typedef struct {
    cb_u32 mutex[CB_BLOCK_WORDS]; /* mutex protocols: the mutex of kernels/mutex.clh */
    /* guarded by the mutex: */
    cb_u64 last_join;   /* adaptive: when the last participant joined, and the longest time between
                           two */
    cb_u64 longest_gap; /* joins: ticks of the device clock */
    cb_u64 sections;    /* critical sections so far; stands in for the clock where there is none */
    cb_u32 count;       /* participants so far */
    cb_u32 closed;      /* 1: the poll is closed */
    cb_u32 guarded_pad[CB_BLOCK_WORDS - 8];
    cb_u32 poll[CB_BLOCK_WORDS];    /* lock-free: [0] closed flag (top bit) and count */
    cb_u32 total[CB_BLOCK_WORDS];   /* lock-free: [0] participants, once the poll is closed */
    cb_u32 barrier[CB_BLOCK_WORDS]; /* [0] word of the global barrier of those that take part */
    cb_u32 order[CB_BLOCK_WORDS];   /* [0] participants that have asked for another id */
} cb_discovery;

/* With room for a word and a bit of each workgroup that is launched, which protocols with a mutex
 * and without a clock need, and ids in native order. */
#define CB_DISCOVERY_BYTES(launched)                                                               \
    (sizeof(cb_discovery) + 4 * ((launched) + (launched) / CB_MARKS_A_WORD + 1))
