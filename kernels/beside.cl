/* SPDX-License-Identifier: Apache-2.0
 *
 * What our own neighbours run beside what is measured (runtime/beside/).
 */
#include "coop/host_words.clh"
#include "coop_abi.h"
#include "wait.clh"

/* Elements of the product of two n x n matrices, by rows, one a work-item: reads that caches serve,
 * and multiplications. */
kernel void beside_product(global cb_launch *launch, global const float *a, global const float *b,
                           global float *product, uint n)
{
    (void)launch;
    const uint i = (uint)get_global_id(0), row = i / n, column = i % n;
    float sum = 0;
    for (uint k = 0; k < n; k++)
        sum = mad(a[row * n + k], b[k * n + column], sum);
    product[i] = sum;
}

#define TURNS_PER_LOOK 64 /* at the host's word, which is far away */

/* A persistent grid: every workgroup stays until the host says stop, but for so many ticks at most,
 * or turns, which also end it where the clock stands still. device[0].points: workgroups that have
 * begun. */
kernel void beside_grid(global cb_launch *launch, global coop_channel *channel, ulong ticks,
                        ulong turns)
{
    (void)launch;
    if (get_local_id(0) == 0) {
        const ulong begin = cb_clock();
        cb_host_add_relaxed(CB_ATOMIC(channel->device[0].points), 1);
        for (ulong i = 0; i < turns && cb_elapsed(cb_clock(), begin) < ticks; i++) {
            cb_relax();
            if (i % TURNS_PER_LOOK == 0 && cb_host_load_relaxed(CB_ATOMIC(channel->host.stop)))
                break;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
