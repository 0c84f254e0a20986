/* SPDX-License-Identifier: Apache-2.0
 *
 * The measured runs: the cooperative kernel alone, with tasks beside it, and in other modes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/pace.h"
#include "measure/stats.h"
#include "probes/multitask/multitask.h"
#include "runtime/host/time.h"

#define ALONE_NS      100e6 /* most time of runs without tasks */
#define ALONE_RUNS    2     /* fewest runs without tasks (more with --app-runs) */
#define LONG_NS       1e9   /* time after which one run will do */
#define FIRST_TASK_NS 2e6   /* after the start */
/* least time between two tasks that are for the gather time alone, and */
#define GATHER_REST_NS 0.2e6
#define GATHER_SPAN_NS 1.6e6 /* how much longer it may be */
#define OVERHEAD_TURNS 3     /* most turns of each mode, in alternation, for one sample */
/* Time that the kernel has for a run beside a task that does not end. */
#define GO_ON_NS 10e9

static double now_ns(void)
{
    return (double)cb_now_ns();
}

enum cb_status cb_multitask_begin(struct cb_multitask *m, struct cb_coop *coop, bool repeat,
                                  struct cb_err *err)
{
    const struct cb_coop_start how = {
        .repeat = repeat, .lifetime_s = CB_MULTITASK_LIFETIME_S, .gather_s = m->gather_s};
    m->submitted = 0;
    if (cb_app_clear_all(m->on, err) != CB_OK ||
        (m->own && cb_user_task_clear(m->own, err) != CB_OK) ||
        (m->ours && cb_tasks_begin(m->ours, err) != CB_OK))
        return err->status;
    return cb_coop_start(coop, m->workers, &how, err);
}

/* Stops it, and checks what it computed. */
static enum cb_status end(struct cb_multitask *m, struct cb_coop *coop, struct cb_coop_result *r,
                          struct cb_sample *sample, struct cb_err *err)
{
    unsigned wrong = 0, second_runs;
    *r = (struct cb_coop_result){0};
    if (cb_coop_stop(coop, r, err) != CB_OK ||
        (m->own && cb_user_task_check(m->own, m->submitted, sample, err) != CB_OK) ||
        (m->ours && cb_tasks_check(m->ours, &wrong, err) != CB_OK))
        return err->status;
    if (m->submitted > 0)
        cb_sample_check(sample, wrong == 0, "the result of task %u is wrong", wrong);
    if (m->second.app &&
        cb_app_check_kernel(&m->second, coop, 1, &second_runs, sample, err) != CB_OK)
        return err->status;
    return (m->second.app ? cb_app_check_one : cb_app_check)(m->on, coop, r->runs, sample, err);
}

/* A task of the user does not end. It keeps its workgroups, and nothing but the end of the process
 * takes them away; the kernel goes on without them, or is given up. */
static enum cb_status report_hung(struct cb_multitask *m, struct cb_err *err)
{
    unsigned before = 0, after = 0;
    struct cb_err ignored;
    cb_session_is_stuck(m->session);
    if (m->gives_up) {
        cb_coop_abandon(m->coop);
        return cb_fail(err, CB_TIMEOUT,
                       "task %u has not ended after %g s: the kernel beside it was given up",
                       m->submitted, m->task_s);
    }
    const double until_ns = now_ns() + GO_ON_NS;
    enum cb_status status = cb_coop_runs(m->coop, &before, &ignored);
    for (after = before; status == CB_OK && after == before && now_ns() < until_ns;) {
        cb_sleep_until_ns(now_ns() + 1e6);
        status = cb_coop_runs(m->coop, &after, &ignored);
    }
    return cb_fail(err, CB_TIMEOUT,
                   "task %u has not ended after %g s: the kernel beside it went on, and ended %s",
                   m->submitted, m->task_s, after > before ? "once more" : "no more");
}

enum cb_status cb_multitask_end_trials(struct cb_multitask *m, struct cb_err *err)
{
    unsigned wrong = 0;
    if (cb_coop_stop(m->coop, NULL, err) != CB_OK ||
        (m->ours && cb_tasks_check(m->ours, &wrong, err) != CB_OK))
        return err->status;
    return wrong == 0 ? CB_OK
                      : cb_fail(err, CB_VERIFY_FAILED, "the result of task %u is wrong", wrong);
}

enum cb_status cb_multitask_task(struct cb_multitask *m, size_t groups, unsigned size,
                                 struct cb_coop_task *task, struct cb_err *err)
{
    unsigned number = 0;
    const struct cb_our_task what = {m->task, size, m->config.wg_size};
    struct cb_coop_order order = {.groups = (unsigned)groups};
    if (m->ours && cb_tasks_next(m->ours, &what, &order.packet, err) != CB_OK)
        return err->status;
    m->submitted++;
    if (!m->own)
        return cb_coop_run_task(m->coop, &order, task, err);
    enum cb_status status = cb_coop_submit(m->coop, &order, &number, err);
    if (status == CB_OK)
        status = cb_coop_await_for(m->coop, number, m->task_s, task, err);
    return status == CB_TIMEOUT && !cb_coop_has_ended(m->coop) ? report_hung(m, err) : status;
}

static void free_result(struct cb_coop_result *r)
{
    free(r->run_ns);
    free(r->start_ns);
}

/* Mean of the runs that had ended by a time; if none had, of those that had begun. */
static double mean_until(const struct cb_coop_result *r, double time_ns)
{
    double sums[2] = {0, 0};
    unsigned n[2] = {0, 0};
    for (unsigned i = 0; i < r->kept; i++)
        for (int began = 0; began < 2; began++)
            if (r->start_ns[i] + (began ? 0 : r->run_ns[i]) <= time_ns) {
                sums[began] += r->run_ns[i];
                n[began]++;
            }
    return n[0] ? sums[0] / n[0] : n[1] ? sums[1] / n[1] : NAN;
}

/* ---- Alone ----------------------------------------------------------------------------------- */

enum cb_status cb_multitask_wait(struct cb_coop *coop, unsigned runs, double ns, struct cb_err *err)
{
    double until = now_ns() + ns;
    unsigned ended = 0;
    do {
        cb_sleep_until_ns(now_ns() + 1e6);
        if (cb_coop_runs(coop, &ended, err) != CB_OK)
            return err->status;
    } while (!cb_coop_has_ended(coop) && (ended < runs || now_ns() < until));
    return CB_OK;
}

enum cb_status cb_multitask_alone(struct cb_multitask *m, double *mean_ns, struct cb_sample *sample,
                                  struct cb_err *err)
{
    struct cb_coop_result r;
    double begun = now_ns(), enough = fmin(ALONE_NS, m->budget_ns / 2);
    if (m->meter.power)
        enough = CB_POWER_WINDOW_NS;
    if (cb_multitask_begin(m, m->coop, true, err) != CB_OK ||
        cb_multitask_wait(m->coop, 1, enough, err) != CB_OK)
        return err->status;
    unsigned least = m->app_runs > ALONE_RUNS ? m->app_runs : ALONE_RUNS;
    if (now_ns() - begun < LONG_NS && cb_multitask_wait(m->coop, least, 0, err) != CB_OK)
        return err->status;
    m->meter.spans[0] = (struct cb_power_span){begun + CB_POWER_REST_NS, now_ns(), NAN};
    enum cb_status status = end(m, m->coop, &r, sample, err);
    m->meter.spans[0].run_ns = *mean_ns = mean_until(&r, INFINITY);
    free_result(&r);
    return status;
}

/* ---- With tasks ------------------------------------------------------------------------------ */

/* Any task: its gather time is noted. */
static enum cb_status gather(struct cb_multitask *m, unsigned size, struct cb_coop_task *task,
                             struct cb_sample *sample, struct cb_err *err)
{
    if (cb_multitask_task(m, m->groups, size, task, err) != CB_OK)
        return err->status;
    if (task->beside_kernel) {
        cb_sample_add(sample, "gather_time", task->gather_ns);
        cb_sample_add(sample, "active", task->active);
    }
    return CB_OK;
}

/* A setup may give each run new inputs, for which the time to the next task has to do. */
static enum cb_status renew(struct cb_multitask *m, const struct cb_pace *pace,
                            struct cb_sample *sample, struct cb_err *err)
{
    if (!m->own || !m->own->task->setup.is_fresh)
        return CB_OK;
    if (cb_user_task_renew(m->own, sample, err) != CB_OK)
        return err->status;
    if (now_ns() > cb_pace_due(pace))
        cb_sample_note(sample, "new inputs (\"fresh\") are there only after the next task is due, "
                               "which begins late: try a longer period");
    return CB_OK;
}

static enum cb_status run_task(struct cb_multitask *m, struct cb_pace *pace, double *until_ns,
                               struct cb_sample *sample, struct cb_err *err)
{
    struct cb_coop_task task;
    cb_pace_wait(pace);
    if (gather(m, m->size, &task, sample, err) != CB_OK)
        return err->status;
    cb_pace_answered(pace);
    cb_sample_add(sample, "exec_time", task.exec_ns);
    cb_sample_add(sample, "answer_time", task.answer_ns);
    *until_ns = task.done_ns + fmax(0, cb_pace_due(pace) - pace->last_ns);
    return renew(m, pace, sample, err);
}

/* Whether to submit one more: until the budget or all tasks are used up, the former not before the
 * app has ended once beside them, and until it has ended as often as was asked for. */
static enum cb_status goes_on(struct cb_multitask *m, const struct cb_pace *pace, bool *more,
                              struct cb_err *err)
{
    unsigned runs = 0;
    bool in_budget = pace->tasks < 2 || now_ns() < pace->begun_ns + m->budget_ns;
    if ((!in_budget || m->app_runs > 1) && cb_coop_runs(m->coop, &runs, err) != CB_OK)
        return err->status;
    *more = (pace->tasks < m->tasks && (in_budget || runs == 0)) ||
            (m->app_runs > 1 && runs < m->app_runs);
    return CB_OK;
}

/* The last task's period is waited for, so that the share of the time with tasks is the workload's.
 * *until_ns: device clock, when it is over. */
static enum cb_status run_tasks(struct cb_multitask *m, struct cb_pace *pace, double *until_ns,
                                struct cb_sample *sample, struct cb_err *err)
{
    *pace = cb_pace_begin(&m->arrivals, now_ns() + FIRST_TASK_NS);
    for (bool more = true; more;)
        if (run_task(m, pace, until_ns, sample, err) != CB_OK ||
            goes_on(m, pace, &more, err) != CB_OK)
            return err->status;
    cb_pace_wait(pace);
    m->meter.spans[1] = (struct cb_power_span){pace->begun_ns, now_ns(), NAN};
    return CB_OK;
}

/* Tasks that are over at once: many gather times in little time. Their distances repeat no pattern,
 * so that they come in all phases of the app. */
static enum cb_status run_gather_tasks(struct cb_multitask *m, struct cb_sample *sample,
                                       struct cb_err *err)
{
    const double golden = 0.618033988749895;
    for (unsigned i = 0; i < m->gather_tasks; i++) {
        struct cb_coop_task task;
        cb_sleep_until_ns(now_ns() + GATHER_REST_NS + fmod(i * golden, 1) * GATHER_SPAN_NS);
        if (gather(m, COOP_TASK_SIZE(COOP_TASK_UNIT, COOP_TASK_UNIT), &task, sample, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

static void add_tally(struct cb_multitask *m, const struct cb_pace *pace, double alone_ns,
                      double with_ns, const struct cb_coop_result *r, struct cb_sample *sample)
{
    m->meter.spans[1].run_ns = with_ns;
    cb_sample_add(sample, "app_time", with_ns);
    cb_sample_add(sample, "app_time_alone", alone_ns);
    cb_sample_add(sample, "overhead", with_ns / alone_ns);
    cb_sample_add(sample, "period", cb_pace_period(pace));
    cb_sample_add(sample, "deadlines_met", cb_pace_met(pace));
    cb_sample_add(sample, "tasks", pace->tasks);
    cb_sample_add(sample, "kills", r->kills);
    cb_sample_add(sample, "forks", r->forks);
    cb_sample_add(sample, "app_runs", r->runs);
    cb_sample_add(sample, "workers", (double)m->workers);
    cb_sample_add(sample, "task_groups", (double)m->groups);
    if (m->own) {
        cb_sample_add(sample, "deadlines_met_alone", m->own->met_alone);
        return;
    }
    cb_sample_add(sample, "task_rows", COOP_TASK_ROWS(m->size));
    cb_sample_add(sample, "task_depth", COOP_TASK_DEPTH(m->size));
}

/* The runs beside the first tasks are among those whose times are kept. */
static enum cb_status check_kept(const struct cb_coop_result *r, struct cb_err *err)
{
    if (r->kept == r->runs)
        return CB_OK;
    return cb_fail(
        err, CB_UNSUPPORTED,
        "the app ran %u times beside the tasks, and only the last %u are timed: try less "
        "--budget, fewer --gather-tasks or a larger --input",
        r->runs, r->kept);
}

enum cb_status cb_multitask_tasks(struct cb_multitask *m, double alone_ns, struct cb_sample *sample,
                                  struct cb_err *err)
{
    struct cb_pace pace;
    struct cb_coop_result r;
    double until_ns = 0;
    if (cb_multitask_begin(m, m->coop, true, err) != CB_OK ||
        run_tasks(m, &pace, &until_ns, sample, err) != CB_OK ||
        run_gather_tasks(m, sample, err) != CB_OK)
        return err->status;
    enum cb_status status = end(m, m->coop, &r, sample, err);
    if (status == CB_OK)
        status = check_kept(&r, err);
    if (status == CB_OK)
        add_tally(m, &pace, alone_ns, mean_until(&r, until_ns), &r, sample);
    free_result(&r);
    if (status == CB_OK && m->own)
        status = cb_user_task_time_forms(m->own, sample, err);
    if (status == CB_OK && m->trace_events && *m->trace)
        status = cb_multitask_trace(m, m->coop, sample, err);
    return status;
}

/* ---- Overhead -------------------------------------------------------------------------------- */

/* The megakernel, too, runs the app once; its scheduler has nothing to do. */
static enum cb_status time_alone(struct cb_multitask *m, struct cb_coop *coop, double *ns,
                                 struct cb_sample *sample, struct cb_err *err)
{
    struct cb_coop_time time;
    enum cb_status status = cb_app_run_alone(m->on, coop, m->workers, &time, sample, err);
    *ns = status == CB_OK ? time.run_ns : NAN;
    return status;
}

enum cb_status cb_multitask_overhead(struct cb_multitask *m, struct cb_sample *sample,
                                     struct cb_err *err)
{
    double plain[OVERHEAD_TURNS], portable[OVERHEAD_TURNS], cooperative[OVERHEAD_TURNS],
        traced[OVERHEAD_TURNS];
    struct cb_coop *const all[] = {m->specialised, m->coop, m->portable, m->traced};
    size_t turns = m->turns > 0 && m->turns < OVERHEAD_TURNS ? m->turns : OVERHEAD_TURNS;
    m->word++;
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        cb_coop_move(all[i], m->word);
    for (unsigned i = 0; i < turns; i++)
        if (time_alone(m, m->specialised, &plain[i], sample, err) != CB_OK ||
            time_alone(m, m->coop, &cooperative[i], sample, err) != CB_OK ||
            time_alone(m, m->portable, &portable[i], sample, err) != CB_OK ||
            time_alone(m, m->traced, &traced[i], sample, err) != CB_OK)
            return err->status;
    double ns = cb_stats_of(cooperative, turns).median;
    double plain_ns = cb_stats_of(plain, turns).median;
    double portable_ns = cb_stats_of(portable, turns).median;
    cb_sample_add(sample, "app_time_alone", ns);
    cb_sample_add(sample, "specialised_time", plain_ns);
    cb_sample_add(sample, "portable_time", portable_ns);
    cb_sample_add(sample, "overhead_specialised", ns / plain_ns);
    cb_sample_add(sample, "overhead_portable", ns / portable_ns);
    cb_sample_add(sample, "overhead_trace", cb_stats_of(traced, turns).median / ns);
    cb_sample_add(sample, "workers", (double)m->workers);
    return cb_multitask_trace(m, m->traced, sample, err);
}
