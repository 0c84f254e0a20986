/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/vain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/suite/plan.h"

static void tell(const char *option, const char *why)
{
    fprintf(stderr, "Note: --%s changes nothing here: %s\n", option, why);
}

/* ---- Options of all benchmarks --------------------------------------------------------------- */

static void tell_of_stopping(const struct cb_run_options *o, const struct cb_plan *plan)
{
    const struct {
        bool given;
        const char *name;
    } all[] = {
        {o->runs > 0, "runs"},         {o->warmup.given, "warmup"},
        {o->stop != NULL, "stop"},     {!isnan(o->max_rci_percent), "max-rci"},
        {o->max_runs > 0, "max-runs"}, {!isnan(o->max_time_s), "max-time"},
    };
    bool own_stop = true;
    for (int i = 0; i < plan->count; i++)
        own_stop = own_stop && plan->cases[i].own_stop;
    for (size_t i = 0; i < CB_COUNTOF(all) && own_stop; i++)
        if (all[i].given)
            tell(all[i].name, "these cases run as often as they need");
}

/* ---- Options of a benchmark ------------------------------------------------------------------ */

static bool is_same_stop(const struct cb_stop *a, const struct cb_stop *b)
{
    return a->rule == b->rule && a->warmup == b->warmup && a->min_runs == b->min_runs &&
           a->max_runs == b->max_runs;
}

/* Whether two plans have the same cases: their parameters are all that is known of them. */
static bool is_same_plan(const struct cb_plan *a, const struct cb_plan *b)
{
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; i++) {
        const struct cb_case *x = &a->cases[i], *y = &b->cases[i];
        same = x->device == y->device && strcmp(x->id, y->id) == 0 && x->needs == y->needs &&
               x->group == y->group && cJSON_Compare(x->params, y->params, true) &&
               is_same_stop(&x->stop, &y->stop);
    }
    return same;
}

/* Whether a value is what the option has without it. */
static bool is_default(const struct cb_config_entry *entry, const cJSON *value)
{
    cJSON *options = cJSON_CreateObject();
    cb_options_complete(options, entry->bench->params);
    const bool same =
        cJSON_Compare(cJSON_GetObjectItemCaseSensitive(options, value->string), value, true);
    cJSON_Delete(options);
    return same;
}

/* Whether the command would be the same without an option. */
static bool is_vain(const struct cb_suite *suite, const struct cb_devices *devices,
                    const struct cb_plan *plan, const char *option)
{
    cJSON *options = cJSON_Duplicate(suite->entries->options, true);
    cJSON_DeleteItemFromObjectCaseSensitive(options, option);
    const struct cb_config_entry entry = {suite->entries->bench, options, suite->entries->globals};
    struct cb_suite without = *suite;
    struct cb_plan other = {.seed = plan->seed};
    struct cb_err ignored = {0}; /* without it, the command makes no sense */
    without.entries = &entry;
    const bool vain =
        cb_suite_plan(&without, devices, &other, &ignored) == CB_OK && is_same_plan(plan, &other);
    cb_plan_free(&other);
    cJSON_Delete(options);
    return vain;
}

void cb_tell_vain_options(const struct cb_suite *suite, const struct cb_devices *devices,
                          const struct cb_plan *plan)
{
    const cJSON *option;
    struct cb_run_options given;
    cb_options_read(suite->globals, cb_global_params, &given);
    if (given.quiet)
        return;
    tell_of_stopping(&given, plan);
    /* Other cases of a configuration, or without the filter, may depend on an option. */
    if (suite->config_path || given.filters.n > 0 || given.excludes.n > 0)
        return;
    cJSON_ArrayForEach (option, suite->entries->options)
        if (!is_default(suite->entries, option) && is_vain(suite, devices, plan, option->string))
            tell(option->string, "the cases are the same without it");
}
