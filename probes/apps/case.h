/* SPDX-License-Identifier: Apache-2.0
 *
 * One open case of apps.
 */
#pragma once

#include "apps/host/case.h"
#include "probes/apps/plan.h"

/* An app's kernel in the case's mode, for one workgroup size. */
struct cb_apps_kernel {
    struct cb_coop *coop;  /* NULL: not open, or of the baseline */
    struct cb_steps steps; /* steps of the baseline, which has no number of workgroups */
    size_t wg_size, groups;
    double first_ns; /* tuning: the better of its first two runs */
    char safe[160];  /* what its number of workgroups was measured beside (--headroom); or "" */
};

/* The budget of the modes of a pair, which are tuned in turns, as cases of one group: in round i
 * each builds size i. They share it, so that all of them try the same sizes. */
struct cb_apps_budget {
    unsigned rounds; /* that have begun */
    /* End of building, and of further rounds; 0: not begun. */
    uint64_t deadline_ns, last_deadline_ns;
};

/* An app with an input: the cases that tune its modes, and those that measure them. */
struct cb_apps_batch {
    struct cb_app_instance on;
    struct cb_apps_budget budget;
};

struct cb_apps_case {
    struct cb_apps_batch *batch;
    struct cb_app_case app;
    char texts[4][16]; /* the way and the barrier, for tuning opens kernels in its runs */
    unsigned mode;     /* COOP_MULTIKERNEL, ... */
    bool validates;    /* its occupancy bound, and nothing else: bound.h */
    double headroom;   /* share of launches in which as many run at once; NaN: it is not asked */
    unsigned runs;     /* so far; in each the barrier's word is in another place */
    struct cb_apps_kernel kernel; /* measured */

    /* Tuning: */
    struct cb_apps_kernel kernels[CB_APPS_MAX_SIZES];
    int n_kernels; /* 0: this case is measured */
    int good;      /* number of them that ran */
    bool over;     /* the budget is, and no more are built */
    double budget_ns;
};

/* Opens the kernel for wg_size work-items a workgroup, and finds its number of workgroups. Close
 * it also after a failure. */
enum cb_status cb_apps_open_kernel(const struct cb_apps_case *c, size_t wg_size,
                                   struct cb_apps_kernel *kernel, struct cb_err *err);
/* One run of it, and its check. */
enum cb_status cb_apps_run_kernel(struct cb_apps_case *c, struct cb_apps_kernel *kernel,
                                  struct cb_coop_time *time, struct cb_sample *sample,
                                  struct cb_err *err);
void cb_apps_close_kernel(struct cb_apps_kernel *kernel);

/* Reads the sizes to be tried, "64,128", and the budget. */
void cb_apps_open_tuning(struct cb_apps_case *c, const struct cb_apps_parameters *params);
void cb_apps_close_tuning(struct cb_apps_case *c);

/* A run of a case that tunes. The first ones build a size each and run it; those that do not build
 * or run are left out. The others run each size once. */
enum cb_status cb_apps_tune(struct cb_apps_case *c, struct cb_sample *sample, struct cb_err *err);

/* The size that a tuning with these times ({"wg_64": ns}) found best; 0 if it has none. */
size_t cb_apps_best_size(const cJSON *times);
