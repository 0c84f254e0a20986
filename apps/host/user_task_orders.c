/* SPDX-License-Identifier: Apache-2.0
 *
 * Trials of the merged task alone: with its workgroups in other orders, and with what local memory
 * begins with (kernels/task.clh).
 */
#include "apps/host/user_task_run.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

/* A launch of the merged task alone. */
struct merged {
    size_t groups;                       /* that do all of its own in turn */
    bool spoils;                         /* local memory begins with large numbers */
    cl_uint outside[CB_SETUP_ARGUMENTS]; /* then: bytes that are written beyond arguments there */
};

/* Build options of such a launch. NULL: out of memory. */
static char *options_of(const struct cb_user_task_run *r, const struct merged *m)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (m->spoils)
        fprintf(out, "-DTASK_ZONE=%zu", cb_user_task_local_zone());
    for (unsigned i = 0; m->spoils && i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = cb_user_task_argument(r, i);
        if (a->is_local)
            fprintf(out, " -DTASK_BYTES_OF_%s=%zu", a->name, a->bytes);
    }
    return fclose(out) == 0 ? text : NULL;
}

static enum cb_status enqueue(struct cb_user_task_run *r, cl_kernel kernel, struct merged *m,
                              struct cb_err *err)
{
    cl_mem outside = m->spoils ? cb_buffer_create(r->session, sizeof m->outside, err) : NULL;
    const struct cb_range range = cb_user_task_merged_range(r, m->groups);
    if (m->spoils && !outside)
        return err->status;
    enum cb_status status = cb_user_task_set_merged(r, kernel, err);
    if (status == CB_OK && outside)
        status = CB_CL(
            err, clSetKernelArg(kernel, r->task->setup.n_arguments + 3, sizeof outside, &outside));
    if (status == CB_OK)
        status = cb_launch_enqueue(r->session, r->session->queue, kernel, &range, NULL, err);
    if (status == CB_OK)
        status = cb_session_finish(r->session, CB_USER_TASK_MOST_S, err);
    if (status == CB_OK && outside)
        status = cb_buffer_read(r->session, outside, m->outside, sizeof m->outside, err);
    if (outside)
        clReleaseMemObject(outside);
    return status;
}

static enum cb_status launch_merged(struct cb_user_task_run *r, struct merged *m,
                                    struct cb_err *err)
{
    cl_program program = NULL;
    cl_kernel kernel = NULL;
    char *options = options_of(r, m);
    enum cb_status status =
        options ? cb_user_task_copy(r, r->begin, false, err) : cb_no_memory(err);
    if (status == CB_OK)
        status = cb_user_task_build_merged(r, options, &program, &kernel, err);
    if (status == CB_OK)
        status = enqueue(r, kernel, m, err);
    cb_user_task_release_merged(program, kernel);
    free(options);
    return status;
}

enum cb_status cb_user_task_find_local(struct cb_user_task_run *r, size_t used[CB_SETUP_ARGUMENTS],
                                       struct cb_err *err)
{
    struct merged m = {.groups = 1, .spoils = true};
    if (launch_merged(r, &m, err) != CB_OK)
        return err->status;
    for (unsigned i = 0, n = 0; i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = cb_user_task_argument(r, i);
        if (a->is_local)
            used[i] = a->bytes + m.outside[n++];
    }
    return CB_OK;
}

/* ---- Comparisons ----------------------------------------------------------------------------- */

static enum cb_status check_outside(const struct cb_user_task_run *r, const struct merged *m,
                                    struct cb_err *err)
{
    for (unsigned i = 0, n = 0; i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = cb_user_task_argument(r, i);
        const size_t each = a->layout.bytes, outside = a->is_local ? m->outside[n++] : 0;
        if (outside > 0)
            return cb_fail(err, CB_VERIFY_FAILED,
                           "%s: %s: an access to element %zu, which is after its %zu elements in "
                           "local memory: an index of it is wrong, or \"count\" in the setup too "
                           "small",
                           r->task->setup.id, a->name, (a->bytes + outside - 1) / each,
                           a->bytes / each);
    }
    return CB_OK;
}

/* merged: NULL: a plain one. difference: becomes empty, or says what is not as of another plain
 * launch. */
static enum cb_status compare(struct cb_user_task_run *r, struct merged *merged, char *difference,
                              size_t size, struct cb_err *err)
{
    struct cb_sample sample = {.values = cJSON_CreateObject()};
    enum cb_status status =
        merged ? launch_merged(r, merged, err) : cb_user_task_copy(r, r->begin, false, err);
    if (status == CB_OK)
        status = merged ? check_outside(r, merged, err) : cb_user_task_launch_once(r, err);
    if (status == CB_OK)
        status = cb_user_task_check_launches(r, 1, &sample, err);
    snprintf(difference, size, "%s", sample.failure);
    cJSON_Delete(sample.values);
    return status;
}

enum cb_status cb_user_task_compare_orders(struct cb_user_task_run *r, struct cb_err *err)
{
    static const size_t few[] = {1, 3}; /* in the order of ids, and by turns */
    char with[sizeof((struct cb_sample *)0)->failure], without[sizeof with];
    r->expected_runs = 0;
    r->repeats = false;
    /* Before local memory, which drivers give from launch to launch, has large numbers. */
    if (compare(r, NULL, without, sizeof without, err) != CB_OK)
        return err->status;
    if (*without)
        return cb_fail(err, CB_VERIFY_FAILED,
                       "%s, before it: with these sizes work-items are in "
                       "each other's way",
                       without);
    for (size_t i = 0; i < CB_COUNTOF(few); i++) {
        struct merged m = {.groups = few[i], .spoils = true};
        if (compare(r, &m, with, sizeof with, err) != CB_OK)
            return err->status;
        if (!*with)
            continue;
        m.spoils = false;
        if (compare(r, &m, without, sizeof without, err) != CB_OK)
            return err->status;
        return cb_fail(err, CB_VERIFY_FAILED,
                       *without ? "%s, if workgroups come in another order: with these sizes some "
                                  "write what others read or write"
                                : "%s, if local memory begins otherwise: with these sizes it reads "
                                  "there what no work-item has written",
                       with);
    }
    return CB_OK;
}
