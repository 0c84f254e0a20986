/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of the page, one file each.
 */
#pragma once

#include "plots/report/page.h"

/* Runs, devices, failures. */
void cb_report_summary(const struct cb_report *report);

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

/* Devices of a kind side by side. open: NULL if no two are of one kind. */
struct cb_report_fleet;
struct cb_report_fleet *cb_report_fleet_open(const struct cb_report *report);
void cb_report_fleet(const struct cb_report *report, const struct cb_report_fleet *fleet);
void cb_report_fleet_close(struct cb_report_fleet *fleet);

/* What changed from run to run, and a place for the charts. */
void cb_report_history(const struct cb_report *report);

/* Prints at which runs levels of the history have changed. */
void cb_report_changes(const struct cb_report *report);

/* What the tables mean by their words (docs/glossary.md). */
void cb_report_words(const struct cb_report *report);

/* All rows as JSON, for the page's script. */
void cb_report_data(const struct cb_report *report);
