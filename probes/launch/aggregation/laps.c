/* SPDX-License-Identifier: Apache-2.0
 *
 * The laps of a run: rounds, and the flag that ends them.
 */
#include "probes/launch/aggregation/nested.h"
#include "runtime/cl.h"

/* Runs all phases of a lap. In phases without launches all launchers are the same: `serial`. */
static enum cb_status run_lap(struct nested *n, cl_uint lap, struct cb_err *err)
{
    struct round round = {lap, 0};
    enum cb_status status = CB_OK;
    for (; round.phase < n->program->phases && status == CB_OK; round.phase++)
        status = (n->program->launching >> round.phase & 1 ? n->launch : cb_nested_launch_serial)(
            n, &round, err);
    return status;
}

static enum cb_status has_no_end(struct cb_err *err)
{
    return cb_fail(err, CB_VERIFY_FAILED, "no end after %u laps", NEST_MOST_LAPS);
}

/* Begins to read the flag of a lap. */
static enum cb_status read_flag(struct nested *n, cl_uint lap, cl_event *event, struct cb_err *err)
{
    struct nested_words *words = n->host.words;
    cl_uint *flag = &words->flags[lap % NESTED_LAPS];
    enum cb_status status =
        CB_CL(err, clEnqueueReadBuffer(n->session->queue, n->buffers[FLAG], CL_FALSE,
                                       lap % NEST_FLAGS * sizeof *flag, sizeof *flag, flag, 0, NULL,
                                       event));
    return status == CB_OK ? CB_CL(err, clFlush(n->session->queue)) : status;
}

/* Waits for what read_flag() reads. */
static enum cb_status await_flag(cl_event *event, struct cb_err *err)
{
    enum cb_status status = CB_CL(err, clWaitForEvents(1, event));
    clReleaseEvent(*event);
    *event = NULL;
    return status;
}

/* Runs laps until a flag ends them; each is launched before the flag of the lap before it is
 * known. */
static enum cb_status run_with_flags(struct nested *n, struct cb_err *err)
{
    const struct nested_words *words = n->host.words;
    cl_event events[NESTED_LAPS] = {NULL};
    enum cb_status status = CB_OK;
    cl_uint lap = 0;
    bool goes_on = true;
    for (; goes_on && status == CB_OK && lap < NEST_MOST_LAPS; lap++) {
        const cl_uint at = lap % NESTED_LAPS;
        if (events[at]) {
            status = await_flag(&events[at], err);
            goes_on = status == CB_OK && words->flags[at] != 0;
        }
        if (goes_on)
            status = run_lap(n, lap, err);
        if (goes_on && status == CB_OK)
            status = read_flag(n, lap, &events[at], err);
    }
    struct cb_err later; /* discarded: only the first error is told */
    for (cl_uint i = 0; i < NESTED_LAPS; i++)
        if (events[i] && await_flag(&events[i], status == CB_OK ? err : &later) != CB_OK &&
            status == CB_OK)
            status = err->status;
    return status == CB_OK && goes_on && lap == NEST_MOST_LAPS ? has_no_end(err) : status;
}

enum cb_status cb_nested_run_laps(struct nested *n, struct cb_err *err)
{
    if (n->program->has_laps)
        return run_with_flags(n, err);
    enum cb_status status = run_lap(n, 0, err);
    return status == CB_OK ? CB_CL(err, clFinish(n->session->queue)) : status;
}

enum cb_status cb_nested_clear_counts(struct nested *n, cl_uint first_lap, struct cb_err *err)
{
    cl_uint flags[NEST_FLAGS];
    for (cl_uint i = 0; i < NEST_FLAGS; i++)
        flags[i] = i != first_lap % NEST_FLAGS;
    n->launches = n->parity = 0;
    if (cb_buffer_clear(n->session, n->buffers[COUNTS], NEST_COUNTS * sizeof(cl_ulong), err) !=
        CB_OK)
        return err->status;
    return cb_buffer_write(n->session, n->buffers[FLAG], flags, sizeof flags, err);
}
