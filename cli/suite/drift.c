/* SPDX-License-Identifier: Apache-2.0
 *
 * The history is made by the program's own command, in a process of its own: a watch goes on for
 * months, whatever becomes of one look.
 */
#include "cli/suite/drift.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/compare/write.h"
#include "analysis/documents/document.h"
#include "analysis/documents/folder.h"
#include "analysis/documents/runs.h"
#include "cli/suite/round.h"
#include "measure/text/json.h"
#include "runtime/host/text.h"

#define LOOK_NS   600000000000u /* a look takes seconds; this one hangs */
#define MOST_RUNS 500           /* that are looked at: the newest */
#define NEAR      5 /* runs by which a known change may move as its level becomes clearer */
#define MOST_TOLD 3

static const struct cb_file_kind history_file = {"a history", 1000000000};

/* ---- Runs ------------------------------------------------------------------------------------ */

enum cb_status cb_drift_add(struct cb_drift *d, const char *run, struct cb_err *err)
{
    if (d->n_runs == d->room) {
        const int room = d->room ? 2 * d->room : 64;
        char **runs = realloc(d->runs, (size_t)room * sizeof *runs);
        if (!runs)
            return cb_no_memory(err);
        d->runs = runs;
        d->room = room;
    }
    d->runs[d->n_runs] = strdup(run);
    return d->runs[d->n_runs++] ? CB_OK : cb_no_memory(err);
}

/* Whether a run is one of the suite. One that cannot be read is none, which is told. */
static bool is_of_suite(const struct cb_drift *d, const char *path)
{
    struct cb_run_document run;
    struct cb_err why = {0};
    if (cb_run_document_load(path, NULL, &run, &why) != CB_OK) {
        cb_run_left_out(&why, false);
        return false;
    }
    const cJSON *invocation = cJSON_GetObjectItemCaseSensitive(run.tree, "invocation");
    const bool same = strcmp(cb_json_text(invocation, "config", ""), d->config) == 0;
    cb_run_document_free(&run);
    return same;
}

static enum cb_status find_runs(struct cb_drift *d, struct cb_err *err)
{
    char **names, path[PATH_MAX];
    const int n = cb_runs_names(d->folder, &names);
    enum cb_status status = names ? CB_OK : cb_no_memory(err);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", d->folder, names[i]);
        if (status == CB_OK && i >= n - MOST_RUNS && strcmp(names[i], "latest") != 0 &&
            is_of_suite(d, path))
            status = cb_drift_add(d, path, err);
        free(names[i]);
    }
    free(names);
    return status;
}

/* ---- History --------------------------------------------------------------------------------- */

/* The command that tells the history of the newest runs; the caller's to free. */
static char **make_command(const struct cb_drift *d, char *json)
{
    static char program[] = "/proc/self/exe", name[] = "history", format[] = "--format",
                none[] = "none", to_json[] = "--json", threshold[] = "--threshold";
    char *words[] = {program, name, format, none, to_json, json, threshold, (char *)d->threshold};
    const size_t n_words = CB_COUNTOF(words) - (d->threshold ? 0 : 2);
    const int first = d->n_runs > MOST_RUNS ? d->n_runs - MOST_RUNS : 0;
    char **command = calloc(n_words + (size_t)(d->n_runs - first) + 1, sizeof *command);
    if (!command)
        return NULL;
    memcpy(command, words, n_words * sizeof *words);
    for (int i = first; i < d->n_runs; i++)
        command[n_words + (size_t)(i - first)] = d->runs[i];
    return command;
}

/* The document of the history; the caller's to free. */
static enum cb_status read_history(const struct cb_drift *d, cJSON **history, struct cb_err *err)
{
    char path[64], *text = NULL;
    const int file = memfd_create("history", 0); /* a child gets it under the same path */
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    char **command = file >= 0 ? make_command(d, path) : NULL;
    *history = NULL;
    enum cb_status status = command ? CB_OK : cb_no_memory(err);
    const int code = command ? cb_round_run(command, LOOK_NS) : 0;
    if (command && code != 0 && code != 5)
        status = cb_fail(err, CB_ERROR, "'coopbench history' ended with exit code %d", code);
    if (status == CB_OK)
        status = cb_read_file(path, &history_file, &text, err);
    if (status == CB_OK && !(*history = cJSON_Parse(text)))
        status = cb_fail(err, CB_ERROR, "'coopbench history' wrote no history");
    free(text);
    free(command);
    if (file >= 0)
        close(file);
    return status;
}

/* ---- What is new ----------------------------------------------------------------------------- */

static const cJSON *run_of(const cJSON *change)
{
    return cJSON_GetObjectItemCaseSensitive(change, "run");
}

static bool has_verdict(const cJSON *change, const char *verdict)
{
    return strcmp(cb_json_text(change, "verdict", ""), verdict) == 0;
}

static bool is_environment(const cJSON *change)
{
    return has_verdict(change, "environment");
}

/* Whether both tell the same. An environment is that of all cases of a run; a level's begin may
 * move a little with more runs. */
static bool is_same(const cJSON *a, const cJSON *b)
{
    static const char *const keys[] = {"verdict", "case", "device", "metric"};
    if (is_environment(a) && is_environment(b))
        return strcmp(cb_json_text(run_of(a), "id", ""), cb_json_text(run_of(b), "id", "")) == 0;
    for (size_t i = 0; i < CB_COUNTOF(keys); i++)
        if (strcmp(cb_json_text(a, keys[i], ""), cb_json_text(b, keys[i], "")) != 0)
            return false;
    return fabs(cb_json_number(run_of(a), "place") - cb_json_number(run_of(b), "place")) <= NEAR;
}

static bool is_known(const cJSON *known, const cJSON *change)
{
    const cJSON *old;
    cJSON_ArrayForEach (old, known)
        if (is_same(old, change))
            return true;
    return false;
}

/* "worse: throughput of a/b -5 % since r" */
static void print_change(FILE *out, const cJSON *change)
{
    char percent[32];
    const char *since = cb_json_text(run_of(change), "id", "");
    if (is_environment(change)) {
        fprintf(out, "environment since %s: %s", since, cb_json_text(change, "why", "it changed"));
        return;
    }
    if (has_verdict(change, "failed")) {
        fprintf(out, "failed: %s since %s: %s", cb_json_text(change, "case", ""), since,
                cb_json_text(change, "why", ""));
        return;
    }
    cb_compare_percent(percent, sizeof percent, cb_json_number(change, "change"));
    fprintf(out, "%s: %s of %s %s since %s", cb_json_text(change, "verdict", ""),
            cb_json_text(change, "metric", ""), cb_json_text(change, "case", ""), percent, since);
}

static void count(struct cb_drift *d, const cJSON *change)
{
    if (is_environment(change))
        d->n_environment++;
    else if (has_verdict(change, "worse") || has_verdict(change, "failed"))
        d->n_worse++;
    else
        d->n_better++;
}

/* What is worse on purpose, and what the speed of the cores explains, is no news. */
static bool is_news(const cJSON *change)
{
    return !has_verdict(change, "accepted") && !has_verdict(change, "cores");
}

/* Moves the news to what is known. Returns how many there are. */
static int take_new(struct cb_drift *d, const cJSON *history, FILE *out)
{
    const cJSON *change;
    int n = 0;
    cJSON_ArrayForEach (change, cJSON_GetObjectItemCaseSensitive(history, "changes")) {
        if (!is_news(change) || is_known(d->known, change))
            continue;
        if (n < MOST_TOLD) {
            fputs(n ? "; " : "", out);
            print_change(out, change);
        }
        count(d, change);
        cJSON_AddItemToArray(d->known, cJSON_Duplicate(change, true));
        n++;
    }
    if (n > MOST_TOLD)
        fprintf(out, "; and %d more", n - MOST_TOLD);
    if (n == 0)
        fputs("nothing changed", out);
    return n;
}

enum cb_status cb_drift_look(struct cb_drift *d, char *text, size_t size, bool *changed,
                             struct cb_err *err)
{
    cJSON *history;
    *changed = false;
    enum cb_status status = read_history(d, &history, err);
    char *line = NULL;
    size_t n = 0;
    FILE *out = status == CB_OK ? open_memstream(&line, &n) : NULL;
    if (status == CB_OK && !out)
        status = cb_no_memory(err);
    if (out) {
        *changed = take_new(d, history, out) > 0 && !d->blind;
        if (d->blind) {
            d->n_worse = d->n_better = d->n_environment = 0;
            fputs(" (of which nothing is new: the history could not be read before)", out);
        }
        d->blind = false;
        fclose(out);
        cb_text_clean(text, size, line ? line : "", line ? strlen(line) : 0, CB_TEXT_QUOTED);
    }
    free(line);
    cJSON_Delete(history);
    return status;
}

enum cb_status cb_drift_open(struct cb_drift *d, struct cb_err *err)
{
    char text[256];
    bool changed;
    d->known = cJSON_CreateArray();
    if (!d->known)
        return cb_no_memory(err);
    if (find_runs(d, err) != CB_OK)
        return err->status;
    struct cb_err unused;
    d->blind = d->n_runs > 0; /* else all that there is will be new */
    if (d->blind)
        cb_drift_look(d, text, sizeof text, &changed, &unused);
    return CB_OK;
}

void cb_drift_free(struct cb_drift *d)
{
    for (int i = 0; i < d->n_runs; i++)
        free(d->runs[i]);
    free(d->runs);
    cJSON_Delete(d->known);
    *d = (struct cb_drift){0};
}
