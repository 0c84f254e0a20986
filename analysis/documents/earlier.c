/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/earlier.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/document.h"
#include "analysis/documents/folder.h"
#include "analysis/documents/old_schema.h"
#include "analysis/documents/row_json.h"
#include "measure/engine.h"
#include "measure/text/json.h"
#include "measure/text/lines.h"

/* ---- Reading --------------------------------------------------------------------------------- */

static enum cb_status read_document(struct cb_earlier *e, struct cb_err *err)
{
    char path[PATH_MAX];
    cb_run_document_in(e->folder, path); /* if it is gone by now, reading says so */
    return cb_run_document_read(path, &e->document, err) == CB_OK ? CB_OK
                                                                  : cb_context(err, "--resume");
}

static enum cb_status add_row(struct cb_earlier *e, const struct cb_lines *line, struct cb_err *err)
{
    cJSON *row = strlen(line->text) == line->length ? cJSON_Parse(line->text) : NULL;
    const char *flaw = row ? cb_row_flaw(row) : "it is not JSON";
    cb_json_clean(row);
    cb_row_renew(row);
    cJSON_AddItemToArray(e->rows, row);
    if (!flaw)
        return CB_OK;
    return cb_fail(err, CB_USAGE,
                   "--resume: %s:%d: damaged: %s; without this line, its case is measured anew",
                   line->path, line->number, flaw);
}

static enum cb_status read_rows(struct cb_earlier *e, struct cb_err *err)
{
    char path[PATH_MAX];
    struct cb_lines lines;
    snprintf(path, sizeof path, "%s/events.jsonl", e->folder);
    e->rows = cJSON_CreateArray();
    enum cb_status status = cb_lines_open(&lines, path, err);
    if (status == CB_SKIPPED)
        status = cb_fail(err, CB_USAGE, "--resume needs the run's samples: there is no %s", path);
    while (status == CB_OK && cb_lines_next(&lines))
        if (lines.whole) /* else it was cut short */
            status = add_row(e, &lines, err);
    enum cb_status closed = cb_lines_close(&lines);
    return status == CB_OK ? closed : status;
}

static enum cb_status read_run(struct cb_earlier *e, struct cb_err *err)
{
    return read_document(e, err) == CB_OK ? read_rows(e, err) : err->status;
}

enum cb_status cb_earlier_load(struct cb_earlier *e, const char *output_dir, const char *run,
                               struct cb_err *err)
{
    *e = (struct cb_earlier){0};
    return cb_run_find(output_dir, run, &e->folder, err) == CB_OK ? read_run(e, err) : err->status;
}

enum cb_status cb_earlier_lock(struct cb_earlier *e, const char *output_dir, const char *run,
                               struct cb_err *err)
{
    char path[PATH_MAX];
    *e = (struct cb_earlier){0};
    if (cb_run_find(output_dir, run, &e->folder, err) != CB_OK)
        return err->status;
    snprintf(path, sizeof path, "%s/events.jsonl", e->folder);
    e->lock = fopen(path, "r+e");
    if (!e->lock && errno != ENOENT) /* which read_rows() explains */
        return cb_fail(err, CB_ERROR, "cannot write %s: %s", path, strerror(errno));
    if (e->lock && cb_run_lock(e->lock, path, e->folder, err) != CB_OK)
        return err->status;
    return read_run(e, err);
}

void cb_earlier_free(struct cb_earlier *e)
{
    if (e->lock)
        fclose(e->lock);
    free(e->folder);
    cJSON_Delete(e->document);
    cJSON_Delete(e->rows);
    *e = (struct cb_earlier){0};
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* "coopbench multitask --tasks 5": how the run was called. */
static void print_call(const struct cb_earlier *e, char *text, size_t size)
{
    const cJSON *word, *invocation = cJSON_GetObjectItemCaseSensitive(e->document, "invocation");
    size_t n = (size_t)snprintf(text, size, "coopbench");
    cJSON_ArrayForEach (word, cJSON_GetObjectItemCaseSensitive(invocation, "argv"))
        if (n < size)
            n += (size_t)snprintf(text + n, size - n, " %s", cb_json_item_text(word));
}

/* Says that something was one thing and is another. Either may be NULL. */
static enum cb_status differs(const struct cb_earlier *e, const char *what, const cJSON *was,
                              const cJSON *is, struct cb_err *err)
{
    char call[1024], *before = was ? cJSON_PrintUnformatted(was) : NULL,
                     *now = is ? cJSON_PrintUnformatted(is) : NULL;
    print_call(e, call, sizeof call);
    cb_fail(err, CB_USAGE,
            "--resume: %s was %.200s in %s and is %.200s now\n  A run is completed as it was begun "
            "(%s), or measured anew without --resume",
            what, before ? before : "not given", e->folder, now ? now : "not given", call);
    free(before);
    free(now);
    return CB_USAGE;
}

static enum cb_status check_key(const struct cb_earlier *e, const cJSON *was, const cJSON *is,
                                const char *key, const char *what, struct cb_err *err)
{
    const cJSON *a = cJSON_GetObjectItemCaseSensitive(was, key);
    const cJSON *b = cJSON_GetObjectItemCaseSensitive(is, key);
    return (!a && !b) || cJSON_Compare(a, b, true) ? CB_OK : differs(e, what, a, b, err);
}

/* Options that do not change what is measured, or (devices, seed) are looked at by what they mean.
 */
static bool is_free(const char *option)
{
    static const char *const names[] = {"help",       "device",   "gpu",       "cpu",    "dry-run",
                                        "output-dir", "run-id",   "label",     "json",   "csv",
                                        "quiet",      "progress", "max-kills", "resume", "seed"};
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        if (strcmp(names[i], option) == 0)
            return true;
    return false;
}

/* All keys of either object; dashes: these are options. */
static enum cb_status check_keys(const struct cb_earlier *e, const cJSON *was, const cJSON *is,
                                 const char *dashes, struct cb_err *err)
{
    const cJSON *const both[] = {was, is}, *item;
    char what[128];
    for (size_t i = 0; i < CB_COUNTOF(both); i++)
        cJSON_ArrayForEach (item, both[i]) {
            snprintf(what, sizeof what, "%s%s", dashes, item->string);
            if (!(*dashes && is_free(item->string)) &&
                check_key(e, was, is, item->string, what, err) != CB_OK)
                return err->status;
        }
    return CB_OK;
}

static enum cb_status check_entries(const struct cb_earlier *e, const cJSON *was, const cJSON *is,
                                    struct cb_err *err)
{
    if (cJSON_GetArraySize(was) != cJSON_GetArraySize(is))
        return differs(e, "the suite", was, is, err);
    const cJSON *a, *b = is ? is->child : NULL;
    for (a = was ? was->child : NULL; a && b; a = a->next, b = b->next) {
        if (check_key(e, a, b, "bench", "the benchmark", err) != CB_OK ||
            check_keys(e, cJSON_GetObjectItemCaseSensitive(a, "options"),
                       cJSON_GetObjectItemCaseSensitive(b, "options"), "--", err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* The id of the first device of a document that the run has not measured, or NULL. */
static const cJSON *another_device(const struct cb_earlier *e, const cJSON *document)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(document, "devices"))
        if (!cb_json_device(e->document, cb_json_text(device, "id", "")))
            return cJSON_GetObjectItemCaseSensitive(device, "id");
    return NULL;
}

static enum cb_status check_devices(const struct cb_earlier *e, const cJSON *document,
                                    struct cb_err *err)
{
    static const char *const keys[] = {"name", "driver_version", "device_version",
                                       "platform_version", "compute_units"};
    const cJSON *device;
    char what[256];
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(e->document, "devices"))
        if (!cb_json_device(document, cb_json_text(device, "id", "")))
            return differs(e, "the device", cJSON_GetObjectItemCaseSensitive(device, "id"),
                           another_device(e, document), err);
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(document, "devices")) {
        const cJSON *before = cb_json_device(e->document, cb_json_text(device, "id", ""));
        for (size_t i = 0; i < CB_COUNTOF(keys); i++) {
            snprintf(what, sizeof what, "%s of the device %.100s", keys[i],
                     cb_json_text(device, "name", ""));
            if (check_key(e, before, device, keys[i], what, err) != CB_OK)
                return err->status;
        }
    }
    return CB_OK;
}

enum cb_status cb_earlier_check(const struct cb_earlier *e, const cJSON *document,
                                struct cb_err *err)
{
    static const struct {
        const char *key, *what;
    } tools[] = {{"version", "the version of coopbench"},
                 {"git_sha", "the commit of coopbench"},
                 {"git_dirty", "whether coopbench was built with changes"},
                 {"kernels", "the digest of the kernels"}};
    const cJSON *was = cJSON_GetObjectItemCaseSensitive(e->document, "tool");
    const cJSON *is = cJSON_GetObjectItemCaseSensitive(document, "tool");
    for (size_t i = 0; i < CB_COUNTOF(tools); i++)
        if (check_key(e, was, is, tools[i].key, tools[i].what, err) != CB_OK)
            return err->status;
    was = cJSON_GetObjectItemCaseSensitive(e->document, "invocation");
    is = cJSON_GetObjectItemCaseSensitive(document, "invocation");
    if (check_entries(e, cJSON_GetObjectItemCaseSensitive(was, "entries"),
                      cJSON_GetObjectItemCaseSensitive(is, "entries"), err) != CB_OK ||
        check_keys(e, cJSON_GetObjectItemCaseSensitive(was, "settings"),
                   cJSON_GetObjectItemCaseSensitive(is, "settings"), "--", err) != CB_OK ||
        check_key(e, was, is, "seed", "--seed", err) != CB_OK ||
        check_keys(e, cJSON_GetObjectItemCaseSensitive(was, "environment"),
                   cJSON_GetObjectItemCaseSensitive(is, "environment"), "", err) != CB_OK)
        return err->status;
    return check_devices(e, document, err);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static struct cb_case *case_of(struct cb_case **sorted, int n, const cJSON *row)
{
    const char *id = cb_json_text(row, "id", ""), *device = cb_json_text(row, "device", "");
    int first = 0;
    for (int end = n; first < end;) {
        int middle = first + (end - first) / 2;
        int order = strcmp(sorted[middle]->id, id);
        order = order ? order : strcmp(sorted[middle]->device->id, device);
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    bool found = first < n && strcmp(sorted[first]->id, id) == 0 &&
                 strcmp(sorted[first]->device->id, device) == 0;
    return found ? sorted[first] : NULL;
}

static enum cb_status check_params(const struct cb_earlier *e, const cJSON *row,
                                   const struct cb_case *c, struct cb_err *err)
{
    const cJSON *was = cJSON_GetObjectItemCaseSensitive(row, "params");
    cJSON *is = cJSON_Duplicate(c->params, true);
    cb_json_clean(is); /* as the row was stored */
    enum cb_status status = cJSON_Compare(was, is, true) ? CB_OK : differs(e, c->id, was, is, err);
    cJSON_Delete(is);
    return status;
}

/* Whether to measure it again would give nothing new. */
static bool is_final(const cJSON *row)
{
    const char *status = cb_json_text(row, "status", "");
    return strcmp(status, "ok") == 0 || strcmp(status, "unsupported") == 0;
}

/* Drops the rows of a group of which one is missing, or needs one that is. */
static void keep_whole(struct cb_plan *plan, int first, int end)
{
    bool whole = true;
    for (int i = first; i < end; i++) {
        const struct cb_case *c = &plan->cases[i];
        whole = whole && c->kept && (c->needs < 0 || plan->cases[c->needs].kept);
    }
    for (int i = first; i < end && !whole; i++)
        plan->cases[i].kept = NULL;
}

static enum cb_status keep_rows(const struct cb_earlier *e, struct cb_case **sorted, int n,
                                struct cb_err *err)
{
    const cJSON *row;
    cJSON_ArrayForEach (row, e->rows) {
        struct cb_case *c = case_of(sorted, n, row);
        if (!c)
            return cb_fail(err, CB_USAGE, "--resume: %s has a case that is not planned now: %s",
                           e->folder, cb_json_text(row, "id", "?"));
        if (check_params(e, row, c, err) != CB_OK)
            return err->status;
        c->kept = is_final(row) ? row : NULL;
    }
    return CB_OK;
}

enum cb_status cb_earlier_keep(const struct cb_earlier *e, struct cb_plan *plan, struct cb_err *err)
{
    struct cb_case **sorted = cb_plan_sorted(plan);
    enum cb_status status = sorted ? keep_rows(e, sorted, plan->count, err) : cb_no_memory(err);
    free(sorted);
    for (int i = 0, end; status == CB_OK && i < plan->count; i = end)
        keep_whole(plan, i, end = cb_group_end(plan, i));
    return status;
}
