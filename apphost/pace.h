/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks that come with a period, one out at a time. One that is late delays the next, but not the
 * time that the next is due, so that lateness adds up.
 *
 *     struct cb_pace pace = cb_pace_begin(period_ns, first_ns);
 *     do {
 *         cb_pace_wait(&pace);             until the next task is due
 *         ...
 *         cb_pace_answered(&pace);
 *     } while (...);
 *     cb_pace_wait(&pace);                 the last one's period is over
 */
#pragma once

/* Times are the host's, in ns. */
struct cb_pace {
    double period_ns;
    double begun_ns;          /* when the first task is due */
    double first_ns, last_ns; /* of the first and the last answer */
    unsigned tasks, met;      /* that were answered; of these, within a period */
};

struct cb_pace cb_pace_begin(double period_ns, double first_ns);

/* When the task is due that comes next. */
double cb_pace_due(const struct cb_pace *pace);
void cb_pace_wait(const struct cb_pace *pace);
void cb_pace_answered(struct cb_pace *pace);

/* Mean time between two answers; of a single task, its period, or longer if it took longer. */
double cb_pace_period(const struct cb_pace *pace);

/* Share of the tasks that were answered within a period of the time they were due. */
double cb_pace_met(const struct cb_pace *pace);
