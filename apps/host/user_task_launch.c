/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's task as plain launches, on buffers of their own.
 */
#include "apps/host/user_task_run.h"
#include "measure/stats.h"
#include "runtime/host/time.h"

#define LAUNCHES 5   /* launches that are timed, */
#define TIMED_NS 1e9 /* but no more after so long */
#define FORMS_NS 2e7 /* both forms of a sample, by turns: no more after so long */
#define ALONE    10  /* most launches that come as the task does */
#define ALONE_NS 2e8 /* longest time for these launches */

static enum cb_status create_buffers(struct cb_user_task_run *r, struct cb_err *err)
{
    const struct cb_setup *s = &r->task->setup;
    enum cb_status status = CB_OK;
    for (unsigned i = 0; i < s->n_arguments && status == CB_OK; i++)
        if (cb_setup_is_buffer(&s->arguments[i]))
            status = cb_user_buffer_create(r->session, s, i, &r->buffers[i], err);
        else if (cb_layout_is_opaque(&s->arguments[i].layout))
            status = cb_user_image_create(r->session, s, i, &r->images[i], err);
    return status;
}

static size_t local_zone;

void cb_user_tasks_widen_local(size_t bytes)
{
    local_zone = bytes;
}

size_t cb_user_task_local_zone(void)
{
    return local_zone;
}

enum cb_status cb_user_task_set_arguments(struct cb_user_task_run *r, cl_kernel kernel,
                                          struct cb_err *err)
{
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = cb_user_task_argument(r, i);
        struct cb_kernel_value given = {a->bytes, a->begin};
        if (cb_setup_is_buffer(a))
            given = (struct cb_kernel_value){sizeof r->buffers[i].memory, &r->buffers[i].memory};
        else if (a->is_local)
            given = (struct cb_kernel_value){a->bytes + local_zone, NULL};
        else if (cb_layout_is_opaque(&a->layout))
            given = cb_user_image_value(&r->images[i]);
        if (CB_CL(err, clSetKernelArg(kernel, i, given.size, given.value)) != CB_OK)
            return cb_context(err, "%s: %s", r->task->setup.id, a->name);
    }
    return CB_OK;
}

enum cb_status cb_user_task_build_plain(struct cb_user_task_run *r, struct cb_err *err)
{
    if (cb_program_build(r->session, r->task->plain, "", &r->plain, err) != CB_OK)
        return err->status;
    if (cb_kernel_create(r->plain, r->task->kernel, &r->kernel, err) != CB_OK)
        return err->status;
    if (create_buffers(r, err) != CB_OK)
        return err->status;
    return cb_user_task_set_arguments(r, r->kernel, err);
}

static struct cb_range plain_range(const struct cb_user_task_run *r)
{
    const struct cb_setup_range *of = &r->task->setup.range;
    struct cb_range range = {of->dimensions, {1, 1, 1}, {1, 1, 1}};
    for (cl_uint i = 0; i < of->dimensions; i++) {
        range.wg_size[i] = of->local[i];
        range.groups[i] = of->global[i] / of->local[i];
        range.offset[i] = of->offset[i];
    }
    return range;
}

/* event: may be NULL. */
static enum cb_status enqueue(struct cb_user_task_run *r, cl_kernel kernel,
                              const struct cb_range *range, cl_event *event, struct cb_err *err)
{
    cb_user_buffers_hold_results(r->is_used);
    r->is_used = true;
    if (cb_launch_enqueue(r->session, r->session->queue, kernel, range, event, err) != CB_OK)
        return cb_context(err, "%s, as a launch of its own", r->task->setup.id);
    return CB_OK;
}

enum cb_status cb_user_task_launch_form(struct cb_user_task_run *r, cl_kernel kernel,
                                        const struct cb_range *range, struct cb_err *err)
{
    if (enqueue(r, kernel, range, NULL, err) != CB_OK)
        return err->status;
    if (cb_session_finish(r->session, CB_USER_TASK_MOST_S, err) != CB_OK)
        return cb_context(err, "%s, as a launch of its own: a task has to end", r->task->setup.id);
    return CB_OK;
}

enum cb_status cb_user_task_launch_once(struct cb_user_task_run *r, struct cb_err *err)
{
    const struct cb_range range = plain_range(r);
    return cb_user_task_launch_form(r, r->kernel, &range, err);
}

enum cb_status cb_user_task_copy(struct cb_user_task_run *r, unsigned char *host, bool back,
                                 struct cb_err *err)
{
    r->is_used &= back;
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = cb_user_task_argument(r, i);
        const struct cb_user_buffer *b = &r->buffers[i];
        unsigned char *at = host + r->at[i];
        if (b->memory && (back ? cb_user_buffer_read(r->session, b, a, at, err)
                               : cb_user_buffer_write(r->session, b, a, at, err)) != CB_OK)
            return err->status;
        if ((back ? cb_user_image_read(r->session, &r->images[i], a, at, err)
                  : cb_user_image_write(r->session, &r->images[i], a, at, err)) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* Before a launch, if each begins as the first. */
static enum cb_status begin_anew(struct cb_user_task_run *r, struct cb_err *err)
{
    return r->task->setup.is_fresh ? cb_user_task_copy(r, r->begin, false, err) : CB_OK;
}

/* As the task comes, with nothing beside it. */
static enum cb_status meet_deadlines(struct cb_user_task_run *r, struct cb_err *err)
{
    if (cb_user_task_copy(r, r->begin, false, err) != CB_OK)
        return err->status;
    struct cb_pace pace = cb_pace_begin(&r->task->setup.arrivals, (double)cb_now_ns());
    do {
        cb_pace_wait(&pace);
        if (cb_user_task_launch_once(r, err) != CB_OK)
            return err->status;
        cb_pace_answered(&pace);
        if (begin_anew(r, err) != CB_OK)
            return err->status;
    } while (pace.tasks < ALONE && cb_pace_due(&pace) < pace.begun_ns + ALONE_NS &&
             (double)cb_now_ns() < pace.begun_ns + TIMED_NS);
    r->met_alone = cb_pace_met(&pace);
    return CB_OK;
}

/* A launch until its end, by the host's clock. */
static enum cb_status time_once(struct cb_user_task_run *r, cl_kernel kernel,
                                const struct cb_range *range, double *ns, struct cb_err *err)
{
    if (begin_anew(r, err) != CB_OK)
        return err->status;
    const double begin = (double)cb_now_ns();
    if (enqueue(r, kernel, range, NULL, err) != CB_OK ||
        CB_CL(err, clFinish(r->session->queue)) != CB_OK)
        return err->status;
    *ns = (double)cb_now_ns() - begin;
    return CB_OK;
}

enum cb_status cb_user_task_time_launches(struct cb_user_task_run *r, struct cb_err *err)
{
    const struct cb_range range = plain_range(r);
    double times[LAUNCHES], all = 0;
    size_t n = 0;
    if (cb_user_task_copy(r, r->begin, false, err) != CB_OK ||
        cb_user_task_launch_once(r, err) != CB_OK)
        return err->status;
    for (; n < LAUNCHES && all < TIMED_NS; all += times[n++])
        if (time_once(r, r->kernel, &range, &times[n], err) != CB_OK)
            return err->status;
    r->launch_ns = cb_stats_of(times, n).median;
    return meet_deadlines(r, err);
}

enum cb_status cb_user_task_time_forms(struct cb_user_task_run *r, struct cb_sample *sample,
                                       struct cb_err *err)
{
    const struct cb_range range = plain_range(r);
    double ns, all = 0;
    if (cb_user_task_copy(r, r->begin, false, err) != CB_OK)
        return err->status;
    for (int i = 0; i < LAUNCHES && all < FORMS_NS; i++, all += ns) {
        if (time_once(r, r->kernel, &range, &ns, err) != CB_OK)
            return err->status;
        cb_sample_add(sample, "launch_time", ns);
        if (!r->merged_kernel)
            continue;
        if (time_once(r, r->merged_kernel, &r->merged_range, &ns, err) != CB_OK)
            return err->status;
        cb_sample_add(sample, "merged_time", ns);
    }
    return CB_OK;
}

enum cb_status cb_user_task_launch(struct cb_user_task_run *r, double *ns, struct cb_err *err)
{
    cl_event event;
    uint64_t span_ns = 0;
    const struct cb_range range = plain_range(r);
    if (enqueue(r, r->kernel, &range, &event, err) != CB_OK)
        return err->status;
    enum cb_status status = CB_CL(err, clWaitForEvents(1, &event));
    if (status == CB_OK && ns)
        status = cb_event_span(event, event, &span_ns, err);
    clReleaseEvent(event);
    if (ns)
        *ns = (double)span_ns;
    return status;
}
