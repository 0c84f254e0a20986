/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks that come one at a time: with a period, at random, after an answer, or at given times (as
 * in DISB, the benchmark of REEF and XSched). One that is late delays the next, but, unless it
 * waits for the answer, not the time that the next is due, so that lateness adds up.
 *
 *     struct cb_pace pace = cb_pace_begin(&arrivals, first_ns);
 *     do {
 *         cb_pace_wait(&pace);             until the next task is due
 *         ...
 *         cb_pace_answered(&pace);
 *     } while (...);
 *     cb_pace_wait(&pace);                 the last one's period is over
 */
#pragma once

#include <stddef.h>

#include "measure/random.h"

enum cb_arrivals_kind {
    CB_ARRIVALS_PERIODIC,
    CB_ARRIVALS_POISSON, /* independent of each other, the period apart on average */
    CB_ARRIVALS_CLOSED,  /* the period after the last one's answer */
    CB_ARRIVALS_TIMES    /* at times_ns, and again, the period after the last of them */
};

/* Times in ns. */
struct cb_arrivals {
    enum cb_arrivals_kind kind;
    double period_ns;
    double deadline_ns; /* an answer is in time so long after the task was due; 0: a period */
    const double *times_ns;
    size_t n_times;
};

/* Times are the host's, in ns. */
struct cb_pace {
    struct cb_arrivals arrivals;
    struct cb_random random;
    double begun_ns;          /* when the first task is due */
    double due_ns;            /* when the next task is due */
    double first_ns, last_ns; /* times of the first and the last answer */
    unsigned tasks, met;      /* tasks that were answered, and those of them in time */
};

/* The times of CB_ARRIVALS_TIMES are the caller's. */
struct cb_pace cb_pace_begin(const struct cb_arrivals *arrivals, double first_ns);

/* When the task is due that comes next. */
double cb_pace_due(const struct cb_pace *pace);
void cb_pace_wait(const struct cb_pace *pace);
void cb_pace_answered(struct cb_pace *pace);

/* Mean time between two answers; of a single task, its period, or longer if it took longer. */
double cb_pace_period(const struct cb_pace *pace);

/* Share of the tasks that were answered in time. */
double cb_pace_met(const struct cb_pace *pace);
