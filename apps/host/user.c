/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/user.h"

#include <stdlib.h>
#include <string.h>

#include "apps/host/user_app.h"
#include "apps/host/user_merge.h"
#include "measure/text/json.h"
#include "runtime/merge/merge.h"
#include "runtime/source.h"

static struct cb_user_app *users[CB_USER_APPS];
static int n_users;

const struct cb_user_app *cb_user_app_of(const char *path)
{
    for (int i = 0; i < n_users; i++)
        if (strcmp(users[i]->path, path) == 0)
            return users[i];
    return NULL;
}

bool cb_user_case_is(const cJSON *params)
{
    static const char *const names[] = {"input", "beside_input", "task"};
    bool is = false;
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        is = is || cb_setup_is(cb_json_text(params, names[i], ""));
    return is;
}

enum cb_status cb_user_keep(const struct cb_setup *setup, const char *text, char kept[CB_USER_PATH],
                            struct cb_err *err)
{
    char path[CB_USER_PATH], digest[32];
    const char *folder = setup->range.dimensions > 0 ? "merged/tasks" : "merged";
    snprintf(kept, CB_USER_PATH, "%s/%s.cl", folder, setup->id);
    snprintf(path, sizeof path, "%s/%s" CB_SETUP_ENDING, folder, setup->id);
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)cb_setup_digest(setup));
    enum cb_status status = cb_source_keep(kept, text, err);
    return status == CB_OK ? cb_source_keep(path, digest, err) : status;
}

/* The merged text, after what the setup says of local memory. */
static enum cb_status keep_program(struct cb_user_app *u, const char *text, struct cb_err *err)
{
    char *program = NULL;
    size_t size;
    FILE *out = open_memstream(&program, &size);
    if (!out)
        return cb_no_memory(err);
    cb_setup_write_counts(&u->setup, out);
    fputs(text, out);
    enum cb_status status =
        fclose(out) == 0 ? cb_user_keep(&u->setup, program, u->kernel, err) : cb_no_memory(err);
    free(program);
    return status;
}

static enum cb_status load(struct cb_user_app *u, const char *path, struct cb_err *err)
{
    struct cb_merge_source sources[1 + CB_SETUP_CHILDREN];
    struct cb_merge_kernel kernel = {0};
    char *text = NULL;
    u->path = strdup(path);
    if (!u->path)
        return cb_no_memory(err);
    enum cb_status status = cb_setup_read(path, &u->setup, err);
    if (status == CB_OK && u->setup.range.dimensions > 0)
        status = cb_fail(err, CB_USAGE, "%s: it has an NDRange, as a task's: --task %s", path,
                         cb_setup_kernel(path) ? cb_setup_kernel(path) : path);
    if (status == CB_OK)
        status = cb_user_kernel_merge(sources, cb_setup_sources(&u->setup, sources), CB_USER_APP,
                                      &text, &kernel, err);
    if (status == CB_OK)
        status = cb_setup_read_arguments(&u->setup, &kernel, err);
    if (status == CB_OK && cb_app_find(u->setup.id))
        status = cb_fail(err, CB_USAGE, "%s: there is an app %s: give this one another name", path,
                         u->setup.id);
    if (status == CB_OK)
        status = keep_program(u, text, err);
    u->app = cb_user_app_base;
    u->app.id = u->setup.id;
    u->app.summary = u->setup.summary;
    u->app.source = u->setup.kernel;
    u->app.kernel = u->kernel;
    u->app.inputs[0] = (struct cb_app_input){.name = "setup", .spec = {u->path, u->path, u->path}};
    u->app.offers = kernel.offers;
    u->app.submits = kernel.submits;
    u->app.keeps_pointer = kernel.keeps_pointer;
    u->app.gpu_wg_size = u->setup.gpu_wg_size;
    u->app.cpu_wg_size = u->setup.cpu_wg_size;
    u->app.required_wg_size = u->setup.required_wg_size;
    cb_merge_kernel_free(&kernel);
    free(text);
    return status;
}

static void forget(struct cb_user_app *u)
{
    if (!u)
        return;
    cb_setup_free(&u->setup);
    free(u->path);
    free(u);
}

void cb_user_tell_workers(const char *kind, const char *path)
{
    const char *before = getenv(CB_USERS_VARIABLE);
    char *list = NULL;
    if (asprintf(&list, "%s%s %s\n", before ? before : "", kind, path) >= 0)
        setenv(CB_USERS_VARIABLE, list, 1);
    free(list);
}

enum cb_status cb_user_app_add(const char *path, struct cb_err *err)
{
    if (cb_user_app_of(path))
        return CB_OK;
    if (n_users == CB_USER_APPS)
        return cb_fail(err, CB_USAGE, "app: at most %d setups", CB_USER_APPS);
    struct cb_user_app *u = calloc(1, sizeof *u);
    enum cb_status status = u ? load(u, path, err) : cb_no_memory(err);
    if (status != CB_OK) {
        forget(u);
        return status;
    }
    users[n_users++] = u;
    cb_app_table_add(&u->app);
    cb_user_tell_workers("app", path);
    return CB_OK;
}
