/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes for the worse that somebody has accepted, with a reason: lines of a text file beside the
 * runs, which people review and git merges:
 *
 *     CASE@RUN METRIC [CHANGE] why
 *
 * CASE and METRIC are globs; RUN is the run at which it changed: its id, its folder's name, or at
 * least 7 digits of its commit. "#" begins a comment. Of several lines for the same CASE@RUN METRIC
 * the last counts.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "analysis/documents/runs.h"
#include "analysis/history/series.h"
#include "runtime/host/files.h"

#define CB_ACCEPTED_FILE "accepted.txt"
#define CB_ACCEPTED_PATH (PATH_MAX + sizeof CB_ACCEPTED_FILE)

struct cb_acceptance {
    char *words; /* owned: what these lead into */
    const char *case_id, *run, *metric, *why;
    double change; /* when it was accepted, relative; NaN: not told */
    const char *file;
    int line;

    /* What a history says of it: */
    bool *of_run;     /* for each of its runs whether it is meant; owned; NULL: not asked yet */
    int series;       /* series that it names, and that have a value at its run */
    int changes;      /* changes that it accepts */
    double grown_to;  /* a change that has become larger than was accepted; NaN: none */
    bool is_of_a_run; /* it is of a run that the history looks at */
};

struct cb_accepted {
    struct cb_acceptance *items;
    int n;
    bool of_all_runs; /* not only of those beside an acceptance's file */
    cJSON *files;     /* texts of the files that were read */
    cJSON *warnings;  /* texts: "FILE:LINE: what is wrong"; NULL: none */
};

/* The text files that hold acceptances. */
extern const struct cb_file_kind cb_accepted_kind;

/* Reads the file, once; it need not be there. Lines that are no acceptance are warned of. Adds to
 * `accepted`, which is zeroed at first. CB_USAGE: no text file. */
enum cb_status cb_accepted_read(struct cb_accepted *accepted, const char *file, struct cb_err *err);

/* Reads this file, or (NULL) those beside the runs. Lines that name no run at all are warned of. */
enum cb_status cb_accepted_read_all(struct cb_accepted *accepted, const char *file,
                                    const struct cb_stored_run *runs, int n, struct cb_err *err);
void cb_accepted_free(struct cb_accepted *accepted);

/* Finds the runs that each acceptance means, to be looked at in this order. CB_ERROR: no memory. */
enum cb_status cb_accepted_bind(struct cb_accepted *accepted, const struct cb_stored_run *runs,
                                int n, struct cb_err *err);

/* Whether CASE and METRIC name the series. */
bool cb_acceptance_names(const struct cb_acceptance *acceptance, const struct cb_case_series *s);

/* Whether RUN is this run, whose document was read from `file`. */
bool cb_accepted_run_is(const char *run, const cJSON *document, const char *file);

/* Warns of lines that do nothing, and of changes that have become larger since they were accepted;
 * unless only some cases were looked at, of those that name none. After the history was found. */
void cb_accepted_review(struct cb_accepted *accepted, bool of_all_cases);

/* Prints the first warnings as "Warning: ..." */
void cb_accepted_print_warnings(FILE *out, const struct cb_accepted *accepted);

/* The path of the acceptances of a run: beside the folder of its document. */
void cb_accepted_beside(const char *document, char path[CB_ACCEPTED_PATH]);
