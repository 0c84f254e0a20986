/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/launch/occupancy.h"

#define NAME(n) [(n)-1] = "at_once_" #n
const char *const cb_occupancy_tenths[CB_OCCUPANCY_TENTHS] = {
    NAME(1), NAME(2), NAME(3), NAME(4), NAME(5), NAME(6), NAME(7), NAME(8), NAME(9), NAME(10),
};

/* The ticks of [from, to] that come before `time`. */
static double before(uint64_t time, double from, double to)
{
    const double t = (double)time;
    return t < from ? 0 : t > to ? to - from : t - from;
}

/* The mean number that ran at once in [from, to]: all if all ran to the end, less those that had
 * not begun, or had ended. */
static double at_once(const uint64_t *begins, const uint64_t *ends, size_t n, double from,
                      double to)
{
    double ticks = 0;
    for (size_t i = 0; i < n; i++)
        ticks += before(ends[i], from, to) - before(begins[i], from, to);
    return ticks > 0 && to > from ? ticks / (to - from) : 0;
}

struct cb_occupancy cb_occupancy_of(const uint64_t *begins, const uint64_t *ends, size_t n)
{
    struct cb_occupancy o;
    uint64_t first = begins[0], last = ends[0];
    for (size_t i = 1; i < n; i++) {
        first = begins[i] < first ? begins[i] : first;
        last = ends[i] > last ? ends[i] : last;
    }
    const double from = (double)first, tenth = ((double)last - from) / CB_OCCUPANCY_TENTHS;
    o.at_once = at_once(begins, ends, n, from, (double)last);
    for (int t = 0; t < CB_OCCUPANCY_TENTHS; t++)
        o.tenths[t] = at_once(begins, ends, n, from + t * tenth, from + (t + 1) * tenth);
    return o;
}

void cb_occupancy_add(const struct cb_occupancy *o, struct cb_sample *sample)
{
    cb_sample_add(sample, "at_once", o->at_once);
    for (int t = 0; t < CB_OCCUPANCY_TENTHS; t++)
        cb_sample_add(sample, cb_occupancy_tenths[t], o->tenths[t]);
}

enum cb_status cb_occupancy_check(const struct cb_session *session, struct cb_err *err)
{
    return session->ns_per_tick > 0
               ? CB_OK
               : cb_fail(err, CB_UNSUPPORTED,
                         "occupancy: the device has no clock that all its workgroups share");
}
