/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/case.h"

#include <stdlib.h>
#include <string.h>

#include "apps/host/user.h"
#include "measure/text/json.h"
#include "runtime/coop/task.h"
#include "runtime/host/files.h"

/* ---- In the parent --------------------------------------------------------------------------- */

void cb_app_case_name(struct cb_case *c, const struct cb_app *app, const char *input,
                      const char *name)
{
    cJSON_AddStringToObject(c->params, "app", app->id);
    cJSON_AddStringToObject(c->params, "input", input);
    if (name)
        cJSON_AddStringToObject(c->params, "input_name", name);
    const char *variant = cb_app_variant_name(app);
    if (strcmp(variant, CB_APP_OURS) != 0)
        cJSON_AddStringToObject(c->params, "variant", variant);
}

/* If the benchmark has such an option. */
static void take(struct cb_case *c, const cJSON *options, const char *name)
{
    if (cb_param_find(c->bench->params, name))
        cb_case_take(c, options, name);
}

static void take_wg_size(struct cb_case *c, const cJSON *options, const struct cb_app *app)
{
    const struct cb_param *row = cb_param_find(c->bench->params, "wg-size");
    if (!row || row->into.kind != CB_FIELD_UINT)
        return;
    cb_case_take(c, options, "wg-size");
    if (cb_options_count(options, "wg-size") == 0)
        cJSON_AddNumberToObject(c->params, "wg-size", cb_app_wg_size(app, c->device->type));
}

void cb_app_case_take(struct cb_case *c, const cJSON *options, const struct cb_app *app,
                      const char *barrier)
{
    if (app->offers)
        barrier = "none";
    if (!barrier)
        take(c, options, "barrier");
    else if (cb_param_find(c->bench->params, "barrier"))
        cb_case_set(c, "barrier", barrier);
    take_wg_size(c, options, app);
    take(c, options, "workgroups");
    take(c, options, "channel");
}

void cb_app_case_trace(struct cb_case *c, const cJSON *options, const char *name,
                       const char *ending)
{
    const char *folder = cb_option_text_or(options, "trace", NULL);
    char *path = NULL;
    size_t size;
    FILE *out = folder ? open_memstream(&path, &size) : NULL;
    if (!out)
        return;
    fprintf(out, "%s/%s-%s%s", folder, name, c->device->index, ending);
    if (fclose(out) == 0) {
        for (char *t = path + strlen(folder) + 1; *t; t++)
            *t = *t == '/' || *t == ':' ? '_' : *t;
        cb_case_set(c, "trace", path);
    }
    free(path);
}

/* ---- In a worker ----------------------------------------------------------------------------- */

/* 0 for a number that there is not. */
static size_t count_of(const cJSON *params, const char *name)
{
    double value = cb_json_number(params, name);
    return value > 0 ? (size_t)value : 0;
}

enum cb_status cb_app_case_read(struct cb_app_case *c, const cJSON *params, struct cb_err *err)
{
    cb_users_inherit();
    *c = (struct cb_app_case){
        .app = cb_app_variant(cb_app_find(cb_json_text(params, "app", "")),
                              cb_json_text(params, "variant", CB_APP_OURS)),
        .input = cb_json_text(params, "input", ""),
        .wg_size = count_of(params, "wg-size"),
        .workgroups = count_of(params, "workgroups"),
        .resizing = cb_app_resizing_of(cb_json_text(params, "barrier", "")),
        .semantics = cb_app_semantics_of(cb_json_text(params, "semantics", "")),
        .way = {cb_json_text(params, "protocol", NULL), cb_json_text(params, "delay", NULL),
                cb_json_text(params, "ids", NULL)},
        .global_barrier = cb_json_text(params, "global-barrier", NULL),
        .channel = cb_json_text(params, "channel", NULL),
        .task = cb_task_of(cb_json_text(params, "task", "")),
        .user_task = cb_user_task_of(cb_json_text(params, "task", "")),
        .trace = cb_json_text(params, "trace", ""),
    };
    return c->app ? CB_OK : cb_fail(err, CB_USAGE, "no such app");
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
