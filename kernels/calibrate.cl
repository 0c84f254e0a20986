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

/* Waits for what never happens, until the deadline: how long is a turn? Workgroups of one
 * work-item. */
kernel void wait_probe(global cb_launch *launch, global uint *never)
{
    cb_wait_equal(launch, CB_ATOMIC(never[0]), 1, CB_SITE_CALIBRATION);
}
