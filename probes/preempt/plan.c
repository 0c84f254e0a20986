/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device: for each app, each workload and each place,
 * tasks of each number of workgroups.
 */
#include "probes/preempt/plan.h"

#include "probes/preempt/beside.h"
#include "probes/preempt/hybrid/hybrid.h"

#include <math.h>
#include <string.h>

#include "apps/host/case.h"
#include "apps/host/options.h"
#include "apps/host/power_meter.h"
#include "apps/host/user_task.h"
#include "apps/host/workload.h"

#define OPEN_S     0.1  /* time to find the task's size, and open a second queue */
#define PROCESS_S  0.5  /* time to open a process and its device instead */
#define SAMPLE_S   0.05 /* what a sample takes beside its launches */
#define FIRST_S    0.03 /* time until the first task of another process */
#define ALONE_S    0.3
#define SLOWER     2 /* a task that has the device half of the time */
#define FEW_TASKS  2 /* of those that take long */
#define QUICK_RUNS 6 /* short ones, but enough for an interval */

#define MOST_TASKS (CB_USER_TASKS > CB_MAX_WORKLOADS ? CB_USER_TASKS : CB_MAX_WORKLOADS)

#define OPTION(name, member) CB_OPTION(struct cb_preempt_options, name, member)

const struct cb_param cb_preempt_params[] = {
    {OPTION("workload", app.workloads), .letter = 'w', .default_value = "light,medium,heavy",
     .value_name = "WORKLOAD",
     .help = "Tasks: light (every 70 ms, 3 ms long), medium (40, 3), heavy (40, 10), or a JSON "
             "file with a period and a duration."},
    {OPTION("app", app.apps), .letter = 'a', .default_value = "bfs,barriers", .value_name = "APP",
     .help = "Long kernels: apps, as in bfs,game, or all; 'coopbench list apps' tells what there "
             "is." CB_APP_SETUP_HELP,
     .quick = "bfs"},
    CB_APP_VARIANT_PARAM(struct cb_preempt_options, CB_LIST_NONE),
    CB_APP_KERNEL_PARAM(struct cb_preempt_options),
    CB_APP_SETUP_PARAM(struct cb_preempt_options),
    CB_APP_INPUT_PARAM(struct cb_preempt_options),
    CB_APP_SCALE_PARAM(struct cb_preempt_options),
    {OPTION("beside", beside), .value_name = "APP",
     .help = "In place of tasks, a second app, from another process, which has the whole device by "
             "turns: one, several or all, or setups of yours, each with each of --app. --workload, "
             "--place and --groups have no effect. Or what --beside of other commands takes."},
    {OPTION("hybrid", hybrid),
     .help =
         "Ask the app for each task first, as a cooperative kernel in a process of its own, and "
         "leave to the driver those that it does not gather within --gather-bound: beside time "
         "slicing alone, and cooperation alone. --place, --launch and --watch have no effect."},
    {OPTION("gather-bound", gather_bound_s), .max = 10, .value_name = "S",
     .help =
         "With --hybrid: how long a task may be gathered before it is withdrawn. It is what hybrid "
         "preemption adds to the driver's answer. Without it: 0.0002, on CPU devices 0.01."},
    {OPTION("phase", phase_s), .min = 0.00001, .max = 600, .value_name = "S",
     .help = "Each workgroup of the app spends so long before each of its scheduling points: an "
             "app whose phases are too long. With --hybrid, one of more seconds than a window has "
             "never yields."},
    {OPTION("watchdog", watchdog_s), .min = 0.05, .max = 60, .value_name = "S",
     .help = "With --hybrid: end an app that comes to no scheduling point for so long while a task "
             "waits; the row is 'timeout' and says so, the tasks go on and are all answered."},
    {OPTION("place", places), .letter = 'p', .default_value = "process,queue",
     .choices = "process,queue",
     .help =
         "Where the tasks come from: another process, or a second queue of the app's own context."},
    {OPTION("groups", app.groups), .default_value = "1,N/4,N/2,N", .value_name = "GROUPS",
     .help = "Workgroups of a task: a number, N (all but one of those that run at once), a part of "
             "N (N/4, 3N/4), or all but some (N-1).",
     .quick = "N"},
    {OPTION("task", app.tasks), .value_name = "FILE",
     .help =
         "Instead of the workloads' matrix products, kernels of yours, each in cases of its own: "
         "blur.cl with --setup, or its setup, ./blur.json (docs/cooperative-kernels.md), which "
         "says how large it is and how often it comes; --workload and --groups have no effect."},
    {OPTION("tasks", tasks), .default_value = "25", .min = 1, .max = 100000,
     .help = "Tasks of a window, if they do not take too long (--budget)."},
    {OPTION("budget", budget_s), .default_value = "1", .min = 0.01, .max = 60, .value_name = "S",
     .help =
         "A window begins no more tasks after so many seconds; two of another process at least.",
     .quick = "0.3"},
    {OPTION("launch", launch_s), .default_value = "0.25", .min = 0.001, .max = 10,
     .value_name = "S",
     .help =
         "The app's kernel begins no further run after so many seconds, and is launched again."},
    {OPTION("watch", watch), .choices = "clock,system,none",
     .help = "How slices of a task are seen. clock: one workgroup more watches the device clock; "
             "system: the operating system counts how often it takes a core from the tasks' "
             "process. Without it: clock, but system on CPU devices, where the task would have to "
             "wait for the watch."},
    {OPTION("power", power),
     .help = "Measure the power, too, where the device tells it ('coopbench throttle --help'): of "
             "the app alone, for 1.5 s more in each sample, and beside the tasks, for which the "
             "--budget is 1.5 at least."},
    {OPTION("workgroups", app.workgroups), .min = 2, .max = 4094,
     .help = "Workgroups of the app, and N; without it, the app has all that run at once, and N is "
             "one less."},
    {OPTION("wg-size", app.wg_size), .min = 1, .max = 65536,
     .help = "Work-items a workgroup, of both; without it, what suits the app."},
    {0},
};

#define FIELD(key, member) CB_FIELD(struct cb_preempt_case, key, member)

const struct cb_field cb_preempt_fields[] = {
    CB_PREEMPT_COMMON_FIELDS,
    FIELD("beside", beside),
    FIELD("beside_input", beside_input),
    FIELD("beside_wg_size", beside_wg_size),
    FIELD("power", power),
    FIELD("phase", phase_s),
    FIELD("budget_s", budget_s),
    FIELD("watch", watch),
    FIELD("launch", launch_s),
    FIELD("watchdog", watchdog_s),
    FIELD("gather-bound", gather_bound_s),
    FIELD("half", half),
    FIELD("board", board),
    FIELD("task_groups", task_groups),
    FIELD("task_size", task_size),
    {0},
};

struct planner {
    struct cb_plan *plan;
    struct cb_preempt_options o;
    struct cb_user_workload tasks[MOST_TASKS]; /* the user's, or workloads of matrix products */
    int n_tasks;
};

struct choice {
    const struct cb_app *app;
    const char *input;
    const struct cb_workload *workload;
    const struct cb_user_task *own; /* NULL: a matrix product */
    const char *place, *groups;
};

/* On a second queue, the system cannot tell the app's threads from the tasks'. */
static const char *choose_watch(const struct planner *p, const struct choice *c)
{
    bool queue = strcmp(c->place, "queue") == 0;
    const char *usual = cb_device_is_cpu(p->plan->device) ? "system" : "clock";
    const char *asked = p->o.watch ? p->o.watch : usual;
    return queue && strcmp(asked, "system") == 0 ? "none" : asked;
}

static struct cb_preempt_case params_of(const struct planner *p, const struct choice *choice)
{
    struct cb_preempt_case params = {
        .place = choice->place,
        .workload = choice->workload->name,
        .groups = choice->groups,
        .watch = choice->own ? "none" : choose_watch(p, choice),
        .period_ns = choice->workload->period_ns,
        .duration_ns = choice->own ? (double)NAN : choice->workload->duration_ns,
        .budget_s = p->o.power ? fmax(p->o.budget_s, CB_POWER_WINDOW_NS / 1e9) : p->o.budget_s,
        .phase_s = p->o.phase_s,
        .launch_s = p->o.launch_s,
        .tasks = p->o.tasks,
        .power = p->o.power,
        .watchdog_s = NAN,
        .gather_bound_s = NAN,
    };
    cb_app_params_name(&params.app, choice->app, choice->input, NULL);
    cb_app_params_take(&params.app, &p->o.app, choice->app, p->plan->device, NULL);
    params.app.task = choice->own ? choice->own->path : NULL;
    return params;
}

/* The app is launched again until so many seconds have passed. */
static double launches_s(double seconds, double launch)
{
    return fmax(1, ceil(seconds / launch)) * launch;
}

/* How long a case takes. Tasks of few workgroups of a large device take long: a window of another
 * process has two, and there is one window. On a second queue, tasks wait for the app's end. */
static void choose_effort(const struct planner *p, const struct choice *c, double budget,
                          struct cb_case *added)
{
    const double launch = p->o.launch_s;
    double task =
        SLOWER * cb_workload_expected_s(c->workload, p->plan->device, c->own ? "N" : c->groups);
    double each = fmax(c->workload->period_ns / 1e9, task), window = budget;
    bool queue = strcmp(c->place, "queue") == 0;
    if (FEW_TASKS * each > budget && !queue) {
        window = FEW_TASKS * each;
        added->stop.warmup = 0;
        added->stop.min_runs = added->stop.max_runs = 1;
    }
    window = fmin(window, each * p->o.tasks);
    double alone = p->o.power ? CB_POWER_WINDOW_NS / 1e9 : fmin(ALONE_S, budget / 2);
    double sample = SAMPLE_S + launches_s(alone, launch) +
                    (queue ? launch + task : launches_s(FIRST_S + window, launch));
    added->expected_s =
        OPEN_S + (queue ? 0 : PROCESS_S) + (added->stop.warmup + added->stop.min_runs) * sample;
}

static void add_case(const struct planner *p, const struct choice *choice)
{
    char mark[CB_APP_VARIANT_MARK];
    struct cb_case *c =
        cb_plan_add(p->plan, "%s/%s/%s/groups=%s%s", choice->app->id, choice->workload->name,
                    choice->place, choice->groups, cb_app_variant_mark(choice->app, mark));
    if (p->o.app.quick)
        c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = QUICK_RUNS};
    const struct cb_preempt_case params = params_of(p, choice);
    cb_fields_write(c->params, cb_preempt_fields, &params);
    c->batch = p->plan->batches;
    choose_effort(p, choice, params.budget_s, c);
}

/* How many workgroups the user's task has: as its setup says. */
static const char *own_groups(const struct cb_user_task *own, char text[32])
{
    const struct cb_setup_range *range = &own->setup.range;
    size_t groups = 1;
    for (unsigned d = 0; d < range->dimensions; d++)
        groups *= range->global[d] / range->local[d];
    snprintf(text, 32, "%zu", groups);
    return text;
}

/* Adds tasks for each place and number of workgroups. */
static void add_tasks(const struct planner *p, struct choice *c)
{
    char own[32];
    for (int k = 0; k < p->o.places.n; k++)
        for (int g = 0; g < (c->own ? 1 : p->o.app.groups.n); g++) {
            c->place = cb_texts_at(p->o.places, k);
            c->groups = c->own ? own_groups(c->own, own) : cb_texts_at(p->o.app.groups, g);
            add_case(p, c);
        }
}

static void add_hybrids(const struct planner *p, const struct choice *c)
{
    for (int g = 0; g < p->o.app.groups.n; g++) {
        const struct cb_hybrid_choice choice = {c->app, c->input, cb_texts_at(p->o.app.groups, g),
                                                c->workload};
        cb_hybrid_add(p->plan, &p->o, &choice);
    }
}

/* Each pair once. */
static bool is_second_time(const struct planner *p, const struct cb_app *app,
                           const struct cb_app *other)
{
    return strcmp(other->id, app->id) < 0 && cb_app_is_chosen(&p->o.app, other, false) &&
           cb_beside_has(p->o.beside, app);
}

static void add_pair(const struct planner *p, const struct cb_app *app, const char *input,
                     const struct cb_app *other)
{
    char mark[CB_APP_VARIANT_MARK];
    struct cb_case *c =
        cb_plan_add(p->plan, "%s/beside=%s%s", app->id, other->id, cb_app_variant_mark(app, mark));
    const double launch = p->o.launch_s, budget = p->o.budget_s;
    struct cb_preempt_case params = {0};
    cb_fields_clear(cb_preempt_fields, &params);
    cb_app_params_name(&params.app, app, input, NULL);
    cb_app_params_take(&params.app, &p->o.app, app, p->plan->device, NULL);
    params.phase_s = p->o.phase_s;
    params.budget_s = budget;
    params.launch_s = launch;
    cb_beside_write(c, &params, &p->o.app, other);
    c->batch = p->plan->batches;
    c->expected_s = OPEN_S + PROCESS_S +
                    (c->stop.warmup + c->stop.min_runs) *
                        (SAMPLE_S + launches_s(fmin(ALONE_S, budget / 2), launch) +
                         2 * launches_s(budget, launch));
}

static void add_pairs(const struct planner *p, const struct cb_app *app, const char *input)
{
    for (int i = 0; cb_apps[i]; i++)
        if (cb_beside_has(p->o.beside, cb_apps[i]) && !is_second_time(p, app, cb_apps[i]))
            add_pair(p, app, input, cb_apps[i]);
}

static void add_app(const struct planner *p, const struct cb_app *app)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    cb_app_choices(&p->o.app, app, cb_app_scale(&p->o.app, app, p->plan->device->type), inputs);
    p->plan->batches++;
    if (p->o.beside.n > 0) {
        add_pairs(p, app, cb_app_choice_spec(&inputs[0]));
        return;
    }
    for (int t = 0; t < p->n_tasks; t++) {
        struct choice c = {.app = app,
                           .input = cb_app_choice_spec(&inputs[0]),
                           .workload = &p->tasks[t].workload,
                           .own = p->tasks[t].task};
        if (p->o.hybrid)
            add_hybrids(p, &c);
        else
            add_tasks(p, &c);
    }
}

static enum cb_status choose_tasks(struct planner *p, struct cb_err *err)
{
    struct cb_workload workloads[CB_MAX_WORKLOADS];
    const int n = p->o.app.tasks.n;
    for (int i = 0; i < n; i++) {
        const char *task = cb_texts_at(p->o.app.tasks, i);
        if (!cb_user_task_is(task))
            return cb_fail(err, CB_USAGE,
                           "task: expected a kernel, as blur.cl, or a setup, as ./blur.json, got "
                           "\"%s\"",
                           task);
    }
    if (n > 0)
        return cb_user_tasks_choose(&p->o.app, p->tasks, &p->n_tasks, err);
    if (cb_workloads_of(p->o.app.workloads, workloads, &p->n_tasks, err) != CB_OK)
        return err->status;
    for (int i = 0; i < p->n_tasks; i++)
        p->tasks[i] = (struct cb_user_workload){.workload = workloads[i]};
    return CB_OK;
}

enum cb_status cb_preempt_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct planner p = {.plan = plan};
    cb_app_options_read(options, plan->bench->params, &p.o);
    if (cb_app_options_check(&p.o.app, err) != CB_OK || cb_beside_check(&p.o, err) != CB_OK ||
        cb_hybrid_check(&p.o, err) != CB_OK ||
        cb_app_groups_check(&p.o.app, plan->device, NULL, err) != CB_OK ||
        choose_tasks(&p, err) != CB_OK)
        return err->status;
    if (p.n_tasks == 0)
        return cb_fail(err, CB_USAGE, "workload: none: there is nothing to do without tasks");
    for (int i = 0; cb_apps[i]; i++) {
        const struct cb_app *variant = cb_app_chosen_variant(&p.o.app, cb_apps[i], 0);
        if (variant && cb_app_is_chosen(&p.o.app, cb_apps[i], false))
            add_app(&p, variant);
    }
    return CB_OK;
}
