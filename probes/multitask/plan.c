/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device: for each app what the runtime costs without
 * tasks, and each workload beside it.
 */
#include "probes/multitask/plan.h"

#include <stdlib.h>
#include <string.h>

#include "apps/options.h"
#include "measure/json.h"
#include "probes/multitask/workload.h"
#include "runtime/discovery.h"

const struct cb_param cb_multitask_params[] = {
    {"workload", 'w', CB_PARAM_TEXT, true, "light,medium,heavy", NULL, 0, 0, "WORKLOAD",
     "Tasks: light (every 70 ms, 3 ms long), medium (40, 3), heavy (40, 10), a JSON file with a "
     "period and a duration, or none (only what the runtime costs)."},
    {"app", 'a', CB_PARAM_TEXT, true, "all", NULL, 0, 0, "APP",
     "Cooperative kernels: apps, as in bfs,game, or all but those that only measure the runtime; "
     "'coopbench list apps' tells what there is."},
    {"input", 'i', CB_PARAM_TEXT, true, "auto", NULL, 0, 0, "INPUT",
     "Input of the apps: APP=INPUT, or INPUT if there is one app; auto: one that suits the device. "
     "'coopbench list apps' tells what they take."},
    {"groups", 0, CB_PARAM_TEXT, true, "1,N/4,N/2,N-1", NULL, 0, 0, "GROUPS",
     "Workgroups of a task: a number, N (all that the cooperative kernel may have), N/K or N-K."},
    {"barrier", 'b', CB_PARAM_CHOICE, true, "regular,query,atomic", "regular,query,atomic", 0, 0,
     NULL,
     "Resizing barriers. regular: each offers itself; query: the last to arrive asks the "
     "scheduler; atomic: decided in the arrival word. Apps without any ignore it."},
    {"tasks", 0, CB_PARAM_UINT, false, "25", NULL, 1, 100000, NULL,
     "Tasks of a run, if they do not take too long (--budget)."},
    {"budget", 0, CB_PARAM_REAL, false, "2", NULL, 0.01, 3600, "S",
     "A run submits no more tasks after so many seconds: tasks of one workgroup may take that "
     "long."},
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
     "of each case to FOLDER: CASE.json for Perfetto or chrome://tracing, CASE.tsv for 'plot'."},
    {"trace-events", 0, CB_PARAM_UINT, false, "4096", NULL, 16, 1048576, NULL,
     "Events of each workgroup that a trace holds."},
    {"gather-deadline", 0, CB_PARAM_REAL, false, "5", NULL, 0.001, 600, "S",
     "A task whose workgroups have not come together by then makes a row 'timeout'."},
    {0},
};

struct planner {
    const struct cb_bench *bench;
    const struct cb_device *device;
    const cJSON *options;
    struct cb_plan *plan;
    bool cpu;
};

#define MAX_FOLDER 256

static const char *const barriers[] = {"regular", "query", "atomic"};

/* ---- Cases ----------------------------------------------------------------------------------- */

static const char *input_of(const struct planner *p, const struct cb_app *app)
{
    struct cb_app_choice choices[CB_APP_MAX_CHOICES];
    cb_app_choices(p->options, app, cb_app_scale_of(p->device->type), choices);
    return choices[0].spec;
}

static void add_common(const struct planner *p, int i, const struct cb_app *app,
                       const char *barrier)
{
    if (i < 0)
        return;
    cJSON *params = p->plan->cases[i].params;
    cJSON_AddStringToObject(params, "app", app->id);
    cJSON_AddStringToObject(params, "input", input_of(p, app));
    cJSON_AddStringToObject(params, "barrier", barrier);
    cJSON_AddNumberToObject(
        params, "wg",
        (double)cb_options_uint(p->options, "wg-size", p->cpu ? app->cpu_wg : app->gpu_wg));
    if (cb_options_count(p->options, "workgroups"))
        cJSON_AddNumberToObject(params, "workgroups",
                                (double)cb_options_uint(p->options, "workgroups", 0));
    cJSON_AddStringToObject(params, "channel", cb_options_first(p->options, "channel", "auto"));
    cJSON_AddNumberToObject(params, "trace_events",
                            (double)cb_options_uint(p->options, "trace-events", 4096));
}

static void add_overhead(const struct planner *p, const struct cb_app *app, const char *barrier)
{
    add_common(p,
               cb_plan_add(p->plan, p->bench, p->device, "%s/%s/overhead/barrier=%s", p->bench->id,
                           app->id, barrier),
               app, barrier);
}

/* The files of a case's trace, but for the ending: "FOLDER/bfs-heavy-N_2-atomic-0_0", the last of
 * which is the device. */
static void add_trace(const struct planner *p, cJSON *params)
{
    char path[MAX_FOLDER + 128];
    int folder = snprintf(path, sizeof path, "%s/", cb_options_first(p->options, "trace", "."));
    snprintf(path + folder, sizeof path - (size_t)folder, "%s-%s-%s-%s-%s",
             cb_json_text(params, "app", ""), cb_json_text(params, "workload", ""),
             cb_json_text(params, "groups", ""), cb_json_text(params, "barrier", ""),
             p->device->index);
    for (char *c = path + folder; *c; c++)
        *c = *c == '/' || *c == ':' ? '_' : *c;
    cJSON_AddStringToObject(params, "trace", path);
}

static void add_tasks(const struct planner *p, const struct cb_app *app, const char *barrier,
                      const struct cb_workload *w, const char *groups)
{
    int i = cb_plan_add(p->plan, p->bench, p->device, "%s/%s/%s/groups=%s,barrier=%s", p->bench->id,
                        app->id, w->name, groups, barrier);
    add_common(p, i, app, barrier);
    if (i < 0)
        return;
    cJSON *params = p->plan->cases[i].params;
    cJSON_AddStringToObject(params, "workload", w->name);
    cJSON_AddNumberToObject(params, "period_ns", w->period_ns);
    cJSON_AddNumberToObject(params, "duration_ns", w->duration_ns);
    cJSON_AddStringToObject(params, "groups", groups);
    cJSON_AddNumberToObject(params, "tasks", (double)cb_options_uint(p->options, "tasks", 25));
    cJSON_AddNumberToObject(params, "budget_s", cb_options_real(p->options, "budget", 2));
    cJSON_AddNumberToObject(params, "gather_deadline_s",
                            cb_options_real(p->options, "gather-deadline", 5));
    if (cb_options_count(p->options, "trace"))
        add_trace(p, params);
}

static void add_app(const struct planner *p, const struct cb_app *app,
                    const struct cb_workload *workloads, int n_workloads)
{
    for (size_t b = 0; b < CB_COUNTOF(barriers); b++) {
        bool asked = false;
        for (int i = 0; i < cb_options_count(p->options, "barrier"); i++)
            asked |= strcmp(cb_options_text(p->options, "barrier", i), barriers[b]) == 0;
        const char *barrier = app->offers ? "none" : barriers[b];
        if (!asked && !app->offers)
            continue;
        add_overhead(p, app, barrier);
        for (int w = 0; w < n_workloads; w++)
            for (int g = 0; g < cb_options_count(p->options, "groups"); g++)
                add_tasks(p, app, barrier, &workloads[w], cb_options_text(p->options, "groups", g));
        if (app->offers)
            return;
    }
}

/* ---- Options --------------------------------------------------------------------------------- */

#define MAX_WORKLOADS 32

static enum cb_status read_workloads(const struct planner *p, struct cb_workload *workloads, int *n,
                                     struct cb_err *err)
{
    *n = 0;
    for (int i = 0; i < cb_options_count(p->options, "workload"); i++) {
        const char *text = cb_options_text(p->options, "workload", i);
        if (strcmp(text, "none") == 0)
            continue;
        if (*n == MAX_WORKLOADS)
            return cb_fail(err, CB_USAGE, "workload: at most %d", MAX_WORKLOADS);
        if (cb_workload_find(text, &workloads[(*n)++], err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

static enum cb_status check_trace(const struct planner *p, struct cb_err *err)
{
    if (strlen(cb_options_first(p->options, "trace", "")) >= MAX_FOLDER)
        return cb_fail(err, CB_USAGE, "trace: a folder name of at most %d characters",
                       MAX_FOLDER - 1);
    return CB_OK;
}

static enum cb_status check_groups(const struct planner *p, struct cb_err *err)
{
    for (int i = 0; i < cb_options_count(p->options, "groups"); i++)
        if (cb_groups_parse(cb_options_text(p->options, "groups", i), 0, NULL, err) != CB_OK)
            return err->status;
    return CB_OK;
}

enum cb_status cb_multitask_plan(const struct cb_bench *bench, const struct cb_device *device,
                                 const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    struct planner p = {bench, device, options, plan, strcmp(device->type, "cpu") == 0};
    struct cb_workload workloads[MAX_WORKLOADS];
    int n;
    if (cb_app_options_check(options, err) != CB_OK || check_groups(&p, err) != CB_OK ||
        check_trace(&p, err) != CB_OK || read_workloads(&p, workloads, &n, err) != CB_OK)
        return err->status;
    if (cb_options_uint(options, "wg-size", 1) > device->max_wg_size)
        return cb_fail(err, CB_USAGE, "wg-size: %s takes at most %llu work-items a workgroup",
                       device->name, (unsigned long long)device->max_wg_size);
    for (int i = 0; cb_apps[i]; i++)
        if (cb_app_is_chosen(options, cb_apps[i], false))
            add_app(&p, cb_apps[i], workloads, n);
    return CB_OK;
}
