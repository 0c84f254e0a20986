/* SPDX-License-Identifier: Apache-2.0
 *
 * --occupancy: how many workgroups of children, or steps, run at once, and how this changes over a
 * run (KLAP'16 Fig. 11, which has warps by a profiler). From when each began and ended by the
 * device's clock.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "analysis/documents/findings.h"
#include "runtime/session.h"

#define CB_OCCUPANCY_TENTHS 10 /* parts of the time from the first begin to the last end */

struct cb_occupancy {
    double at_once; /* mean of the whole time */
    double tenths[CB_OCCUPANCY_TENTHS];
};

/* The metric of each tenth. */
extern const char *const cb_occupancy_tenths[CB_OCCUPANCY_TENTHS];

/* Computes occupancy from n begins and n ends, in any order: which belong together does not matter.
 * n is at least 1. */
struct cb_occupancy cb_occupancy_of(const uint64_t *begins, const uint64_t *ends, size_t n);

void cb_occupancy_add(const struct cb_occupancy *occupancy, struct cb_sample *sample);

/* CB_UNSUPPORTED: the device has no clock that all its workgroups share. */
enum cb_status cb_occupancy_check(const struct cb_session *session, struct cb_err *err);

/* Prints a table, and adds the finding, for rows that have an occupancy. */
void cb_occupancy_report(FILE *out, const struct cb_rows *of_size);
void cb_occupancy_find(struct cb_findings *findings);

/* Write the pictures of children, and of steps (Fig. 11); return the number of points. */
int cb_occupancy_write_children(FILE *out, cJSON *const *runs, int n);
int cb_occupancy_write_steps(FILE *out, cJSON *const *runs, int n);
