/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "apps/host/case.h"
#include "measure/text/json.h"
#include "probes/preempt/hybrid/hybrid.h"

#define OPEN_S    1.5 /* a process, its device and the task's size */
#define WINDOWS   3   /* windows with tasks */
#define SAMPLE_S  0.2 /* what a sample takes beside its windows */
#define ALONE_S   0.3
#define SLOWER    2 /* a task that has the device half of the time */
#define FEW_TASKS 2

static enum cb_status need_hybrid(const cJSON *options, const char *name, struct cb_err *err)
{
    return cb_options_count(options, name) == 0 || cb_hybrid_is_chosen(options)
               ? CB_OK
               : cb_fail(err, CB_USAGE, "%s: only with --hybrid", name);
}

static enum cb_status exclude(const cJSON *options, const char *name, const char *why,
                              struct cb_err *err)
{
    return cb_options_count(options, name) == 0 || !cb_hybrid_is_chosen(options)
               ? CB_OK
               : cb_fail(err, CB_USAGE, "hybrid: not with --%s: %s", name, why);
}

enum cb_status cb_hybrid_check(const cJSON *options, struct cb_err *err)
{
    if (need_hybrid(options, "gather-bound", err) != CB_OK ||
        need_hybrid(options, "watchdog", err) != CB_OK ||
        exclude(options, "beside", "it is about tasks", err) != CB_OK ||
        exclude(options, "task", "its tasks are matrix products", err) != CB_OK)
        return err->status;
    if (cb_hybrid_is_chosen(options) && cb_options_flag(options, "power"))
        return cb_fail(err, CB_USAGE, "hybrid: not with --power: the app is in another process");
    return CB_OK;
}

bool cb_hybrid_is_chosen(const cJSON *options)
{
    return cb_options_flag(options, "hybrid");
}

/* How long a case takes: as for tasks of another process, but with a window for each way. */
static double expect_s(const struct cb_case *c, const struct cb_hybrid_choice *choice)
{
    const double budget = cb_json_number(c->params, "budget_s"),
                 task =
                     SLOWER * cb_workload_expected_s(choice->workload, c->device, choice->groups),
                 each = fmax(choice->workload->period_ns / 1e9, task),
                 window = fmin(fmax(budget, FEW_TASKS * each),
                               each * cb_json_number(c->params, "tasks"));
    return OPEN_S + (c->stop.warmup + c->stop.min_runs) *
                        (SAMPLE_S + fmin(ALONE_S, budget / 2) + WINDOWS * window);
}

/* ",phase=600", if the option is given: such a case is another one. */
static void name_option(const cJSON *options, const char *option, char text[40])
{
    *text = '\0';
    if (cb_options_count(options, option) > 0)
        snprintf(text, 40, ",%s=%g", option, cb_option_real(options, option));
}

void cb_hybrid_add(struct cb_plan *plan, const struct cb_bench *bench,
                   const struct cb_device *device, const cJSON *options,
                   const struct cb_hybrid_choice *choice)
{
    char phase[40], watchdog[40];
    name_option(options, "phase", phase);
    name_option(options, "watchdog", watchdog);
    int i = cb_plan_add(plan, bench, device, "%s/%s/%s/hybrid/groups=%s%s%s", bench->id,
                        choice->app->id, choice->workload->name, choice->groups, phase, watchdog);
    if (i < 0)
        return;
    struct cb_case *c = &plan->cases[i];
    cb_app_case_name(c, choice->app, choice->input, NULL);
    cJSON_AddTrueToObject(c->params, "hybrid");
    cb_app_case_take(c, options, choice->app, NULL);
    cb_case_set(c, "workload", choice->workload->name);
    cJSON_AddNumberToObject(c->params, "period_ns", choice->workload->period_ns);
    cJSON_AddNumberToObject(c->params, "duration_ns", choice->workload->duration_ns);
    cb_case_set(c, "groups", choice->groups);
    cb_case_take(c, options, "tasks");
    cJSON_AddNumberToObject(c->params, "budget_s", cb_option_real(options, "budget"));
    cb_case_take(c, options, "phase");
    cb_case_take(c, options, "watchdog");
    cJSON_AddNumberToObject(c->params, "gather-bound",
                            cb_options_count(options, "gather-bound") > 0
                                ? cb_option_real(options, "gather-bound")
                                : cb_hybrid_bound_s(device->type));
    c->expected_s = expect_s(c, choice);
}

bool cb_hybrid_is(const cJSON *params)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(params, "hybrid"));
}

bool cb_hybrid_is_app(const cJSON *params)
{
    return strcmp(cb_json_text(params, "half", ""), "app") == 0;
}
