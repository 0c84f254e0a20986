/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/coop/channel.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/neighbours/room.h"

_Static_assert(sizeof(coop_host_words) == 40 && sizeof(coop_device_kernel) == 32 &&
                   sizeof(coop_order) == 32 && sizeof(coop_answer) == 48 &&
                   offsetof(coop_channel, orders) == 4 * COOP_LINE * 4,
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
    if (c->shared)
        return CB_OK;
    cb_fail(err, CB_ERROR, "clSVMAlloc: no shared memory");
    return cb_room_explain(&c->session->info, sizeof *c->shared, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                           err);
}

static enum cb_status open_queue(struct cb_coop_channel *c, struct cb_err *err)
{
    c->queue = cb_queue_create(c->session, 0, err);
    if (!c->queue)
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
    return c->queue && cb_device_is_cpu(&c->session->info);
}

static enum cb_status write_words(struct cb_coop_channel *c, size_t offset, size_t bytes,
                                  const void *from, struct cb_err *err)
{
    return CB_CL(err, clEnqueueWriteBuffer(c->queue, c->buffer, CL_TRUE, offset, bytes, from, 0,
                                           NULL, NULL));
}

enum cb_status cb_coop_channel_reset(struct cb_coop_channel *c, const coop_host_words *host,
                                     struct cb_err *err)
{
    coop_channel *clear = calloc(1, sizeof *clear);
    if (!clear)
        return cb_no_memory(err);
    enum cb_status status = CB_OK;
    c->host = clear->host = *host;
    if (c->queue)
        status = write_words(c, 0, sizeof *clear, clear, err);
    else
        memcpy(c->shared, clear, sizeof *clear);
    free(clear);
    return status;
}

enum cb_status cb_coop_channel_arg(struct cb_coop_channel *c, cl_kernel kernel, cl_uint index,
                                   struct cb_err *err)
{
    if (c->queue)
        return cb_kernel_arg(kernel, index, sizeof c->buffer, &c->buffer, err);
    return CB_CL(err, clSetKernelArgSVMPointer(kernel, index, c->shared));
}

/* Sends a word of channel->host, after all that was sent before. */
enum cb_status cb_coop_channel_send_word(struct cb_coop_channel *c, const uint32_t *word,
                                         struct cb_err *err)
{
    size_t at =
        offsetof(coop_channel, host) + (size_t)((const char *)word - (const char *)&c->host);
    if (c->queue)
        return write_words(c, at, sizeof *word, word, err);
    __atomic_store_n((uint32_t *)((char *)c->shared + at), *word, __ATOMIC_RELEASE);
    return CB_OK;
}

/* The limits may arrive in any order: the scheduler waits until all are there. */
enum cb_status cb_coop_channel_send_limits(struct cb_coop_channel *c, struct cb_err *err)
{
    const uint32_t *limits = c->host.limits;
    if (c->queue)
        return write_words(c, offsetof(coop_channel, host.limits), sizeof c->host.limits, limits,
                           err);
    for (unsigned k = 0; k < COOP_MOST_KERNELS; k++)
        __atomic_store_n(&c->shared->host.limits[k], limits[k], __ATOMIC_RELEASE);
    return CB_OK;
}

/* The number goes last: the kernel reads the rest of the order once it has seen the number. */
enum cb_status cb_coop_channel_send(struct cb_coop_channel *c, const coop_order *order,
                                    struct cb_err *err)
{
    const size_t place = (c->host.sent + 1) % COOP_IN_LINE;
    if (!c->queue)
        c->shared->orders[place] = *order;
    else if (write_words(c, offsetof(coop_channel, orders[0]) + place * sizeof *order,
                         sizeof *order, order, err) != CB_OK)
        return err->status;
    c->host.sent++;
    return cb_coop_channel_send_word(c, &c->host.sent, err);
}

enum cb_status cb_coop_channel_send_stop(struct cb_coop_channel *c, uint32_t stop,
                                         struct cb_err *err)
{
    c->host.stop = stop;
    return cb_coop_channel_send_word(c, &c->host.stop, err);
}

static enum cb_status read_words(struct cb_coop_channel *c, size_t at, size_t bytes, void *words,
                                 struct cb_err *err)
{
    if (c->queue)
        return CB_CL(err, clEnqueueReadBuffer(c->queue, c->buffer, CL_TRUE, at, bytes, words, 0,
                                              NULL, NULL));
    memcpy(words, (char *)c->shared + at, bytes);
    return CB_OK;
}

/* A copy may meet the scheduler while it writes: only a copy made after the number was seen is
 * surely whole. */
enum cb_status cb_coop_channel_answer(struct cb_coop_channel *c, uint32_t number,
                                      coop_answer *answer, struct cb_err *err)
{
    const size_t place = number % COOP_IN_LINE;
    const size_t at = offsetof(coop_channel, answers[0]) + place * sizeof *answer;
    uint32_t *shared = c->queue ? NULL : &c->shared->answers[place].number;
    if (shared && __atomic_load_n(shared, __ATOMIC_ACQUIRE) != number) {
        answer->number = 0;
        return CB_OK;
    }
    enum cb_status status = read_words(c, at, sizeof *answer, answer, err);
    return status == CB_OK && c->queue && answer->number == number
               ? read_words(c, at, sizeof *answer, answer, err)
               : status;
}

enum cb_status cb_coop_channel_look(struct cb_coop_channel *c, unsigned kernel,
                                    coop_device_kernel *words, struct cb_err *err)
{
    return read_words(c, offsetof(coop_channel, device[0]) + kernel * sizeof *words, sizeof *words,
                      words, err);
}
