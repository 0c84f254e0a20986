/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of the megakernel with random tasks and limits, and what is checked of it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probes/selftest/case.h"
#include "runtime/coop/task.h"
#include "runtime/coop/together.h"
#include "runtime/trace/rings.h"
#include "runtime/trace/trace.h"

#define LIFETIME_S   10 /* ten times what the longest run takes; several times, on a busy machine */
#define GATHER_S     2
#define LONGEST_WAIT 12u   /* pauses: 0, or 2^1 to 2^(this - 1) us, so that most are short */
#define SLACK_TICKS  1000u /* by which clocks of two cores, or two reads, may differ */
#define MOST_AT_ONCE 6u    /* tasks that are submitted before one is waited for */
/* Times of the line that are nearer are taken as equal: a clock that counts from 1970 on has more
 * digits than a double. */
#define LINE_SLACK_NS 1000

/* ---- Tasks ----------------------------------------------------------------------------------- */

struct task {
    unsigned task, groups, size; /* task: of ours */
};

/* What became of all tasks and limits. */
struct outcome {
    struct task *tasks;
    unsigned done, withdrawn, limits;
    unsigned wrong; /* number of the first whose result is, of those that were done; 0: none */
};

static void pause_us(unsigned us)
{
    const struct timespec pause = {0, (long)us * 1000};
    if (us > 0)
        nanosleep(&pause, NULL);
}

static struct task draw_task(const struct cb_selftest *t, struct cb_random *r)
{
    unsigned exponent = cb_random_below(r, LONGEST_WAIT);
    struct task task = {.task = cb_random_below(r, COOP_TASKS)};
    unsigned kept = t->beside.app ? 2 : t->semantics == COOP_WHOLE ? 0 : 1;
    task.groups = cb_random_between(r, 1, (unsigned)t->workers - kept);
    unsigned rows = cb_random_between(r, 1, CB_SELFTEST_MAX_SIZE / COOP_TASK_UNIT);
    unsigned depth = cb_random_between(r, 1, CB_SELFTEST_MAX_SIZE / COOP_TASK_UNIT);
    task.size = COOP_TASK_SIZE(rows * COOP_TASK_UNIT, depth * COOP_TASK_UNIT);
    pause_us(exponent ? 1u << exponent : 0);
    return task;
}

/* A gather time is one only where the kernel had to give something up. */
static void add_gather(const struct cb_selftest *t, const struct cb_coop_task *report,
                       struct cb_sample *sample)
{
    if (report->beside_kernel && t->on.session->ns_per_tick > 0)
        cb_sample_add(sample, "gather_time", report->gather_ns);
}

static void check_limit(const struct cb_selftest *t, const struct outcome *outcome, unsigned groups,
                        const struct cb_coop_resize *resize, struct cb_sample *sample)
{
    const unsigned most = groups == COOP_LIMIT_NONE ? 0 : groups ? groups : (unsigned)t->workers;
    cb_sample_check(sample, resize->active <= most,
                    "limit %u: at most %u workgroups were asked for, and %u were active",
                    outcome->limits, most, resize->active);
    if (t->on.session->ns_per_tick > 0)
        cb_sample_add(sample, "limit_time", resize->resize_ns);
}

/* As the policy says after a window with any rates; without one, `first` for the first kernel, and
 * the rest for the second, maybe nothing. */
static void share_out(struct cb_selftest *t, struct cb_random *r, unsigned first,
                      unsigned groups[COOP_MOST_KERNELS], struct cb_sample *sample)
{
    struct cb_policy_view *v = &t->view;
    groups[0] = first;
    groups[1] = (unsigned)t->workers - first;
    if (!t->policy)
        return;
    v->workers = (unsigned)t->workers;
    v->n = 2;
    v->share = first;
    v->rate = cb_random_below(r, 1000);
    v->deadline_s = cb_random_below(r, 1000) / 1e4;
    v->watts = cb_random_below(r, 1000);
    for (unsigned k = 0; k < v->n; k++)
        v->rates[k] = cb_random_below(r, 1000);
    t->policy->decide(&t->memory, v, groups);
    t->memory.windows++;
    memcpy(v->groups, groups, sizeof v->groups);
    cb_sample_check(sample, groups[0] > 0 && groups[1] > 0 && groups[0] + groups[1] <= v->workers,
                    "policy %s gave %u and %u of %u workgroups", t->policy->name, groups[0],
                    groups[1], v->workers);
}

/* Limits both kernels at once. */
static enum cb_status limit_both(struct cb_selftest *t, const unsigned groups[2], bool waits,
                                 const struct outcome *outcome, struct cb_sample *sample,
                                 struct cb_err *err)
{
    struct cb_coop_resize resizes[2];
    if (cb_coop_limits(t->coop, groups, err) != CB_OK)
        return err->status;
    if (!waits)
        return CB_OK;
    if (cb_coop_await_limits(t->coop, GATHER_S, resizes, err) != CB_OK)
        return err->status;
    for (unsigned k = 0; k < 2; k++)
        check_limit(t, outcome, groups[k], &resizes[k], sample);
    cb_sample_check(sample, resizes[0].seen_ns == resizes[1].seen_ns,
                    "limit %u: of one write, and seen at two times", outcome->limits);
    return CB_OK;
}

/* A limit; in a quarter of the cases none any more; with COOP_WHOLE in some of no workgroups. Each
 * second one is waited for. Of two kernels, a third are of both. */
static enum cb_status draw_limit(struct cb_selftest *t, struct cb_random *r,
                                 struct outcome *outcome, struct cb_sample *sample,
                                 struct cb_err *err)
{
    bool waits = cb_random_below(r, 2), lifts = !cb_random_below(r, 4);
    unsigned drawn = cb_random_between(r, 1, (unsigned)t->workers), groups = lifts ? 0 : drawn;
    if (t->semantics == COOP_WHOLE && cb_random_below(r, 4) == 0)
        groups = COOP_LIMIT_NONE;
    const unsigned of = t->beside.app ? cb_random_below(r, 3) : 0;
    struct cb_coop_resize resize;
    outcome->limits++;
    if (of == 2) {
        unsigned both[COOP_MOST_KERNELS] = {0};
        share_out(t, r, drawn, both, sample);
        return limit_both(t, both, waits, outcome, sample, err);
    }
    if (cb_coop_limit_of(t->coop, of, groups, err) != CB_OK)
        return err->status;
    if (!waits)
        return CB_OK;
    if (cb_coop_await_limit_of(t->coop, of, GATHER_S, &resize, err) != CB_OK)
        return err->status;
    check_limit(t, outcome, groups, &resize, sample);
    return CB_OK;
}

/* None to three, as fast as they can be set. */
static enum cb_status draw_limits(struct cb_selftest *t, struct cb_random *r,
                                  struct outcome *outcome, struct cb_sample *sample,
                                  struct cb_err *err)
{
    for (unsigned left = t->limits ? cb_random_below(r, 4) : 0; left > 0; left--)
        if (draw_limit(t, r, outcome, sample, err) != CB_OK)
            return err->status;
    return CB_OK;
}

/* Draws whether the second kernel repeats: in an eighth of the cases it ends, to begin again
 * later. */
static enum cb_status draw_repeat(struct cb_selftest *t, struct cb_random *r, struct cb_err *err)
{
    if (!t->beside.app || cb_random_below(r, 8) != 0)
        return CB_OK;
    t->repeats = !t->repeats;
    return cb_coop_repeat_of(t->coop, 1, t->repeats, err);
}

/* A quarter is withdrawn, if it is still in the line or being gathered. */
static enum cb_status draw_withdrawal(struct cb_selftest *t, struct cb_random *r, unsigned number,
                                      bool *withdrawn, struct cb_err *err)
{
    *withdrawn = false;
    if (cb_random_below(r, 4) != 0)
        return CB_OK;
    pause_us(cb_random_below(r, 3) ? 0 : cb_random_below(r, 200));
    return cb_coop_withdraw(t->coop, number, withdrawn, err);
}

/* With COOP_WHOLE the host stops a kernel that may have no workgroups, in half of the cases that
 * have limits: the run comes back all the same. */
static enum cb_status limit_at_end(struct cb_selftest *t, struct cb_random *r, struct cb_err *err)
{
    if (t->semantics != COOP_WHOLE || !t->limits || cb_random_below(r, 2))
        return CB_OK;
    return cb_coop_limit_of(t->coop, 0, COOP_LIMIT_NONE, err);
}

/* A task that has been submitted, and what became of it. */
struct submitted {
    struct task task;
    struct cb_coop_order order;
    unsigned number;
    bool withdrawn;
    struct cb_coop_task report;
};

/* The random numbers of a run: each has its own, so that one draw more leaves the others alone. */
struct draws {
    struct cb_random tasks, repeats, withdrawals, line;
};

/* Limits may come before a task, and while one is gathered or runs. */
static enum cb_status submit(struct cb_selftest *t, struct draws *r, struct submitted *s,
                             struct outcome *outcome, struct cb_sample *sample, struct cb_err *err)
{
    s->task = draw_task(t, &r->tasks);
    s->order = (struct cb_coop_order){.groups = s->task.groups,
                                      .priority = cb_random_below(&r->line, 3),
                                      .deadline_s = 1000 * cb_random_below(&r->line, 3)};
    const struct cb_our_task what = {s->task.task, s->task.size, t->wg_size};
    if (cb_tasks_next(t->ours, &what, &s->order.packet, err) != CB_OK ||
        draw_limits(t, &r->tasks, outcome, sample, err) != CB_OK ||
        draw_repeat(t, &r->repeats, err) != CB_OK ||
        cb_coop_submit(t->coop, &s->order, &s->number, err) != CB_OK ||
        draw_limits(t, &r->tasks, outcome, sample, err) != CB_OK)
        return err->status;
    return draw_withdrawal(t, &r->withdrawals, s->number, &s->withdrawn, err);
}

static enum cb_status await(struct cb_selftest *t, struct submitted *s, struct outcome *outcome,
                            struct cb_sample *sample, struct cb_err *err)
{
    if (cb_coop_await(t->coop, s->number, &s->report, err) != CB_OK)
        return err->status;
    cb_sample_check(sample, s->report.cancelled == s->withdrawn,
                    "task %u of %u was said to have been withdrawn: %d, and then: %d", s->number,
                    t->tasks, s->withdrawn, s->report.cancelled);
    if (s->withdrawn) {
        cb_tasks_forget(t->ours, s->order.packet);
        outcome->withdrawn++;
    } else {
        outcome->tasks[outcome->done++] = s->task;
        add_gather(t, &s->report, sample);
    }
    return CB_OK;
}

/* Whether a task is before another one in the line, if both are there. */
static bool goes_first(const struct submitted *a, const struct submitted *b)
{
    const double x = a->order.deadline_s, y = b->order.deadline_s;
    if (a->order.priority != b->order.priority)
        return a->order.priority > b->order.priority;
    return x != y ? y == 0 || (x != 0 && x < y) : a->number < b->number;
}

/* Nobody leaves the line while a task is in it whose turn is first. */
static void check_line(const struct submitted *tasks, unsigned n, struct cb_sample *sample)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < n; k++) {
            const struct submitted *first = &tasks[i], *other = &tasks[k];
            if (first->withdrawn || other->withdrawn || !goes_first(first, other))
                continue;
            const double first_left = first->report.done_ns - first->report.exec_ns -
                                      first->report.gather_ns,
                         first_came = first_left - first->report.line_ns,
                         other_left = other->report.done_ns - other->report.exec_ns -
                                      other->report.gather_ns;
            cb_sample_check(sample,
                            first_came + LINE_SLACK_NS >= other_left ||
                                other_left + LINE_SLACK_NS >= first_left,
                            "task %u left the line before task %u, whose turn was first",
                            other->number, first->number);
        }
}

/* One at a time, or several in line at once. */
static enum cb_status run_tasks(struct cb_selftest *t, struct outcome *outcome,
                                struct cb_sample *sample, struct cb_err *err)
{
    struct draws r = {{t->tasks_seed}, {~t->tasks_seed}, {t->tasks_seed + 1}, {t->tasks_seed + 2}};
    for (unsigned left = t->tasks, n; left > 0; left -= n) {
        struct submitted tasks[MOST_AT_ONCE];
        n = cb_random_below(&r.line, 3) ? 1 : 1 + cb_random_below(&r.line, MOST_AT_ONCE);
        n = n < left ? n : left;
        for (unsigned i = 0; i < n; i++)
            if (submit(t, &r, &tasks[i], outcome, sample, err) != CB_OK)
                return err->status;
        for (unsigned i = 0; i < n; i++)
            if (await(t, &tasks[i], outcome, sample, err) != CB_OK)
                return err->status;
        if (t->on.session->ns_per_tick > 0)
            check_line(tasks, n, sample);
    }
    return limit_at_end(t, &r.repeats, err);
}

/* ---- The trace ------------------------------------------------------------------------------- */

struct verdict {
    bool valid;
    char violation[512];
    double events, kills; /* kills: of the first kernel; NaN: not all events are there */
};

/* Workgroups of the first kernel that left, by the trace; NaN: a ring was full. */
static double count_kills(const struct cb_trace *trace)
{
    double kills = 0;
    for (uint32_t ring = 0; ring <= trace->workers; ring++) {
        if (cb_trace_is_full(trace, ring))
            return NAN;
        const coop_trace_event *e = cb_trace_ring(trace, ring);
        for (uint32_t i = 0; i < trace->counts[ring]; i++)
            kills += COOP_WHO_KERNEL(e[i].who) == 0 &&
                     (e[i].kind == COOP_EVENT_KILL || e[i].kind == COOP_EVENT_RETIRE);
    }
    return kills;
}

static struct verdict judge(const struct cb_selftest *t, const coop_trace_event *events,
                            const uint32_t *counts)
{
    struct verdict verdict = {.valid = true};
    struct cb_trace trace = {
        .workers = (uint32_t)t->workers,
        .capacity = t->trace_events,
        .counts = counts,
        .events = events,
        .ns_per_tick = t->on.session->ns_per_tick,
        .slack_ticks = SLACK_TICKS,
        .semantics = t->semantics,
    };
    if (trace.ns_per_tick > 0)
        trace.slack_ticks += (uint64_t)(t->on.session->clock_resolution_ns / trace.ns_per_tick);
    for (size_t i = 0; i <= t->workers; i++)
        verdict.events += counts[i];
    verdict.valid = cb_trace_check_together(&trace, t->beside.app ? 2 : 1, verdict.violation,
                                            sizeof verdict.violation);
    verdict.kills = count_kills(&trace);
    return verdict;
}

/* Without a clock there are no times, by which rings could be compared. */
static enum cb_status check_trace(struct cb_selftest *t, struct verdict *verdict,
                                  struct cb_err *err)
{
    coop_trace_event *events = NULL;
    uint32_t *counts = NULL;
    *verdict = (struct verdict){.valid = true, .events = NAN, .kills = NAN};
    if (t->trace_events == 0 || t->on.session->ns_per_tick <= 0)
        return CB_OK;
    enum cb_status status = cb_coop_read_trace(t->coop, &events, &counts, err);
    if (status == CB_OK)
        *verdict = judge(t, events, counts);
    free(events);
    free(counts);
    return status;
}

/* A deadlock may be what follows from a broken rule, which says more. */
static enum cb_status explain_timeout(struct cb_selftest *t, struct cb_err *err)
{
    struct verdict verdict;
    struct cb_err timeout = *err, ignored;
    if (timeout.status == CB_TIMEOUT && check_trace(t, &verdict, &ignored) == CB_OK &&
        !verdict.valid)
        return cb_fail(err, CB_TIMEOUT, "%s; trace: %s", timeout.text, verdict.violation);
    *err = timeout;
    return err->status;
}

/* ---- The run --------------------------------------------------------------------------------- */

static enum cb_status run_megakernel(struct cb_selftest *t, struct outcome *outcome,
                                     struct cb_coop_result *result, struct cb_sample *sample,
                                     struct cb_err *err)
{
    t->repeats = t->tasks_seed % 2 == 0; /* else the second kernel begins later */
    const struct cb_coop_start how = {.first_groups = t->first_groups,
                                      .later = {false, !t->repeats},
                                      .repeat = true,
                                      .lifetime_s = LIFETIME_S,
                                      .gather_s = GATHER_S};
    if (cb_app_clear_all(&t->on, err) != CB_OK || cb_tasks_begin(t->ours, err) != CB_OK ||
        cb_coop_start(t->coop, t->workers, &how, err) != CB_OK)
        return err->status;
    if (run_tasks(t, outcome, sample, err) != CB_OK || cb_coop_stop(t->coop, result, err) != CB_OK)
        return explain_timeout(t, err);
    return cb_tasks_check(t->ours, &outcome->wrong, err);
}

/* The first check to fail is the one that is reported: rules first, of which wrong results may be
 * the consequence. */
static enum cb_status check(struct cb_selftest *t, const struct outcome *outcome,
                            const struct cb_coop_result *result, struct cb_sample *sample,
                            struct cb_err *err)
{
    struct verdict verdict;
    if (check_trace(t, &verdict, err) != CB_OK)
        return err->status;
    cb_sample_add(sample, "events", verdict.events);
    cb_sample_check(sample, verdict.valid, "trace: %s", verdict.violation);
    cb_sample_check(sample, isnan(verdict.kills) || verdict.kills == result->kills,
                    "%u workgroups were counted that left, and the trace has %.0f", result->kills,
                    verdict.kills);
    const struct task *wrong = &outcome->tasks[outcome->wrong ? outcome->wrong - 1 : 0];
    cb_sample_check(sample, outcome->wrong == 0,
                    "task %u of %u (%s, %u workgroups, %u rows, depth %u): the result is wrong",
                    outcome->wrong, outcome->done, cb_task_names[wrong->task], wrong->groups,
                    COOP_TASK_ROWS(wrong->size), COOP_TASK_DEPTH(wrong->size));
    return (t->beside.app ? cb_app_check_one : cb_app_check)(&t->on, t->coop, result->runs, sample,
                                                             err);
}

static enum cb_status check_beside(struct cb_selftest *t, struct cb_sample *sample,
                                   struct cb_err *err)
{
    unsigned runs;
    enum cb_status status = cb_app_check_kernel(&t->beside, t->coop, 1, &runs, sample, err);
    cb_sample_add(sample, "beside_runs", runs);
    return status;
}

enum cb_status cb_selftest_stress(struct cb_selftest *t, struct cb_sample *sample,
                                  struct cb_err *err)
{
    struct outcome outcome = {.tasks = calloc(t->tasks + 1, sizeof *outcome.tasks)};
    struct cb_coop_result result = {0};
    enum cb_status status =
        outcome.tasks ? run_megakernel(t, &outcome, &result, sample, err) : cb_no_memory(err);
    if (status == CB_OK) {
        cb_sample_add(sample, "workers", (double)t->workers);
        cb_sample_add(sample, "tasks", outcome.done);
        cb_sample_add(sample, "withdrawn", outcome.withdrawn);
        cb_sample_add(sample, "limits", outcome.limits);
        cb_sample_add(sample, "runs", result.runs);
        cb_sample_add(sample, "kills", result.kills);
        cb_sample_add(sample, "forks", result.forks);
        status = check(t, &outcome, &result, sample, err);
        if (status == CB_OK && t->beside.app)
            status = check_beside(t, sample, err);
    }
    free(result.run_ns);
    free(result.start_ns);
    free(outcome.tasks);
    return status;
}
