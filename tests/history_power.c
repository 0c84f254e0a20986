/* SPDX-License-Identifier: Apache-2.0
 *
 * What a history finds, at every number of runs before a step and after it, which is what
 * docs/trust.md has: of each kind of step the tries that are found, as JSON. history_power [TRIES]
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/history/change_points.h"
#include "measure/history/speed.h"
#include "measure/random.h"
#include "runtime/host/error.h"

#define MOST 40 /* runs before and after */

static struct cb_random dice;
static double last; /* of noise that follows it */

static double share(void)
{
    return (double)(cb_random_next(&dice) >> 11) / 9007199254740992.0;
}

static double normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += share();
    return sum;
}

/* Student's t of three degrees of freedom, of the same robust spread. */
static double heavy_tails(void)
{
    const double z = normal(), a = normal(), b = normal(), c = normal();
    return z / sqrt((a * a + b * b + c * c) / 3) / 1.134;
}

static double autocorrelated(void)
{
    return last = 0.3 * last + sqrt(1 - 0.3 * 0.3) * normal();
}

static double outliers(void)
{
    return share() < 0.02 ? 20 + 80 * share() : normal();
}

/* The cores of the later runs are slower by a tenth, which values do not follow. */
static const struct {
    const char *name;
    double (*noise)(void);
    double core_speed;
} noises[] = {{"normal", normal, 1},
              {"normal, cores 10 % slower", normal, 0.9},
              {"heavy tails", heavy_tails, 1},
              {"autocorrelated, 0.3", autocorrelated, 1},
              {"2 % outliers", outliers, 1}};

static const double steps[] = {50, 20, 10, 5}; /* standard deviations of the noise; of 1 % each */
static const unsigned series[] = {1, 10, 100};

/* The p of a step within one run of its place; 1: it is not found. */
static double p_of(size_t kind, double step, size_t before, size_t after)
{
    double values[2 * MOST], speeds[2 * MOST], p = 1;
    struct cb_change_point points[2 * MOST];
    const size_t n = before + after;
    last = 0;
    for (size_t i = 0; i < n; i++) {
        values[i] = exp(0.01 * (noises[kind].noise() - (i < before ? 0 : step)));
        speeds[i] = i < before ? 1 : noises[kind].core_speed;
    }
    if (!cb_series_without_speed(values, speeds, n, CB_HIGHER, &cb_change_rules))
        abort();
    const long found = cb_change_points(values, n, &cb_change_rules, points);
    for (long i = 0; i < found; i++)
        if (points[i].at + 1 >= before && points[i].at <= before + 1)
            p = fmin(p, points[i].p);
    return p;
}

static void print_grids(size_t kind, double step, unsigned tries)
{
    static unsigned found[CB_COUNTOF(series)][MOST + 1][MOST + 1];
    const size_t least = cb_change_rules.least;
    for (size_t before = least; before <= MOST; before++)
        for (size_t after = least; after <= MOST; after++) {
            for (size_t s = 0; s < CB_COUNTOF(series); s++)
                found[s][before][after] = 0;
            for (unsigned t = 0; t < tries; t++) {
                const double p = p_of(kind, step, before, after);
                for (size_t s = 0; s < CB_COUNTOF(series); s++)
                    found[s][before][after] += p * series[s] < cb_change_rules.alpha ? 1 : 0;
            }
        }
    for (size_t s = 0; s < CB_COUNTOF(series); s++) {
        printf("{\"noise\": \"%s\", \"step\": %g, \"series\": %u, \"tries\": %u, \"least\": %zu, "
               "\"found\": [",
               noises[kind].name, step, series[s], tries, least);
        for (size_t before = least; before <= MOST; before++)
            for (size_t after = least; after <= MOST; after++)
                printf("%s%u",
                       after > least    ? ","
                       : before > least ? "],\n["
                                        : "\n[",
                       found[s][before][after]);
        printf("]]}%s\n", kind + 1 == CB_COUNTOF(noises) && step == steps[CB_COUNTOF(steps) - 1] &&
                                  s + 1 == CB_COUNTOF(series)
                              ? ""
                              : ",");
    }
}

int main(int argc, char **argv)
{
    const unsigned tries = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 100;
    dice.state = 1;
    puts("[");
    for (size_t kind = 0; kind < CB_COUNTOF(noises); kind++)
        for (size_t i = 0; i < CB_COUNTOF(steps); i++)
            print_grids(kind, steps[i], tries);
    puts("]");
    return 0;
}
