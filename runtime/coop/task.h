/* SPDX-License-Identifier: Apache-2.0
 *
 * The tasks that run beside a kernel, by COOP_TASK_MATMUL, ... (kernels/coop_abi.h), as the host
 * sees them: a size, a salt, and the digest that must come out. matmul.h has their matrices, and
 * finds the size of one that takes so long.
 */
#pragma once

#include "runtime/session.h"

extern const char *const cb_task_names[]; /* "matmul", ... */

/* COOP_TASK_MATMUL for a name that no task has. */
unsigned cb_task_of(const char *name);

/* Computes the digest of this size for cb_task_is_right(), which for the first task of a size would
 * otherwise take 20 ms and more (4800 rows, as deep), in which the next one may come due. */
void cb_task_expect(struct cb_session *session, unsigned task, uint32_t size);

/* Whether this is the digest of a task of this size and salt. */
bool cb_task_is_right(struct cb_session *session, unsigned task, uint32_t size, uint32_t salt,
                      uint32_t digest);
