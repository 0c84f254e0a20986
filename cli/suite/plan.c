/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/plan.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/folder.h"
#include "cli/suite/beside.h"
#include "cli/suite/global_params.h"
#include "cli/suite/stopping.h"
#include "measure/quick.h"
#include "measure/text/json.h"
#include "runtime/host/text.h"

/* What an entry may set for itself; the rest concerns the run as a whole. */
static const char *const entry_globals[] = {
    "device", "gpu",     "cpu",      "filter",   "exclude",      "runs", "warmup",
    "stop",   "max-rci", "max-runs", "max-time", "run-deadline", "full", "beside",
};

/* One choice under three names: choosing anew replaces all of it. */
static const char *const device_options[] = {"device", "gpu", "cpu"};

static void merge(cJSON *into, const cJSON *from)
{
    const cJSON *item;
    bool chooses_device = false;
    for (size_t i = 0; i < CB_COUNTOF(device_options); i++)
        chooses_device |= cJSON_HasObjectItem(from, device_options[i]);
    for (size_t i = 0; chooses_device && i < CB_COUNTOF(device_options); i++)
        cJSON_DeleteItemFromObjectCaseSensitive(into, device_options[i]);
    cJSON_ArrayForEach (item, from)
        cb_json_put(into, item->string, cJSON_Duplicate(item, true));
}

static enum cb_status check_entry_globals(const cJSON *globals, struct cb_err *err)
{
    const cJSON *item;
    cJSON_ArrayForEach (item, globals) {
        bool allowed = false;
        for (size_t i = 0; i < CB_COUNTOF(entry_globals); i++)
            allowed |= strcmp(entry_globals[i], item->string) == 0;
        if (!allowed)
            return cb_fail(err, CB_USAGE,
                           "\"%s\" holds for the whole run: put it into \"settings\", not into an "
                           "entry of the suite",
                           item->string);
    }
    return CB_OK;
}

enum cb_status cb_suite_options(const struct cb_suite *suite, const struct cb_config_entry *entry,
                                struct cb_run_options *out, struct cb_err *err)
{
    *out = (struct cb_run_options){0};
    if (entry && check_entry_globals(entry->globals, err) != CB_OK)
        return err->status;
    if (cJSON_HasObjectItem(suite->settings, "rounds") ||
        cJSON_HasObjectItem(suite->settings, "interleave"))
        return cb_fail(err, CB_USAGE,
                       "--rounds and --interleave make several runs of a configuration, and so "
                       "cannot stand in one: give them on the command line");
    cJSON *values = cJSON_CreateObject();
    merge(values, suite->settings);
    if (entry)
        merge(values, entry->globals);
    merge(values, suite->globals);
    cb_options_complete(values, cb_global_params);
    if (suite->config_path && !cJSON_HasObjectItem(values, "full"))
        cJSON_AddItemToObject(values, "full", cJSON_CreateStringArray((const char *[]){"true"}, 1));
    cb_options_read(values, cb_global_params, out);
    out->values = values;
    return cb_stopping_check(out, err);
}

void cb_suite_options_free(struct cb_run_options *options)
{
    cJSON_Delete(options->values);
}

/* ---- Devices --------------------------------------------------------------------------------- */

static enum cb_status add_selection(const struct cb_devices *devices, const char *spec,
                                    bool *chosen, struct cb_err *err)
{
    int *selected = calloc((size_t)devices->count + 1, sizeof *selected), n = 0;
    if (!selected)
        return cb_no_memory(err);
    enum cb_status status = cb_device_select(devices, spec, selected, &n, err);
    for (int i = 0; i < n && status == CB_OK; i++) {
        chosen[selected[i]] = true;
        status = cb_device_check(&devices->items[selected[i]], err);
    }
    free(selected);
    return status;
}

static enum cb_status choose_devices(const struct cb_devices *devices,
                                     const struct cb_run_options *options, bool *chosen,
                                     struct cb_err *err)
{
    if (options->gpu && add_selection(devices, "gpu", chosen, err) != CB_OK)
        return err->status;
    if (options->cpu && add_selection(devices, "cpu", chosen, err) != CB_OK)
        return err->status;
    for (int i = 0; i < options->devices.n; i++)
        if (add_selection(devices, cb_texts_at(options->devices, i), chosen, err) != CB_OK)
            return err->status;
    const bool any = options->gpu || options->cpu || options->devices.n > 0;
    return any ? CB_OK : add_selection(devices, "", chosen, err);
}

/* ---- Filters --------------------------------------------------------------------------------- */

static bool matches_any(struct cb_texts globs, const char *id)
{
    for (int i = 0; i < globs.n; i++)
        if (fnmatch(cb_texts_at(globs, i), id, 0) == 0)
            return true;
    return false;
}

/* A glob for a case is one for the case beside something, too. */
static bool is_chosen(struct cb_texts globs, const struct cb_case *c)
{
    char alone[sizeof c->id];
    snprintf(alone, sizeof alone, "%s", c->id);
    if (c->beside)
        alone[strlen(alone) - strlen(CB_BESIDE_MARK) -
              strlen(cb_json_text(c->beside, "what", ""))] = 0;
    return matches_any(globs, c->id) || (c->beside && matches_any(globs, alone));
}

static bool wanted(const struct cb_run_options *options, const struct cb_case *c)
{
    if (options->filters.n > 0 && !is_chosen(options->filters, c))
        return false;
    return !is_chosen(options->excludes, c);
}

/* Drops the cases from `first` on that are not wanted, except those that wanted ones need. */
static enum cb_status filter(struct cb_plan *plan, int first, const struct cb_run_options *globals,
                             struct cb_err *err)
{
    /* from first on: new index + 1; 0: dropped */
    int *place = calloc((size_t)(plan->count - first) + 1, sizeof *place);
    if (!place)
        return cb_no_memory(err);
    for (int i = first; i < plan->count; i++)
        if (wanted(globals, &plan->cases[i]))
            for (int j = i; j >= first && !place[j - first]; j = plan->cases[j].needs)
                place[j - first] = 1;
    int n = first;
    for (int i = first; i < plan->count; i++) {
        struct cb_case *c = &plan->cases[i];
        if (!place[i - first]) {
            cJSON_Delete(c->params);
            continue;
        }
        if (c->needs >= first) /* stands before this one, so it has moved already */
            c->needs = place[c->needs - first] - 1;
        plan->cases[n++] = *c;
        place[i - first] = n;
    }
    plan->count = n;
    free(place);
    return CB_OK;
}

/* ---- Quick runs ------------------------------------------------------------------------------ */

static bool is_quick(const struct cb_config_entry *entry, const struct cb_run_options *globals)
{
    return !globals->full && !cb_quick_is_refused(entry->bench, entry->options);
}

/* The bench's options with defaults, which say whether the run is quick. */
static cJSON *options_of(const struct cb_config_entry *entry, const struct cb_run_options *globals)
{
    cJSON *options = cJSON_Duplicate(entry->options, true);
    const char *quick = is_quick(entry, globals) ? "true" : "false";
    cJSON_AddItemToObject(options, CB_QUICK, cJSON_CreateStringArray(&quick, 1));
    if (globals->originals) /* apps/host/options.h */
        cJSON_AddItemToObject(options, "originals",
                              cJSON_CreateStringArray(&globals->originals, 1));
    cb_options_complete(options, entry->bench->params);
    return options;
}

static bool is_bounded(const struct cb_plan *plan, const struct cb_bench *bench)
{
    for (int i = 0; i < plan->count; i++)
        if (plan->cases[i].bench == bench && plan->cases[i].budget_s > 0)
            return true;
    return false;
}

cJSON *cb_suite_left_out(const struct cb_suite *suite, const struct cb_plan *plan)
{
    cJSON *texts = NULL;
    struct cb_err ignored;
    for (int i = 0; i < suite->count; i++) {
        const struct cb_config_entry *entry = &suite->entries[i];
        struct cb_run_options globals;
        char *text = NULL;
        if (cb_suite_options(suite, entry, &globals, &ignored) == CB_OK &&
            is_quick(entry, &globals))
            text = cb_quick_left_out(entry->bench, entry->options, is_bounded(plan, entry->bench));
        if (text)
            cb_json_add_once(&texts, text);
        free(text);
        cb_suite_options_free(&globals);
    }
    return texts;
}

/* ---- The plan -------------------------------------------------------------------------------- */

static enum cb_status plan_on_device(const struct cb_config_entry *entry,
                                     const struct cb_run_options *globals, const cJSON *options,
                                     const struct cb_device *device, const char *beside,
                                     struct cb_plan *plan, struct cb_err *err)
{
    int first = plan->count;
    if (cb_plan_bench(plan, entry->bench, device, options, err) != CB_OK ||
        cb_beside_plan(plan, first, beside, err) != CB_OK)
        return cb_context(err, "%s", entry->bench->id);
    if (filter(plan, first, globals, err) != CB_OK)
        return err->status;
    if (cb_options_flag(options, CB_QUICK) && globals->runs == 0 && !globals->stop)
        cb_quick_share(plan, first);
    for (int i = first; i < plan->count; i++) {
        if (cb_stopping_apply(&plan->cases[i], globals, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* Whether the command line says it for all entries. */
static bool is_replaced(const struct cb_suite *suite, const char *option)
{
    return cJSON_HasObjectItem(suite->globals, option);
}

static enum cb_status plan_entry(const struct cb_suite *suite, const struct cb_config_entry *entry,
                                 const struct cb_devices *devices, struct cb_plan *plan,
                                 struct cb_err *err)
{
    struct cb_run_options globals;
    if (cb_suite_options(suite, entry, &globals, err) != CB_OK) {
        cb_suite_options_free(&globals);
        return err->status;
    }
    cJSON *options = options_of(entry, &globals), *besides = NULL;
    const cJSON *beside;
    bool *chosen = calloc((size_t)devices->count + 1, sizeof *chosen);
    enum cb_status status =
        chosen ? cb_besides_take(entry->bench, globals.besides, is_replaced(suite, "beside"),
                                 options, &besides, err)
               : cb_no_memory(err);
    if (status == CB_OK)
        status = choose_devices(devices, &globals, chosen, err);
    for (int i = 0; status == CB_OK && i < devices->count; i++)
        cJSON_ArrayForEach (beside, besides)
            if (status == CB_OK && chosen[i])
                status = plan_on_device(entry, &globals, options, &devices->items[i],
                                        beside->valuestring, plan, err);
    free(chosen);
    cJSON_Delete(besides);
    cJSON_Delete(options);
    cb_suite_options_free(&globals);
    return status;
}

/* Ids have the name of a file, not its folder. */
static enum cb_status planned_twice(const struct cb_case *a, const struct cb_case *b, bool replaced,
                                    struct cb_err *err)
{
    const char *one = cb_json_text(a->params, "input", ""),
               *two = cb_json_text(b->params, "input", "");
    const char *name = strrchr(one, '/');
    if (strcmp(one, two) == 0)
        return cb_fail(err, CB_USAGE, "case %s is planned twice: name each value once%s", a->id,
                       replaced ? ", and leave out --beside, which replaces that of all entries"
                                : "");
    return cb_fail(
        err, CB_USAGE,
        "case %s is planned twice: %s and %s are both called %s: give one of them another "
        "name, as by a link (ln -s)",
        a->id, one, two, name ? name + 1 : one);
}

static enum cb_status check_unique(const struct cb_suite *suite, const struct cb_plan *plan,
                                   struct cb_err *err)
{
    struct cb_case **sorted = cb_plan_sorted(plan);
    enum cb_status status = sorted ? CB_OK : cb_no_memory(err);
    for (int i = 1; status == CB_OK && i < plan->count; i++)
        if (sorted[i]->device == sorted[i - 1]->device &&
            strcmp(sorted[i]->id, sorted[i - 1]->id) == 0)
            status = planned_twice(sorted[i - 1], sorted[i],
                                   suite->count > 1 && is_replaced(suite, "beside"), err);
    free(sorted);
    return status;
}

/* What holds for an entry, without what its bench is told. NULL: it is not right, or no memory. */
static cJSON *values_of(const struct cb_suite *suite, const struct cb_config_entry *entry)
{
    struct cb_run_options globals;
    struct cb_err told_later = {0};
    if (cb_suite_options(suite, entry, &globals, &told_later) == CB_OK)
        return globals.values;
    cb_suite_options_free(&globals);
    return NULL;
}

/* Whether an entry differs from one before it only by what the command line replaces in both, as
 * --beside or --device: then it is the same again. */
static bool is_repeated(const struct cb_suite *suite, int i)
{
    const struct cb_config_entry *e = &suite->entries[i];
    cJSON *values = values_of(suite, e);
    bool is = false;
    for (const struct cb_config_entry *k = suite->entries; values && k < e && !is; k++) {
        cJSON *others = values_of(suite, k);
        is = k->bench == e->bench && cJSON_Compare(k->options, e->options, true) &&
             !cJSON_Compare(k->globals, e->globals, true) && cJSON_Compare(others, values, true);
        cJSON_Delete(others);
    }
    cJSON_Delete(values);
    return is;
}

static enum cb_status nothing_left(const struct cb_suite *suite, struct cb_err *err)
{
    bool is_filtered = false;
    for (int i = 0; i < suite->count; i++) {
        cJSON *values = values_of(suite, &suite->entries[i]);
        is_filtered |=
            cJSON_HasObjectItem(values, "filter") || cJSON_HasObjectItem(values, "exclude");
        cJSON_Delete(values);
    }
    if (is_filtered)
        return cb_fail(err, CB_USAGE,
                       "no case is left: check --filter and --exclude against the ids that "
                       "--dry-run prints without them (several globs: --filter A --filter B; a "
                       "comma is part of an id)");
    return cb_fail(
        err, CB_USAGE,
        "there is no case to measure: what %s is asked for is none; its --help says what "
        "there is",
        suite->entries->bench->id);
}

enum cb_status cb_suite_plan(const struct cb_suite *suite, const struct cb_devices *devices,
                             struct cb_plan *plan, struct cb_err *err)
{
    for (int i = 0; i < suite->count; i++)
        if (!is_repeated(suite, i) &&
            plan_entry(suite, &suite->entries[i], devices, plan, err) != CB_OK)
            return err->status;
    if (plan->count == 0)
        return nothing_left(suite, err);
    return check_unique(suite, plan, err);
}

bool cb_plan_has(const struct cb_plan *plan, const struct cb_bench *bench)
{
    for (int i = 0; i < plan->count; i++)
        if (plan->cases[i].bench == bench)
            return true;
    return false;
}

bool cb_plan_uses(const struct cb_plan *plan, const struct cb_device *device)
{
    for (int i = 0; i < plan->count; i++)
        if (plan->cases[i].device == device)
            return true;
    return false;
}

void cb_plan_print(FILE *out, const struct cb_plan *plan)
{
    for (int i = 0; i < plan->count; i++) {
        const struct cb_case *c = &plan->cases[i];
        fprintf(out, "%-48s %s  %s%u run%s after %u%s\n", c->id, c->device->index,
                c->stop.rule == CB_STOP_COUNT ? "" : "at least ", c->stop.min_runs,
                CB_PLURAL(c->stop.min_runs), c->stop.warmup, c->kept ? ": kept" : "");
    }
}
