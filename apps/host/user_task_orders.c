/* SPDX-License-Identifier: Apache-2.0
 *
 * Trials of the merged task alone: with its workgroups in other orders, and with what local memory
 * begins with (kernels/task.clh).
 */
#include "apps/host/user_task_run.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A launch of the merged task alone. */
struct merged {
    size_t groups; /* that do all of its own in turn */
    struct {
        cl_uint begin;                           /* each byte that local memory begins with */
        cl_uint outside[CB_SETUP_ARGUMENTS + 1]; /* bytes that are written beyond arguments there,
                                                    and beyond what the kernel declares */
    } local;                                     /* task_local_trial of kernels/task.clh */
};

enum { LARGE = 0x7f, SMALL = 0x3c }; /* numbers of bytes like these, of all types */

/* Build options of such launches. NULL: out of memory. */
static char *options_of(const struct cb_user_task_run *r)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "-DTASK_ZONE=%zu", cb_user_task_local_zone());
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = cb_user_task_argument(r, i);
        if (a->is_local)
            fprintf(out, " -DTASK_BYTES_OF_%s=%zu", a->name, a->bytes);
    }
    return fclose(out) == 0 ? text : NULL;
}

static enum cb_status enqueue(struct cb_user_task_run *r, cl_kernel kernel, struct merged *m,
                              struct cb_err *err)
{
    cl_mem local = cb_buffer_create(r->session, sizeof m->local, err);
    const struct cb_range range = cb_user_task_merged_range(r, m->groups);
    if (!local)
        return err->status;
    enum cb_status status = cb_buffer_write(r->session, local, &m->local, sizeof m->local, err);
    if (status == CB_OK)
        status = cb_user_task_set_merged(r, kernel, err);
    if (status == CB_OK)
        status = CB_CL(
            err, clSetKernelArg(kernel, r->task->setup.n_arguments + 3, sizeof local, &local));
    if (status == CB_OK)
        status = cb_launch_enqueue(r->session, r->session->queue, kernel, &range, NULL, err);
    if (status == CB_OK)
        status = cb_session_finish(r->session, CB_USER_TASK_MOST_S, err);
    if (status == CB_OK)
        status = cb_buffer_read(r->session, local, &m->local, sizeof m->local, err);
    clReleaseMemObject(local);
    return status;
}

static enum cb_status launch_merged(struct cb_user_task_run *r, struct merged *m,
                                    struct cb_err *err)
{
    cl_program program = NULL;
    cl_kernel kernel = NULL;
    char *options = options_of(r);
    enum cb_status status =
        options ? cb_user_task_copy(r, r->begin, false, err) : cb_no_memory(err);
    if (status == CB_OK)
        status = cb_user_task_build_merged(r, options, &program, &kernel, err);
    if (status == CB_OK)
        status = enqueue(r, kernel, m, err);
    cb_user_task_release_built(program, kernel);
    free(options);
    return status;
}

enum cb_status cb_user_task_find_local(struct cb_user_task_run *r, size_t used[CB_SETUP_ARGUMENTS],
                                       struct cb_err *err)
{
    struct merged m = {.groups = 1, .local = {.begin = LARGE}};
    if (launch_merged(r, &m, err) != CB_OK)
        return err->status;
    for (unsigned i = 0, n = 0; i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = cb_user_task_argument(r, i);
        if (a->is_local)
            used[i] = a->bytes + m.local.outside[n++];
    }
    return CB_OK;
}

/* ---- Comparisons ----------------------------------------------------------------------------- */

static enum cb_status check_outside(const struct cb_user_task_run *r, const struct merged *m,
                                    struct cb_err *err)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = cb_user_task_argument(r, i);
        const size_t each = a->layout.bytes, outside = a->is_local ? m->local.outside[n++] : 0;
        if (outside > 0)
            return cb_fail(err, CB_VERIFY_FAILED,
                           "%s: %s: an access to element %zu, which is after its %zu elements in "
                           "local memory: an index of it is wrong, or \"count\" in the setup too "
                           "small",
                           r->task->setup.id, a->name, (a->bytes + outside - 1) / each,
                           a->bytes / each);
    }
    if (m->local.outside[n] > 0)
        return cb_fail(err, CB_VERIFY_FAILED,
                       "%s: an access up to %u bytes after all that the kernel declares in local "
                       "memory: an index there is wrong, or a workgroup too large",
                       r->task->setup.id, m->local.outside[n]);
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

/* In one order of its work-items a task does the same again, unless it reads local memory that none
 * of them has written: which numbers that has is chance, where nobody sees to it. */
static enum cb_status check_local(struct cb_user_task_run *r, struct cb_err *err)
{
    struct merged large = {.groups = 1, .local = {.begin = LARGE}},
                  small = {.groups = 1, .local = {.begin = SMALL}};
    struct cb_sample sample = {.values = cJSON_CreateObject()};
    enum cb_status status = launch_merged(r, &large, err);
    if (status == CB_OK)
        status = check_outside(r, &large, err);
    if (status == CB_OK)
        status = cb_user_task_copy(r, r->expected, true, err);
    if (status == CB_OK)
        status = launch_merged(r, &small, err);
    if (status == CB_OK)
        status = cb_user_task_copy(r, r->found, true, err);
    if (status == CB_OK) {
        memcpy(r->once, r->expected, r->size);
        cb_user_task_compare(r, r->found, "a launch with other numbers in local memory", &sample);
    }
    if (*sample.failure)
        status = cb_fail(err, CB_VERIFY_FAILED,
                         "%s: with these sizes it reads there what no work-item has written",
                         sample.failure);
    cJSON_Delete(sample.values);
    return status;
}

/* Whether a plain launch without optimisations does what the merged kernel has done (`found`): then
 * the plain one that differs is its compiler's fault. */
static enum cb_status ask_compiler(struct cb_user_task_run *r, bool *is_at_fault,
                                   struct cb_err *err)
{
    struct cb_sample sample = {.values = cJSON_CreateObject()};
    cl_kernel optimised = r->kernel, kernel = NULL;
    cl_program program = NULL;
    enum cb_status status =
        cb_program_build(r->session, r->task->plain, "-cl-opt-disable", &program, err);
    if (status == CB_OK)
        status = cb_kernel_create(program, r->task->kernel, &kernel, err);
    if (status == CB_OK)
        status = cb_user_task_set_arguments(r, kernel, err);
    if (status == CB_OK)
        status = cb_user_task_copy(r, r->begin, false, err);
    r->kernel = kernel;
    if (status == CB_OK)
        status = cb_user_task_launch_once(r, err);
    r->kernel = optimised;
    if (status == CB_OK)
        status = cb_user_task_copy(r, r->expected, true, err);
    if (status == CB_OK) {
        memcpy(r->once, r->expected, r->size);
        cb_user_task_compare(r, r->found, "a plain launch without optimisations", &sample);
    }
    *is_at_fault = status == CB_OK && !*sample.failure;
    cJSON_Delete(sample.values);
    cb_user_task_release_built(program, kernel);
    return status;
}

static enum cb_status differs_merged(struct cb_user_task_run *r, const char *difference,
                                     struct cb_err *err)
{
    bool is_compiler;
    if (ask_compiler(r, &is_compiler, err) != CB_OK)
        return err->status;
    return cb_fail(err, CB_VERIFY_FAILED,
                   is_compiler ? "%s: the merged kernel does what a plain launch does without "
                                 "optimisations, so that the device's compiler makes this one "
                                 "wrong: \"build_options\": \"-cl-opt-disable\""
                               : "%s, if workgroups come in another order: with these sizes some "
                                 "write what others read or write",
                   difference);
}

enum cb_status cb_user_task_compare_orders(struct cb_user_task_run *r, struct cb_err *err)
{
    static const size_t few[] = {1, 3}; /* in the order of ids, and by turns */
    char difference[sizeof((struct cb_sample *)0)->failure];
    if (check_local(r, err) != CB_OK)
        return err->status;
    r->expected_runs = 0;
    r->repeats = false;
    if (compare(r, NULL, difference, sizeof difference, err) != CB_OK)
        return err->status;
    if (*difference)
        return cb_fail(err, CB_VERIFY_FAILED,
                       "%s, before it: with these sizes work-items are in "
                       "each other's way",
                       difference);
    for (size_t i = 0; i < CB_COUNTOF(few); i++) {
        struct merged m = {.groups = few[i], .local = {.begin = LARGE}};
        if (compare(r, &m, difference, sizeof difference, err) != CB_OK)
            return err->status;
        if (*difference)
            return differs_merged(r, difference, err);
    }
    return CB_OK;
}
