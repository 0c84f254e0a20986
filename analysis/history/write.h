/* SPDX-License-Identifier: Apache-2.0
 *
 * A history in the forms that people and machines read.
 */
#pragma once

#include <stdio.h>

#include "analysis/history/history.h"

struct cb_history_report {
    const struct cb_history *history;
    const struct cb_history_rules *rules;
    int exit_code;
};

/* For people: a table of the changes, and in words at which commit to look, and how. */
void cb_history_write_table(FILE *out, const struct cb_history_report *report);

/* Writes GitHub-flavoured Markdown. */
void cb_history_write_markdown(FILE *out, const struct cb_history_report *report);

/* docs/history.schema.json */
void cb_history_write_json(FILE *out, const struct cb_history_report *report);

/* Workflow commands of GitHub Actions: ::error for new changes for the worse, ::warning for older
 * ones, ::notice for accepted ones and with the sum. */
void cb_history_write_github(FILE *out, const struct cb_history_report *report);

/* The commands that find the commit between a change and the run before, a line each, or why there
 * is none; what each line begins and ends with. */
void cb_history_print_bisect(FILE *out, const struct cb_history *history,
                             const struct cb_history_change *change, const char *quote,
                             const char *end);

/* "2 worse, 1 better, 1 accepted; the environment changed 3 times"; "no change; the speed of the
 * cores explains 2 steps". */
void cb_history_counts(FILE *out, const struct cb_history *history);

/* The commit of a run, at most 12 digits; "" if it does not tell. */
const char *cb_history_commit(const struct cb_history *history, int run);

/* The run's own name. */
const char *cb_history_run_id(const struct cb_history *history, int run);

/* When it began and ended, as its document says; "" if it does not tell. */
const char *cb_history_start(const struct cb_history *history, int run);
const char *cb_history_end(const struct cb_history *history, int run);

/* The file of its document. */
const char *cb_history_file(const struct cb_history *history, int run);
