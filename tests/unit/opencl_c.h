/* SPDX-License-Identifier: Apache-2.0
 *
 * As much OpenCL C as headers of kernels need to be compiled as C, with the back end
 * CB_ATOMICS_CL12, all of whose operations are sequentially consistent here. pause_somewhere(), the
 * test's own, stands in the place of fences: so a test comes in between a load and a swap. Before
 * each operation that changes a word comes before_atomic(), if the test has one.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define global
#define local
#define CB_ATOMICS_CL12
#define cl_khr_int64_base_atomics
#define CLK_GLOBAL_MEM_FENCE 0
typedef unsigned char uchar;
typedef unsigned int uint;
typedef uint64_t ulong_of_opencl;
#define ulong ulong_of_opencl

#ifndef before_atomic
#define before_atomic() (void)0
#endif
#define mem_fence(flags)           pause_somewhere()
#define atomic_add(p, v)           (before_atomic(), __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST))
#define atomic_or(p, v)            (before_atomic(), __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST))
#define atomic_and(p, v)           (before_atomic(), __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST))
#define atomic_xchg(p, v)          (before_atomic(), __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST))
#define atomic_cmpxchg(p, seen, v) (before_atomic(), __sync_val_compare_and_swap(p, seen, v))
#define atom_add                   atomic_add
#define atom_xchg                  atomic_xchg
#define atom_cmpxchg               atomic_cmpxchg
#define min(a, b)                  ((a) < (b) ? (a) : (b))
#define max(a, b)                  ((a) > (b) ? (a) : (b))
#define clz(v)                     ((v) == 0 ? 32u : (uint)__builtin_clz(v))
#define rotate(v, n)               ((v) << (n) % 32 | (v) >> (32 - (n) % 32) % 32)
#define popcount(v)                ((uint)__builtin_popcount(v))
#define clamp(v, least, most)      ((v) < (least) ? (least) : (v) > (most) ? (most) : (v))

static inline void atomic_min(uint *p, uint v)
{
    *p = min(*p, v);
}
