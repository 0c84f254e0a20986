/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rows of a run say together.
 */
#pragma once

#include "benchmarks/litmus/table.h"
#include "measure/run/rows.h"

/* Sums over all samples of a row; NaN: it has none, or failed. */
struct cb_litmus_tally {
    double instances, weak;
};

struct cb_litmus_tally cb_litmus_tally_of(const cJSON *row);

/* The ok row of the same test and scope with this order; NULL: there is none. */
const cJSON *cb_litmus_row_with_order(const cJSON *run, const cJSON *row, int order);

/* Whether the row has a test and an order that the table knows. */
bool cb_litmus_row_is_known(const cJSON *row, const struct cb_litmus_test **test, int *order);

/* How likely a row's instances would have missed its forbidden outcome, if the device showed it as
 * often as in the relaxed test. NaN: that has not shown it, or there is no such test. */
double cb_litmus_missed_by(const cJSON *run, const cJSON *row);

/* Of the relaxed tests that are mutants of stronger ones: in how many was the weak outcome seen? */
struct cb_litmus_score {
    int seen, mutants;
};
struct cb_litmus_score cb_litmus_score_of(const cJSON *run, const char *device);
