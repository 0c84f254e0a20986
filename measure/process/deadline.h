/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a run may take before its worker process is given up. Until a run of the same group has
 * ended, that is the case's run_deadline_s, which has to be long enough for anything. Then it is
 * known how long such runs take: one that takes a hundred times as long has come to a standstill.
 * The times that are known are those of this machine, as busy as it is, and the factor leaves room
 * for it to become busier.
 */
#pragma once

#include "measure/bench.h"

/* Runs of the cases that take turns, on one device; zero: none. */
struct cb_known_runs {
    const struct cb_case *c; /* case of the last one */
    double longest_s;        /* that has ended; 0: none has */
    double lost_s;           /* the shortest deadline that one has passed; 0: none has */
};

#define CB_DEADLINE_RUNS 100.0 /* deadlines are as long as so many of the longest run */
/* Share of the deadline for other cases of a group, once one of its runs has passed a deadline
 * before any has ended: a kernel that does not end in one mode seldom does in another. */
#define CB_DEADLINE_LOST_SHARE 0.2

/* Seconds, at most the case's run_deadline_s. A case that lowers none (least_deadline_s is 0) has
 * that. */
double cb_known_runs_deadline(const struct cb_known_runs *known, const struct cb_case *c);

/* A run has ended, whatever came out; or it has passed its deadline. */
void cb_known_runs_ended(struct cb_known_runs *known, const struct cb_case *c, double took_s);
void cb_known_runs_lost(struct cb_known_runs *known, const struct cb_case *c, double deadline_s);
