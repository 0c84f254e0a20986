/* SPDX-License-Identifier: Apache-2.0
 *
 * What all parts of the page are made of: the runs, and where to write. Every text of a run is
 * escaped where it is written (measure/text/markup.h).
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "analysis/compare/compare.h"
#include "analysis/documents/runs.h"
#include "analysis/export/export.h"
#include "measure/bench.h"
#include "plots/report/levels.h"

struct cb_report {
    FILE *out;
    const struct cb_runs *runs; /* oldest first */
    const struct cb_export *rows;
    const struct cb_compare_rules *rules;
    const struct cb_report_fleet *fleet;   /* NULL: it is none (plots/report/parts.h) */
    const cJSON **baselines;               /* baselines of the runs; ends with NULL */
    const struct cb_report_levels *levels; /* NULL: there is no history */
};

/* Prints <tag>text</tag>, escaped. */
void cb_report_element(const struct cb_report *report, const char *tag, const char *text);

/* A table that the reader can sort: from its n heads to its rows, and its end. */
void cb_report_begin_table(const struct cb_report *report, const char *const *heads, size_t n);
void cb_report_end_table(const struct cb_report *report);

/* Prints text as an element, with what stands between backquotes as code. */
void cb_report_prose(const struct cb_report *report, const char *tag, const char *text);
