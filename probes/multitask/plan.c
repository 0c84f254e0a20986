/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device: for each app what the runtime costs without
 * tasks, and each workload beside it; in a matrix the same for each of its inputs.
 */
#include "probes/multitask/plan.h"

#include <stdlib.h>
#include <string.h>

#include "apps/host/case.h"
#include "apps/host/options.h"
#include "apps/host/power_meter.h"
#include "probes/multitask/effort.h"
#include "probes/multitask/multitask.h"
#include "probes/multitask/tasks.h"
#include "probes/multitask/together/together.h"

struct planner {
    struct cb_plan *plan;
    struct cb_multitask_options o;
    const struct cb_app *beside; /* of --beside; NULL: none */
    struct cb_app_choice beside_input;
    struct cb_multitask_tasks tasks[CB_MULTITASK_MOST_TASKS];
    int n_tasks;
};

/* ---- Cases ----------------------------------------------------------------------------------- */

#define CASE_SYSTEM 96

/* The cases of an app with an input. */
struct pair {
    const struct cb_app *app;
    struct cb_app_choice input;
    const char *barrier, *semantics;
};

static bool is_usual(const struct pair *pair)
{
    return strcmp(pair->semantics, cb_app_semantics[COOP_HIGHEST]) == 0;
}

/* "bfs", in a matrix "bfs/road": the ids of apps name their inputs so, too. */
static void name_pair(const struct planner *p, const struct pair *pair, char *name, size_t size)
{
    snprintf(name, size, "%s%s%s%s%s", pair->app->id, p->beside ? "+" : "",
             p->beside ? p->beside->id : "", p->o.matrix ? "/" : "",
             p->o.matrix ? pair->input.name : "");
}

/* "barrier=atomic,semantics=some,variant=paper,task=reduce": what is the default is left out, and
 * the user's tasks, which have a name of their own. tasks: NULL: none. */
static const char *name_system(const struct pair *pair, const struct cb_multitask_tasks *tasks,
                               char name[CASE_SYSTEM])
{
    char mark[CB_APP_VARIANT_MARK];
    bool usual = is_usual(pair);
    const char *kind = tasks ? tasks->kind : NULL;
    snprintf(name, CASE_SYSTEM, "barrier=%s%s%s%s%s%s", pair->barrier,
             usual ? "" : ",semantics=", usual ? "" : pair->semantics,
             cb_app_variant_mark(pair->app, mark), kind ? ",task=" : "", kind ? kind : "");
    return name;
}

/* A workgroup of the megakernel has room for one of the task. Without tasks (NULL), for one of any:
 * what the runtime costs is told for a kernel beside which all of them can run. */
static void fit_wg_size(const struct planner *p, const struct cb_app *app,
                        const struct cb_multitask_tasks *tasks, unsigned *wg_size)
{
    const bool is_free = p->o.app.wg_size == 0 && cb_app_required_wg_size(app, p->beside, 0) == 0;
    for (int i = 0; i < p->n_tasks && is_free; i++) {
        const unsigned items = (unsigned)cb_multitask_task_items(&p->tasks[i]);
        if ((!tasks || tasks == &p->tasks[i]) && *wg_size < items)
            *wg_size = items;
    }
}

static struct cb_multitask_case common_params(const struct planner *p, const struct pair *pair,
                                              const struct cb_multitask_tasks *tasks)
{
    struct cb_multitask_case params = {0};
    cb_fields_clear(cb_multitask_fields, &params);
    cb_app_params_name(&params.app, pair->app, cb_app_choice_spec(&pair->input),
                       p->o.matrix ? pair->input.name : NULL);
    cb_app_params_take(&params.app, &p->o.app, pair->app, p->plan->device, pair->barrier);
    if (!is_usual(pair))
        params.app.semantics = pair->semantics;
    if (p->beside)
        cb_together_set(&params, &p->o.app, pair->app, p->beside, &p->beside_input,
                        p->plan->device);
    fit_wg_size(p, pair->app, tasks, &params.app.wg_size);
    if (!tasks || p->o.app.trace) /* what a trace costs is overhead */
        params.trace_events = p->o.trace_events;
    return params;
}

static void set_effort(const struct planner *p, struct cb_case *c, const struct cb_effort *effort)
{
    c->stop = effort->stop;
    c->expected_s = effort->expected_s;
    c->batch = p->plan->batches;
}

static void add_overhead(const struct planner *p, const struct pair *pair)
{
    const struct cb_effort effort = cb_effort_of(p->plan->device, &p->o, NULL, "");
    char name[96], system[CASE_SYSTEM];
    name_pair(p, pair, name, sizeof name);
    struct cb_case *c =
        cb_plan_add(p->plan, "%s/overhead/%s", name, name_system(pair, NULL, system));
    struct cb_multitask_case params = common_params(p, pair, NULL);
    params.turns = p->o.app.quick ? 1 : 0;
    cb_fields_write(c->params, cb_multitask_fields, &params);
    set_effort(p, c, &effort);
}

/* What is usual is left out. */
static void set_arrivals(struct cb_multitask_case *params, const struct cb_arrivals *a)
{
    if (a->kind != CB_ARRIVALS_PERIODIC)
        params->arrivals = cb_setup_arrivals[a->kind];
    if (a->deadline_ns != a->period_ns)
        params->deadline_ns = a->deadline_ns;
}

static void set_tasks(const struct planner *p, struct cb_multitask_case *params,
                      const struct cb_multitask_tasks *tasks, const char *groups,
                      const struct cb_effort *effort)
{
    params->workload = tasks->workload.name;
    params->period_ns = tasks->workload.period_ns;
    params->groups = groups;
    params->app.task = tasks->own ? tasks->own->path : tasks->kind;
    params->tasks = effort->tasks;
    params->budget_s = effort->budget_s;
    params->gather_tasks = effort->gathers;
    params->app_runs = effort->app_runs > 1 ? effort->app_runs : 0;
    params->gather_deadline_s = p->o.gather_deadline_s;
    params->power = p->o.power;
    if (tasks->own) {
        set_arrivals(params, &tasks->own->setup.arrivals);
        params->task_deadline_s = p->o.task_deadline_s;
        params->on_timeout = p->o.on_timeout;
    } else {
        params->duration_ns = tasks->workload.duration_ns;
    }
}

static void add_tasks(const struct planner *p, const struct pair *pair,
                      const struct cb_multitask_tasks *tasks, const char *groups)
{
    const struct cb_effort effort = cb_effort_of(p->plan->device, &p->o, &tasks->workload, groups);
    const char *workload = tasks->workload.name, *kind = tasks->kind;
    char name[96], system[CASE_SYSTEM], trace[192];
    name_pair(p, pair, name, sizeof name);
    struct cb_case *c = cb_plan_add(p->plan, "%s/%s/groups=%s,%s", name, workload, groups,
                                    name_system(pair, tasks, system));
    struct cb_multitask_case params = common_params(p, pair, tasks);
    set_tasks(p, &params, tasks, groups, &effort);
    snprintf(trace, sizeof trace, "%s%s%s-%s-%s-%s%s%s%s%s", pair->app->id, p->o.matrix ? "-" : "",
             p->o.matrix ? pair->input.name : "", workload, groups, pair->barrier,
             is_usual(pair) ? "" : "-", is_usual(pair) ? "" : pair->semantics, kind ? "-" : "",
             kind ? kind : "");
    char *path = cb_app_trace_path(p->o.app.trace, trace, p->plan->device, "");
    params.app.trace = path;
    cb_fields_write(c->params, cb_multitask_fields, &params);
    free(path);
    set_effort(p, c, &effort);
    if (p->o.power)
        c->expected_s += CB_POWER_WINDOW_NS / 1e9 * (effort.stop.max_runs + effort.stop.warmup);
}

/* The cases that differ in the barrier only by name: an app with offers has none that resizes. */
static void add_barrier(const struct planner *p, const struct pair *pair)
{
    if (!p->beside) /* its megakernel of one app is the one without tasks */
        add_overhead(p, pair);
    for (int t = 0; t < p->n_tasks; t++)
        for (int g = 0; g < p->o.app.groups.n; g++)
            add_tasks(p, pair, &p->tasks[t], cb_texts_at(p->o.app.groups, g));
}

static void add_barriers(const struct planner *p, struct pair pair)
{
    if (pair.app->offers)
        add_barrier(p, &pair);
    for (size_t b = 0; b < CB_APP_RESIZINGS && !pair.app->offers; b++) {
        pair.barrier = cb_app_resizings[b];
        if (cb_texts_have(p->o.barriers, pair.barrier))
            add_barrier(p, &pair);
    }
}

static void add_pair(const struct planner *p, const struct cb_app *app,
                     const struct cb_app_choice *input)
{
    struct pair pair = {app, *input, "none", NULL};
    p->plan->batches++;
    for (int i = 0; i < p->o.semantics.n; i++) {
        pair.semantics = cb_texts_at(p->o.semantics, i);
        add_barriers(p, pair);
    }
}

/* In a matrix with all inputs, else with the first. */
static void add_app(const struct planner *p, const struct cb_app *app)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    int n =
        cb_app_choices(&p->o.app, app, cb_app_scale(&p->o.app, app, p->plan->device->type), inputs);
    for (int i = 0; i < (p->o.matrix ? n : 1); i++)
        add_pair(p, app, &inputs[i]);
}

static enum cb_status check_together(struct cb_texts semantics, struct cb_err *err)
{
    for (int i = 0; i < semantics.n; i++)
        if (strcmp(cb_texts_at(semantics, i), cb_app_semantics[COOP_HIGHEST]) != 0)
            return cb_fail(err, CB_USAGE,
                           "semantics: with --together they are %s, try without --semantics",
                           cb_app_semantics[COOP_HIGHEST]);
    return CB_OK;
}

enum cb_status cb_multitask_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct planner p = {.plan = plan};
    cb_app_options_read(options, plan->bench->params, &p.o);
    if (cb_app_options_check(&p.o.app, err) != CB_OK ||
        cb_app_groups_check(&p.o.app, plan->device, CB_MULTITASK_FEWEST, err) != CB_OK ||
        cb_app_trace_check(&p.o.app, err) != CB_OK ||
        cb_multitask_choose_tasks(&p.o.app, p.tasks, &p.n_tasks, err) != CB_OK)
        return err->status;
    if (p.o.together)
        return check_together(p.o.semantics, err) == CB_OK ? cb_together_plan(plan, &p.o, err)
                                                           : err->status;
    if (cb_together_beside(p.o.beside, &p.beside, err) != CB_OK)
        return err->status;
    if (p.beside)
        cb_together_first_input(&p.o.app, p.beside, plan->device, &p.beside_input);
    for (int i = 0; cb_apps[i]; i++) {
        const struct cb_app *variant = cb_app_chosen_variant(&p.o.app, cb_apps[i], 0);
        if (!variant || !cb_app_is_chosen(&p.o.app, cb_apps[i], false))
            continue;
        if (p.beside && cb_together_check("app", variant, err) != CB_OK)
            return err->status;
        add_app(&p, variant);
    }
    return CB_OK;
}
