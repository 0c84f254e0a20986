/* SPDX-License-Identifier: Apache-2.0
 *
 * A run compared with one or more baselines, per case and metric.
 *
 * Samples within a run follow each other in one process, on a machine in one state. Only rounds, or
 * further runs, tell how much both vary, so only these are tested. What the levels of several
 * baselines differ by tells where one more run of their state may lie (a prediction interval by
 * Student's t): a change has to lie outside.
 */
#pragma once

#include "analysis/compare/choice.h"
#include "analysis/compare/run_table.h"
#include "analysis/compare/verdict.h"

struct cb_threshold {
    const char *metric; /* glob; NULL: every other */
    double relative;
};

struct cb_compare_rules {
    const struct cb_threshold *thresholds; /* the last that fits counts; the first is for all */
    int n_thresholds;
    double alpha;
    bool bests;      /* compares the best samples of rounds, not the medians */
    bool unadjusted; /* the medians as they are, whatever the speed of the cores was */
    struct cb_compare_choice_options choice;
    unsigned allowed; /* bits of CB_MISMATCH_... */
};

#define CB_LEAST_BASELINES 3 /* runs that can tell where one more lies */

enum cb_method {
    CB_UNTESTED,           /* too few processes on a side */
    CB_BY_RUNS,            /* as one more run of the baselines, by the median of each */
    CB_BY_ROUNDS,          /* both sides have enough: analysis/compare/rounds.h */
    CB_BY_ADJUSTED_ROUNDS, /* the same test, of what is adjusted for the speed of the cores */
    CB_BY_BESTS,           /* the same test of the rounds' best samples */
};

struct cb_comparison {
    enum cb_verdict verdict;
    enum cb_doubt doubt;
    const struct cb_run_case *c; /* case of the run, or of a baseline if the run has none */
    /* Metric of the run, else of a baseline; NULL: the whole case. */
    const struct cb_measurement *m;
    bool compared;               /* the numbers below are there */
    struct cb_side base, now;    /* base: of the pooled baselines */
    struct cb_evidence evidence; /* p: adjusted */
    double p;                    /* p of this test alone; NaN: not tested, as evidence.p */
    enum cb_method method;       /* where change and p come from */
    double threshold;            /* relative */
    int baselines;               /* that have the case in comparable form */
    unsigned rounds;             /* rounds of either side that would decide it; 0: not known */
    char *detail;                /* why, for people; NULL: the numbers say it; owned */
};

struct cb_comparisons {
    struct cb_comparison *rows; /* in the order of the run, then what only baselines have */
    int count, room;
    int of[CB_VERDICTS]; /* how many of each verdict */
    int decidable;       /* compared, and either side tells enough for a verdict */
    int untested;        /* compared, but a side has too few processes for one */
    int too_few;         /* compared, but a side has too few samples */
    int derived;         /* metrics left out, since each repeats another in a different unit */
    int undirected;      /* metrics left out since neither way is better */
    int common;          /* cases that both sides have, whatever came of them */
    const struct cb_run_table *baselines, *run;
    int n_baselines;
};

/* Compares. CB_USAGE: the runs have no case in common (of those that the filters leave), or a
 * filter fits none. */
enum cb_status cb_compare(const struct cb_run_table *baselines, int n_baselines,
                          const struct cb_run_table *run, const struct cb_compare_rules *rules,
                          struct cb_comparisons *out, struct cb_err *err);
void cb_comparisons_free(struct cb_comparisons *comparisons);

/* The rows by weight: verdict, then size of the change. The caller's to free; NULL: no memory. */
const struct cb_comparison **cb_comparisons_by_weight(const struct cb_comparisons *comparisons);
