/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers of a session, kernels and their arguments (session.h).
 */
#include "runtime/session.h"

#include "runtime/cl.h"

cl_mem cb_buffer_create(struct cb_session *s, size_t bytes, struct cb_err *err)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(s->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (CB_CL_CODE(err, code, "clCreateBuffer") != CB_OK) {
        cb_context(err, "%zu bytes", bytes);
        return NULL;
    }
    if (cb_buffer_clear(s, buffer, bytes, err) != CB_OK ||
        CB_CL(err, clFinish(s->queue)) != CB_OK) {
        clReleaseMemObject(buffer);
        return NULL;
    }
    return buffer;
}

enum cb_status cb_buffer_clear(struct cb_session *s, cl_mem buffer, size_t bytes,
                               struct cb_err *err)
{
    cl_uint zero = 0;
    return CB_CL(
        err, clEnqueueFillBuffer(s->queue, buffer, &zero, sizeof zero, 0, bytes, 0, NULL, NULL));
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
    return CB_CL(err, clEnqueueReadBuffer(s->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
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
