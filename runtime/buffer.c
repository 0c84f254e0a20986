/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers of a session, kernels and their arguments (session.h).
 */
#include "runtime/session.h"

#include "runtime/cl.h"
#include "runtime/neighbours/room.h"

/* Smaller amounts are not checked before: the driver refuses them if they do not fit. */
#define LEAST_CHECKED ((uint64_t)16 << 20)

/* By words, or by bytes if there is a part of one. */
static cl_int fill_zeros(struct cb_session *s, cl_mem buffer, size_t bytes)
{
    const cl_uint zero = 0;
    return clEnqueueFillBuffer(s->queue, buffer, &zero, bytes % sizeof zero ? 1 : sizeof zero, 0,
                               bytes, 0, NULL, NULL);
}

/* A buffer of zeros. code: the driver's, of what has failed. */
static cl_mem create(struct cb_session *s, size_t bytes, cl_int *code, struct cb_err *err)
{
    cl_mem buffer = clCreateBuffer(s->context, CL_MEM_READ_WRITE, bytes, NULL, code);
    if (CB_CL_CODE(err, *code, "clCreateBuffer") != CB_OK)
        return NULL;
    *code = fill_zeros(s, buffer, bytes);
    if (CB_CL_CODE(err, *code, "clEnqueueFillBuffer") == CB_OK) {
        *code = clFinish(s->queue);
        if (CB_CL_CODE(err, *code, "clFinish") == CB_OK)
            return buffer;
    }
    clReleaseMemObject(buffer);
    return NULL;
}

cl_mem cb_buffer_try(struct cb_session *s, size_t bytes)
{
    struct cb_err ignored;
    cl_int code;
    return create(s, bytes, &code, &ignored);
}

/* One buffer may be too large although there is room for it. */
static enum cb_status fail_too_large(const struct cb_session *s, size_t bytes, struct cb_err *err)
{
    char needed[32], most[32];
    const struct cb_err words = *err;
    cl_ulong most_bytes = 0;
    if (clGetDeviceInfo(s->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most_bytes, &most_bytes,
                        NULL) != CL_SUCCESS ||
        bytes <= most_bytes)
        return cb_context(err, "%zu bytes", bytes);
    cb_device_bytes(bytes, needed, sizeof needed);
    cb_device_bytes(most_bytes, most, sizeof most);
    return cb_fail(err, CB_UNSUPPORTED,
                   "a buffer of %s, of which %s allows at most %s. Take a smaller input (--scale, "
                   "--input) (%s)",
                   needed, s->info.name, most, words.text);
}

enum cb_status cb_buffers_create(struct cb_session *s, const size_t *bytes, size_t n,
                                 cl_mem *buffers, struct cb_err *err)
{
    cl_int code;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += bytes[i];
    if (sum >= LEAST_CHECKED && cb_room_check(&s->info, sum, err) != CB_OK)
        return err->status;
    for (size_t i = 0; i < n; sum -= bytes[i++]) {
        buffers[i] = create(s, bytes[i], &code, err);
        if (!buffers[i])
            return code == CL_INVALID_BUFFER_SIZE ? fail_too_large(s, bytes[i], err)
                                                  : cb_room_explain(&s->info, sum, code, err);
    }
    return CB_OK;
}

cl_mem cb_buffer_create(struct cb_session *s, size_t bytes, struct cb_err *err)
{
    cl_mem buffer;
    return cb_buffers_create(s, &bytes, 1, &buffer, err) == CB_OK ? buffer : NULL;
}

enum cb_status cb_buffer_clear(struct cb_session *s, cl_mem buffer, size_t bytes,
                               struct cb_err *err)
{
    return CB_CL_CODE(err, fill_zeros(s, buffer, bytes), "clEnqueueFillBuffer");
}

enum cb_status cb_buffer_write(struct cb_session *s, cl_mem buffer, const void *from, size_t bytes,
                               struct cb_err *err)
{
    return CB_CL(err,
                 clEnqueueWriteBuffer(s->queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL));
}

enum cb_status cb_buffer_read(struct cb_session *s, cl_mem buffer, void *to, size_t bytes,
                              struct cb_err *err)
{
    const struct cb_launch_hook *hook = cb_launch_hook_of(s);
    const enum cb_status status =
        CB_CL(err, clEnqueueReadBuffer(s->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
    if (hook && status == CB_OK)
        hook->finished(hook->self, s->queue, true);
    return status;
}

enum cb_status cb_kernel_create(cl_program program, const char *name, cl_kernel *kernel,
                                struct cb_err *err)
{
    cl_int code;
    *kernel = clCreateKernel(program, name, &code);
    if (CB_CL_CODE(err, code, "clCreateKernel") != CB_OK)
        return err->status;
    return *kernel ? CB_OK
                   : cb_fail(err, CB_ERROR,
                             "clCreateKernel: the driver gave no kernel %s, and no error", name);
}

enum cb_status cb_kernel_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value,
                             struct cb_err *err)
{
    if (CB_CL(err, clSetKernelArg(kernel, index, size, value)) != CB_OK)
        return cb_context(err, "argument %u", index);
    return CB_OK;
}

enum cb_status cb_kernel_args(cl_kernel kernel, const struct cb_kernel_value *values, size_t n,
                              struct cb_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (cb_kernel_arg(kernel, (cl_uint)i + 1, values[i].size, values[i].value, err) != CB_OK)
            return err->status;
    return CB_OK;
}

enum cb_status cb_buffered_kernel_open(struct cb_session *session, const char *path,
                                       const char *defines, const char *name, size_t bytes,
                                       struct cb_buffered_kernel *k, struct cb_err *err)
{
    *k = (struct cb_buffered_kernel){0};
    if (cb_program_build(session, path, defines, &k->program, err) != CB_OK ||
        cb_kernel_create(k->program, name, &k->kernel, err) != CB_OK)
        return err->status;
    k->buffer = cb_buffer_create(session, bytes, err);
    return k->buffer ? cb_kernel_arg(k->kernel, 1, sizeof k->buffer, &k->buffer, err) : err->status;
}

void cb_buffered_kernel_close(struct cb_buffered_kernel *k)
{
    if (k->buffer)
        clReleaseMemObject(k->buffer);
    if (k->kernel)
        clReleaseKernel(k->kernel);
    if (k->program)
        clReleaseProgram(k->program);
    *k = (struct cb_buffered_kernel){0};
}
