/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/document.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/documents/folder.h"
#include "analysis/documents/old_schema.h"
#include "analysis/documents/row_json.h"
#include "measure/text/json.h"
#include "measure/text/json_locate.h"
#include "runtime/host/signals.h"

const struct cb_file_kind cb_run_file = {"a run.json", 400000000};

/* --- Finding ---------------------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* The run in folder whose document is the newest. */
static bool newest_run(const char *folder, char *newest)
{
    DIR *dir = opendir(folder);
    struct timespec best = {0, 0};
    bool found = false;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[PATH_MAX], file[PATH_MAX];
        struct stat info;
        if (entry->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= PATH_MAX ||
            !cb_run_document_in(path, file) || stat(file, &info) != 0)
            continue;
        bool newer = info.st_mtim.tv_sec != best.tv_sec ? info.st_mtim.tv_sec > best.tv_sec
                                                        : info.st_mtim.tv_nsec > best.tv_nsec;
        if (!found || newer) {
            strcpy(newest, path);
            best = info.st_mtim;
        }
        found = true;
    }
    if (dir)
        closedir(dir);
    return found;
}

/* Writes the folder that path lies in. */
static void parent_of(const char *path, char *parent)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    while (n > 1 && path[n - 1] == '/')
        n--;
    if (n == 0)
        snprintf(parent, PATH_MAX, ".");
    else
        snprintf(parent, PATH_MAX, "%.*s", (int)n, path);
}

/* Finds the document that path means, and the folder of the run. */
static enum cb_status locate_run(const char *path, char *file, char *folder, struct cb_err *err)
{
    bool found;
    if (!*path)
        return cb_fail(err, CB_USAGE,
                       "\"\" names no run: expected a folder of runs, that of one "
                       "(results/<run-id>), or its run.json");
    if (strlen(path) + sizeof "/run.json" > PATH_MAX)
        return cb_fail(err, CB_USAGE, "path too long");
    if (is_folder(path)) {
        snprintf(folder, PATH_MAX, "%s", path);
        for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/';)
            folder[--n] = '\0';
        found = cb_run_document_in(folder, file);
    } else {
        snprintf(file, PATH_MAX, "%s", path);
        parent_of(path, folder);
        found = access(file, F_OK) == 0;
    }
    if (found)
        return CB_OK;
    int why = errno;
    char parent[PATH_MAX], grandparent[PATH_MAX], newest[PATH_MAX];
    parent_of(path, parent);
    parent_of(parent, grandparent);
    bool hint =
        newest_run(path, newest) || newest_run(parent, newest) || newest_run(grandparent, newest);
    return cb_fail(err, CB_USAGE,
                   "%s: %s; expected the folder of a run (results/<run-id>) or its run.json%s%s",
                   path, is_folder(path) ? "there is no run.json in it" : strerror(why),
                   hint ? ". The newest run near it is " : "", hint ? newest : "");
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* cJSON is fast; where a text is wrong, cb_json_parse() finds the place. */
static enum cb_status parse(const char *file, const char *text, cJSON **tree, struct cb_err *err)
{
    *tree = cJSON_ParseWithOpts(text, NULL, true);
    if (*tree || cb_json_parse(file, text, tree, err) == CB_OK)
        return CB_OK;
    char why[512];
    snprintf(why, sizeof why, "%.500s", err->text);
    return cb_fail(err, CB_USAGE,
                   "%s\n  It was cut off or edited; a run that was interrupted can "
                   "be completed with --resume",
                   why);
}

static enum cb_status check_schema(const char *file, const cJSON *tree, struct cb_err *err)
{
    if (strcmp(cb_json_text(tree, "schema", ""), "coopbench-run") != 0)
        return cb_fail(err, CB_USAGE, "%s: not a run: \"schema\" is not \"coopbench-run\"", file);
    const char *version = cb_json_text(tree, "schema_version", "");
    if (strncmp(version, "1.", 2) != 0 && strncmp(version, "2.", 2) != 0)
        return cb_fail(err, CB_USAGE, "%s: schema_version \"%s\"; this program reads 1.x and 2.x",
                       file, version);
    if (!cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(tree, "cases")))
        return cb_fail(err, CB_USAGE, "%s: \"cases\" is not an array", file);
    return CB_OK;
}

/* Numbers that contradict each other are nobody's measurement: of such a document, none counts. */
static enum cb_status check_numbers(const char *file, const cJSON *tree, struct cb_err *err)
{
    const cJSON *item, *metric;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(tree, "cases"))
        cJSON_ArrayForEach (metric, cJSON_GetObjectItemCaseSensitive(item, "metrics")) {
            const char *flaw = cb_metric_flaw(metric);
            if (flaw)
                return cb_fail(err, CB_USAGE,
                               "%s: %s of %s: %s\n  It was damaged or edited; take the run anew, "
                               "or from where it is whole",
                               file, cb_json_text(metric, "name", "a metric"),
                               cb_json_text(item, "id", "a case"), flaw);
        }
    return CB_OK;
}

/* The path itself, or this name in output_dir if only that is there. */
enum cb_status cb_run_document_find(const char *path, const char *output_dir,
                                    struct cb_run_document *run, struct cb_err *err)
{
    *run = (struct cb_run_document){0};
    enum cb_status status = locate_run(path, run->file, run->folder, err);
    if (status == CB_OK || !output_dir)
        return status;
    char inside[PATH_MAX];
    struct cb_err second;
    if (snprintf(inside, sizeof inside, "%s/%s", output_dir, path) >= (int)sizeof inside ||
        locate_run(inside, run->file, run->folder, &second) != CB_OK)
        return status;
    *err = (struct cb_err){0};
    return CB_OK;
}

enum cb_status cb_run_document_read(const char *file, cJSON **tree, struct cb_err *err)
{
    char *text = NULL;
    *tree = NULL;
    if (cb_caught_signal())
        return cb_fail(err, CB_INTERRUPTED, "interrupted");
    enum cb_status status = cb_read_file(file, &cb_run_file, &text, err);
    if (status == CB_OK)
        status = parse(file, text, tree, err);
    free(text);
    if (status == CB_OK && cb_caught_signal())
        status = cb_fail(err, CB_INTERRUPTED, "interrupted");
    if (status == CB_OK)
        status = check_schema(file, *tree, err);
    if (status == CB_OK) {
        cb_json_clean(*tree);
        cb_run_renew(*tree);
        status = check_numbers(file, *tree, err);
    }
    if (status != CB_OK) {
        cJSON_Delete(*tree);
        *tree = NULL;
    }
    return status;
}

enum cb_status cb_run_document_load(const char *path, const char *output_dir,
                                    struct cb_run_document *run, struct cb_err *err)
{
    enum cb_status status = cb_run_document_find(path, output_dir, run, err);
    return status == CB_OK ? cb_run_document_read(run->file, &run->tree, err) : status;
}

void cb_run_document_free(struct cb_run_document *run)
{
    cJSON_Delete(run->tree);
    run->tree = NULL;
}
