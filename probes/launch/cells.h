/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells of the tables of launch, and what its pictures and sentences call a row.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

#include "analysis/documents/column.h"

/* What tells launchers apart, up to a NULL; cb_launch_like() keeps the rows with the launcher of
 * `row`. */
extern const char *const cb_launch_details[];
void cb_launch_like(struct cb_rows *rows, const cJSON *row);

/* Names the launcher of a row with its details: "PAO-128", "grid, from 64, by 4". */
void cb_launch_name(const cJSON *row, char name[CB_CELL_BYTES]);
cb_fill cb_launch_cell;

/* Formats "83.1 M", or "-" for NaN. */
void cb_launch_millions(char cell[CB_CELL_BYTES], double value);

/* Prints a table of the rows of a kind (plan.h); nothing if there are none. */
void cb_launch_print_kind(FILE *out, const struct cb_rows *of_size, const char *kind,
                          const char *title, const struct cb_column *columns, int n);

/* The median of a run's time, in ns. */
double cb_launch_time(const cJSON *row);
