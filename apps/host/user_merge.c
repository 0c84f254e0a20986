/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/user_merge.h"

#include <stdio.h>

static enum cb_status check_kind(const char *path, const struct cb_merge_kernel *kernel,
                                 enum cb_user_kind kind, struct cb_err *err)
{
    if (kind != CB_USER_EITHER && kernel->lacks_tasks)
        return cb_fail(err, CB_USAGE,
                       "%s: it submits tasks, whose files the setup has to name, as \"children\": "
                       "[\"fill.cl\"]",
                       path);
    if (kind == CB_USER_APP && kernel->is_task)
        return cb_fail(err, CB_USAGE,
                       "%s: no kernel with scheduling points: resizing_global_barrier() and its "
                       "like (coopbench merge --help)",
                       path);
    if (kind == CB_USER_TASK && !kernel->is_task)
        return cb_fail(err, CB_USAGE,
                       "%s: a kernel with scheduling points is no task, but an app: --app", path);
    if (kernel->counts_runs)
        return cb_fail(err, CB_USAGE,
                       "%s: coop_run() counts the runs of a launch, and a setup's check has "
                       "launches of its own: do without it",
                       path);
    return CB_OK;
}

enum cb_status cb_user_kernel_merge(const struct cb_merge_source *sources, int n,
                                    enum cb_user_kind kind, char **text,
                                    struct cb_merge_kernel *kernel, struct cb_err *err)
{
    size_t size = 0;
    *text = NULL;
    *kernel = (struct cb_merge_kernel){0};
    FILE *out = open_memstream(text, &size);
    if (!out)
        return cb_no_memory(err);
    enum cb_status status = cb_merge(sources, n, out, kernel, err);
    if (fclose(out) != 0 && status == CB_OK)
        status = cb_no_memory(err);
    if (status == CB_OK)
        status = check_kind(sources[0].path, kernel, kind, err);
    return status;
}
