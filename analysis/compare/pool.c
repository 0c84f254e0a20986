/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/rounds.h"
#include "analysis/compare/student.h"
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

/* ---- One more run of the baselines' state ---------------------------------------------------- */

/* The scale on which levels of runs are compared: logarithms if all are positive. */
static double to_scale(double change, bool ratio)
{
    return ratio ? log1p(change) : change;
}

static double from_scale(double x, bool ratio)
{
    return ratio ? expm1(x) : x;
}

/* What n runs of one state say of one more. */
struct prediction {
    bool ratio;
    double middle; /* middle of the runs' levels */
    double error;  /* standard error of the next one's distance from it, on the scale */
    int freedom;
};

static struct prediction predict(const double *levels, int n, double now)
{
    struct prediction p = {now > 0 && cb_all_positive(levels, (size_t)n), NAN, 0, n - 1};
    double *values = malloc((size_t)n * sizeof *values);
    for (int i = 0; values && i < n; i++)
        values[i] = p.ratio ? log(levels[i]) : levels[i];
    if (values) {
        struct cb_stats s = cb_stats_of(values, (size_t)n);
        p.middle = p.ratio ? exp(s.mean) : s.mean;
        if (s.stddev > 0)
            p.error = s.stddev * sqrt(1 + 1.0 / n) / (p.ratio ? 1 : fabs(s.mean));
    }
    free(values);
    return p;
}

/* A change has to be confirmed by both: the test that knows of the samples or rounds, and the
 * prediction. So its interval is the wider of the two, and its p the larger. */
static void confirm(struct cb_comparison *row, const struct prediction *p, double alpha)
{
    struct cb_change *c = &row->evidence.change;
    double x = to_scale(c->estimate, p->ratio), half = p->error * cb_student_t(p->freedom, 0.05);
    if (!isfinite(x) || !(p->error > 0))
        return;
    c->low = fmin(c->low, from_scale(x - half, p->ratio));
    c->high = fmax(c->high, from_scale(x + half, p->ratio));
    row->evidence.spread = from_scale(p->error * cb_student_t(p->freedom, alpha), p->ratio);
    row->p = fmax(row->p, cb_student_p(p->freedom, fabs(x) / p->error));
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

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
    bool compared = base && cb_rounds_test(base, n, &run, now->better, &verdict);
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

/* Too few processes on a side for any test: why. */
static enum cb_doubt doubt_of(struct cb_measurement *const *all, int n,
                              const struct cb_measurement *now)
{
    size_t fewest = now->n_rounds;
    for (int i = 0; i < n; i++)
        fewest = all[i]->n_rounds < fewest ? all[i]->n_rounds : fewest;
    return fewest > 1 ? CB_DOUBT_FEW_ROUNDS : CB_DOUBT_ONE_PROCESS;
}

/* The run as one more of the baselines, each of which counts by its median. */
static void compare_runs(struct cb_comparison *row, struct cb_measurement *const *all, int n,
                         const struct cb_measurement *now, double *levels)
{
    struct cb_change *c = &row->evidence.change;
    for (int i = 0; i < n; i++)
        levels[i] = all[i]->side.median;
    struct prediction p = predict(levels, n, now->side.median);
    double difference = (now->side.median - p.middle) / fabs(p.middle);
    row->method = CB_BY_RUNS;
    row->p = cb_change_p(c);
    if (isfinite(difference))
        c->estimate = difference;
}

/* Change, p, method, and what they were found from: rounds, else several runs, else nothing. */
static void test(struct cb_comparison *row, struct cb_measurement *const *all, int n,
                 const struct cb_measurement *now, const struct cb_compare_rules *rules,
                 double *levels)
{
    struct cb_change *c = &row->evidence.change;
    if (compare_all_rounds(row, all, n, now, rules, levels))
        return;
    if (n >= CB_LEAST_BASELINES) {
        compare_runs(row, all, n, now, levels);
        return;
    }
    row->doubt = doubt_of(all, n, now);
    c->low = c->high = row->p = row->evidence.p = NAN;
}

bool cb_pool(struct cb_comparison *row, struct cb_measurement *const *all, int n,
             const struct cb_measurement *now, const struct cb_compare_rules *rules)
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
    test(row, all, n, now, rules, levels);
    if (n > 1 && row->method != CB_UNTESTED) {
        struct prediction p = predict(levels, n, now->side.median);
        confirm(row, &p, rules->alpha);
    }
    row->base.samples = row->now.samples = NULL; /* nobody asks for them any more */
    free(joined);
    free(levels);
    return !isnan(row->base.median);
}
