/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/effort.h"

#include <math.h>
#include <string.h>

#define GATHERS_S  0.0012 /* a task for the gather time alone, with the time to the next */
#define OPEN_S     0.1    /* opening and closing a case whose kernel has been built */
#define OVERHEAD_S 0.3    /* a run of an overhead case: three of four modes */

struct thrift {
    unsigned tasks; /* of a run */
    double budget_s;
    unsigned runs;
    unsigned lone_tasks,
        lone_runs;    /* where a task has one workgroup, and takes long; 0: as others */
    unsigned gathers; /* tasks for the gather time alone, in all runs of a case */
    double most_s;    /* no further run after so long, with apps that take long */
};

/* On a GPU 99 of 100 gather times are to be known (in a matrix after two runs), and a matrix is to
 * take minutes; a task of one workgroup may take ten seconds there. On a CPU gather times are those
 * of the tasks, and in a matrix, where times say little, all cases are to be run and checked in
 * minutes. */
static const struct thrift gpu_plain = {25, 0.5, 10, 2, 3, 180, INFINITY},
                           gpu_matrix = {100, 0.2, 3, 1, 1, 180, 2.5},
                           cpu_plain = {25, 2, 10, 0, 0, 0, INFINITY},
                           cpu_matrix = {25, 0.05, 1, 2, 1, 0, 1};

static const struct thrift *thrift_of(const struct cb_device *device, bool matrix)
{
    if (strcmp(device->type, "cpu") == 0)
        return matrix ? &cpu_matrix : &cpu_plain;
    return matrix ? &gpu_matrix : &gpu_plain;
}

static double expected_run_s(const struct cb_effort *e, const struct cb_workload *w, double task_s)
{
    double each = fmax(w->period_ns / 1e9, task_s);
    double tasks = fmin(e->tasks, fmax(2, ceil(e->budget_s / each) + 1));
    return fmin(0.1, e->budget_s / 2) + tasks * each + e->gathers * GATHERS_S;
}

struct cb_effort cb_effort_of(const struct cb_bench *bench, const struct cb_device *device,
                              const cJSON *options, const struct cb_workload *workload,
                              const char *groups)
{
    bool matrix = cb_options_flag(options, "matrix");
    const struct thrift *t = thrift_of(device, matrix);
    bool lone = strcmp(groups, "1") == 0 && t->lone_tasks > 0;
    unsigned runs = lone ? t->lone_runs : t->runs;
    struct cb_effort e = {.stop = bench->stop};
    if (matrix || lone)
        e.stop = (struct cb_stop){.rule = matrix && runs > 1 ? CB_STOP_TIME : CB_STOP_COUNT,
                                  .min_runs = matrix ? 1 : runs,
                                  .max_runs = runs,
                                  .max_time_s = t->most_s};
    e.expected_s = OPEN_S + OVERHEAD_S * (runs + e.stop.warmup);
    if (!workload)
        return e;
    e.tasks = (unsigned)cb_options_uint(options, "tasks", lone ? t->lone_tasks : t->tasks);
    e.budget_s = cb_options_real(options, "budget", t->budget_s);
    e.gathers = (unsigned)cb_options_uint(options, "gather-tasks", t->gathers / runs);
    e.expected_s =
        OPEN_S + (runs + e.stop.warmup) *
                     expected_run_s(&e, workload, cb_workload_expected_s(workload, device, groups));
    return e;
}
