/* SPDX-License-Identifier: Apache-2.0
 *
 * Our tasks on a device (kernels/tasks/ours.clh): their arena, with launch packets, matrices and
 * the words of their digests, by which each is checked after the run.
 *
 *     cb_tasks_open(session, most, &tasks, err);      config.arena = cb_tasks_arena(tasks)
 *     cb_tasks_begin(tasks, err);                     before each start of the megakernel
 *     cb_tasks_next(tasks, &what, &order.packet, err);   and cb_coop_submit(), any number of times
 *     cb_tasks_check(tasks, &wrong, err);             after its end
 *     cb_tasks_close(tasks);
 */
#pragma once

#include "kernels/coop_abi.h"
#include "kernels/tasks_abi.h"
#include "runtime/session.h"

struct cb_tasks;

/* Opens tasks of up to `most` rows and as deep. All that a session opens share one arena where it
 * is large enough, since filling it takes longer than many a case: only one may run at a time. */
enum cb_status cb_tasks_open(struct cb_session *session, uint32_t most, struct cb_tasks **tasks,
                             struct cb_err *err);
void cb_tasks_close(struct cb_tasks *tasks); /* NULL is fine */

cl_mem cb_tasks_arena(const struct cb_tasks *tasks);

/* Parts of the arena for launches of their own: the two factors and the product. The caller
 * releases them. */
enum cb_status cb_tasks_matrices(const struct cb_tasks *tasks, cl_mem matrices[3],
                                 struct cb_err *err);

enum cb_status cb_tasks_begin(struct cb_tasks *tasks, struct cb_err *err);

struct cb_our_task {
    unsigned task; /* COOP_TASK_MATMUL, ... */
    uint32_t size; /* COOP_TASK_SIZE */
    size_t wg_size;
};

/* Finds the launch packet of the next task, which has a salt of its own. No more than CB_TASKS_LINE
 * tasks may be under way. CB_USAGE: not such a size. */
enum cb_status cb_tasks_next(struct cb_tasks *tasks, const struct cb_our_task *what, size_t *packet,
                             struct cb_err *err);
#define CB_TASKS_LINE (COOP_IN_LINE - 64)

/* Takes the last task of that packet out of the check: it has been withdrawn. */
void cb_tasks_forget(struct cb_tasks *tasks, size_t packet);

/* Checks all tasks since the beginning but the forgotten ones, each of which has been run once.
 * wrong: number of the first whose result is wrong, from 1, among the last COOP_IN_LINE; 0:
 * none. */
enum cb_status cb_tasks_check(struct cb_tasks *tasks, unsigned *wrong, struct cb_err *err);
