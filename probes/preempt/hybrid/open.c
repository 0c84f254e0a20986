/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening the tasks' process: the app's, and the size of a task.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/host/case.h"
#include "kernels/coop_abi.h"
#include "probes/preempt/hybrid/hybrid.h"
#include "runtime/coop/matmul.h"
#include "runtime/coop/task.h"
#include "runtime/discovery.h"

#define OPEN_S 60 /* seconds for the app's process to prepare */

static enum cb_status start_app(struct cb_hybrid *h, const struct cb_preempt_case *params,
                                struct cb_err *err)
{
    char path[64];
    if (cb_board_make(&h->board, path, err) != CB_OK)
        return err->status;
    struct cb_preempt_case half = *params;
    half.half = "app";
    half.board = path;
    cJSON *own = cJSON_CreateObject();
    cb_fields_write(own, cb_preempt_fields, &half);
    if (cb_companion_open(cb_bench_find("preempt"), h->session, true, own, OPEN_S, &h->app, err) !=
        CB_OK)
        return cb_context(err, "the app's process");
    h->app_lives = true;
    return CB_OK;
}

/* N leaves the app one workgroup. */
static enum cb_status choose_groups(struct cb_hybrid *h, const struct cb_preempt_case *params,
                                    struct cb_err *err)
{
    const size_t workers = h->board.words->workers;
    if (workers < 2)
        return cb_fail(err, CB_UNSUPPORTED,
                       "the app has %zu workgroup beside the scheduler, and a task takes one that "
                       "is not the last",
                       workers);
    h->most_groups = workers - 1;
    return cb_groups_parse(params->groups, h->most_groups, &h->groups, err);
}

static enum cb_status open_task(struct cb_hybrid *h, const struct cb_preempt_case *params,
                                size_t groups, uint32_t most, struct cb_err *err)
{
    const struct cb_preempt_task_config config = {
        .wg_size = params->app.wg_size, .groups = groups, .most = most};
    cb_preempt_task_close(h->task);
    h->task = NULL;
    return cb_preempt_task_open(h->session, &config, &h->task, err);
}

/* Finds the size of tasks that have the whole device. */
static enum cb_status find_size(struct cb_hybrid *h, const struct cb_preempt_case *params,
                                struct cb_err *err)
{
    const uint32_t most = cb_matmul_most(&h->session->info);
    if (open_task(h, params, h->most_groups, most, err) != CB_OK ||
        cb_preempt_task_find_size(h->task, params->duration_ns, &h->size, err) != CB_OK ||
        open_task(h, params, h->groups, cb_matmul_room(h->size), err) != CB_OK)
        return err->status;
    cb_task_digest(h->session, COOP_TASK_MATMUL, h->size, 0); /* takes too long between two tasks */
    h->board.words->groups = (uint32_t)h->groups;
    h->board.words->size = h->size;
    return CB_OK;
}

static enum cb_status rehearse(struct cb_hybrid *h, const struct cb_preempt_case *params,
                               struct cb_err *err)
{
    struct cb_preempt_result unused;
    const uint32_t size = COOP_TASK_SIZE(COOP_TASK_UNIT, COOP_TASK_UNIT);
    enum cb_status status = open_task(h, params, 1, cb_matmul_room(size), err);
    return status == CB_OK ? cb_preempt_task_run(h->task, 1, size, &unused, err) : status;
}

enum cb_status cb_hybrid_open(struct cb_hybrid *h, struct cb_session *session,
                              const struct cb_preempt_case *params, struct cb_err *err)
{
    const double period_ns = params->period_ns;
    *h = (struct cb_hybrid){
        .session = session,
        .board.file = -1,
        .most = params->tasks,
        .arrivals = {.period_ns = period_ns, .deadline_ns = period_ns},
        .budget_ns = params->budget_s * 1e9,
        .bound_ns = params->gather_bound_s * 1e9,
        .watchdog.bound_ns = fmax(0, params->watchdog_s * 1e9),
    };
    snprintf(h->app_name, sizeof h->app_name, "%s", params->app.app);
    if (session->rehearsal)
        return rehearse(h, params, err);
    if (start_app(h, params, err) != CB_OK || choose_groups(h, params, err) != CB_OK)
        return err->status;
    return find_size(h, params, err);
}

void cb_hybrid_close(struct cb_hybrid *h)
{
    cb_companion_close(h->app);
    cb_preempt_task_close(h->task);
    cb_board_close(&h->board);
}
