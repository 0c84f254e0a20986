/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/steps.h"

#include <math.h>
#include <stdlib.h>

#include "measure/stats.h"

#define BAI_95       11.03 /* 95 % quantile of the distribution of a step's position */
#define MAD_OF_SIGMA 1.4826
#define GROWN        1.5 /* times the size that was accepted */

struct work {
    const double *values;
    bool more_is_worse;
    const struct cb_change_rules *rules;
    struct cb_claims *claims;
};

static struct cb_side level_of(const double *values, size_t n)
{
    const struct cb_stats of = cb_stats_of(values, n);
    return (struct cb_side){n, of.median, of.ci95_low, of.ci95_high, values};
}

/* Sizes a step, between the levels that begin and end there. */
static void size_step(const struct work *w, size_t begin, struct cb_step *s, size_t end)
{
    const struct cb_side from = level_of(&w->values[begin], s->at - begin);
    const struct cb_side to = level_of(&w->values[s->at], end - s->at);
    s->before = from.n;
    s->after = to.n;
    s->from = from.median;
    s->to = to.median;
    s->change = cb_change_of(&from, &to);
    s->worse = (to.median > from.median) == w->more_is_worse;
}

static void size_steps(const struct work *w, size_t begin, size_t end, struct cb_step *steps,
                       long n)
{
    for (long i = 0; i < n; i++)
        size_step(w, i > 0 ? steps[i - 1].at : begin, &steps[i], i + 1 < n ? steps[i + 1].at : end);
}

/* ---- What is accepted ------------------------------------------------------------------------ */

/* How far from a step it may have been found when it was accepted. */
static double reach_of(const struct work *w, const struct cb_step *s)
{
    const double before = cb_stats_of(&w->values[s->at - s->before], s->before).mad;
    const double after = cb_stats_of(&w->values[s->at], s->after).mad;
    const double spread = MAD_OF_SIGMA * fmax(before, after), height = fabs(s->to - s->from);
    const double place = floor(BAI_95 * spread * spread / (height * height)) + 1;
    return fmax(2 * (double)w->rules->least - 1,
                fmin(place, fmin((double)s->before, (double)s->after)));
}

/* By the end of its interval that is nearer to no change. */
static bool has_grown(const struct cb_step *s, const struct cb_acceptance *a)
{
    const struct cb_change *c = &s->change;
    const double near = isnan(c->low) ? c->estimate : c->estimate > 0 ? c->low : c->high;
    return near * c->estimate > 0 && fabs(log1p(near)) > GROWN * fabs(log1p(a->change));
}

static double distance(const struct cb_step *s, const struct cb_claim *claim)
{
    return fabs((double)s->at - (double)claim->at);
}

/* The claim that is nearest to a step of its own; no step that is accepted has another. NULL: there
 * is none. */
static struct cb_claim *nearest(const struct work *w, struct cb_step *steps, long n,
                                struct cb_step **step)
{
    struct cb_claim *best = NULL;
    for (long i = 0; i < n && w->claims->n > 0; i++) {
        if (!steps[i].worse || steps[i].accepted)
            continue;
        const double reach = reach_of(w, &steps[i]);
        for (size_t k = 0; k < w->claims->n; k++) {
            struct cb_claim *claim = &w->claims->items[k];
            if (distance(&steps[i], claim) > reach ||
                (best && distance(&steps[i], claim) >= distance(*step, best)))
                continue;
            best = claim;
            *step = &steps[i];
        }
    }
    return best;
}

/* An acceptance is of one step of a series. */
static void drop_claims(struct cb_claims *claims, const struct cb_acceptance *a)
{
    size_t kept = 0;
    for (size_t i = 0; i < claims->n; i++)
        if (claims->items[i].acceptance != a)
            claims->items[kept++] = claims->items[i];
    claims->n = kept;
}

/* Returns how many of the steps are accepted. */
static long accept_steps(const struct work *w, struct cb_step *steps, long n)
{
    struct cb_step *step = NULL;
    long accepted = 0;
    for (struct cb_claim *claim; (claim = nearest(w, steps, n, &step));) {
        struct cb_acceptance *a = claim->acceptance;
        if (has_grown(step, a)) {
            a->grown_to = step->change.estimate;
        } else {
            step->accepted = a;
            a->changes++;
            accepted++;
        }
        drop_claims(w->claims, a);
    }
    return accepted;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Finds the steps of values [begin, end). */
static long find(const struct work *w, size_t begin, size_t end, struct cb_step *steps)
{
    const size_t n = end - begin;
    struct cb_change_point *points = malloc(n * sizeof *points);
    const long found = points ? cb_change_points(&w->values[begin], n, w->rules, points) : -1;
    for (long i = 0; i < found; i++)
        steps[i] = (struct cb_step){.at = begin + points[i].at, .p = points[i].p};
    free(points);
    size_steps(w, begin, end, steps, found);
    return found;
}

static long find_between(const struct work *w, size_t begin, size_t end, struct cb_step *steps);

/* Keeps those of the steps that are accepted, and finds the others anew, between them. */
static long find_anew(const struct work *w, size_t begin, size_t end, struct cb_step *steps, long n)
{
    struct cb_step *kept = malloc((size_t)n * sizeof *kept);
    long n_kept = 0, total = 0;
    for (long i = 0; i < n && kept; i++)
        if (steps[i].accepted)
            kept[n_kept++] = steps[i];
    for (long i = 0; i <= n_kept && kept && total >= 0; i++) {
        const size_t until = i < n_kept ? kept[i].at : end;
        const long found = find_between(w, begin, until, &steps[total]);
        total = found < 0 ? -1 : total + found;
        if (total >= 0 && i < n_kept)
            steps[total++] = kept[i];
        begin = until;
    }
    free(kept);
    return kept ? total : -1;
}

static long find_between(const struct work *w, size_t begin, size_t end, struct cb_step *steps)
{
    const long n = find(w, begin, end, steps);
    return n > 0 && accept_steps(w, steps, n) > 0 ? find_anew(w, begin, end, steps, n) : n;
}

long cb_steps_find(const double *values, size_t n, bool more_is_worse,
                   const struct cb_change_rules *rules, struct cb_claims *claims,
                   struct cb_step *steps)
{
    const struct work w = {values, more_is_worse, rules, claims};
    const long found = find_between(&w, 0, n, steps);
    size_steps(&w, 0, n, steps, found); /* between the levels that there are now */
    return found;
}
