/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/documents/folder.h"
#include "analysis/documents/results.h"
#include "analysis/documents/summary.h"
#include "cli/suite/build_ahead.h"
#include "cli/suite/ending.h"
#include "cli/suite/learn.h"
#include "cli/suite/live.h"
#include "cli/suite/outputs.h"
#include "cli/suite/plan.h"
#include "cli/suite/record.h"
#include "cli/suite/vain.h"
#include "measure/engine.h"
#include "measure/process/supervisor.h"
#include "measure/process/worker_process.h"
#include "measure/progress.h"
#include "measure/text/csv.h"
#include "measure/text/json.h"
#include "measure/time_left.h"
#include "runtime/host/signals.h"
#include "runtime/host/text.h"
#include "runtime/host/time.h"
#include "runtime/profile.h"

struct run {
    const struct cb_suite *suite;
    struct cb_run_options options; /* command line over settings over defaults */
    struct cb_supervisor *supervisor;
    struct cb_devices devices;
    struct cb_plan plan;
    struct cb_earlier earlier; /* the run of --resume; else no folder */
    struct cb_results *results;
    struct cb_progress progress;
    struct cb_live live;
    bool warned;                 /* of another program that uses a device */
    struct cb_output outputs[2]; /* --json, --csv */
    FILE *json, *csv;            /* NULL: not asked for */
    uint64_t seed;
};

int cb_exit_code_of(enum cb_status status)
{
    switch (status) {
    case CB_OK:
        return 0;
    case CB_USAGE:
        return 2;
    case CB_NO_DEVICE:
    case CB_UNSUPPORTED:
        return 77;
    case CB_TIMEOUT:
        return 4;
    case CB_INTERRUPTED:
        return 128 + (cb_caught_signal() ? cb_caught_signal() : 2);
    default:
        return 1;
    }
}

static const char *const shared_names[] = {"warn", "wait", "refuse", "ignore"};

/* What the command line says, else the environment, else "warn". */
static enum cb_status find_shared(const struct cb_run_options *options, enum cb_shared *shared,
                                  struct cb_err *err)
{
    const char *name = options->shared ? options->shared : getenv("COOPBENCH_SHARED");
    *shared = CB_SHARED_WARN;
    for (size_t i = 0; i < CB_COUNTOF(shared_names); i++)
        if (name && strcmp(name, shared_names[i]) == 0)
            *shared = (enum cb_shared)i;
    return !name || strcmp(name, shared_names[*shared]) == 0
               ? CB_OK
               : cb_fail(err, CB_USAGE,
                         "COOPBENCH_SHARED: expected warn, wait, refuse or ignore, got \"%.40s\"",
                         name);
}

struct cb_supervisor *cb_suite_supervisor(const struct cb_run_options *options, struct cb_err *err)
{
    enum cb_shared shared;
    if (find_shared(options, &shared, err) != CB_OK)
        return NULL;
    struct cb_worker_settings settings = {
        .shared = shared,
        .shared_deadline_s = options->shared_deadline_s,
        .atomics = options->atomics,
        .clock = options->clock,
        .wait_deadline_ns = (uint64_t)options->wait_deadline_ms * 1000000,
        .cpu_workgroups = options->cpu_workgroups,
        .max_kills = options->max_kills,
    };
    struct cb_supervisor *supervisor = cb_supervisor_new(&settings);
    if (!supervisor)
        cb_no_memory(err);
    return supervisor;
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* Whether tables go to standard output. */
static bool tells_people(const struct run *r)
{
    return r->json != stdout && r->csv != stdout && !r->options.quiet;
}

/* A profile that cannot be used stops nothing, but changes what is measured: also with --quiet. */
static void warn_of_profiles(const struct run *r)
{
    for (int i = 0; i < r->devices.count; i++) {
        cJSON *profile = NULL;
        struct cb_err err = {0};
        if (cb_plan_uses(&r->plan, &r->devices.items[i]) &&
            cb_profile_load(&r->devices.items[i], &profile, &err) != CB_OK)
            fprintf(stderr,
                    "Warning: %s. Built-in values are used, and the profile stays as it is.\n",
                    err.text);
        cJSON_Delete(profile);
    }
}

static void announce_devices(const struct run *r)
{
    if (r->options.quiet)
        return;
    for (int i = 0; i < r->devices.count; i++) {
        char units[64];
        const struct cb_device *d = &r->devices.items[i];
        if (!cb_plan_uses(&r->plan, d))
            continue;
        cb_device_units(d, units, sizeof units);
        fprintf(stderr, "Device %s: %s (%s, %s, driver %s)\n", d->index, d->name, d->type, units,
                d->driver_version);
    }
}

/* ---- Observer -------------------------------------------------------------------------------- */

static void on_case(void *self, const struct cb_case *c, int order, int n_cases)
{
    (void)order;
    cb_progress_case(&((struct run *)self)->progress, c, n_cases);
}

static void on_run(void *self, const struct cb_case *c, unsigned runs)
{
    struct run *r = self;
    cb_live_refresh(&r->live, cb_results_document(r->results));
    cb_progress_run(&r->progress, c, runs);
}

static enum cb_status on_row(void *self, const struct cb_row *row, struct cb_err *err)
{
    struct run *r = self;
    if (cb_results_add(r->results, row, err) != CB_OK)
        return err->status;
    if (row->status != CB_OK && row->status != CB_INTERRUPTED) /* told above the tables */
        cb_live_erase(&r->live);
    cb_progress_row(&r->progress, row); /* what is told as finished is on disk */
    cb_live_update(&r->live, cb_results_document(r->results));
    return CB_OK;
}

static void on_wait(void *self, const struct cb_worker_limit *limit, double waited_s)
{
    struct run *r = self;
    if (limit->case_id)
        cb_progress_wait(&r->progress, limit->case_id, limit->doing, waited_s, limit->deadline_s);
}

static void on_look(void *self, const struct cb_device *device, const cJSON *look)
{
    struct run *r = self;
    cb_results_look(r->results, device, look);
    if (r->warned || r->options.quiet || !cJSON_HasObjectItem(look, "sign"))
        return;
    r->warned = true;
    cb_live_erase(&r->live);
    fprintf(stderr,
            "Warning: another program uses %s, for %.0f %% of the time. Cases that it disturbs are "
            "marked, and nothing is concluded from their times%s.\n",
            device->name, 100 * cb_json_number(look, "share"),
            cb_supervisor_settings(r->supervisor)->shared == CB_SHARED_WARN
                ? "; --shared wait waits for a quiet device"
                : "");
}

/* ---- The run --------------------------------------------------------------------------------- */

/* That of the run that is resumed, unless it is given: then it is compared. */
static uint64_t choose_seed(const struct run *r)
{
    if (r->options.seed.given)
        return r->options.seed.value;
    if (r->earlier.folder)
        return cb_suite_seed_of(r->earlier.document);
    return ((uint64_t)time(NULL) << 20) ^ cb_now_ns() ^ (uint64_t)getpid();
}

/* Runs the plan. CB_OK: every case has its row. */
static enum cb_status run_plan(struct run *r, struct cb_err *err)
{
    struct cb_executor executor = cb_supervisor_executor(r->supervisor);
    struct cb_engine_observer observer = {r, on_case, on_run, on_row};
    const struct cb_worker_watch watch = {r, on_wait, on_look};
    bool listed = strcmp(r->options.order, "listed") == 0;
    cb_progress_init(&r->progress, &r->plan, r->options.progress, r->options.quiet);
    cb_live_begin(&r->live, &r->plan, tells_people(r), r->progress.style == CB_PROGRESS_BAR);
    cb_supervisor_set_watch(r->supervisor, &watch);
    enum cb_status status = cb_engine_run(&r->plan, &executor, &observer,
                                          listed ? CB_ORDER_LISTED : CB_ORDER_RANDOM, r->seed, err);
    cb_supervisor_look(r->supervisor);
    cb_supervisor_set_watch(r->supervisor, NULL);
    cb_progress_free(&r->progress);
    cb_live_erase(&r->live);
    return status;
}

/* With --quiet, nothing else says why there is no result. */
static void tell_nothing_ran(const struct run *r, struct cb_err *err)
{
    const cJSON *row,
        *cases = cJSON_GetObjectItemCaseSensitive(cb_results_document(r->results), "cases");
    cJSON_ArrayForEach (row, cases)
        if (strcmp(cb_json_text(row, "status", ""), cb_status_name(CB_UNSUPPORTED)) == 0)
            break;
    row = row ? row : cJSON_GetArrayItem(cases, 0);
    cb_fail(err, CB_UNSUPPORTED, "nothing could run: %s: %s", cb_json_text(row, "id", ""),
            cb_json_text(row, "reason", ""));
}

static int measure(struct run *r, struct cb_err *err)
{
    struct cb_err failure = {0};
    const cJSON *document = cb_results_document(r->results);
    cb_suite_build_ahead(&r->options, r->supervisor, &r->plan, &r->devices);
    enum cb_status status = run_plan(r, err);
    if (status != CB_OK) { /* before the writing below, which may succeed */
        failure = *err;
        cb_fail(err, status, "%s\n  Measuring stopped; the finished cases are in %s/run.json",
                failure.text, cb_results_folder(r->results));
    }
    cb_summary_update(cb_results_document(r->results));
    int code = status == CB_OK ? cb_summary_exit_code(document, cb_caught_signal()) : 1;
    if (code == cb_exit_code_of(CB_UNSUPPORTED) && r->options.quiet)
        tell_nothing_ran(r, err);
    bool complete = status == CB_OK && cb_caught_signal() == 0;
    if (cb_results_finish(
            r->results, complete, code,
            cb_suite_devices(r->supervisor, &r->devices, &r->plan, cb_results_document(r->results)),
            &failure) != CB_OK ||
        cb_output_write(&r->outputs[0], r->json, cb_results_print, document, &failure) != CB_OK ||
        cb_output_write(&r->outputs[1], r->csv, cb_csv_summary, document, &failure) != CB_OK) {
        *err = failure;
        code = 1;
    }
    struct cb_ending ending = {
        .suite = r->suite,
        .plan = &r->plan,
        .results = r->results,
        .interrupted = cb_caught_signal() != 0,
        .quiet = r->options.quiet,
        .tables = tells_people(r) ? &r->live.tables : NULL,
    };
    cb_ending_save(&ending);
    cJSON *artefacts = cb_ending_artefacts(&ending);
    cb_ending_tell(&ending, artefacts);
    cJSON_Delete(artefacts);
    if (complete && !getenv("COOPBENCH_NO_PROFILE"))
        cb_learn(document, &r->plan, &r->devices, r->options.quiet);
    cb_ending_tell_warnings(&ending);
    cb_ending_tell_resume(&ending);
    return code;
}

static enum cb_status load_earlier(struct run *r, struct cb_err *err)
{
    const char *run = r->options.resume, *folder = r->options.output_dir;
    if (!run)
        return CB_OK;
    return r->options.dry_run ? cb_earlier_load(&r->earlier, folder, run, err)
                              : cb_earlier_lock(&r->earlier, folder, run, err);
}

static cJSON *begin_document(const struct run *r)
{
    cJSON *left_out = cb_suite_left_out(r->suite, &r->plan);
    const char *shared = shared_names[cb_supervisor_settings(r->supervisor)->shared];
    cJSON *document =
        cb_results_begin(cb_suite_invocation(r->suite, &r->options, r->seed),
                         cb_suite_devices(r->supervisor, &r->devices, &r->plan, NULL));
    cJSON_AddStringToObject(document, "shared", shared);
    if (left_out)
        cJSON_AddItemToObject(document, "left_out", left_out);
    return document;
}

/* Whether the run that is resumed is this one; then its rows are kept. */
static enum cb_status keep_earlier(struct run *r, struct cb_err *err)
{
    if (!r->earlier.folder)
        return CB_OK;
    cJSON *document = begin_document(r);
    enum cb_status status = cb_earlier_check(&r->earlier, document, err);
    cJSON_Delete(document);
    return status == CB_OK ? cb_earlier_keep(&r->earlier, &r->plan, err) : status;
}

static enum cb_status prepare(struct run *r, struct cb_err *err)
{
    if (cb_suite_options(r->suite, NULL, &r->options, err) != CB_OK ||
        cb_suite_check_labels(&r->options, err) != CB_OK)
        return err->status;
    r->outputs[0] = (struct cb_output){"json", r->options.json};
    r->outputs[1] = (struct cb_output){"csv", r->options.csv};
    if (cb_outputs_check(r->outputs, CB_COUNTOF(r->outputs), err) != CB_OK ||
        load_earlier(r, err) != CB_OK)
        return err->status;
    r->seed = r->plan.seed = choose_seed(r);
    if (r->options.no_profile)
        setenv("COOPBENCH_NO_PROFILE", "1", 1); /* workers read profiles, too */
    r->supervisor = cb_suite_supervisor(&r->options, err);
    if (!r->supervisor || cb_supervisor_devices(r->supervisor, &r->devices, err) != CB_OK ||
        cb_suite_plan(r->suite, &r->devices, &r->plan, err) != CB_OK)
        return err->status;
    return keep_earlier(r, err);
}

static enum cb_status open_results(struct run *r, struct cb_err *err)
{
    enum cb_status status;
    if (cb_output_open(&r->outputs[0], &r->json, err) != CB_OK ||
        cb_output_open(&r->outputs[1], &r->csv, err) != CB_OK)
        return err->status;
    if (r->earlier.folder)
        status = cb_results_resume(&r->results, &r->earlier, &r->plan, err);
    else
        status = cb_results_open(&r->results, r->options.output_dir, r->options.run_id,
                                 begin_document(r), err);
    if (status == CB_OK)
        cb_run_folder_announce(cb_results_folder(r->results));
    return status;
}

/* "377 cases, about 8 min without compiling", of which some may have been measured before. */
static void announce_plan(const struct run *r)
{
    char about[64];
    int kept = 0;
    for (int i = 0; i < r->plan.count; i++)
        kept += r->plan.cases[i].kept != NULL;
    double expected = cb_time_expected(&r->plan);
    if (r->options.quiet || (isnan(expected) && kept == 0))
        return;
    fprintf(stderr, "%d case%s", r->plan.count - kept, CB_PLURAL(r->plan.count - kept));
    if (kept > 0)
        cb_text_print(stderr, " to be run, %d kept of %s", kept, r->earlier.folder);
    if (!isnan(expected)) {
        cb_time_format(expected, about, sizeof about);
        fprintf(stderr, ", %s without preparations", about);
    }
    fputc('\n', stderr);
}

int cb_suite_run(const struct cb_suite *suite, struct cb_err *err)
{
    struct run r = {.suite = suite};
    int code = 0;
    if (prepare(&r, err) != CB_OK) {
        code = cb_exit_code_of(err->status);
    } else if (r.options.dry_run) {
        cb_tell_vain_options(suite, &r.devices, &r.plan);
        cb_plan_print(stdout, &r.plan);
    } else {
        announce_devices(&r);
        warn_of_profiles(&r);
        announce_plan(&r);
        cb_tell_vain_options(suite, &r.devices, &r.plan);
        code = open_results(&r, err) == CB_OK ? measure(&r, err) : cb_exit_code_of(err->status);
    }
    cb_live_end(&r.live);
    cb_results_free(r.results);
    cb_earlier_free(&r.earlier);
    cb_supervisor_free(r.supervisor);
    cb_plan_free(&r.plan);
    cb_devices_free(&r.devices);
    cb_suite_options_free(&r.options);
    cb_output_close(r.json);
    cb_output_close(r.csv);
    return code;
}
