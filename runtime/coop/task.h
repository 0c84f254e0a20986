/* SPDX-License-Identifier: Apache-2.0
 *
 * Our tasks, COOP_TASK_MATMUL, ... (kernels/tasks_abi.h), as the host sees them: a size, a salt,
 * and the digest that must come out. tasks.h has them on a device; matmul.h finds the size of one
 * that takes so long.
 */
#pragma once

#include "runtime/session.h"

extern const char *const cb_task_names[]; /* "matmul", ... */

/* The task with this name; COOP_TASK_MATMUL if none has it. */
unsigned cb_task_of(const char *name);

/* The digest of a task of this size and salt. The first of a size takes 20 ms and more (4800 rows,
 * as deep): ask for it before the next task may come due. */
uint32_t cb_task_digest(struct cb_session *session, unsigned task, uint32_t size, uint32_t salt);
