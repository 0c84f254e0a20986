/* SPDX-License-Identifier: Apache-2.0
 *
 * As much OpenCL C as kernels need to be compiled as C and run on weak memory, with the back end of
 * C11 atomics. Calls of what orders memory pass by sites.h; the names of kernels/atomics.clh end
 * with the order. Pauses between turns of a wait are none.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "access.h"
#include "explore.h"
#include "sites.h"

#define global
#define local
#define CB_ATOMICS_C11
#define cl_khr_int64_base_atomics
#define CLK_GLOBAL_MEM_FENCE 0
typedef unsigned char uchar;
typedef unsigned int uint;
typedef uint64_t ulong_of_opencl;
typedef struct {
    uint x, y;
} uint2;
typedef struct {
    uint x, y, z, w;
} uint4;
#define ulong     ulong_of_opencl
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

#define clz(v)                ((v) == 0 ? 32u : (uint)__builtin_clz(v))
#define popcount(v)           ((uint)__builtin_popcount(v))
#define rotate(v, n)          ((v) << (n) % 32 | (v) >> (32 - (n) % 32) % 32)
#define clamp(v, least, most) ((v) < (least) ? (least) : (v) > (most) ? (most) : (v))

/* A workgroup has one work-item. */
#define barrier(flags)                (void)0
#define CLK_LOCAL_MEM_FENCE           0
#define kernel                        static
#define reqd_work_group_size(x, y, z) unused

#define get_local_id(dimension)   0u
#define get_local_size(dimension) 1u
#define CB_WAITER                 weak_thread()
#define CB_RELAX_BY               weak_turn

typedef uint atomic_uint;
typedef ulong atomic_ulong;
#define memory_scope_device     0
#define memory_scope_work_group 1
#define memory_order_relaxed    WEAK_RELAXED
#define memory_order_acquire    WEAK_ACQUIRE
#define memory_order_release    WEAK_RELEASE
#define memory_order_acq_rel    WEAK_ACQ_REL

#define atomic_load_explicit(p, order, scope)         weak_load(p, sizeof *(p), order)
#define atomic_store_explicit(p, v, order, scope)     weak_store(p, sizeof *(p), v, order)
#define atomic_fetch_add_explicit(p, v, order, scope) weak_rmw(p, sizeof *(p), WEAK_ADD, v, order)
#define atomic_fetch_or_explicit(p, v, order, scope)  weak_rmw(p, sizeof *(p), WEAK_OR, v, order)
#define atomic_fetch_and_explicit(p, v, order, scope) weak_rmw(p, sizeof *(p), WEAK_AND, v, order)
#define atomic_exchange_explicit(p, v, order, scope)                                               \
    weak_rmw(p, sizeof *(p), WEAK_EXCHANGE, v, order)
#define atomic_compare_exchange_strong_explicit(p, seen, v, success, failure, scope)               \
    _Generic((seen), uint *                                                                        \
             : weak_swap_word, default                                                             \
             : weak_swap)(p, sizeof *(p), seen, v, success, failure)
#define atomic_work_item_fence(flags, order, scope) weak_fence(order)

static inline bool weak_swap_word(volatile void *p, unsigned width, uint *seen, uint64_t v,
                                  int success, int failure)
{
    uint64_t wide = *seen;
    bool swapped = weak_swap(p, width, &wide, v, success, failure);
    *seen = (uint)wide;
    return swapped;
}

/* Those of OpenCL 1.2 are relaxed. */
#define atomic_add(p, v) weak_rmw(p, sizeof *(p), WEAK_ADD, v, WEAK_RELAXED)
#define atomic_sub(p, v) atomic_add(p, 0 - (v))
#define atomic_inc(p)    atomic_add(p, 1)
#define atomic_or(p, v)  weak_rmw(p, sizeof *(p), WEAK_OR, v, WEAK_RELAXED)
#define atomic_max(p, v) weak_rmw(p, sizeof *(p), WEAK_MAX, v, WEAK_RELAXED)
#define atomic_min(p, v) weak_rmw(p, sizeof *(p), WEAK_MIN, v, WEAK_RELAXED)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wtype-limits"
#include "kernels/atomics.clh"

#define SITE(name)         weak_at(__FILE__, __LINE__, __func__, #name)
#define WEAK_POLL_AT(name) weak_poll_at(__FILE__, __LINE__, __func__, #name)

#define cb_load_acquire(p) (SITE(cb_load_acquire), cb_load_acquire(p))
#define cb_load_poll(p)    (WEAK_POLL_AT(cb_load_poll), cb_load_poll(p))
#define cb_load64_poll(p)  (WEAK_POLL_AT(cb_load64_poll), cb_load64_poll(p))
#define cb_fence_polled()                                                                          \
    (weak_polls_acquire() ? (void)0 : (SITE(cb_fence_polled), cb_fence_polled()))
#define cb_fence_release()            (SITE(cb_fence_release), cb_fence_release())
#define cb_fence_acq_rel()            (SITE(cb_fence_acq_rel), cb_fence_acq_rel())
#define cb_store_release(p, v)        (SITE(cb_store_release), cb_store_release(p, v))
#define cb_store64_release(p, v)      (SITE(cb_store64_release), cb_store64_release(p, v))
#define cb_add_release(p, v)          (SITE(cb_add_release), cb_add_release(p, v))
#define cb_add64_release(p, v)        (SITE(cb_add64_release), cb_add64_release(p, v))
#define cb_or_release(p, v)           (SITE(cb_or_release), cb_or_release(p, v))
#define cb_fetch_add_acquire(p, v)    (SITE(cb_fetch_add_acquire), cb_fetch_add_acquire(p, v))
#define cb_fetch_add_release(p, v)    (SITE(cb_fetch_add_release), cb_fetch_add_release(p, v))
#define cb_fetch_add_acq_rel(p, v)    (SITE(cb_fetch_add_acq_rel), cb_fetch_add_acq_rel(p, v))
#define cb_fetch_add64_acq_rel(p, v)  (SITE(cb_fetch_add64_acq_rel), cb_fetch_add64_acq_rel(p, v))
#define cb_fetch_or_acquire(p, v)     (SITE(cb_fetch_or_acquire), cb_fetch_or_acquire(p, v))
#define cb_fetch_or_acq_rel(p, v)     (SITE(cb_fetch_or_acq_rel), cb_fetch_or_acq_rel(p, v))
#define cb_fetch_and_acquire(p, v)    (SITE(cb_fetch_and_acquire), cb_fetch_and_acquire(p, v))
#define cb_exchange_acquire(p, v)     (SITE(cb_exchange_acquire), cb_exchange_acquire(p, v))
#define cb_exchange_acq_rel(p, v)     (SITE(cb_exchange_acq_rel), cb_exchange_acq_rel(p, v))
#define cb_swap64_acq_rel(p, seen, v) (SITE(cb_swap64_acq_rel), cb_swap64_acq_rel(p, seen, v))

#include "kernels/backoff.clh"

#define WEAK_WITHIN(name, call) (weak_enter(__FILE__, __LINE__, __func__, #name), weak_leave(call))
#define cb_wait_equal(launch, p, wanted, site)                                                     \
    WEAK_WITHIN(cb_wait_equal, cb_wait_equal(launch, p, wanted, site))
#define cb_wait_reached(launch, p, wanted, site)                                                   \
    WEAK_WITHIN(cb_wait_reached, cb_wait_reached(launch, p, wanted, site))
#define cb_pause(w, ns)      ((void)(w), (void)(ns))
#define cb_back_off(w, next) ((void)(w), (void)(next))

/* A launch whose waits are not given up. */
static inline cb_launch *weak_launch(void)
{
    cb_launch *launch = weak_shared(sizeof *launch);
    launch->deadline_turns = UINT64_MAX;
    return launch;
}
