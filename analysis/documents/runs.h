/* SPDX-License-Identifier: Apache-2.0
 *
 * Run documents from disk, for the commands that measure nothing.
 */
#pragma once

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdbool.h>

#include "runtime/host/error.h"

#define CB_RUNS_FOLDER "results" /* where a run is looked for by its name alone */
#define CB_NO_RUNS     "no run in any of these folders"

struct cb_runs {
    cJSON **items;
    char **files; /* document of each */
    int count;
    char folder[PATH_MAX]; /* folder of the first path: of its run, or the one with runs */
    cJSON **older;         /* documents without cases of runs that were left out; owned */
    int n_older;
};

/* Is given a run: its path, or its document in a folder of runs (NULL: it was named itself). */
typedef enum cb_status cb_run_visit(void *context, const char *path, const char *folder,
                                    struct cb_err *err);

/* Visits all runs that the paths mean; a path may also be the name of a run in results/ ("latest"),
 * or a folder of runs (results/), which stands for each run directly in it, links left out. In the
 * order of the paths, and in a folder of their names. Beside others, a folder without runs is no
 * failure, but told on standard error. Ends with the first visit that fails. */
enum cb_status cb_runs_visit(char *const *paths, int n, cb_run_visit *visit, void *context,
                             struct cb_err *err);

/* Whether a run of many that could not be read is left out, which this says: one that nobody named
 * is, if it is no good (CB_USAGE). */
bool cb_run_left_out(const struct cb_err *why, bool named);

/* Whether a document in a folder of runs is to be read. */
typedef bool cb_run_wanted(const void *context, const char *file);

/* Reads those that are wanted (NULL: all), and all that were named themselves. Of a folder, one
 * that cannot be read is left out, which is told on standard error. CB_USAGE: there is none, or one
 * that was named cannot be read. */
enum cb_status cb_runs_load_wanted(char *const *paths, int n, cb_run_wanted *wanted,
                                   const void *context, struct cb_runs *runs, struct cb_err *err);

/* Reads them all. */
enum cb_status cb_runs_load(char *const *paths, int n, struct cb_runs *runs, struct cb_err *err);

/* The names of the runs directly in a folder, in the order of the alphabet, after "latest" if that
 * is there; the array and each name are the caller's to free. */
int cb_runs_names(const char *folder, char ***names);

/* Sorts by the start of the runs; those of the same second stay as they are. */
void cb_runs_sort(struct cb_runs *runs);

/* The run that text means: the id of one of these, or a path or a name in results/, of one of these
 * or of another, which joins them. *index is its place. CB_USAGE: there is none. */
enum cb_status cb_runs_find(struct cb_runs *runs, const char *text, int *index, struct cb_err *err);
void cb_runs_free(struct cb_runs *runs);
