/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/nested/programs/sp_reference.h"

#include <math.h>
#include <stdlib.h>

#include "apps/nested/programs/sp_abi.h"

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
    if (!s->surveys || !s->ratios)
        return false;
    cb_surveys_set(s, words);
    return true;
}

void cb_surveys_end(struct cb_surveys *s)
{
    free(s->surveys);
    free(s->ratios);
}

/* How probable it is that no warning comes from the variable's other clauses in which it is plain,
 * and in which it is negated. */
static void find_silence(const struct cb_surveys *s, uint32_t variable, uint32_t but,
                         double silent[2])
{
    const struct cb_nest_data *d = s->data;
    silent[0] = silent[1] = 1;
    for (uint32_t o = d->begins[variable]; o < d->begins[variable + 1]; o++)
        silent[SP_NEGATED(d->others[o])] *= o != but ? 1 - s->surveys[o] : 1;
}

static void find_ratios(struct cb_surveys *s)
{
    const struct cb_nest_data *d = s->data;
    for (uint32_t v = 0; v < d->parents; v++)
        for (uint32_t o = d->begins[v]; o < d->begins[v + 1]; o++) {
            const uint32_t negated = SP_NEGATED(d->others[o]);
            double silent[2];
            find_silence(s, v, o, silent);
            const double same = silent[negated], opposite = silent[!negated],
                         all = same + opposite - same * opposite;
            s->ratios[o] = all < SP_LEAST ? 0 : same * (1 - opposite) / all;
        }
}

/* All of a clause; returns the largest change. */
static double find_surveys(struct cb_surveys *s, const uint32_t *occurrences, uint32_t n)
{
    double largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        double survey = 1;
        for (uint32_t k = 0; k < n; k++)
            survey *= k != i ? s->ratios[occurrences[k]] : 1;
        largest = fmax(largest, fabs(survey - s->surveys[occurrences[i]]));
        s->surveys[occurrences[i]] = survey;
    }
    return largest;
}

static double do_lap(struct cb_surveys *s)
{
    const struct cb_nest_data *d = s->data;
    const uint32_t *begins = d->others + d->begins[d->parents], *of_clauses = begins + d->n + 1;
    double largest = 0;
    find_ratios(s);
    for (uint32_t c = 0; c < d->n; c++)
        largest = fmax(largest, find_surveys(s, of_clauses + begins[c], begins[c + 1] - begins[c]));
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
