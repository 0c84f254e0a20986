/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/runs.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/documents/document.h"
#include "analysis/documents/folder.h"
#include "analysis/documents/samples.h"
#include "measure/text/json.h"
#include "runtime/host/parallel.h"
#include "runtime/host/text.h"

#define PATH_BYTES PATH_MAX

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Documents that are read side by side. */
struct reading {
    char *const *paths;
    const bool *optional; /* whether each was found in a folder; NULL: all were named */
    struct cb_run_document *documents;
    struct cb_err *errs;
};

static void read_one(void *context, unsigned i)
{
    const struct reading *r = context;
    struct cb_run_document *document = &r->documents[i];
    if (cb_run_document_load(r->paths[i], CB_RUNS_FOLDER, document, &r->errs[i]) == CB_OK)
        cb_samples_attach(document->tree, document->folder, &r->errs[i]);
}

static bool make_room(struct cb_runs *runs, int n)
{
    const size_t room = (size_t)(runs->count + n);
    cJSON **items = realloc(runs->items, room * sizeof *items);
    runs->items = items ? items : runs->items;
    char **files = realloc(runs->files, room * sizeof *files);
    runs->files = files ? files : runs->files;
    return items && files;
}

/* Takes the tree of a document. Runs has room. */
static enum cb_status append(struct cb_runs *runs, struct cb_run_document *document,
                             struct cb_err *err)
{
    char *file = strdup(document->file);
    if (!file)
        return cb_no_memory(err);
    runs->items[runs->count] = document->tree;
    runs->files[runs->count++] = file;
    document->tree = NULL;
    return CB_OK;
}

bool cb_run_left_out(const struct cb_err *why, bool named)
{
    if (named || why->status != CB_USAGE)
        return false;
    cb_text_print(stderr, "Warning: a run is left out: %s\n", why->text);
    return true;
}

/* Appends those before the first that has to be read and could not, of which err is; of the last
 * that was left out, if there is no other. */
static enum cb_status append_read(struct cb_runs *runs, struct reading *r, int n,
                                  struct cb_err *err)
{
    enum cb_status status = CB_OK;
    int left_out = -1;
    for (int i = 0; i < n; i++) {
        if (status == CB_OK && r->errs[i].status == CB_OK) {
            status = append(runs, &r->documents[i], err);
        } else if (status == CB_OK &&
                   cb_run_left_out(&r->errs[i], !r->optional || !r->optional[i])) {
            left_out = i;
        } else if (status == CB_OK) {
            *err = r->errs[i];
            status = err->status;
        }
        cb_run_document_free(&r->documents[i]);
    }
    if (status == CB_OK && runs->count == 0 && left_out >= 0) {
        *err = r->errs[left_out];
        status = err->status;
    }
    return status;
}

/* Reads the runs of these paths, one or more, and appends them; those that are optional if they can
 * be read. */
static enum cb_status append_runs(struct cb_runs *runs, char *const *paths, const bool *optional,
                                  int n, struct cb_err *err)
{
    struct reading r = {paths, optional, calloc((size_t)n, sizeof *r.documents),
                        calloc((size_t)n, sizeof *r.errs)};
    enum cb_status status;
    if (r.documents && r.errs && make_room(runs, n)) {
        cb_parallel_for((unsigned)n, read_one, &r);
        if (!runs->folder[0])
            snprintf(runs->folder, sizeof runs->folder, "%s",
                     r.errs[0].status == CB_OK ? r.documents[0].folder : paths[0]);
        status = append_read(runs, &r, n, err);
    } else {
        status = cb_no_memory(err);
    }
    free(r.documents);
    free(r.errs);
    return status;
}

/* ---- Finding --------------------------------------------------------------------------------- */

/* The document of entry, if it is a run in folder and no link to one. */
static bool is_run(const char *folder, const char *entry, char *file)
{
    char path[PATH_BYTES];
    struct stat info;
    return entry[0] != '.' && snprintf(path, PATH_BYTES, "%s/%s", folder, entry) < PATH_BYTES &&
           lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && cb_run_document_in(path, file);
}

/* Visits the runs in a folder that is none itself; CB_SKIPPED: there are none. */
static enum cb_status visit_folder(const char *folder, cb_run_visit *visit, void *context,
                                   struct cb_err *err)
{
    char path[PATH_BYTES];
    struct dirent **entries = NULL;
    enum cb_status status = CB_SKIPPED;
    int n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if ((status == CB_OK || status == CB_SKIPPED) && is_run(folder, entries[i]->d_name, path))
            status = visit(context, path, folder, err);
        free(entries[i]);
    }
    free(entries);
    return status;
}

int cb_runs_names(const char *folder, char ***names)
{
    char path[PATH_BYTES];
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, NULL, alphasort), count = 0;
    *names = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof **names);
    bool has_latest =
        snprintf(path, sizeof path, "%s/latest", folder) < PATH_BYTES && cb_run_has_document(path);
    if (*names && has_latest)
        count += ((*names)[0] = strdup("latest")) != NULL;
    for (int i = 0; i < n; i++) {
        if (*names && is_run(folder, entries[i]->d_name, path))
            count += ((*names)[count] = strdup(entries[i]->d_name)) != NULL;
        free(entries[i]);
    }
    free(entries);
    return count;
}

static bool is_folder_of_runs(const char *path)
{
    return !cb_run_has_document(path) && is_folder(path);
}

enum cb_status cb_runs_visit(char *const *paths, int n, cb_run_visit *visit, void *context,
                             struct cb_err *err)
{
    enum cb_status status = CB_OK;
    for (int i = 0; i < n && status == CB_OK; i++) {
        status = is_folder_of_runs(paths[i]) ? visit_folder(paths[i], visit, context, err)
                                             : visit(context, paths[i], NULL, err);
        if (status == CB_SKIPPED && n == 1) /* says which run may be meant */
            status = visit(context, paths[i], NULL, err);
        else if (status == CB_SKIPPED)
            cb_text_print(stderr, "Warning: no run in %s\n", paths[i]);
        status = status == CB_SKIPPED ? CB_OK : status;
    }
    return status;
}

/* ---- All ------------------------------------------------------------------------------------- */

struct listing {
    cb_run_wanted *wanted;
    const void *context;
    char **paths;
    bool *optional; /* whether each was found in a folder */
    int n;
};

static enum cb_status list_run(void *self, const char *path, const char *folder, struct cb_err *err)
{
    struct listing *l = self;
    if (folder && l->wanted && !l->wanted(l->context, path))
        return CB_OK;
    char **paths = realloc(l->paths, sizeof *paths * (size_t)(l->n + 1));
    l->paths = paths ? paths : l->paths;
    bool *optional = realloc(l->optional, sizeof *optional * (size_t)(l->n + 1));
    l->optional = optional ? optional : l->optional;
    if (!paths || !optional || !(paths[l->n] = strdup(path)))
        return cb_no_memory(err);
    optional[l->n++] = folder != NULL;
    return CB_OK;
}

enum cb_status cb_runs_load_wanted(char *const *paths, int n, cb_run_wanted *wanted,
                                   const void *context, struct cb_runs *runs, struct cb_err *err)
{
    struct listing l = {.wanted = wanted, .context = context};
    *runs = (struct cb_runs){0};
    if (n > 0 && is_folder_of_runs(paths[0]))
        snprintf(runs->folder, sizeof runs->folder, "%s", paths[0]);
    enum cb_status status = cb_runs_visit(paths, n, list_run, &l, err);
    if (status == CB_OK && l.n == 0)
        status = cb_fail(err, CB_USAGE, CB_NO_RUNS);
    if (status == CB_OK)
        status = append_runs(runs, l.paths, l.optional, l.n, err);
    while (l.n > 0)
        free(l.paths[--l.n]);
    free(l.paths);
    free(l.optional);
    return status;
}

enum cb_status cb_runs_load(char *const *paths, int n, struct cb_runs *runs, struct cb_err *err)
{
    return cb_runs_load_wanted(paths, n, NULL, NULL, runs, err);
}

static const char *start_of(const cJSON *run)
{
    return cb_json_text(cJSON_GetObjectItemCaseSensitive(run, "time"), "start", "");
}

void cb_runs_sort(struct cb_runs *runs)
{
    for (int i = 1; i < runs->count; i++) {
        cJSON *run = runs->items[i];
        char *file = runs->files[i];
        int k = i;
        for (; k > 0 && strcmp(start_of(runs->items[k - 1]), start_of(run)) > 0; k--) {
            runs->items[k] = runs->items[k - 1];
            runs->files[k] = runs->files[k - 1];
        }
        runs->items[k] = run;
        runs->files[k] = file;
    }
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

enum cb_status cb_runs_find(struct cb_runs *runs, const char *text, int *index, struct cb_err *err)
{
    for (*index = 0; *index < runs->count; ++*index)
        if (strcmp(cb_json_text(runs->items[*index], "run_id", ""), text) == 0)
            return CB_OK;
    char *path = strdup(text);
    enum cb_status status = path ? append_runs(runs, &path, NULL, 1, err) : cb_no_memory(err);
    free(path);
    if (status != CB_OK)
        return status;
    int last = runs->count - 1;
    for (*index = 0; *index < last && !is_same_file(runs->files[*index], runs->files[last]);)
        ++*index;
    if (*index < last) { /* it was there under another path */
        cJSON_Delete(runs->items[last]);
        free(runs->files[last]);
        runs->count = last;
    }
    return CB_OK;
}

void cb_runs_free(struct cb_runs *runs)
{
    for (int i = 0; i < runs->count; i++) {
        cJSON_Delete(runs->items[i]);
        free(runs->files[i]);
    }
    for (int i = 0; i < runs->n_older; i++)
        cJSON_Delete(runs->older[i]);
    free(runs->items);
    free(runs->files);
    free(runs->older);
    *runs = (struct cb_runs){0};
}
