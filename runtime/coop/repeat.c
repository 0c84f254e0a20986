/* SPDX-License-Identifier: Apache-2.0
 *
 * Persistent threads that run the cooperative kernel again and again in one launch: a kernel that
 * is as long as one likes.
 */
#include <stdlib.h>

#include "runtime/coop/internal.h"
#include "runtime/host/time.h"

#define NO_RUN 0xffffffffu

/* Limits a launch by time, or without a device clock by as many runs as fit, each as long as in the
 * launch before. */
static void limit(struct cb_coop *c, double for_ns)
{
    bool clocked = c->session->ns_per_tick > 0;
    double runs = clocked || c->repeated_ns <= 0 ? 1 : for_ns / c->repeated_ns + 1;
    c->control->repeat_ticks = clocked ? cb_coop_ticks(c, for_ns) : UINT64_MAX;
    c->control->repeat_runs = clocked || runs > COOP_MAX_RUNS ? COOP_MAX_RUNS : (cb_u32)runs;
}

enum cb_status cb_coop_repeat(struct cb_coop *c, size_t groups, unsigned first_run, double for_ns,
                              struct cb_err *err)
{
    if (cb_coop_prepare(c, groups, err) != CB_OK)
        return err->status;
    cb_coop_clear_control(c, groups);
    c->workers = groups;
    limit(c, for_ns);
    c->control->first_run = c->control->kernels[0].run = first_run;
    c->control->last_run = NO_RUN;
    if (cb_coop_write_control(c, err) != CB_OK)
        return err->status;
    c->launched_ns = (double)cb_now_ns();
    return cb_launch_begin(c->session, c->kernel, groups, c->config.wg_size, &c->event, err);
}

/* Times runs without a device clock: each is as long as the others. */
static void time_by_host(struct cb_coop *c, struct cb_coop_result *r)
{
    c->repeated_ns = r->kernel_ns / r->kept;
    for (unsigned i = 0; i < r->kept; i++) {
        r->run_ns[i] = c->repeated_ns;
        r->start_ns[i] = c->launched_ns + i * c->repeated_ns;
    }
}

enum cb_status cb_coop_repeat_end(struct cb_coop *c, struct cb_coop_result *r, struct cb_err *err)
{
    uint64_t event_ns = 0;
    unsigned first_run = c->control->first_run;
    *r = (struct cb_coop_result){0};
    if (!c->event)
        return cb_fail(err, CB_ERROR, "no kernel runs");
    cl_event event = c->event;
    c->event = NULL;
    if (cb_launch_end(c->session, event, c->workers, &event_ns, NULL, err) != CB_OK ||
        cb_coop_read_control(c, err) != CB_OK)
        return err->status;
    r->kernel_ns = (double)event_ns;
    r->host_ns = (double)cb_now_ns() - c->launched_ns;
    if (cb_coop_read_times(c, first_run, r, err) != CB_OK)
        return err->status;
    if (r->kept == 0)
        return cb_fail(err, CB_ERROR, "the kernel ended without a run");
    if (c->session->ns_per_tick <= 0)
        time_by_host(c, r);
    return CB_OK;
}
