/* SPDX-License-Identifier: Apache-2.0
 *
 * --tune: which launcher, threshold and coarsening are the best for a program whose parents launch
 * children, on a device; kept in its profile, and chosen again by the launcher `tuned`.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

#include "analysis/documents/rows.h"

/* Values that --tune tries; each list ends with NULL or 0. */
extern const char *const cb_launch_tried_launchers[];
extern const unsigned cb_launch_tried_thresholds[], cb_launch_tried_coarsenings[];

/* A program's choice in a profile, with its own copies of texts. False: it has none. */
struct cb_launch_choice {
    char launcher[32];
    unsigned threshold, coarsening;
};
bool cb_launch_choice_of(const cJSON *profile, const char *program,
                         struct cb_launch_choice *choice);

/* Writes the section "launch" of a profile, from the largest inputs of each program (struct
 * cb_bench). */
bool cb_launch_learn(const cJSON *run, const char *device_id, cJSON *profile);

/* Prints a table of the best launcher of each program with inputs of a size, and its speedup over
 * plain launches, aggregation alone, and no launches (the ratios of CGO'22); nothing if none was
 * tuned. */
void cb_launch_report_tuning(FILE *out, const struct cb_rows *of_size);
