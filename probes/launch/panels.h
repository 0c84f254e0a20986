/* SPDX-License-Identifier: Apache-2.0
 *
 * What the pictures have in common: a panel for each device and size of inputs, and the launches
 * that all others are compared with.
 */
#pragma once

#include <stdio.h>

#include "analysis/documents/figure.h"
#include "analysis/documents/rows.h"

/* Programs of this kind on a device, with inputs of a size. */
struct cb_launch_panel {
    int number, device;   /* numbers among panels and devices that have points, from 0 */
    struct cb_rows rows;  /* rows of all programs */
    const cJSON **firsts; /* first row of each program */
    int programs;
    char title[CB_LABEL_BYTES + 32]; /* title: "NVIDIA H100, large inputs" */
};

/* Writes the points of a panel, each with the end of its line; returns how many. */
typedef int cb_launch_write_panel(FILE *out, const struct cb_launch_panel *panel, void *context);

/* Writes the panels of all devices and sizes that have points, with two empty lines between them;
 * returns the number of points. */
int cb_launch_write_panels(FILE *out, cJSON *const *runs, int n, const char *kind,
                           cb_launch_write_panel *write, void *context);

/* The row of a program's plain launches, each on its own, without threshold and coarsening: by the
 * first launcher of the list (which ends with NULL) that has a row. NULL: none has one. */
const cJSON *cb_launch_plain(const struct cb_rows *program, const char *const *launchers);

/* The row with the least value; NULL: none has a value. */
typedef double cb_launch_value(const cJSON *row);
const cJSON *cb_launch_least(const struct cb_rows *rows, cb_launch_value *value);

/* Writes KLAP'16 Fig. 9 (breakdown.c); returns the number of points. */
int cb_launch_write_breakdown(FILE *out, cJSON *const *runs, int n);
