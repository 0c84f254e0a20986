/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "probes/preempt/hybrid/hybrid.h"

#define OPEN_S    1.5 /* a process, its device and the task's size */
#define WINDOWS   3   /* windows with tasks */
#define SAMPLE_S  0.2 /* what a sample takes beside its windows */
#define ALONE_S   0.3
#define SLOWER    2 /* a task that has the device half of the time */
#define FEW_TASKS 2

#define FIELD(key, member) CB_FIELD(struct cb_preempt_case, key, member)

/* Cases of --hybrid have their parameters in this order. */
static const struct cb_field fields[] = {
    CB_PREEMPT_COMMON_FIELDS,      FIELD("budget_s", budget_s),           FIELD("phase", phase_s),
    FIELD("watchdog", watchdog_s), FIELD("gather-bound", gather_bound_s), {0},
};

enum cb_status cb_hybrid_check(const struct cb_preempt_options *o, struct cb_err *err)
{
    const char *needs = !isnan(o->gather_bound_s) ? "gather-bound"
                        : !isnan(o->watchdog_s)   ? "watchdog"
                                                  : NULL;
    if (!o->hybrid)
        return needs ? cb_fail(err, CB_USAGE, "%s: only with --hybrid", needs) : CB_OK;
    if (o->beside.n > 0)
        return cb_fail(err, CB_USAGE, "hybrid: not with --beside: it is about tasks");
    if (o->app.tasks.n > 0)
        return cb_fail(err, CB_USAGE, "hybrid: not with --task: its tasks are matrix products");
    if (o->power)
        return cb_fail(err, CB_USAGE, "hybrid: not with --power: the app is in another process");
    return CB_OK;
}

/* How long a case takes: as for tasks of another process, but with a window for each way. */
static double expect_s(const struct cb_case *c, const struct cb_preempt_options *o,
                       const struct cb_hybrid_choice *choice)
{
    const double budget = o->budget_s,
                 task =
                     SLOWER * cb_workload_expected_s(choice->workload, c->device, choice->groups),
                 each = fmax(choice->workload->period_ns / 1e9, task),
                 window = fmin(fmax(budget, FEW_TASKS * each), each * o->tasks);
    return OPEN_S + (c->stop.warmup + c->stop.min_runs) *
                        (SAMPLE_S + fmin(ALONE_S, budget / 2) + WINDOWS * window);
}

/* ",phase=600", if the option is given: such a case is another one. */
static void name_option(const char *option, double value, char text[40])
{
    *text = '\0';
    if (!isnan(value))
        snprintf(text, 40, ",%s=%g", option, value);
}

void cb_hybrid_add(struct cb_plan *plan, const struct cb_preempt_options *o,
                   const struct cb_hybrid_choice *choice)
{
    char phase[40], watchdog[40], mark[CB_APP_VARIANT_MARK];
    name_option("phase", o->phase_s, phase);
    name_option("watchdog", o->watchdog_s, watchdog);
    struct cb_case *c =
        cb_plan_add(plan, "%s/%s/hybrid/groups=%s%s%s%s", choice->app->id, choice->workload->name,
                    choice->groups, phase, watchdog, cb_app_variant_mark(choice->app, mark));
    struct cb_preempt_case params = {
        .hybrid = true,
        .workload = choice->workload->name,
        .period_ns = choice->workload->period_ns,
        .duration_ns = choice->workload->duration_ns,
        .groups = choice->groups,
        .tasks = o->tasks,
        .budget_s = o->budget_s,
        .phase_s = o->phase_s,
        .watchdog_s = o->watchdog_s,
        .gather_bound_s =
            isnan(o->gather_bound_s) ? cb_hybrid_bound_s(plan->device->type) : o->gather_bound_s,
    };
    cb_app_params_name(&params.app, choice->app, choice->input, NULL);
    cb_app_params_take(&params.app, &o->app, choice->app, plan->device, NULL);
    cb_fields_write(c->params, fields, &params);
    c->expected_s = expect_s(c, o, choice);
}

bool cb_hybrid_is_app(const struct cb_preempt_case *params)
{
    return cb_text_is(params->half, "app");
}
