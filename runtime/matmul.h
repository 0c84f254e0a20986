/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of the task of kernels/coop/matmul.clh: what its matrices hold, and what its
 * digest must be.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Fills the two factors, `elements` each. A task of any size reads the beginning of both. */
void cb_matmul_fill(uint32_t *a, uint32_t *b, size_t elements);

/* The digest of a product of size x size matrices before the salt is added, in size^2 steps: the
 * sum over k of (sum over r of weight(r) A[r][k]) * (sum over c of weight(c) B[k][c]). */
uint32_t cb_matmul_digest(uint32_t size);

/* The digest of the task with this salt, from that without. */
uint32_t cb_matmul_salted(uint32_t digest, uint32_t size, uint32_t salt);
