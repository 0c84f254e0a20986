/* SPDX-License-Identifier: Apache-2.0
 *
 * What the pictures of discover are made of: its ok cases in any number of runs.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>

/* A device as one run saw it: the same device in two runs is two of these. */
struct cb_place {
    const cJSON *run, *device;
    double compute_units; /* NaN: not known */
    bool is_gpu;
    char label[256]; /* for people; no two places have the same */
};

/* An ok case of the benchmark. */
struct cb_point {
    int place;
    const char *protocol;
    const char *microbenchmark; /* NULL: belongs to the sweep over workgroup sizes */
    double wg;
    const char *delay; /* "": the protocol has none */
    const cJSON *item; /* the case */
};

struct cb_points {
    struct cb_place *places;
    int n_places;
    struct cb_point *points; /* ordered by place */
    int n;
};

/* All ok cases of the runs, which they point into. Empty if there is no memory. */
struct cb_points cb_points_of(cJSON *const *runs, int n);
void cb_points_free(struct cb_points *set);

/* A statistic ("median") of a metric ("recall"): NaN if the case does not have it. */
double cb_point_stat(const struct cb_point *p, const char *metric, const char *statistic);

/* Whether the point is of this place, protocol and microbenchmark (NULL: of the sweep). */
bool cb_point_is(const struct cb_point *p, int place, const char *protocol,
                 const char *microbenchmark);
