/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison in the forms that people and machines read.
 */
#pragma once

#include "analysis/compare/compare.h"

struct cb_compare_report {
    const struct cb_comparisons *comparisons;
    const struct cb_comparison **rows; /* by weight */
    const struct cb_compare_rules *rules;
    int exit_code;
    bool all;             /* tables: also what is the same */
    const char *gate_off; /* why nothing could be compared; NULL: something was */
};

/* For people: what was compared, a table, and the command that decides what is open. */
void cb_compare_write_table(FILE *out, const struct cb_compare_report *report);

/* Writes GitHub-flavoured Markdown, for a comment or a job's summary. */
void cb_compare_write_markdown(FILE *out, const struct cb_compare_report *report);

/* docs/compare.schema.json */
void cb_compare_write_json(FILE *out, const struct cb_compare_report *report);

/* A line per comparison. */
void cb_compare_write_csv(FILE *out, const struct cb_compare_report *report);

/* Workflow commands of GitHub Actions: ::error for regressions and failures, ::warning for what is
 * inconclusive, incomparable or missing, a ::notice with the sum. */
void cb_compare_write_github(FILE *out, const struct cb_compare_report *report);

/* Text of a workflow command of GitHub; in a property, ':' and ',' would end it. */
void cb_compare_escaped(FILE *out, const char *text, bool property);

/* "812 ns", "1.20 GB/s", "0.98": a value of a metric. */
void cb_compare_value(char *text, size_t size, double value, const char *unit);

/* "+12.3 %". */
void cb_compare_percent(char *text, size_t size, double relative);

/* "2 regressions, 1 improvement, 30 same". */
void cb_compare_counts(FILE *out, const struct cb_comparisons *comparisons);

/* What a reader should know of a row beyond its numbers; may be empty. */
void cb_compare_why(char *text, size_t size, const struct cb_comparison *row);

/* "runs", "rounds", ...; NULL: not tested. */
const char *cb_compare_method_name(enum cb_method method);

/* Whether the run's call had another build take turns with it (--interleave). */
bool cb_compare_is_interleaved(const cJSON *run);

/* The command line that measures the cases of these rows (none: of the run) again, in so many
 * rounds, in two parts: that of the run, filtered: without its own filters, alone: without a build
 * that takes turns; and filters. */
void cb_compare_command_head(FILE *out, const cJSON *run, bool filtered, bool alone);
void cb_compare_command_tail(FILE *out, const struct cb_comparison *const *rows, int n,
                             unsigned rounds);
