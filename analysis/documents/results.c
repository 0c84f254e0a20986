/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/results.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/documents/disturbed.h"
#include "analysis/documents/environment.h"
#include "analysis/documents/findings.h"
#include "analysis/documents/folder.h"
#include "analysis/documents/row_json.h"
#include "analysis/documents/summary.h"
#include "measure/text/csv.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"
#include "runtime/host/time.h"

#define PATH_BYTES        1024
#define REWRITE_PERIOD_NS 1000000000u
#define REWRITE_SHARE     50 /* writing run.json takes one part in so many of a long run's time */

struct placed {
    int index; /* in the plan */
    cJSON *object;
};

struct cb_results {
    char folder[PATH_BYTES];
    FILE *events;
    cJSON *document;       /* cases hold their samples, in the order of the plan */
    struct placed *placed; /* the cases of the document, in its order */
    int n_placed;
    uint64_t start_ns;   /* start of the first call, if this one resumes it */
    uint64_t rewrite_ns; /* when run.json is written again */
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

/* References to the items of a case. */
static cJSON *without_samples(const cJSON *object)
{
    cJSON *copy = cJSON_CreateObject(), *item;
    cJSON_ArrayForEach (item, object)
        if (strcmp(item->string, "samples") != 0)
            cJSON_AddItemReferenceToObject(copy, item->string, item);
    return copy;
}

void cb_results_print(FILE *out, const cJSON *document)
{
    cJSON *copy = cJSON_CreateObject(), *item;
    const cJSON *c;
    cJSON_ArrayForEach (item, document) {
        if (strcmp(item->string, "cases") != 0) {
            cJSON_AddItemReferenceToObject(copy, item->string, item);
            continue;
        }
        cJSON *cases = cJSON_AddArrayToObject(copy, "cases");
        cJSON_ArrayForEach (c, item)
            cJSON_AddItemToArray(cases, without_samples(c));
    }
    char *text = cJSON_Print(copy);
    if (text)
        fprintf(out, "%s\n", text);
    free(text);
    cJSON_Delete(copy);
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Opens events.jsonl and locks it, until the program ends in whatever way. What killed processes
 * have left unfinished goes away. */
static enum cb_status open_events(struct cb_results *r, struct cb_err *err)
{
    char path[PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/events.jsonl", r->folder);
    r->events = fopen(path, "ae");
    if (!r->events)
        return cannot_write(path, err);
    if (cb_run_lock(r->events, path, r->folder, err) != CB_OK)
        return err->status;
    cb_run_sweep(r->folder);
    return CB_OK;
}

static bool holds_run(const struct cb_results *r)
{
    struct stat events = {0};
    return cb_run_has_document(r->folder) ||
           (r->events && fstat(fileno(r->events), &events) == 0 && events.st_size > 0);
}

/* Opens the events in the folder of a new run. It may hold the start of a run that was killed
 * before its document, and so any row, was written. */
static enum cb_status open_new_events(struct cb_results *r, struct cb_err *err)
{
    if (!holds_run(r) && open_events(r, err) != CB_OK)
        return err->status;
    if (holds_run(r)) /* perhaps since then */
        return cb_fail(err, CB_ERROR,
                       "%s holds a run already; choose another --run-id, or complete it with "
                       "--resume",
                       r->folder);
    return CB_OK;
}

static enum cb_status write_document(struct cb_results *r, struct cb_err *err)
{
    uint64_t before = cb_now_ns();
    cb_summary_update(r->document);
    enum cb_status status = replace_file(r, "run.json", cb_results_print, err);
    uint64_t now = cb_now_ns(), rest = REWRITE_SHARE * (now - before);
    r->rewrite_ns = now + (rest > REWRITE_PERIOD_NS ? rest : REWRITE_PERIOD_NS);
    return status;
}

cJSON *cb_results_begin(cJSON *invocation, cJSON *devices)
{
    char now[32];
    cb_utc_now(now);
    cJSON *document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "schema", "coopbench-run");
    cJSON_AddStringToObject(document, "schema_version", "2.2");
    cJSON_AddStringToObject(document, "run_id", "");
    cJSON_AddFalseToObject(document, "complete");
    cJSON_AddNullToObject(document, "exit_code");
    cJSON_AddItemToObject(document, "tool", cb_environment_tool());
    cJSON_AddItemToObject(document, "invocation", invocation);
    cJSON_AddStringToObject(cJSON_AddObjectToObject(document, "time"), "start", now);
    cJSON_AddItemToObject(document, "host", cb_environment_host());
    cJSON_AddItemToObject(document, "devices", devices ? devices : cJSON_CreateArray());
    cJSON_AddArrayToObject(document, "cases");
    cb_json_clean(document);
    return document;
}

static struct cb_results *new_results(cJSON *document, uint64_t start_ns)
{
    struct cb_results *r = calloc(1, sizeof *r);
    if (r) {
        r->document = document;
        r->start_ns = start_ns;
    } else {
        cJSON_Delete(document);
    }
    return r;
}

enum cb_status cb_results_open(struct cb_results **out, const char *output_dir, const char *run_id,
                               cJSON *document, struct cb_err *err)
{
    char id[CB_RUN_ID_BYTES];
    struct cb_results *r = *out = new_results(document, cb_now_ns());
    if (!r)
        return cb_no_memory(err);
    cb_run_id_make(id, sizeof id);
    cJSON_ReplaceItemInObjectCaseSensitive(document, "run_id",
                                           cJSON_CreateString(run_id ? run_id : id));
    if (run_id && cb_run_id_check(run_id, err) != CB_OK)
        return err->status;
    int n = snprintf(r->folder, sizeof r->folder, "%s/%s", output_dir, run_id ? run_id : id);
    if (n < 0 || (size_t)n >= sizeof r->folder)
        return cb_fail(err, CB_USAGE, "--output-dir: the path is too long");
    if (cb_make_folders(r->folder, err) != CB_OK)
        return cb_context(err, "no results folder (choose another with --output-dir)");
    if (open_new_events(r, err) != CB_OK || write_document(r, err) != CB_OK)
        return err->status;
    r->rewrite_ns = 0; /* the first row is written at once */
    cb_run_link_latest(output_dir, run_id ? run_id : id);
    cb_sync_folder_of(r->folder);
    return CB_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static bool sync_events(struct cb_results *r)
{
    return fflush(r->events) == 0 && fsync(fileno(r->events)) == 0;
}

/* sync: it is on disk afterwards. */
static enum cb_status append_event(struct cb_results *r, const cJSON *row, bool sync,
                                   struct cb_err *err)
{
    char *text = cJSON_PrintUnformatted(row);
    bool ok = text && fprintf(r->events, "%s\n", text) > 0 && (!sync || sync_events(r));
    free(text);
    char path[PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/events.jsonl", r->folder);
    return ok ? CB_OK : cannot_write(path, err);
}

/* cJSON_InsertItemInArray walks the list, and in Debian's 1.7.15 refuses all places but the first.
 */
static void link_before(cJSON *array, cJSON *next, cJSON *item)
{
    item->next = next;
    item->prev = next->prev; /* of the first item: the last one */
    if (next == array->child)
        array->child = item;
    else
        next->prev->next = item;
    next->prev = item;
}

/* Puts a case where the plan has it: documents of two runs of one plan can be compared line by
 * line, whatever the order of execution. Takes over the case. */
static enum cb_status insert_case(struct cb_results *r, int index, cJSON *object,
                                  struct cb_err *err)
{
    struct placed *grown = realloc(r->placed, sizeof *grown * (size_t)(r->n_placed + 1));
    if (!grown) {
        cJSON_Delete(object);
        return cb_no_memory(err);
    }
    cJSON *cases = cJSON_GetObjectItemCaseSensitive(r->document, "cases");
    int place = r->n_placed;
    while (place > 0 && grown[place - 1].index > index)
        place--;
    if (place < r->n_placed)
        link_before(cases, grown[place].object, object);
    else
        cJSON_AddItemToArray(cases, object);
    memmove(grown + place + 1, grown + place, sizeof *grown * (size_t)(r->n_placed - place));
    grown[place] = (struct placed){index, object};
    r->placed = grown;
    r->n_placed++;
    return CB_OK;
}

/* Since the run began. */
static double seconds_of(const struct cb_results *r, uint64_t now_ns)
{
    return now_ns > r->start_ns ? (double)(now_ns - r->start_ns) / 1e9 : 0;
}

void cb_results_look(struct cb_results *r, const struct cb_device *device, const cJSON *look)
{
    cb_disturbed_note(r->document, device->id, look, r->start_ns);
}

enum cb_status cb_results_add(struct cb_results *r, const struct cb_row *row, struct cb_err *err)
{
    cJSON *object = cb_row_to_json(row);
    cJSON_AddNumberToObject(object, "begin_s", seconds_of(r, row->begin_ns));
    cJSON_AddNumberToObject(object, "end_s", seconds_of(r, row->end_ns));
    cb_json_clean(object);
    cb_disturbed_mark_row(r->document, object);
    enum cb_status status = insert_case(r, row->index, object, err);
    if (status == CB_OK)
        status = append_event(r, object, row->status != CB_INTERRUPTED, err);
    if (status == CB_OK && cb_now_ns() > r->rewrite_ns)
        status = write_document(r, err);
    return status;
}

/* ---- Resuming -------------------------------------------------------------------------------- */

/* Seconds since the time (UTC) of a document's key. */
static double seconds_since(const char *utc)
{
    struct tm then = {0};
    return strptime(utc, "%Y-%m-%dT%H:%M:%SZ", &then) ? difftime(time(NULL), timegm(&then)) : 0;
}

/* The document as it was, but for its cases and its end. */
static cJSON *reopen_document(const struct cb_earlier *earlier)
{
    static const char *const ends[] = {"end", "wall_s"};
    char now[32];
    cJSON *document = cJSON_Duplicate(earlier->document, true);
    cJSON *time = cJSON_GetObjectItemCaseSensitive(document, "time");
    cJSON *resumed = cJSON_GetObjectItemCaseSensitive(time, "resumed");
    cb_utc_now(now);
    for (size_t i = 0; i < CB_COUNTOF(ends); i++)
        cJSON_DeleteItemFromObjectCaseSensitive(time, ends[i]);
    cJSON_AddItemToArray(resumed ? resumed : cJSON_AddArrayToObject(time, "resumed"),
                         cJSON_CreateString(now));
    cJSON_ReplaceItemInObjectCaseSensitive(document, "complete", cJSON_CreateFalse());
    cJSON_ReplaceItemInObjectCaseSensitive(document, "exit_code", cJSON_CreateNull());
    cJSON_ReplaceItemInObjectCaseSensitive(document, "cases", cJSON_CreateArray());
    cJSON_DeleteItemFromObjectCaseSensitive(document, "findings");
    return document;
}

/* The rows that are kept, in a file that replaces the one they were read from when all are on disk.
 * It is locked before: nobody finds the run without a lock. */
static enum cb_status rewrite_events(struct cb_results *r, const struct cb_plan *plan,
                                     struct cb_err *err)
{
    char path[PATH_BYTES + 16], new[PATH_BYTES + 32];
    enum cb_status status;
    snprintf(path, sizeof path, "%s/events.jsonl", r->folder);
    snprintf(new, sizeof new, "%s.new", path);
    r->events = fopen(new, "we");
    status = r->events ? cb_run_lock(r->events, new, r->folder, err) : cannot_write(new, err);
    for (int i = 0; i < plan->count && status == CB_OK; i++)
        if (plan->cases[i].kept) {
            status = insert_case(r, i, cJSON_Duplicate(plan->cases[i].kept, true), err);
            if (status == CB_OK)
                status = append_event(r, plan->cases[i].kept, false, err);
        }
    if (status == CB_OK && !sync_events(r))
        status = cannot_write(new, err);
    if (status == CB_OK && rename(new, path) != 0)
        status = cannot_write(path, err);
    if (status == CB_OK)
        cb_sync_folder_of(path);
    return status;
}

enum cb_status cb_results_resume(struct cb_results **out, const struct cb_earlier *earlier,
                                 const struct cb_plan *plan, struct cb_err *err)
{
    cJSON *document = reopen_document(earlier);
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(document, "time");
    double since_s = fmax(0, seconds_since(cb_json_text(time, "start", ""))); /* another host's */
    struct cb_results *r = *out = new_results(document, cb_now_ns() - (uint64_t)(since_s * 1e9));
    if (!r)
        return cb_no_memory(err);
    if (snprintf(r->folder, sizeof r->folder, "%s", earlier->folder) >= (int)sizeof r->folder)
        return cb_fail(err, CB_USAGE, "--resume: the path is too long");
    cb_run_sweep(r->folder);
    if (rewrite_events(r, plan, err) != CB_OK)
        return err->status;
    return write_document(r, err);
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
    cb_json_clean(devices);
    cJSON_ReplaceItemInObjectCaseSensitive(r->document, "devices", devices);
    cb_summary_update(r->document);
    cb_findings_update(r->document);
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
    free(r->placed);
    free(r);
}
