/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables that have a row for each row of a run document: what each column shows.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

#include "analysis/documents/rows.h"
#include "measure/text/table.h"

enum cb_form {
    CB_FORM_TIME,
    CB_FORM_SHARE,
    CB_FORM_FINE_SHARE, /* with tenths of a percent */
    CB_FORM_RATIO,
    CB_FORM_COUNT,
    CB_FORM_WATTS,
    CB_FORM_JOULES,
    CB_FORM_RUNS, /* a second */
    CB_FORM_RUNS_PER_JOULE
};

/* Writes what it makes of one of the rows. */
typedef void cb_fill(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row);

/* A metric, or a parameter, or what a function makes of a row. */
struct cb_column {
    const char *head, *metric, *statistic;
    enum cb_form form;
    bool left;         /* flush left, as a parameter always is */
    const char *param; /* a text */
    cb_fill *fill;
};

/* A value, or "-" for NaN. */
void cb_form_cell(char cell[CB_CELL_BYTES], double value, enum cb_form form);

/* The median of a metric of a row over that of another. */
void cb_ratio_cell(char cell[CB_CELL_BYTES], const cJSON *row, const char *metric,
                   const char *over);

/* The metric of a row; of one that failed, how. */
void cb_column_cell(char cell[CB_CELL_BYTES], const cJSON *row, const struct cb_column *column);

/* Prints a table of the rows that the question finds; nothing if there are none. */
void cb_rows_print(FILE *out, const struct cb_rows *rows, const struct cb_column *columns,
                   int n_columns);

/* Prints some of these rows, in the order of a list. */
void cb_rows_print_list(FILE *out, const struct cb_rows *rows, const cJSON *const *list, int n,
                        const struct cb_column *columns, int n_columns);

/* Prints what the rows note, as a list after an empty line: each text once. With `name`, a text
 * begins with what that makes of its row. */
void cb_rows_print_notes(FILE *out, const struct cb_rows *rows, cb_fill *name);

/* The number of workgroups that its task has, by the parameter "groups": "N/2 = 65". */
cb_fill cb_groups_cell;
