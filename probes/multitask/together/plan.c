/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "apps/host/options.h"
#include "measure/text/json.h"
#include "probes/multitask/plan.h"
#include "probes/multitask/together/power.h"
#include "probes/multitask/together/together.h"
#include "runtime/discovery.h"

#define MOST_APPS 32
#define ALL       "all"

struct planner {
    const struct cb_bench *bench;
    const struct cb_device *device;
    const cJSON *options;
    struct cb_multitask_options o;
    struct cb_plan *plan;
    const struct cb_app *apps[MOST_APPS]; /* in the order of --app, which policies depend on */
    int n_apps;
};

bool cb_together_is(const cJSON *params)
{
    return *cb_json_text(params, "policy", "") != '\0';
}

/* ---- Which apps ------------------------------------------------------------------------------ */

static void add_app(struct planner *p, const struct cb_app *app)
{
    for (int i = 0; i < p->n_apps; i++)
        if (p->apps[i] == app)
            return;
    if (p->n_apps < MOST_APPS)
        p->apps[p->n_apps++] = app;
}

enum cb_status cb_together_check(const char *option, const struct cb_app *app, struct cb_err *err)
{
    const char *why = cb_app_cannot_be_beside(app);
    return why ? cb_fail(err, CB_USAGE, "%s: %s cannot be together with another: %s", option,
                         app->id, why)
               : CB_OK;
}

enum cb_status cb_together_beside(const cJSON *options, const struct cb_app **beside,
                                  struct cb_err *err)
{
    *beside = NULL;
    if (cb_options_count(options, "beside") == 0)
        return CB_OK;
    const char *name = cb_options_text(options, "beside", 0);
    *beside = cb_app_find(name);
    return *beside ? cb_together_check("beside", *beside, err)
                   : cb_fail(err, CB_USAGE,
                             "beside: there is no app \"%s\": 'coopbench list apps' tells which "
                             "there are",
                             name);
}

static enum cb_status add_named(struct planner *p, const char *name, struct cb_err *err)
{
    const struct cb_app *app = cb_app_find(name); /* options have been checked */
    if (!app || cb_together_check("app", app, err) != CB_OK)
        return app ? err->status : CB_OK;
    add_app(p, app);
    return CB_OK;
}

static enum cb_status choose_apps(struct planner *p, struct cb_err *err)
{
    for (int i = 0; i < p->o.app.apps.n; i++) {
        const char *name = cb_texts_at(p->o.app.apps, i);
        if (strcmp(name, ALL) != 0 && add_named(p, name, err) != CB_OK)
            return err->status;
        for (int a = 0; cb_apps[a] && strcmp(name, ALL) == 0; a++)
            if (cb_app_is_chosen(&p->o.app, cb_apps[a], false) &&
                !cb_app_cannot_be_beside(cb_apps[a]))
                add_app(p, cb_apps[a]);
    }
    return CB_OK;
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void first_input(const struct cb_app_options *options, const struct cb_app *app,
                        const char *device_type, struct cb_app_choice *input)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    cb_app_choices(options, app, cb_app_scale(options, app, device_type), inputs);
    *input = inputs[0];
}

/* `atomic` if it is among those of --barrier, else their first. */
static const char *barrier_of(const struct planner *p)
{
    for (int i = 0; i < cb_options_count(p->options, "barrier"); i++)
        if (strcmp(cb_options_text(p->options, "barrier", i), "atomic") == 0)
            return "atomic";
    return cb_options_text(p->options, "barrier", 0);
}

/* Both have workgroups of one size. On a GPU it is the smaller of what suits each: more of them fit
 * beside each other, and the other kernel loses less than this one would gain, unless it lives on
 * large ones. On a CPU it is the larger one: workgroups of one work-item, of some apps there, would
 * be the other's too. */
static unsigned size_of_both(const struct cb_app *app, const struct cb_app *other, const char *type)
{
    const unsigned own = cb_app_wg_size(app, type), others = cb_app_wg_size(other, type);
    const unsigned larger = own > others ? own : others, smaller = own + others - larger;
    const struct cb_app *with_larger = own > others ? app : other;
    return strcmp(type, "gpu") != 0 || with_larger->large_groups ? larger : smaller;
}

static void set_sizes(struct cb_case *c, const struct cb_app_options *options,
                      const struct cb_app *app, const struct cb_app *other)
{
    const char *type = c->device->type;
    cJSON *size = cJSON_GetObjectItemCaseSensitive(c->params, "wg-size");
    const bool said = size && options->wg_size > 0;
    const double asked = said ? size->valuedouble : 0;
    if (size && !said)
        cJSON_SetNumberHelper(size, size_of_both(app, other, type));
    cJSON_AddNumberToObject(c->params, "alone_wg_size", said ? asked : cb_app_wg_size(app, type));
    cJSON_AddNumberToObject(c->params, "beside_wg_size",
                            said ? asked : cb_app_wg_size(other, type));
}

void cb_together_set(struct cb_case *c, const struct cb_app_options *options,
                     const struct cb_app *app, const struct cb_app *other)
{
    struct cb_app_choice beside;
    first_input(options, other, c->device->type, &beside);
    cJSON_AddStringToObject(c->params, "beside", other->id);
    cJSON_AddStringToObject(c->params, "beside_input", cb_app_choice_spec(&beside));
    set_sizes(c, options, app, other);
}

static void set_effort(const struct planner *p, struct cb_case *c)
{
    const bool is_cpu = cb_device_is_cpu(p->device), matrix = cb_options_flag(p->options, "matrix");
    double budget_s = cb_option_real_or(p->options, "budget",
                                        is_cpu && matrix ? 0.1
                                        : is_cpu         ? 0.4
                                                         : 0.2);
    const unsigned runs = is_cpu && matrix ? 1 : 5;
    if (cb_together_wants_power(p->options)) {
        cJSON_AddTrueToObject(c->params, "power");
        budget_s = fmax(budget_s, CB_POWER_WINDOW_NS / 1e9);
    }
    cJSON_AddNumberToObject(c->params, "budget_s", budget_s);
    c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = runs, .max_runs = runs};
    c->expected_s = runs * (2.5 * budget_s + 0.3);
    if (cb_policy_find(cb_json_text(c->params, "policy", ""))->needs_power) /* it searches once */
        c->expected_s += CB_POLICY_TRIALS * CB_POWER_WINDOW_NS / 1e9;
}

static void add_trace(const struct planner *p, struct cb_case *c, const struct cb_app *app,
                      const struct cb_app *other)
{
    char name[192];
    const char *policy = cb_json_text(c->params, "policy", ""),
               *share = cb_json_text(c->params, "share", "");
    snprintf(name, sizeof name, "%s+%s-%s%s%s", app->id, other->id, policy, *share ? "-" : "",
             share);
    cb_app_case_trace(c, p->options, name, "");
    cb_case_take(c, p->options, "trace-events");
}

static void add_case(const struct planner *p, const struct cb_app *app, const struct cb_app *other,
                     const char *policy, const char *share)
{
    struct cb_app_choice input;
    const bool is_fixed = cb_policy_find(policy)->takes_share;
    first_input(&p->o.app, app, p->device->type, &input);
    int i = cb_plan_add(p->plan, p->bench, p->device, "%s/together/%s+%s/%s%s%s", p->bench->id,
                        app->id, other->id, policy, is_fixed ? "=" : "", is_fixed ? share : "");
    if (i < 0)
        return;
    struct cb_case *c = &p->plan->cases[i];
    c->batch = p->plan->batches;
    cb_app_case_name(c, app, cb_app_choice_spec(&input), NULL);
    cb_app_case_take(c, p->options, app, barrier_of(p));
    cb_together_set(c, &p->o.app, app, other);
    cb_case_set(c, "policy", policy);
    if (is_fixed)
        cb_case_set(c, "share", share);
    cb_case_take(c, p->options, "app-deadline");
    cb_case_take(c, p->options, "app-rate");
    cb_case_take(c, p->options, "progress-deadline");
    cb_case_take(c, p->options, "registers");
    add_trace(p, c, app, other);
    set_effort(p, c);
}

static void add_pair(const struct planner *p, const struct cb_app *app, const struct cb_app *other)
{
    for (int i = 0; i < cb_options_count(p->options, "policy"); i++) {
        const char *policy = cb_options_text(p->options, "policy", i);
        const int shares =
            cb_policy_find(policy)->takes_share ? cb_options_count(p->options, "share") : 1;
        for (int s = 0; s < shares; s++)
            add_case(p, app, other, policy, cb_options_text(p->options, "share", s));
    }
}

static enum cb_status check_shares(const cJSON *options, struct cb_err *err)
{
    for (int i = 0; i < cb_options_count(options, "share"); i++) {
        const char *share = cb_options_text(options, "share", i);
        size_t groups;
        if (cb_groups_parse(share, COOP_MAX_WORKERS, &groups, NULL) != CB_OK || groups < 1 ||
            groups >= COOP_MAX_WORKERS)
            return cb_fail(err, CB_USAGE,
                           "share: '%s' is no number of workgroups that leaves some to the other "
                           "app: 5, N/4, 3N/4 or N-1, for example",
                           share);
    }
    return CB_OK;
}

enum cb_status cb_together_plan(const struct cb_bench *bench, const struct cb_device *device,
                                const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    struct planner p = {.bench = bench, .device = device, .options = options, .plan = plan};
    cb_app_options_read(options, bench->params, &p.o, &p.o.app);
    if (check_shares(options, err) != CB_OK)
        return err->status;
    if (choose_apps(&p, err) != CB_OK)
        return err->status;
    for (int a = 0; a < p.n_apps; a++) {
        plan->batches++;
        for (int b = a + 1; b < p.n_apps; b++)
            add_pair(&p, p.apps[a], p.apps[b]);
        if (p.n_apps == 1 || cb_options_flag(options, "matrix"))
            add_pair(&p, p.apps[a], p.apps[a]);
    }
    return CB_OK;
}
