/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/host/time.h"

#define CALIBRATION_NS    50000000
#define READINGS          10 /* at each end; the sharpest counts, to some 10 us of CALIBRATION_NS */
#define CLOCK_READS       20000 /* to see the clock step */
#define FIRST_TURN_BUDGET 1024
#define MAX_TURN_BUDGET   (1ull << 31)
/* Longest turn of a compute unit; a yield takes less than half of it. */
#define MOST_NS_PER_TURN 1000
/* Waits look at the clock every 32 turns, some 50 us on a GPU, and after each long pause of their
 * own: a longer step is a turn of another program, as those of 2.5 ms beside torch on an H200. */
#define LONG_STEP_NS (CB_LONGEST_PAUSE + CB_LONGEST_PAUSE / 2)
#define GAP_PARTS    16 /* a longer step counts as one of these: a turn of ours may be as short */
#define LEAST_LOOKS  32

_Static_assert(LONG_STEP_NS > (1 << 20) + 200000, "longer than an H200's longest pause, and turns");

static enum cb_status probe_open(struct cb_session *s, const char *name,
                                 struct cb_buffered_kernel *p, struct cb_err *err)
{
    return cb_buffered_kernel_open(s, "kernels/calibrate.cl", NULL, name, 2 * sizeof(cl_ulong), p,
                                   err);
}

/* One reading of the device clock, between two of the host's. */
struct reading {
    uint64_t before_ns, after_ns;
    cl_ulong ticks, step;
};

static enum cb_status read_clock(struct cb_session *s, struct cb_buffered_kernel *p, cl_uint reads,
                                 struct reading *r, struct cb_err *err)
{
    cl_ulong out[2] = {0, 0};
    if (cb_kernel_arg(p->kernel, 2, sizeof reads, &reads, err) != CB_OK ||
        cb_buffer_write(s, p->buffer, out, sizeof out, err) != CB_OK)
        return err->status;
    r->before_ns = cb_now_ns();
    if (cb_launch_run(s, p->kernel, 1, 1, NULL, NULL, err) != CB_OK)
        return err->status;
    r->after_ns = cb_now_ns();
    if (cb_buffer_read(s, p->buffer, out, sizeof out, err) != CB_OK)
        return err->status;
    if (out[0] == 0 || out[1] == 0) /* an earlier reading would be taken for this one */
        return cb_fail(
            err, CB_ERROR,
            "the kernel that reads the device clock (%s) left nothing: it was lost, or what "
            "it wrote; run it again, or use --clock none",
            s->info.clock);
    r->ticks = out[0];
    r->step = out[1];
    return CB_OK;
}

/* The reading with the least host time around it: one that nothing came between. */
static enum cb_status sharpest_reading(struct cb_session *s, struct cb_buffered_kernel *p,
                                       struct reading *best, struct cb_err *err)
{
    for (int i = 0; i < READINGS; i++) {
        struct reading r = {0};
        if (read_clock(s, p, 1, &r, err) != CB_OK)
            return err->status;
        if (i == 0 || r.after_ns - r.before_ns < best->after_ns - best->before_ns)
            *best = r;
    }
    return CB_OK;
}

static double middle_ns(const struct reading *r)
{
    return (double)r->before_ns / 2 + (double)r->after_ns / 2;
}

/* The clock against the host's over CALIBRATION_NS. NVIDIA's counts nanoseconds: it need not be. */
static enum cb_status measure_tick(struct cb_session *s, struct cb_buffered_kernel *p,
                                   struct cb_err *err)
{
    struct reading steps = {0}, first = {0}, last = {0};
    struct timespec pause = {.tv_nsec = CALIBRATION_NS};
    if (read_clock(s, p, CLOCK_READS, &steps, err) != CB_OK || /* pays for compilation, too */
        sharpest_reading(s, p, &first, err) != CB_OK)
        return err->status;
    nanosleep(&pause, NULL);
    if (sharpest_reading(s, p, &last, err) != CB_OK)
        return err->status;
    if (last.ticks <= first.ticks)
        return cb_fail(err, CB_ERROR, "the device clock (%s) stands still; use --clock none",
                       s->info.clock);
    s->ns_per_tick = (middle_ns(&last) - middle_ns(&first)) / (double)(last.ticks - first.ticks);
    if (strcmp(s->info.clock, "globaltimer") == 0)
        s->ns_per_tick = 1;
    if (steps.step != CL_ULONG_MAX)
        s->clock_resolution_ns = (double)steps.step * s->ns_per_tick;
    return CB_OK;
}

uint64_t cb_clock_turns(uint64_t deadline_ns, double ns_per_turn, uint64_t compute_units)
{
    return (uint64_t)fmin(
        ceil((double)deadline_ns / fmin(ns_per_turn, MOST_NS_PER_TURN * (double)compute_units)),
        (double)MAX_TURN_BUDGET); /* which waits count in 32 bits */
}

/* How many turns of a wait fill the deadline, with as many workgroups waiting as the device has
 * compute units: they make each other's turns longer, on an oversubscribed CPU many times. */
static enum cb_status measure_turn(struct cb_session *s, struct cb_buffered_kernel *p,
                                   struct cb_err *err)
{
    double ns_per_turn = 0;
    for (cl_ulong turns = FIRST_TURN_BUDGET; turns < MAX_TURN_BUDGET; turns *= 4) {
        s->deadlines.deadline_turns = turns;
        uint64_t start = cb_now_ns();
        enum cb_status status =
            cb_launch_run(s, p->kernel, s->info.compute_units, 1, NULL, NULL, err);
        uint64_t elapsed = cb_now_ns() - start;
        if (status != CB_TIMEOUT) /* the probe must end by its deadline */
            return status == CB_OK ? cb_fail(err, CB_ERROR, "bounded waits do not work") : status;
        ns_per_turn = (double)elapsed / (double)turns;
        if (elapsed > CALIBRATION_NS)
            break;
    }
    s->deadlines.deadline_turns =
        cb_clock_turns(s->wait_deadline_ns, ns_per_turn, s->info.compute_units);
    return CB_OK;
}

static cl_ulong in_spans(double ticks, double least)
{
    return (cl_ulong)fmin(fmax(least * (double)CB_TICKS(1), ticks),
                          (double)CB_TICKS(CB_MOST_SPANS));
}

/* GPUs are given to programs in turns of some milliseconds: a look that comes later than
 * LONG_STEP_NS after the one before tells of that. The operating system gives cores to others for
 * as long as it likes, and so to those that could end a wait: LEAST_LOOKS are what a deadline takes
 * at least. */
void cb_clock_deadlines(struct cb_session *s)
{
    const bool cpu = cb_device_is_cpu(&s->info);
    const cl_ulong deadline = in_spans((double)s->wait_deadline_ns / s->ns_per_tick, LEAST_LOOKS);
    const double long_step = LONG_STEP_NS / s->ns_per_tick,
                 step = cpu ? (double)deadline / LEAST_LOOKS : fmin(long_step, (double)deadline);
    s->deadlines.deadline_ticks = deadline;
    s->deadlines.step_ticks = in_spans(step, 1);
    s->deadlines.gap_ticks = in_spans(cpu ? step : step / GAP_PARTS, 1);
}

enum cb_status cb_clock_open(struct cb_session *s, struct cb_err *err)
{
    bool clock = strcmp(s->info.clock, "none") != 0;
    s->deadlines = (cb_launch){.deadline_ticks = s->wait_deadline_ns, .deadline_turns = 1u << 20};
    struct cb_buffered_kernel probe;
    enum cb_status status = probe_open(s, clock ? "clock_probe" : "wait_probe", &probe, err);
    if (status == CB_OK)
        status = clock ? measure_tick(s, &probe, err) : measure_turn(s, &probe, err);
    cb_buffered_kernel_close(&probe);
    if (status != CB_OK)
        return cb_context(err, "while calibrating the device clock");
    if (clock)
        cb_clock_deadlines(s);
    return CB_OK;
}

/* ---- Device time as host time ---------------------------------------------------------------- */

static enum cb_status read_both(struct cb_session *s, struct cb_clock_reading *reading,
                                struct cb_err *err)
{
    struct cb_buffered_kernel probe;
    struct reading sharpest = {0};
    enum cb_status status = probe_open(s, "clock_probe", &probe, err);
    if (status == CB_OK)
        status = sharpest_reading(s, &probe, &sharpest, err);
    cb_buffered_kernel_close(&probe);
    *reading = (struct cb_clock_reading){
        .host_ns = middle_ns(&sharpest),
        .slack_ns = (double)(sharpest.after_ns - sharpest.before_ns) / 2,
        .ticks = sharpest.ticks,
    };
    return status;
}

enum cb_status cb_clock_link_open(struct cb_session *s, struct cb_clock_link *link,
                                  struct cb_err *err)
{
    *link = (struct cb_clock_link){.ns_per_tick = s->ns_per_tick};
    return s->ns_per_tick > 0 ? read_both(s, &link->first, err) : CB_OK;
}

enum cb_status cb_clock_link_correct(struct cb_session *s, struct cb_clock_link *link,
                                     struct cb_err *err)
{
    struct cb_clock_reading later;
    if (link->ns_per_tick <= 0)
        return CB_OK;
    if (read_both(s, &later, err) != CB_OK)
        return err->status;
    cb_clock_link_fit(link, &later);
    return CB_OK;
}

/* The tick moves as little as the later reading asks for. */
void cb_clock_link_fit(struct cb_clock_link *link, const struct cb_clock_reading *later)
{
    double off = later->host_ns - cb_clock_link_host_ns(link, later->ticks);
    double slack = later->slack_ns + link->first.slack_ns;
    if (fabs(off) > slack)
        link->ns_per_tick +=
            (off > 0 ? off - slack : off + slack) / (double)(later->ticks - link->first.ticks);
}

void cb_clock_link_not_before(struct cb_clock_link *link, uint64_t ticks, double host_ns)
{
    double early = host_ns - cb_clock_link_host_ns(link, ticks);
    if (early > 0) /* not NaN */
        link->first.host_ns += early;
}

double cb_clock_link_host_ns(const struct cb_clock_link *link, uint64_t ticks)
{
    if (link->ns_per_tick <= 0)
        return NAN;
    double since = ticks >= link->first.ticks ? (double)(ticks - link->first.ticks)
                                              : -(double)(link->first.ticks - ticks);
    return link->first.host_ns + since * link->ns_per_tick;
}
