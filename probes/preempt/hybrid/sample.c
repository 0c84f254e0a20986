/* SPDX-License-Identifier: Apache-2.0
 *
 * The tasks' process: windows of the app alone, and with tasks in each of the ways.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/pace.h"
#include "measure/stats.h"
#include "probes/preempt/hybrid/hybrid.h"
#include "probes/preempt/preempt.h"
#include "runtime/host/time.h"

#define ALONE_NS 300e6 /* without tasks, or half the budget, if that is less */
#define BEGIN_S  30    /* time for the app's kernel to be launched */
#define END_S    30    /* time for the app's kernel to end */
#define ANSWER_S 30    /* seconds for a task that has begun there */
#define PAUSE_NS 20e3  /* between two looks, where the device shares the cores */
#define TRIES    3     /* tasks of cooperation alone, if it answers none of them in time */

enum way { ALONE, SLICED, HYBRID, COOPERATIVE, WAYS };

/* What follows a metric's name. */
static const char *const suffixes[WAYS] = {"_alone", "_sliced", "", "_cooperative"};

/* A window of tasks. */
struct window {
    enum way way;
    struct cb_pace pace;
    double *answers_ns; /* answer times of its tasks */
    unsigned cooperative, by_driver;
    bool wrong;
    double run_ns; /* mean run of the app; NaN: none has ended */
    bool fired;    /* the watchdog has ended the app's process, */
    double fired_ns;
    bool silent; /* the app did not answer */
};

static double now_ns(void)
{
    return (double)cb_now_ns();
}

static void pause_a_little(const struct cb_hybrid *h)
{
    if (cb_device_is_cpu(&h->session->info))
        cb_sleep_until_ns(now_ns() + PAUSE_NS);
}

/* ---- The app's process ----------------------------------------------------------------------- */

static bool has_app(const struct cb_hybrid *h)
{
    return h->app_lives && !cb_companion_has_ended(h->app);
}

static void end_process(struct cb_hybrid *h)
{
    h->app_lives = false;
    cb_companion_kill(h->app);
}

/* Whether the app's process was ended just now. */
static bool heed_watchdog(struct cb_hybrid *h, struct window *w)
{
    if (!has_app(h) ||
        !cb_watchdog_fires(&h->watchdog, now_ns(), cb_board_read(&h->board.words->points)))
        return false;
    w->fired = true;
    w->fired_ns = now_ns() - h->watchdog.since_ns;
    end_process(h);
    return true;
}

static enum cb_status begin_app(struct cb_hybrid *h, struct cb_err *err)
{
    struct cb_board_words *board = h->board.words;
    const double until_ns = now_ns() + BEGIN_S * 1e9;
    cb_board_write(&board->window, board->window + 1);
    if (cb_companion_begin(h->app, err) != CB_OK)
        return err->status;
    while (cb_board_read(&board->begun) != board->window && has_app(h) && now_ns() < until_ns)
        pause_a_little(h);
    cb_preempt_settle();
    return CB_OK; /* what went wrong, its end tells */
}

static void take_values(const struct cb_sample *told, struct window *w, struct cb_sample *sample)
{
    const cJSON *run = cJSON_GetObjectItemCaseSensitive(told->values, CB_HYBRID_RUN);
    const cJSON *runs = cJSON_GetObjectItemCaseSensitive(told->values, "app_runs");
    w->run_ns = run && run->child ? run->child->valuedouble : NAN;
    if (w->way == HYBRID && runs && runs->child)
        cb_sample_add(sample, "app_runs", runs->child->valuedouble);
    if (told->verified)
        cb_sample_check(sample, !told->failure[0], "%s", told->failure);
}

/* It is gone if the watchdog has ended it. */
static enum cb_status end_app(struct cb_hybrid *h, struct window *w, struct cb_sample *sample,
                              struct cb_err *err)
{
    struct cb_sample told = {0};
    const double until_ns = now_ns() + END_S * 1e9;
    if (!h->app_lives)
        return CB_OK;
    cb_board_write(&h->board.words->over, h->board.words->window);
    h->watchdog.waits = false;
    while (has_app(h) && now_ns() < until_ns)
        cb_sleep_until_ns(now_ns() + 1e6);
    enum cb_status status = cb_companion_end(h->app, 1, &told, err);
    if (status == CB_OK)
        take_values(&told, w, sample);
    else
        cb_context(err, "the app's process");
    cb_sample_free(&told);
    return status;
}

/* ---- A task ---------------------------------------------------------------------------------- */

/* Whether it has answered. One that is silent might do the task later: it is ended, so that nobody
 * does it twice. */
static bool await_answer(struct cb_hybrid *h, struct window *w)
{
    const double until_ns = now_ns() + ANSWER_S * 1e9;
    while (cb_board_read(&h->board.words->answered) != h->board.words->asked) {
        if (!has_app(h) || heed_watchdog(h, w))
            return false;
        if (now_ns() > until_ns) {
            w->silent = true;
            end_process(h);
            return false;
        }
        pause_a_little(h);
    }
    return true;
}

/* Asks the app's process for it. Whether it was done there. */
static bool ask(struct cb_hybrid *h, struct window *w, struct cb_sample *sample)
{
    struct cb_board_words *board = h->board.words;
    cb_watchdog_ask(&h->watchdog, now_ns(), cb_board_read(&board->points));
    board->bound_ns = w->way == HYBRID ? h->bound_ns : h->arrivals.period_ns;
    cb_board_write(&board->asked, board->asked + 1);
    if (!await_answer(h, w))
        return false;
    if (!board->withdrawn && w->way == HYBRID)
        cb_sample_add(sample, "gather_time", board->gather_ns);
    return !board->withdrawn;
}

static enum cb_status run_task(struct cb_hybrid *h, struct window *w, struct cb_sample *sample,
                               struct cb_err *err)
{
    const double asked_ns = now_ns();
    struct cb_preempt_result r = {.right = true};
    const bool there = w->way != SLICED && has_app(h) && ask(h, w, sample);
    if (!there && cb_preempt_task_run(h->task, h->groups, h->size, &r, err) != CB_OK)
        return err->status;
    w->answers_ns[w->pace.tasks] = now_ns() - asked_ns;
    w->cooperative += there;
    w->by_driver += !there;
    w->wrong |= !r.right;
    cb_pace_answered(&w->pace);
    heed_watchdog(h, w);
    return CB_OK;
}

static bool goes_on(const struct cb_hybrid *h, const struct window *w)
{
    const unsigned done = w->pace.tasks;
    if (w->way == COOPERATIVE && done >= TRIES && w->cooperative == 0)
        return false;
    return done < h->most && (done < 2 || now_ns() < w->pace.begun_ns + h->budget_ns);
}

static enum cb_status run_tasks(struct cb_hybrid *h, struct window *w, struct cb_sample *sample,
                                struct cb_err *err)
{
    w->pace = cb_pace_begin(&h->arrivals, now_ns());
    do {
        cb_pace_wait(&w->pace);
        if (run_task(h, w, sample, err) != CB_OK)
            return err->status;
    } while (goes_on(h, w));
    cb_pace_wait(&w->pace); /* the last one's period belongs to it */
    return CB_OK;
}

/* ---- A window -------------------------------------------------------------------------------- */

static enum cb_status run_window(struct cb_hybrid *h, struct window *w, struct cb_sample *sample,
                                 struct cb_err *err)
{
    struct cb_err later = {0};
    enum cb_status status = begin_app(h, err);
    if (status == CB_OK && w->way == ALONE)
        cb_sleep_until_ns(now_ns() + fmin(ALONE_NS, h->budget_ns / 2));
    else if (status == CB_OK)
        status = run_tasks(h, w, sample, err);
    if (end_app(h, w, sample, &later) != CB_OK && status == CB_OK) {
        *err = later;
        status = later.status;
    }
    cb_sample_check(sample, !w->wrong, "a task's product is wrong");
    return status;
}

/* The row's reason. */
static enum cb_status report_ended(const struct cb_hybrid *h, const struct window *w,
                                   struct cb_err *err)
{
    char why[160];
    if (w->fired)
        snprintf(why, sizeof why,
                 "came to no scheduling point for %.3g s while a task waited (--watchdog %.3g)",
                 w->fired_ns * 1e-9, h->watchdog.bound_ns * 1e-9);
    else
        snprintf(why, sizeof why, "neither did a task nor gave it back within %d s", ANSWER_S);
    return cb_fail(err, CB_TIMEOUT,
                   "%s %s: its process was ended. All %u tasks were answered, %u by cooperation "
                   "and %u by a process of their own",
                   h->app_name, why, w->pace.tasks, w->cooperative, w->by_driver);
}

/* ---- A sample -------------------------------------------------------------------------------- */

static void add_of_way(struct cb_sample *sample, const char *name, enum way way, double value)
{
    char text[64];
    snprintf(text, sizeof text, "%s%s", name, suffixes[way]);
    cb_sample_add(sample, text, value);
}

static bool is_in_time(const struct window *w)
{
    return w->by_driver == 0 && cb_pace_met(&w->pace) == 1;
}

static void add_window(const struct window *w, double alone_ns, struct cb_sample *sample)
{
    if (w->way == COOPERATIVE && !is_in_time(w)) {
        cb_sample_note(sample, "cooperation alone is not in time: some tasks were not gathered, or "
                               "not answered, within a period");
        return;
    }
    for (unsigned i = 0; i < w->pace.tasks; i++)
        add_of_way(sample, "answer_time", w->way, w->answers_ns[i]);
    if (!isnan(w->run_ns) && !isnan(alone_ns))
        add_of_way(sample, "overhead", w->way, w->run_ns / alone_ns);
    add_of_way(sample, "deadlines_met", w->way, cb_pace_met(&w->pace));
    if (w->way != HYBRID)
        return;
    cb_sample_add(sample, "answered_cooperatively", w->cooperative);
    cb_sample_add(sample, "answered_by_driver", w->by_driver);
    cb_sample_add(sample, "tasks", w->pace.tasks);
}

static void add_runs(const struct window windows[WAYS], struct cb_sample *sample)
{
    if (!isnan(windows[ALONE].run_ns))
        cb_sample_add(sample, "app_time_alone", windows[ALONE].run_ns);
    if (!isnan(windows[HYBRID].run_ns))
        cb_sample_add(sample, "app_time", windows[HYBRID].run_ns);
    if (isnan(windows[ALONE].run_ns) || isnan(windows[HYBRID].run_ns))
        cb_sample_note(sample,
                       "the app has ended too few runs within a window, so that nobody knows "
                       "what it pays: a longer --budget or a shorter --phase");
}

static void add_windows(const struct cb_hybrid *h, const struct window windows[WAYS],
                        struct cb_sample *sample)
{
    double medians[WAYS];
    for (int i = SLICED; i < WAYS; i++) {
        add_window(&windows[i], windows[ALONE].run_ns, sample);
        medians[i] = cb_stats_of(windows[i].answers_ns, windows[i].pace.tasks).median;
    }
    cb_sample_add(sample, "hybrid_to_sliced", medians[HYBRID] / medians[SLICED]);
    add_runs(windows, sample);
    cb_sample_add(sample, "workers", (double)h->most_groups);
    cb_sample_add(sample, "task_groups", (double)h->groups);
    cb_sample_add(sample, "task_rows", COOP_TASK_ROWS(h->size));
    cb_sample_add(sample, "task_depth", COOP_TASK_DEPTH(h->size));
}

enum cb_status cb_hybrid_sample(struct cb_hybrid *h, struct cb_sample *sample, struct cb_err *err)
{
    static const enum way order[WAYS] = {HYBRID, SLICED, COOPERATIVE, ALONE}; /* watched first */
    struct window windows[WAYS] = {{0}};
    enum cb_status status = CB_OK;
    for (int i = 0; i < WAYS && status == CB_OK; i++) {
        struct window *w = &windows[order[i]];
        w->way = order[i];
        w->run_ns = NAN;
        w->answers_ns = calloc(h->most, sizeof *w->answers_ns);
        status = w->answers_ns ? run_window(h, w, sample, err) : cb_no_memory(err);
        if (status == CB_OK && (w->fired || w->silent))
            status = report_ended(h, w, err);
    }
    if (status == CB_OK)
        add_windows(h, windows, sample);
    for (int i = 0; i < WAYS; i++)
        free(windows[i].answers_ns);
    return status;
}
