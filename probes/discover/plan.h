/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

/* The options, whose rows say what each is. */
struct cb_discover_options {
    struct cb_texts protocols, microbenchmarks, wg_sizes, delays, ids, starvation;
    struct cb_given_uint quiet_time_ns;
    struct cb_uints dimensions;
    const char *launch, *bound;
    double headroom;
    struct cb_texts kernels; /* of the user's */
    const char *setup, *build_options;
};

/* The parameters of a case. */
struct cb_discover_case {
    const char *starvation; /* "flag" (Fig. 1's kernel) or "xf"; NULL: another case */
    unsigned groups;        /* that starve */
    const char *kernel;     /* "lud.cl:lud_internal", a user's; NULL: another case */
    const char *setup, *build_options;
    bool claims;          /* what the API says of it, and nothing else */
    const char *protocol; /* "bound": the search for the bound */
    const char *microbenchmark, *delay, *ids, *launch;
    unsigned wg_size;    /* 0: what a user's kernel requires */
    unsigned dimensions; /* 0: one */
    double
        headroom; /* share of launches that a safe number of workgroups is for; NaN: no such case */
    struct cb_given_uint local_bytes, quiet_time_ns;
};

extern const struct cb_param cb_discover_params[];
extern const struct cb_field cb_discover_fields[];

enum cb_status cb_discover_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);
