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
    int number, device;   /* of those that have points, from 0 */
    struct cb_rows rows;  /* of all programs */
    const cJSON **firsts; /* of each program */
    int programs;
    char title[CB_LABEL_BYTES + 32]; /* "NVIDIA H100, large inputs" */
};

/* Writes the points of a panel, each with the end of its line; returns how many. */
typedef int cb_launch_write_panel(FILE *out, const struct cb_launch_panel *panel, void *context);

/* Writes the panels of all devices and sizes that have points, with two empty lines between them;
 * returns the number of points. */
int cb_launch_write_panels(FILE *out, cJSON *const *runs, int n, const char *kind,
                           cb_launch_write_panel *write, void *context);

/* Of a program with inputs of a size, the launches as it is written, each on its own: by the first
 * of the launchers (a list that ends with NULL) that has a row, without threshold and coarsening.
 * NULL: none has one. */
const cJSON *cb_launch_plain(const struct cb_rows *program, const char *const *launchers);

/* Of these rows the one with the least value; NULL: there is none with a value. */
typedef double cb_launch_value(const cJSON *row);
const cJSON *cb_launch_least(const struct cb_rows *rows, cb_launch_value *value);

/* KLAP'16 Fig. 9 (breakdown.c): returns the number of points. */
int cb_launch_write_breakdown(FILE *out, cJSON *const *runs, int n);
