/* SPDX-License-Identifier: Apache-2.0
 *
 * Apps and their inputs together, as FSE'17 Fig. 6 and Tab. 3 have them.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

#include "analysis/documents/rows.h"

#define CB_OVER_PAIRS "over-pairs"

/* Leaves one variant of the apps among the rows, and one semantics: ours, and the paper's, if there
 * are any. */
void cb_multitask_one_system(struct cb_rows *rows);

/* A document with a row of the benchmark CB_OVER_PAIRS for all pairs of an app and an input, of
 * `all` rows of a device and a variant, that have the same tasks, in the order of the run; without
 * rows if there are fewer than two pairs. Pairs without resizing barriers belong to each barrier.
 * The statistics of a row's metrics are over the pairs: of their medians, means (deadlines_met) and
 * 99th percentiles (gather_p99); "pairs" is how many these are. To be deleted. */
cJSON *cb_over_pairs_of(const struct cb_rows *all);

/* The table of all of them, and FSE'17 Tab. 3. */
void cb_over_pairs_report(FILE *out, const struct cb_rows *all);

/* The first line of data for plots/multitask_fig6.gp. */
#define CB_FIG6_HEADS                                                                              \
    "# device_number\tkernel_number\tworkload_number\tdevice\tkernel\tbarrier\tworkload\tgroups"   \
    "\tshare\tperiod_goal_ns\toverhead_median\toverhead_q1\toverhead_q3\tperiod_median_ns"         \
    "\tperiod_q1_ns\tperiod_q3_ns\n"

/* FSE'17 Fig. 6: a row for each barrier, medians and quartiles over the pairs. */
int cb_over_pairs_figure(FILE *out, cJSON *const *runs, int n);
