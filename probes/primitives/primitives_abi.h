/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

/* What workgroup get_group_id(0) says of its launch. */
typedef struct {
    cb_u64 start, end;    /* device clock: after the common start, after the last operation */
    cb_u64 waited;        /* checked launch: ticks in lock or wait, */
    cb_u64 longest;       /* checked launch: the longest of these waits */
    cb_u64 core_ticks;    /* CB_CORE_SPEED: of cb_core_ticks() before and after */
    cb_u32 participating; /* discovery: 1 if it is one of those found */
    cb_u32 operations;    /* completed */
    cb_u32 errors;        /* checked launch: values that a work-item should not have seen */
    cb_u32 overtaken;     /* mutex: grants that came after one that was asked for later */
} cb_primitive_group;

/* What a launch does. */
#define CB_LAUNCH_DISCOVER 0u
#define CB_LAUNCH_MEASURE  1u

/* Checked launches begin so many operations before 32-bit counters wrap around. */
#define CB_AGE 0xfffffff0u

/* Words of the data buffer, for checked launches. Mutex, on lines of their own: the number of
 * sections so far, the requests so far and the latest request granted; then a word for each
 * work-item. Semaphore: workgroups inside, entries, the round; then a word for
 * each work-item, then one for each workgroup. Barrier: two words for each work-item of all
 * workgroups. Queue, from CB_DATA_ITEMS on: the elements as they came out, then their payloads. */
#define CB_DATA_SECTIONS 32u
#define CB_DATA_REQUESTS 64u
#define CB_DATA_GRANTED  96u
#define CB_DATA_INSIDE   32u
#define CB_DATA_ENTRIES  64u
#define CB_DATA_ROUND    96u
#define CB_DATA_ITEMS    128u
