/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/gate.h"

#include <stdio.h>

#include "runtime/host/text.h"

/* The first row of a verdict; NULL: there is none. */
static const struct cb_comparison *first(const struct cb_comparisons *c, enum cb_verdict verdict)
{
    for (int i = 0; i < c->count; i++)
        if (c->rows[i].verdict == verdict)
            return &c->rows[i];
    return NULL;
}

/* Nothing has two sides that can be compared. */
static void say_why_none(const struct cb_comparisons *c, const struct cb_compare_rules *rules,
                         char *text, size_t size)
{
    const struct cb_comparison *other = first(c, CB_INCOMPARABLE);
    const int disturbed = c->of[CB_DISTURBED];
    if (disturbed > 0)
        snprintf(text, size,
                 "another program used the device during %d of %d case%s.\n  Measure again on a "
                 "quiet device: run ... --shared wait",
                 disturbed, c->count, CB_PLURAL(c->count));
    else if (other)
        snprintf(text, size,
                 "%d of %d comparison%s incomparable: %.400s.\n  Measure the baseline again in "
                 "the circumstances of %s, or allow what differs",
                 c->of[CB_INCOMPARABLE], c->count, c->count == 1 ? " is" : "s are",
                 other->detail ? other->detail : "", c->run->id);
    else if (c->count)
        snprintf(text, size,
                 "no case and metric is ok on both sides.\n  --all lists them; measure the case "
                 "again where it is missing");
    else if (rules->choice.metrics.n > 0)
        snprintf(text, size,
                 "no case that both sides have has a metric that fits --metric, and of which one "
                 "way is better.\n  Leave --metric out to see those that it has");
    else
        snprintf(text, size,
                 "the cases that both sides have carry no metric of which one way is better.\n"
                 "  Compare runs of a benchmark that measures times or throughputs");
}

bool cb_compare_gate_is_off(const struct cb_comparisons *c, const struct cb_compare_rules *rules,
                            char *text, size_t size)
{
    static const char off[] = "Nothing was compared, so this gate is off: ";
    if (c->decidable > 0 || c->of[CB_FAILED] > 0)
        return false;
    int n = snprintf(text, size, "%s", off);
    if (c->untested > 0)
        snprintf(text + n, size - (size_t)n,
                 "%d of %d comparison%s one process on a side, or too few rounds, which cannot "
                 "tell.\n  Measure both sides with --rounds %d",
                 c->untested, c->count, c->count == 1 ? " has" : "s have", CB_ADVISED_ROUNDS);
    else if (c->too_few > 0)
        snprintf(text + n, size - (size_t)n,
                 "%d of %d comparison%s fewer than %d samples on one side.\n  Measure both "
                 "sides in rounds of 15 samples: coopbench run ... --runs 15 --rounds 10",
                 c->too_few, c->count, c->count == 1 ? " has" : "s have", CB_LEAST_SAMPLES);
    else
        say_why_none(c, rules, text + n, size - (size_t)n);
    return true;
}
