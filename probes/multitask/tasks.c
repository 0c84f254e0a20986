/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/tasks.h"

#include <string.h>

#include "measure/param.h"
#include "measure/text/nearest.h"
#include "runtime/coop/task.h"

static bool is_named(const struct cb_app_options *options, const char *task)
{
    return cb_texts_have(options->tasks, task);
}

static bool is_ours(const char *task)
{
    for (int k = 0; k < COOP_TASKS; k++)
        if (strcmp(cb_task_names[k], task) == 0)
            return true;
    return false;
}

static enum cb_status check_names(const struct cb_app_options *options, struct cb_err *err)
{
    for (int i = 0; i < options->tasks.n; i++) {
        const char *task = cb_texts_at(options->tasks, i), *nearest;
        char near[16];
        if (cb_user_task_is(task) || is_ours(task))
            continue;
        nearest = cb_nearest_choice(task, CB_DEFAULT_TASK ",reduce", near, sizeof near);
        return cb_fail(err, CB_USAGE,
                       "task: expected matmul, reduce, a kernel, as blur.cl, or a setup, as "
                       "./blur.json, got \"%s\"%s%s%s",
                       task, nearest ? " (did you mean \"" : "", nearest ? nearest : "",
                       nearest ? "\"?)" : "");
    }
    return CB_OK;
}

static enum cb_status add_ours(const struct cb_app_options *options, const char *kind,
                               struct cb_multitask_tasks *list, int *n, struct cb_err *err)
{
    struct cb_workload workloads[CB_MAX_WORKLOADS];
    const bool usual = strcmp(kind, CB_DEFAULT_TASK) == 0;
    int n_workloads;
    if (cb_workloads_of(options->workloads, workloads, &n_workloads, err) != CB_OK)
        return err->status;
    for (int w = 0; w < n_workloads; w++)
        list[(*n)++] =
            (struct cb_multitask_tasks){.workload = workloads[w], .kind = usual ? NULL : kind};
    return CB_OK;
}

/* After ours: cases and tables are called after a workload, or after a task of the user's. */
static enum cb_status add_own(const struct cb_app_options *options, struct cb_multitask_tasks *list,
                              int *n, struct cb_err *err)
{
    struct cb_user_workload own[CB_USER_TASKS];
    const int n_ours = *n;
    int n_own;
    if (cb_user_tasks_choose(options, own, &n_own, err) != CB_OK)
        return err->status;
    for (int i = 0; i < n_own; i++) {
        for (int k = 0; k < n_ours; k++)
            if (strcmp(list[k].workload.name, own[i].workload.name) == 0)
                return cb_fail(err, CB_USAGE,
                               "%s: a workload is called %s, too: give one another name",
                               own[i].task->path, own[i].workload.name);
        list[(*n)++] = (struct cb_multitask_tasks){.workload = own[i].workload, .own = own[i].task};
    }
    return CB_OK;
}

enum cb_status cb_multitask_choose_tasks(const struct cb_app_options *options,
                                         struct cb_multitask_tasks list[CB_MULTITASK_MOST_TASKS],
                                         int *n, struct cb_err *err)
{
    *n = 0;
    if (check_names(options, err) != CB_OK)
        return err->status;
    for (int k = 0; k < COOP_TASKS; k++)
        if (is_named(options, cb_task_names[k]) &&
            add_ours(options, cb_task_names[k], list, n, err) != CB_OK)
            return err->status;
    return add_own(options, list, n, err);
}

size_t cb_multitask_task_items(const struct cb_multitask_tasks *tasks)
{
    size_t items = 1;
    for (unsigned d = 0; tasks->own && d < tasks->own->setup.range.dimensions; d++)
        items *= tasks->own->setup.range.local[d];
    return items;
}
