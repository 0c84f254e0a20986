/* SPDX-License-Identifier: Apache-2.0
 *
 * Run documents from disk, for the commands that measure nothing.
 */
#pragma once

#include <cjson/cJSON.h>
#include <limits.h>

#include "runtime/error.h"

struct cb_runs {
    cJSON **items;
    int count;
    char folder[PATH_MAX]; /* of the first path: of its run, or the one with runs */
};

/* Reads all runs that the paths mean; a path may also be a folder of runs (results/), which stands
 * for each run directly in it, links left out. In the order of the paths, and in a folder of their
 * names. Beside others, a folder without runs is no failure, but told on standard error. */
enum cb_status cb_runs_load(char *const *paths, int n, struct cb_runs *runs, struct cb_err *err);
void cb_runs_free(struct cb_runs *runs);
