/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the time of a program's longest round goes (KLAP'16 Section IV-A, Fig. 9): parts of it are
 * left out one after the other, and each part is what this saves. What is left out would change
 * later rounds, so that each measured run is of that round alone, and begins with the words that
 * came before it.
 */
#pragma once

#include "measure/bench.h"

/* The parts into which a round's time falls. */
enum {
    CB_BREAKDOWN_PARENTS,     /* what parents do themselves, and what is there without launches */
    CB_BREAKDOWN_AGGREGATION, /* notes of launches, their places, search for the parent */
    CB_BREAKDOWN_LAUNCHES,    /* submission, begin and end of launches */
    CB_BREAKDOWN_WORK,        /* what children do */
    CB_BREAKDOWN_PARTS
};

/* The metric of each part. */
extern const char *const cb_breakdown_metrics[CB_BREAKDOWN_PARTS];

/* Runs of a round: with all, then without work, also search, launches, notes. */
#define CB_BREAKDOWN_STEPS 5

/* Splits times[] of these runs into parts. A run that took longer than the one before it, which
 * did more, has met noise, and counts as that one: so no part is negative, and they add up to
 * times[0]. */
void cb_breakdown_parts(const double times[CB_BREAKDOWN_STEPS], double parts[CB_BREAKDOWN_PARTS]);

struct nested;

/* Runs all rounds of a case that has its buffers, and keeps the one with the most launches. Close
 * it also after a failure. */
enum cb_status cb_breakdown_open(struct nested *n, struct cb_err *err);
enum cb_status cb_breakdown_run(struct nested *n, struct cb_sample *sample, struct cb_err *err);
void cb_breakdown_close(struct nested *n);
