/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/pace.h"

#include <math.h>

#include "runtime/host/time.h"

#define SEED 1 /* arrivals are the same in each run */

struct cb_pace cb_pace_begin(const struct cb_arrivals *arrivals, double first_ns)
{
    struct cb_pace p = {.arrivals = *arrivals, .random = {SEED}};
    p.begun_ns = p.due_ns = first_ns;
    if (p.arrivals.deadline_ns <= 0)
        p.arrivals.deadline_ns = p.arrivals.period_ns;
    return p;
}

double cb_pace_due(const struct cb_pace *p)
{
    return p->due_ns;
}

void cb_pace_wait(const struct cb_pace *p)
{
    cb_sleep_until_ns(cb_pace_due(p));
}

/* From 0 on: the time of task k, after the first. */
static double time_of(const struct cb_arrivals *a, unsigned k)
{
    double first = a->times_ns[0], round = a->times_ns[a->n_times - 1] - first + a->period_ns;
    return a->times_ns[k % a->n_times] - first + (double)(k / a->n_times) * round;
}

/* Time at which task number p->tasks is due. */
static double next_due(struct cb_pace *p)
{
    const struct cb_arrivals *a = &p->arrivals;
    double part = ldexp((double)(cb_random_next(&p->random) >> 11) + 1, -53); /* (0, 1] */
    switch (a->kind) {
    case CB_ARRIVALS_POISSON:
        return p->due_ns - log(part) * a->period_ns;
    case CB_ARRIVALS_CLOSED:
        return p->last_ns + a->period_ns;
    case CB_ARRIVALS_TIMES:
        return p->begun_ns + time_of(a, p->tasks);
    default:
        return p->begun_ns + p->tasks * a->period_ns;
    }
}

void cb_pace_answered(struct cb_pace *p)
{
    double now = (double)cb_now_ns();
    p->met += now - p->due_ns <= p->arrivals.deadline_ns;
    p->first_ns = p->tasks ? p->first_ns : now;
    p->last_ns = now;
    p->tasks++;
    p->due_ns = next_due(p);
}

double cb_pace_period(const struct cb_pace *p)
{
    return p->tasks > 1 ? (p->last_ns - p->first_ns) / (p->tasks - 1)
                        : fmax(p->arrivals.period_ns, p->last_ns - p->begun_ns);
}

double cb_pace_met(const struct cb_pace *p)
{
    return (double)p->met / p->tasks;
}
