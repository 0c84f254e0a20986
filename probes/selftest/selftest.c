/* SPDX-License-Identifier: Apache-2.0
 *
 * Random runs of the cooperative runtime, all of whose results and traces are checked.
 * See README.md beside this file.
 */
#include "probes/selftest/again.h"
#include "probes/selftest/case.h"
#include "probes/selftest/findings.h"

#include <stdlib.h>
#include <string.h>

#include "apps/host/user.h"
#include "probes/selftest/plan.h"
#include "probes/selftest/report.h"

static enum cb_status open_trial(struct cb_app_instance *trial, struct cb_err *err)
{
    return trial->app->open(trial->session, trial->app->inputs[0].spec[CB_SCALE_TINY],
                            COOP_MAX_WORKERS, &trial->state, err);
}

/* How many workers a kernel can have; with an input for as many as there can be, since no kernel is
 * launched without arguments. */
static enum cb_status find_workers(const struct cb_selftest *t, unsigned mode, size_t *workers,
                                   struct cb_err *err)
{
    struct cb_app_instance trial = t->on, beside = t->beside;
    const struct cb_coop_config config =
        cb_selftest_config(t, mode, mode == COOP_COOPERATIVE && t->trace_events);
    enum cb_status status = open_trial(&trial, err);
    if (beside.app) {
        trial.beside = &beside;
        status = status == CB_OK ? open_trial(&beside, err) : status;
    }
    if (status == CB_OK)
        status = cb_app_find_workers(&trial, &config, workers, err);
    trial.app->close(trial.state);
    if (beside.app)
        beside.app->close(beside.state);
    return status;
}

/* From `least` to `most` for shares in [0, 1). */
static size_t share_of(double share, size_t least, size_t most)
{
    return least + (size_t)(share * (double)(most - least + 1));
}

static enum cb_status choose_groups(struct cb_selftest *t, const struct cb_selftest_case *params,
                                    struct cb_err *err)
{
    size_t most, alone = 0;
    double first = params->first_groups;
    if (find_workers(t, COOP_COOPERATIVE, &most, err) != CB_OK ||
        (t->all_modes && find_workers(t, COOP_PORTABLE, &alone, err) != CB_OK))
        return err->status;
    t->workers = share_of(params->workers, t->beside.app ? 3 : 2, most);
    t->first_groups = first > 0 ? (unsigned)share_of(first, 1, t->workers) : 0;
    t->mode_groups = t->workers < alone ? t->workers : alone;
    return CB_OK;
}

/* ---- A case ---------------------------------------------------------------------------------- */

static enum cb_status open_beside(struct cb_selftest *t, const char *input, struct cb_err *err)
{
    t->on.beside = &t->beside;
    return t->beside.app->open(t->beside.session, input, t->workers, &t->beside.state, err);
}

static enum cb_status selftest_open(struct cb_session *session, const cJSON *params, void *batch,
                                    void **state, struct cb_err *err)
{
    (void)batch; /* each case draws an input of its own */
    struct cb_app_case c;
    struct cb_selftest *t = calloc(1, sizeof *t);
    *state = t;
    if (!t)
        return cb_no_memory(err);
    struct cb_selftest_case p;
    cb_fields_read(params, cb_selftest_fields, &p);
    if (cb_app_case_make(&c, &p.app, err) != CB_OK)
        return err->status;
    t->on = (struct cb_app_instance){.session = session, .app = c.app};
    if (p.beside)
        t->beside = (struct cb_app_instance){
            .session = session, .app = cb_app_variant(cb_app_find(p.beside), p.beside_variant)};
    if (p.beside && !t->beside.app)
        return cb_fail(err, CB_USAGE, "beside: there is no app %s", p.beside);
    t->resizing = cb_app_resizing_of(p.resizing);
    t->semantics = c.semantics;
    t->wg_size = c.wg_size;
    t->trace_events = p.trace_events;
    t->tasks = p.tasks;
    t->tasks_seed = p.tasks_seed;
    t->policy = p.policy ? cb_policy_find(p.policy) : NULL;
    t->limits = p.limits;
    t->all_modes = p.all_modes;
    if (choose_groups(t, &p, err) != CB_OK ||
        t->on.app->open(session, c.input, t->workers, &t->on.state, err) != CB_OK ||
        (t->beside.app && open_beside(t, p.beside_input ? p.beside_input : "", err) != CB_OK))
        return err->status;
    if (session->rehearsal && t->all_modes && cb_selftest_rehearse_modes(t, err) != CB_OK)
        return err->status;
    if (!session->rehearsal && cb_tasks_open(session, CB_SELFTEST_MAX_SIZE, &t->ours, err) != CB_OK)
        return err->status;
    return cb_selftest_build(t, COOP_COOPERATIVE, t->trace_events, &t->coop, err);
}

static void selftest_close(void *state)
{
    struct cb_selftest *t = state;
    cb_coop_close(t->coop);
    cb_tasks_close(t->ours);
    if (t->on.app)
        t->on.app->close(t->on.state);
    if (t->beside.app)
        t->beside.app->close(t->beside.state);
    free(t);
}

static enum cb_status run_once(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_selftest *t = state;
    t->view = (struct cb_policy_view){0};
    t->memory = (struct cb_policy_memory){0};
    enum cb_status status = cb_selftest_stress(t, sample, err);
    return status == CB_OK && t->all_modes ? cb_selftest_modes(t, sample, err) : status;
}

static enum cb_status selftest_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_selftest *t = state;
    return cb_selftest_try(t->on.session, t, run_once, sample, err);
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_metric metrics[] = {
    {"gather_time", "ns", CB_LOWER, true,
     "from when the scheduler saw a task to when all its workgroups were there, of each task "
     "beside "
     "the running app"},
    {"workers", "workgroups", CB_NEITHER, false, "besides the scheduler"},
    {"tasks", "1", CB_NEITHER, false, "tasks that were run, and their results checked"},
    {"runs", "1", CB_NEITHER, false, "runs of the app meanwhile, and their results checked"},
    {"beside_runs", "1", CB_NEITHER, false,
     "runs of the second kernel in the same megakernel, and their results checked"},
    {"withdrawn", "1", CB_NEITHER, false, "tasks that were withdrawn before they had begun"},
    {"limits", "1", CB_NEITHER, false, "limits of its workgroups that were set meanwhile"},
    {"limit_time", "ns", CB_LOWER, false,
     "from when the scheduler saw a limit to when it had come to pass, of those that were waited "
     "for"},
    {"kills", "1", CB_NEITHER, false, "workgroups that left the app"},
    {"forks", "1", CB_NEITHER, false, "workgroups that joined it"},
    {"events", "1", CB_NEITHER, false, "events of the trace that was checked"},
    {0},
};

static const char *const built_by[] = {
    "app",   "variant",   "wg-size", "resizing",       "semantics",
    "trace", "all_modes", "beside",  "beside_variant", NULL};

const struct cb_bench cb_bench_selftest = {
    .id = "selftest",
    .summary = "Whether cooperative kernels keep their rules, by random runs that are checked",
    .reproduces = "FSE'17 Sections 3.1 and 4.2, as a test of them",
    .details =
        "Each case runs an app as a cooperative kernel, again and again, and takes workgroups\n"
        "from it for tasks that come at random times, matrix products and reductions. In half of\n"
        "the cases the number of workgroups that it may have is changed at random times, too. "
        "App,\n"
        "input, sizes, kind of resizing barrier, semantics, workgroups, tasks and pauses are drawn "
        "from a\n"
        "seed.\n\n"
        "Checked are: the result of every task, the app's result in each of its runs, and the\n"
        "trace, which all workgroups write of what they do, by the rules of the paper. A trace "
        "that\n"
        "breaks one is reported with its name: KILL (only the highest workgroup may be killed, "
        "and\n"
        "never the last), FORK and JOIN (workgroups join under the next free ids, with the state\n"
        "of who forked them), BARRIER (all arrive before one leaves), TASK (its workgroups were "
        "out\n"
        "of the app), LIMIT (it has no more workgroups than it may have) or RUN. One case in ten "
        "also runs the app without a scheduler, in the modes\n"
        "multikernel, specialised and portable. A deadlock ends as 'timeout'.\n\n"
        "Use it after a change of the runtime, and on a new device or driver before any other\n"
        "figure of it is believed. A case that failed is run again, alone, by the command that "
        "the\n"
        "report gives; what depends on timing may take some calls to come again.",
    .params = cb_selftest_params,
    .fields = cb_selftest_fields,
    .metrics = metrics,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 0, .min_runs = 1, .max_runs = 1},
    .run_deadline_s = 60,
    .built_by = built_by,
    .plan = cb_selftest_plan,
    .open = selftest_open,
    .run = selftest_run,
    .close = selftest_close,
    .is_users = cb_user_case_is,
    .report = cb_selftest_report,
    .holds_beside = true,
    .findings = cb_selftest_findings,
};
