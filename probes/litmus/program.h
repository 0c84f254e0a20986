/* SPDX-License-Identifier: Apache-2.0
 *
 * A litmus test as its threads play it with an order: a list of events.
 */
#pragma once

#include "probes/litmus/table.h"

#define CB_LITMUS_EVENTS 16 /* at most: 3 words at first, and 3 of each of 4 threads */

#define CB_LITMUS_READ    1u
#define CB_LITMUS_WRITE   2u
#define CB_LITMUS_FENCE   4u
#define CB_LITMUS_ACQUIRE 8u
#define CB_LITMUS_RELEASE 16u
#define CB_LITMUS_KEEPS   32u /* a change that writes what it has read */
#define CB_LITMUS_NARROW  64u /* of the scope of its workgroup; the others are of the device's */

#define CB_LITMUS_FIRST (~0u) /* the thread of the values at first, before all threads */

struct cb_litmus_event {
    unsigned what, thread;
    unsigned location; /* 0: x */
    unsigned value;    /* that it writes, unless it KEEPS */
    unsigned digit;    /* of the outcome, that has what it reads */
};

struct cb_litmus_program {
    struct cb_litmus_event events[CB_LITMUS_EVENTS]; /* threads one after the other, each in its
                                                        program order */
    unsigned n, threads;
};

/* As litmus.cl plays it. */
void cb_litmus_program_of(const struct cb_litmus_test *test, int order,
                          struct cb_litmus_program *program);
