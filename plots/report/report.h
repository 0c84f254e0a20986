/* SPDX-License-Identifier: Apache-2.0
 *
 * `coopbench report`: runs as one HTML page that needs nothing else, no network either.
 */
#pragma once

#include "analysis/compare/rules.h"
#include "analysis/documents/runs.h"

struct cb_report_options {
    struct cb_compare_rule_options rules;
    struct cb_texts baselines; /* runs that all others are compared with */
    const char *output_dir;
    const char *accepted; /* the file of accepted changes (analysis/history/accepted.h) */
};

/* Reads the runs that the paths mean (cb_runs_visit). Of a folder with more cases than a page has
 * room for, the newest and the baselines are read, and the others are runs->older. */
enum cb_status cb_report_load(char *const *paths, int n, struct cb_texts baselines,
                              struct cb_runs *runs, struct cb_err *err);

/* Writes folder/report.html; path gets its name. Runs are put into the order of their start.
 * Without gnuplot, the page says so and has no pictures. */
enum cb_status cb_report_write(struct cb_runs *runs, const struct cb_report_options *options,
                               const char *folder, char path[PATH_MAX], struct cb_err *err);
