/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "runtime/beside/works.h"

#define BYTES ((size_t)64 << 20)

struct copy {
    struct cb_session session;
    cl_mem buffer;
    void *host;
};

static void close_copy(void *self)
{
    struct copy *c = self;
    if (c->buffer)
        clReleaseMemObject(c->buffer);
    cb_session_close(&c->session);
    free(c->host);
    free(c);
}

static enum cb_status copy_once(void *self, struct cb_err *err)
{
    struct copy *c = self;
    return cb_buffer_write(&c->session, c->buffer, c->host, BYTES, err) == CB_OK
               ? cb_buffer_read(&c->session, c->buffer, c->host, BYTES, err)
               : err->status;
}

enum cb_status cb_beside_copy(struct cb_session *session, struct cb_beside_work *work,
                              struct cb_err *err)
{
    struct copy *c = calloc(1, sizeof *c);
    if (!c)
        return cb_no_memory(err);
    *work = (struct cb_beside_work){.self = c, .once = copy_once, .close = close_copy};
    c->host = calloc(1, BYTES);
    if (!c->host)
        cb_no_memory(err);
    else if (cb_session_open_second(&c->session, session, err) == CB_OK)
        c->buffer = cb_buffer_create(&c->session, BYTES, err);
    if (!c->buffer)
        close_copy(c);
    return err->status;
}
