/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that parents make, kept to be launched together (KLAP'16 Section II-B), and what the
 * host has in common with kernels of programs.
 */
#pragma once
#include "kernels/types.h"

/* Flags of laps: of a lap at this one's modulo. More than there are laps in line at once. */
#define NEST_FLAGS 8u

/* With NEST_TIMES, words of 64 bits after the flags: how many times there are, for how many there
 * is room, then these, of begins and of ends (nest_times.clh). */
#define NEST_TIMES_COUNT       0u
#define NEST_TIMES_ROOM        1u
#define NEST_TIMES_FIRST       2u
#define NEST_TIME(ticks, ends) ((cb_u64)(ticks) << 1 | (ends))
#define NEST_TIME_ENDS(time)   ((time)&1)
#define NEST_TIME_TICKS(time)  ((time) >> 1)

/* A program that does not end is a wrong one. */
#define NEST_MOST_LAPS 100000u

typedef struct {
    cb_u32 parent;
    cb_u32 items; /* work-items of its child, at least 1 */
    cb_u32 first; /* its first among the workgroups of all children */
    cb_u32 size;  /* work-items of a workgroup that it wants (NEST_SIZES) */
} nest_record;

/* With NEST_ARRAYS, after the records: the arguments of each launch. OpenCL 1.2 keeps no pointers
 * in memory: in their place are offsets in the buffers, in words. */
typedef struct {
    cb_u32 begins, others, words, flag;
    cb_u32 parents, n, lap, phase, off;
} nest_arguments;

/* How many work-items a workgroup of a child has (NEST_SIZES): so many as the program says, which
 * each launch notes; or the first power of two from NEST_LEAST_SIZE on with which it has at most
 * NEST_MOST_GROUPS workgroups, or the most that there may be. */
#define NEST_SIZES_NOTED 1
#define NEST_SIZES_ITEMS 2
#define NEST_LEAST_SIZE  32u
#define NEST_MOST_GROUPS 8u

/* One word counts records (lower half) and workgroups (upper half): so the record with the later
 * place has the later workgroups, and a workgroup finds its record by a search. */
#define NEST_COUNT(records, groups) ((cb_u64)(groups) << 32 | (records))
#define NEST_RECORDS(count)         ((cb_u32)(count))
#define NEST_GROUPS(count)          ((cb_u32)((count) >> 32))

/* Words that count: those of two rounds, and with NEST_SIZES the largest size of each one's
 * launches; and for the host the launches of all, and of the round with the most. */
#define NEST_COUNT_OF(parity) (2 * (parity))
#define NEST_SIZE_OF(parity)  (2 * (parity) + 1)
#define NEST_ALL              4
#define NEST_MOST             5
#define NEST_COUNTS           6

/* What a round leaves out whose time is taken apart (breakdown.h), bits: what children do, the
 * search of their workgroups for a parent, their launches, and notes of these. */
#define NEST_OFF_WORK   1u
#define NEST_OFF_SEARCH 2u
#define NEST_OFF_LAUNCH 4u
#define NEST_OFF_NOTES  8u

/* More work-items than any child has, which a compiler cannot know: what is compared with it is
 * found even if it is of no use. */
#define NEST_NEVER 0xffffffffu

/* What the child of the programs `equal` and `power` writes. */
static inline cb_u32 nest_word(cb_u32 parent, cb_u32 item)
{
    cb_u32 x = (parent * 2654435761u) ^ (item * 40503u);
    return x ^ x >> 15;
}

/* Whether a parent of these launches a child: three of four do. */
static inline int nest_launches(cb_u32 parent)
{
    return (nest_word(parent, 1) >> 7 & 3) != 0;
}
