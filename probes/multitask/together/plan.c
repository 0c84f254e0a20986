/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/options.h"
#include "probes/multitask/plan.h"
#include "probes/multitask/together/power.h"
#include "probes/multitask/together/together.h"
#include "runtime/discovery.h"

#define MOST_APPS 32
#define ALL       "all"

struct planner {
    struct cb_plan *plan;
    const struct cb_multitask_options *o;
    const struct cb_app *apps[MOST_APPS]; /* in the order of --app, which policies depend on */
    int n_apps;
};

bool cb_together_is(const struct cb_multitask_case *params)
{
    return params->policy;
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

enum cb_status cb_together_beside(const char *name, const struct cb_app **beside,
                                  struct cb_err *err)
{
    *beside = NULL;
    if (!name)
        return CB_OK;
    *beside = cb_app_beside(name, err);
    return *beside ? cb_together_check("beside", *beside, err) : err->status;
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
    for (int i = 0; i < p->o->app.apps.n; i++) {
        const char *name = cb_texts_at(p->o->app.apps, i);
        if (strcmp(name, ALL) != 0 && add_named(p, name, err) != CB_OK)
            return err->status;
        for (int a = 0; cb_apps[a] && strcmp(name, ALL) == 0; a++)
            if (cb_app_is_chosen(&p->o->app, cb_apps[a], false) &&
                !cb_app_cannot_be_beside(cb_apps[a]))
                add_app(p, cb_apps[a]);
    }
    return CB_OK;
}

/* ---- Cases ----------------------------------------------------------------------------------- */

void cb_together_first_input(const struct cb_app_options *options, const struct cb_app *app,
                             const struct cb_device *device, struct cb_app_choice *input)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    cb_app_choices(options, app, cb_app_scale(options, app, device->type), inputs);
    *input = inputs[0];
}

/* `atomic` if it is among those of --barrier, else their first. */
static const char *barrier_of(const struct planner *p)
{
    return cb_texts_have(p->o->barriers, "atomic") ? "atomic" : cb_texts_at(p->o->barriers, 0);
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
    return cb_app_required_wg_size(
        app, other, strcmp(type, "gpu") != 0 || with_larger->large_groups ? larger : smaller);
}

void cb_together_set(struct cb_multitask_case *params, const struct cb_app_options *options,
                     const struct cb_app *app, const struct cb_app *other,
                     const struct cb_app_choice *input, const struct cb_device *device)
{
    const char *type = device->type;
    const unsigned said = options->wg_size;
    params->beside = other->id;
    params->beside_input = cb_app_choice_spec(input);
    params->app.wg_size = said ? said : size_of_both(app, other, type);
    params->alone_wg_size = said ? said : cb_app_wg_size(app, type);
    params->beside_wg_size = said ? said : cb_app_wg_size(other, type);
}

static void set_effort(const struct planner *p, struct cb_case *c, const struct cb_policy *policy,
                       struct cb_multitask_case *params)
{
    const bool is_cpu = cb_device_is_cpu(p->plan->device), matrix = p->o->matrix;
    const unsigned runs = is_cpu && matrix ? 1 : 5;
    double budget_s = p->o->budget_s;
    if (isnan(budget_s))
        budget_s = is_cpu && matrix ? 0.1 : is_cpu ? 0.4 : 0.2;
    params->power = cb_together_wants_power(p->o);
    if (params->power)
        budget_s = fmax(budget_s, CB_POWER_WINDOW_NS / 1e9);
    params->budget_s = budget_s;
    c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = runs, .max_runs = runs};
    c->expected_s = runs * (2.5 * budget_s + 0.3);
    if (policy->needs_power) /* it searches once */
        c->expected_s += CB_POLICY_TRIALS * CB_POWER_WINDOW_NS / 1e9;
}

/* The path of a case's trace, to be freed. */
static char *trace_of(const struct planner *p, const struct cb_app *app, const struct cb_app *other,
                      const struct cb_multitask_case *params)
{
    char name[192];
    snprintf(name, sizeof name, "%s+%s-%s%s%s", app->id, other->id, params->policy,
             params->share ? "-" : "", params->share ? params->share : "");
    return cb_app_trace_path(p->o->app.trace, name, p->plan->device, "");
}

static void add_case(const struct planner *p, const struct cb_app *app, const struct cb_app *other,
                     const struct cb_policy *policy, const char *share)
{
    struct cb_app_choice input, beside;
    const bool is_fixed = policy->takes_share, is_cpu = cb_device_is_cpu(p->plan->device);
    cb_together_first_input(&p->o->app, app, p->plan->device, &input);
    cb_together_first_input(&p->o->app, other, p->plan->device, &beside);
    struct cb_case *c = cb_plan_add(p->plan, "together/%s+%s/%s%s%s", app->id, other->id,
                                    policy->name, is_fixed ? "=" : "", is_fixed ? share : "");
    struct cb_multitask_case params = {
        .policy = policy->name,
        .share = is_fixed ? share : NULL,
        .app_deadline_s = policy->takes_deadline ? p->o->app_deadline_s : NAN,
        .app_rate_per_s = policy->takes_rate ? p->o->app_rate_per_s : NAN,
        .progress_deadline_s = p->o->progress_deadline_s,
        .registers = is_cpu ? 0 : p->o->registers,
        .trace_events = p->o->app.trace ? p->o->trace_events : 0};
    c->batch = p->plan->batches;
    cb_app_params_name(&params.app, app, cb_app_choice_spec(&input), NULL);
    cb_app_params_take(&params.app, &p->o->app, app, p->plan->device, barrier_of(p));
    cb_together_set(&params, &p->o->app, app, other, &beside, p->plan->device);
    set_effort(p, c, policy, &params);
    char *path = trace_of(p, app, other, &params);
    params.app.trace = path;
    cb_fields_write(c->params, cb_together_fields, &params);
    free(path);
}

static void add_pair(const struct planner *p, const struct cb_app *app, const struct cb_app *other)
{
    for (int i = 0; i < p->o->policies.n; i++) {
        const struct cb_policy *policy = cb_policy_find(cb_texts_at(p->o->policies, i));
        const int shares = policy->takes_share ? p->o->shares.n : 1;
        for (int s = 0; s < shares; s++)
            add_case(p, app, other, policy, cb_texts_at(p->o->shares, s));
    }
}

static enum cb_status check_shares(struct cb_texts shares, struct cb_err *err)
{
    for (int i = 0; i < shares.n; i++) {
        const char *share = cb_texts_at(shares, i);
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

enum cb_status cb_together_plan(struct cb_plan *plan, const struct cb_multitask_options *options,
                                struct cb_err *err)
{
    struct planner p = {.plan = plan, .o = options};
    if (check_shares(options->shares, err) != CB_OK)
        return err->status;
    if (choose_apps(&p, err) != CB_OK)
        return err->status;
    for (int a = 0; a < p.n_apps; a++) {
        plan->batches++;
        for (int b = a + 1; b < p.n_apps; b++)
            add_pair(&p, p.apps[a], p.apps[b]);
        if (p.n_apps == 1 || options->matrix)
            add_pair(&p, p.apps[a], p.apps[a]);
    }
    return CB_OK;
}
