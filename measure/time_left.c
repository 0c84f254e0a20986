/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/time_left.h"

#include <math.h>
#include <string.h>

#include "measure/json.h"

enum likeness { SAME_APP, SAME_BENCH, ANY };

static bool is_like(const struct cb_case *a, const struct cb_case *b, enum likeness likeness)
{
    if (likeness == ANY)
        return true;
    if (a->bench != b->bench || a->device != b->device)
        return false;
    return likeness == SAME_BENCH ||
           strcmp(cb_json_text(a->params, "app", ""), cb_json_text(b->params, "app", "")) == 0;
}

static double weight_of(const struct cb_case *c)
{
    return c->expected_s > 0 ? c->expected_s : 1;
}

/* What cases like this one took for each second that was expected of them; NaN: none has ended. */
static double pace_of(const struct cb_plan *plan, const double *took_s, const struct cb_case *like,
                      enum likeness likeness)
{
    double took = 0, weight = 0;
    for (int i = 0; i < plan->count; i++)
        if (!isnan(took_s[i]) && is_like(&plan->cases[i], like, likeness)) {
            took += took_s[i];
            weight += weight_of(&plan->cases[i]);
        }
    return weight > 0 ? took / weight : NAN;
}

static double best_pace_of(const struct cb_plan *plan, const double *took_s,
                           const struct cb_case *c)
{
    double pace = NAN;
    for (int likeness = SAME_APP; likeness <= ANY && isnan(pace); likeness++)
        pace = pace_of(plan, took_s, c, (enum likeness)likeness);
    return pace;
}

double cb_time_left(const struct cb_plan *plan, const double *took_s)
{
    const struct cb_case *last = NULL; /* whose pace it is: plans list cases of an app together */
    double sum = 0, pace = NAN;
    for (int i = 0; i < plan->count; i++) {
        const struct cb_case *c = &plan->cases[i];
        if (!isnan(took_s[i]))
            continue;
        if (!last || !is_like(c, last, SAME_APP))
            pace = best_pace_of(plan, took_s, c);
        last = c;
        sum += !isnan(pace) ? pace * weight_of(c) : c->expected_s > 0 ? c->expected_s : NAN;
    }
    return sum;
}

double cb_time_expected(const struct cb_plan *plan)
{
    double sum = 0;
    for (int i = 0; i < plan->count; i++)
        if (!plan->cases[i].kept)
            sum += plan->cases[i].expected_s > 0 ? plan->cases[i].expected_s : NAN;
    return sum;
}

void cb_time_format(double seconds, char *text, size_t size)
{
    if (seconds < 100)
        snprintf(text, size, "about %.0f s", seconds);
    else if (seconds < 100 * 60)
        snprintf(text, size, "about %.0f min", seconds / 60);
    else
        snprintf(text, size, "about %.0f h", seconds / 3600);
}
