/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

/* The tests. A row each: TEST(ID, name, what its threads do, the weak outcome: that no order in
 * which the threads take turns leads to, which of the orders relaxed, fences and acqrel allow it,
 * what a device does that shows it); litmus.cl has the threads, cb_litmus_ID(). Verdicts come from
 * axioms.h: what is published here (Batty, Donaldson, Wickerson, POPL'16; Maranget, Sarkar, Sewell,
 * A Tutorial Introduction to the ARM and POWER Relaxed Memory Models, for the shapes) is what
 * test_litmus_axioms compares them with. Acquire and release forbid what needs no order of all
 * accesses: SB, R, 2+2W, RWC, Z6.3 and IRIW do, so that the weak outcome is allowed ALWAYS.
 * Coherence, which needs no order of accesses at all, forbids it: NEVER. A thread has at most two
 * accesses; values are at most CB_LITMUS_LARGEST. */
#define CB_LITMUS_LIST(TEST)                                                                       \
    TEST(MP, "MP", "x=1; y=1 | r0=y; r1=x", "r0=1 r1=0", RELAXED, "two stores, or two loads")      \
    TEST(LB, "LB", "r0=x; y=1 | r1=y; x=1", "r0=1 r1=1", RELAXED, "a load and a later store")      \
    TEST(SB, "SB", "x=1; r0=y | y=1; r1=x", "r0=0 r1=0", ALWAYS, "a store and a later load")       \
    TEST(S, "S", "x=2; y=1 | r0=y; x=1", "r0=1 x=2", RELAXED,                                      \
         "two stores, or a load and a later store")                                                \
    TEST(R, "R", "x=1; y=1 | y=2; r0=x", "r0=0 y=2", ALWAYS,                                       \
         "two stores, or a store and a later load")                                                \
    TEST(2W, "2+2W", "x=1; y=2 | y=1; x=2", "x=1 y=1", ALWAYS, "two stores")                       \
    TEST(CORR, "CoRR", "x=1 | r0=x; r1=x", "r0=1 r1=0", NEVER, "two loads of one word")            \
    TEST(COWR, "CoWR", "x=1; r0=x | x=2", "r0=2 x=1", NEVER,                                       \
         "a store and a later load of one word")                                                   \
    TEST(CORW, "CoRW", "r0=x; x=1 | x=2", "r0=2 x=2", NEVER,                                       \
         "a load and a later store of one word")                                                   \
    TEST(COWW, "CoWW", "x=1; x=2 | r0=x", "r0=2 x=1", NEVER, "two stores of one word")             \
    TEST(WRC, "WRC", "x=1 | r0=x; y=1 | r1=y; r2=x", "r0=1 r1=1 r2=0", RELAXED,                    \
         "two loads, a load and a later store, or what two readers see of a store")                \
    TEST(ISA2, "ISA2", "x=1; y=1 | r0=y; z=1 | r1=z; r2=x", "r0=1 r1=1 r2=0", RELAXED,             \
         "two stores, a load and a later store, or two loads")                                     \
    TEST(RWC, "RWC", "x=1 | r0=x; r1=y | y=1; r2=x", "r0=1 r1=0 r2=0", ALWAYS,                     \
         "two loads, a store and a later load, or what two readers see of a store")                \
    TEST(Z63, "Z6.3", "x=1; y=1 | y=2; z=1 | r0=z; r1=x", "r0=1 r1=0 y=2", ALWAYS,                 \
         "two stores, or two loads")                                                               \
    TEST(IRIW, "IRIW", "x=1 | y=1 | r0=x; r1=y | r2=y; r3=x", "r0=1 r1=0 r2=1 r3=0", ALWAYS,       \
         "two loads, or what two readers see of two stores")

#define CB_LITMUS_ENUM(id, name, threads, weak, allowed, reorders) CB_LITMUS_##id,
enum cb_litmus_kind { CB_LITMUS_LIST(CB_LITMUS_ENUM) CB_LITMUS_KINDS };

/* CB_ORDER: how accesses are ordered. */
#define CB_LITMUS_RELAXED   0
#define CB_LITMUS_FENCES    1
#define CB_LITMUS_ACQREL    2
#define CB_LITMUS_RELEASING 3 /* the stores of ACQREL, with loads that are relaxed */
#define CB_LITMUS_ACQUIRING 4 /* the loads of ACQREL, with stores that are relaxed */
#define CB_LITMUS_REVERSED  5 /* relaxed, with the two accesses of a thread in reverse order */
#define CB_LITMUS_RMW       6 /* loads and stores are changes that acquire and release */
#define CB_LITMUS_WG_FENCES 7 /* fences of the scope of the workgroup */
#define CB_LITMUS_FENCE_ST  8 /* of the fences, those after a store */
#define CB_LITMUS_FENCE_LD  9 /* of the fences, those after a load */

#define CB_LITMUS_LOCATIONS 3u /* x, y and z */

/* An outcome in digits of four bits: what the threads read, CB_LITMUS_READS each, then what x, y
 * and z hold in the end. A digit that no thread has written is CB_LITMUS_NOTHING. */
#define CB_LITMUS_READS   2u
#define CB_LITMUS_X       8u
#define CB_LITMUS_Y       9u
#define CB_LITMUS_Z       10u
#define CB_LITMUS_NOTHING 15u
#define CB_LITMUS_LARGEST 2u /* value that a test stores */

/* Words of the stress, a power of two. */
#define CB_LITMUS_SCRATCH 65536u

/* A launch. Numbers of work-items and instances are powers of two. */
typedef struct {
    cb_u32 kind, threads; /* a power of two: one of four may have nothing to do */
    cb_u32 outcomes;      /* that an execution may have */
    cb_u32 groups;        /* that play; those after them make stress */
    cb_u32 domain;    /* work-items, one after the other, among which an instance's threads are */
    cb_u32 rounds;    /* rounds of instances that a work-item plays a part in */
    cb_u32 instances; /* in all rounds */
    cb_u32 turns;     /* that a work-item waits at most for others, in all rounds */
    cb_u32 stress;    /* turns of a work-item that makes stress */
    /* drawn */
    cb_u32 shift;          /* between the work-items that meet */
    cb_u32 factor, offset; /* permutation of the positions of instances; factor is odd */
    cb_u32 stride;         /* words between places */
    cb_u32 dither; /* most turns that a thread stays back after it has met the others; all its
                      lower bits are set */
} cb_litmus_launch;

/* Counts. */
#define CB_LITMUS_BROKEN  0 /* instances with an outcome that no execution has */
#define CB_LITMUS_ALONE   1 /* parts of which the work-item had no turns left to wait with */
#define CB_LITMUS_EARLY   2 /* parts that began with turns left, and yet without the others */
#define CB_LITMUS_COUNTED 3 /* instances that were looked at, modulo 2^32 */
#define CB_LITMUS_OUTCOME 4 /* instances with each of the outcomes, up to CB_LITMUS_OUTCOMES */

#define CB_LITMUS_OUTCOMES 32
#define CB_LITMUS_COUNTS   (CB_LITMUS_OUTCOME + CB_LITMUS_OUTCOMES)
