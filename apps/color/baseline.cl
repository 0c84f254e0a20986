/* SPDX-License-Identifier: Apache-2.0
 *
 * Pannotia's color as it is: a kernel for each step, a work-item for each vertex, and a flag that
 * the host reads after each round (OOPSLA'16 Section 5.2, the multi-kernel baseline).
 */
#include "atomics.clh"
#include "paper_steps.clh"

/* vertices work-items and more. */
kernel void color_begin(global uint *results, uint vertices)
{
    uint v = (uint)get_global_id(0);
    if (v < vertices)
        results[v] = COLOR_NONE;
}

/* left: set to 1 where a vertex has no colour. */
kernel void color_round(const global uint *restrict rows, const global uint *restrict columns,
                        const global uint *restrict results, global uint *highest,
                        volatile global uint *left, uint vertices)
{
    uint v = (uint)get_global_id(0);
    if (v < vertices && color_find(rows, columns, results, highest, v))
        cb_store_relaxed(CB_ATOMIC(*left), 1);
}

kernel void color_choose(global uint *results, const global uint *restrict highest, uint vertices,
                         uint round)
{
    uint v = (uint)get_global_id(0);
    if (v < vertices)
        color_assign(results, highest, v, round);
}

/* digests[0] is zero before. */
kernel void color_digest(const global uint *restrict results, volatile global uint *digests,
                         uint vertices)
{
    local uint digest;
    if (get_local_id(0) == 0)
        digest = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&digest,
               color_digests(results, vertices, (uint)get_global_id(0), (uint)get_global_size(0)));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(&digests[0], digest);
}
