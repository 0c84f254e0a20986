/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders of memory that no program here needs, and why they are there all the same.
 */
#pragma once
#include "memory.h"

typedef struct {
    const char *file, *function, *name;
    int order;
    const char *reason;
} weak_reason;

#define BUFFERED                                                                                   \
    "keeps a load of a place before the store that uses the place again (load buffering)"

static const weak_reason weak_reasons[] = {
    {"kernels/steal.clh", "cb_deque_pop", "cb_swap64_acq_rel", WEAK_ACQUIRE, BUFFERED},
    {"kernels/steal.clh", "cb_deque_pop", "cb_swap64_acq_rel", WEAK_RELEASE,
     "there is no swap that only acquires"},
    {"kernels/steal.clh", "cb_deque_pop", "cb_fence_polled", WEAK_ACQUIRE, BUFFERED},
    {"kernels/steal.clh", "cb_deque_pop", "cb_load64_poll", WEAK_ACQUIRE, BUFFERED},
    {"kernels/steal.clh", "cb_deque_steal", "cb_swap64_acq_rel", WEAK_ACQUIRE,
     "there is no swap that only releases"},
    {"kernels/steal.clh", "cb_deque_steal", "cb_swap64_acq_rel", WEAK_RELEASE, BUFFERED},
    {"kernels/mutexes/spin.clh", "cb_lock_spin", "cb_exchange_acq_rel", WEAK_RELEASE,
     "a pause, which the fence of PTX is (spin.clh)"},
    {"kernels/condition.clh", "cb_condition_wait", "cb_wait_reached", WEAK_ACQUIRE,
     "all waits acquire; here the mutex does it again"},
    {NULL},
};
