/* SPDX-License-Identifier: Apache-2.0
 *
 * The history of a suite's runs in a results folder, as 'coopbench history' tells it, and what is
 * new in it.
 */
#pragma once

#include <stdbool.h>

#include "measure/param.h"

struct cb_drift {
    const char *folder;    /* with the runs */
    const char *config;    /* name of the suite's file */
    const char *threshold; /* option of history; NULL: its default */
    char **runs;           /* paths */
    int n_runs, room;
    cJSON *known; /* changes that were there (docs/history.schema.json) */
    bool blind;   /* the first look failed: what the next one sees was there */
    int n_worse, n_better, n_environment; /* numbers of changes that were new in a later look */
};

/* Finds the runs of the suite that are in the folder, and the changes in them. What cannot be read
 * is left out. CB_ERROR: no memory. */
enum cb_status cb_drift_open(struct cb_drift *drift, struct cb_err *err);
void cb_drift_free(struct cb_drift *drift);

enum cb_status cb_drift_add(struct cb_drift *drift, const char *run, struct cb_err *err);

/* Looks at the history again, and writes what is new: "nothing changed", "worse: throughput of a/b
 * -5 % since r". Whether anything is; CB_ERROR: history itself failed, and said why. */
enum cb_status cb_drift_look(struct cb_drift *drift, char *text, size_t size, bool *changed,
                             struct cb_err *err);
