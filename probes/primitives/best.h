/* SPDX-License-Identifier: Apache-2.0
 *
 * Which primitive of each kind was best on a device.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

#include "probes/primitives/cases.h"

#define CB_MAX_TIED 8

/* The highest median throughput, and all whose 95 % interval overlaps that one's. Where too few
 * samples were taken for an interval, it is the median alone. */
struct cb_best {
    const char *names[CB_MAX_TIED]; /* the best first, then those tied with it as in the document */
    int n;                          /* 0: nothing was measured; more than 1: a tie */
    const char *groups;             /* where they were compared: "N"; NULL: nowhere */
    double count;                   /* workgroups of the best */
    double op_time;                 /* ns, median of the best; NaN: not known */
};

bool cb_best_has(const struct cb_best *best, const char *name);

/* Among all but native with more than one workgroup, as many as was asked for ("N/8"); that may be
 * different numbers for different primitives: a count that is not NaN admits only one of them. */
struct cb_best cb_best_at(const struct cb_primitive_cases *set, const char *kind, double variant,
                          const char *groups, double count);

/* With the fewest and with the most workgroups that were measured, of more than one. */
enum cb_contention { CB_CONTENTION_LOW, CB_CONTENTION_FULL, CB_CONTENTIONS };

/* A row of SO'11 Tab. 5. */
struct cb_verdict {
    const char *kind;
    double variant;
    char key[32]; /* "barrier", "mutex", "semaphore_120": of a prediction */
    struct cb_best best[CB_CONTENTIONS];
};

/* Barriers, mutexes with each critical section, and semaphores of each initial value, as far as
 * there are cases of them. To be freed with free(); NULL: none, or no memory. */
struct cb_verdict *cb_verdicts_of(const cJSON *run, const char *device_id, int *n);

/* What a prediction is worth. It is right if its interval is above those of all others, of which
 * there is one, and wrong if one is above its, or if it starved somebody; else the intervals
 * overlap, or what it takes was not measured. */
enum cb_judgement { CB_WRONG, CB_RIGHT, CB_CANNOT_TELL, CB_NOT_JUDGED, CB_JUDGEMENTS };

/* NOT_JUDGED: there is no prediction (NULL), or nothing was measured. */
enum cb_judgement cb_prediction_judge(const struct cb_primitive_cases *set,
                                      const struct cb_verdict *verdict,
                                      enum cb_contention contention, const char *predicted);

/* Prints them as a table, with what was predicted for the device in the form that report.h tells
 * of; NULL: nothing was. */
void cb_verdicts_print(FILE *out, const cJSON *run, const char *device_id, const cJSON *prediction);
