/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of urgent tasks, and of a long blocking kernel, where only whole kernels are
 * preempted (FSE'17 Section 5.5). See README.md beside this file.
 */
#include "probes/preempt/preempt.h"
#include "probes/preempt/beside.h"
#include "probes/preempt/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/user.h"
#include "probes/preempt/figures.h"
#include "probes/preempt/hybrid/hybrid.h"
#include "probes/preempt/plan.h"
#include "probes/preempt/report.h"
#include "runtime/coop/matmul.h"
#include "runtime/discovery.h"
#include "runtime/host/time.h"

#define OPEN_S        60   /* seconds for the companion to prepare its task */
#define FIRST_TASK_NS 30e6 /* time from the window's begin, when the app has begun, too */

/* Exactly one of these; in a rehearsal of --hybrid, its two. */
struct state {
    struct cb_preempt *app;
    struct cb_preempt_tasks *tasks; /* the tasks of a companion */
    struct cb_hybrid *hybrid;
    struct cb_hybrid_app *hybrid_app; /* the companion of --hybrid, an app */
    /* With the app: a sample. */
    enum cb_status (*run)(struct cb_preempt *app, struct cb_sample *sample, struct cb_err *err);
};

/* ---- The app's process ----------------------------------------------------------------------- */

static enum cb_status choose_groups(struct cb_preempt *p, const struct cb_app_case *c,
                                    const struct cb_coop_config *config, struct cb_err *err)
{
    struct cb_coop_config portable = *config;
    portable.mode = COOP_PORTABLE;
    portable.repeats = false;
    if (cb_app_find_workers(p->app.on, &portable, &p->workers, err) != CB_OK ||
        cb_app_case_limit(c, p->workers + 1, "run at once: they would wait for each other forever",
                          &p->app.groups, err) != CB_OK)
        return err->status;
    if (c->workgroups)
        p->workers = c->workgroups;
    return CB_OK;
}

static enum cb_status open_app(struct cb_preempt *p, const struct cb_app_case *c,
                               struct cb_err *err)
{
    struct cb_coop_config config = cb_app_case_config(c, COOP_SPECIALISED);
    config.resizing = COOP_ATOMIC;
    config.program_tasks = false; /* the app has none: tasks are launches of their own */
    config.phase_s = p->phase_s;
    config.repeats = true;
    if (choose_groups(p, c, &config, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_app_open_mode(p->app.on, &config, &p->app.coop, err);
    if (status != CB_OK || c->workgroups > 0)
        return status;
    return cb_app_fit_groups(p->app.on, p->app.coop, &p->app.groups, err);
}

/* Finds the size of tasks that have the whole device. */
static enum cb_status find_size(struct cb_preempt *p, size_t wg_size, double duration_ns,
                                uint32_t *size, struct cb_err *err)
{
    struct cb_preempt_task *task = NULL;
    const struct cb_preempt_task_config config = {
        .wg_size = wg_size, .groups = p->workers, .most = cb_matmul_most(&p->session->info)};
    enum cb_status status = cb_preempt_task_open(p->session, &config, &task, err);
    if (status == CB_OK)
        status = cb_preempt_task_find_size(task, duration_ns, size, err);
    cb_preempt_task_close(task);
    return status;
}

/* What the other half of the case has to know. */
static struct cb_preempt_case params_of_tasks(const struct cb_preempt_case *params, size_t groups,
                                              uint32_t size)
{
    struct cb_preempt_case own = *params;
    own.half = "tasks";
    own.task_groups = (unsigned)groups;
    own.task_size = size;
    return own;
}

static enum cb_status rehearse_own(struct cb_session *session, const struct cb_user_task *own,
                                   struct cb_err *err)
{
    struct cb_user_task_run *run = NULL;
    enum cb_status status = cb_user_task_open(session, own, NULL, 0, &run, err);
    cb_user_task_close(run);
    return status;
}

static enum cb_status rehearse_tasks(struct cb_session *session, size_t wg_size, struct cb_err *err)
{
    struct cb_preempt_task *task = NULL;
    struct cb_preempt_result unused;
    const uint32_t size = COOP_TASK_SIZE(COOP_TASK_UNIT, COOP_TASK_UNIT);
    const struct cb_preempt_task_config config = {
        .wg_size = wg_size, .groups = 1, .most = cb_matmul_room(size)};
    enum cb_status status = cb_preempt_task_open(session, &config, &task, err);
    if (status == CB_OK)
        status = cb_preempt_task_run(task, 1, size, &unused, err);
    cb_preempt_task_close(task);
    return status;
}

static enum cb_status open_tasks(struct cb_preempt *p, size_t wg_size,
                                 const struct cb_preempt_case *params, struct cb_err *err)
{
    const struct cb_user_task *own_task =
        params->app.task ? cb_user_task_of(params->app.task) : NULL;
    const char *asked = params->groups;
    size_t groups = own_task ? strtoull(asked, NULL, 10) : 0;
    uint32_t size = 0;
    if (p->session->rehearsal)
        return own_task ? rehearse_own(p->session, own_task, err)
                        : rehearse_tasks(p->session, wg_size, err);
    if (!own_task && (cb_groups_parse(asked, p->workers, &groups, err) != CB_OK ||
                      find_size(p, wg_size, params->duration_ns, &size, err) != CB_OK))
        return err->status;
    const struct cb_preempt_case half = params_of_tasks(params, groups, size);
    if (!cb_text_is(params->place, "process"))
        return cb_session_open_second(&p->second, p->session, err) == CB_OK
                   ? cb_preempt_tasks_open(&p->tasks, &p->second, &half, err)
                   : err->status;
    cJSON *own = cJSON_CreateObject();
    cb_fields_write(own, cb_preempt_fields, &half);
    return cb_companion_open(cb_bench_find("preempt"), p->session, true, own, OPEN_S, &p->companion,
                             err) == CB_OK
               ? CB_OK
               : cb_context(err, "the tasks' process");
}

static void close_app(struct cb_preempt *p)
{
    cb_companion_close(p->companion);
    cb_preempt_tasks_close(&p->tasks);
    cb_preempt_app_free(&p->app);
    cb_power_meter_close(&p->meter);
    if (p->second.context)
        cb_session_close(&p->second);
    free(p);
}

/* ---- The tasks' process ---------------------------------------------------------------------- */

static enum cb_status run_companion(struct cb_preempt_tasks *t, struct cb_sample *sample,
                                    struct cb_err *err)
{
    double first_ns = (double)cb_now_ns() + FIRST_TASK_NS, until_ns;
    if (cb_preempt_tasks_ready(t, err) != CB_OK ||
        cb_preempt_tasks_run(t, first_ns, &until_ns, NULL, NULL, sample, err) != CB_OK)
        return err->status;
    cb_sample_add(sample, CB_PREEMPT_FROM, first_ns);
    cb_sample_add(sample, CB_PREEMPT_UNTIL, until_ns);
    return CB_OK;
}

/* ---- Hybrid ---------------------------------------------------------------------------------- */

static enum cb_status open_hybrid(struct state *s, struct cb_session *session,
                                  const struct cb_preempt_case *params,
                                  const struct cb_app_instance *on, struct cb_err *err)
{
    const bool all = session->rehearsal, is_app = all || cb_hybrid_is_app(params);
    if (is_app && !(s->hybrid_app = calloc(1, sizeof *s->hybrid_app)))
        return cb_no_memory(err);
    if (is_app && cb_hybrid_app_open(s->hybrid_app, session, on, params, err) != CB_OK)
        return err->status;
    if (is_app && !all)
        return CB_OK;
    s->hybrid = calloc(1, sizeof *s->hybrid);
    return s->hybrid ? cb_hybrid_open(s->hybrid, session, params, err) : cb_no_memory(err);
}

/* ---- Both ------------------------------------------------------------------------------------ */

static bool is_companion(const struct cb_preempt_case *params)
{
    return cb_text_is(params->half, "tasks");
}

static enum cb_status preempt_open_batch(struct cb_session *session, const cJSON *params,
                                         void **batch, struct cb_err *err)
{
    struct cb_preempt_case p;
    cb_fields_read(params, cb_preempt_fields, &p);
    const bool has_no_app =
        is_companion(&p) || (p.hybrid && !cb_hybrid_is_app(&p) && !session->rehearsal);
    return has_no_app ? CB_OK : cb_app_open_batch(session, params, batch, err);
}

static enum cb_status preempt_open(struct cb_session *session, const cJSON *params, void *batch,
                                   void **state, struct cb_err *err)
{
    struct state *s = calloc(1, sizeof *s);
    struct cb_preempt_case p;
    cb_fields_read(params, cb_preempt_fields, &p);
    const bool companion = is_companion(&p);
    struct cb_app_case c;
    *state = s;
    if (s && p.hybrid)
        return open_hybrid(s, session, &p, batch, err);
    if (s && companion)
        s->tasks = calloc(1, sizeof *s->tasks);
    else if (s)
        s->app = calloc(1, sizeof *s->app);
    if (!s || (!s->app && !s->tasks))
        return cb_no_memory(err);
    if (companion)
        return cb_preempt_tasks_open(s->tasks, session, &p, err);
    s->app->session = session;
    s->app->app.on = batch;
    s->app->budget_ns = p.budget_s * 1e9;
    s->app->launch_ns = p.launch_s * 1e9;
    s->app->phase_s = fmax(0, p.phase_s);
    if (cb_app_case_make(&c, &p.app, err) != CB_OK ||
        cb_power_meter_open(&s->app->meter, p.power, &session->info, err) != CB_OK ||
        open_app(s->app, &c, err) != CB_OK)
        return err->status;
    s->run = cb_beside_is_other(&p) ? cb_beside_other
             : p.beside             ? cb_beside_sample
                                    : cb_preempt_sample;
    if (s->run == cb_beside_other)
        return CB_OK;
    return s->run == cb_beside_sample ? cb_beside_open(s->app, &p, err)
                                      : open_tasks(s->app, c.wg_size, &p, err);
}

static enum cb_status preempt_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct state *s = state;
    if (s->hybrid)
        return cb_hybrid_sample(s->hybrid, sample, err);
    if (s->hybrid_app)
        return cb_hybrid_app_window(s->hybrid_app, sample, err);
    return s->tasks ? run_companion(s->tasks, sample, err) : s->run(s->app, sample, err);
}

static void preempt_close(void *state)
{
    struct state *s = state;
    if (!s)
        return;
    if (s->app)
        close_app(s->app);
    if (s->tasks)
        cb_preempt_tasks_close(s->tasks);
    if (s->hybrid)
        cb_hybrid_close(s->hybrid);
    if (s->hybrid_app)
        cb_hybrid_app_close(s->hybrid_app);
    free(s->tasks);
    free(s->hybrid);
    free(s->hybrid_app);
    free(s);
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_metric metrics[] = {
    {"answer_time", "ns", CB_LOWER, true, "of a task: from the host's request until it knew"},
    {"start_delay", "ns", CB_LOWER, false,
     "from the request until the first of its workgroups began, by the device's clock"},
    {"exec_time", "ns", CB_LOWER, false, "from then until the last of them had finished"},
    {"slices", "1", CB_LOWER, false, "into which others cut it (--watch)"},
    {"away_time", "ns", CB_LOWER, false, "how long they had the device in between"},
    {"overhead", "1", CB_LOWER, false, "app_time over app_time_alone"},
    {"app_time", "ns", CB_LOWER, false, "mean run of the app beside the tasks, or the other app"},
    {"app_time_alone", "ns", CB_LOWER, false, "the same without tasks"},
    {"stp", "1", CB_HIGHER, false,
     "two apps: what they do beside each other, as a ratio to each alone, added up (system "
     "throughput)"},
    {"antt", "1", CB_LOWER, false,
     "how many times as long each takes beside the other, on average (normalised turnaround time)"},
    {"fairness", "1", CB_HIGHER, false, "the smaller of the two ratios in stp over the larger"},
    {"other_time", "ns", CB_LOWER, false, "mean run of the other app beside this one"},
    {"other_time_alone", "ns", CB_LOWER, false, "the same alone"},
    {"answer_time_sliced", "ns", CB_LOWER, false, "--hybrid: the same by time slicing alone"},
    {"answer_time_cooperative", "ns", CB_LOWER, false,
     "--hybrid: the same by cooperation alone, if that is in time"},
    {"hybrid_to_sliced", "1", CB_LOWER, false,
     "--hybrid: median answer time over that of time slicing alone"},
    {"answered_cooperatively", "1", CB_NEITHER, false, "--hybrid: tasks of a window"},
    {"answered_by_driver", "1", CB_NEITHER, false,
     "--hybrid: the others, which were withdrawn and came from another process"},
    {"gather_time", "ns", CB_LOWER, false,
     "--hybrid: until the workgroups of a task that was answered cooperatively were there"},
    {"overhead_sliced", "1", CB_LOWER, false, "--hybrid: overhead of time slicing alone"},
    {"overhead_cooperative", "1", CB_LOWER, false, "--hybrid: of cooperation alone"},
    {"deadlines_met_sliced", "1", CB_HIGHER, false,
     "--hybrid: share of tasks in time, by time slicing alone"},
    {"deadlines_met_cooperative", "1", CB_HIGHER, false, "--hybrid: by cooperation alone"},
    {"period", "ns", CB_LOWER, false, "mean time between the answers to two tasks"},
    {"deadlines_met", "1", CB_HIGHER, false, "share of tasks answered before the next one's time"},
    {"waited", "1", CB_LOWER, false,
     "on a second queue: share of tasks that began only when the app's kernel ended"},
    {"launch_time", "ns", CB_NEITHER, false, "the app's kernel, which runs it again and again"},
    {"tasks", "1", CB_NEITHER, false, "tasks of a window"},
    {"app_runs", "1", CB_NEITHER, false, "how often the app was run beside them"},
    CB_POWER_METRICS,
    {"app_groups", "workgroups", CB_NEITHER, false, "workgroups of the app"},
    {"workers", "workgroups", CB_NEITHER, false, "most workgroups of a task: N"},
    {"task_groups", "workgroups", CB_NEITHER, false, "workgroups of a task"},
    {"task_rows", "1", CB_NEITHER, false, "rows and columns of the task's product"},
    {"task_depth", "1", CB_NEITHER, false, "products summed up for each of its elements"},
    {0},
};

static const char *const built_by[] = {"app",     "wg-size",   "beside?", "phase",
                                       "hybrid?", "watchdog?", NULL};

const struct cb_bench cb_bench_preempt = {
    .id = "preempt",
    .summary = "What time slicing by the driver makes of a long kernel and of short urgent tasks",
    .reproduces = "FSE'17 Sec. 5.5, Tab. 3 (there a model)",
    .details =
        "What 'multitask' measures for cooperative kernels, here without cooperation: an app "
        "whose\n"
        "workgroups wait for each other has the whole device (persistent threads, begun again\n"
        "whenever it has ended), and a task comes with a period: a matrix multiplication that "
        "takes\n"
        "N workgroups the workload's duration.\n"
        "place=process: the task is a kernel of another process, and the driver has to take turns\n"
        "between the two (on a CPU device, the operating system). place=queue: it is a kernel on "
        "a\n"
        "second queue of the app's own context.\n"
        "A sample is two windows, without tasks and with them; 'overhead' is the ratio of the "
        "app's\n"
        "run times. Every run of the app and each product are checked.\n"
        "--beside: a second app comes instead of tasks, from another process.\n"
        "--hybrid: the app is a cooperative kernel, and each task is asked of it first; one that "
        "is\n"
        "not gathered within --gather-bound is withdrawn and comes from another process, so that "
        "the\n"
        "driver takes turns. A sample compares that with time slicing alone and cooperation "
        "alone.\n"
        "--phase makes phases too long on purpose. --watchdog ends an app that comes to no\n"
        "scheduling point while a task waits: its row is 'timeout', and all tasks are answered.\n\n"
        "'coopbench run table3' measures cooperative kernels in the same run, and "
        "ends\n"
        "with FSE'17 Tab. 3: the model P/(P-D), preemption and cooperation, per workload.",
    .params = cb_preempt_params,
    .fields = cb_preempt_fields,
    .metrics = metrics,
    .figures = cb_preempt_figures,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 1, .min_runs = 3, .max_runs = 3},
    .run_deadline_s = 150,
    .built_by = built_by,
    .quick_gpu_s = 45,
    .quick_cpu_s = 45,
    .plan = cb_preempt_plan,
    .open_batch = preempt_open_batch,
    .close_batch = cb_app_close_batch,
    .open = preempt_open,
    .run = preempt_run,
    .close = preempt_close,
    .is_users = cb_user_case_is,
    .report = cb_preempt_report,
    .findings = cb_preempt_findings,
};
