/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/fleet/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/choice.h"

#define Z95       1.959963984540054
#define OF_MEDIAN 1.2533 /* its standard error is so many times that of a mean: sqrt(pi / 2) */

/* ---- Making ---------------------------------------------------------------------------------- */

/* The series of a metric among those from `begin` on; a new one if there is none. NULL: no memory.
 */
static struct cb_fleet_series *series_of(struct cb_fleet *f, int begin, int kind, int room,
                                         const struct cb_run_case *c,
                                         const struct cb_measurement *m)
{
    for (int i = begin; i < f->n_series; i++)
        if (strcmp(f->series[i].m->name, m->name) == 0 &&
            strcmp(f->series[i].m->unit, m->unit) == 0 && f->series[i].m->better == m->better)
            return &f->series[i];
    if ((f->n_series & (f->n_series - 1)) == 0) { /* room for the next power of 2 */
        const size_t size = f->n_series ? 2 * (size_t)f->n_series : 1;
        struct cb_fleet_series *series = realloc(f->series, size * sizeof *series);
        if (!series)
            return NULL;
        f->series = series;
    }
    struct cb_fleet_value *values = calloc((size_t)room, sizeof *values);
    if (!values)
        return NULL;
    f->series[f->n_series] =
        (struct cb_fleet_series){.kind = kind, .c = c, .m = m, .values = values};
    return &f->series[f->n_series++];
}

static bool add_case(struct cb_fleet *f, int begin, int room, const struct cb_fleet_case *fc,
                     const struct cb_compare_choice_options *choice)
{
    const struct cb_run_case *c = fc->c;
    for (int i = 0; i < c->n_metrics && cb_run_case_ok(c) && !fc->other; i++) {
        const struct cb_measurement *m = &c->metrics[i];
        if (cb_compare_wants_metric(choice, c, m) != CB_WANTED)
            continue;
        const int kind = f->devices.items[fc->device].kind;
        struct cb_fleet_series *s = series_of(f, begin, kind, room, c, m);
        if (!s)
            return false;
        const bool twice = s->n > 0 && s->values[s->n - 1].device == fc->device;
        if (!twice) /* as a document may have it that a hand has been at */
            s->values[s->n++] = (struct cb_fleet_value){
                .device = fc->device, .c = c, .m = m, .value = m->side.median, .p = NAN, .z = NAN};
    }
    return true;
}

static bool describe(struct cb_fleet_series *s)
{
    double *values = calloc((size_t)s->n, sizeof *values);
    if (!values)
        return false;
    s->ratios = true;
    for (int i = 0; i < s->n; i++) {
        values[i] = s->values[i].value;
        s->ratios = s->ratios && values[i] > 0;
    }
    const struct cb_stats of = cb_stats_of(values, (size_t)s->n);
    s->min = of.min;
    s->median = of.median;
    s->max = of.max;
    s->spread = s->n > 1 && of.median != 0 ? CB_MAD_TO_SD * of.mad / fabs(of.median) : NAN;
    for (int i = 0; i < s->n; i++) {
        const double distance = cb_fleet_distance(s, values[i]);
        s->values[i].loss = s->ratios ? expm1(distance) : distance;
    }
    free(values);
    return true;
}

enum cb_status cb_fleet_series_make(struct cb_fleet *f,
                                    const struct cb_compare_choice_options *choice,
                                    struct cb_err *err)
{
    const struct cb_fleet_devices *d = &f->devices;
    bool done = true;
    for (int i = 0, end; i < d->n_cases && done; i = end) {
        const int begin = f->n_series;
        end = cb_fleet_cases_end(d, i);
        for (int k = i; k < end && done; k++)
            done = add_case(f, begin, end - i, &d->cases[k], choice);
    }
    for (int i = 0; i < f->n_series && done; i++)
        done = describe(&f->series[i]);
    if (!done)
        return cb_no_memory(err);
    int disturbed = 0;
    for (int i = 0; i < d->n_cases; i++)
        disturbed += d->cases[i].c->disturbed;
    if (f->n_series == 0)
        return cb_compare_nothing(choice, disturbed, err);
    return CB_OK;
}

void cb_fleet_series_free(struct cb_fleet *f)
{
    for (int i = 0; i < f->n_series; i++)
        free(f->series[i].values);
    free(f->series);
    f->series = NULL;
    f->n_series = 0;
}

/* ---- The scale ------------------------------------------------------------------------------- */

double cb_fleet_distance(const struct cb_fleet_series *s, double value)
{
    const double far = s->ratios ? log(value / s->median) : (value - s->median) / fabs(s->median);
    return value == s->median ? 0 : s->m->better == CB_HIGHER ? -far : far;
}

double cb_fleet_median_error(const struct cb_stats *of)
{
    return OF_MEDIAN * CB_MAD_TO_SD * of->mad / sqrt((double)of->n);
}

static double by_interval(const struct cb_fleet_series *s, const struct cb_side *side)
{
    if (s->ratios && side->low > 0)
        return log(side->high / side->low) / 2 / Z95;
    return (side->high - side->low) / 2 / Z95 / fabs(s->median);
}

static double by_rounds(const struct cb_fleet_series *s, const struct cb_measurement *m)
{
    if (m->n_rounds < 3)
        return NAN;
    const struct cb_stats of = cb_stats_of(m->rounds, m->n_rounds);
    return cb_fleet_median_error(&of) / fabs(s->median);
}

double cb_fleet_error(const struct cb_fleet_series *s, const struct cb_measurement *m)
{
    return fmax(by_interval(s, &m->side), by_rounds(s, m));
}
