/* SPDX-License-Identifier: Apache-2.0
 *
 * Launching kernels with bounded waits (kernels/wait.clh).
 */
#include <inttypes.h>
#include <stdio.h>

#include "runtime/host/time.h"
#include "runtime/session.h"

#define CLOCKS_DIFFER_NS 10000000

#define CB_SITE_TEXT(name, text) text,
static const char *const site_texts[] = {CB_WAIT_SITES(CB_SITE_TEXT)};

/* Which workgroup waited for what, in words. Where nobody has called the roll, others may have been
 * at work. */
static enum cb_status report_timeout(const struct cb_session *s, const cb_launch *record,
                                     size_t groups, struct cb_err *err)
{
    const char *site = record->site < CB_SITE_COUNT ? site_texts[record->site] : "?";
    const bool all_wait = CB_ROLL_NUMBER(record->roll) == CB_ROLL_ALL_WAIT;
    char who[48] = "a workgroup";
    if (record->group != CB_GROUP_UNKNOWN)
        snprintf(who, sizeof who, "workgroup %u of %zu", record->group, groups);
    if (record->site == CB_SITE_ROOM)
        return cb_fail(err, CB_ERROR, "%s has no %s (saw %u, there are %u places)", who, site,
                       record->seen, record->wanted);
    /* these two have deadlines of their own */
    if (record->site == CB_SITE_GATHER || record->site == CB_SITE_LIFETIME)
        return cb_fail(err, CB_TIMEOUT,
                       "the scheduler waited too long for %s (saw %u, waited for %u)", site,
                       record->seen, record->wanted);
    return cb_fail(err, CB_TIMEOUT,
                   "%s waited more than %.0f ms for %s (saw %u, waited for %u): a "
                   "deadlock, %s",
                   who, (double)s->wait_deadline_ns / 1e6, site, record->seen, record->wanted,
                   all_wait ? "or starvation"
                            : "starvation, or work that takes longer than --wait-deadline (wait_s "
                              "of the library)");
}

static enum cb_status profiling_time(cl_event event, cl_profiling_info what, cl_ulong *ns,
                                     struct cb_err *err)
{
    *ns = 0;
    return CB_CL(err, clGetEventProfilingInfo(event, what, sizeof *ns, ns, NULL));
}

/* A driver whose clock is coarse may well end a kernel at the time it starts it. */
enum cb_status cb_event_span(cl_event first, cl_event last, uint64_t *ns, struct cb_err *err)
{
    cl_ulong start, end;
    if (profiling_time(first, CL_PROFILING_COMMAND_START, &start, err) != CB_OK ||
        profiling_time(last, CL_PROFILING_COMMAND_END, &end, err) != CB_OK)
        return err->status;
    if (end == 0 || end == CL_ULONG_MAX || end < start)
        return cb_fail(err, CB_ERROR,
                       "clGetEventProfilingInfo: the driver says that a kernel started at %" PRIu64
                       " ns and ended at %" PRIu64 " ns",
                       start, end);
    *ns = end - start;
    return CB_OK;
}

/* The host, too, has waited for it; clocks differ a little. */
static enum cb_status launch_span(const struct cb_session *s, cl_event event, uint64_t *ns,
                                  struct cb_err *err)
{
    uint64_t waited_ns = cb_now_ns() - s->launched_ns;
    if (cb_event_span(event, event, ns, err) != CB_OK)
        return err->status;
    if (*ns / 2 <= waited_ns + CLOCKS_DIFFER_NS)
        return CB_OK;
    return cb_fail(err, CB_ERROR,
                   "clGetEventProfilingInfo: the driver says that a kernel took %" PRIu64
                   " ns, which the host has seen for %" PRIu64 " ns",
                   *ns, waited_ns);
}

/* Takes what a launch says of its end. */
static enum cb_status take_record(struct cb_session *s, const cb_launch *seen, size_t groups,
                                  struct cb_err *err)
{
    if (seen->gap > s->gap_ticks)
        s->gap_ticks = seen->gap;
    return seen->abort ? report_timeout(s, seen, groups, err) : CB_OK;
}

static enum cb_status enqueue_range(struct cb_session *s, cl_kernel kernel,
                                    const struct cb_range *range, cl_event *event,
                                    struct cb_err *err)
{
    s->launched_ns = cb_now_ns();
    if (cb_launch_enqueue(s, s->queue, kernel, range, event, err) != CB_OK)
        return err->status;
    return CB_CL(err, clFlush(s->queue));
}

static enum cb_status enqueue(struct cb_session *s, cl_kernel kernel, size_t groups, size_t wg_size,
                              cl_event *event, struct cb_err *err)
{
    const struct cb_range range = cb_range_of(1, groups, wg_size);
    return enqueue_range(s, kernel, &range, event, err);
}

enum cb_status cb_launch_reset(struct cb_session *s, cl_kernel kernel, struct cb_err *err)
{
    if (CB_CL(err, clEnqueueWriteBuffer(s->queue, s->launch_record, CL_TRUE, 0, CB_LAUNCH_HEAD,
                                        &s->deadlines, 0, NULL, NULL)) != CB_OK)
        return err->status;
    return cb_kernel_arg(kernel, 0, sizeof s->launch_record, &s->launch_record, err);
}

enum cb_status cb_launch_begin(struct cb_session *s, cl_kernel kernel, size_t groups,
                               size_t wg_size, cl_event *event, struct cb_err *err)
{
    *event = NULL;
    if (cb_launch_reset(s, kernel, err) != CB_OK)
        return err->status;
    return enqueue(s, kernel, groups, wg_size, event, err);
}

enum cb_status cb_launch_end(struct cb_session *s, cl_event event, size_t groups,
                             uint64_t *event_ns, cb_launch *record, struct cb_err *err)
{
    cb_launch seen = s->deadlines;
    const struct cb_launch_hook *hook = cb_launch_hook_of(s);
    enum cb_status status = CB_OK;
    if (hook) { /* NVIDIA's driver tells of an event once no kernel runs, of a queue at once */
        status = CB_CL(err, clFinish(s->queue));
        hook->finished(hook->self, s->queue, false);
    }
    if (status == CB_OK)
        status = CB_CL(err, clWaitForEvents(1, &event));
    if (status == CB_OK && event_ns)
        status = launch_span(s, event, event_ns, err);
    clReleaseEvent(event);
    if (status != CB_OK || cb_buffer_read(s, s->launch_record, &seen, CB_LAUNCH_HEAD, err) != CB_OK)
        return err->status;
    if (record)
        *record = seen;
    return take_record(s, &seen, groups, err);
}

enum cb_status cb_launch_run_range(struct cb_session *s, cl_kernel kernel,
                                   const struct cb_range *range, uint64_t *event_ns,
                                   cb_launch *record, struct cb_err *err)
{
    cl_event event = NULL;
    struct cb_err ignored;
    if (cb_launch_reset(s, kernel, err) != CB_OK)
        return err->status;
    if (enqueue_range(s, kernel, range, &event, err) == CB_OK)
        return cb_launch_end(s, event, cb_range_groups(range), event_ns, record, err);
    if (event) /* it runs, and has memory that the caller frees */
        cb_launch_end(s, event, cb_range_groups(range), NULL, NULL, &ignored);
    return err->status;
}

enum cb_status cb_launch_run(struct cb_session *s, cl_kernel kernel, size_t groups, size_t wg_size,
                             uint64_t *event_ns, cb_launch *record, struct cb_err *err)
{
    const struct cb_range range = cb_range_of(1, groups, wg_size);
    return cb_launch_run_range(s, kernel, &range, event_ns, record, err);
}

enum cb_status cb_launch_step(struct cb_session *s, cl_kernel kernel, size_t groups, size_t wg_size,
                              cl_mem buffer, void *to, size_t bytes, struct cb_err *err)
{
    cb_launch seen = s->deadlines;
    enum cb_status status = enqueue(s, kernel, groups, wg_size, NULL, err);
    if (status == CB_OK) /* `seen` is there when what is read after it is */
        status = CB_CL(err, clEnqueueReadBuffer(s->queue, s->launch_record, CL_FALSE, 0,
                                                CB_LAUNCH_HEAD, &seen, 0, NULL, NULL));
    if (status == CB_OK)
        status = cb_buffer_read(s, buffer, to, bytes, err);
    if (status != CB_OK) {
        clFinish(s->queue);
        return status;
    }
    return take_record(s, &seen, groups, err);
}
