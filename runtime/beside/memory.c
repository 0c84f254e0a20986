/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "runtime/beside/works.h"
#include "runtime/host/time.h"

#define MOST_BLOCKS 4096
#define LARGEST     ((size_t)256 << 20)
#define LEAST       ((size_t)1 << 20)
#define PAUSE_NS    20e6

struct memory {
    struct cb_session session;
    cl_mem blocks[MOST_BLOCKS];
    size_t bytes[MOST_BLOCKS];
    int n;
};

static void close_memory(void *self)
{
    struct memory *m = self;
    while (m->n > 0)
        clReleaseMemObject(m->blocks[--m->n]);
    cb_session_close(&m->session);
    free(m);
}

static enum cb_status hold(void *self, struct cb_err *err)
{
    (void)self, (void)err;
    cb_sleep_until_ns((double)cb_now_ns() + PAUSE_NS);
    return CB_OK;
}

/* Drivers give memory when it is first written: as a buffer is when it is made. */
static void take_all(struct memory *m)
{
    for (size_t bytes = LARGEST; bytes >= LEAST && m->n < MOST_BLOCKS;) {
        cl_mem block = cb_buffer_try(&m->session, bytes);
        if (!block) {
            bytes /= 2;
            continue;
        }
        m->blocks[m->n] = block;
        m->bytes[m->n++] = bytes;
    }
}

/* The smallest blocks were taken last. */
static void give_back(struct memory *m, double bytes)
{
    while (m->n > 0 && bytes > 0) {
        clReleaseMemObject(m->blocks[--m->n]);
        bytes -= (double)m->bytes[m->n];
    }
}

enum cb_status cb_beside_memory(struct cb_session *session, double left_bytes,
                                struct cb_beside_work *work, struct cb_err *err)
{
    if (cb_device_is_cpu(&session->info))
        return cb_fail(err, CB_UNSUPPORTED,
                       "the memory of a CPU device is the host's, which no neighbour takes away");
    struct memory *m = calloc(1, sizeof *m);
    if (!m)
        return cb_no_memory(err);
    *work = (struct cb_beside_work){.self = m, .once = hold, .close = close_memory};
    if (cb_session_open_second(&m->session, session, err) != CB_OK) {
        close_memory(m);
        return err->status;
    }
    take_all(m);
    give_back(m, left_bytes);
    return CB_OK;
}
