/* SPDX-License-Identifier: Apache-2.0
 *
 * The runs of a history: from the index of their folder, or from their documents.
 */
#pragma once

#include "analysis/store/stored_run.h"

struct cb_stored_runs {
    struct cb_stored_run *items; /* by the start of the runs; those of a second as they came */
    int n;
    struct cb_layouts layouts;
};

/* Reads all runs that the paths mean (cb_runs_visit). A folder of many runs gets an index, whose
 * trouble is told on standard error; what was read is kept in it even if a run fails. Of a folder,
 * a run that cannot be read, or has a case twice, is left out, which is told there, too. CB_USAGE:
 * there is none, or one that was named is such a run. */
enum cb_status cb_stored_runs_load(char *const *paths, int n, struct cb_stored_runs *runs,
                                   struct cb_err *err);
void cb_stored_runs_free(struct cb_stored_runs *runs);
