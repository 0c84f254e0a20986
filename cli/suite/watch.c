/* SPDX-License-Identifier: Apache-2.0
 *
 * Each run, each look at the history, and each export is a process of its own (cli/suite/round.h):
 * a watch goes on for months, whatever becomes of one of them.
 */
#include "cli/suite/watch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/documents/disturbed.h"
#include "analysis/documents/document.h"
#include "analysis/documents/folder.h"
#include "cli/suite/configs.h"
#include "cli/suite/drift.h"
#include "cli/suite/global_params.h"
#include "cli/suite/round.h"
#include "cli/suite/suite.h"
#include "cli/suite/watch_lock.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"
#include "runtime/host/signals.h"
#include "runtime/host/text.h"
#include "runtime/host/time.h"

#define EXIT_REGRESSION 5
#define SHORT_NS        600000000000u /* for what takes seconds */
#define LINE_BYTES      2048

struct work {
    const struct cb_watch *watch;
    char **command;         /* command of a run */
    int n_command, n_fixed; /* words; those before the options of the user */
    char id_option[CB_RUN_ID_BYTES + 16], folder_option[PATH_MAX + 16];
    struct cb_drift drift;
    struct cb_watch_lock lock;
    unsigned runs, failed, failed_in_row;
    int last_code; /* exit code of the last run */
};

/* One run, and what is said of it. */
struct run {
    char id[CB_RUN_ID_BYTES], path[PATH_MAX + CB_RUN_ID_BYTES];
    int code, ok, cases, disturbed;
    bool complete, changed;
    char text[LINE_BYTES];
};

/* ---- The command of a run -------------------------------------------------------------------- */

static char *make_option(const struct cb_param *param, const char *value)
{
    char *text = NULL;
    const int n = cb_param_has_value(param) ? asprintf(&text, "--%s=%s", param->name, value)
                                            : asprintf(&text, "--%s", param->name);
    return n < 0 ? NULL : text;
}

/* How many words the options make; all of them go into words, if that is not NULL. */
static int add_options(const cJSON *options, char **words)
{
    static const char *const own[] = {"output-dir", "quiet", "progress"};
    int n = 0;
    for (const struct cb_param *p = cb_global_params; p->name; p++) {
        bool skip = false;
        for (size_t i = 0; i < CB_COUNTOF(own); i++)
            skip = skip || strcmp(own[i], p->name) == 0;
        for (int i = 0; !skip && i < cb_options_count(options, p->name); i++, n++)
            if (words)
                words[n] = make_option(p, cb_options_text(options, p->name, i));
    }
    return n;
}

static enum cb_status make_command(struct work *w, struct cb_err *err)
{
    static char program[] = "/proc/self/exe", name[] = "run", quiet[] = "--quiet";
    snprintf(w->folder_option, sizeof w->folder_option, "--output-dir=%s", w->watch->folder);
    char *words[] = {program, name, (char *)w->watch->suite, quiet, w->folder_option, w->id_option};
    const int n = add_options(w->watch->options, NULL);
    w->n_fixed = (int)CB_COUNTOF(words);
    w->command = calloc((size_t)(w->n_fixed + n) + 1, sizeof *w->command);
    if (!w->command)
        return cb_no_memory(err);
    memcpy(w->command, words, sizeof words);
    w->n_command = w->n_fixed + n;
    add_options(w->watch->options, w->command + w->n_fixed);
    for (int i = w->n_fixed; i < w->n_command; i++)
        if (!w->command[i])
            return cb_no_memory(err);
    return CB_OK;
}

static void free_command(struct work *w)
{
    for (int i = w->n_fixed; w->command && i < w->n_command; i++)
        free(w->command[i]);
    free(w->command);
}

/* ---- A run ----------------------------------------------------------------------------------- */

static void read_rows(struct run *r)
{
    struct cb_run_document document;
    struct cb_err unused;
    if (cb_run_document_load(r->path, NULL, &document, &unused) != CB_OK)
        return;
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(document.tree, "cases"), *item;
    r->cases = cJSON_GetArraySize(cases);
    cJSON_ArrayForEach (item, cases) {
        r->ok += strcmp(cb_json_text(item, "status", ""), "ok") == 0;
        r->disturbed += cb_row_is_disturbed(item);
    }
    r->complete = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(document.tree, "complete"));
    cb_run_document_free(&document);
}

/* A run of which some cases failed has told something; one without any has not. */
static bool has_failed(const struct run *r)
{
    return !r->complete || r->ok == 0;
}

static void tell_failure(struct run *r, const struct work *w)
{
    char why[64];
    snprintf(why, sizeof why, r->code == CB_ROUND_TOO_LONG ? "it took too long" : "exit code %d",
             r->code);
    snprintf(r->text, sizeof r->text, "failed: %s, %d of %d case%s ok; %u in a row, %u are the end",
             why, r->ok, r->cases, CB_PLURAL(r->cases), w->failed_in_row, w->watch->give_up);
}

static void look(struct work *w, struct run *r)
{
    char changes[LINE_BYTES - 128], disturbed[48] = "";
    struct cb_err err = {0};
    if (r->disturbed > 0)
        snprintf(disturbed, sizeof disturbed, ", %d disturbed by others", r->disturbed);
    if (cb_drift_add(&w->drift, r->path, &err) != CB_OK ||
        cb_drift_look(&w->drift, changes, sizeof changes, &r->changed, &err) != CB_OK)
        snprintf(changes, sizeof changes, "no history: %.500s", err.text);
    snprintf(r->text, sizeof r->text, "%d of %d case%s ok%s; %s", r->ok, r->cases,
             CB_PLURAL(r->cases), disturbed, changes);
}

static void export(const struct work *w, const struct run *r)
{
    static char program[] = "/proc/self/exe", name[] = "export", to[] = "--to=openmetrics",
                output[] = "-o";
    char *command[] = {program,         name, to, output, (char *)w->watch->openmetrics,
                       (char *)r->path, NULL};
    if (w->watch->openmetrics && r->cases > 0 && cb_round_run(command, SHORT_NS) != 0)
        cb_text_print(stderr, "Warning: %s is not of this run\n", w->watch->openmetrics);
}

/* The user's command, with what was said and where the run is. */
static void call(const struct work *w, const struct run *r)
{
    static char shell[] = "/bin/sh", option[] = "-c";
    char *command[] = {shell, option, (char *)w->watch->on_change, NULL};
    if (!w->watch->on_change || !r->changed)
        return;
    setenv("COOPBENCH_WATCH_RUN", r->path, 1);
    setenv("COOPBENCH_WATCH_TEXT", r->text, 1);
    const int code = cb_round_run(command, SHORT_NS);
    if (code != 0 && !cb_caught_signal())
        cb_text_print(stderr, "Warning: --on-change: ended with exit code %d: %s\n", code,
                      w->watch->on_change);
}

static void run_once(struct work *w, struct run *r)
{
    *r = (struct run){0};
    cb_run_id_make(r->id, sizeof r->id);
    snprintf(r->path, sizeof r->path, "%s/%s", w->watch->folder, r->id);
    snprintf(w->id_option, sizeof w->id_option, "--run-id=%s", r->id);
    r->code = w->last_code = cb_round_run(w->command, (uint64_t)(w->watch->limit_s * 1e9));
    w->runs++;
    if (cb_caught_signal())
        return;
    read_rows(r);
    w->failed += has_failed(r);
    w->failed_in_row = has_failed(r) ? w->failed_in_row + 1 : 0;
    if (has_failed(r))
        tell_failure(r, w);
    else
        look(w, r);
    export(w, r);
    call(w, r);
}

/* ---- The schedule ---------------------------------------------------------------------------- */

/* "2026-11-27T23:10:00Z" */
static void print_time_in(double seconds, char text[32])
{
    struct tm then;
    const time_t t = time(NULL) + (time_t)(seconds + 0.5);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &then));
}

/* The next place in the schedule that is not over; start k is at begin + k * every. */
static uint64_t next_place(uint64_t begin_ns, double every_s, uint64_t place)
{
    const double passed_s = (double)(cb_now_ns() - begin_ns) / 1e9;
    const uint64_t now = (uint64_t)(passed_s / every_s);
    return now > place ? now + 1 : place + 1;
}

static bool is_last(const struct work *w)
{
    return cb_caught_signal() || w->failed_in_row >= w->watch->give_up ||
           (w->watch->times > 0 && w->runs >= w->watch->times);
}

static void tell_run(const struct work *w, const struct run *r, double next_s, uint64_t skipped)
{
    char next[32];
    if (w->watch->quiet && !r->changed && !has_failed(r))
        return;
    cb_text_print(stdout, "Run %u, %s: %s", w->runs, r->path, r->text);
    if (skipped > 0)
        printf("; %llu start%s passed meanwhile and left out", (unsigned long long)skipped,
               CB_PLURAL(skipped));
    print_time_in(next_s, next);
    printf("%s%s\n", is_last(w) ? "" : "; next at ", is_last(w) ? "" : next);
    fflush(stdout);
}

static void tell_interrupted(const struct work *w, const struct run *r)
{
    if (!w->watch->quiet && cb_run_has_document(r->path))
        cb_text_print(stdout, "Run %u, %s: interrupted; its finished cases are kept\n", w->runs,
                      r->path);
}

static void loop(struct work *w)
{
    const uint64_t begin_ns = cb_now_ns();
    const double every_ns = w->watch->every_s * 1e9;
    for (uint64_t place = 0;;) {
        struct run r;
        run_once(w, &r);
        const uint64_t next = next_place(begin_ns, w->watch->every_s, place);
        const double next_ns = (double)begin_ns + (double)next * every_ns;
        if (cb_caught_signal())
            tell_interrupted(w, &r);
        else
            tell_run(w, &r, (next_ns - (double)cb_now_ns()) / 1e9, next - place - 1);
        if (is_last(w) || cb_wait_for_signal((uint64_t)next_ns))
            return;
        place = next;
    }
}

/* ---- All ------------------------------------------------------------------------------------- */

static enum cb_status prepare(struct work *w, struct cb_err *err)
{
    struct cb_config config;
    const char *file;
    if (cb_configs_load(w->watch->suite, &config, &file, err) != CB_OK)
        return err->status;
    cb_config_free(&config);
    w->drift = (struct cb_drift){
        .folder = w->watch->folder, .config = file, .threshold = w->watch->threshold};
    if (cb_make_folders(w->watch->folder, err) != CB_OK ||
        cb_watch_lock(&w->lock, w->watch->folder, err) != CB_OK || make_command(w, err) != CB_OK)
        return err->status;
    return cb_drift_open(&w->drift, err);
}

static void tell_begin(const struct work *w)
{
    if (w->watch->quiet)
        return;
    cb_text_print(stdout, "Watching %s in %s, which has %d run%s of it\n", w->drift.config,
                  w->watch->folder, w->drift.n_runs, CB_PLURAL(w->drift.n_runs));
    fflush(stdout);
}

static void tell_end(const struct work *w)
{
    if (w->watch->quiet)
        return;
    printf("%u run%s, %u failed; %d worse, %d better, %d of the environment\n", w->runs,
           CB_PLURAL(w->runs), w->failed, w->drift.n_worse, w->drift.n_better,
           w->drift.n_environment);
    fflush(stdout);
}

static int exit_code(const struct work *w, struct cb_err *err)
{
    if (cb_caught_signal())
        return cb_exit_code_of(CB_INTERRUPTED);
    if (w->failed_in_row >= w->watch->give_up) {
        cb_fail(err, CB_ERROR, "%u run%s failed in a row, the last with exit code %d",
                w->failed_in_row, CB_PLURAL(w->failed_in_row), w->last_code);
        return w->last_code > 0 && w->last_code < 128 ? w->last_code : 1;
    }
    return w->drift.n_worse > 0 ? EXIT_REGRESSION : 0;
}

int cb_watch_run(const struct cb_watch *watch, struct cb_err *err)
{
    struct work w = {.watch = watch};
    int code;
    if (prepare(&w, err) == CB_OK) {
        tell_begin(&w);
        loop(&w);
        tell_end(&w);
        code = exit_code(&w, err);
    } else {
        code = cb_exit_code_of(err->status);
    }
    cb_watch_unlock(&w.lock);
    cb_drift_free(&w.drift);
    free_command(&w);
    return code;
}
