/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

/* The tests, in the order of the table (table.c). */
enum cb_litmus_kind {
    CB_LITMUS_MP,
    CB_LITMUS_LB,
    CB_LITMUS_SB,
    CB_LITMUS_S,
    CB_LITMUS_R,
    CB_LITMUS_2W,
    CB_LITMUS_CORR,
    CB_LITMUS_COWR,
    CB_LITMUS_IRIW,
    CB_LITMUS_KINDS
};

/* CB_ORDER: how accesses are ordered. */
#define CB_LITMUS_RELAXED 0
#define CB_LITMUS_FENCES  1
#define CB_LITMUS_ACQREL  2

#define CB_LITMUS_LOCATIONS 2u /* x and y */

/* An outcome in digits of four bits: what the threads read, CB_LITMUS_READS each, then what x and y
 * hold in the end. A digit that no thread has written is CB_LITMUS_NOTHING. */
#define CB_LITMUS_READS   2u
#define CB_LITMUS_X       8u
#define CB_LITMUS_Y       9u
#define CB_LITMUS_NOTHING 15u
#define CB_LITMUS_LARGEST 2u /* value that a test stores */

/* Words of the stress, a power of two. */
#define CB_LITMUS_SCRATCH 65536u

/* A launch. Numbers of work-items and instances are powers of two. */
typedef struct {
    cb_u32 kind, threads;
    cb_u32 groups;    /* that play; those after them make stress */
    cb_u32 domain;    /* work-items, one after the other, among which an instance's threads are */
    cb_u32 rounds;    /* of instances that a work-item plays a part in */
    cb_u32 instances; /* in all rounds */
    cb_u32 turns;     /* that a work-item waits at most for others, in all rounds */
    cb_u32 stress;    /* turns of a work-item that makes stress */
    /* drawn */
    cb_u32 shift;          /* between the work-items that meet */
    cb_u32 factor, offset; /* of the places of instances; factor is odd */
    cb_u32 stride;         /* words between places */
    cb_u32 dither; /* most turns that a thread stays back after it has met the others; all its
                      lower bits are set */
} cb_litmus_launch;

/* Counts. */
#define CB_LITMUS_WEAK 0 /* instances with the weak outcome */
#define CB_LITMUS_BROKEN                                                                           \
    1 /* instances with values that no thread stores, or that were not played */
#define CB_LITMUS_ALONE   2 /* parts of which the work-item had no turns left to wait with */
#define CB_LITMUS_COUNTED 3 /* instances that were looked at, modulo 2^32 */
#define CB_LITMUS_COUNTS  4
