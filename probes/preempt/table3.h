/* SPDX-License-Identifier: Apache-2.0
 *
 * FSE'17 Tab. 3 from one run document: whole kernels preempted, by the paper's model and as
 * measured here, beside cooperative kernels, as multitask has measured them.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

/* What stands beside the model. A case counts if at least 95 % of its tasks are in time; if there
 * is none, the one with the most. */
enum cb_tab3_side {
    CB_TAB3_PREEMPTION,  /* the task of another process with the least overhead */
    CB_TAB3_COOPERATIVE, /* the fewest workgroups; of barriers, the one with the least overhead */
    CB_TAB3_FASTEST,     /* cooperative, with the least answer time */
    CB_TAB3_SIDES
};

/* An app beside a workload; or (app empty) the median over all apps of its variant. Texts are the
 * document's. */
struct cb_tab3_row {
    const char *workload, *app, *input, *variant; /* variant "": ours */
    double period_ns, duration_ns;
    int apps; /* apps that it is of */
    struct {
        const cJSON *item;          /* the case; NULL: none, or several */
        const char *groups;         /* workgroups of a task; NULL: none */
        double overhead, answer_ns; /* medians; NaN: none */
        double in_time;             /* share of the tasks; NaN: none, or several */
    } side[CB_TAB3_SIDES];
};

/* How many rows there are on a device, in the order of the document, medians after the apps of a
 * workload; none without cases of preempt. The caller frees *rows. */
int cb_tab3_of(const cJSON *run, const char *device_id, struct cb_tab3_row **rows);

/* Whether its tasks are in time. */
bool cb_tab3_meets(double in_time);

/* Overhead of preempting whole kernels at no cost, P / (P - D); NaN if they take all the time. */
double cb_tab3_model(const struct cb_tab3_row *row);

/* The table. */
void cb_tab3_report(FILE *out, const cJSON *run, const char *device_id);
