/* SPDX-License-Identifier: Apache-2.0
 *
 * What programs that share a device make of it, from how long each takes alone and beside the
 * others (Eyerman and Eeckhout, IEEE Micro 28(3), 2008). The *progress* of a program is the ratio
 * of these: 1 if the others cost it nothing.
 */
#pragma once

#include "measure/bench.h"

struct cb_sharing {
    double stp;      /* system throughput: the sum of all progress. 1: as much as one by one */
    double antt;     /* average normalised turnaround time: the mean of 1 / progress */
    double fairness; /* the least progress over the most: 1 is fair */
};

/* Adds "stp", "antt", "fairness", and the times of two programs: "app_time", "app_time_alone",
 * those of the other with this name in the place of "app". */
void cb_sharing_add(struct cb_sample *sample, const double alone[2], const double together[2],
                    const char *other);

/* The sharing of n programs, at least one; times above 0. */
struct cb_sharing cb_sharing_of(const double *alone, const double *together, int n);
