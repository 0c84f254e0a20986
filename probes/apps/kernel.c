/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/apps/case.h"

#include <math.h>

#include "measure/safe_groups.h"
#include "runtime/profile.h"

/* Lowers *groups, as many as run at once now, to as many as are safe. */
static enum cb_status take_safe(const struct cb_apps_case *c, struct cb_apps_kernel *kernel,
                                size_t *groups, struct cb_err *err)
{
    const struct cb_device *device = &c->batch->on.session->info;
    struct cb_safe_groups of = {.beside = ""};
    cJSON *profile;
    enum cb_status status = cb_profile_load(device, &profile, err);
    if (status == CB_OK)
        status = cb_safe_groups_of(profile, device, c->headroom, kernel->wg_size, *groups, groups,
                                   &of, err);
    if (status == CB_OK)
        snprintf(kernel->safe, sizeof kernel->safe, "%s%.100s", *of.beside ? "beside " : "alone",
                 of.beside);
    cJSON_Delete(profile);
    return status;
}

/* Modes without a discovery of their own get as many workgroups as it finds in portable mode. */
static enum cb_status find_groups(const struct cb_apps_case *c, struct cb_coop_config config,
                                  struct cb_apps_kernel *kernel, struct cb_err *err)
{
    const bool safe = !isnan(c->headroom);
    size_t *groups = &kernel->groups;
    char how[64];
    *groups = 1;
    if (c->batch->on.session->rehearsal) /* cases in that mode have it built */
        return CB_OK;
    if (config.mode != COOP_COOPERATIVE)
        config.mode = COOP_PORTABLE;
    config.way = (struct cb_discovery_way){0}; /* each gets as many as the best of them finds */
    if (cb_app_find_workers(&c->batch->on, &config, groups, err) != CB_OK)
        return err->status;
    if (safe && take_safe(c, kernel, groups, err) != CB_OK)
        return err->status;
    snprintf(how, sizeof how, "of %zu work-items %s", config.wg_size,
             safe ? "are safe (--headroom)" : "run at once");
    return cb_app_case_limit(&c->app, *groups, how, groups, err);
}

enum cb_status cb_apps_open_kernel(const struct cb_apps_case *c, size_t wg_size,
                                   struct cb_apps_kernel *kernel, struct cb_err *err)
{
    struct cb_coop_config config = cb_app_case_config(&c->app, c->mode);
    config.wg_size = wg_size;
    kernel->wg_size = wg_size;
    if (c->mode == CB_APP_BASELINE)
        return cb_app_open_baseline(&c->batch->on, wg_size, &kernel->steps, err);
    if (find_groups(c, config, kernel, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_app_open_mode(&c->batch->on, &config, &kernel->coop, err);
    if (status != CB_OK || c->mode != COOP_SPECIALISED || c->validates || c->app.workgroups > 0)
        return status;
    return cb_app_fit_groups(&c->batch->on, kernel->coop, &kernel->groups, err);
}

enum cb_status cb_apps_run_kernel(struct cb_apps_case *c, struct cb_apps_kernel *kernel,
                                  struct cb_coop_time *time, struct cb_sample *sample,
                                  struct cb_err *err)
{
    if (c->mode == CB_APP_BASELINE)
        return cb_app_run_baseline(&c->batch->on, &kernel->steps, time, sample, err);
    cb_coop_move(kernel->coop, c->runs);
    return cb_app_run_alone(&c->batch->on, kernel->coop, kernel->groups, time, sample, err);
}

void cb_apps_close_kernel(struct cb_apps_kernel *kernel)
{
    cb_steps_close(&kernel->steps);
    cb_coop_close(kernel->coop);
    kernel->coop = NULL;
}
