/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pinned.h"

#include "runtime/cl.h"
#include "runtime/neighbours/room.h"

enum cb_status cb_pinned_open(struct cb_session *s, size_t bytes, struct cb_pinned *p,
                              struct cb_err *err)
{
    cl_int code;
    *p = (struct cb_pinned){NULL, NULL};
    p->buffer =
        clCreateBuffer(s->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    if (CB_CL_CODE(err, code, "clCreateBuffer") != CB_OK)
        return cb_room_explain(&s->info, bytes, code, err);
    p->words = clEnqueueMapBuffer(s->queue, p->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                  bytes, 0, NULL, NULL, &code);
    if (CB_CL_CODE(err, code, "clEnqueueMapBuffer") != CB_OK)
        return err->status;
    return p->words ? CB_OK
                    : cb_fail(err, CB_ERROR, "clEnqueueMapBuffer: the driver gives no memory");
}

void cb_pinned_close(struct cb_session *s, struct cb_pinned *p)
{
    if (p->words)
        clEnqueueUnmapMemObject(s->queue, p->buffer, p->words, 0, NULL, NULL);
    if (p->buffer)
        clReleaseMemObject(p->buffer);
    *p = (struct cb_pinned){NULL, NULL};
}
