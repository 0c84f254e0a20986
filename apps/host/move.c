/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/move.h"

#include <string.h>

#include "runtime/cl.h"

const char *cb_app_cannot_move(const struct cb_app *app, const struct cb_coop_config *config)
{
    return app->keeps_pointer ? "a transmit variable of it has a pointer, which means nothing on "
                                "another device: transmit an index instead"
                              : cb_app_cannot_have(app, config);
}

/* What both instances have as one argument: memory objects of two devices are never the same, and
 * numbers always are. */
static bool is_memory(const struct cb_kernel_value *a, const struct cb_kernel_value *b)
{
    return a->size == sizeof(cl_mem) && memcmp(a->value, b->value, a->size) != 0;
}

/* The size of a buffer; 0 for what is none. */
static size_t bytes_of(cl_mem memory)
{
    cl_mem_object_type type = 0;
    size_t bytes = 0;
    if (clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
        type != CL_MEM_OBJECT_BUFFER ||
        clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS)
        return 0;
    return bytes;
}

/* Parts that are on their way, from one half of the host's memory each. */
struct parts {
    unsigned char *halves;
    cl_event written[2];
};

static enum cb_status wait_for(struct parts *parts, unsigned half, struct cb_err *err)
{
    cl_event event = parts->written[half];
    enum cb_status status = event ? CB_CL(err, clWaitForEvents(1, &event)) : CB_OK;
    if (event)
        clReleaseEvent(event);
    parts->written[half] = NULL;
    return status;
}

/* While a part is written on one device, the next is read on the other. */
static enum cb_status copy(struct cb_session *from, cl_mem source, struct cb_session *to,
                           cl_mem target, size_t bytes, struct parts *parts, struct cb_err *err)
{
    unsigned half = 0;
    for (size_t at = 0; at < bytes; at += CB_APP_COPY_BYTES / 2, half = 1 - half) {
        const size_t left = bytes - at,
                     n = left < CB_APP_COPY_BYTES / 2 ? left : CB_APP_COPY_BYTES / 2;
        unsigned char *part = parts->halves + half * CB_APP_COPY_BYTES / 2;
        if (wait_for(parts, half, err) != CB_OK ||
            CB_CL(err, clEnqueueReadBuffer(from->queue, source, CL_TRUE, at, n, part, 0, NULL,
                                           NULL)) != CB_OK ||
            CB_CL(err, clEnqueueWriteBuffer(to->queue, target, CL_FALSE, at, n, part, 0, NULL,
                                            &parts->written[half])) != CB_OK ||
            CB_CL(err, clFlush(to->queue)) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* Copies argument i, if it is memory; adds its size. */
static enum cb_status copy_argument(const struct cb_app_instance *from,
                                    const struct cb_app_instance *to,
                                    const struct cb_kernel_value *a,
                                    const struct cb_kernel_value *b, size_t i, struct parts *parts,
                                    size_t *bytes, struct cb_err *err)
{
    if (!is_memory(&a[i], &b[i]))
        return CB_OK;
    const cl_mem source = *(const cl_mem *)a[i].value, target = *(const cl_mem *)b[i].value;
    const size_t size = bytes_of(source);
    if (size == 0 || bytes_of(target) != size)
        return cb_fail(err, CB_ERROR,
                       "argument %zu of %s is no buffer that is as large on the other device", i,
                       to->app->id);
    *bytes += size;
    return copy(from->session, source, to->session, target, size, parts, err);
}

enum cb_status cb_app_copy_buffers(const struct cb_app_instance *from,
                                   const struct cb_app_instance *to, void *through, size_t *bytes,
                                   struct cb_err *err)
{
    struct cb_kernel_value a[CB_APP_MAX_ARGS], b[CB_APP_MAX_ARGS];
    struct parts parts = {.halves = through};
    struct cb_err ending;
    const size_t n = from->app->args(from->state, a, CB_APP_MAX_ARGS);
    enum cb_status status = CB_OK;
    *bytes = 0;
    if (to->app->args(to->state, b, CB_APP_MAX_ARGS) != n)
        return cb_fail(err, CB_ERROR, "%s has other arguments on the other device", to->app->id);
    for (size_t i = 0; i < n && status == CB_OK; i++)
        status = copy_argument(from, to, a, b, i, &parts, bytes, err);
    for (unsigned half = 0; half < 2; half++)
        if (wait_for(&parts, half, &ending) != CB_OK && status == CB_OK) {
            *err = ending;
            status = err->status;
        }
    return status;
}
