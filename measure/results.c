/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure/csv.h"
#include "measure/environment.h"
#include "measure/json.h"
#include "measure/row_json.h"
#include "runtime/files.h"
#include "runtime/time.h"

#define PATH_BYTES        1024
#define RUN_ID_BYTES      128
#define REWRITE_PERIOD_NS 1000000000u

struct cb_results {
    char folder[PATH_BYTES];
    FILE *events;
    cJSON *document; /* cases hold their samples, in the order of the plan */
    int *indices;    /* in the plan, of the cases in the document */
    int n_indices;
    uint64_t start_ns;
    uint64_t written_ns; /* when run.json was written last */
};

/* ---- Writing --------------------------------------------------------------------------------- */

static enum cb_status cannot_write(const char *path, struct cb_err *err)
{
    return cb_fail(err, CB_ERROR, "cannot write %s: %s", path, strerror(errno));
}

static enum cb_status replace_file(const struct cb_results *r, const char *name,
                                   void (*write)(FILE *out, const cJSON *document),
                                   struct cb_err *err)
{
    char path[PATH_BYTES + 32];
    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    return cb_replace_file(path, write, r->document, err);
}

void cb_results_print(FILE *out, const cJSON *document)
{
    cJSON *copy = cJSON_Duplicate(document, true), *c;
    cJSON_ArrayForEach (c, cJSON_GetObjectItemCaseSensitive(copy, "cases"))
        cJSON_DeleteItemFromObjectCaseSensitive(c, "samples");
    char *text = cJSON_Print(copy);
    if (text)
        fprintf(out, "%s\n", text);
    free(text);
    cJSON_Delete(copy);
}

/* ---- Opening --------------------------------------------------------------------------------- */

static void make_run_id(char *text, size_t size)
{
    char now[32];
    cb_utc_now(now);
    char *to = now; /* 2026-11-20T07:10:33Z -> 20261120T071033Z */
    for (const char *from = now; *from; from++)
        if (*from != '-' && *from != ':')
            *to++ = *from;
    *to = '\0';
    cJSON *host = cb_environment_host();
    const char *name = cb_json_text(host, "hostname", "host");
    uint64_t unique = cb_now_ns() * 0x9e3779b97f4a7c15u ^ ((uint64_t)getpid() << 32);
    snprintf(text, size, "%s-%.40s-%08x", now, name, (unsigned)(unique >> 32));
    cJSON_Delete(host);
}

/* A name that stays in the folder and needs no quotes anywhere. */
static enum cb_status check_run_id(const char *id, struct cb_err *err)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (id[0] && id[0] != '.' && id[0] != '-' && strspn(id, allowed) == strlen(id) &&
        strlen(id) < RUN_ID_BYTES)
        return CB_OK;
    return cb_fail(err, CB_USAGE,
                   "--run-id: expected at most %d letters, digits, '.', '_' and '-', starting with "
                   "a letter or digit, got \"%s\"",
                   RUN_ID_BYTES - 1, id);
}

/* Points <output_dir>/latest at the run; a convenience, so failing is not an error. */
static void link_latest(const char *output_dir, const char *run_id)
{
    char link[PATH_BYTES + 8], temporary[PATH_BYTES + 32];
    snprintf(link, sizeof link, "%s/latest", output_dir);
    snprintf(temporary, sizeof temporary, "%s/.latest-%d", output_dir, (int)getpid());
    if (symlink(run_id, temporary) == 0 && rename(temporary, link) != 0)
        unlink(temporary);
}

static enum cb_status open_events(struct cb_results *r, struct cb_err *err)
{
    char path[PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/events.jsonl", r->folder);
    r->events = fopen(path, "wx");
    if (r->events)
        return CB_OK;
    if (errno == EEXIST)
        return cb_fail(err, CB_ERROR, "%s holds a run already; choose another --run-id", r->folder);
    return cannot_write(path, err);
}

static cJSON *new_document(const char *run_id, cJSON *invocation)
{
    char now[32];
    cb_utc_now(now);
    cJSON *document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "schema", "coopbench-run");
    cJSON_AddStringToObject(document, "schema_version", "1.1");
    cJSON_AddStringToObject(document, "run_id", run_id);
    cJSON_AddFalseToObject(document, "complete");
    cJSON_AddNullToObject(document, "exit_code");
    cJSON_AddItemToObject(document, "tool", cb_environment_tool());
    cJSON_AddItemToObject(document, "invocation", invocation);
    cJSON_AddStringToObject(cJSON_AddObjectToObject(document, "time"), "start", now);
    cJSON_AddItemToObject(document, "host", cb_environment_host());
    cJSON_AddArrayToObject(document, "devices");
    cJSON_AddArrayToObject(document, "cases");
    return document;
}

enum cb_status cb_results_open(struct cb_results **out, const char *output_dir, const char *run_id,
                               cJSON *invocation, struct cb_err *err)
{
    char id[RUN_ID_BYTES];
    struct cb_results *r = *out = calloc(1, sizeof *r);
    if (!r)
        return cb_fail(err, CB_ERROR, "out of memory");
    make_run_id(id, sizeof id);
    r->document = new_document(run_id ? run_id : id, invocation);
    r->start_ns = cb_now_ns();
    if (run_id && check_run_id(run_id, err) != CB_OK)
        return err->status;
    int n = snprintf(r->folder, sizeof r->folder, "%s/%s", output_dir, run_id ? run_id : id);
    if (n < 0 || (size_t)n >= sizeof r->folder)
        return cb_fail(err, CB_USAGE, "--output-dir: the path is too long");
    if (cb_make_folders(r->folder, err) != CB_OK)
        return cb_context(err, "no results folder (choose another with --output-dir)");
    if (open_events(r, err) != CB_OK)
        return err->status;
    link_latest(output_dir, run_id ? run_id : id);
    return CB_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

void cb_results_count(struct cb_results *r)
{
    static const enum cb_status counted[] = {
        CB_OK,      CB_UNSUPPORTED, CB_SKIPPED,       CB_ERROR,
        CB_CRASHED, CB_TIMEOUT,     CB_VERIFY_FAILED, CB_INTERRUPTED};
    cJSON *summary = cJSON_CreateObject();
    const cJSON *c, *cases = cJSON_GetObjectItemCaseSensitive(r->document, "cases");
    cJSON_AddNumberToObject(summary, "cases", cJSON_GetArraySize(cases));
    for (size_t i = 0; i < CB_COUNTOF(counted); i++) {
        int n = 0;
        cJSON_ArrayForEach (c, cases)
            n += cb_status_from_name(cb_json_text(c, "status", NULL)) == counted[i];
        cJSON_AddNumberToObject(summary, cb_status_name(counted[i]), n);
    }
    cJSON_DeleteItemFromObjectCaseSensitive(r->document, "summary");
    cJSON_AddItemToObject(r->document, "summary", summary);
}

static enum cb_status append_event(struct cb_results *r, const cJSON *row, struct cb_err *err)
{
    char *text = cJSON_PrintUnformatted(row);
    bool ok = text && fprintf(r->events, "%s\n", text) > 0 && fflush(r->events) == 0 &&
              fsync(fileno(r->events)) == 0;
    free(text);
    char path[PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/events.jsonl", r->folder);
    return ok ? CB_OK : cannot_write(path, err);
}

/* Puts a case where the plan has it: documents of two runs of one plan can be compared line by
 * line, whatever the order of execution. (cJSON_InsertItemInArray before 1.7.16 breaks the list
 * when it inserts at the head: the cases move to a new array instead.) */
static enum cb_status insert_case(struct cb_results *r, int index, cJSON *object,
                                  struct cb_err *err)
{
    int *grown = realloc(r->indices, sizeof *grown * (size_t)(r->n_indices + 1));
    cJSON *cases = cJSON_GetObjectItemCaseSensitive(r->document, "cases");
    cJSON *reordered = cJSON_CreateArray();
    if (!grown || !reordered) {
        cJSON_Delete(object);
        return cb_fail(err, CB_ERROR, "out of memory");
    }
    r->indices = grown;
    int place = 0;
    for (; place < r->n_indices && grown[place] < index; place++)
        cJSON_AddItemToArray(reordered, cJSON_DetachItemFromArray(cases, 0));
    cJSON_AddItemToArray(reordered, object);
    while (cJSON_GetArraySize(cases) > 0)
        cJSON_AddItemToArray(reordered, cJSON_DetachItemFromArray(cases, 0));
    memmove(grown + place + 1, grown + place, sizeof *grown * (size_t)(r->n_indices - place));
    grown[place] = index;
    r->n_indices++;
    cJSON_ReplaceItemInObjectCaseSensitive(r->document, "cases", reordered);
    return CB_OK;
}

enum cb_status cb_results_add(struct cb_results *r, const struct cb_row *row, struct cb_err *err)
{
    cJSON *object = cb_row_to_json(row);
    enum cb_status status = insert_case(r, row->index, object, err);
    if (status == CB_OK)
        status = append_event(r, object, err);
    if (status == CB_OK && cb_now_ns() - r->written_ns > REWRITE_PERIOD_NS) {
        cb_results_count(r);
        status = replace_file(r, "run.json", cb_results_print, err);
        r->written_ns = cb_now_ns();
    }
    return status;
}

/* ---- Finishing ------------------------------------------------------------------------------- */

/* Where the document goes when the folder takes no more. */
static enum cb_status rescue(const struct cb_results *r, struct cb_err *err)
{
    char path[PATH_BYTES], why[512];
    const char *folder = getenv("TMPDIR");
    const char *id = cb_json_text(r->document, "run_id", "");
    snprintf(why, sizeof why, "%.500s", err->text);
    snprintf(path, sizeof path, "%s/coopbench-%s.json", folder && *folder ? folder : "/tmp", id);
    FILE *out = fopen(path, "w");
    if (out) {
        cb_results_print(out, r->document);
        if (cb_close_safely(out))
            return cb_fail(err, CB_ERROR, "%s\n  All finished cases are in %s", why, path);
        unlink(path);
    }
    cb_results_print(stderr, r->document);
    return cb_fail(err, CB_ERROR, "%s\n  All finished cases were printed above", why);
}

enum cb_status cb_results_finish(struct cb_results *r, bool complete, int exit_code, cJSON *devices,
                                 struct cb_err *err)
{
    char now[32];
    cb_utc_now(now);
    cJSON *time = cJSON_GetObjectItemCaseSensitive(r->document, "time");
    cJSON_AddStringToObject(time, "end", now);
    cJSON_AddNumberToObject(time, "wall_s", (double)(cb_now_ns() - r->start_ns) / 1e9);
    cJSON_ReplaceItemInObjectCaseSensitive(r->document, "complete", cJSON_CreateBool(complete));
    cJSON_ReplaceItemInObjectCaseSensitive(r->document, "exit_code", cJSON_CreateNumber(exit_code));
    cJSON_ReplaceItemInObjectCaseSensitive(r->document, "devices", devices);
    cb_results_count(r);
    if (replace_file(r, "run.json", cb_results_print, err) != CB_OK ||
        replace_file(r, "summary.csv", cb_csv_summary, err) != CB_OK ||
        replace_file(r, "samples.csv", cb_csv_samples, err) != CB_OK)
        return rescue(r, err);
    return CB_OK;
}

cJSON *cb_results_document(const struct cb_results *r)
{
    return r->document;
}

const char *cb_results_folder(const struct cb_results *r)
{
    return r->folder;
}

void cb_results_free(struct cb_results *r)
{
    if (!r)
        return;
    if (r->events)
        fclose(r->events);
    cJSON_Delete(r->document);
    free(r->indices);
    free(r);
}

/* ---- Exit code ------------------------------------------------------------------------------- */

int cb_results_exit_code(const cJSON *document, int signal_number)
{
    const cJSON *summary = cJSON_GetObjectItemCaseSensitive(document, "summary");
    /* by precedence: a wrong answer says more than a hang, a hang more than an error */
    static const struct {
        enum cb_status status;
        int code;
    } codes[] = {{CB_VERIFY_FAILED, 3}, {CB_TIMEOUT, 4}, {CB_CRASHED, 1}, {CB_ERROR, 1}};
    if (signal_number)
        return 128 + signal_number;
    for (size_t i = 0; i < CB_COUNTOF(codes); i++)
        if (cb_json_number(summary, cb_status_name(codes[i].status)) > 0)
            return codes[i].code;
    return cb_json_number(summary, "ok") > 0 ? 0 : 77;
}
