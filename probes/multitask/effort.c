/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/effort.h"

#include <math.h>
#include <string.h>

#include "probes/multitask/multitask.h"

#define GATHER_S   0.0012 /* a task for the gather time alone, with the time to the next */
#define OPEN_S     0.1    /* opening and closing a case whose kernel has been built, and */
#define OPEN_CPU_S 0.9    /* time to open a case on a CPU device */
#define OVERHEAD_S 0.1    /* a turn of an overhead case: four modes */
#define TURNS      3      /* turns of a run; in a quick run 1 */

struct runs {
    unsigned runs, warmup;
    unsigned tasks, gathers; /* tasks of a run; gathers: tasks for the gather time alone */
    unsigned app_runs;       /* fewest runs of the app beside the tasks of a run */
};

/* What a case may cost. */
struct effort_limits {
    double budget_s;
    struct runs usual, single; /* single: tasks of one workgroup, which take long */
    double most_s;             /* a case begins no further run after so long */
};

/* On a GPU 99 of 100 gather times are to be known, and a matrix is to take minutes; a task of one
 * workgroup may take ten seconds there. On a CPU gather times are those of the tasks, and in a
 * matrix, where times say little, all cases are to be run and checked in minutes. FSE'17 ran each
 * app ten times (Section 5.1): so do the cases of a matrix, over their runs. */
static const struct effort_limits gpu_plain = {0.5, {10, 1, 25, 40, 1}, {3, 0, 2, 60, 1}, INFINITY},
                                  gpu_matrix = {0.2,
                                                {3, 0, 100, 60, 4},
                                                {1, 0, 1, 180, 10},
                                                INFINITY},
                                  cpu_plain = {2, {10, 1, 25, 0, 1}, {10, 1, 25, 0, 1}, INFINITY},
                                  cpu_matrix = {0.05, {1, 0, 25, 0, 1}, {1, 0, 2, 0, 1}, 1};

/* Short runs, several of which fit into a case's part of a minute. */
static const struct effort_limits gpu_quick = {0.04,
                                               {10, 0, 25, 16, 1},
                                               {6, 0, 2, 16, 1},
                                               INFINITY},
                                  cpu_quick = {0.2, {10, 0, 25, 0, 1}, {10, 0, 25, 0, 1}, INFINITY};

static const struct effort_limits *limits_of(const struct cb_device *device,
                                             const struct cb_multitask_options *options)
{
    bool matrix = options->matrix, quick = options->app.quick;
    if (cb_device_is_cpu(device))
        return quick ? &cpu_quick : matrix ? &cpu_matrix : &cpu_plain;
    return quick ? &gpu_quick : matrix ? &gpu_matrix : &gpu_plain;
}

static double expected_run_s(const struct cb_effort *e, const struct cb_workload *w, double task_s)
{
    double each = fmax(w->period_ns / 1e9, task_s);
    double tasks = fmin(e->tasks, fmax(2, ceil(e->budget_s / each) + 1));
    return fmin(0.1, e->budget_s / 2) + tasks * each + e->gathers * GATHER_S;
}

static struct cb_stop stop_of(const struct effort_limits *l, const struct runs *r)
{
    bool may_be_fewer = r->runs > 1 && l->most_s < INFINITY;
    return (struct cb_stop){.rule = may_be_fewer ? CB_STOP_TIME : CB_STOP_COUNT,
                            .warmup = r->warmup,
                            .min_runs = may_be_fewer ? 1 : r->runs,
                            .max_runs = r->runs,
                            .max_time_s = l->most_s};
}

struct cb_effort cb_effort_of(const struct cb_device *device,
                              const struct cb_multitask_options *options,
                              const struct cb_workload *workload, const char *groups)
{
    const struct effort_limits *l = limits_of(device, options);
    if (strcmp(groups, CB_MULTITASK_FEWEST) == 0)
        groups = "N/4"; /* where the search begins */
    const struct runs *r = strcmp(groups, "1") == 0 ? &l->single : &l->usual;
    struct cb_effort e = {.stop = stop_of(l, r)};
    double open_s = cb_device_is_cpu(device) ? OPEN_CPU_S : OPEN_S;
    double turns = options->app.quick ? 1 : TURNS;
    e.expected_s = open_s + OVERHEAD_S * turns * (r->runs + r->warmup);
    if (!workload)
        return e;
    const struct cb_given_uint gathers = options->gather_tasks;
    e.tasks = options->tasks ? options->tasks : r->tasks;
    e.budget_s = isnan(options->budget_s) ? l->budget_s : options->budget_s;
    e.gathers = gathers.given ? (unsigned)gathers.value : r->gathers;
    e.app_runs = options->app_runs ? options->app_runs : r->app_runs;
    e.expected_s =
        open_s + (r->runs + r->warmup) *
                     expected_run_s(&e, workload, cb_workload_expected_s(workload, device, groups));
    return e;
}
