/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's task on a device: its arena, its plain launches, its check.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/host/user_task.h"
#include "kernels/coop_abi.h"
#include "measure/stats.h"
#include "runtime/coop/packet.h"
#include "runtime/host/time.h"

#define ALIGNMENT 128
#define LAUNCHES  5   /* launches that are timed */
#define ALONE     10  /* most launches that come as the task does */
#define ALONE_NS  2e8 /* longest time for these launches */
#define MOST_S    10  /* longest time of a launch */

static const struct cb_setup_argument *argument_of(const struct cb_user_task_run *r, unsigned i)
{
    return &r->task->setup.arguments[i];
}

static bool is_buffer(const struct cb_setup_argument *a)
{
    return a->is_pointer && !a->is_local;
}

/* ---- The arena ------------------------------------------------------------------------------- */

static enum cb_status write_packet(struct cb_user_task_run *r, size_t wg_size, struct cb_err *err)
{
    const struct cb_setup *s = &r->task->setup;
    struct cb_packet packet;
    enum cb_status status = cb_packet_begin(&packet, 0, s->range.dimensions, NULL, s->range.global,
                                            s->range.local, wg_size, err);
    if (status != CB_OK) {
        struct cb_err reason = *err;
        return cb_fail(err, CB_UNSUPPORTED, "%s: %s: --wg-size, or a smaller \"local\"", s->id,
                       reason.text);
    }
    for (unsigned i = 0; i < s->n_arguments && status == CB_OK; i++) {
        const struct cb_setup_argument *a = &s->arguments[i];
        if (a->is_local)
            status = cb_packet_local(&packet, a->bytes, err);
        else if (a->is_pointer)
            status = cb_packet_buffer(&packet, r->at[i], err);
        else
            status = cb_packet_value(&packet, a->begin, a->bytes, a->layout.alignment, err);
    }
    memcpy(r->begin, packet.u.bytes, packet.size);
    return status;
}

static enum cb_status make_images(struct cb_user_task_run *r, struct cb_err *err)
{
    r->size = sizeof(struct cb_packet);
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = argument_of(r, i);
        r->at[i] = (r->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        r->size = is_buffer(a) ? r->at[i] + cb_setup_guarded(a) : r->size;
    }
    r->arena = cb_buffer_create(r->session, r->size, err);
    if (!r->arena) /* before the host's memory is taken: the device has a limit */
        return cb_context(err, "%s", r->task->setup.id);
    r->begin = calloc(1, r->size);
    r->expected = malloc(r->size);
    r->found = malloc(r->size);
    r->once = malloc(r->size);
    if (!r->begin || !r->expected || !r->found || !r->once)
        return cb_fail(err, CB_ERROR, "%s: out of memory for four times %zu bytes",
                       r->task->setup.id, r->size);
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++) {
        if (!is_buffer(argument_of(r, i)))
            continue;
        cb_setup_fill(argument_of(r, i), r->begin + r->at[i]);
        cb_setup_guard(argument_of(r, i), r->begin + r->at[i]);
    }
    memcpy(r->expected, r->begin, r->size);
    return CB_OK;
}

enum cb_status cb_user_task_clear(struct cb_user_task_run *r, struct cb_err *err)
{
    return cb_buffer_write(r->session, r->arena, r->begin, r->size, err);
}

/* ---- Plain launches -------------------------------------------------------------------------- */

static enum cb_status create_buffers(struct cb_user_task_run *r, struct cb_err *err)
{
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++)
        if (is_buffer(argument_of(r, i)) &&
            cb_user_buffer_create(r->session, &r->task->setup, i, &r->buffers[i], err) != CB_OK)
            return err->status;
    return CB_OK;
}

static enum cb_status set_arguments(struct cb_user_task_run *r, cl_kernel kernel,
                                    struct cb_err *err)
{
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = argument_of(r, i);
        const void *given = a->begin;
        size_t size = a->bytes;
        if (is_buffer(a)) {
            given = &r->buffers[i].memory;
            size = sizeof r->buffers[i].memory;
        } else if (a->is_local) {
            given = NULL;
        }
        if (CB_CL(err, clSetKernelArg(kernel, i, size, given)) != CB_OK)
            return cb_context(err, "%s: %s", r->task->setup.id, a->name);
    }
    return CB_OK;
}

static enum cb_status build_plain(struct cb_user_task_run *r, struct cb_err *err)
{
    if (cb_program_build(r->session, r->task->plain, "", &r->plain, err) != CB_OK)
        return err->status;
    if (cb_kernel_create(r->plain, r->task->kernel, &r->kernel, err) != CB_OK)
        return err->status;
    if (create_buffers(r, err) != CB_OK)
        return err->status;
    return set_arguments(r, r->kernel, err);
}

/* event: may be NULL. */
static enum cb_status enqueue(struct cb_user_task_run *r, cl_event *event, struct cb_err *err)
{
    const struct cb_setup_range *of = &r->task->setup.range;
    struct cb_range range = {of->dimensions, {1, 1, 1}, {1, 1, 1}};
    for (cl_uint i = 0; i < of->dimensions; i++) {
        range.wg_size[i] = of->local[i];
        range.groups[i] = of->global[i] / of->local[i];
    }
    if (cb_launch_enqueue(r->session, r->session->queue, r->kernel, &range, event, err) != CB_OK)
        return cb_context(err, "%s, as a launch of its own", r->task->setup.id);
    return CB_OK;
}

static enum cb_status launch(struct cb_user_task_run *r, struct cb_err *err)
{
    if (enqueue(r, NULL, err) != CB_OK)
        return err->status;
    if (cb_session_finish(r->session, MOST_S, err) != CB_OK)
        return cb_context(err, "%s, as a launch of its own: a task has to end", r->task->setup.id);
    return CB_OK;
}

/* All buffers: from an image to the device, or back. */
static enum cb_status copy(struct cb_user_task_run *r, unsigned char *image, bool back,
                           struct cb_err *err)
{
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = argument_of(r, i);
        const struct cb_user_buffer *b = &r->buffers[i];
        unsigned char *at = image + r->at[i];
        if (b->memory && (back ? cb_user_buffer_read(r->session, b, a, at, err)
                               : cb_user_buffer_write(r->session, b, a, at, err)) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* As the task comes, with nothing beside it. */
static enum cb_status meet_deadlines(struct cb_user_task_run *r, struct cb_err *err)
{
    if (copy(r, r->begin, false, err) != CB_OK)
        return err->status;
    struct cb_pace pace = cb_pace_begin(&r->task->setup.arrivals, (double)cb_now_ns());
    do {
        cb_pace_wait(&pace);
        if (launch(r, err) != CB_OK)
            return err->status;
        cb_pace_answered(&pace);
    } while (pace.tasks < ALONE && cb_pace_due(&pace) < pace.begun_ns + ALONE_NS);
    r->met_alone = cb_pace_met(&pace);
    return CB_OK;
}

static enum cb_status time_launches(struct cb_user_task_run *r, struct cb_err *err)
{
    double times[LAUNCHES];
    if (copy(r, r->begin, false, err) != CB_OK || launch(r, err) != CB_OK)
        return err->status;
    for (int i = 0; i < LAUNCHES; i++) {
        double begin = (double)cb_now_ns();
        if (enqueue(r, NULL, err) != CB_OK || CB_CL(err, clFinish(r->session->queue)) != CB_OK)
            return err->status;
        times[i] = (double)cb_now_ns() - begin;
    }
    r->launch_ns = cb_stats_of(times, LAUNCHES).median;
    return meet_deadlines(r, err);
}

enum cb_status cb_user_task_launch(struct cb_user_task_run *r, double *ns, struct cb_err *err)
{
    cl_event event;
    uint64_t span_ns = 0;
    if (enqueue(r, &event, err) != CB_OK)
        return err->status;
    enum cb_status status = CB_CL(err, clWaitForEvents(1, &event));
    if (status == CB_OK && ns)
        status = cb_event_span(event, event, &span_ns, err);
    clReleaseEvent(event);
    if (ns)
        *ns = (double)span_ns;
    return status;
}

enum cb_status cb_user_task_clear_launches(struct cb_user_task_run *r, struct cb_err *err)
{
    return copy(r, r->begin, false, err);
}

/* ---- Open and close -------------------------------------------------------------------------- */

/* wg_size: of the megakernel; 0: there is none. */
static enum cb_status open_run(struct cb_user_task_run *r, size_t wg_size, struct cb_err *err)
{
    if (make_images(r, err) != CB_OK || (wg_size > 0 && write_packet(r, wg_size, err) != CB_OK) ||
        build_plain(r, err) != CB_OK)
        return err->status;
    return r->session->rehearsal ? CB_OK : time_launches(r, err);
}

static struct cb_user_task_run *new_run(struct cb_session *session, const struct cb_user_task *task,
                                        struct cb_err *err)
{
    struct cb_user_task_run *r = calloc(1, sizeof *r);
    if (!r) {
        cb_no_memory(err);
        return NULL;
    }
    for (unsigned i = 0; i < CB_SETUP_ARGUMENTS; i++)
        r->buffers[i].guarded = -1;
    r->session = session;
    r->task = task;
    cb_identity_note(session, task->path, cb_setup_identity(&task->setup));
    return r;
}

enum cb_status cb_user_task_open(struct cb_session *session, const struct cb_user_task *task,
                                 const struct cb_app *app, size_t wg_size,
                                 struct cb_user_task_run **run, struct cb_err *err)
{
    struct cb_user_task_run *r = *run = new_run(session, task, err);
    if (!r || (app && cb_user_task_program(task, app, r->program, err) != CB_OK))
        return err->status;
    return open_run(r, app ? wg_size : 0, err);
}

enum cb_status cb_user_task_open_common(struct cb_session *session, const struct cb_user_task *task,
                                        size_t wg_size, struct cb_user_task_run **run,
                                        struct cb_err *err)
{
    struct cb_user_task_run *r = *run = new_run(session, task, err);
    if (!r || cb_user_task_common(task, r->program, err) != CB_OK)
        return err->status;
    return open_run(r, wg_size, err);
}

void cb_user_task_close(struct cb_user_task_run *r)
{
    if (!r)
        return;
    for (unsigned i = 0; i < CB_SETUP_ARGUMENTS; i++)
        cb_user_buffer_release(&r->buffers[i]);
    if (r->arena)
        clReleaseMemObject(r->arena);
    if (r->kernel)
        clReleaseKernel(r->kernel);
    if (r->plain)
        clReleaseProgram(r->plain);
    free(r->begin);
    free(r->expected);
    free(r->found);
    free(r->once);
    free(r);
}

/* ---- In another order ------------------------------------------------------------------------ */

#define FEW_ITEMS 64

/* The arguments that a merged task has after its own (coopbench merge --help). */
static enum cb_status set_range(const struct cb_user_task_run *r, cl_kernel kernel,
                                struct cb_err *err)
{
    const struct cb_setup_range *of = &r->task->setup.range;
    cl_uint4 groups = {{1, 1, 1, of->dimensions}}, items = {{1, 1, 1, 0}};
    const cl_ulong4 offset = {{0}};
    const cl_uint n = r->task->setup.n_arguments;
    for (unsigned d = 0; d < of->dimensions; d++) {
        groups.s[d] = (cl_uint)(of->global[d] / of->local[d]);
        items.s[d] = (cl_uint)of->local[d];
    }
    if (CB_CL(err, clSetKernelArg(kernel, n, sizeof groups, &groups)) != CB_OK ||
        CB_CL(err, clSetKernelArg(kernel, n + 1, sizeof items, &items)) != CB_OK)
        return err->status;
    return CB_CL(err, clSetKernelArg(kernel, n + 2, sizeof offset, &offset));
}

/* Launches the merged task alone: so many workgroups do all of its own in turn. */
static enum cb_status launch_merged(struct cb_user_task_run *r, size_t groups, struct cb_err *err)
{
    const struct cb_setup_range *of = &r->task->setup.range;
    size_t most = 1;
    for (unsigned d = 0; d < of->dimensions; d++)
        most *= of->local[d];
    const struct cb_range range = {1, {groups, 1, 1}, {most > FEW_ITEMS ? most : FEW_ITEMS, 1, 1}};
    cl_program program = NULL;
    cl_kernel kernel = NULL;
    enum cb_status status = cb_program_build(r->session, r->task->text, "", &program, err);
    if (status == CB_OK)
        status = cb_kernel_create(program, r->task->kernel, &kernel, err);
    if (status == CB_OK)
        status = set_arguments(r, kernel, err);
    if (status == CB_OK)
        status = set_range(r, kernel, err);
    if (status == CB_OK)
        status = cb_launch_enqueue(r->session, r->session->queue, kernel, &range, NULL, err);
    if (status == CB_OK)
        status = cb_session_finish(r->session, MOST_S, err);
    if (kernel)
        clReleaseKernel(kernel);
    if (program)
        clReleaseProgram(program);
    return status;
}

enum cb_status cb_user_task_compare_orders(struct cb_user_task_run *r, struct cb_sample *sample,
                                           struct cb_err *err)
{
    static const size_t few[] = {1, 3}; /* in the order of ids, and by turns */
    r->expected_runs = 0;
    r->repeats = false;
    for (size_t i = 0; i < CB_COUNTOF(few); i++)
        if (copy(r, r->begin, false, err) != CB_OK || launch_merged(r, few[i], err) != CB_OK ||
            cb_user_task_check_launches(r, 1, sample, err) != CB_OK)
            return err->status;
    return CB_OK;
}

/* ---- The check ------------------------------------------------------------------------------- */

/* Whether all buffers are as they were when `found` was read. */
static enum cb_status find_repeats(struct cb_user_task_run *r, struct cb_err *err)
{
    if (copy(r, r->expected, true, err) != CB_OK)
        return err->status;
    r->repeats = true;
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++)
        r->repeats &= !r->buffers[i].memory || memcmp(r->expected + r->at[i], r->found + r->at[i],
                                                      argument_of(r, i)->bytes) == 0;
    return CB_OK;
}

/* Makes `expected` that of so many plain launches; if a second one changes nothing, none after it
 * does. */
static enum cb_status expect(struct cb_user_task_run *r, unsigned runs, struct cb_err *err)
{
    if (r->repeats || runs == r->expected_runs)
        return CB_OK;
    if (runs < r->expected_runs)
        r->expected_runs = 0;
    if (r->expected_runs == 0)
        memcpy(r->expected, r->begin, r->size);
    if (copy(r, r->expected, false, err) != CB_OK)
        return err->status;
    for (; r->expected_runs < runs && !r->repeats; r->expected_runs++) {
        bool is_second = r->expected_runs == 1;
        if ((is_second && copy(r, r->found, true, err) != CB_OK) || launch(r, err) != CB_OK)
            return err->status;
        if (is_second && find_repeats(r, err) != CB_OK)
            return err->status;
        if (r->expected_runs == 0 && copy(r, r->once, true, err) != CB_OK)
            return err->status;
    }
    return copy(r, r->expected, true, err);
}

static void compare(struct cb_user_task_run *r, const unsigned char *found,
                    struct cb_sample *sample)
{
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++)
        if (is_buffer(argument_of(r, i)))
            cb_setup_check(&r->task->setup, i, found + r->at[i], r->expected + r->at[i],
                           r->once + r->at[i], "a plain launch", sample);
}

enum cb_status cb_user_task_check(struct cb_user_task_run *r, unsigned runs,
                                  struct cb_sample *sample, struct cb_err *err)
{
    if (runs == 0)
        return CB_OK;
    if (expect(r, runs, err) != CB_OK ||
        cb_buffer_read(r->session, r->arena, r->found, r->size, err) != CB_OK)
        return err->status;
    compare(r, r->found, sample);
    return CB_OK;
}

enum cb_status cb_user_task_check_launches(struct cb_user_task_run *r, unsigned runs,
                                           struct cb_sample *sample, struct cb_err *err)
{
    unsigned char *found = runs > 0 ? malloc(r->size) : NULL;
    if (runs == 0)
        return CB_OK;
    enum cb_status status = found ? copy(r, found, true, err) : cb_no_memory(err);
    if (status == CB_OK)
        status = expect(r, runs, err);
    if (status == CB_OK)
        compare(r, found, sample);
    free(found);
    return status;
}
