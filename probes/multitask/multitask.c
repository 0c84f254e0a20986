/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a long blocking kernel and short urgent tasks can share a device (FSE'17 Section 5).
 * See README.md beside this file.
 */
#include "probes/multitask/multitask.h"
#include "probes/multitask/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/user.h"
#include "probes/multitask/figures.h"
#include "probes/multitask/plan.h"
#include "probes/multitask/report.h"
#include "runtime/coop/matmul.h"
#include "runtime/discovery.h"
#include "runtime/host/text.h"

/* ---- Opening --------------------------------------------------------------------------------- */

static enum cb_status open_mode(struct cb_multitask *m, unsigned mode, unsigned trace_events,
                                struct cb_coop **coop, struct cb_err *err)
{
    struct cb_coop_config config = m->config;
    config.mode = mode;
    config.trace_events = trace_events;
    return cb_app_open_mode(m->on, &config, coop, err);
}

/* Not more than there were, if that is known already. */
static enum cb_status find_workers(struct cb_multitask *m, unsigned mode, unsigned trace_events,
                                   struct cb_err *err)
{
    struct cb_coop_config config = m->config;
    size_t found = 0;
    config.mode = mode;
    config.trace_events = trace_events;
    if (cb_app_find_workers(m->on, &config, &found, err) != CB_OK)
        return err->status;
    m->workers = m->workers && m->workers < found ? m->workers : found;
    return CB_OK;
}

static enum cb_status choose_workers(struct cb_multitask *m, const struct cb_app_case *c,
                                     struct cb_err *err)
{
    if (find_workers(m, COOP_COOPERATIVE, m->config.trace_events, err) != CB_OK)
        return err->status;
    return cb_app_case_limit(c, m->workers, "run at once beside the scheduler", &m->workers, err);
}

/* Its tasks are all of one size: there are none for the gather time alone. */
static enum cb_status open_own(struct cb_multitask *m, const struct cb_user_task *task,
                               struct cb_err *err)
{
    const bool both = m->second.app;
    const size_t wg_size = m->config.wg_size;
    m->gather_tasks = 0;
    if ((both ? cb_user_task_open_common(m->session, task, wg_size, &m->own, err)
              : cb_user_task_open(m->session, task, m->on->app, wg_size, &m->own, err)) != CB_OK)
        return err->status;
    m->arrivals = task->setup.arrivals;
    *(both ? &m->config.common : &m->config.path) = m->own->program;
    m->config.arena = m->own->arena.buffer;
    m->config.images = m->own->values;
    m->config.n_images = m->own->n_values;
    m->config.submits = task->submits;
    return CB_OK;
}

/* Many may rehearse at once, and need no room for tasks. */
static enum cb_status open_ours(struct cb_multitask *m, unsigned task, struct cb_err *err)
{
    m->task = task;
    if (m->session->rehearsal)
        return CB_OK;
    if (cb_tasks_open(m->session, cb_matmul_most(&m->session->info), &m->ours, err) != CB_OK)
        return err->status;
    m->config.arena = cb_tasks_arena(m->ours);
    return CB_OK;
}

static enum cb_status open_tasks(struct cb_multitask *m, const struct cb_app_case *c,
                                 const struct cb_multitask_case *params, struct cb_err *err)
{
    const double period_ns = params->period_ns;
    m->arrivals = (struct cb_arrivals){.period_ns = period_ns, .deadline_ns = period_ns};
    m->budget_ns = params->budget_s * 1e9;
    m->gather_s = params->gather_deadline_s;
    m->task_s = params->task_deadline_s;
    m->gives_up = cb_text_is(params->on_timeout, "give-up");
    m->gather_tasks = params->gather_tasks;
    m->app_runs = params->app_runs ? params->app_runs : 1;
    if (cb_app_case_trace_path(c, m->trace, sizeof m->trace, err) != CB_OK ||
        cb_power_meter_open(&m->meter, params->power, &m->session->info, err) != CB_OK)
        return err->status;
    m->config.trace_events = *m->trace ? m->trace_events : 0;
    if ((c->user_task ? open_own(m, c->user_task, err) : open_ours(m, c->task, err)) != CB_OK)
        return err->status;
    const char *groups = params->groups;
    bool fewest = cb_text_is(groups, CB_MULTITASK_FEWEST);
    if (choose_workers(m, c, err) != CB_OK ||
        open_mode(m, COOP_COOPERATIVE, m->config.trace_events, &m->coop, err) != CB_OK ||
        (!fewest && cb_groups_parse(groups, m->workers, &m->groups, err) != CB_OK))
        return err->status;
    if (m->groups + cb_multitask_kept(m) > m->workers)
        return cb_fail(err, CB_UNSUPPORTED,
                       "a task of %zu workgroup%s leaves %s of %zu to the cooperative kernel%s",
                       m->groups, CB_PLURAL(m->groups), m->second.app ? "too few" : "none",
                       m->workers,
                       m->second.app ? "s, one for each" : ": --semantics whole lets it have all");
    if (m->session->rehearsal) /* all is built */
        return CB_OK;
    if (!m->own && cb_multitask_calibrate(m, params->duration_ns, err) != CB_OK)
        return err->status;
    return fewest ? cb_multitask_fewest(m, err) : CB_OK;
}

/* All modes have the same workgroups: as many as each of their kernels can have. */
static enum cb_status open_overhead(struct cb_multitask *m, const struct cb_app_case *c,
                                    unsigned turns, struct cb_err *err)
{
    m->gather_s = 1;
    m->turns = turns;
    if (choose_workers(m, c, err) != CB_OK ||
        find_workers(m, COOP_COOPERATIVE, m->trace_events, err) != CB_OK ||
        find_workers(m, COOP_PORTABLE, 0, err) != CB_OK ||
        open_mode(m, COOP_COOPERATIVE, 0, &m->coop, err) != CB_OK ||
        open_mode(m, COOP_COOPERATIVE, m->trace_events, &m->traced, err) != CB_OK ||
        open_mode(m, COOP_PORTABLE, 0, &m->portable, err) != CB_OK)
        return err->status;
    enum cb_status status = open_mode(m, COOP_SPECIALISED, 0, &m->specialised, err);
    if (status != CB_OK || c->workgroups > 0)
        return status;
    return cb_app_fit_groups(m->on, m->specialised, &m->workers, err);
}

static enum cb_status open_second(struct cb_multitask *m, const struct cb_multitask_case *params,
                                  struct cb_err *err)
{
    enum cb_status status = cb_together_open_beside(m->session, params, &m->second, err);
    if (m->second.app) {
        m->first = *m->on;
        m->first.beside = &m->second;
        m->on = &m->first;
    }
    return status;
}

static enum cb_status multitask_open(struct cb_session *session, const cJSON *params, void *batch,
                                     void **state, struct cb_err *err)
{
    struct cb_app_case c;
    struct cb_multitask *m = calloc(1, sizeof *m);
    *state = m;
    if (!m)
        return cb_no_memory(err);
    struct cb_multitask_case p;
    cb_fields_read(params, cb_multitask_fields, &p);
    m->session = session;
    m->on = batch;
    if (cb_together_is(&p))
        return cb_together_open(m->on, &p, &m->together, err);
    if (cb_app_case_make(&c, &p.app, err) != CB_OK || open_second(m, &p, err) != CB_OK)
        return err->status;
    m->config = cb_app_case_config(&c, COOP_COOPERATIVE);
    m->trace_events = p.trace_events;
    m->tasks = p.tasks;
    return m->tasks ? open_tasks(m, &c, &p, err) : open_overhead(m, &c, p.turns, err);
}

static void multitask_close(void *state)
{
    struct cb_multitask *m = state;
    cb_coop_close(m->coop);
    cb_coop_close(m->specialised);
    cb_coop_close(m->portable);
    cb_coop_close(m->traced);
    cb_user_task_close(m->own);
    cb_tasks_close(m->ours);
    cb_power_meter_close(&m->meter);
    cb_together_close(m->together);
    cb_app_close_input(&m->second);
    free(m);
}

static enum cb_status multitask_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_multitask *m = state;
    double alone_ns;
    if (m->together)
        return cb_together_sample(m->together, sample, err);
    if (!m->tasks)
        return cb_multitask_overhead(m, sample, err);
    if (cb_power_meter_begin(&m->meter, err) != CB_OK)
        return err->status;
    if (cb_multitask_alone(m, &alone_ns, sample, err) != CB_OK)
        return cb_context(err, "without tasks");
    enum cb_status status = cb_multitask_tasks(m, alone_ns, sample, err);
    return status == CB_OK ? cb_power_meter_end(&m->meter, sample, err) : status;
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_metric metrics[] = {
    {"gather_time", "ns", CB_LOWER, true,
     "from when the scheduler saw a task until its workgroups were there, while the cooperative "
     "kernel was active"},
    {"exec_time", "ns", CB_LOWER, false, "from then until the last of them had finished"},
    {"answer_time", "ns", CB_LOWER, false, "from the host's call until it knew"},
    {"overhead", "1", CB_LOWER, false, "app_time over app_time_alone"},
    {"app_time", "ns", CB_LOWER, false, "mean run of the cooperative kernel beside the tasks"},
    {"app_time_alone", "ns", CB_LOWER, false, "the same without tasks"},
    {"period", "ns", CB_LOWER, false, "mean time between the answers to two tasks"},
    {"deadlines_met", "1", CB_HIGHER, false, "share of tasks answered before the next one's time"},
    {"active", "workgroups", CB_HIGHER, false,
     "workgroups of the cooperative kernel while a task ran"},
    {"tasks", "1", CB_NEITHER, false, "tasks of a run"},
    {"kills", "workgroups", CB_NEITHER, false, "workgroups that left the kernel in a run"},
    {"forks", "workgroups", CB_NEITHER, false, "workgroups that joined it"},
    {"app_runs", "1", CB_NEITHER, false, "how often the kernel was run to its end"},
    {"workers", "workgroups", CB_NEITHER, false, "most workgroups of the kernel: N"},
    {"task_groups", "workgroups", CB_NEITHER, false, "workgroups of a task"},
    {"launch_time", "ns", CB_LOWER, false,
     "a task of yours as a launch of its own on the empty device, by the host's clock"},
    {"merged_time", "ns", CB_LOWER, false,
     "the same of the merged kernel, in as many workgroups as keep the device busy"},
    {"deadlines_met_alone", "1", CB_NEITHER, false,
     "share of these launches that are in time, if they come as the task does"},
    {"task_rows", "1", CB_NEITHER, false,
     "rows and columns of the task's product, or of the square that its array is"},
    {"task_depth", "1", CB_NEITHER, false,
     "products summed up for each of its elements, or passes over the array"},
    CB_POWER_METRICS,
    {"specialised_time", "ns", CB_LOWER, false, "one run with native ids and a plain barrier"},
    {"portable_time", "ns", CB_LOWER, false, "one run with the discovery protocol"},
    {"overhead_specialised", "1", CB_LOWER, false, "app_time_alone over specialised_time (Tab. 2)"},
    {"overhead_portable", "1", CB_LOWER, false, "app_time_alone over portable_time"},
    {"stp", "1", CB_HIGHER, false,
     "two apps: what they do together, as a ratio to each alone, added up (system throughput)"},
    {"antt", "1", CB_LOWER, false,
     "how many times as long each takes together, on average (normalised turnaround time)"},
    {"fairness", "1", CB_HIGHER, false, "the least of these ratios over the most"},
    {"beside_time", "ns", CB_LOWER, false, "mean run of the other app in the same megakernel"},
    {"beside_time_alone", "ns", CB_LOWER, false, "the same alone"},
    {"app_groups", "workgroups", CB_NEITHER, false, "of the app, by the policy"},
    {"beside_groups", "workgroups", CB_NEITHER, false, "of the other app"},
    {"app_workers_alone", "workgroups", CB_NEITHER, false, "that the app has alone"},
    {"beside_workers_alone", "workgroups", CB_NEITHER, false, "that the other app has alone"},
    {"overhead_beside_nobody", "1", CB_LOWER, false,
     "a run in the megakernel of both, before the other app has begun, over one alone"},
    {"resize_time", "ns", CB_LOWER, false,
     "from when the scheduler saw the limits until workgroups had gone from one app to the other"},
    CB_TOGETHER_WINDOWS,
    {"overhead_trace", "1", CB_LOWER, false, "a traced run over one without a trace"},
    {0},
};

static const char *const built_by[] = {
    "app",  "variant", "barrier", "semantics",     "channel",        "wg-size",   "workload?",
    "task", "trace?",  "beside",  "alone_wg_size", "beside_wg_size", "registers", NULL};

static const char *const chosen[] = {"barrier", "semantics", "wg-size", "policy", NULL};
static const struct cb_choice choices[] = {{"resizing barrier", chosen}, {0}};

const struct cb_bench cb_bench_multitask = {
    .id = "multitask",
    .summary = "Whether a long blocking kernel can share the device with short urgent tasks",
    .reproduces = "FSE'17 Figs. 1, 5, 6, Tabs. 2, 3",
    .details =
        "A cooperative kernel runs on all workgroups that the device has at once, and gives some\n"
        "up when a task comes: a matrix multiplication (or --task reduce, a reduction; or yours), "
        "of a size\n"
        "that takes all of them the workload's duration. A scheduler workgroup gathers them, lets "
        "the task go, and hands\n"
        "them back. The kernel is begun again whenever it has ended. Every run checks the\n"
        "kernel's results and each task's result. A task that comes too late for the next\n"
        "(deadlines_met) needs more workgroups; --trace shows what happens when.\n"
        "The cases 'overhead' compare the kernel without tasks with persistent threads.\n\n"
        "--matrix is the paper's evaluation: all inputs of all apps, with little effort for each\n"
        "case. It takes a quarter of an hour on a GPU; --resume goes on after an interruption.\n"
        "On two CPU cores, --matrix --scale tiny takes less than five minutes: one run of a case,\n"
        "for the checks more than for the times.",
    .params = cb_multitask_params,
    .fields = cb_multitask_fields,
    .metrics = metrics,
    .choices = choices,
    .figures = cb_multitask_figures,
    .figures_of_samples = "policy",
    .run_deadline_s = 200,
    .quick_gpu_s = 28,
    .quick_cpu_s = 45,
    .built_by = built_by,
    .plan = cb_multitask_plan,
    .open_batch = cb_app_open_batch,
    .close_batch = cb_app_close_batch,
    .open = multitask_open,
    .run = multitask_run,
    .close = multitask_close,
    .is_users = cb_user_case_is,
    .report = cb_multitask_report,
    .findings = cb_multitask_findings,
};
