/* SPDX-License-Identifier: Apache-2.0
 *
 * The synthetic kernel of FSE'17 Section 5.2: occupies all workgroups for a time, and does nothing.
 */
#include "graphics_abi.h"
#include "wait.clh"

/* A workgroup leaves after so many turns even if the clock stands still: seconds on any device. */
#define MAX_TURNS (1u << 28)

/* When the launch began: when the first workgroup came here. 0: that could not be learnt. */
CB_OUT_OF_LINE ulong cb_occupy_begin(global cb_launch *launch, global cb_occupy *o)
{
    if (cb_fetch_add_relaxed(CB_ATOMIC(o->came), 1) == 0) {
        o->start = cb_clock();
        cb_store_release(CB_ATOMIC(o->started), 1);
    } else if (!cb_wait_equal(launch, CB_ATOMIC(o->started), 1, CB_SITE_CALIBRATION)) {
        return 0;
    }
    return o->start;
}

/* Stays until the time is over: this stands for work, and never yields, unlike a wait.
 * Returns the ticks in which it was not stopped: between two looks at the clock that are further
 * apart than `jump`, it was. A workgroup that comes too late leaves at once. */
CB_OUT_OF_LINE ulong cb_occupy_stay(ulong start, ulong ticks, ulong jump)
{
    ulong ran = 0, last = cb_clock();
    for (uint turn = 0; cb_elapsed(last, start) < ticks && turn < MAX_TURNS; turn++) {
        ulong now = cb_clock(), step = cb_elapsed(now, last);
        ran += step < jump ? step : 0;
        last = now;
    }
    return ran;
}

CB_OUT_OF_LINE void cb_occupy_end(global cb_occupy *o, ulong start, ulong ran)
{
    ulong length = cb_elapsed(cb_clock(), start);
    atomic_max((volatile global uint *)&o->length, (uint)(length / CB_OCCUPY_UNIT));
    if (ran > 0) {
        cb_add_relaxed(CB_ATOMIC(o->groups), 1);
        cb_add_relaxed(CB_ATOMIC(o->ran), (uint)((ran + CB_OCCUPY_UNIT / 2) / CB_OCCUPY_UNIT));
    }
}

/* turns: launches use them in turn, and each clears the other's, which has been read by then. There
 * may be more workgroups than run at once: the time is the launch's, so that the others come too
 * late and leave. */
kernel void occupy(global cb_launch *launch, global cb_occupy *turns, uint turn, ulong ticks,
                   ulong jump)
{
    local ulong start;
    global cb_occupy *o = &turns[turn];
    if (get_local_id(0) == 0)
        start = cb_occupy_begin(launch, o);
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong ran = start ? cb_occupy_stay(start, ticks, jump) : 0;
    if (get_local_id(0) == 0 && start)
        cb_occupy_end(o, start, ran);
    if (get_global_id(0) == 0) {
        cb_occupy none = {0};
        turns[1 - turn] = none;
    }
}
