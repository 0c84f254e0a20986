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

/* How far, with probability p, the median of one more run of the same state lies from n such runs:
 * the half-width of a prediction interval, relative to the pooled median. 0: one run does not tell.
 */
static double reach(struct cb_measurement *const *all, int n, double median, double p)
{
    double *medians = n > 1 ? malloc((size_t)n * sizeof *medians) : NULL, spread = 0;
    if (!medians)
        return 0;
    for (int i = 0; i < n; i++)
        medians[i] = all[i]->side.median;
    spread = cb_stats_of(medians, (size_t)n).stddev;
    free(medians);
    return spread > 0 ? cb_student_t(n - 1, p) * spread * sqrt(1 + 1.0 / n) / fabs(median) : 0;
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

/* If the run and all baselines have rounds: change, p and method by their medians, or their best
 * samples. */
static bool compare_rounds(struct cb_comparison *row, struct cb_measurement *const *all, int n,
                           const struct cb_measurement *now, const struct cb_compare_rules *rules)
{
    struct cb_rounds *base = malloc((size_t)n * sizeof *base), run = rounds_of(now, rules);
    bool adjusted;
    size_t total = 0;
    for (int i = 0; base && i < n; i++) {
        base[i] = rounds_of(all[i], rules);
        total += base[i].n;
    }
    bool compared =
        base && cb_rounds_test(base, n, &run, &row->evidence.change, &row->p, &adjusted);
    free(base);
    if (compared) {
        row->evidence.rounds = total < run.n ? total : run.n;
        row->method = rules->bests ? CB_BY_BESTS : adjusted ? CB_BY_ADJUSTED_ROUNDS : CB_BY_ROUNDS;
    }
    return compared;
}

/* The best samples only where all sides have them. */
static bool compare_all_rounds(struct cb_comparison *row, struct cb_measurement *const *all, int n,
                               const struct cb_measurement *now,
                               const struct cb_compare_rules *rules)
{
    struct cb_compare_rules medians = *rules;
    medians.bests = false;
    return (rules->bests && compare_rounds(row, all, n, now, rules)) ||
           compare_rounds(row, all, n, now, &medians);
}

bool cb_pool(struct cb_comparison *row, struct cb_measurement *const *all, int n,
             const struct cb_measurement *now, const struct cb_compare_rules *rules,
             struct cb_rank_table *table)
{
    size_t total = 0;
    double *joined = NULL;
    for (int i = 0; i < n; i++)
        total += all[i]->side.n;
    row->now = now->side;
    row->base = n == 1 ? all[0]->side : span(all, n, total);
    if (n > 1 && (joined = join(all, n, total)) != NULL) {
        struct cb_stats s = cb_stats_of(joined, total);
        row->base = (struct cb_side){total, s.median, s.ci95_low, s.ci95_high, joined};
    }
    struct cb_evidence *e = &row->evidence;
    *e = (struct cb_evidence){now->better,
                              cb_change_of(&row->base, &row->now),
                              1,
                              reach(all, n, row->base.median, rules->alpha),
                              total,
                              now->side.n,
                              0};
    row->method = row->base.samples && row->now.samples ? CB_BY_SAMPLES : CB_BY_INTERVALS;
    bool tested = compare_all_rounds(row, all, n, now, rules);
    if (!tested && row->method == CB_BY_SAMPLES)
        row->p = cb_rank_test(row->base.samples, total, row->now.samples, row->now.n, table);
    else if (!tested)
        row->p = cb_change_p(&e->change);
    if (n > 1 && isfinite(e->change.estimate))
        widen(&e->change, reach(all, n, row->base.median, 0.05));
    row->base.samples = row->now.samples = NULL; /* nobody asks for them any more */
    free(joined);
    return !isnan(row->p) && !isnan(row->base.median);
}
