/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/verdict.h"

#include <math.h>

#include "analysis/compare/rounds.h"

#define MAX_ROUNDS 1000
#define ALLOWANCE  1.3 /* an interval is an estimate, too */

const char *cb_verdict_name(enum cb_verdict verdict)
{
    static const char *const names[] = {
        [CB_REGRESSION] = "regression",     [CB_FAILED] = "failed",
        [CB_INCONCLUSIVE] = "inconclusive", [CB_INCOMPARABLE] = "incomparable",
        [CB_DISTURBED] = "disturbed",       [CB_MISSING] = "missing",
        [CB_IMPROVEMENT] = "improvement",   [CB_NEW] = "new",
        [CB_UNMEASURED] = "unmeasured",     [CB_SAME] = "same",
    };
    return names[verdict];
}

static const struct {
    const char *name, *text;
} doubts[] = {
    [CB_DOUBT_NONE] = {"", ""},
    [CB_DOUBT_FEW] = {"few_samples", "too few samples"},
    [CB_DOUBT_INTERVAL] = {"wide_interval", "noise: neither a change nor its absence is shown"},
    [CB_DOUBT_NEAR] = {"near_threshold", "the change may be larger or smaller than the threshold"},
    [CB_DOUBT_TEST] = {"not_significant", "the test does not confirm the change"},
    [CB_DOUBT_SPREAD] = {"baseline_spread", "runs like the baselines may differ by as much"},
    [CB_DOUBT_ONE_PROCESS] = {"one_process", "one process a side cannot tell"},
    [CB_DOUBT_FEW_ROUNDS] = {"few_rounds", "too few rounds on a side, needed are 5"},
};

const char *cb_doubt_name(enum cb_doubt doubt)
{
    return doubts[doubt].name;
}

const char *cb_doubt_text(enum cb_doubt doubt)
{
    return doubts[doubt].text;
}

enum cb_verdict cb_judge(const struct cb_evidence *e, const struct cb_rule *rule,
                         enum cb_doubt *doubt)
{
    const struct cb_change *c = &e->change;
    bool some_change = c->low > 0 || c->high < 0;
    *doubt = CB_DOUBT_NONE;
    if (c->low >= -rule->threshold && c->high <= rule->threshold)
        return CB_SAME;
    if (isnan(c->low) || e->n_base < CB_LEAST_SAMPLES || e->n_run < CB_LEAST_SAMPLES)
        *doubt = CB_DOUBT_FEW;
    else if (!some_change)
        *doubt = CB_DOUBT_INTERVAL;
    else if (fabs(c->estimate) <= rule->threshold)
        *doubt = CB_DOUBT_NEAR;
    else if (fabs(c->estimate) <= e->spread)
        *doubt = CB_DOUBT_SPREAD;
    else if (!(e->p < rule->alpha))
        *doubt = CB_DOUBT_TEST;
    else
        return (c->estimate > 0) == (e->better == CB_HIGHER) ? CB_IMPROVEMENT : CB_REGRESSION;
    return CB_INCONCLUSIVE;
}

unsigned cb_rounds_to_decide(const struct cb_evidence *e, const struct cb_rule *rule,
                             enum cb_doubt doubt)
{
    const struct cb_change *c = &e->change;
    double n = (double)e->rounds, half = (c->high - c->low) / 2, size = fabs(c->estimate);
    double samples = (double)(e->n_base < e->n_run ? e->n_base : e->n_run);
    if (n > 0 && doubt == CB_DOUBT_SPREAD)
        return 0;
    if (n > 0 && doubt == CB_DOUBT_FEW)
        return (unsigned)fmax(CB_ADVISED_ROUNDS, ceil(n * CB_LEAST_SAMPLES / samples));
    if (n == 0 || !isfinite(half) || isinf(size))
        return CB_ADVISED_ROUNDS;
    /* to show a change, the interval must leave 0; to show that there is none, the threshold */
    double target = size > rule->threshold ? size : rule->threshold - size;
    double shrink = target > 0 ? half / target : INFINITY;
    double rounds = ceil(n * fmax(1.2, ALLOWANCE * shrink * shrink));
    return rounds <= MAX_ROUNDS ? (unsigned)fmax(rounds, CB_LEAST_ROUNDS) : 0;
}
