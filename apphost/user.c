/* SPDX-License-Identifier: Apache-2.0 */
#include "apphost/user.h"

#include <stdlib.h>
#include <string.h>

#include "apphost/user_app.h"
#include "merge/merge.h"
#include "runtime/source.h"

#define APPS_VARIABLE "COOPBENCH_USER_APPS" /* of the environment: setups, a line each */

static struct cb_user_app *users[CB_USER_APPS];
static int n_users;

const struct cb_user_app *cb_user_app_of(const char *path)
{
    for (int i = 0; i < n_users; i++)
        if (strcmp(users[i]->path, path) == 0)
            return users[i];
    return NULL;
}

bool cb_user_app_is(const char *name)
{
    return strchr(name, '/') || cb_setup_is(name);
}

enum cb_status cb_user_kernel_merge(const char *path, const char *name, char **text,
                                    struct cb_merge_kernel *kernel, struct cb_err *err)
{
    const struct cb_merge_source source = {path, name};
    size_t size = 0;
    *text = NULL;
    *kernel = (struct cb_merge_kernel){0};
    FILE *out = open_memstream(text, &size);
    if (!out)
        return cb_fail(err, CB_ERROR, "out of memory");
    enum cb_status status = cb_merge(&source, 1, out, kernel, err);
    if (fclose(out) != 0 && status == CB_OK)
        status = cb_fail(err, CB_ERROR, "out of memory");
    if (status == CB_OK && !kernel->is_there)
        status = cb_fail(err, CB_USAGE,
                         "%s: no kernel with scheduling points: resizing_global_barrier() and its "
                         "like (coopbench merge --help)",
                         path);
    if (status == CB_OK && kernel->counts_runs)
        status = cb_fail(err, CB_USAGE,
                         "%s: coop_run() counts the runs of a launch, and a setup's check has "
                         "launches of its own: do without it",
                         path);
    return status;
}

/* Keeps the merged text, and what tells this setup from another one, among the carried files. */
static enum cb_status keep(struct cb_user_app *u, const char *text, struct cb_err *err)
{
    char path[sizeof u->kernel], digest[32];
    snprintf(u->kernel, sizeof u->kernel, "merged/%s.cl", u->setup.id);
    snprintf(path, sizeof path, "merged/%s" CB_SETUP_ENDING, u->setup.id);
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)cb_setup_digest(&u->setup));
    enum cb_status status = cb_source_keep(u->kernel, text, err);
    return status == CB_OK ? cb_source_keep(path, digest, err) : status;
}

static enum cb_status load(struct cb_user_app *u, const char *path, struct cb_err *err)
{
    struct cb_merge_kernel kernel = {0};
    char *text = NULL;
    u->path = strdup(path);
    if (!u->path)
        return cb_fail(err, CB_ERROR, "out of memory");
    enum cb_status status = cb_setup_read(path, &u->setup, err);
    if (status == CB_OK)
        status = cb_user_kernel_merge(u->setup.kernel, u->setup.kernel_name, &text, &kernel, err);
    if (status == CB_OK)
        status = cb_setup_read_arguments(path, &u->setup, &kernel, err);
    if (status == CB_OK && cb_app_find(u->setup.id))
        status = cb_fail(err, CB_USAGE, "%s: there is an app %s: give the file another name", path,
                         u->setup.id);
    if (status == CB_OK)
        status = keep(u, text, err);
    u->app = cb_user_app_base;
    u->app.id = u->setup.id;
    u->app.summary = u->setup.summary;
    u->app.source = u->setup.kernel;
    u->app.kernel = u->kernel;
    u->app.inputs[0] = (struct cb_app_input){.name = "setup", .spec = {u->path, u->path, u->path}};
    u->app.offers = kernel.offers;
    u->app.gpu_wg_size = u->setup.gpu_wg_size;
    u->app.cpu_wg_size = u->setup.cpu_wg_size;
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

/* Worker processes are told by the environment. */
static void tell_workers(void)
{
    size_t size = 0;
    char *list = NULL;
    FILE *out = open_memstream(&list, &size);
    for (int i = 0; out && i < n_users; i++)
        fprintf(out, "%s\n", users[i]->path);
    if (out && fclose(out) == 0)
        setenv(APPS_VARIABLE, list, 1);
    free(list);
}

enum cb_status cb_user_app_add(const char *path, struct cb_err *err)
{
    if (cb_user_app_of(path))
        return CB_OK;
    if (n_users == CB_USER_APPS)
        return cb_fail(err, CB_USAGE, "app: at most %d setups", CB_USER_APPS);
    struct cb_user_app *u = calloc(1, sizeof *u);
    enum cb_status status = u ? load(u, path, err) : cb_fail(err, CB_ERROR, "out of memory");
    if (status != CB_OK) {
        forget(u);
        return status;
    }
    users[n_users++] = u;
    cb_app_table_add(&u->app);
    tell_workers();
    return CB_OK;
}

void cb_user_apps_inherit(void)
{
    static bool done;
    struct cb_err ignored;
    char *list = done ? NULL : strdup(getenv(APPS_VARIABLE) ? getenv(APPS_VARIABLE) : "");
    done = true;
    for (char *rest = list, *path; rest && (path = strsep(&rest, "\n")) != NULL;)
        if (*path)
            cb_user_app_add(path, &ignored);
    free(list);
}
