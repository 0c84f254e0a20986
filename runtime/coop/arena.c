/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/coop/arena.h"

#include <string.h>

#include "runtime/neighbours/room.h"

static enum cb_status share(struct cb_arena *a, struct cb_session *s, struct cb_err *err)
{
    cl_int code;
    a->shared = clSVMAlloc(s->context,
                           CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
                           a->size, 0);
    if (!a->shared) {
        cb_fail(err, CB_ERROR, "clSVMAlloc: no shared memory");
        return cb_room_explain(&s->info, a->size, CL_MEM_OBJECT_ALLOCATION_FAILURE, err);
    }
    memset(a->shared, 0, a->size);
    a->buffer = clCreateBuffer(s->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, a->size,
                               a->shared, &code);
    return CB_CL_CODE(err, code, "clCreateBuffer") == CB_OK
               ? CB_OK
               : cb_room_explain(&s->info, a->size, code, err);
}

enum cb_status cb_arena_open(struct cb_arena *a, struct cb_session *s, size_t size,
                             struct cb_err *err)
{
    *a = (struct cb_arena){.context = s->context, .size = size};
    if (strcmp(s->info.host_channel, "svm") == 0)
        return share(a, s, err);
    a->buffer = cb_buffer_create(s, size, err);
    if (!a->buffer)
        return err->status;
    a->queue = cb_queue_create(s, 0, err);
    return a->queue ? CB_OK : err->status;
}

void cb_arena_close(struct cb_arena *a)
{
    if (a->buffer)
        clReleaseMemObject(a->buffer);
    if (a->shared)
        clSVMFree(a->context, a->shared);
    if (a->queue)
        clReleaseCommandQueue(a->queue);
    *a = (struct cb_arena){0};
}

enum cb_status cb_arena_write(struct cb_arena *a, size_t at, const void *from, size_t bytes,
                              struct cb_err *err)
{
    if (!a->shared)
        return CB_CL(err, clEnqueueWriteBuffer(a->queue, a->buffer, CL_TRUE, at, bytes, from, 0,
                                               NULL, NULL));
    memcpy(a->shared + at, from, bytes);
    return CB_OK;
}

enum cb_status cb_arena_read(struct cb_arena *a, size_t at, void *to, size_t bytes,
                             struct cb_err *err)
{
    if (!a->shared)
        return CB_CL(
            err, clEnqueueReadBuffer(a->queue, a->buffer, CL_TRUE, at, bytes, to, 0, NULL, NULL));
    memcpy(to, a->shared + at, bytes);
    return CB_OK;
}
