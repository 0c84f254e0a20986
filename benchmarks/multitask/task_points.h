/* SPDX-License-Identifier: Apache-2.0
 *
 * The points of pictures that have the workgroups of a task on their axis.
 */
#pragma once

#include "measure/run/figure.h"

/* What has numbers across a picture, as it first comes: an app with its input, ... */
enum cb_task_field { CB_KERNEL, CB_WORKLOAD, CB_BARRIER, CB_FIELDS };

/* An ok row with tasks. */
struct cb_task_point {
    const cJSON *row;
    double groups; /* of a task */
    int place;     /* index of its device */
    int device;    /* number of it, among those that have points */
    int line;      /* number of its line on the device */
    int index;     /* of the row, among all */
    int number[CB_FIELDS];
};

struct cb_task_points {
    struct cb_run_device *places;
    struct cb_task_point *points; /* line by line, by the workgroups of a task */
    int n_places, n;
};

/* The points of some runs. A line is the points of a device that agree in these parameters (a list
 * that ends with NULL). Of points that differ in nothing but the text of their workgroups ("1" and
 * "N/4" of 7), the first of the document stands for all. Empty if there is no memory. */
struct cb_task_points cb_task_points_of(cJSON *const *runs, int n, const char *const *line);
void cb_task_points_free(struct cb_task_points *points);

bool cb_task_points_same_line(const struct cb_task_point *a, const struct cb_task_point *b);
