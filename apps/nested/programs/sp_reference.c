/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/nested/programs/sp_reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/nested/programs/sp_abi.h"

#define COARSE 0x1p21 /* 1 in the units of coarse values: single precision has three bits more */

void cb_surveys_set(struct cb_surveys *s, const uint32_t *words)
{
    s->laps = 0;
    s->change = s->least_before = INFINITY;
    for (uint32_t i = 0; i < s->data->begins[s->data->parents]; i++)
        s->surveys[i] = cb_nest_float(words[i]);
}

bool cb_surveys_begin(struct cb_surveys *s, const struct cb_nest_data *data, const uint32_t *words)
{
    const size_t all = data->begins[data->parents];
    *s = (struct cb_surveys){.data = data};
    s->surveys = malloc((all + 1) * sizeof *s->surveys);
    s->ratios = malloc((all + 1) * sizeof *s->ratios);
    s->before = malloc((all + 1) * sizeof *s->before);
    s->gone = calloc(all + 1, sizeof *s->gone);
    if (!s->surveys || !s->ratios || !s->before || !s->gone)
        return false;
    cb_surveys_set(s, words);
    return true;
}

void cb_surveys_end(struct cb_surveys *s)
{
    free(s->surveys);
    free(s->ratios);
    free(s->before);
    free(s->gone);
}

/* silent: how probable it is that no warning comes from clauses in which a variable is plain, and
 * in which it is negated. Returns how probable it is that not both kinds warn. */
static double weigh(const double silent[2])
{
    return silent[0] + silent[1] - silent[0] * silent[1];
}

double cb_surveys_bias(const struct cb_surveys *s, uint32_t variable, double *weight)
{
    const struct cb_nest_data *d = s->data;
    double silent[2] = {1, 1};
    for (uint32_t o = d->begins[variable]; o < d->begins[variable + 1]; o++)
        silent[SP_NEGATED(d->others[o])] *= 1 - s->surveys[o];
    *weight = weigh(silent);
    return *weight < SP_LEAST ? 1 : (silent[1] - silent[0]) / *weight;
}

static double keep(const struct cb_surveys *s, double x)
{
    return s->coarse ? rint(x * COARSE) / COARSE : x;
}

/* Each ratio is of the occurrences before its own, and of those after it. */
static void find_ratios(struct cb_surveys *s, uint32_t variable)
{
    const struct cb_nest_data *d = s->data;
    double before[2] = {1, 1}, after[2] = {1, 1};
    for (uint32_t o = d->begins[variable]; o < d->begins[variable + 1]; o++) {
        memcpy(s->before[o], before, sizeof before);
        before[SP_NEGATED(d->others[o])] *= 1 - s->surveys[o];
    }
    for (uint32_t o = d->begins[variable + 1]; o-- > d->begins[variable];) {
        const uint32_t negated = SP_NEGATED(d->others[o]);
        const double silent[2] = {s->before[o][0] * after[0], s->before[o][1] * after[1]},
                     weight = weigh(silent);
        const double unsatisfied = silent[negated] * (1 - silent[!negated]);
        s->ratios[o] = keep(s, weight < SP_LEAST ? 0 : unsatisfied / weight);
        after[negated] *= 1 - s->surveys[o];
    }
}

/* All of a clause that are left; returns the largest change. */
static double find_surveys(struct cb_surveys *s, const uint32_t *occurrences, uint32_t n)
{
    double largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        double survey = 1;
        if (s->gone[occurrences[i]])
            continue;
        for (uint32_t k = 0; k < n; k++)
            survey *= k != i && !s->gone[occurrences[k]] ? s->ratios[occurrences[k]] : 1;
        largest = fmax(largest, fabs(survey - s->surveys[occurrences[i]]));
        s->surveys[occurrences[i]] = keep(s, survey);
    }
    return largest;
}

/* The numbers of a clause's occurrences. */
static const uint32_t *clause_of(const struct cb_nest_data *d, uint32_t clause, uint32_t *n)
{
    const uint32_t *begins = d->others + d->begins[d->parents];
    *n = begins[clause + 1] - begins[clause];
    return begins + d->n + 1 + begins[clause];
}

static double do_lap(struct cb_surveys *s)
{
    const struct cb_nest_data *d = s->data;
    double largest = 0;
    for (uint32_t v = 0; v < d->parents; v++)
        find_ratios(s, v);
    for (uint32_t c = 0; c < d->n; c++) {
        uint32_t n;
        const uint32_t *occurrences = clause_of(d, c, &n);
        largest = fmax(largest, find_surveys(s, occurrences, n));
    }
    return largest;
}

bool cb_surveys_follow(struct cb_surveys *s, double criterion, uint32_t most)
{
    bool at_rest = false;
    while (s->laps < most && !at_rest) {
        s->least_before = fmin(s->least_before, s->change);
        s->change = do_lap(s);
        s->laps++;
        at_rest = s->change <= criterion;
    }
    return at_rest;
}

static void drop(struct cb_surveys *s, uint32_t occurrence)
{
    s->gone[occurrence] = true;
    s->surveys[occurrence] = 0;
}

void cb_surveys_fix(struct cb_surveys *s, uint32_t variable, bool is_false)
{
    const struct cb_nest_data *d = s->data;
    for (uint32_t o = d->begins[variable]; o < d->begins[variable + 1]; o++) {
        uint32_t n;
        const uint32_t *occurrences = clause_of(d, SP_CLAUSE(d->others[o]), &n);
        drop(s, o);
        for (uint32_t i = 0; i < n && SP_NEGATED(d->others[o]) == is_false; i++)
            drop(s, occurrences[i]);
    }
}

bool cb_surveys_check(const struct cb_surveys *s, const uint32_t *found, double tolerance,
                      char why[CB_NEST_WHY])
{
    for (uint32_t i = 0; i < s->data->begins[s->data->parents]; i++)
        if (!(fabs(cb_nest_float(found[i]) - s->surveys[i]) <= tolerance)) {
            snprintf(why, CB_NEST_WHY, "survey %u is %g instead of %g", i, cb_nest_float(found[i]),
                     s->surveys[i]);
            return false;
        }
    return true;
}
