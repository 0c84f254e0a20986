/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/apps/case.h"

/* Modes without a discovery of their own get as many workgroups as it finds in portable mode. */
static enum cb_status find_groups(const struct cb_apps *a, struct cb_coop_config config,
                                  size_t *groups, struct cb_err *err)
{
    *groups = 1;
    if (a->on->session->rehearsal) /* cases in that mode have it built */
        return CB_OK;
    if (config.mode != COOP_COOPERATIVE)
        config.mode = COOP_PORTABLE;
    if (cb_app_find_workers(a->on, &config, groups, err) != CB_OK)
        return err->status;
    if (a->workgroups > (double)*groups)
        return cb_fail(err, CB_UNSUPPORTED,
                       "%.0f workgroups asked for, but only %zu of %zu work-items run at once",
                       a->workgroups, *groups, config.wg_size);
    if (a->workgroups > 0)
        *groups = (size_t)a->workgroups;
    return CB_OK;
}

enum cb_status cb_apps_open_kernel(const struct cb_apps *a, size_t wg_size,
                                   struct cb_apps_kernel *kernel, struct cb_err *err)
{
    const struct cb_coop_config config = {
        .wg_size = wg_size, .mode = a->mode, .resizing = a->resizing, .task_size = 1};
    kernel->wg_size = wg_size;
    if (find_groups(a, config, &kernel->groups, err) != CB_OK)
        return err->status;
    return cb_app_open_mode(a->on, &config, &kernel->coop, err);
}

void cb_apps_close_kernel(struct cb_apps_kernel *kernel)
{
    cb_coop_close(kernel->coop);
    kernel->coop = NULL;
}
