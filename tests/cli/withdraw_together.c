/* SPDX-License-Identifier: Apache-2.0
 *
 * withdraw_together DEVICE TASKS SEED
 *
 * Two apps in one megakernel, whose phases are too long, and TASKS matrix products one after the
 * other, most of which are withdrawn at random times. Then: those that were not have done their
 * work, once, the others have not, and both apps are right. 0: all is so; 1: not; 77: there is no
 * such device.
 */
#include <stdio.h>
#include <stdlib.h>

#include "apps/host/run.h"
#include "measure/random.h"
#include "runtime/coop/tasks.h"
#include "runtime/coop/together.h"
#include "runtime/host/time.h"
#include "tests/cli/open_session.h"

#define WG_SIZE 64
#define PHASE_S 0.003
#define FEW     2 /* workgroups of each app, so that some are in the pool */
#define SIZE    COOP_TASK_SIZE(COOP_TASK_UNIT, COOP_TASK_UNIT)

static enum cb_status one_task(struct cb_coop *coop, struct cb_tasks *tasks, size_t workers,
                               struct cb_random *r, unsigned *withdrawn, struct cb_err *err)
{
    const struct cb_our_task what = {COOP_TASK_MATMUL, SIZE, WG_SIZE};
    struct cb_coop_order order = {.groups = 1 + cb_random_below(r, (uint32_t)workers - 2)};
    struct cb_coop_task task;
    unsigned number;
    bool is_out = false;
    if (cb_tasks_next(tasks, &what, &order.packet, err) != CB_OK ||
        cb_coop_submit(coop, &order, &number, err) != CB_OK)
        return err->status;
    if (cb_random_below(r, 3) > 0) {
        cb_sleep_until_ns((double)cb_now_ns() + PHASE_S * 1e9 * cb_random_below(r, 4) / 2);
        if (cb_coop_withdraw(coop, number, &is_out, err) != CB_OK)
            return err->status;
    }
    if (cb_coop_await(coop, number, &task, err) != CB_OK)
        return err->status;
    if (task.cancelled != is_out)
        return cb_fail(err, CB_ERROR, "task %u: withdrawn %d instead of %d", number, task.cancelled,
                       is_out);
    if (is_out)
        cb_tasks_forget(tasks, order.packet);
    *withdrawn += is_out;
    return CB_OK;
}

static enum cb_status check(const struct cb_app_instance *on, struct cb_coop *coop,
                            struct cb_tasks *tasks, struct cb_err *err)
{
    struct cb_sample sample = {0};
    unsigned wrong, runs;
    if (cb_tasks_check(tasks, &wrong, err) != CB_OK)
        return err->status;
    if (wrong)
        return cb_fail(err, CB_VERIFY_FAILED, "the result of task %u is wrong", wrong);
    for (unsigned k = 0; on; k++, on = on->beside)
        if (cb_app_check_kernel(on, coop, k, &runs, &sample, err) != CB_OK)
            return err->status;
    return sample.failure[0] ? cb_fail(err, CB_VERIFY_FAILED, "%s", sample.failure) : CB_OK;
}

static enum cb_status beside(const struct cb_app_instance *on, struct cb_coop *coop,
                             struct cb_tasks *tasks, size_t workers, unsigned n,
                             struct cb_random *r, struct cb_err *err)
{
    const struct cb_coop_start how = {.repeat = true, .lifetime_s = 60, .gather_s = 20};
    unsigned withdrawn = 0;
    if (cb_app_clear_all(on, err) != CB_OK || cb_tasks_begin(tasks, err) != CB_OK ||
        cb_coop_start(coop, workers, &how, err) != CB_OK ||
        cb_coop_limit_of(coop, 0, FEW, err) != CB_OK ||
        cb_coop_limit_of(coop, 1, FEW, err) != CB_OK)
        return err->status;
    for (unsigned i = 0; i < n; i++)
        if (one_task(coop, tasks, workers, r, &withdrawn, err) != CB_OK)
            return err->status;
    if (cb_coop_stop(coop, NULL, err) != CB_OK)
        return err->status;
    printf("%u of %u tasks were withdrawn\n", withdrawn, n);
    return check(on, coop, tasks, err);
}

static enum cb_status run(struct cb_session *s, unsigned n, struct cb_random *r, struct cb_err *err)
{
    struct cb_app_instance first, second;
    struct cb_tasks *tasks = NULL;
    struct cb_coop *coop = NULL;
    size_t workers;
    if (cb_app_open_input(s, cb_app_find("barriers"), "200", &first, err) != CB_OK ||
        cb_app_open_input(s, cb_app_find("bfs"), "grid:9x9", &second, err) != CB_OK ||
        cb_tasks_open(s, COOP_TASK_UNIT, &tasks, err) != CB_OK)
        return err->status;
    first.beside = &second;
    const struct cb_coop_config config = {.wg_size = WG_SIZE,
                                          .mode = COOP_COOPERATIVE,
                                          .resizing = COOP_ATOMIC,
                                          .phase_s = PHASE_S,
                                          .arena = cb_tasks_arena(tasks)};
    if (cb_app_find_workers(&first, &config, &workers, err) != CB_OK ||
        cb_app_open_mode(&first, &config, &coop, err) != CB_OK)
        return err->status;
    return beside(&first, coop, tasks, workers, n, r, err);
}

int main(int argc, char **argv)
{
    static struct cb_session session;
    struct cb_err err = {0};
    if (argc < 4)
        return 2;
    struct cb_random random = {strtoull(argv[3], NULL, 10)};
    if (open_session(argv[1], &session, &err) != CB_OK)
        return 77;
    printf("seed %s\n", argv[3]);
    enum cb_status status = run(&session, (unsigned)atoi(argv[2]), &random, &err);
    if (status != CB_OK)
        fprintf(stderr, "%s\n", err.text);
    return status == CB_OK ? 0 : 1;
}
