/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device: for each app what the runtime costs without
 * tasks, and each workload beside it; in a matrix the same for each of its inputs.
 */
#include "probes/multitask/plan.h"

#include <string.h>

#include "apps/host/case.h"
#include "apps/host/options.h"
#include "apps/host/power_meter.h"
#include "probes/multitask/effort.h"
#include "probes/multitask/multitask.h"
#include "probes/multitask/tasks.h"
#include "probes/multitask/together/together.h"

const struct cb_param cb_multitask_params[] = {
    {"workload", 'w', CB_PARAM_TEXT, true, "light,medium,heavy", NULL, 0, 0, "WORKLOAD",
     "Tasks: light (every 70 ms, 3 ms long), medium (40, 3), heavy (40, 10), a JSON file with a "
     "period and a duration, or none (only what the runtime costs).",
     .quick = "light,heavy"},
    {"app", 'a', CB_PARAM_TEXT, true, "all", NULL, 0, 0, "APP",
     "Cooperative kernels: apps, as in bfs,game, or all but those that only measure the runtime; "
     "'coopbench list apps' tells what there is." CB_APP_SETUP_HELP},
    CB_APP_KERNEL_PARAM,
    CB_APP_SETUP_PARAM,
    CB_APP_INPUT_PARAM,
    CB_APP_SCALE_PARAM,
    CB_APP_VARIANT_PARAM(CB_LIST_NONE),
    {"matrix", 0, CB_PARAM_FLAG, false, NULL, NULL, 0, 0, NULL,
     "All inputs of the apps, not only the first; --tasks, --budget, --gather-tasks and --runs are "
     "then chosen so that all takes a quarter of an hour on a GPU, and with --scale tiny less than "
     "five on two CPU cores. Means --full, too.",
     .full = true},
    {"groups", 0, CB_PARAM_TEXT, true, "1,N/4,N/2,N-1", NULL, 0, 0, "GROUPS",
     "Workgroups of a task: a number, N (all that the cooperative kernel may have: only with "
     "--semantics whole), a part of them "
     "(N/4, 3N/4), so many fewer (N-1), or fewest: the fewest of "
     "1, N/4, N/2, N-1 with which a few "
     "tasks on trial are answered in time.",
     .quick = "fewest"},
    {"barrier", 'b', CB_PARAM_CHOICE, true, "regular,query,atomic", CB_APP_RESIZING_CHOICES, 0, 0,
     NULL, "Resizing barriers." CB_APP_RESIZING_SENTENCES " Apps without any ignore it.",
     .quick = "atomic"},
    {"semantics", 0, CB_PARAM_CHOICE, true, "highest", CB_APP_SEMANTICS_CHOICES, 0, 0, NULL,
     "Which workgroups may leave and come." CB_APP_SEMANTICS_SENTENCES},
    {"tasks", 0, CB_PARAM_UINT, false, NULL, NULL, 1, 100000, NULL,
     "Tasks of a run, if they do not take too long (--budget). Without it: 25, in a matrix on a "
     "GPU 100; where a task has one workgroup, on a GPU 2 in each of three runs, and in a matrix 1 "
     "(CPU: 2)."},
    {"budget", 0, CB_PARAM_REAL, false, NULL, NULL, 0.01, 3600, "S",
     "A run submits no more tasks after so many seconds, if the app has ended once beside them: "
     "tasks of one workgroup may take that long. Without it: 0.5 (CPU: 2); in a matrix 0.2 "
     "(0.05)."},
    {"gather-tasks", 0, CB_PARAM_UINT, false, NULL, NULL, 0, 100000, NULL,
     "Further tasks of a run, which are over at once and come every millisecond, for the gather "
     "time alone. Without it: 40, in a matrix 60, and more where there are fewer runs (CPU: "
     "none)."},
    {"app-runs", 0, CB_PARAM_UINT, false, NULL, NULL, 1, 1000, "RUNS",
     "Runs of the app beside the tasks of a run, and alone, at least; then --tasks and --budget "
     "may be exceeded. Without it: 1, in a matrix on a GPU so many that a case has ten, as the "
     "paper's."},
    {"task", 0, CB_PARAM_TEXT, true, CB_DEFAULT_TASK, NULL, 0, 0, "TASK",
     "What tasks do, each in cases of its own. Of a size that takes the workload's duration: "
     "matmul, a matrix product; reduce, the sum of an array, which waits for memory where the "
     "product computes. Or kernels of yours: blur.cl with --setup, or its setup, ./blur.json "
     "(docs/cooperative-kernels.md), which has a period, so that --workload is not heeded for it."},
    {"workgroups", 0, CB_PARAM_UINT, false, NULL, NULL, 2, 4094, NULL,
     "Most workgroups of the cooperative kernel, N; without it as many as run at once, but one for "
     "the scheduler."},
    {"wg-size", 0, CB_PARAM_UINT, false, NULL, NULL, 1, 65536, NULL,
     "Work-items a workgroup; without it, what suits the app."},
    {"channel", 0, CB_PARAM_CHOICE, false, "auto", "auto,svm,queue", 0, 0, NULL,
     "How the host reaches the running kernel: svm (fine-grained shared memory), queue (copies on "
     "a second queue)."},
    {"trace", 0, CB_PARAM_TEXT, false, NULL, NULL, 0, 0, "FOLDER",
     "Trace the runs with tasks, check each trace against the semantics' rules, and write the last "
     "of each case to FOLDER: CASE.json for Perfetto or chrome://tracing, CASE.tsv for 'plot'. "
     "With --together a run more, in which workgroups go from one app to the other and back."},
    {"trace-events", 0, CB_PARAM_UINT, false, "4096", NULL, 16, 1048576, NULL,
     "Events of each workgroup that a trace holds; it ends when the first has so many."},
    {"power", 0, CB_PARAM_FLAG, false, NULL, NULL, 0, 0, NULL,
     "Measure the power, too, where the device tells it ('coopbench throttle --help'): of the app "
     "alone, for 1.5 s more in each run, and beside the tasks, for which a --budget of 2 is "
     "enough. With --together: while both run."},
    {"gather-deadline", 0, CB_PARAM_REAL, false, "5", NULL, 0.001, 600, "S",
     "A task whose workgroups have not come together by then makes a row 'timeout'."},
    {"task-deadline", 0, CB_PARAM_REAL, false, "10", NULL, 0.001, 600, "S",
     "A task of yours that has not ended so long after it came makes a row 'timeout', too, and its "
     "process is ended."},
    {"on-timeout", 0, CB_PARAM_CHOICE, false, "go-on", "go-on,give-up", 0, 0, NULL,
     "Before that, the kernel beside it goes on without these workgroups until it has ended once "
     "more, or is given up at once."},
    CB_TOGETHER_PARAMS,
    {"beside", 0, CB_PARAM_TEXT, false, NULL, NULL, 0, 0, "APP",
     "A second app in the same megakernel, with its first input or that of --input APP=...: tasks "
     "come beside both, and take from both."},
    {0},
};

struct planner {
    const struct cb_bench *bench;
    const struct cb_device *device;
    const cJSON *options;
    struct cb_plan *plan;
    bool matrix;
    const struct cb_app *beside; /* of --beside; NULL: none */
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

/* "multitask/bfs", in a matrix "multitask/bfs/road": the ids of apps name their inputs so, too. */
static void name_pair(const struct planner *p, const struct pair *pair, char *name, size_t size)
{
    snprintf(name, size, "%s/%s%s%s%s%s", p->bench->id, pair->app->id, p->beside ? "+" : "",
             p->beside ? p->beside->id : "", p->matrix ? "/" : "",
             p->matrix ? pair->input.name : "");
}

/* "barrier=atomic,semantics=some,variant=paper,task=reduce": what is the default is left out, and
 * the user's tasks, which have a name of their own. tasks: NULL: none. */
static const char *name_system(const struct pair *pair, const struct cb_multitask_tasks *tasks,
                               char name[CASE_SYSTEM])
{
    const char *variant = cb_app_variant_name(pair->app);
    bool ours = strcmp(variant, CB_APP_OURS) == 0;
    bool usual = is_usual(pair);
    const char *kind = tasks ? tasks->kind : NULL;
    snprintf(name, CASE_SYSTEM, "barrier=%s%s%s%s%s%s%s", pair->barrier,
             usual ? "" : ",semantics=", usual ? "" : pair->semantics,
             ours ? "" : ",variant=", ours ? "" : variant, kind ? ",task=" : "", kind ? kind : "");
    return name;
}

/* A workgroup of the megakernel has room for one of the task. Without tasks (NULL), for one of any:
 * what the runtime costs is told for a kernel beside which all of them can run. */
static void fit_wg_size(const struct planner *p, struct cb_case *c,
                        const struct cb_multitask_tasks *tasks)
{
    cJSON *size = cJSON_GetObjectItemCaseSensitive(c->params, "wg-size");
    if (!size || cb_options_count(p->options, "wg-size") > 0)
        return;
    for (int i = 0; i < p->n_tasks; i++) {
        double items = (double)cb_multitask_task_items(&p->tasks[i]);
        if ((!tasks || tasks == &p->tasks[i]) && size->valuedouble < items)
            cJSON_SetNumberHelper(size, items);
    }
}

static void set_common(const struct planner *p, struct cb_case *c, const struct pair *pair,
                       const struct cb_multitask_tasks *tasks, const struct cb_effort *effort)
{
    c->stop = effort->stop;
    c->expected_s = effort->expected_s;
    c->batch = p->plan->batches;
    cb_app_case_name(c, pair->app, cb_app_choice_spec(&pair->input),
                     p->matrix ? pair->input.name : NULL);
    cb_app_case_take(c, p->options, pair->app, pair->barrier);
    if (!is_usual(pair))
        cb_case_set(c, "semantics", pair->semantics);
    if (p->beside)
        cb_together_set(c, p->options, pair->app, p->beside);
    fit_wg_size(p, c, tasks);
    cb_case_take(c, p->options, "trace-events");
}

static void add_overhead(const struct planner *p, const struct pair *pair)
{
    const struct cb_effort effort = cb_effort_of(p->device, p->options, NULL, "");
    char name[96], system[CASE_SYSTEM];
    name_pair(p, pair, name, sizeof name);
    int i = cb_plan_add(p->plan, p->bench, p->device, "%s/overhead/%s", name,
                        name_system(pair, NULL, system));
    if (i < 0)
        return;
    set_common(p, &p->plan->cases[i], pair, NULL, &effort);
    if (cb_options_flag(p->options, CB_QUICK))
        cJSON_AddNumberToObject(p->plan->cases[i].params, "turns", 1);
}

/* What is usual is left out. */
static void set_arrivals(struct cb_case *c, const struct cb_arrivals *a)
{
    if (a->kind != CB_ARRIVALS_PERIODIC)
        cJSON_AddStringToObject(c->params, "arrivals", cb_setup_arrivals[a->kind]);
    if (a->deadline_ns != a->period_ns)
        cJSON_AddNumberToObject(c->params, "deadline_ns", a->deadline_ns);
}

static void set_tasks(const struct planner *p, struct cb_case *c,
                      const struct cb_multitask_tasks *tasks, const char *groups,
                      const struct cb_effort *effort)
{
    const char *task = tasks->own ? tasks->own->path : tasks->kind;
    cb_case_set(c, "workload", tasks->workload.name);
    cJSON_AddNumberToObject(c->params, "period_ns", tasks->workload.period_ns);
    if (tasks->own)
        set_arrivals(c, &tasks->own->setup.arrivals);
    else
        cJSON_AddNumberToObject(c->params, "duration_ns", tasks->workload.duration_ns);
    cb_case_set(c, "groups", groups);
    if (task)
        cb_case_set(c, "task", task);
    cJSON_AddNumberToObject(c->params, "tasks", effort->tasks);
    cJSON_AddNumberToObject(c->params, "budget_s", effort->budget_s);
    if (effort->gathers > 0)
        cJSON_AddNumberToObject(c->params, "gather-tasks", effort->gathers);
    if (effort->app_runs > 1)
        cJSON_AddNumberToObject(c->params, "app-runs", effort->app_runs);
    cb_case_take(c, p->options, "gather-deadline");
    if (tasks->own) {
        cb_case_take(c, p->options, "task-deadline");
        cb_case_take(c, p->options, "on-timeout");
    }
}

static void add_tasks(const struct planner *p, const struct pair *pair,
                      const struct cb_multitask_tasks *tasks, const char *groups)
{
    const struct cb_effort effort = cb_effort_of(p->device, p->options, &tasks->workload, groups);
    const char *workload = tasks->workload.name, *kind = tasks->kind;
    char name[96], system[CASE_SYSTEM], trace[192];
    name_pair(p, pair, name, sizeof name);
    int i = cb_plan_add(p->plan, p->bench, p->device, "%s/%s/groups=%s,%s", name, workload, groups,
                        name_system(pair, tasks, system));
    if (i < 0)
        return;
    struct cb_case *c = &p->plan->cases[i];
    set_common(p, c, pair, tasks, &effort);
    set_tasks(p, c, tasks, groups, &effort);
    snprintf(trace, sizeof trace, "%s%s%s-%s-%s-%s%s%s%s%s", pair->app->id, p->matrix ? "-" : "",
             p->matrix ? pair->input.name : "", workload, groups, pair->barrier,
             is_usual(pair) ? "" : "-", is_usual(pair) ? "" : pair->semantics, kind ? "-" : "",
             kind ? kind : "");
    cb_app_case_trace(c, p->options, trace, "");
    cb_case_take(c, p->options, "power");
    if (cb_options_flag(p->options, "power"))
        c->expected_s += CB_POWER_WINDOW_NS / 1e9 * (effort.stop.max_runs + effort.stop.warmup);
}

/* The cases that differ in the barrier only by name: an app with offers has none that resizes. */
static void add_barrier(const struct planner *p, const struct pair *pair)
{
    if (!p->beside) /* its megakernel of one app is the one without tasks */
        add_overhead(p, pair);
    for (int t = 0; t < p->n_tasks; t++)
        for (int g = 0; g < cb_options_count(p->options, "groups"); g++)
            add_tasks(p, pair, &p->tasks[t], cb_options_text(p->options, "groups", g));
}

static void add_barriers(const struct planner *p, struct pair pair)
{
    if (pair.app->offers)
        add_barrier(p, &pair);
    for (size_t b = 0; b < CB_APP_RESIZINGS && !pair.app->offers; b++) {
        pair.barrier = cb_app_resizings[b];
        for (int i = 0; i < cb_options_count(p->options, "barrier"); i++)
            if (strcmp(cb_options_text(p->options, "barrier", i), pair.barrier) == 0) {
                add_barrier(p, &pair);
                break;
            }
    }
}

static void add_pair(const struct planner *p, const struct cb_app *app,
                     const struct cb_app_choice *input)
{
    struct pair pair = {app, *input, "none", NULL};
    p->plan->batches++;
    for (int i = 0; i < cb_options_count(p->options, "semantics"); i++) {
        pair.semantics = cb_options_text(p->options, "semantics", i);
        add_barriers(p, pair);
    }
}

/* In a matrix with all inputs, else with the first. */
static void add_app(const struct planner *p, const struct cb_app *app)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    int n = cb_app_choices(p->options, app, cb_app_scale(p->options, app, p->device->type), inputs);
    for (int i = 0; i < (p->matrix ? n : 1); i++)
        add_pair(p, app, &inputs[i]);
}

static enum cb_status check_together(const cJSON *options, struct cb_err *err)
{
    for (int i = 0; i < cb_options_count(options, "semantics"); i++)
        if (strcmp(cb_options_text(options, "semantics", i), cb_app_semantics[COOP_HIGHEST]) != 0)
            return cb_fail(err, CB_USAGE,
                           "semantics: with --together they are %s, try without --semantics",
                           cb_app_semantics[COOP_HIGHEST]);
    return CB_OK;
}

enum cb_status cb_multitask_plan(const struct cb_bench *bench, const struct cb_device *device,
                                 const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    struct planner p = {.bench = bench,
                        .device = device,
                        .options = options,
                        .plan = plan,
                        .matrix = cb_options_flag(options, "matrix")};
    if (cb_app_options_check(options, err) != CB_OK ||
        cb_app_groups_check(options, device, CB_MULTITASK_FEWEST, err) != CB_OK ||
        cb_app_trace_check(options, err) != CB_OK ||
        cb_multitask_choose_tasks(options, p.tasks, &p.n_tasks, err) != CB_OK)
        return err->status;
    if (cb_options_flag(options, "together"))
        return check_together(options, err) == CB_OK
                   ? cb_together_plan(bench, device, options, plan, err)
                   : err->status;
    if (cb_together_beside(options, &p.beside, err) != CB_OK)
        return err->status;
    for (int i = 0; cb_apps[i]; i++) {
        const struct cb_app *variant = cb_app_chosen_variant(options, cb_apps[i], 0);
        if (!variant || !cb_app_is_chosen(options, cb_apps[i], false))
            continue;
        if (p.beside && cb_together_check("app", variant, err) != CB_OK)
            return err->status;
        add_app(&p, variant);
    }
    return CB_OK;
}
