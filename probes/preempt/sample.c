/* SPDX-License-Identifier: Apache-2.0
 *
 * One sample: the app alone, and with tasks.
 */
#include <math.h>
#include <string.h>

#include "measure/text/json.h"
#include "probes/preempt/preempt.h"
#include "runtime/host/time.h"

#define ALONE_NS      300e6 /* without tasks, or half the budget, if that is less */
#define SETTLE_NS     10e6  /* most time for the companion to read its clocks on an idle device */
#define FIRST_TASK_NS 20e6  /* on the second queue: when all of the app has begun */
#define TASKS_S       100   /* most seconds for the tasks of a window */
#define ANSWER_S      5     /* seconds for the companion to tell of them */
#define NEARLY        0.95

/* The whole time. */
static const struct cb_preempt_span always = {-INFINITY, INFINITY};

void cb_preempt_settle(void)
{
    cb_sleep_until_ns((double)cb_now_ns() + SETTLE_NS);
}

enum cb_status cb_preempt_alone(struct cb_preempt *p, double *mean_ns, struct cb_sample *sample,
                                struct cb_err *err)
{
    double from = (double)cb_now_ns();
    double for_ns = p->meter.power ? CB_POWER_WINDOW_NS : fmin(ALONE_NS, p->budget_ns / 2);
    if (cb_preempt_app_ready(&p->app, err) != CB_OK)
        return err->status;
    if (cb_preempt_app_window(&p->app, p->launch_ns, for_ns, err) != CB_OK)
        return cb_context(err, "alone");
    *mean_ns = cb_preempt_mean_run(p->app.spans, p->app.runs, &always);
    p->meter.spans[0] =
        (struct cb_power_span){from + CB_POWER_REST_NS, (double)cb_now_ns(), *mean_ns};
    return cb_preempt_app_check(&p->app, sample, err);
}

/* ---- Tasks of another process ---------------------------------------------------------------- */

/* Launches the app until there are no tasks any more. */
static enum cb_status run_beside(struct cb_preempt *p, struct cb_err *err)
{
    double until = (double)cb_now_ns() + TASKS_S * 1e9;
    cb_preempt_settle();
    do {
        if (cb_preempt_app_window(&p->app, p->launch_ns, 0, err) != CB_OK)
            return cb_context(err, "beside the tasks");
    } while (!cb_companion_has_ended(p->companion) && (double)cb_now_ns() < until);
    return CB_OK;
}

/* What the companion has measured; from when until when is left out. */
static void take_values(const struct cb_sample *from, struct cb_preempt_span *span,
                        struct cb_sample *sample)
{
    const cJSON *values, *value, *note;
    cJSON_ArrayForEach (values, from->values)
        cJSON_ArrayForEach (value, values) {
            if (strcmp(values->string, CB_PREEMPT_FROM) == 0)
                span->from_ns = value->valuedouble;
            else if (strcmp(values->string, CB_PREEMPT_UNTIL) == 0)
                span->until_ns = value->valuedouble;
            else
                cb_sample_add(sample, values->string, value->valuedouble);
        }
    cJSON_ArrayForEach (note, from->notes)
        cb_sample_note(sample, "%s", cJSON_GetStringValue(note));
    if (from->verified)
        cb_sample_check(sample, !from->failure[0], "%s", from->failure);
}

static enum cb_status run_with_companion(struct cb_preempt *p, struct cb_preempt_span *span,
                                         struct cb_sample *sample, struct cb_err *err)
{
    struct cb_sample tasks = {0};
    if (cb_preempt_app_ready(&p->app, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_companion_begin(p->companion, err);
    if (status == CB_OK && run_beside(p, err) != CB_OK)
        return err->status;
    if (status == CB_OK)
        status = cb_companion_end(p->companion, ANSWER_S, &tasks, err);
    if (status == CB_OK)
        take_values(&tasks, span, sample);
    else
        cb_context(err, "the tasks' process");
    cb_sample_free(&tasks);
    return status;
}

/* ---- Tasks on a second queue ----------------------------------------------------------------- */

static bool app_runs(void *self)
{
    return !cb_coop_has_ended(((struct cb_preempt *)self)->app.coop);
}

/* How many tasks began only when the app's kernel was over, nearly. */
static void add_waited(const struct cb_preempt *p, struct cb_sample *sample)
{
    const struct cb_preempt_tasks *t = &p->tasks;
    const struct cb_preempt_span *first = p->app.spans, *last = first + p->app.runs - 1;
    double over_ns = first->from_ns + NEARLY * (last->until_ns - first->from_ns);
    unsigned waited = 0;
    if (p->session->ns_per_tick <= 0 || t->own) /* nobody knows when these began */
        return;
    for (unsigned i = 0; i < t->done; i++)
        waited += cb_clock_link_host_ns(&p->app.link, t->results[i].begun) >= over_ns;
    cb_sample_add(sample, "waited", (double)waited / t->done);
    cb_sample_note(sample, waited == t->done
                               ? "tasks on a second queue waited for the end of the app's whole "
                                 "kernel: start_delay is about as long as launch_time"
                               : "in some windows, tasks on the second queue began before the end "
                                 "of the app's whole kernel");
}

static enum cb_status run_with_queue(struct cb_preempt *p, struct cb_sample *sample,
                                     struct cb_err *err)
{
    double until_ns, first_ns;
    if (cb_preempt_app_ready(&p->app, err) != CB_OK ||
        cb_preempt_tasks_ready(&p->tasks, err) != CB_OK ||
        cb_preempt_app_begin(&p->app, p->launch_ns, err) != CB_OK)
        return err->status;
    first_ns = (double)cb_now_ns() + FIRST_TASK_NS;
    if (cb_preempt_tasks_run(&p->tasks, first_ns, &until_ns, app_runs, p, sample, err) != CB_OK ||
        cb_preempt_app_end(&p->app, err) != CB_OK)
        return cb_context(err, "beside the tasks");
    add_waited(p, sample);
    return CB_OK;
}

/* ---- Both ------------------------------------------------------------------------------------ */

enum cb_status cb_preempt_sample(struct cb_preempt *p, struct cb_sample *sample, struct cb_err *err)
{
    double alone_ns = NAN;
    struct cb_preempt_span span = always;
    cb_coop_move(p->app.coop, p->word++);
    if (cb_power_meter_begin(&p->meter, err) != CB_OK)
        return err->status;
    if (cb_preempt_alone(p, &alone_ns, sample, err) != CB_OK)
        return err->status;
    double begun = (double)cb_now_ns();
    enum cb_status status =
        p->companion ? run_with_companion(p, &span, sample, err) : run_with_queue(p, sample, err);
    if (status != CB_OK || cb_preempt_app_check(&p->app, sample, err) != CB_OK)
        return err->status;
    double with_ns = cb_preempt_mean_run(p->app.spans, p->app.runs, &span);
    if (isnan(with_ns))
        return cb_fail(err, CB_ERROR, "the app's kernel did not run beside the tasks");
    p->meter.spans[1] = (struct cb_power_span){begun, (double)cb_now_ns(), with_ns};
    if (p->companion) /* without a companion the one task is only a part of the time */
        p->meter.spans[1] = (struct cb_power_span){span.from_ns, span.until_ns, with_ns};
    cb_sample_add(sample, "app_time", with_ns);
    cb_sample_add(sample, "app_time_alone", alone_ns);
    cb_sample_add(sample, "overhead", with_ns / alone_ns);
    cb_sample_add(sample, "launch_time", p->app.launched_ns / p->app.launches);
    cb_sample_add(sample, "app_runs", (double)p->app.runs);
    cb_sample_add(sample, "app_groups", (double)p->app.groups);
    cb_sample_add(sample, "workers", (double)p->workers);
    return cb_power_meter_end(&p->meter, sample, err);
}
