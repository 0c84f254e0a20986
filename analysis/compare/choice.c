/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/choice.h"

#include <fnmatch.h>
#include <stdio.h>

static bool fits(struct cb_texts globs, const char *text)
{
    for (int i = 0; i < globs.n; i++)
        if (fnmatch(cb_texts_at(globs, i), text, 0) == 0)
            return true;
    return false;
}

bool cb_compare_wants_case(const struct cb_compare_choice_options *choice, const char *id)
{
    return (choice->filters.n == 0 || fits(choice->filters, id)) && !fits(choice->excludes, id);
}

/* Whether the case has the same measurement in another unit. */
static bool is_derived(const struct cb_run_case *c, const char *metric)
{
    const char *from = cb_bench_derived_from(c->bench, metric);
    return from && cb_run_case_metric(c, from);
}

enum cb_wanted cb_compare_wants_metric(const struct cb_compare_choice_options *choice,
                                       const struct cb_run_case *c, const struct cb_measurement *m)
{
    const bool chosen = choice->metrics.n > 0;
    if (chosen && !fits(choice->metrics, m->name))
        return CB_UNWANTED;
    if (!chosen && is_derived(c, m->name))
        return CB_DERIVED;
    return m->better == CB_NEITHER ? CB_UNDIRECTED : CB_WANTED;
}

bool cb_compare_chooses(const struct cb_compare_choice_options *choice)
{
    return choice->filters.n + choice->excludes.n + choice->metrics.n > 0;
}

enum cb_status cb_compare_nothing(const struct cb_compare_choice_options *choice, int disturbed,
                                  struct cb_err *err)
{
    char why[128] = "(those of litmus, for instance, are right or wrong)";
    const bool chooses = cb_compare_chooses(choice);
    if (disturbed > 0)
        snprintf(why, sizeof why,
                 "(%d do%s not count, as another program used the device; --shared wait measures "
                 "without)",
                 disturbed, disturbed == 1 ? "es" : "");
    return cb_fail(err, chooses ? CB_USAGE : CB_UNSUPPORTED,
                   "These runs hold nothing to judge: none of their cases%s is ok and has a metric "
                   "of which less is better, or more %s",
                   chooses ? ", as --filter, --exclude and --metric choose them," : "", why);
}
