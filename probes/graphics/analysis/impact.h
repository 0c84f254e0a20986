/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a kernel has an observable impact on the frames. Windows of time with the kernel stand
 * beside windows without it, in pairs whose order is drawn at random; so if the kernel has none, it
 * does not matter which of a pair is called which. An exact permutation test (Fisher: The Design of
 * Experiments, Chapter 3) tells in what share of the swaps as many more frames would be late beside
 * the kernel as there were.
 *
 * A frame is late if it takes longer than a limit: the 99th percentile of undisturbed frames and a
 * margin (so that about one in a hundred is late anyway), or the period (a missed deadline).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The frames of some windows. */
struct cb_frames {
    double *times; /* ns, from when each was due until it was drawn */
    size_t n, room;
    double slots; /* frames that were due: those that were left out are late by any limit */
};

/* Appends frames; false: no memory. */
bool cb_frames_add(struct cb_frames *to, const double *times, size_t n, double slots);
void cb_frames_free(struct cb_frames *frames);

/* How many were late. */
double cb_frames_late(const struct cb_frames *frames, double limit_ns);

/* NaN if there is none, or no memory. */
double cb_frames_quantile(const struct cb_frames *frames, double q);

struct cb_pair {
    struct cb_frames alone, with;
};

struct cb_pairs {
    struct cb_pair *items;
    size_t n;
};

/* One more, without frames; NULL: no memory. */
struct cb_pair *cb_pairs_grow(struct cb_pairs *pairs);
void cb_pairs_free(struct cb_pairs *pairs);

/* Appends the frames of one kind of all pairs; false: no memory. */
bool cb_pairs_gather(const struct cb_pairs *pairs, bool with, struct cb_frames *all);

/* The impact: more frames are late, by one of the chosen limits. */
struct cb_criterion {
    bool p99, missed;
    double margin_ns, period_ns;
    double level;   /* probability to see an impact where there is none, in all tests together */
    unsigned looks; /* how often the test may be repeated, each time with more pairs */
};

struct cb_impact {
    double late_alone, late_with;     /* shares by the limit of p99 */
    double missed_alone, missed_with; /* by the period */
    double rise;                      /* rise of the share by a chosen limit: the larger one */
    double p_value; /* the smaller one of the chosen limits', times limits and looks; at most 1 */
    bool seen;      /* the p-value is not above the level */
};

/* n pairs, n > 0; p99_ns: of undisturbed frames. */
struct cb_impact cb_impact_of(const struct cb_pair *pairs, size_t n, double p99_ns,
                              const struct cb_criterion *criterion);

/* With how many pairs the level can be reached at all. */
unsigned cb_impact_least_pairs(const struct cb_criterion *criterion);
