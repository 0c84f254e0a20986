/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of the task of kernels/tasks/matmul.clh: what its matrices hold, what its digest
 * must be, and how large it has to be. A `size` is a COOP_TASK_SIZE (kernels/tasks_abi.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/tasks_abi.h"
#include "runtime/session.h"

#define CB_MATMUL_ELEMENT 31u /* the largest element of the factors */
#define CB_MATMUL_SHIFT   27  /* leaves the element's bits of 32 */

/* Element i of the first factor. */
static inline uint32_t cb_matmul_element(uint32_t i)
{
    return (i * 2246822519u) >> CB_MATMUL_SHIFT;
}

/* Fills the two factors, `elements` each. A task of any size reads the beginning of both. */
void cb_matmul_fill(float *a, float *b, size_t elements);

/* Returns the `most` of matrices with room for this size. */
uint32_t cb_matmul_room(uint32_t size);

/* The digest of a product before the salt is added, in rows x depth steps:
 *     the sum over k of (sum over r of weight(r) A[r][k]) * (sum over c of weight(c) B[k][c])
 */
uint32_t cb_matmul_digest(uint32_t size);

/* Returns the digest of the task with this salt, from the digest without it. */
uint32_t cb_matmul_salted(uint32_t digest, uint32_t size, uint32_t salt);

/* Rows and depth of the largest task for a device: to multiply two larger matrices takes longer
 * than a task should. */
uint32_t cb_matmul_most(const struct cb_device *device);

/* Finds the size whose task takes closest to duration_ns, among at most ten that it tries. Rows and
 * depth are at most `most`, a multiple of COOP_TASK_UNIT. time: measures a task of one size. */
enum cb_status cb_matmul_find_size(double duration_ns, uint32_t most,
                                   enum cb_status (*time)(void *self, uint32_t size, double *ns,
                                                          struct cb_err *err),
                                   void *self, uint32_t *size, struct cb_err *err);
