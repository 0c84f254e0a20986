/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/fleet/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/documents/folder.h"
#include "analysis/documents/runs.h"
#include "measure/text/json.h"
#include "measure/text/json_locate.h"

#define SCHEMA    1
#define MOST_TOLD 4 /* devices without a run that are told of, if there is no run at all */

static const struct cb_file_kind fleet_file = {"a fleet.json", 40000000};

/* ---- Gaps ------------------------------------------------------------------------------------ */

static enum cb_status add_gap(struct cb_fleet_runs *r, const char *state, const char *folder,
                              const cJSON *task, const char *why, struct cb_err *err)
{
    struct cb_fleet_gap *gaps = realloc(r->gaps, (size_t)(r->n_gaps + 1) * sizeof *gaps);
    r->gaps = gaps ? gaps : r->gaps;
    struct cb_fleet_gap gap = {strdup(folder),
                               strdup(cb_json_text(task, "host", "")),
                               strdup(cb_json_text(task, "device_uuid", "")),
                               state,
                               strdup(why),
                               cb_json_number(task, "attempts")};
    const bool whole = gaps && gap.folder && gap.host && gap.uuid && gap.why;
    if (!whole) {
        free(gap.folder);
        free(gap.host);
        free(gap.uuid);
        free(gap.why);
        return cb_no_memory(err);
    }
    r->gaps[r->n_gaps++] = gap;
    return CB_OK;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static enum cb_status add_run(struct cb_fleet_runs *r, const char *path, struct cb_err *err)
{
    struct cb_run_table *tables = realloc(r->tables, (size_t)(r->n + 1) * sizeof *tables);
    if (!tables)
        return cb_no_memory(err);
    r->tables = tables;
    struct cb_run_table *t = &tables[r->n];
    *t = (struct cb_run_table){0};
    enum cb_status status = cb_run_document_load(path, "results", &t->document, err);
    if (status == CB_OK)
        status = cb_run_table_index(t, path, err);
    if (status == CB_OK)
        r->n++;
    else
        cb_run_table_free(t);
    return status;
}

/* The last part of a path, which may end with a slash. */
static bool is_name_of(const char *path, const char *name)
{
    size_t n = strlen(path), length = strlen(name);
    while (n > 0 && path[n - 1] == '/')
        n--;
    while (length > 0 && name[length - 1] == '/')
        length--;
    return length > 0 && n >= length && strncmp(path + n - length, name, length) == 0 &&
           (n == length || path[n - length - 1] == '/');
}

/* ---- fleet.json ------------------------------------------------------------------------------ */

/* What a fleet's folder added: runs and gaps from here on. */
struct added {
    int run, gap;
};

static bool has_run(const struct cb_fleet_runs *r, const struct added *from, const char *name)
{
    for (int i = from->run; i < r->n; i++)
        if (is_name_of(r->tables[i].document.folder, name))
            return true;
    return false;
}

static bool is_unreadable(const struct cb_fleet_runs *r, const struct added *from, const char *name)
{
    for (int i = from->gap; i < r->n_gaps; i++)
        if (is_name_of(r->gaps[i].folder, name))
            return true;
    return false;
}

static enum cb_status add_task(struct cb_fleet_runs *r, const struct added *from, const cJSON *task,
                               struct cb_err *err)
{
    const char *name = cb_json_text(task, "folder", "");
    const bool ok = strcmp(cb_json_text(task, "state", ""), "ok") == 0;
    const bool here = has_run(r, from, name);
    if (!cJSON_IsObject(task) || (ok && here) || is_unreadable(r, from, name))
        return CB_OK;
    const char *why = ok ? "there is no such run, though fleet.json calls it ok" : "";
    return add_gap(r, here ? "partial" : "missing", name, task, cb_json_text(task, "why", why),
                   err);
}

static enum cb_status read_tasks(const char *path, cJSON **tree, struct cb_err *err)
{
    char *text = NULL;
    *tree = NULL;
    enum cb_status status = cb_read_file(path, &fleet_file, &text, err);
    if (status == CB_OK)
        status = cb_json_parse(path, text, tree, err);
    free(text);
    if (status != CB_OK)
        return status;
    cb_json_clean(*tree);
    const double schema = cb_json_number(*tree, "schema");
    if (schema != SCHEMA)
        return cb_fail(err, CB_USAGE, "%s: \"schema\" is not %d, which this program reads", path,
                       SCHEMA);
    if (!cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(*tree, "tasks")))
        return cb_fail(err, CB_USAGE, "%s: \"tasks\" is not an array", path);
    return CB_OK;
}

/* A file that cannot be read is a gap: the runs are there all the same. */
static enum cb_status add_tasks(struct cb_fleet_runs *r, const struct added *from,
                                const char *folder, struct cb_err *err)
{
    char path[PATH_MAX];
    struct stat info;
    struct cb_err why = {0};
    cJSON *tree;
    const cJSON *task;
    if (snprintf(path, sizeof path, "%s/fleet.json", folder) >= PATH_MAX || stat(path, &info) != 0)
        return CB_OK;
    enum cb_status status = read_tasks(path, &tree, &why);
    if (status != CB_OK)
        status = add_gap(r, "unreadable", path, NULL, why.text, err);
    else
        cJSON_ArrayForEach (task, cJSON_GetObjectItemCaseSensitive(tree, "tasks"))
            if (status == CB_OK)
                status = add_task(r, from, task, err);
    cJSON_Delete(tree);
    return status;
}

/* ---- Fleets ---------------------------------------------------------------------------------- */

static enum cb_status add_named(struct cb_fleet_runs *r, const char *folder, const char *name,
                                struct cb_err *err)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_MAX)
        return cb_fail(err, CB_USAGE, "path too long: %s", folder);
    enum cb_status status = add_run(r, path, err);
    if (status != CB_USAGE)
        return status;
    char why[sizeof err->text];
    snprintf(why, sizeof why, "%s", err->text);
    *err = (struct cb_err){0};
    return add_gap(r, "unreadable", path, NULL, why, err);
}

static enum cb_status add_folder(struct cb_fleet_runs *r, const char *folder, struct cb_err *err)
{
    const struct added from = {r->n, r->n_gaps};
    char **names = NULL;
    enum cb_status status = CB_OK;
    const int n = cb_runs_names(folder, &names);
    for (int i = 0; i < n; i++) {
        if (status == CB_OK && strcmp(names[i], "latest") != 0) /* it is another one of them */
            status = add_named(r, folder, names[i], err);
        free(names[i]);
    }
    free(names);
    return status == CB_OK ? add_tasks(r, &from, folder, err) : status;
}

enum cb_status cb_fleet_add_gaps(struct cb_fleet_runs *r, const char *folder, struct cb_err *err)
{
    return add_tasks(r, &(struct added){0, r->n_gaps}, folder, err);
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Says what became of the first devices. */
static enum cb_status no_runs(const struct cb_fleet_runs *r, struct cb_err *err)
{
    cb_fail(err, CB_USAGE, "no run of the fleet can be read");
    for (int i = 0; i < r->n_gaps && i < MOST_TOLD; i++) {
        const struct cb_fleet_gap *gap = &r->gaps[i];
        const size_t used = strlen(err->text);
        snprintf(err->text + used, sizeof err->text - used, "\n  %.80s is %s%s%.120s", gap->folder,
                 gap->state, *gap->why ? ": " : "", gap->why);
    }
    if (r->n_gaps > MOST_TOLD) {
        const size_t used = strlen(err->text);
        snprintf(err->text + used, sizeof err->text - used, "\n  and %d more",
                 r->n_gaps - MOST_TOLD);
    }
    return CB_USAGE;
}

enum cb_status cb_fleet_load(char *const *paths, int n, struct cb_fleet_runs *out,
                             struct cb_err *err)
{
    enum cb_status status = CB_OK;
    *out = (struct cb_fleet_runs){0};
    for (int i = 0; i < n && status == CB_OK; i++)
        status = cb_run_has_document(paths[i]) || !is_folder(paths[i])
                     ? add_run(out, paths[i], err)
                     : add_folder(out, paths[i], err);
    if (status == CB_OK && out->n == 0 && out->n_gaps > 0)
        return no_runs(out, err);
    if (status == CB_OK && out->n == 0)
        return cb_fail(err, CB_USAGE,
                       "no run in %s; expected a folder that holds a run folder for each device",
                       paths[0]);
    return status;
}

void cb_fleet_runs_free(struct cb_fleet_runs *r)
{
    for (int i = 0; i < r->n; i++)
        cb_run_table_free(&r->tables[i]);
    for (int i = 0; i < r->n_gaps; i++) {
        free(r->gaps[i].folder);
        free(r->gaps[i].host);
        free(r->gaps[i].uuid);
        free(r->gaps[i].why);
    }
    free(r->tables);
    free(r->gaps);
    *r = (struct cb_fleet_runs){0};
}
