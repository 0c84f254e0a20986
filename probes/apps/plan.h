/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "apps/host/case.h"
#include "measure/bench.h"

/* Workgroup sizes that can be compared: powers of two, each of which has a metric. */
#define CB_APPS_LEAST_SIZE 1u
#define CB_APPS_MOST_SIZE  8192u
#define CB_APPS_MAX_SIZES  14

/* What the modes specialised and portable use where options do not say otherwise. */
#define CB_APPS_PROTOCOL    "lockfree"
#define CB_APPS_BARRIER     "patient"
#define CB_APPS_RESIZING    "atomic"
#define CB_APPS_MAX_SYSTEMS 128 /* protocols times orders of ids times barriers */

/* Values of tune-by. */
#define CB_APPS_BY_LEAST "least"
#define CB_APPS_BY_MEAN  "mean"

/* The options, whose rows say what each is. */
struct cb_apps_options {
    struct cb_app_options app;
    struct cb_texts modes, wg_sizes, global_barriers, protocols, ids;
    bool verify, bound;
    const char *tune_by, *delay;
    double tune_budget_s;
    double headroom; /* share of launches; NaN: as many workgroups as run at once now */
};

/* The parameters of a case. */
struct cb_apps_parameters {
    struct cb_app_params app; /* its wg_size: 0: what the case that it needs has found */
    const char *mode;
    const char *sizes; /* to be tuned, "64,128"; NULL: the case tunes none */
    const char *tune_by;
    double budget_s; /* of tuning */
    struct cb_given_flag verify;
    bool bound;      /* the case validates the occupancy bound */
    double headroom; /* as of the options */
};

extern const struct cb_param cb_apps_params[];
extern const struct cb_field cb_apps_fields[];

enum cb_status cb_apps_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);
