/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/choice.h"

#include <fnmatch.h>

static bool fits(const cJSON *options, const char *list, const char *text)
{
    for (int i = 0; i < cb_options_count(options, list); i++)
        if (fnmatch(cb_options_text(options, list, i), text, 0) == 0)
            return true;
    return false;
}

bool cb_compare_wants_case(const cJSON *options, const char *id)
{
    return (cb_options_count(options, "filter") == 0 || fits(options, "filter", id)) &&
           !fits(options, "exclude", id);
}

/* Whether the case has the same measurement in another unit. */
static bool is_derived(const struct cb_run_case *c, const char *metric)
{
    const char *from = cb_bench_derived_from(c->bench, metric);
    return from && cb_run_case_metric(c, from);
}

enum cb_wanted cb_compare_wants_metric(const cJSON *options, const struct cb_run_case *c,
                                       const struct cb_measurement *m)
{
    const bool chosen = cb_options_count(options, "metric") > 0;
    if (chosen && !fits(options, "metric", m->name))
        return CB_UNWANTED;
    if (!chosen && is_derived(c, m->name))
        return CB_DERIVED;
    return m->better == CB_NEITHER ? CB_UNDIRECTED : CB_WANTED;
}

bool cb_compare_chooses(const cJSON *options)
{
    return cb_options_count(options, "filter") || cb_options_count(options, "exclude") ||
           cb_options_count(options, "metric");
}

enum cb_status cb_compare_nothing(const cJSON *options, struct cb_err *err)
{
    return cb_fail(err, CB_USAGE,
                   "None of the runs has a case that is ok, with a metric of which one way is "
                   "better%s",
                   cb_compare_chooses(options) ? ", as --filter, --exclude and --metric choose"
                                               : "");
}
