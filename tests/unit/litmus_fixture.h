/* SPDX-License-Identifier: Apache-2.0
 *
 * Made-up runs of litmus, for tests of its tables and of what it concludes.
 */
#pragma once

#define BENCH "litmus"
#include "findings_fixture.h"
#include "measure/stats.h"

/* A row of 10 samples, each of 1000 instances of which `weak` were weak. */
static inline cJSON *add_row(cJSON *run, const char *test, const char *scope, const char *order,
                             double weak, double alone)
{
    char id[64];
    snprintf(id, sizeof id, "%s/%s/%s", test, scope, order);
    cJSON *item = add_case(run, "d", id, "test=%s scope=%s ordering=%s", test, scope, order);
    set_statistic(add_metric(item, "instances", 1000), "n", 10);
    set_statistic(add_metric(item, "weak", weak), "n", 10);
    add_metric(item, "alone", alone);
    return item;
}

/* A row of n samples of 1000 instances, of which so many were weak: as a run keeps it without its
 * samples. */
static inline cJSON *add_samples(cJSON *run, const char *test, const char *scope, const char *order,
                                 const double *weak, size_t n)
{
    const struct cb_stats s = cb_stats_of(weak, n);
    cJSON *item = add_row(run, test, scope, order, s.mean, 0);
    cJSON *instances = cJSON_GetArrayItem(cJSON_GetObjectItem(item, "metrics"), 0);
    set_statistic(instances, "n", (double)n);
    cJSON *seen = set_statistic(instances->next, "n", (double)n);
    set_statistic(seen, "min", s.min);
    set_statistic(seen, "max", s.max);
    set_statistic(seen, "stddev", s.stddev);
    return item;
}

/* The 33 samples of an H200's S/subgroups/relaxed: 12 weak instances, but in 3 samples. */
static inline cJSON *add_correlated(cJSON *run, const char *order)
{
    const double weak[33] = {[4] = 9, [5] = 2, [20] = 1}, none[33] = {0};
    return add_samples(run, "S", "subgroups", order, *order == 'r' ? weak : none, 33);
}

/* Adds how many launches a sample of the row has, on average, and how many of them had the weak
 * outcome. */
static inline void add_launches(cJSON *item, double launches, double weak)
{
    add_metric(item, "launches", launches);
    add_metric(item, "weak_launches", weak);
}

/* Adds which of the test's outcomes came, as bits. */
static inline void add_outcomes(cJSON *item, unsigned outcomes)
{
    add_metric(item, "outcomes", outcomes);
}
