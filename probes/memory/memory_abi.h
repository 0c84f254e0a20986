/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

/* The words that are read and written begin as this. */
#define CB_MEMORY_INITIAL 1u

/* Hostage: words[0] is the word that the others access, words[distance] the reader's, and so far
 * after that lies the word by which the reader tells them to begin and to stop. */
#define CB_HOSTAGE_SIGNAL 1024u /* words: 4 KiB */
#define CB_HOSTAGE_BEGIN  (CB_MEMORY_INITIAL + 1)
#define CB_HOSTAGE_STOP   (CB_MEMORY_INITIAL + 2)

/* The others make at most so many accesses for each of the reader's. */
#define CB_HOSTAGE_TURNS 16u

/* What workgroup get_group_id(0) says of its run. */
typedef struct {
    cb_u64 start, end;    /* device clock: before the first access, after the last is done */
    cb_u32 participating; /* discovery: 1 if it is one of those found */
    cb_u32 passed;        /* 1: passed the barrier and made its accesses */
    cb_u32 sum;           /* sum of the values read; hostage: accesses that gave a right value */
    cb_u32 drained;       /* keeps the last access from being left out */
} cb_memory_group;
