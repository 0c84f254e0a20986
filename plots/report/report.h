/* SPDX-License-Identifier: Apache-2.0
 *
 * `coopbench report`: runs as one HTML page that needs nothing else, no network either.
 */
#pragma once

#include "analysis/documents/runs.h"

/* Reads the runs that the paths mean (cb_runs_visit). Of a folder with more cases than a page has
 * room for, the newest and those that --baseline means are read, and the others are runs->older. */
enum cb_status cb_report_load(char *const *paths, int n, const cJSON *options, struct cb_runs *runs,
                              struct cb_err *err);

/* Writes folder/report.html; path gets its name. Runs are put into the order of their start.
 * Options: those of a comparison (cb_compare_rules_read), and "baseline": runs that all others are
 * compared with, "accepted": the file of accepted changes (analysis/history/accepted.h). Without
 * gnuplot, the page says so and has no pictures. */
enum cb_status cb_report_write(struct cb_runs *runs, const cJSON *options, const char *folder,
                               char path[PATH_MAX], struct cb_err *err);
