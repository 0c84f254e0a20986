/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/case.h"

#include <stdlib.h>
#include <string.h>

#include "apps/host/user.h"
#include "measure/text/json.h"
#include "runtime/coop/task.h"
#include "runtime/host/files.h"

/* ---- In the parent --------------------------------------------------------------------------- */

void cb_app_params_name(struct cb_app_params *params, const struct cb_app *app, const char *input,
                        const char *name)
{
    const char *variant = cb_app_variant_name(app);
    params->app = app->id;
    params->input = input;
    params->input_name = name;
    params->variant = strcmp(variant, CB_APP_OURS) == 0 ? NULL : variant;
}

void cb_app_params_take(struct cb_app_params *params, const struct cb_app_options *options,
                        const struct cb_app *app, const struct cb_device *device,
                        const char *barrier)
{
    params->barrier = app->offers ? "none" : barrier ? barrier : options->barrier;
    params->wg_size = options->wg_size ? options->wg_size : cb_app_wg_size(app, device->type);
    params->workgroups = options->workgroups;
    params->channel = options->channel;
}

char *cb_app_trace_path(const char *folder, const char *name, const struct cb_device *device,
                        const char *ending)
{
    char *path = NULL;
    if (!folder || asprintf(&path, "%s/%s-%s%s", folder, name, device->index, ending) < 0)
        return NULL;
    for (char *t = path + strlen(folder) + 1; *t; t++)
        *t = *t == '/' || *t == ':' ? '_' : *t;
    return path;
}

/* ---- In a worker ----------------------------------------------------------------------------- */

#define FIELD(key, member) CB_FIELD(struct cb_app_params, key, member)

static const struct cb_field fields[] = {
    FIELD("app", app),
    FIELD("input", input),
    FIELD("variant", variant),
    FIELD("barrier", barrier),
    FIELD("wg-size", wg_size),
    FIELD("workgroups", workgroups),
    FIELD("channel", channel),
    FIELD("semantics", semantics),
    FIELD("protocol", protocol),
    FIELD("delay", delay),
    FIELD("ids", ids),
    FIELD("global-barrier", global_barrier),
    FIELD("task", task),
    FIELD("trace", trace),
    {0},
};

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

enum cb_status cb_app_case_make(struct cb_app_case *c, const struct cb_app_params *params,
                                struct cb_err *err)
{
    cb_users_inherit();
    *c = (struct cb_app_case){
        .app = cb_app_variant(cb_app_find(or_empty(params->app)), params->variant),
        .input = or_empty(params->input),
        .wg_size = params->wg_size,
        .workgroups = params->workgroups,
        .resizing = cb_app_resizing_of(or_empty(params->barrier)),
        .semantics = cb_app_semantics_of(or_empty(params->semantics)),
        .way = {params->protocol, params->delay, params->ids},
        .global_barrier = params->global_barrier,
        .channel = params->channel,
        .task = cb_task_of(or_empty(params->task)),
        .user_task = cb_user_task_of(or_empty(params->task)),
        .trace = or_empty(params->trace),
    };
    return c->app ? CB_OK : cb_fail(err, CB_USAGE, "no such app");
}

enum cb_status cb_app_case_read(struct cb_app_case *c, const cJSON *params, struct cb_err *err)
{
    struct cb_app_params read;
    cb_fields_read(params, fields, &read);
    return cb_app_case_make(c, &read, err);
}

struct cb_coop_config cb_app_case_config(const struct cb_app_case *c, unsigned mode)
{
    return (struct cb_coop_config){.wg_size = c->wg_size,
                                   .mode = mode,
                                   .resizing = c->resizing,
                                   .semantics = c->semantics,
                                   .way = c->way,
                                   .barrier = c->global_barrier,
                                   .channel = c->channel,
                                   .program_tasks = c->user_task != NULL};
}

enum cb_status cb_app_case_limit(const struct cb_app_case *c, size_t most, const char *how,
                                 size_t *workgroups, struct cb_err *err)
{
    if (c->workgroups > most)
        return cb_fail(err, CB_UNSUPPORTED, "%zu workgroups asked for, but only %zu %s",
                       c->workgroups, most, how);
    *workgroups = c->workgroups ? c->workgroups : most;
    return CB_OK;
}

enum cb_status cb_app_case_trace_path(const struct cb_app_case *c, char *path, size_t size,
                                      struct cb_err *err)
{
    snprintf(path, size, "%s", c->trace);
    char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return CB_OK;
    *slash = '\0';
    enum cb_status status = cb_make_folders(path, err);
    *slash = '/';
    return status;
}

enum cb_status cb_app_case_open_input(struct cb_session *session, const cJSON *params,
                                      struct cb_app_instance *on, struct cb_err *err)
{
    struct cb_app_case c;
    if (cb_app_case_read(&c, params, err) != CB_OK)
        return err->status;
    return cb_app_open_input(session, c.app, c.input, on, err);
}

enum cb_status cb_app_open_batch(struct cb_session *session, const cJSON *params, void **batch,
                                 struct cb_err *err)
{
    struct cb_app_instance *on = *batch = calloc(1, sizeof *on);
    return on ? cb_app_case_open_input(session, params, on, err) : cb_no_memory(err);
}

void cb_app_close_batch(void *batch)
{
    cb_app_close_input(batch);
    free(batch);
}
