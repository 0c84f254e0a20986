/* SPDX-License-Identifier: Apache-2.0 */
#include "apphost/pace.h"

#include <math.h>

#include "runtime/host/time.h"

struct cb_pace cb_pace_begin(double period_ns, double first_ns)
{
    return (struct cb_pace){.period_ns = period_ns, .begun_ns = first_ns};
}

double cb_pace_due(const struct cb_pace *p)
{
    return p->begun_ns + p->tasks * p->period_ns;
}

void cb_pace_wait(const struct cb_pace *p)
{
    cb_sleep_until_ns(cb_pace_due(p));
}

void cb_pace_answered(struct cb_pace *p)
{
    double now = (double)cb_now_ns();
    p->met += now - cb_pace_due(p) <= p->period_ns;
    p->first_ns = p->tasks ? p->first_ns : now;
    p->last_ns = now;
    p->tasks++;
}

double cb_pace_period(const struct cb_pace *p)
{
    return p->tasks > 1 ? (p->last_ns - p->first_ns) / (p->tasks - 1)
                        : fmax(p->period_ns, p->last_ns - p->begun_ns);
}

double cb_pace_met(const struct cb_pace *p)
{
    return (double)p->met / p->tasks;
}
