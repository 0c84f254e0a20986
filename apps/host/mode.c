/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel of an app, or of several in one, for an execution mode.
 */
#include "apps/host/run.h"
#include "runtime/coop/together.h"

enum cb_status cb_app_clear_all(const struct cb_app_instance *on, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    for (; on && status == CB_OK; on = on->beside)
        status = on->app->clear(on->state, err);
    return status;
}

static enum cb_status rehearse(const struct cb_app_instance *on, struct cb_coop *coop,
                               struct cb_err *err)
{
    enum cb_status status = cb_app_clear_all(on, err);
    return status == CB_OK ? cb_coop_try(coop, err) : status;
}

const char *cb_app_cannot_be_beside(const struct cb_app *app)
{
    return app->submits ? "it submits tasks of its own" : NULL;
}

static const char *cannot_have_whole(const struct cb_app *app, const struct cb_coop_config *config)
{
    return app->offers                       ? "its workgroups leave one by one, at their offers"
           : app->submits || config->submits ? "it submits tasks of its own"
           : config->resizing != COOP_ATOMIC && config->resizing != COOP_QUERY
               ? "only the barriers atomic and query let all go"
               : NULL;
}

const char *cb_app_cannot_have(const struct cb_app *app, const struct cb_coop_config *config)
{
    const bool any = config->semantics == COOP_ANY, whole = config->semantics == COOP_WHOLE;
    if (config->mode != COOP_COOPERATIVE || (!any && !whole))
        return NULL;
    if (config->others[0])
        return "it needs a megakernel of one cooperative kernel";
    if (any)
        return app->any_ids ? NULL
                            : "its workgroups need consecutive ids, so that only the highest may "
                              "leave";
    return cannot_have_whole(app, config);
}

static enum cb_status check_semantics(const struct cb_app *app, const struct cb_coop_config *config,
                                      struct cb_err *err)
{
    const char *why = cb_app_cannot_have(app, config);
    return why ? cb_fail(err, CB_UNSUPPORTED, "%s cannot have the semantics '%s': %s", app->id,
                         cb_app_semantics[config->semantics], why)
               : CB_OK;
}

/* With so many, a compute unit has registers for 1024 work-items. */
#define REGISTERS_TOGETHER 64

/* The kernels in the same megakernel. Without a limit the compiler gives both together more
 * registers than each has alone, and the device has room for half of their workgroups. */
static void add_others(const struct cb_app_instance *on, struct cb_coop_config *config)
{
    unsigned n = 0;
    for (const struct cb_app_instance *o = on->beside; o && n < COOP_MOST_KERNELS - 1;
         o = o->beside) {
        config->others[n++] = o->app->kernel;
        config->registers = REGISTERS_TOGETHER;
    }
}

static enum cb_status set_args(const struct cb_app_instance *on, struct cb_coop *coop,
                               struct cb_err *err)
{
    size_t before = 0;
    enum cb_status status = CB_OK;
    for (const struct cb_app_instance *o = on; o && status == CB_OK; o = o->beside) {
        struct cb_kernel_value values[CB_APP_MAX_ARGS];
        size_t n = o->app->args(o->state, values, CB_APP_MAX_ARGS);
        status = cb_coop_args_after(coop, before, values, n, err);
        before += n;
    }
    return status;
}

enum cb_status cb_app_try_mode(const struct cb_app_instance *on,
                               const struct cb_coop_config *config, struct cb_coop **coop,
                               struct cb_err *err)
{
    struct cb_coop_config own = *config;
    own.path = own.path ? own.path : on->app->kernel;
    own.registers = on->app->registers;
    own.submits = own.submits || on->app->submits;
    if (own.mode == COOP_COOPERATIVE)
        add_others(on, &own);
    if (config->registers)
        own.registers = config->registers;
    const struct cb_app_instance alone = {on->session, on->app, on->state, NULL};
    *coop = NULL;
    if (check_semantics(on->app, &own, err) != CB_OK ||
        cb_coop_open(on->session, &own, coop, err) != CB_OK ||
        set_args(own.mode == COOP_COOPERATIVE ? on : &alone, *coop, err) != CB_OK)
        return err->status;
    return on->session->rehearsal ? rehearse(on, *coop, err) : CB_OK;
}
