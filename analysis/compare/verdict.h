/* SPDX-License-Identifier: Apache-2.0
 *
 * What a comparison of one metric of one case comes to.
 */
#pragma once

#include <stdbool.h>

#include "analysis/compare/change.h"
#include "measure/bench.h"

/* By weight: what a reader should see first comes first. */
enum cb_verdict {
    CB_REGRESSION,
    CB_FAILED,       /* the case was ok and gives no result any more */
    CB_INCONCLUSIVE, /* neither a change nor its absence is shown */
    CB_INCOMPARABLE, /* measured on another device, driver, host, or with other parameters */
    CB_DISTURBED,    /* measured on a side, or on both, while others used the device */
    CB_MISSING,      /* in a baseline only */
    CB_IMPROVEMENT,
    CB_NEW,        /* in the run only */
    CB_UNMEASURED, /* planned, but ok on neither side */
    CB_SAME,       /* the change, if any, is shown to be smaller than the threshold */
    CB_VERDICTS,
};

const char *cb_verdict_name(enum cb_verdict verdict);

/* Why a comparison is inconclusive. */
enum cb_doubt {
    CB_DOUBT_NONE,
    CB_DOUBT_FEW,      /* too few samples */
    CB_DOUBT_INTERVAL, /* the interval reaches from no change to beyond the threshold */
    CB_DOUBT_NEAR,     /* there is a change, on which side of the threshold is not known */
    CB_DOUBT_TEST,     /* the test, corrected for their number, does not confirm it */
    CB_DOUBT_SPREAD,   /* the baselines differ among each other by as much */
    /* A side is one process, and there are too few baselines to test against. */
    CB_DOUBT_ONE_PROCESS,
    /* Sides are several processes, but too few, as are the baselines, to test. */
    CB_DOUBT_FEW_ROUNDS,
};

/* "few_samples", ...; and a sentence for people. */
const char *cb_doubt_name(enum cb_doubt doubt);
const char *cb_doubt_text(enum cb_doubt doubt);

#define CB_LEAST_SAMPLES 9 /* samples of either side, to call something a change */

struct cb_evidence {
    enum cb_better better;
    struct cb_change change;
    double p;      /* adjusted for the number of tests */
    double spread; /* how far a run of the baselines' state may lie, relative; 0: one baseline */
    size_t n_base, n_run;
    size_t rounds; /* rounds of the side with fewer, if they were compared; 0: they were not */
};

struct cb_rule {
    double threshold; /* relative: 0.05 */
    double alpha;
};

/* regression or improvement: the change is larger than the threshold and than the spread of
 * baselines, its interval excludes no change, p < alpha, and both sides have CB_LEAST_SAMPLES.
 * same: the interval lies within the threshold (two one-sided tests at 2.5 %). Else inconclusive.
 */
enum cb_verdict cb_judge(const struct cb_evidence *evidence, const struct cb_rule *rule,
                         enum cb_doubt *doubt);

#define CB_ADVISED_ROUNDS 10 /* where there is nothing to go by */

/* Rounds per side that are likely to decide what is inconclusive, from how the interval shrinks
 * with their root. 0: more of them would not decide it. */
unsigned cb_rounds_to_decide(const struct cb_evidence *evidence, const struct cb_rule *rule,
                             enum cb_doubt doubt);
