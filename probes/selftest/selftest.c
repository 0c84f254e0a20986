/* SPDX-License-Identifier: Apache-2.0
 *
 * Random runs of the cooperative runtime, all of whose results and traces are checked.
 * See README.md beside this file.
 */
#include "probes/selftest/selftest.h"

#include <stdlib.h>
#include <string.h>

#include "measure/json.h"
#include "probes/selftest/plan.h"
#include "probes/selftest/report.h"

/* ---- Kernels --------------------------------------------------------------------------------- */

enum cb_status cb_selftest_build(const struct cb_selftest *t, unsigned mode, unsigned trace_events,
                                 struct cb_coop **coop, struct cb_err *err)
{
    const struct cb_coop_config config = {.path = t->app->kernel,
                                          .local_size = t->local_size,
                                          .mode = mode,
                                          .resizing = t->resizing,
                                          .trace_events = trace_events,
                                          .task_size = CB_SELFTEST_MAX_SIZE};
    struct cb_kernel_value values[CB_APP_MAX_ARGS];
    if (cb_coop_open(t->session, &config, coop, err) != CB_OK)
        return err->status;
    size_t n = t->app->args(t->app_state, values, CB_APP_MAX_ARGS);
    return cb_coop_args(*coop, values, n, err);
}

/* ---- Workers --------------------------------------------------------------------------------- */

#define MAX_KERNELS 128

/* What searches have found in this process. On a busy CPU a search takes tens of milliseconds. */
static struct {
    char kernel[96];
    size_t workers;
} found[MAX_KERNELS];

/* With a state of the app for as many as there can be: no kernel is launched without arguments. */
static enum cb_status search(const struct cb_selftest *t, unsigned mode, size_t *workers,
                             struct cb_err *err)
{
    struct cb_coop *coop = NULL;
    struct cb_selftest trial = *t;
    unsigned trace_events = mode == COOP_COOPERATIVE && t->trace_events;
    enum cb_status status =
        t->app->open(t->session, t->app->inputs[0].spec[CB_SCALE_TINY], COOP_MAX_WORKERS,
                     &trial.app_state, err);
    if (status == CB_OK)
        status = cb_selftest_build(&trial, mode, trace_events, &coop, err);
    if (status == CB_OK)
        status = cb_coop_find_workers(coop, workers, err);
    cb_coop_close(coop);
    t->app->close(trial.app_state);
    return status;
}

/* How many workers a kernel can have. */
static enum cb_status find_workers(const struct cb_selftest *t, unsigned mode, size_t *workers,
                                   struct cb_err *err)
{
    char kernel[sizeof found->kernel];
    size_t i = 0;
    snprintf(kernel, sizeof kernel, "%s %u %u %zu %d", t->app->id, mode, t->resizing, t->local_size,
             t->trace_events > 0);
    while (i < MAX_KERNELS - 1 && found[i].workers > 0 && strcmp(found[i].kernel, kernel) != 0)
        i++;
    if (found[i].workers == 0 || strcmp(found[i].kernel, kernel) != 0) {
        if (search(t, mode, &found[i].workers, err) != CB_OK)
            return err->status;
        strcpy(found[i].kernel, kernel);
    }
    *workers = found[i].workers;
    return CB_OK;
}

/* From `least` to `most` for shares in [0, 1). */
static size_t share_of(double share, size_t least, size_t most)
{
    return least + (size_t)(share * (double)(most - least + 1));
}

static enum cb_status choose_groups(struct cb_selftest *t, const cJSON *params, struct cb_err *err)
{
    size_t most, alone = 0;
    double first = cb_json_number(params, "first_groups");
    if (find_workers(t, COOP_COOPERATIVE, &most, err) != CB_OK ||
        (t->all_modes && find_workers(t, COOP_PORTABLE, &alone, err) != CB_OK))
        return err->status;
    t->workers = share_of(cb_json_number(params, "workers"), 2, most);
    t->first_groups = first > 0 ? (unsigned)share_of(first, 1, t->workers) : 0;
    t->mode_groups = t->workers < alone ? t->workers : alone;
    return CB_OK;
}

/* ---- A case ---------------------------------------------------------------------------------- */

static unsigned resizing_of(const char *name)
{
    return strcmp(name, "regular") == 0 ? COOP_REGULAR
           : strcmp(name, "query") == 0 ? COOP_QUERY
                                        : COOP_ATOMIC;
}

static enum cb_status selftest_open(struct cb_session *session, const cJSON *params, void **state,
                                    struct cb_err *err)
{
    struct cb_selftest *t = calloc(1, sizeof *t);
    *state = t;
    if (!t)
        return cb_fail(err, CB_ERROR, "out of memory");
    t->session = session;
    t->app = cb_app_find(cb_json_text(params, "app", ""));
    if (!t->app)
        return cb_fail(err, CB_ERROR, "no such app");
    t->resizing = resizing_of(cb_json_text(params, "resizing", ""));
    t->local_size = (size_t)cb_json_number(params, "wg");
    t->trace_events = (unsigned)cb_json_number(params, "trace");
    t->tasks = (unsigned)cb_json_number(params, "tasks");
    t->tasks_seed = (uint64_t)cb_json_number(params, "tasks_seed");
    t->all_modes = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(params, "all_modes"));
    if (choose_groups(t, params, err) != CB_OK ||
        t->app->open(session, cb_json_text(params, "input", ""), t->workers, &t->app_state, err) !=
            CB_OK)
        return err->status;
    return cb_selftest_build(t, COOP_COOPERATIVE, t->trace_events, &t->coop, err);
}

static void selftest_close(void *state)
{
    struct cb_selftest *t = state;
    cb_coop_close(t->coop);
    if (t->app)
        t->app->close(t->app_state);
    free(t);
}

static enum cb_status selftest_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_selftest *t = state;
    enum cb_status status = cb_selftest_stress(t, sample, err);
    return status == CB_OK && t->all_modes ? cb_selftest_modes(t, sample, err) : status;
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_metric metrics[] = {
    {"gather_time", "ns", CB_LOWER, true,
     "from when the scheduler saw a task to when all its workgroups were there, of each task "
     "beside "
     "the running app"},
    {"workers", "workgroups", CB_NEITHER, false, "besides the scheduler"},
    {"tasks", "1", CB_NEITHER, false, "tasks that were run, and their products checked"},
    {"runs", "1", CB_NEITHER, false, "runs of the app meanwhile, and their results checked"},
    {"kills", "1", CB_NEITHER, false, "workgroups that left the app"},
    {"forks", "1", CB_NEITHER, false, "workgroups that joined it"},
    {"events", "1", CB_NEITHER, false, "events of the trace that was checked"},
    {0},
};

const struct cb_bench cb_bench_selftest = {
    .id = "selftest",
    .summary = "Whether cooperative kernels keep their rules, by random runs that are checked",
    .reproduces = "FSE'17 Sections 3.1 and 4.2, as a test of them",
    .details =
        "Each case runs an app as a cooperative kernel, again and again, and takes workgroups "
        "from\n"
        "it for tasks that come at random times: a matrix product each. App, input, sizes, kind "
        "of\n"
        "resizing barrier, number of workgroups, tasks and pauses are drawn from a seed.\n\n"
        "Checked are: the product of every task, the app's result in each of its runs, and the\n"
        "trace, which all workgroups write of what they do, by the rules of the paper. A trace "
        "that\n"
        "breaks one is reported with its name: KILL (only the highest workgroup may be killed, "
        "and\n"
        "never the last), FORK and JOIN (workgroups join under the next free ids, with the state\n"
        "of who forked them), BARRIER (all arrive before one leaves), TASK (its workgroups were "
        "out\n"
        "of the app) or RUN. One case in ten also runs the app without a scheduler, in the modes\n"
        "multikernel, specialised and portable. A deadlock ends as 'timeout'.\n\n"
        "Use it after a change of the runtime, and on a new device or driver before any other\n"
        "figure of it is believed. A case that failed is run again, alone, by the command that "
        "the\n"
        "report gives; what depends on timing may take some calls to come again.",
    .params = cb_selftest_params,
    .metrics = metrics,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 0, .min_runs = 1, .max_runs = 1},
    .run_deadline_s = 60,
    .plan = cb_selftest_plan,
    .open = selftest_open,
    .run = selftest_run,
    .close = selftest_close,
    .report = cb_selftest_report,
};
