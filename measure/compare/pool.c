/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/compare/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/compare/rounds.h"
#include "measure/compare/student.h"
#include "measure/stats.h"

/* The samples of all, one after the other; NULL if one has none, or there is no memory. */
static double *join(struct cb_measurement *const *all, int n, size_t total)
{
    double *joined = malloc(total * sizeof *joined);
    size_t at = 0;
    for (int i = 0; i < n && joined; i++) {
        if (!all[i]->samples) {
            free(joined);
            return NULL;
        }
        memcpy(joined + at, all[i]->samples, all[i]->side.n * sizeof *joined);
        at += all[i]->side.n;
    }
    return joined;
}

/* Without samples: the median of the medians, and what spans all intervals. */
static struct cb_side span(struct cb_measurement *const *all, int n, size_t total)
{
    struct cb_side side = {total, NAN, INFINITY, -INFINITY, NULL};
    double *medians = malloc((size_t)n * sizeof *medians);
    for (int i = 0; i < n && medians; i++) {
        const struct cb_side *s = &all[i]->side;
        medians[i] = s->median;
        side.low = isnan(s->low) || isnan(side.low) ? NAN : fmin(side.low, s->low);
        side.high = isnan(s->high) || isnan(side.high) ? NAN : fmax(side.high, s->high);
    }
    if (medians)
        side.median = cb_stats_of(medians, (size_t)n).median;
    free(medians);
    return side;
}

/* How far, with probability p, the level of one more run of the same state lies from n such runs:
 * the half-width of a prediction interval, relative to their median. 0: one run does not tell. */
static double reach(const double *levels, int n, double p)
{
    if (n == 1)
        return 0;
    struct cb_stats s = cb_stats_of(levels, (size_t)n);
    return s.stddev > 0 ? cb_student_t(n - 1, p) * s.stddev * sqrt(1 + 1.0 / n) / fabs(s.median)
                        : 0;
}

/* Adds what runs differ by to the interval, which knows of samples within a run only. */
static void widen(struct cb_change *c, double by)
{
    c->low = c->estimate - hypot(c->estimate - c->low, by);
    c->high = c->estimate + hypot(c->high - c->estimate, by);
}

static struct cb_rounds rounds_of(const struct cb_measurement *m,
                                  const struct cb_compare_rules *rules)
{
    const struct cb_measurement *speed = rules->unadjusted ? NULL : m->core_speed;
    if (rules->bests)
        return (struct cb_rounds){.values = m->bests, .n = m->n_bests};
    struct cb_rounds rounds = {.values = m->rounds, .n = m->n_rounds};
    if (speed)
        rounds.speeds = speed->rounds;
    if (speed && m->samples && speed->samples && m->side.n == speed->side.n && m->sizes) {
        rounds.samples = m->samples;
        rounds.sample_speeds = speed->samples;
        rounds.sizes = m->sizes;
    }
    return rounds;
}

/* If the run and all baselines have rounds: change, p, method and levels by their medians, or their
 * best samples. */
static bool compare_rounds(struct cb_comparison *row, struct cb_measurement *const *all, int n,
                           const struct cb_measurement *now, const struct cb_compare_rules *rules,
                           double *levels)
{
    struct cb_rounds *base = malloc((size_t)n * sizeof *base), run = rounds_of(now, rules);
    struct cb_rounds_verdict verdict = {.levels = levels};
    size_t total = 0;
    for (int i = 0; base && i < n; i++) {
        base[i] = rounds_of(all[i], rules);
        total += base[i].n;
    }
    bool compared = base && cb_rounds_test(base, n, &run, &verdict);
    free(base);
    if (compared) {
        row->evidence.change = verdict.change;
        row->evidence.rounds = total < run.n ? total : run.n;
        row->p = verdict.p;
        row->method = rules->bests       ? CB_BY_BESTS
                      : verdict.adjusted ? CB_BY_ADJUSTED_ROUNDS
                                         : CB_BY_ROUNDS;
    }
    return compared;
}

/* The best samples only where all sides have them. */
static bool compare_all_rounds(struct cb_comparison *row, struct cb_measurement *const *all, int n,
                               const struct cb_measurement *now,
                               const struct cb_compare_rules *rules, double *levels)
{
    struct cb_compare_rules medians = *rules;
    medians.bests = false;
    return (rules->bests && compare_rounds(row, all, n, now, rules, levels)) ||
           compare_rounds(row, all, n, now, &medians, levels);
}

/* The baselines as one side. *joined is the caller's to free, once its samples are not needed any
 * more. */
static struct cb_side join_sides(struct cb_measurement *const *all, int n, double **joined)
{
    size_t total = 0;
    *joined = NULL;
    if (n == 1)
        return all[0]->side;
    for (int i = 0; i < n; i++)
        total += all[i]->side.n;
    *joined = join(all, n, total);
    if (!*joined)
        return span(all, n, total);
    struct cb_stats s = cb_stats_of(*joined, total);
    return (struct cb_side){total, s.median, s.ci95_low, s.ci95_high, *joined};
}

/* Change, p, method, and what they were found from: rounds, else samples, else intervals. */
static void test(struct cb_comparison *row, struct cb_measurement *const *all, int n,
                 const struct cb_measurement *now, const struct cb_compare_rules *rules,
                 struct cb_rank_table *table, double *levels)
{
    row->method = row->base.samples && row->now.samples ? CB_BY_SAMPLES : CB_BY_INTERVALS;
    if (compare_all_rounds(row, all, n, now, rules, levels))
        return;
    for (int i = 0; i < n; i++)
        levels[i] = all[i]->side.median;
    if (row->method == CB_BY_SAMPLES)
        row->p = cb_rank_test(row->base.samples, row->base.n, row->now.samples, row->now.n, table);
    else
        row->p = cb_change_p(&row->evidence.change);
}

bool cb_pool(struct cb_comparison *row, struct cb_measurement *const *all, int n,
             const struct cb_measurement *now, const struct cb_compare_rules *rules,
             struct cb_rank_table *table)
{
    double *levels = malloc((size_t)n * sizeof *levels), *joined;
    if (!levels)
        return false;
    row->now = now->side;
    row->base = join_sides(all, n, &joined);
    struct cb_evidence *e = &row->evidence;
    *e = (struct cb_evidence){.better = now->better,
                              .change = cb_change_of(&row->base, &row->now),
                              .p = 1,
                              .n_base = row->base.n,
                              .n_run = now->side.n};
    test(row, all, n, now, rules, table, levels);
    e->spread = reach(levels, n, rules->alpha);
    if (n > 1 && isfinite(e->change.estimate))
        widen(&e->change, reach(levels, n, 0.05));
    row->base.samples = row->now.samples = NULL; /* nobody asks for them any more */
    free(joined);
    free(levels);
    return !isnan(row->p) && !isnan(row->base.median);
}
