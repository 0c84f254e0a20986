/* SPDX-License-Identifier: Apache-2.0
 *
 * `coopbench plot`: the pictures of one or more runs. Every bench that occurs in the runs brings
 * its figures (struct cb_figure); nothing is measured.
 */
#pragma once

#include <stdio.h>

#include "measure/bench.h"

/* Draws every figure that the runs have data for into out_dir (NULL: plots/ in the first run's
 * folder), which is created: <id>.dat, <id>.gp (draws it again: `gnuplot <id>.gp` in that folder),
 * <id>.svg, <id>.png. A run is named by its folder or its run.json. Prints the path of each picture
 * to progress. CB_USAGE: not a run, or nothing to draw; CB_ERROR: some were not drawn, the others
 * were; CB_UNSUPPORTED: no gnuplot, but data and scripts are there. */
enum cb_status cb_plot_runs(char *const *run_dirs, int n, const char *out_dir, FILE *progress,
                            struct cb_err *err);

/* Whether a run, named as above, has data for any figure. */
bool cb_plot_has_data(const char *run_dir);

/* Has a figure write its data of runs; returns the number of points. Rows beside neighbours of ours
 * are for figures that compare these alone. */
int cb_plot_points(FILE *out, const struct cb_figure *figure, cJSON *const *runs, int n);

/* Writes data and script of each figure of a bench that the runs have data for into folder, for
 * cb_gnuplot_draw; written has room for all figures of the bench. */
enum cb_status cb_plot_write(const struct cb_bench *bench, cJSON *const *runs, int n,
                             const char *folder, const struct cb_figure **written, int *n_written,
                             struct cb_err *err);
