/* SPDX-License-Identifier: Apache-2.0
 *
 * At which runs of the page levels have changed, as `coopbench history` finds it.
 */
#pragma once

#include "analysis/documents/runs.h"
#include "analysis/history/history.h"

struct cb_report_levels {
    struct cb_history history;
    struct cb_history_rules rules;
    struct cb_accepted accepted;
    struct cb_stored_run *stored; /* runs that could be read as such */
    struct cb_layouts layouts;
    int *runs; /* index of each one's run in the page */
    int n;
    int *order; /* order of the changes in the page's table: first what is worse, newest first */
    /* Row number (from 1) of each change, 0 if it has none; changes of one new environment of a run
     * share a row. */
    int *numbers;
    int rows;
};

/* Finds them. accepted: the file of accepted changes (NULL: those beside the runs). CB_SKIPPED:
 * there is no history, as of one run. CB_USAGE: that file is no text. To be freed whatever comes
 * out. */
enum cb_status cb_report_levels_find(const struct cb_runs *runs, const char *accepted,
                                     struct cb_report_levels *levels, struct cb_err *err);
void cb_report_levels_free(struct cb_report_levels *levels);
