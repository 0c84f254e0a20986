/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rows of a run say together.
 */
#pragma once

#include "analysis/documents/rows.h"
#include "probes/litmus/axioms.h"
#include "probes/litmus/chance.h"

/* Sums over all samples of a row; NaN: it has none, or failed. */
struct cb_litmus_tally {
    double instances, weak;
};

struct cb_litmus_tally cb_litmus_tally_of(const cJSON *row);

/* What a row is of. */
struct cb_litmus_form {
    const struct cb_litmus_test *test;
    int order;
    enum cb_litmus_scope scope;
    bool allowed; /* the weak outcome, by cb_litmus_allows() */
};

/* Returns whether the row has a test, an order and a scope that are known. */
bool cb_litmus_form_of(const cJSON *row, struct cb_litmus_form *form);

/* The outcomes that some taking of turns leads to, and those of them that never came. */
struct cb_litmus_turns {
    unsigned all, came; /* all 0: the row has not counted them, as those of earlier versions */
    char never[CB_LITMUS_OUTCOME_BYTES]; /* the first that never came */
    unsigned behind; /* bits: threads that never came first, by what never came */
};

struct cb_litmus_turns cb_litmus_turns_of(const cJSON *row);

/* Whether some outcome of those never came, so that the row is no proof of anything: its threads
 * may not run at the same time. */
bool cb_litmus_lacks_turns(const cJSON *row);

/* Whether the row has counted its launches: runs of earlier versions have not. */
bool cb_litmus_has_launches(const cJSON *row);

/* A row's launches; its samples, if it has not counted those. Of samples that are not there any
 * more, as many had the weak outcome as their statistics need at least. NaN: not even these are
 * there. */
struct cb_litmus_units cb_litmus_units_of(const cJSON *row, bool launches);

/* How likely, at most, a row's launches would have missed its forbidden outcome, if the device
 * showed it in as many as in those of the mutant that shows it least often. NaN: one has not shown
 * it, the row lacks turns, or the run has no mutant of it. */
double cb_litmus_missed_by(const cJSON *run, const cJSON *row);

/* Whether the run has an ok row that is a mutant of this one. */
bool cb_litmus_has_mutant(const cJSON *run, const cJSON *row);

/* How many mutants showed the weak outcome, and the row that would most likely have missed what its
 * mutants show. */
struct cb_litmus_score {
    int seen, mutants;
    int sure; /* of those seen: as many launches show it again, with a chance of 95 % or more */
    const cJSON *worst; /* NULL: nothing is known of any */
    double missed;      /* by that row, at most */
};
struct cb_litmus_score cb_litmus_score_of(const cJSON *run, const char *device);
