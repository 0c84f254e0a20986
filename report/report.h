/* SPDX-License-Identifier: Apache-2.0
 *
 * `coopbench report`: runs as one HTML page that needs nothing else, no network either. Every text
 * of a run is escaped where it is written (measure/text/markup.h).
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "measure/run/runs.h"
#include "measure/bench.h"
#include "measure/compare/compare.h"
#include "measure/export/export.h"

/* Writes folder/report.html; path gets its name. Runs are put into the order of their start.
 * Options: those of a comparison (cb_compare_rules_read), and "baseline": runs that all others are
 * compared with. Without gnuplot, the page says so and has no pictures. */
enum cb_status cb_report_write(struct cb_runs *runs, const cJSON *options, const char *folder,
                               char path[PATH_MAX], struct cb_err *err);

/* --- Parts of the page, one file each --------------------------------------------------------- */

struct cb_report {
    FILE *out;
    const struct cb_runs *runs; /* oldest first */
    const struct cb_export *rows;
    const struct cb_compare_rules *rules;
    const cJSON **baselines; /* of the runs; ends with NULL */
};

/* Runs, devices, failures. */
void cb_report_summary(const struct cb_report *report);

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

/* For every bench: what it found, its tables, and its pictures. */
enum cb_status cb_report_benches(const struct cb_report *report, struct cb_err *err);

/* A place for the comparison of two runs, and what it means. */
void cb_report_compare(const struct cb_report *report);

/* Prints ',"pairs":[...]' for the page's script: runs that have cases in common, compared. Of more
 * pairs than a page has room for: those of the newest run, then those next to each other in time.
 * number_of gives the number of a metric in the page. */
void cb_report_pairs(const struct cb_report *report,
                     int (*number_of)(void *context, const struct cb_measurement *m),
                     void *context);

/* What changed from run to run, and a place for the charts. */
void cb_report_history(const struct cb_report *report);

/* What the tables mean by their words (docs/glossary.md). */
void cb_report_words(const struct cb_report *report);

/* All rows as JSON, for the page's script. */
void cb_report_data(const struct cb_report *report);

/* Prints <tag>text</tag>, escaped. */
void cb_report_element(const struct cb_report *report, const char *tag, const char *text);

/* The same, with what stands between backquotes as code. */
void cb_report_prose(const struct cb_report *report, const char *tag, const char *text);
