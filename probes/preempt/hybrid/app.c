/* SPDX-License-Identifier: Apache-2.0
 *
 * The app's process: the megakernel, and what is asked of it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/case.h"
#include "probes/preempt/hybrid/hybrid.h"
#include "runtime/coop/matmul.h"
#include "runtime/coop/task.h"
#include "runtime/host/time.h"

#define LIFETIME_S 140 /* lifetime of a window's megakernel */
#define GATHER_S   LIFETIME_S
#define SLICE_S    0.001 /* slice of a wait for a task, between two looks at scheduling points */
#define PAUSE_NS   20e3  /* between two looks at the board, where the device shares the cores */

/* ---- Opening --------------------------------------------------------------------------------- */

static enum cb_status open_kernel(struct cb_hybrid_app *a, const struct cb_preempt_case *params,
                                  struct cb_err *err)
{
    struct cb_app_case c;
    if (cb_app_case_make(&c, &params->app, err) != CB_OK)
        return err->status;
    struct cb_coop_config config = cb_app_case_config(&c, COOP_COOPERATIVE);
    config.resizing = c.app->offers ? COOP_QUERY : COOP_ATOMIC;
    config.program_tasks = false;
    config.phase_s = fmax(0, params->phase_s);
    config.watched = a->watched = params->watchdog_s > 0;
    config.arena = a->tasks ? cb_tasks_arena(a->tasks) : NULL;
    a->wg_size = c.wg_size;
    if (cb_app_find_workers(a->on, &config, &a->workers, err) != CB_OK ||
        cb_app_case_limit(&c, a->workers, "run at once beside the scheduler", &a->workers, err) !=
            CB_OK)
        return err->status;
    return cb_app_open_mode(a->on, &config, &a->coop, err);
}

enum cb_status cb_hybrid_app_open(struct cb_hybrid_app *a, struct cb_session *session,
                                  const struct cb_app_instance *on,
                                  const struct cb_preempt_case *params, struct cb_err *err)
{
    *a = (struct cb_hybrid_app){.session = session, .on = on, .board.file = -1};
    if (session->rehearsal)
        return open_kernel(a, params, err);
    if (cb_board_open(&a->board, params->board, err) != CB_OK ||
        cb_tasks_open(session, cb_matmul_most(&session->info), &a->tasks, err) != CB_OK ||
        open_kernel(a, params, err) != CB_OK)
        return err->status;
    a->board.words->workers = (uint32_t)a->workers;
    return CB_OK;
}

void cb_hybrid_app_close(struct cb_hybrid_app *a)
{
    cb_coop_close(a->coop);
    cb_tasks_close(a->tasks);
    cb_board_close(&a->board);
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static enum cb_status note_points(const struct cb_hybrid_app *a, struct cb_err *err)
{
    uint32_t points = 0;
    if (!a->watched)
        return CB_OK;
    enum cb_status status = cb_coop_points(a->coop, &points, err);
    cb_board_write(&a->board.words->points, points);
    return status;
}

/* Until it has ended, or the bound has passed. Only the scheduler knows whether it has begun: then
 * it is waited for. */
static enum cb_status await(const struct cb_hybrid_app *a, unsigned number,
                            struct cb_coop_task *task, struct cb_err *err)
{
    const double asked_ns = (double)cb_now_ns(), bound_ns = a->board.words->bound_ns;
    enum cb_status status = CB_TIMEOUT;
    double waited_ns;
    bool withdrawn;
    while (status == CB_TIMEOUT && !cb_coop_has_ended(a->coop)) {
        waited_ns = (double)cb_now_ns() - asked_ns;
        if (cb_hybrid_step(waited_ns, bound_ns) == CB_HYBRID_WITHDRAW) {
            status = cb_coop_withdraw(a->coop, number, &withdrawn, err);
            return status == CB_OK ? cb_coop_await(a->coop, number, task, err) : status;
        }
        status = cb_coop_await_for(a->coop, number, fmin(SLICE_S, (bound_ns - waited_ns) * 1e-9),
                                   task, err);
        if (status == CB_TIMEOUT && !cb_coop_has_ended(a->coop) && note_points(a, err) != CB_OK)
            return err->status;
    }
    return status;
}

static enum cb_status answer(struct cb_hybrid_app *a, struct cb_err *err)
{
    struct cb_board_words *board = a->board.words;
    const struct cb_our_task what = {COOP_TASK_MATMUL, board->size, a->wg_size};
    struct cb_coop_order order = {.groups = board->groups};
    struct cb_coop_task task = {0};
    unsigned number = 0;
    if (cb_tasks_next(a->tasks, &what, &order.packet, err) != CB_OK ||
        cb_coop_submit(a->coop, &order, &number, err) != CB_OK ||
        await(a, number, &task, err) != CB_OK)
        return err->status;
    if (task.cancelled)
        cb_tasks_forget(a->tasks, order.packet);
    board->withdrawn = task.cancelled;
    board->gather_ns = task.beside_kernel && a->session->ns_per_tick > 0 ? task.gather_ns : NAN;
    cb_board_write(&board->answered, ++a->served);
    return CB_OK;
}

static bool is_over(const struct cb_hybrid_app *a)
{
    return cb_board_read(&a->board.words->over) == cb_board_read(&a->board.words->window);
}

static void pause_a_little(const struct cb_hybrid_app *a)
{
    if (cb_device_is_cpu(&a->session->info))
        cb_sleep_until_ns((double)cb_now_ns() + PAUSE_NS);
}

static enum cb_status serve(struct cb_hybrid_app *a, struct cb_err *err)
{
    struct cb_board_words *board = a->board.words;
    double looked_ns = 0;
    a->served = cb_board_read(&board->asked);
    cb_board_write(&board->begun, cb_board_read(&board->window));
    while (!is_over(a) && !cb_coop_has_ended(a->coop)) {
        const double now_ns = (double)cb_now_ns();
        if (cb_board_read(&board->asked) != a->served) {
            if (answer(a, err) != CB_OK)
                return err->status;
        } else if (now_ns > looked_ns + SLICE_S * 1e9) {
            looked_ns = now_ns;
            if (note_points(a, err) != CB_OK)
                return err->status;
        }
        pause_a_little(a);
    }
    return CB_OK;
}

/* ---- A window -------------------------------------------------------------------------------- */

/* The last run may have gone on after the tasks, with no more long phases. */
static void add_runs(const struct cb_hybrid_app *a, const struct cb_coop_result *r,
                     struct cb_sample *sample)
{
    double sum = 0;
    for (unsigned i = 0; i + 1 < r->kept; i++)
        sum += r->run_ns[i];
    if (r->kept > 1 && a->session->ns_per_tick > 0)
        cb_sample_add(sample, CB_HYBRID_RUN, sum / (r->kept - 1));
    cb_sample_add(sample, "app_runs", r->runs);
}

static enum cb_status end(struct cb_hybrid_app *a, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_coop_result r = {0};
    unsigned wrong = 0;
    enum cb_status status = cb_coop_stop(a->coop, &r, err);
    if (status == CB_OK)
        status = cb_tasks_check(a->tasks, &wrong, err);
    if (status == CB_OK) {
        cb_sample_check(sample, wrong == 0,
                        "the result of task %u is wrong, or it was done and withdrawn", wrong);
        add_runs(a, &r, sample);
        status = cb_app_check(a->on, a->coop, r.runs, sample, err);
    }
    free(r.run_ns);
    free(r.start_ns);
    return status;
}

enum cb_status cb_hybrid_app_window(struct cb_hybrid_app *a, struct cb_sample *sample,
                                    struct cb_err *err)
{
    const struct cb_coop_start how = {
        .repeat = true, .lifetime_s = LIFETIME_S, .gather_s = GATHER_S};
    cb_coop_move(a->coop, a->word++);
    cb_task_digest(a->session, COOP_TASK_MATMUL, a->board.words->size,
                   0); /* takes too long later */
    if (cb_app_clear_all(a->on, err) != CB_OK || cb_tasks_begin(a->tasks, err) != CB_OK ||
        cb_coop_start(a->coop, a->workers, &how, err) != CB_OK || serve(a, err) != CB_OK)
        return err->status;
    return end(a, sample, err);
}
