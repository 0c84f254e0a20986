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

#define CB_OCCUPANCY_TENTHS 10 /* of the time from the first begin to the last end */

struct cb_occupancy {
    double at_once; /* on average */
    double tenths[CB_OCCUPANCY_TENTHS];
};

/* The metrics of these. */
extern const char *const cb_occupancy_tenths[CB_OCCUPANCY_TENTHS];

/* begins and ends: n of each, at least one, in any order: one need not know which belong together.
 */
struct cb_occupancy cb_occupancy_of(const uint64_t *begins, const uint64_t *ends, size_t n);

void cb_occupancy_add(const struct cb_occupancy *occupancy, struct cb_sample *sample);

/* CB_UNSUPPORTED: the device has no clock that its workgroups share. */
enum cb_status cb_occupancy_check(const struct cb_session *session, struct cb_err *err);

/* Of rows that have it, its table, and the sentence. */
void cb_occupancy_report(FILE *out, const struct cb_rows *of_size);
void cb_occupancy_find(struct cb_findings *findings);

/* The pictures of children, and of steps (Fig. 11); return the number of points. */
int cb_occupancy_write_children(FILE *out, cJSON *const *runs, int n);
int cb_occupancy_write_steps(FILE *out, cJSON *const *runs, int n);
