/* SPDX-License-Identifier: Apache-2.0
 *
 * What the sum of the task of kernels/tasks/reduce.clh must be. A `size` is a COOP_TASK_SIZE.
 */
#pragma once

#include <stdint.h>

/* The sum without salts and numbers of passes, in rows x rows steps. */
uint32_t cb_reduce_digest(uint32_t size);

/* Returns the sum of the task with this salt, from the sum without it. */
uint32_t cb_reduce_salted(uint32_t digest, uint32_t size, uint32_t salt);
