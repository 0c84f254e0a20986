/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "probes/multitask/together/internal.h"
#include "runtime/discovery.h"
#include "runtime/host/text.h"

static enum cb_status open_app(struct cb_together *t, int i, const struct cb_app_case *c,
                               unsigned wg_size, struct cb_err *err)
{
    struct cb_coop_config config = cb_app_case_config(c, COOP_COOPERATIVE);
    struct cb_app_instance alone = t->on[i];
    config.wg_size = wg_size;
    alone.beside = NULL;
    if (cb_app_find_workers(&alone, &config, &t->alone_workers[i], err) != CB_OK ||
        cb_app_open_mode(&alone, &config, &t->alone[i], err) != CB_OK)
        return cb_context(err, "%s alone, without %s", alone.app->id, t->on[!i].app->id);
    return CB_OK;
}

/* A device has as much room for a kernel as the larger of the two needs. */
static enum cb_status open_both(struct cb_together *t, const struct cb_app_case *c,
                                const struct cb_multitask_case *params, struct cb_err *err)
{
    struct cb_coop_config config = cb_app_case_config(c, COOP_COOPERATIVE);
    size_t share;
    config.registers = params->registers;
    if (cb_app_find_workers(&t->on[0], &config, &t->workers, err) != CB_OK ||
        cb_app_case_limit(c, t->workers, "run at once", &t->workers, err) != CB_OK)
        return err->status;
    if (t->workers < 2)
        return cb_fail(err, CB_UNSUPPORTED,
                       "%s and %s need a workgroup each beside the scheduler's, and there is %zu "
                       "(alone, they can have %zu and %zu): --workgroups asks for more, --wg-size "
                       "makes workgroups smaller",
                       t->on[0].app->id, t->on[1].app->id, t->workers, t->alone_workers[0],
                       t->alone_workers[1]);
    if (cb_groups_parse(params->share ? params->share : "N/2", t->workers, &share, err) != CB_OK)
        return err->status;
    if (share >= t->workers)
        return cb_fail(err, CB_UNSUPPORTED,
                       "a share of %zu workgroup%s leaves none of %zu to the other app: 1 to %zu "
                       "can be, or N/2, 3N/4, N-1",
                       share, CB_PLURAL(share), t->workers, t->workers - 1);
    t->share = (unsigned)share;
    const enum cb_status status = cb_app_open_mode(&t->on[0], &config, &t->both, err);
    if (status != CB_OK || !*t->trace)
        return status;
    config.trace_events = t->trace_events;
    return cb_app_open_mode(&t->on[0], &config, &t->traced, err);
}

enum cb_status cb_together_open_beside(struct cb_session *session,
                                       const struct cb_multitask_case *params,
                                       struct cb_app_instance *on, struct cb_err *err)
{
    if (!params->beside)
        return CB_OK;
    const struct cb_app *app = cb_app_find(params->beside);
    if (!app)
        return cb_fail(err, CB_USAGE, "beside: there is no app %s", params->beside);
    return cb_app_open_input(session, app, params->beside_input, on, err);
}

enum cb_status cb_together_open(const struct cb_app_instance *on,
                                const struct cb_multitask_case *params,
                                struct cb_together **together, struct cb_err *err)
{
    struct cb_together *t = calloc(1, sizeof *t);
    struct cb_app_case c;
    *together = t;
    if (!t)
        return cb_no_memory(err);
    if (cb_app_case_make(&c, &params->app, err) != CB_OK)
        return err->status;
    t->session = on->session;
    t->on[0] = *on;
    t->policy = cb_policy_find(params->policy);
    t->budget_ns = params->budget_s * 1e9;
    t->app_deadline_s = params->app_deadline_s;
    t->app_rate = params->app_rate_per_s;
    t->progress_s = params->progress_deadline_s;
    t->trace_events = params->trace_events;
    if (!t->policy)
        return cb_fail(err, CB_USAGE, "policy: there is none of this name");
    if (cb_app_case_trace_path(&c, t->trace, sizeof t->trace, err) != CB_OK ||
        cb_together_power_open(&t->meter, params->power, &t->session->info, t->policy, err) !=
            CB_OK ||
        cb_together_open_beside(t->session, params, &t->on[1], err) != CB_OK ||
        open_app(t, 0, &c, params->alone_wg_size, err) != CB_OK ||
        open_app(t, 1, &c, params->beside_wg_size, err) != CB_OK)
        return err->status;
    t->on[0].beside = &t->on[1];
    return open_both(t, &c, params, err);
}

void cb_together_close(struct cb_together *t)
{
    if (!t)
        return;
    cb_coop_close(t->both);
    cb_coop_close(t->traced);
    for (int i = 0; i < 2; i++)
        cb_coop_close(t->alone[i]);
    cb_app_close_input(&t->on[1]);
    cb_power_meter_close(&t->meter);
    free(t);
}
