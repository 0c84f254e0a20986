/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rows of a run say together.
 */
#pragma once

#include "analysis/documents/rows.h"
#include "probes/litmus/chance.h"
#include "probes/litmus/table.h"

/* Sums over all samples of a row; NaN: it has none, or failed. */
struct cb_litmus_tally {
    double instances, weak;
};

struct cb_litmus_tally cb_litmus_tally_of(const cJSON *row);

/* Whether the row has a test and an order that the table knows. */
bool cb_litmus_row_is_known(const cJSON *row, const struct cb_litmus_test **test, int *order);

/* Whether the row has counted its launches: runs of earlier versions have not. */
bool cb_litmus_has_launches(const cJSON *row);

/* A row's launches; its samples, if it has not counted those. Of samples that are not there any
 * more, as many had the weak outcome as their statistics need at least. NaN: not even these are
 * there. */
struct cb_litmus_units cb_litmus_units_of(const cJSON *row, bool launches);

/* How likely, at most, a row's launches would have missed its forbidden outcome, if the device
 * showed it in as many as in those of the relaxed test. NaN: that has not shown it, or there is no
 * such test. */
double cb_litmus_missed_by(const cJSON *run, const cJSON *row);

/* How many relaxed tests that are mutants of stronger ones showed the weak outcome, and the row
 * among these that would have missed it most likely. */
struct cb_litmus_score {
    int seen, mutants;
    const cJSON *worst; /* NULL: nothing is known of any */
    double missed;      /* by that row, at most */
};
struct cb_litmus_score cb_litmus_score_of(const cJSON *run, const char *device);
