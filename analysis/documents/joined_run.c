/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/joined_run.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/disturbed.h"
#include "analysis/documents/document.h"
#include "analysis/documents/earlier.h"
#include "analysis/documents/environment.h"
#include "analysis/documents/findings.h"
#include "analysis/documents/row_json.h"
#include "analysis/documents/rows.h"
#include "analysis/documents/summary.h"
#include "measure/identity.h"
#include "measure/text/csv.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"

#define MEDIANS "round_medians"
#define BESTS   "round_bests"
#define SIZES   "round_sizes"

static cJSON *get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static bool is_ok(const cJSON *c)
{
    return strcmp(cb_json_text(c, "status", ""), "ok") == 0;
}

static cJSON *find_case(const cJSON *cases, const cJSON *like)
{
    cJSON *c;
    cJSON_ArrayForEach (c, cases)
        if (strcmp(cb_json_text(c, "id", ""), cb_json_text(like, "id", "")) == 0 &&
            strcmp(cb_json_text(c, "device", ""), cb_json_text(like, "device", "")) == 0)
            return c;
    return NULL;
}

static cJSON *find_metric(const cJSON *c, const char *name)
{
    cJSON *m;
    cJSON_ArrayForEach (m, get(c, "metrics"))
        if (strcmp(cb_json_text(m, "name", ""), name) == 0)
            return m;
    return NULL;
}

/* Appends what round `round` (from 0) is to the list of that name; null stands for rounds that had
 * none. */
static void add_round(cJSON *metric, const char *list, int round, double value)
{
    cJSON *values = get(metric, list);
    values = values ? values : cJSON_AddArrayToObject(metric, list);
    while (cJSON_GetArraySize(values) < round)
        cJSON_AddItemToArray(values, cJSON_CreateNull());
    cJSON_AddItemToArray(values, cJSON_CreateNumber(value));
}

/* The best sample of a metric of which one way is better; else its median. */
static double best_of(const cJSON *m)
{
    const char *better = cb_json_text(m, "better", "");
    return cb_json_number(m, strcmp(better, "lower") == 0    ? "min"
                             : strcmp(better, "higher") == 0 ? "max"
                                                             : "median");
}

static void add_rounds(cJSON *metric, int round, const cJSON *m)
{
    add_round(metric, MEDIANS, round, cb_json_number(m, "median"));
    add_round(metric, BESTS, round, best_of(m));
    add_round(metric, SIZES, round, cb_json_number(m, "n"));
}

/* The metrics of a row, each with its median and best as those of round `round`; into: that it is
 * added to. */
static void join_metrics(cJSON *into, const cJSON *row, int round)
{
    const cJSON *m;
    cJSON_ArrayForEach (m, get(row, "metrics")) {
        cJSON *joined = find_metric(into, cb_json_text(m, "name", ""));
        if (!joined) {
            joined = cJSON_Duplicate(m, true);
            cJSON_AddItemToArray(get(into, "metrics"), joined);
        }
        add_rounds(joined, round, m);
    }
}

/* Moves the samples of a row after those of earlier rounds. */
static void join_samples(cJSON *into, cJSON *row)
{
    cJSON *series, *all = get(into, "samples");
    while ((series = cJSON_DetachItemFromArray(get(row, "samples"), 0)) != NULL) {
        cJSON *before = get(all, series->string);
        if (!before) {
            cJSON_AddItemToObject(all, series->string, series);
            continue;
        }
        while (cJSON_GetArraySize(series) > 0)
            cJSON_AddItemToArray(before, cJSON_DetachItemFromArray(series, 0));
        cJSON_Delete(series);
    }
}

static void add_to(cJSON *object, const char *key, const cJSON *from)
{
    double more = cb_json_number(from, key), sum = cb_json_number(object, key);
    if (more > 0 && sum >= 0)
        cJSON_SetNumberValue(get(object, key), sum + more);
}

/* Whether a round has read something else under the same names; then text says what. */
static bool has_other_inputs(const cJSON *c, const cJSON *row, int round, char *text, size_t size)
{
    const cJSON *identity, *inputs = get(c, "inputs"), *now = get(row, "inputs");
    cJSON_ArrayForEach (identity, inputs)
        if (cb_identity_compare(inputs, now, identity->string) == CB_IDENTITY_OTHER) {
            int n = snprintf(text, size, "round %d: ", round + 1);
            cb_identity_differ(identity->string, cb_row_text(row, identity->string), identity,
                               cb_identity_in(now, identity->string), text + n, size - (size_t)n);
            return true;
        }
    return false;
}

/* Makes the case one that failed: its rounds are not of the same. */
static void fail_case(cJSON *c, const char *why)
{
    cb_json_put(c, "status", cJSON_CreateString(cb_status_name(CB_ERROR)));
    cb_json_put(c, "reason", cJSON_CreateString(why));
    cb_json_put(c, "metrics", cJSON_CreateArray());
    cb_json_put(c, "samples", cJSON_CreateObject());
}

/* Joins the row of a round to the case, which was ok so far. */
static void join_row(cJSON *c, cJSON *row, int round)
{
    const cJSON *note;
    cJSON *notes = cJSON_DetachItemFromObjectCaseSensitive(c, "notes");
    cJSON_ArrayForEach (note, get(row, "notes"))
        cb_json_add_once(&notes, cb_json_item_text(note));
    if (notes)
        cJSON_AddItemToObject(c, "notes", notes);
    add_to(c, "duration_s", row);
    add_to(get(c, "sampling"), "warmup", get(row, "sampling"));
    add_to(get(c, "sampling"), "runs", get(row, "sampling"));
    join_metrics(c, row, round);
    join_samples(c, row);
}

/* The statistics of all metrics, made anew of the samples of all rounds. */
static enum cb_status summarise(cJSON *c, struct cb_err *err)
{
    cJSON *metric;
    cJSON_ArrayForEach (metric, get(c, "metrics")) {
        const cJSON *value, *series = get(get(c, "samples"), cb_json_text(metric, "name", ""));
        size_t n = 0;
        double *values = malloc(((size_t)cJSON_GetArraySize(series) + 1) * sizeof *values);
        if (!values)
            return cb_no_memory(err);
        cJSON_ArrayForEach (value, series)
            values[n++] = value->valuedouble;
        struct cb_stats stats = cb_stats_of(values, n);
        if (n > 0)
            cb_stats_to_json(metric, &stats);
        free(values);
    }
    return CB_OK;
}

/* A case that was ok in all rounds so far. rows: of the round. */
static void join_case(cJSON *cases, cJSON *c, const cJSON *rows, int round)
{
    cJSON *row = find_case(rows, c);
    char why[256];
    if (row && is_ok(row) && has_other_inputs(c, row, round, why, sizeof why))
        fail_case(c, why);
    else if (row && is_ok(row))
        join_row(c, row, round);
    else if (row)
        cJSON_ReplaceItemViaPointer(cases, c, cJSON_Duplicate(row, true));
}

/* The first round: its rows in the order of the plan, which is that of its document. */
static void take_cases(cJSON *cases, const cJSON *document, const cJSON *rows)
{
    const cJSON *c;
    cJSON_ArrayForEach (c, get(document, "cases")) {
        cJSON *row = cJSON_Duplicate(find_case(rows, c), true), *m;
        cJSON_ArrayForEach (m, get(row, "metrics"))
            add_rounds(m, 0, m);
        cJSON_DeleteItemFromObjectCaseSensitive(row, "begin_s"); /* of that round */
        cJSON_DeleteItemFromObjectCaseSensitive(row, "end_s");
        if (row)
            cJSON_AddItemToArray(cases, row);
    }
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* Begins the joined run as the first round describes itself. */
/* The call that made all rounds, of which each had a folder and a name of its own. */
static cJSON *invocation_of(const struct cb_joined_run *run, const cJSON *first)
{
    cJSON *invocation = cJSON_Duplicate(get(first, "invocation"), true);
    cJSON *settings = get(invocation, "settings");
    cb_json_put(invocation, "argv", cJSON_Duplicate(run->argv, true));
    if (settings) {
        cb_json_put(settings, "output-dir", cJSON_CreateStringArray(&run->output_dir, 1));
        cb_json_put(settings, "run-id", cJSON_CreateStringArray(&run->id, 1));
    }
    return invocation;
}

static enum cb_status begin(struct cb_joined_run *run, const cJSON *first, struct cb_err *err)
{
    static const char *const same[] = {"tool", "host", "time", "left_out", "shared"};
    cJSON *document =
        cb_results_begin(invocation_of(run, first), cJSON_Duplicate(get(first, "devices"), true));
    for (size_t i = 0; i < CB_COUNTOF(same); i++)
        if (get(first, same[i]))
            cb_json_put(document, same[i], cJSON_Duplicate(get(first, same[i]), true));
    return cb_results_open(&run->results, run->output_dir, run->id, document, err);
}

static enum cb_status replace(const struct cb_joined_run *run, const char *name,
                              void (*write)(FILE *out, const cJSON *document), struct cb_err *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", cb_results_folder(run->results), name);
    return cb_replace_file(path, write, cb_results_document(run->results), err);
}

static enum cb_status write_all(const struct cb_joined_run *run, struct cb_err *err)
{
    cJSON *c, *document = cb_results_document(run->results), *time = get(document, "time");
    char now[32];
    cb_utc_now(now);
    cb_json_put_number(document, "rounds", run->rounds);
    cb_json_put(time, "end", cJSON_CreateString(now));
    cb_json_put_number(time, "wall_s", run->wall_s);
    cb_summary_update(document);
    cJSON_ArrayForEach (c, get(document, "cases"))
        if (is_ok(c) && summarise(c, err) != CB_OK)
            return err->status;
    cb_findings_update(document);
    if (replace(run, "run.json", cb_results_print, err) != CB_OK ||
        replace(run, "summary.csv", cb_csv_summary, err) != CB_OK)
        return err->status;
    return replace(run, "samples.csv", cb_csv_samples, err);
}

static enum cb_status add(struct cb_joined_run *run, const cJSON *document, const cJSON *rows,
                          struct cb_err *err)
{
    bool first = !run->results;
    if (first && begin(run, document, err) != CB_OK)
        return err->status;
    cJSON *next, *cases = get(cb_results_document(run->results), "cases");
    if (first)
        take_cases(cases, document, rows);
    for (cJSON *c = first ? NULL : cases->child; c; c = next) {
        next = c->next;
        if (is_ok(c))
            join_case(cases, c, rows, run->rounds);
    }
    cJSON_ArrayForEach (next, cases)
        cb_disturbed_join(next, find_case(get(document, "cases"), next));
    double wall_s = cb_json_number(get(document, "time"), "wall_s");
    run->wall_s += wall_s > 0 ? wall_s : 0;
    run->rounds++;
    return write_all(run, err);
}

enum cb_status cb_joined_run_add(struct cb_joined_run *run, const char *part, struct cb_err *err)
{
    struct cb_run_document document = {0};
    struct cb_earlier rows = {0};
    enum cb_status status = cb_run_document_load(part, NULL, &document, err);
    if (status == CB_OK && !cJSON_IsTrue(get(document.tree, "complete")))
        status = cb_fail(err, CB_ERROR, "%s is not complete", part);
    if (status == CB_OK)
        status = cb_earlier_load(&rows, run->output_dir, part, err);
    if (status == CB_OK)
        status = add(run, document.tree, rows.rows, err);
    cb_earlier_free(&rows);
    cb_run_document_free(&document);
    return status;
}

/* The cases with their samples, for readers of such a file. */
static enum cb_status write_events(const struct cb_joined_run *run, struct cb_err *err)
{
    char path[PATH_MAX];
    const cJSON *c;
    snprintf(path, sizeof path, "%s/events.jsonl", cb_results_folder(run->results));
    FILE *out = fopen(path, "ae"); /* the file that the results have locked: not to be replaced */
    cJSON_ArrayForEach (c, get(cb_results_document(run->results), "cases")) {
        char *text = cJSON_PrintUnformatted(c);
        if (out && text)
            fprintf(out, "%s\n", text);
        free(text);
    }
    return out && cb_close_safely(out)
               ? CB_OK
               : cb_fail(err, CB_ERROR, "cannot write %s: %s", path, strerror(errno));
}

enum cb_status cb_joined_run_finish(struct cb_joined_run *run, bool complete, int exit_code,
                                    struct cb_err *err)
{
    if (!run->results)
        return CB_OK;
    cJSON *document = cb_results_document(run->results);
    cb_json_put(document, "complete", cJSON_CreateBool(complete));
    cb_json_put_number(document, "exit_code", exit_code);
    return write_all(run, err) == CB_OK ? write_events(run, err) : err->status;
}

void cb_joined_run_free(struct cb_joined_run *run)
{
    cb_results_free(run->results);
    run->results = NULL;
}
