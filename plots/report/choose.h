/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "plots/report/page.h"

/* The runs that a bench's pictures and tables are of, oldest first: for each device, the newest
 * that draws the fullest pictures. */
struct cb_report_choice {
    cJSON **runs;
    int count, cases; /* cases: of the bench in these runs */
    cJSON *notes;     /* by device: which run, and which is the newest */
};
bool cb_report_choose(const struct cb_report *report, const struct cb_bench *bench,
                      struct cb_report_choice *choice);
void cb_report_choice_free(struct cb_report_choice *choice);

/* Prints the findings of a run for a device, by its id. */
typedef void cb_report_findings(const struct cb_report *report, const struct cb_bench *bench,
                                const cJSON *run, const char *device);

/* For each device: its name, its findings, which run they are of, and that a newer one has less. */
void cb_report_choice_print(const struct cb_report *report, const struct cb_bench *bench,
                            const struct cb_report_choice *choice,
                            cb_report_findings *print_findings);
