/* SPDX-License-Identifier: Apache-2.0
 *
 * The launch record: one per kernel launch, in global memory. The host sets the deadlines and
 * clears the rest; the first workgroup whose wait passes its deadline says here which waited for
 * what.
 */
#pragma once
#include "types.h"

/* What a workgroup can wait for: the second column completes "waited for ...". */
#define CB_WAIT_SITES(X)                                                                           \
    X(CB_SITE_NONE, "nothing")                                                                     \
    X(CB_SITE_MUTEX, "the mutex")                                                                  \
    X(CB_SITE_SEMAPHORE, "the semaphore")                                                          \
    X(CB_SITE_BARRIER, "the global barrier")                                                       \
    X(CB_SITE_CONDITION, "a condition to be signalled")                                            \
    X(CB_SITE_QUEUE, "the queue")                                                                  \
    X(CB_SITE_POLL_CLOSE, "the poll to close")                                                     \
    X(CB_SITE_CALIBRATION, "nothing (calibration)")                                                \
    X(CB_SITE_POOL, "the scheduler")                                                               \
    X(CB_SITE_GATHER, "the cooperative kernel to give up workgroups")                              \
    X(CB_SITE_WORK, "a task to steal")                                                             \
    X(CB_SITE_LIFETIME, "the host to stop the megakernel")                                         \
    X(CB_SITE_STEP, "the step before")                                                             \
    X(CB_SITE_OFFER, "other workgroups' offers")                                                   \
    X(CB_SITE_ROOM, "room for more work") /* no wait: there is none */

#define CB_SITE_ENUM(name, text) name,
enum cb_wait_site { CB_WAIT_SITES(CB_SITE_ENUM) CB_SITE_COUNT };
#undef CB_SITE_ENUM

#define CB_GROUP_UNKNOWN 0xffffffffu

/* ns: what nanosleep is asked for at most. An H200 makes 2^20 of it. */
#define CB_LONGEST_PAUSE 1000000u

/* Waits count in spans of 2^8 ticks of the device clock, for which 32 bits are enough. */
#define CB_SPANS(ticks) ((cb_u32)((ticks) >> 8))
#define CB_TICKS(spans) ((cb_u64)(spans) << 8)
#define CB_MOST_SPANS   0x7fffffffu /* minutes; a longer deadline is as long as this */

/* A roll call, from the lowest bit: workgroups that have answered it, so that they wait (15); 1:
 * one of them has waited for longer than its deadline (1); and its number (16). */
#define CB_ROLL(number)       ((cb_u32)(number) << 16)
#define CB_ROLL_ANSWERS(roll) ((roll)&0x7fffu)
#define CB_ROLL_IN_DOUBT      0x8000u
#define CB_ROLL_NUMBER(roll)  ((roll) >> 16)
#define CB_ROLL_LAST          0xfffeu
#define CB_ROLL_ALL_WAIT      0xffffu /* instead of a number: nobody works who could end a wait */
#define CB_ROLL_GROUPS        8192u   /* more than run at once on any device */

typedef struct {
    cb_u64 deadline_ticks; /* longest wait in ticks of the device clock; 0: no clock, count turns */
    cb_u64 deadline_turns; /* longest wait in turns of the waiting loop, where there is no clock */
    /* A step between two looks at the clock that is longer than step_ticks tells that others had
     * the device in between: it counts for gap_ticks. Both are a span or more, and no longer than
     * the deadline. 0: all steps count as they are. */
    cb_u64 step_ticks, gap_ticks;
    cb_u64 gap;   /* the longest of these, about: several may write it at once; 0: there was none */
    cb_u32 abort; /* 0, or 1 once a wait has passed its deadline: everybody unwinds */
    cb_u32 site;  /* enum cb_wait_site */
    cb_u32 group; /* get_group_id(0) of the workgroup that waited, or CB_GROUP_UNKNOWN */
    cb_u32 seen;  /* last value it saw, and the value it waited for */
    cb_u32 wanted;
    cb_u32 roll; /* CB_ROLL; 0: nobody calls it, and a wait whose deadline has passed is given up */
    /* where waits call it themselves (CB_CALLS_ROLL): */
    cb_u32 begun, ended;                     /* workgroups so far */
    cb_u32 gone;                             /* `ended`, before the roll was called */
    cb_u32 calling;                          /* 1: somebody calls it, or counts its answers */
    cb_u32 answered[2][CB_ROLL_GROUPS / 32]; /* a bit for each workgroup: in calls of even numbers,
                                                and of odd ones */
} cb_launch;

/* What the host writes of it: bits are cleared before they count. */
#define CB_LAUNCH_HEAD 80u
