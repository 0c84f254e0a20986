/* SPDX-License-Identifier: Apache-2.0
 *
 * Which tasks a set of options means: workloads of ours, and the user's.
 */
#pragma once

#include <cjson/cJSON.h>

#include "apps/host/user_task.h"
#include "kernels/tasks_abi.h"

#define CB_DEFAULT_TASK         "matmul"
#define CB_MULTITASK_MOST_TASKS (COOP_TASKS * CB_MAX_WORKLOADS + CB_USER_TASKS)

/* Tasks that come beside an app, in cases of their own. */
struct cb_multitask_tasks {
    struct cb_workload workload;
    const char *kind;               /* our task, "reduce"; NULL: the default, or the user's */
    const struct cb_user_task *own; /* the user's; NULL: ours */
};

/* Those of --task: each workload with each of ours, then the user's; a task that is named twice is
 * there once. Returns how many in *n. */
enum cb_status cb_multitask_choose_tasks(const struct cb_app_options *options,
                                         struct cb_multitask_tasks list[CB_MULTITASK_MOST_TASKS],
                                         int *n, struct cb_err *err);

/* How many work-items a workgroup of them has: of the user's; ours take what there is. */
size_t cb_multitask_task_items(const struct cb_multitask_tasks *tasks);
