/* SPDX-License-Identifier: Apache-2.0
 *
 * A run that was interrupted, or in which cases failed, to be completed: what is in its folder, and
 * whether what is to be measured now belongs to it.
 */
#pragma once

#include <stdio.h>

#include "measure/bench.h"

struct cb_earlier {
    char *folder;
    cJSON *document; /* run.json, or run.json.gz */
    cJSON *rows;     /* array: events.jsonl, the finished cases with their samples */
    FILE *lock;      /* events.jsonl, so that what was read stays as it is; NULL: it may change */
};

/* Reads the run: a results folder, or the name of one in output_dir ("latest"). A line of
 * events.jsonl that was not finished is left out. CB_USAGE: there is no such run. */
enum cb_status cb_earlier_load(struct cb_earlier *earlier, const char *output_dir, const char *run,
                               struct cb_err *err);

/* Reads a run that is to be gone on with, and locks it: nobody else writes to it until
 * cb_earlier_free(). CB_USAGE: somebody does. */
enum cb_status cb_earlier_lock(struct cb_earlier *earlier, const char *output_dir, const char *run,
                               struct cb_err *err);
void cb_earlier_free(struct cb_earlier *earlier);

/* Compares it with a document that is about to be begun: program, kernels, options, environment and
 * devices. CB_USAGE says what differs, and what to do. */
enum cb_status cb_earlier_check(const struct cb_earlier *earlier, const cJSON *document,
                                struct cb_err *err);

/* Gives the cases of the plan their rows: those that are ok or unsupported, groups only whole. The
 * other cases are to be run. CB_USAGE: a row belongs to no case, or to one of other parameters. */
enum cb_status cb_earlier_keep(const struct cb_earlier *earlier, struct cb_plan *plan,
                               struct cb_err *err);
