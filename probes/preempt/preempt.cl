/* SPDX-License-Identifier: Apache-2.0
 *
 * The task as a kernel of its own: a matrix product in `shares` workgroups. One workgroup more, the
 * last, does nothing but watch the clock until they are done: where it jumps, the device did
 * something else.
 */
#include "coop_abi.h"
#include "preempt_abi.h"
#include "wait.clh"

#include "tasks/matmul.clh"

/* For limit_ticks at most. On a CPU device, each turn lets others run. */
static inline void preempt_watch(global preempt_record *r, uint shares, uint done_before,
                                 ulong gap_ticks, ulong limit_ticks)
{
    ulong begun = cb_clock(), last = begun, gaps = 0, away = 0;
    bool goes_on = true;
    while (goes_on) {
        cb_relax();
        ulong now = cb_clock(), gap = cb_elapsed(now, last);
        if (gap > gap_ticks) {
            gaps++;
            away += gap;
        }
        last = now;
        goes_on = cb_load_relaxed(CB_ATOMIC(r->done)) - done_before < shares &&
                  cb_elapsed(now, begun) < limit_ticks;
    }
    r->watch_begun = begun;
    r->watch_ended = last;
    r->gaps = gaps;
    r->away = away;
}

/* Share i of the task begins with block i, and goes on with the next that nobody has taken, as
 * beside a kernel (coop/task_kernels.clh). next: the one after this. */
static inline void preempt_share_of(const coop_matmul_args *args, local coop_matmul_local *stage,
                                    local uint *again, local uint *next,
                                    volatile global cb_u32 *taken, uint taken_before, uint share,
                                    uint shares, uint item)
{
    const uint tiles = args->rows / COOP_TASK_UNIT;
    const task_range range = task_range_2d((uint2)(COOP_OUR_BLOCKS(tiles, COOP_BLOCK_WIDTH),
                                                   COOP_OUR_BLOCKS(tiles, COOP_BLOCK_HEIGHT)),
                                           (uint2)(COOP_WG_SIZE, 1));
    const uint blocks = share < shares ? task_product(range.groups) : 0;
#pragma unroll 1
    for (uint block = share; block < blocks; block = *next) {
        coop_matmul_group(args, stage, again, range, block, item, COOP_WG_SIZE);
        if (item == 0)
            *next = shares + cb_fetch_add_relaxed(CB_ATOMIC(*taken), 1) - taken_before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* done_before, taken_before: r->done and r->taken before this task. */
kernel __attribute__((reqd_work_group_size(COOP_WG_SIZE, 1, 1))) void
preempt_task(global cb_launch *launch, global preempt_record *r, const global float *a,
             const global float *b, global uint *product, uint size, uint salt, uint shares,
             uint done_before, uint taken_before, ulong gap_ticks, ulong limit_ticks)
{
    global preempt_share *own = (global preempt_share *)(r + 1) + get_group_id(0);
    const coop_matmul_args args = {
        a, b, product, &r->digest, COOP_TASK_ROWS(size), COOP_TASK_DEPTH(size), salt};
    uint share = (uint)get_group_id(0), item = (uint)get_local_id(0);
    bool works = share < shares;
    local coop_matmul_local stage;
    local uint again, next;
    (void)launch;
    if (item == 0) {
        if (works)
            own->begun = cb_clock();
        else
            preempt_watch(r, shares, done_before, gap_ticks, limit_ticks);
    }
    preempt_share_of(&args, &stage, &again, &next, &r->taken, taken_before, share, shares, item);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (item == 0 && works) {
        own->ended = cb_clock();
        cb_add_release(CB_ATOMIC(r->done), 1);
    }
}
