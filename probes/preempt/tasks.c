/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/preempt/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/pace.h"
#include "kernels/coop_abi.h"
#include "runtime/coop/matmul.h"
#include "runtime/coop/task.h"
#include "runtime/host/time.h"

static enum cb_preempt_watch watch_of(const char *name)
{
    return cb_text_is(name, "clock")    ? CB_WATCH_CLOCK
           : cb_text_is(name, "system") ? CB_WATCH_SYSTEM
                                        : CB_WATCH_NONE;
}

enum cb_status cb_preempt_tasks_open(struct cb_preempt_tasks *t, struct cb_session *session,
                                     const struct cb_preempt_case *params, struct cb_err *err)
{
    const char *path = params->app.task;
    cb_users_inherit();
    const struct cb_user_task *own = path ? cb_user_task_of(path) : NULL;
    *t = (struct cb_preempt_tasks){
        .session = session,
        .groups = params->task_groups,
        .size = params->task_size,
        .most = params->tasks,
        .arrivals = {.period_ns = params->period_ns},
        .budget_ns = params->budget_s * 1e9,
    };
    t->results = calloc(t->most, sizeof *t->results);
    if (!t->results)
        return cb_no_memory(err);
    if (path && !own)
        return cb_fail(err, CB_ERROR, "%s: it has not been added", path);
    if (own) {
        t->arrivals = own->setup.arrivals;
        return cb_user_task_open(session, own, NULL, 0, &t->own, err);
    }
    t->watch = watch_of(params->watch);
    const struct cb_preempt_task_config config = {.wg_size = params->app.wg_size,
                                                  .groups = t->groups,
                                                  .most = cb_matmul_room(t->size),
                                                  .watch = t->watch};
    cb_task_digest(session, COOP_TASK_MATMUL, t->size, 0); /* takes too long between two tasks */
    return cb_preempt_task_open(session, &config, &t->task, err);
}

void cb_preempt_tasks_close(struct cb_preempt_tasks *t)
{
    cb_preempt_task_close(t->task);
    cb_user_task_close(t->own);
    free(t->results);
    *t = (struct cb_preempt_tasks){0};
}

/* The first after a pause may take longer. */
static enum cb_status run_first(struct cb_preempt_tasks *t, struct cb_err *err)
{
    struct cb_preempt_result unused;
    if (!t->own)
        return cb_preempt_task_run(t->task, 1, COOP_TASK_SIZE(COOP_TASK_UNIT, COOP_TASK_UNIT),
                                   &unused, err);
    if (cb_user_task_launch(t->own, NULL, err) != CB_OK)
        return err->status;
    return cb_user_task_clear_launches(t->own, err);
}

enum cb_status cb_preempt_tasks_ready(struct cb_preempt_tasks *t, struct cb_err *err)
{
    if (run_first(t, err) != CB_OK)
        return err->status;
    return cb_clock_link_open(t->session, &t->link, err);
}

/* A kernel of the user's: by its event and the host's clock. */
static enum cb_status run_own(struct cb_preempt_tasks *t, struct cb_preempt_result *r,
                              struct cb_err *err)
{
    *r = (struct cb_preempt_result){
        .right = true, .request_ns = (double)cb_now_ns(), .away_ns = NAN};
    enum cb_status status = cb_user_task_launch(t->own, &r->exec_ns, err);
    r->answer_ns = (double)cb_now_ns() - r->request_ns;
    return status;
}

static void add_result(const struct cb_preempt_tasks *t, const struct cb_preempt_result *r,
                       struct cb_sample *sample)
{
    cb_sample_check(sample, r->right, "a task's product is wrong");
    cb_sample_add(sample, "answer_time", r->answer_ns);
    if (r->clocked) {
        cb_sample_add(sample, "start_delay",
                      cb_clock_link_host_ns(&t->link, r->begun) - r->request_ns);
    }
    if (r->clocked || t->own)
        cb_sample_add(sample, "exec_time", r->exec_ns);
    if (r->slices > 0)
        cb_sample_add(sample, "slices", r->slices);
    else if (r->clocked && t->watch == CB_WATCH_CLOCK)
        cb_sample_note(sample, "tasks beside which the workgroup that watches the clock came too "
                               "late are left out of slices and away_time");
    cb_sample_add(sample, "away_time", r->away_ns);
}

static void add_results(struct cb_preempt_tasks *t, const struct cb_pace *pace,
                        struct cb_sample *sample)
{
    for (unsigned i = 0; i < t->done && !t->own; i++) /* no task begins before it was asked for */
        cb_clock_link_not_before(&t->link, t->results[i].begun, t->results[i].request_ns);
    for (unsigned i = 0; i < t->done; i++)
        add_result(t, &t->results[i], sample);
    cb_sample_add(sample, "period", cb_pace_period(pace));
    cb_sample_add(sample, "deadlines_met", cb_pace_met(pace));
    cb_sample_add(sample, "tasks", pace->tasks);
    cb_sample_add(sample, "task_groups", (double)t->groups);
    if (t->own)
        return;
    cb_sample_add(sample, "task_rows", COOP_TASK_ROWS(t->size));
    cb_sample_add(sample, "task_depth", COOP_TASK_DEPTH(t->size));
}

static bool may_go_on(const struct cb_preempt_tasks *t, const struct cb_pace *pace,
                      bool (*goes_on)(void *self), void *self)
{
    if (t->done == t->most)
        return false;
    if (goes_on)
        return goes_on(self);
    return t->done < 2 || (double)cb_now_ns() < pace->begun_ns + t->budget_ns;
}

enum cb_status cb_preempt_tasks_run(struct cb_preempt_tasks *t, double first_ns, double *until_ns,
                                    bool (*goes_on)(void *self), void *self,
                                    struct cb_sample *sample, struct cb_err *err)
{
    struct cb_pace pace = cb_pace_begin(&t->arrivals, first_ns);
    t->done = 0;
    do {
        cb_pace_wait(&pace);
        struct cb_preempt_result *r = &t->results[t->done];
        if ((t->own ? run_own(t, r, err)
                    : cb_preempt_task_run(t->task, t->groups, t->size, r, err)) != CB_OK)
            return err->status;
        t->done++;
        cb_pace_answered(&pace);
        if (t->own && cb_user_task_renew_launches(t->own, sample, err) != CB_OK)
            return err->status;
    } while (may_go_on(t, &pace, goes_on, self));
    if (!goes_on)
        cb_pace_wait(&pace); /* the last one's period belongs to it */
    *until_ns = (double)cb_now_ns();
    if (cb_clock_link_correct(t->session, &t->link, err) != CB_OK)
        return err->status;
    add_results(t, &pace, sample);
    return t->own ? cb_user_task_check_launches(t->own, t->done, sample, err) : CB_OK;
}
