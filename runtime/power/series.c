/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/power/series.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_ROOM 4

bool cb_power_series_open(struct cb_power_series *s, size_t room)
{
    *s = (struct cb_power_series){.room = room < LEAST_ROOM ? LEAST_ROOM : room, .each = 1};
    s->kept = calloc(s->room, sizeof *s->kept);
    return s->kept;
}

void cb_power_series_free(struct cb_power_series *s)
{
    free(s->kept);
    *s = (struct cb_power_series){0};
}

/* ---- Keeping --------------------------------------------------------------------------------- */

static void thin_out(struct cb_power_series *s)
{
    for (size_t i = 0; i < s->n; i += 2)
        s->kept[i / 2] = s->kept[i];
    s->n = (s->n + 1) / 2;
    s->each *= 2;
}

static void keep(struct cb_power_series *s, double time_ns, double joules)
{
    if (s->n > 0 && ++s->passed < s->each)
        return;
    s->passed = 0;
    if (s->n == s->room)
        thin_out(s);
    s->kept[s->n++] = (struct cb_energy){time_ns, joules};
}

void cb_power_series_add(struct cb_power_series *s, const struct cb_power_reading *r)
{
    bool first = s->n == 0;
    if (isnan(r->joules)) {
        if (!first)
            s->summed += (r->watts + s->last.watts) / 2 * (r->time_ns - s->last.time_ns) / 1e9;
        keep(s, r->time_ns, s->summed);
    } else if (first || r->joules != s->last.joules) {
        keep(s, r->time_ns, r->joules);
    }
    s->last = *r;
}

/* ---- What it says ---------------------------------------------------------------------------- */

/* At a time between the first and the last energy. */
static double joules_at(const struct cb_power_series *s, double time_ns)
{
    size_t low = 0, high = s->n - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->kept[middle].time_ns <= time_ns)
            low = middle;
        else
            high = middle;
    }
    const struct cb_energy *a = &s->kept[low], *b = &s->kept[high];
    return a->joules + (b->joules - a->joules) * (time_ns - a->time_ns) / (b->time_ns - a->time_ns);
}

double cb_power_series_mean(const struct cb_power_series *s, double from_ns, double to_ns)
{
    if (s->n < 2)
        return NAN;
    double from = fmax(from_ns, s->kept[0].time_ns);
    double to = fmin(to_ns, s->kept[s->n - 1].time_ns);
    if (to <= from || to - from < (to_ns - from_ns) / 2)
        return NAN;
    return (joules_at(s, to) - joules_at(s, from)) / (to - from) * 1e9;
}

size_t cb_power_series_points(const struct cb_power_series *s, double span_ns,
                              struct cb_power_point *points, size_t room)
{
    size_t n = 0, last = 0;
    for (size_t i = 1; i < s->n && n < room; i++) {
        const struct cb_energy *a = &s->kept[last], *b = &s->kept[i];
        if (b->time_ns - a->time_ns < span_ns)
            continue;
        points[n++] = (struct cb_power_point){b->time_ns, (b->joules - a->joules) /
                                                              (b->time_ns - a->time_ns) * 1e9};
        last = i;
    }
    return n;
}
