/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/steps.h"

#include <stdio.h>
#include <string.h>

#include "runtime/cl.h"

enum cb_status cb_steps_open(struct cb_steps *s, struct cb_session *session, const char *path,
                             size_t wg_size, struct cb_err *err)
{
    char defines[32];
    *s = (struct cb_steps){.session = session, .wg_size = wg_size};
    snprintf(defines, sizeof defines, "-DCB_WG_SIZE=%zu", wg_size);
    return cb_program_build(session, path, defines, &s->program, err);
}

void cb_steps_close(struct cb_steps *s)
{
    for (int i = 0; i < s->n; i++)
        clReleaseKernel(s->kernels[i].kernel);
    if (s->program)
        clReleaseProgram(s->program);
    *s = (struct cb_steps){0};
}

/* The kernel of this name, made at its first launch; NULL with err set. */
static cl_kernel kernel_of(struct cb_steps *s, const char *name, struct cb_err *err)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->kernels[i].name, name) == 0)
            return s->kernels[i].kernel;
    if (s->n == CB_STEPS_KERNELS) {
        cb_fail(err, CB_ERROR, "%s: more than %d kernels", name, CB_STEPS_KERNELS);
        return NULL;
    }
    cl_kernel kernel;
    if (cb_kernel_create(s->program, name, &kernel, err) != CB_OK)
        return NULL;
    snprintf(s->kernels[s->n].name, sizeof s->kernels[s->n].name, "%s", name);
    return s->kernels[s->n++].kernel = kernel;
}

enum cb_status cb_steps_launch(struct cb_steps *s, const char *name, size_t items,
                               const struct cb_kernel_value *values, size_t n, struct cb_err *err)
{
    const struct cb_range range = cb_range_of(1, (items + s->wg_size - 1) / s->wg_size, s->wg_size);
    cl_kernel kernel = kernel_of(s, name, err);
    if (!kernel)
        return err->status;
    for (size_t i = 0; i < n; i++)
        if (cb_kernel_arg(kernel, (cl_uint)i, values[i].size, values[i].value, err) != CB_OK)
            return err->status;
    return cb_launch_enqueue(s->session, s->session->queue, kernel, &range, NULL, err);
}

enum cb_status cb_steps_round(struct cb_steps *s, const struct cb_rounds *rounds,
                              const struct cb_kernel_value *values, size_t n, bool *last,
                              struct cb_err *err)
{
    cl_uint flag = 0;
    if (cb_buffer_write(s->session, rounds->flag, &flag, sizeof flag, err) != CB_OK)
        return err->status;
    for (const char *const *step = rounds->steps; *step; step++)
        if (cb_steps_launch(s, *step, rounds->items, values, n, err) != CB_OK)
            return err->status;
    enum cb_status status = cb_buffer_read(s->session, rounds->flag, &flag, sizeof flag, err);
    *last = flag == 0;
    return status;
}

enum cb_status cb_steps_rounds(struct cb_steps *s, const struct cb_rounds *rounds,
                               const struct cb_kernel_value *values, size_t n, struct cb_err *err)
{
    cl_uint round = 0;
    struct cb_kernel_value all[CB_STEPS_VALUES] = {{sizeof round, &round}};
    if (n >= CB_STEPS_VALUES)
        return cb_fail(err, CB_ERROR, "%s: %zu arguments", rounds->begin, n);
    memcpy(all + 1, values, n * sizeof *values);
    enum cb_status status = cb_steps_launch(s, rounds->begin, rounds->items, all, n + 1, err);
    for (bool last = false; status == CB_OK && !last; round++)
        status = round < rounds->most
                     ? cb_steps_round(s, rounds, all, n + 1, &last, err)
                     : cb_fail(err, CB_VERIFY_FAILED, "no end after %u rounds", round);
    if (status != CB_OK)
        return status;
    return cb_steps_launch(s, rounds->end, rounds->items, all, n + 1, err);
}
