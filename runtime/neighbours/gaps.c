/* SPDX-License-Identifier: Apache-2.0
 *
 * Gaps in a device's clock: where a driver gives a device to several programs in turns, none of a
 * kernel's workgroups runs while others have it, and the clock goes on.
 */
#include <math.h>
#include <stdlib.h>

#include "runtime/neighbours/internal.h"

#define PROBE_NS 3e6 /* longer than a turn of NVIDIA's drivers, 2.5 ms on an H200 */
/* Longer than any step between two readings on a quiet device (0.4 us on an H200), shorter than a
 * turn. */
#define GAP_NS 50e3
/* The driver's times of a launch are known so well, with what it takes to begin and to end it. */
#define LAUNCH_NS   500e3
#define LEAST_SHARE 0.01

enum cb_status cb_gap_probe_open(struct cb_session *s, struct cb_buffered_kernel *probe,
                                 struct cb_err *err)
{
    *probe = (struct cb_buffered_kernel){0};
    return cb_program_build(s, "kernels/calibrate.cl", NULL, &probe->program, err) == CB_OK
               ? cb_kernel_create(probe->program, "gap_probe", &probe->kernel, err)
               : err->status;
}

static int by_longest(const void *a, const void *b)
{
    const cl_ulong x = ((const struct cb_gap *)a)->longest, y = ((const struct cb_gap *)b)->longest;
    return (x > y) - (x < y);
}

/* A turn of another program stops all workgroups; one that is late by itself is none. */
void cb_gaps_look(struct cb_gap *gaps, size_t n, double ns_per_tick, double probe_ns,
                  double event_ns, struct cb_look *look)
{
    qsort(gaps, n, sizeof *gaps, by_longest);
    const struct cb_gap *middle = &gaps[n / 2];
    const double longest_ns = (double)middle->longest * ns_per_tick;
    const double sum_ns = (double)middle->sum * ns_per_tick;
    /* a clock that stands still meanwhile */
    const double hidden_ns = event_ns - probe_ns > LAUNCH_NS ? event_ns - probe_ns : 0;
    if (longest_ns < GAP_NS && hidden_ns <= 0)
        return;
    look->longest_ns = fmax(longest_ns, hidden_ns);
    cb_look_sees(look, CB_SIGN_GAPS,
                 fmax(LEAST_SHARE, (sum_ns + hidden_ns) / (probe_ns + hidden_ns)));
}

void cb_gaps_in_waits(double longest_ns, struct cb_look *look)
{
    if (longest_ns < GAP_NS)
        return;
    look->longest_ns = fmax(look->longest_ns, longest_ns);
    cb_look_sees(look, CB_SIGN_GAPS, fmax(LEAST_SHARE, look->share));
}

/* The buffer is gone between two looks: while it was held, the ticket discovery took 5 % longer on
 * an H200, most likely as buffers of what is measured lay elsewhere. */
enum cb_status cb_gap_probe_run(struct cb_session *s, struct cb_buffered_kernel *probe,
                                struct cb_look *look, struct cb_err *err)
{
    const size_t n = s->info.compute_units;
    const cl_ulong ticks = (cl_ulong)(PROBE_NS / s->ns_per_tick);
    const cl_ulong gap = (cl_ulong)fmax(1, GAP_NS / s->ns_per_tick);
    struct cb_gap *gaps = calloc(n, sizeof *gaps);
    cl_mem buffer = gaps ? cb_buffer_create(s, n * sizeof *gaps, err) : NULL;
    uint64_t event_ns = 0;
    if (!gaps)
        cb_no_memory(err);
    if (buffer && cb_kernel_arg(probe->kernel, 1, sizeof buffer, &buffer, err) == CB_OK &&
        cb_kernel_arg(probe->kernel, 2, sizeof ticks, &ticks, err) == CB_OK &&
        cb_kernel_arg(probe->kernel, 3, sizeof gap, &gap, err) == CB_OK &&
        cb_launch_run(s, probe->kernel, n, 1, &event_ns, NULL, err) == CB_OK &&
        cb_buffer_read(s, buffer, gaps, n * sizeof *gaps, err) == CB_OK)
        cb_gaps_look(gaps, n, s->ns_per_tick, PROBE_NS, (double)event_ns, look);
    if (buffer)
        clReleaseMemObject(buffer);
    free(gaps);
    return err->status;
}
