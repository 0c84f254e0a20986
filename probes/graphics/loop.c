/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/graphics/graphics_abi.h"

#define GPU_LOCAL_SIZE 256
#define GPU_GROUPS     16 /* a compute unit; more than run at once, and these leave */
/* Time between two looks at the clock: longer than an interrupt takes. */
#define JUMP_NS    10000
#define JUMP_STEPS 8 /* steps of the clock for it, if these are longer */

_Static_assert(sizeof(cb_occupy) == 32, "as the kernel lays it out");

/* ---- Opening --------------------------------------------------------------------------------- */

static void choose_size(struct cb_loop *loop)
{
    const struct cb_device *d = &loop->session->info;
    bool cpu = cb_device_is_cpu(d);
    size_t most = d->max_wg_size < GPU_LOCAL_SIZE ? d->max_wg_size : GPU_LOCAL_SIZE;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    loop->wg_size = cpu ? 1 : most;
    loop->groups = d->compute_units * (cpu ? 1 : GPU_GROUPS);
    loop->cores = cpu ? (unsigned)(cores > 0 ? cores : 1) : 0;
}

enum cb_status cb_loop_open(struct cb_session *session, struct cb_loop *loop, struct cb_err *err)
{
    *loop = (struct cb_loop){.session = session};
    if (session->ns_per_tick <= 0)
        return cb_fail(err, CB_UNSUPPORTED,
                       "the device has no clock, without which a kernel cannot last a given time");
    choose_size(loop);
    return cb_buffered_kernel_open(session, "probes/graphics/graphics.cl", NULL, "occupy",
                                   2 * sizeof(cb_occupy), &loop->kernel, err);
}

void cb_loop_close(struct cb_loop *loop)
{
    cb_buffered_kernel_close(&loop->kernel);
    *loop = (struct cb_loop){0};
}

/* ---- A launch -------------------------------------------------------------------------------- */

/* One launch, in ns of the device clock. */
struct launch {
    double start_ns, length_ns, stopped_ns;
};

static struct launch launch_of(const struct cb_loop *loop, const cb_occupy *o)
{
    const double tick = loop->session->ns_per_tick, unit = tick * CB_OCCUPY_UNIT;
    struct launch l = {.start_ns = (double)o->start * tick, .length_ns = o->length * unit};
    /* workgroups of a CPU device share its cores: as many run at once as there are of these */
    double at_once = (double)o->groups;
    if (loop->cores)
        at_once = fmin((double)loop->groups, loop->cores);
    l.stopped_ns = fmax(0, l.length_ns - o->ran * unit / fmax(1, at_once));
    return l;
}

static enum cb_status set_arguments(struct cb_loop *loop, double t_ns, struct cb_err *err)
{
    const struct cb_session *s = loop->session;
    const cl_uint turn = loop->launches % 2;
    const cl_ulong ticks = (cl_ulong)(t_ns / s->ns_per_tick);
    const double jump_ns = fmax(JUMP_NS, JUMP_STEPS * s->clock_resolution_ns);
    const cl_ulong jump = (cl_ulong)(jump_ns / s->ns_per_tick);
    const struct cb_kernel_value values[] = {{sizeof loop->kernel.buffer, &loop->kernel.buffer},
                                             {sizeof turn, &turn},
                                             {sizeof ticks, &ticks},
                                             {sizeof jump, &jump}};
    return cb_kernel_args(loop->kernel.kernel, values, CB_COUNTOF(values), err);
}

static enum cb_status launch(struct cb_loop *loop, double t_ns, struct launch *l,
                             struct cb_err *err)
{
    cb_occupy turns[2];
    if (set_arguments(loop, t_ns, err) != CB_OK ||
        cb_launch_step(loop->session, loop->kernel.kernel, loop->groups, loop->wg_size,
                       loop->kernel.buffer, turns, sizeof turns, err) != CB_OK)
        return cb_context(err,
                          "a kernel of %.3g ms (some drivers end kernels that take long: "
                          "--t-max)",
                          t_ns / 1e6);
    *l = launch_of(loop, &turns[loop->launches++ % 2]);
    double unit_ns = CB_OCCUPY_UNIT * loop->session->ns_per_tick;
    if (l->length_ns < t_ns - 2 * unit_ns)
        return cb_fail(err, CB_VERIFY_FAILED, "a kernel of %.3g ms ended after %.3g ms", t_ns / 1e6,
                       l->length_ns / 1e6);
    return CB_OK;
}

enum cb_status cb_loop_try(struct cb_loop *loop, struct cb_err *err)
{
    struct launch unused;
    enum cb_status status = cb_launch_reset(loop->session, loop->kernel.kernel, err);
    return status == CB_OK ? launch(loop, 0, &unused, err) : status;
}

/* ---- The loop -------------------------------------------------------------------------------- */

static enum cb_status add_part(struct cb_loop_log *log, struct cb_err *err)
{
    struct cb_loop_part *grown = realloc(log->parts, (log->n + 1) * sizeof *grown);
    if (!grown)
        return cb_no_memory(err);
    log->parts = grown;
    grown[log->n++] = (struct cb_loop_part){0};
    return CB_OK;
}

/* Logs a launch, the next one being known; begun: the run has a part already. */
static enum cb_status log_launch(struct cb_loop_log *log, const struct launch *l,
                                 const struct launch *next, bool *begun, struct cb_err *err)
{
    if ((!*begun || log->parts[log->n - 1].period_ns >= log->part_ns) &&
        add_part(log, err) != CB_OK)
        return err->status;
    struct cb_loop_part *part = &log->parts[log->n - 1];
    double period_ns = next->start_ns - l->start_ns;
    *begun = true;
    part->launches++;
    part->period_ns += period_ns;
    part->gap_ns += fmax(0, period_ns - l->length_ns);
    part->stopped_ns += l->stopped_ns;
    return CB_OK;
}

enum cb_status cb_loop_run(struct cb_loop *loop, double t_ns, const struct cb_loop_control *control,
                           struct cb_loop_log *log, struct cb_err *err)
{
    struct launch last, next;
    bool begun = false, more = true;
    if (cb_launch_reset(loop->session, loop->kernel.kernel, err) != CB_OK ||
        launch(loop, t_ns, &last, err) != CB_OK)
        return err->status;
    for (;; last = next) {
        if (control->more(control->self, &more, err) != CB_OK)
            return err->status;
        if (!more)
            return CB_OK;
        if (launch(loop, t_ns, &next, err) != CB_OK ||
            (log && log_launch(log, &last, &next, &begun, err) != CB_OK))
            return err->status;
    }
}
