/* SPDX-License-Identifier: Apache-2.0
 *
 * Apps in their execution modes (OOPSLA'16 Sections 5.2, 5.3; FSE'17 Section 5.3).
 * See README.md beside this file.
 */
#include "probes/apps/case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/user.h"
#include "probes/apps/bound.h"
#include "probes/apps/figures.h"
#include "probes/apps/findings.h"
#include "probes/apps/plan.h"
#include "probes/apps/report.h"
#include "runtime/host/text.h"

/* ---- A case ---------------------------------------------------------------------------------- */

static enum cb_status open_measured(struct cb_apps_case *c, const cJSON *params,
                                    const char *tune_by, struct cb_err *err)
{
    size_t size = c->app.wg_size;
    if (!size && c->batch->on.session->rehearsal)
        return CB_OK; /* one of those that tuning builds */
    if (!size)
        size = cb_apps_best_size(
            cJSON_GetObjectItemCaseSensitive(params, tune_by ? tune_by : CB_APPS_BY_LEAST));
    return cb_apps_open_kernel(c, size, &c->kernel, err);
}

static enum cb_status rehearse_tuning(struct cb_apps_case *c, struct cb_err *err)
{
    for (int i = 0; i < c->n_kernels; i++) { /* a size that does not run is no reason to stop */
        cb_apps_open_kernel(c, c->kernels[i].wg_size, &c->kernels[i], err);
        cb_apps_close_kernel(&c->kernels[i]);
    }
    return err->status;
}

static enum cb_status apps_open_batch(struct cb_session *session, const cJSON *params, void **batch,
                                      struct cb_err *err)
{
    struct cb_apps_batch *b = *batch = calloc(1, sizeof *b);
    return b ? cb_app_case_open_input(session, params, &b->on, err) : cb_no_memory(err);
}

static void apps_close_batch(void *batch)
{
    struct cb_apps_batch *b = batch;
    cb_app_close_input(&b->on);
    free(b);
}

/* Parameters are not there any more when a run opens a kernel. */
static void keep_texts(struct cb_apps_case *c)
{
    struct cb_discovery_way *way = &c->app.way;
    const char **texts[] = {&way->protocol, &way->delay, &way->ids, &c->app.global_barrier};
    for (size_t i = 0; i < CB_COUNTOF(texts); i++)
        if (*texts[i]) {
            snprintf(c->texts[i], sizeof c->texts[i], "%s", *texts[i]);
            *texts[i] = c->texts[i];
        }
}

static enum cb_status apps_open(struct cb_session *session, const cJSON *params, void *batch,
                                void **state, struct cb_err *err)
{
    struct cb_apps_case *c = calloc(1, sizeof *c);
    *state = c;
    if (!c)
        return cb_no_memory(err);
    struct cb_apps_parameters p;
    cb_fields_read(params, cb_apps_fields, &p);
    c->batch = batch;
    c->mode = cb_app_mode_of(p.mode);
    if (cb_app_case_make(&c->app, &p.app, err) != CB_OK)
        return err->status;
    keep_texts(c);
    c->validates = p.bound;
    c->headroom = p.headroom;
    if (c->validates)
        c->app.workgroups = 0; /* the bound is that of the device */
    if (!p.sizes)
        return open_measured(c, params, p.tune_by, err);
    cb_apps_open_tuning(c, &p);
    return session->rehearsal ? rehearse_tuning(c, err) : CB_OK;
}

static void apps_close(void *state)
{
    struct cb_apps_case *c = state;
    cb_apps_close_kernel(&c->kernel);
    cb_apps_close_tuning(c);
    free(c);
}

static enum cb_status apps_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_apps_case *c = state;
    const struct cb_app *app = c->batch->on.app;
    struct cb_coop_time time;
    if (c->n_kernels > 0)
        return cb_apps_tune(c, sample, err);
    if (c->validates)
        return cb_apps_validate_bound(c, sample, err);
    if (cb_apps_run_kernel(c, &c->kernel, &time, sample, err) != CB_OK)
        return err->status;
    c->runs++;
    cb_sample_add(sample, "run_time", time.run_ns);
    cb_sample_add(sample, "host_time", time.host_ns);
    if (app->work) {
        double work = app->count_work(c->batch->on.state);
        cb_sample_add(sample, "work", work);
        cb_sample_add(sample, "throughput", work / (time.run_ns / 1e9));
    }
    cb_sample_add(sample, "wg_size", (double)c->kernel.wg_size);
    if (c->kernel.groups > 0)
        cb_sample_add(sample, "workgroups", (double)c->kernel.groups);
    if (*c->kernel.safe)
        cb_sample_note(sample,
                       "%zu workgroup%s of %zu work-item%s, safe in %.6g %% of launches (%s)",
                       c->kernel.groups, CB_PLURAL(c->kernel.groups), c->kernel.wg_size,
                       CB_PLURAL(c->kernel.wg_size), 100 * c->headroom, c->kernel.safe);
    return CB_OK;
}

/* ---- The table entry ------------------------------------------------------------------------- */

#define TUNED(size)                                                                                \
    {                                                                                              \
        "wg_" #size, "ns", CB_LOWER, false,                                                        \
            "tuning: run_time with " #size " work-items a workgroup"                               \
    }

static const struct cb_metric metrics[] = {
    {"run_time", "ns", CB_LOWER, true,
     "a run: of the launch, by its event (specialised, portable); of the app in the megakernel, by "
     "the device clock (cooperative); from the first launch to the end of the last, by the host's "
     "clock (multikernel, baseline)"},
    {"host_time", "ns", CB_LOWER, false,
     "from the first launch until the host knew of the end, by its clock, in all modes"},
    {"throughput", "ops/s", CB_HIGHER, false, "work over run_time: edges a second, for instance"},
    {"work", "1", CB_NEITHER, false, "what a run goes through, where the app counts it"},
    {"result", "1", CB_NEITHER, false, "what the app tells of its result, such as colours used"},
    {"wg_size", "1", CB_NEITHER, false, "work-items a workgroup"},
    {"workgroups", "workgroups", CB_NEITHER, false, "workgroups of the app"},
    {"groups_found", "workgroups", CB_NEITHER, false,
     "validate-bound: workgroups that the discovery protocol finds"},
    {"groups_bound", "workgroups", CB_NEITHER, false,
     "validate-bound: the most with which the specialised app ends; one more deadlocks"},
    {"one_more_ends", "1", CB_NEITHER, false,
     "validate-bound: 0: one workgroup more deadlocks, as it should; 1: there is no such bound"},
    TUNED(1),
    TUNED(2),
    TUNED(4),
    TUNED(8),
    TUNED(16),
    TUNED(32),
    TUNED(64),
    TUNED(128),
    TUNED(256),
    TUNED(512),
    TUNED(1024),
    TUNED(2048),
    TUNED(4096),
    TUNED(8192),
    {0},
};

static const char *const built_by[] = {"app",      "variant", "mode", "barrier",
                                       "protocol", "delay",   "ids",  "global-barrier",
                                       "wg-size",  "sizes",   NULL};

static bool is_only_compared(const cJSON *params)
{
    struct cb_apps_parameters p;
    cb_fields_read(params, cb_apps_fields, &p);
    return cb_text_is(p.mode, "baseline");
}

static const char *const chosen[] = {"mode",  "barrier", "global-barrier", "protocol",
                                     "delay", "ids",     "wg-size",        NULL};

static const struct cb_choice choices[] = {
    {"mode", chosen, .only_compared = is_only_compared}, {"workgroup size", .metrics = "wg_"}, {0}};

const struct cb_bench cb_bench_apps = {
    .id = "apps",
    .summary = "What global barriers, portability and cooperation cost whole applications",
    .reproduces = "OOPSLA'16 Figs. 9 to 11, Tab. 4; FSE'17 Tab. 2",
    .details =
        "Runs each app in four execution modes, from one source, and checks every result against\n"
        "a serial reference. With --full, each mode is tuned first: with which workgroup size is\n"
        "it fastest?\n"
        "Then the modes of an app and an input take turns, a run of each, so that their times can\n"
        "be compared although the machine changes its speed.\n\n"
        "The tables tell how much faster a barrier is than a launch for each step (multikernel\n"
        "over portable, by the host's clock), what it costs to find out how many workgroups run\n"
        "at once (portable over specialised), and what it costs to be ready to give some up\n"
        "(cooperative over both). --verify runs each case once, for the check alone.\n\n"
        "  coopbench apps --app bfs --input roads.gr --mode portable,cooperative\n"
        "  coopbench apps --cpu --scale tiny --verify",
    .params = cb_apps_params,
    .fields = cb_apps_fields,
    .metrics = metrics,
    .choices = choices,
    .figures = cb_apps_figures,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 1, .min_runs = 20, .max_runs = 20},
    .run_deadline_s = 300,
    .even_runs = true,
    .built_by = built_by,
    .quick_gpu_s = 45,
    .quick_cpu_s = 45,
    .plan = cb_apps_plan,
    .open_batch = apps_open_batch,
    .close_batch = apps_close_batch,
    .open = apps_open,
    .run = apps_run,
    .close = apps_close,
    .is_users = cb_user_case_is,
    .report = cb_apps_report,
    .findings = cb_apps_findings,
};
