/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory benchmarks of SO'11 Section 3: one work-item of each workgroup accesses one word again
 * and again, the same word for all (stride 0) or each its own, `stride` words apart.
 *
 *   CB_ACCESS       volatile_read, volatile_write, atomic_read (fetch-add of 0), atomic_write
 *                   (exchange): what one turn of the loop does; volatile_chase, atomic_chase:
 *                   reads whose address depends on the value read before, so that they wait for
 *                   each other
 *   CB_ATOMIC_FIRST 1: one atomic read before the loop ("preceded by atomic")
 *   CB_WG_SIZE   work-items a workgroup; the others only take up room
 */
#include "barrier_once.clh"
#include "discovery.clh"
#include "memory_abi.h"

/* zero: an argument of the kernel, because compilers know that adding a constant 0 only reads: for
 * x86, LLVM makes a fence and a plain load of it. */
#define cb_access_volatile_read(p, value, sum)  ((sum) += *(volatile global uint *)(p))
#define cb_access_volatile_write(p, value, sum) (*(volatile global uint *)(p) = (value))
#define cb_access_atomic_read(p, value, sum)    ((sum) += cb_fetch_add_relaxed(CB_ATOMIC(*(p)), zero))
#define cb_access_atomic_write(p, value, sum)   ((void)cb_exchange_relaxed(CB_ATOMIC(*(p)), (value)))

#define cb_access_volatile_chase(p, value, sum)                                                    \
    ((p) += *(volatile global uint *)(p)-CB_MEMORY_INITIAL)
#define cb_access_atomic_chase(p, value, sum)                                                      \
    ((p) += cb_fetch_add_relaxed(CB_ATOMIC(*(p)), zero) - CB_MEMORY_INITIAL)

#define cb_access CB_PASTE(cb_access_, CB_ACCESS)

/* All workgroups start together, after a barrier. The time ends when an acquire-release operation
 * on a word of the workgroup's own is done: then the writes before it are, too. */
static inline void cb_make_accesses(global cb_launch *launch, volatile global cb_discovery *d,
                                    global cb_memory_group *self, global cb_u32 *word,
                                    uint accesses, uint zero)
{
    uint first = (uint)get_group_id(0) * accesses, sum = 0;
    global cb_u32 *begin = word;
    if (!cb_barrier_once(launch, d->barrier, (uint)get_num_groups(0)))
        return;
    ulong start = cb_clock();
    if (CB_ATOMIC_FIRST)
        sum += cb_fetch_add_relaxed(CB_ATOMIC(*word), zero);
    for (uint i = 0; i < accesses; i++)
        cb_access(word, first + i, sum);
    self->drained = cb_fetch_add_acq_rel(CB_ATOMIC(self->drained), 1) + 1;
    self->end = cb_clock();
    self->start = start;
    self->sum = sum + (uint)(word - begin); /* a chase must come back to where it began */
    self->passed = 1;
}

/* discover 1: finds how many workgroups of this kernel run at once; 0: makes the accesses. One
 * kernel for both, because the answer is only true for the kernel that asked. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
memory(global cb_launch *launch, global cb_discovery *d, global cb_memory_group *groups,
       global cb_u32 *words, uint discover, uint accesses, uint stride, uint zero, ulong quiet)
{
    local cb_environment env;
    uint group = (uint)get_group_id(0);
    if (get_local_id(0) == 0) {
        if (discover) {
            groups[group].participating = cb_discover_whether(launch, d, &env, quiet);
        } else {
            cb_make_accesses(launch, d, &groups[group], words + (size_t)group * stride, accesses,
                             zero);
        }
    }
}
