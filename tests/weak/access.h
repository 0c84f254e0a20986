/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic accesses of a thread: 32- or 64-bit words of weak_shared() memory. Others are done as they
 * are, so that words of a thread's own need no care.
 */
#pragma once
#include "memory.h"

uint64_t weak_load(const volatile void *p, unsigned width, int order);
void weak_store(volatile void *p, unsigned width, uint64_t value, int order);

enum weak_operation { WEAK_ADD, WEAK_OR, WEAK_AND, WEAK_EXCHANGE, WEAK_MAX, WEAK_MIN };
/* Returns the old value. */
uint64_t weak_rmw(volatile void *p, unsigned width, enum weak_operation operation, uint64_t operand,
                  int order);
/* Swaps like atomic_compare_exchange_strong_explicit(): *expected is the old value afterwards. */
bool weak_swap(volatile void *p, unsigned width, uint64_t *expected, uint64_t desired, int success,
               int failure);
void weak_fence(int order);
