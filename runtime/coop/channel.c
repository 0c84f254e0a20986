/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/coop/channel.h"

#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(coop_host_words) == 32 && sizeof(coop_device_words) == 72,
               "as the kernels lay them out");

static enum cb_status open_svm(struct cb_coop_channel *c, struct cb_err *err)
{
    if (!strstr(c->session->info.svm, "atomics"))
        return cb_fail(err, CB_UNSUPPORTED,
                       "%s has no fine-grained SVM with atomics: use --channel queue",
                       c->session->info.name);
    c->shared = clSVMAlloc(c->session->context,
                           CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
                           sizeof *c->shared, 0);
    return c->shared ? CB_OK : cb_fail(err, CB_ERROR, "clSVMAlloc: no shared memory");
}

static enum cb_status open_queue(struct cb_coop_channel *c, struct cb_err *err)
{
    cl_int code;
    c->queue = clCreateCommandQueue(c->session->context, c->session->device, 0, &code);
    if (CB_CL_CODE(err, code, "clCreateCommandQueue") != CB_OK)
        return err->status;
    c->buffer = cb_buffer_create(c->session, sizeof(coop_channel), err);
    return c->buffer ? CB_OK : err->status;
}

enum cb_status cb_coop_channel_open(struct cb_coop_channel *c, struct cb_session *session,
                                    const char *name, struct cb_err *err)
{
    memset(c, 0, sizeof *c);
    c->session = session;
    if (!name || !*name || strcmp(name, "auto") == 0)
        name = session->info.host_channel;
    return strcmp(name, "svm") == 0 ? open_svm(c, err) : open_queue(c, err);
}

void cb_coop_channel_close(struct cb_coop_channel *c)
{
    if (c->shared)
        clSVMFree(c->session->context, c->shared);
    if (c->buffer)
        clReleaseMemObject(c->buffer);
    if (c->queue)
        clReleaseCommandQueue(c->queue);
    memset(c, 0, sizeof *c);
}

bool cb_coop_channel_needs_thread(const struct cb_coop_channel *c)
{
    return c->queue && strcmp(c->session->info.type, "cpu") == 0;
}

static enum cb_status write_words(struct cb_coop_channel *c, size_t offset, size_t bytes,
                                  const void *from, struct cb_err *err)
{
    return CB_CL(err, clEnqueueWriteBuffer(c->queue, c->buffer, CL_TRUE, offset, bytes, from, 0,
                                           NULL, NULL));
}

enum cb_status cb_coop_channel_reset(struct cb_coop_channel *c, bool repeat, uint32_t limit,
                                     struct cb_err *err)
{
    coop_channel clear = {.host = {.repeat = repeat, .limit = limit}};
    c->host = clear.host;
    if (c->queue)
        return write_words(c, 0, sizeof clear, &clear, err);
    memcpy(c->shared, &clear, sizeof clear);
    return CB_OK;
}

enum cb_status cb_coop_channel_arg(struct cb_coop_channel *c, cl_kernel kernel, cl_uint index,
                                   struct cb_err *err)
{
    if (c->queue)
        return cb_kernel_arg(kernel, index, sizeof c->buffer, &c->buffer, err);
    return CB_CL(err, clSetKernelArgSVMPointer(kernel, index, c->shared));
}

/* The sequence number goes last: the kernel reads the rest once it has seen that. */
enum cb_status cb_coop_channel_send(struct cb_coop_channel *c, struct cb_err *err)
{
    const size_t first = offsetof(coop_host_words, kind);
    const size_t rest = sizeof c->host - first;
    c->host.seq++;
    if (c->queue) {
        if (write_words(c, offsetof(coop_channel, host) + first, rest, &c->host.kind, err) != CB_OK)
            return err->status;
        return write_words(c, offsetof(coop_channel, host), sizeof c->host.seq, &c->host.seq, err);
    }
    memcpy(&c->shared->host.kind, &c->host.kind, rest);
    __atomic_store_n(&c->shared->host.seq, c->host.seq, __ATOMIC_RELEASE);
    return CB_OK;
}

enum cb_status cb_coop_channel_send_limit(struct cb_coop_channel *c, struct cb_err *err)
{
    if (c->queue)
        return write_words(c, offsetof(coop_channel, host.limit), sizeof c->host.limit,
                           &c->host.limit, err);
    __atomic_store_n(&c->shared->host.limit, c->host.limit, __ATOMIC_RELEASE);
    return CB_OK;
}

static enum cb_status read_words(struct cb_coop_channel *c, coop_device_words *words,
                                 struct cb_err *err)
{
    return CB_CL(err,
                 clEnqueueReadBuffer(c->queue, c->buffer, CL_TRUE, offsetof(coop_channel, device),
                                     sizeof *words, words, 0, NULL, NULL));
}

/* A copy may meet the scheduler while it writes: only the one after the number is surely whole. */
enum cb_status cb_coop_channel_receive(struct cb_coop_channel *c, uint32_t wanted,
                                       coop_device_words *words, struct cb_err *err)
{
    if (!c->queue) {
        uint32_t seq = __atomic_load_n(&c->shared->device.seq, __ATOMIC_ACQUIRE);
        memcpy(words, &c->shared->device, sizeof *words);
        words->seq = seq;
        return CB_OK;
    }
    enum cb_status status = read_words(c, words, err);
    return status == CB_OK && words->seq == wanted ? read_words(c, words, err) : status;
}
