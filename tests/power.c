/* SPDX-License-Identifier: Apache-2.0
 *
 * What a history finds, at every number of runs before a step and after it, and what compare does,
 * at every number of rounds, of baselines, and of samples; which is what docs/trust.md has: of each
 * kind of step the tries that are found, as JSON. power history|compare [TRIES]
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/history/change_points.h"
#include "analysis/history/speed.h"
#include "runtime/host/error.h"
#include "tests/simulated_compare.h"

#define MOST 40 /* of either number */

/* The cores of the later runs are slower by a tenth, which values do not follow. */
static const struct noise {
    const char *name;
    double (*next)(double before);
    double core_speed;
} noises[] = {{"normal", noise_normal, 1},
              {"normal, cores 10 % slower", noise_normal, 0.9},
              {"heavy tails", noise_heavy_tails, 1},
              {"autocorrelated, 0.3", noise_autocorrelated, 1},
              {"2 % outliers", noise_outliers, 1}};

/* Of what is tried one after the other; a step is in standard deviations of the noise, of 1 % each,
 * and series are the series or cases that are tested together, in one of which it is. */
static const unsigned series[] = {1, 10, 100};

struct grid {
    const char *of;
    size_t least[2], most[2]; /* of both numbers */
    double steps[5];          /* -1: no more of them */
    bool speeds;              /* whether it has those of the cores */
    void (*find)(const struct noise *, double step, size_t n, size_t m, bool *found);
};

/* ---- What is tried --------------------------------------------------------------------------- */

/* Found within one run of its place. */
static void find_in_history(const struct noise *noise, double step, size_t before, size_t after,
                            bool *found)
{
    double values[2 * MOST], speeds[2 * MOST], p = 1, last = 0;
    struct cb_change_point points[2 * MOST];
    const size_t n = before + after;
    for (size_t i = 0; i < n; i++) {
        last = noise->next(last);
        values[i] = exp(0.01 * (last - (i < before ? 0 : step)));
        speeds[i] = i < before ? 1 : noise->core_speed;
    }
    if (!cb_series_without_speed(values, speeds, n, CB_HIGHER, &cb_change_rules))
        abort();
    const long count = cb_change_points(values, n, &cb_change_rules, points);
    for (long i = 0; i < count; i++)
        if (points[i].at + 1 >= before && points[i].at <= before + 1)
            p = fmin(p, points[i].p);
    for (size_t s = 0; s < CB_COUNTOF(series); s++)
        found[s] = p * series[s] < cb_change_rules.alpha;
}

/* A regression; without a step any change, of whatever size: a false alarm. */
static void find_by_compare(struct simulated_compare *of, const struct noise *noise, double step,
                            bool *found)
{
    of->noise = noise->next;
    of->step = step;
    of->threshold = step > 0 ? 0.025 : 1e-9;
    of->core_speed = noise->core_speed < 1 ? noise->core_speed : 0;
    const struct cb_comparison row = simulate_comparison(of);
    for (size_t s = 0; s < CB_COUNTOF(series); s++) {
        const enum cb_verdict verdict = simulated_verdict(&row, series[s]);
        found[s] = verdict == CB_REGRESSION || (step == 0 && verdict == CB_IMPROVEMENT);
    }
}

static void find_by_rounds(const struct noise *noise, double step, size_t n, size_t m, bool *found)
{
    struct simulated_compare of = {.baselines = 1, .processes = n, .now = m};
    find_by_compare(&of, noise, step, found);
}

static void find_by_runs(const struct noise *noise, double step, size_t n, size_t m, bool *found)
{
    struct simulated_compare of = {.baselines = n, .processes = 1, .samples = m};
    find_by_compare(&of, noise, step, found);
}

static void find_by_both(const struct noise *noise, double step, size_t n, size_t m, bool *found)
{
    struct simulated_compare of = {.baselines = n, .processes = m, .now = m};
    find_by_compare(&of, noise, step, found);
}

static const struct grid history[] = {
    {"runs", {3, 3}, {40, 40}, {50, 20, 10, 5, -1}, true, find_in_history}, {0}};

/* Few numbers where a try takes many values. */
static const struct grid compare[] = {
    {"rounds", {5, 5}, {30, 30}, {50, 20, 10, 5, 0}, true, find_by_rounds},
    {"baselines, samples", {3, 9}, {20, 20}, {50, 20, 10, 5, 0}, false, find_by_runs},
    {"baselines, rounds", {2, 5}, {15, 15}, {50, 20, 10, 5, 0}, false, find_by_both},
    {0}};

/* ---- Every pair of numbers ------------------------------------------------------------------- */

static void print_grids(const struct grid *grid, const struct noise *noise, double step,
                        unsigned tries)
{
    static unsigned found[CB_COUNTOF(series)][MOST + 1][MOST + 1];
    static bool begun;
    const size_t *least = grid->least, *most = grid->most;
    memset(found, 0, sizeof found);
    for (size_t n = least[0]; n <= most[0]; n++)
        for (size_t m = least[1]; m <= most[1]; m++)
            for (unsigned t = 0; t < tries; t++) {
                bool hits[CB_COUNTOF(series)];
                grid->find(noise, step, n, m, hits);
                for (size_t s = 0; s < CB_COUNTOF(series); s++)
                    found[s][n][m] += hits[s];
            }
    for (size_t s = 0; s < CB_COUNTOF(series); s++, begun = true) {
        printf("%s{\"of\": \"%s\", \"noise\": \"%s\", \"step\": %g, \"series\": %u, "
               "\"tries\": %u, \"least\": [%zu, %zu], \"found\": [",
               begun ? ",\n" : "", grid->of, noise->name, step, series[s], tries, least[0],
               least[1]);
        for (size_t n = least[0]; n <= most[0]; n++)
            for (size_t m = least[1]; m <= most[1]; m++)
                printf("%s%u", m > least[1] ? "," : n > least[0] ? "],\n[" : "\n[", found[s][n][m]);
        printf("]]}");
    }
}

int main(int argc, char **argv)
{
    const struct grid *grid = argc > 1 && strcmp(argv[1], "compare") == 0 ? compare : history;
    const unsigned tries = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100;
    dice.state = 1;
    puts("[");
    for (; grid->of; grid++)
        for (size_t kind = 0; kind < CB_COUNTOF(noises); kind++)
            for (size_t i = 0; i < CB_COUNTOF(grid->steps) && grid->steps[i] >= 0; i++)
                if (grid->speeds || noises[kind].core_speed == 1)
                    print_grids(grid, &noises[kind], grid->steps[i], tries);
    puts("\n]");
    return 0;
}
