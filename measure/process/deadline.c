/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/process/deadline.h"

#include <math.h>

static bool is_of_group(const struct cb_known_runs *known, const struct cb_case *c)
{
    return known->c == c || (known->c && c->group != 0 && known->c->group == c->group);
}

double cb_known_runs_deadline(const struct cb_known_runs *known, const struct cb_case *c)
{
    double deadline_s = c->run_deadline_s;
    if (c->least_deadline_s == 0 || !is_of_group(known, c))
        return deadline_s;
    if (known->longest_s > 0)
        deadline_s = CB_DEADLINE_RUNS * known->longest_s;
    else if (known->lost_s > 0)
        deadline_s = CB_DEADLINE_LOST_SHARE * known->lost_s;
    return fmin(fmax(deadline_s, c->least_deadline_s), c->run_deadline_s);
}

/* What is known of the group of the case. */
static void enter(struct cb_known_runs *known, const struct cb_case *c)
{
    if (!is_of_group(known, c))
        *known = (struct cb_known_runs){0};
    known->c = c;
}

void cb_known_runs_ended(struct cb_known_runs *known, const struct cb_case *c, double took_s)
{
    enter(known, c);
    known->longest_s = fmax(known->longest_s, took_s);
}

void cb_known_runs_lost(struct cb_known_runs *known, const struct cb_case *c, double deadline_s)
{
    enter(known, c);
    known->lost_s = known->lost_s > 0 ? fmin(known->lost_s, deadline_s) : deadline_s;
}
