/* SPDX-License-Identifier: Apache-2.0
 *
 * One case of runs that are simulated in memory, compared by the functions of `coopbench compare`:
 * what test_compare_power.c promises, and tests/power.c has a table of.
 */
#pragma once

#include <math.h>
#include <stdlib.h>

#include "analysis/compare/judge.h"
#include "analysis/compare/pool.h"
#include "measure/stats.h"
#include "tests/noise.h"

#define SIMULATED_MOST   40 /* baselines; rounds of a run, or samples of one that has no rounds */
#define SIMULATED_CASES  100
#define SIMULATED_SAMPLE 5 /* of each round */

/* Runs of a rate, of which each process is one draw of the noise, of 1 % a unit. */
struct simulated_compare {
    size_t baselines;
    size_t processes; /* rounds of each run; 1: it has none */
    size_t now;       /* rounds of the run that is compared */
    size_t samples;   /* of a run of one process */
    double (*noise)(double before);
    double step;       /* of the run, in standard deviations, down */
    double core_speed; /* at which the run was, 1 being that of the baselines; 0: not known */
    double threshold;
};

struct simulated_run {
    struct cb_measurement m, speed;
    double values[SIMULATED_MOST], speeds[SIMULATED_MOST];
};

/* Samples of one process are nearer to each other than to those of the next: by a tenth. */
static inline struct cb_side simulated_samples(double level, double *samples, size_t n)
{
    for (size_t i = 0; i < n; i++)
        samples[i] = level * exp(0.001 * random_normal(&dice));
    const struct cb_stats s = cb_stats_of(samples, n);
    return (struct cb_side){n, s.median, s.ci95_low, s.ci95_high, samples};
}

static inline void simulate_run(const struct simulated_compare *of, bool base,
                                struct simulated_run *run, double *last)
{
    const bool rounds = of->processes > 1;
    const size_t n = !rounds ? 1 : base ? of->processes : of->now;
    *run = (struct simulated_run){.m = {.better = CB_HIGHER}};
    for (size_t i = 0; i < n; i++) {
        *last = of->noise(*last);
        run->values[i] = exp(0.01 * (-*last - (base ? 0 : of->step)));
        run->speeds[i] = base ? 1 : of->core_speed;
    }
    if (!rounds) {
        run->m.side = simulated_samples(run->values[0], run->values, of->samples);
        run->m.samples = run->values;
        return;
    }
    const struct cb_stats s = cb_stats_of(run->values, n);
    run->m.side = (struct cb_side){n * SIMULATED_SAMPLE, s.median, s.ci95_low, s.ci95_high, NULL};
    run->m.rounds = run->values;
    run->m.n_rounds = n;
    run->speed = (struct cb_measurement){.rounds = run->speeds, .n_rounds = n};
    run->m.core_speed = of->core_speed > 0 ? &run->speed : NULL;
}

/* The comparison of one case, as `compare` has it before it knows of the others. */
static inline struct cb_comparison simulate_comparison(const struct simulated_compare *of)
{
    static struct simulated_run bases[SIMULATED_MOST], now;
    struct cb_measurement *of_bases[SIMULATED_MOST];
    const struct cb_compare_rules rules = {.alpha = 0.01};
    struct cb_comparison row = {.compared = true, .threshold = of->threshold};
    double last = 0; /* runs follow each other */
    for (size_t i = 0; i < of->baselines; i++) {
        simulate_run(of, true, &bases[i], &last);
        of_bases[i] = &bases[i].m;
    }
    simulate_run(of, false, &now, &last);
    if (!cb_pool(&row, of_bases, (int)of->baselines, &now.m, &rules))
        abort();
    return row;
}

/* Returns the verdict of `compare` on a row that is one of so many cases, of which no other has
 * changed. */
static inline enum cb_verdict simulated_verdict(const struct cb_comparison *row, size_t cases)
{
    static struct cb_comparison rows[SIMULATED_CASES];
    struct cb_comparisons all = {.rows = rows, .count = (int)cases};
    for (size_t i = 0; i < cases; i++) {
        rows[i] = *row;
        rows[i].p = i ? 1 : row->p;
    }
    if (!cb_comparisons_judge(&all, 0.01))
        abort();
    return rows[0].verdict;
}
