/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host measures of a device before it relies on it (runtime/clock.c).
 */
#include "wait.clh"

/* out[0]: the device clock now; out[1]: smallest step seen in `reads` reads. One work-item. */
kernel void clock_probe(global cb_launch *launch, global ulong *out, uint reads)
{
    (void)launch;
    ulong last = cb_clock(), step = ULONG_MAX;
    for (uint i = 0; i < reads; i++) {
        ulong now = cb_clock();
        if (now != last)
            step = min(step, now - last);
        last = now;
    }
    out[0] = last;
    out[1] = step;
}

/* Reads the clock again and again for so many ticks. out[2 g]: the longest step that workgroup g
 * has seen; out[2 g + 1]: the sum of those of at least `gap` ticks. A clock that stands still ends
 * it, too. Workgroups of one work-item, one for each compute unit. */
#define GAP_PROBE_READINGS 10000000u
kernel void gap_probe(global cb_launch *launch, global ulong *out, ulong ticks, ulong gap)
{
    (void)launch;
    const ulong begin = cb_clock();
    ulong last = begin, longest = 0, sum = 0;
    for (uint i = 0; i < GAP_PROBE_READINGS && last - begin < ticks; i++) {
        const ulong step = cb_elapsed(cb_clock(), last);
        longest = max(longest, step);
        sum += step >= gap ? step : 0;
        last += step;
    }
    const size_t g = get_group_id(0);
    out[2 * g] = longest;
    out[2 * g + 1] = sum;
}

/* Waits for what never happens, until the deadline: how long is a turn? Workgroups of one
 * work-item. */
kernel void wait_probe(global cb_launch *launch, global uint *never)
{
    cb_wait_equal(launch, CB_ATOMIC(never[0]), 1, CB_SITE_CALIBRATION);
}
