/* SPDX-License-Identifier: Apache-2.0
 *
 * Apps and their inputs together, as FSE'17 Fig. 6 and Tab. 3 have them.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

#include "measure/stats.h"

/* All pairs of an app and an input with the same tasks. Pairs without resizing barriers belong to
 * each barrier. */
struct cb_over_pairs {
    const char *workload, *groups, *barrier; /* in the document */
    double period_ns, duration_ns;           /* of the workload */
    int pairs;
    /* over the pairs, of their medians, means (in_time) and 99th percentiles; n 0: none has one */
    struct cb_stats overhead, period, in_time, gather_p50, gather_p99, task_groups;
};

/* Returns how many there are, in the order of the document; none if the device has fewer than two
 * pairs. The caller frees *list. */
int cb_over_pairs_of(const cJSON *run, const char *device_id, struct cb_over_pairs **list);

/* The table of all of them, and FSE'17 Tab. 3. */
void cb_over_pairs_report(FILE *out, const cJSON *run, const char *device_id);

/* The first line of data for plots/multitask_fig6.gp. */
#define CB_FIG6_HEADS                                                                              \
    "# device_number\tkernel_number\tworkload_number\tdevice\tkernel\tbarrier\tworkload\tgroups"   \
    "\tshare\tperiod_goal_ns\toverhead_median\toverhead_q1\toverhead_q3\tperiod_median_ns"         \
    "\tperiod_q1_ns\tperiod_q3_ns\n"

/* FSE'17 Fig. 6: a row for each barrier, medians and quartiles over the pairs. */
int cb_over_pairs_figure(FILE *out, cJSON *const *runs, int n);
