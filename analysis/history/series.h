/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs in order, seen as series: what a metric of a case was on a device, from run to run.
 */
#pragma once

#include "analysis/compare/choice.h"
#include "analysis/store/load.h"

struct cb_series_value {
    int run;                     /* its place among the runs */
    const struct cb_run_case *c; /* the case in the layout of that run */
    double value;                /* median */
    double speed;                /* speed of the cores meanwhile; NaN: not known */
    int environment;             /* a history numbers them: environments.h */
};

struct cb_case_series {
    const struct cb_run_case *first; /* case by which others are found */
    const struct cb_run_case *c;     /* case of the last run that has it */
    const struct cb_measurement *m;
    struct cb_series_value *values;
    int n, room;
    int n_environments;
    int next; /* next series of the same hash; -1: none */
};

struct cb_all_series {
    const struct cb_stored_run *runs;
    int n_runs;
    struct cb_case_series *items; /* series in the order in which the runs first have them */
    int n, room;
    int n_judged; /* those before are of metrics of which one way is better; the others are of cases
                     without such, of which nothing is judged but whether they fail */
    int *heads;   /* first series of each hash */
    unsigned mask;
};

/* Makes the series of all cases that are ok, for metrics of which one way is better
 * (cb_compare_wants_...), and one for each case that has none and failed in a run. The runs stay
 * the caller's, and have to outlive the series. As cb_compare_nothing(): none is left. */
enum cb_status cb_all_series_make(const struct cb_stored_run *runs, int n,
                                  const struct cb_compare_choice_options *choice,
                                  struct cb_all_series *out, struct cb_err *err);
void cb_all_series_free(struct cb_all_series *series);
