/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers of users' kernels, which find accesses outside of them: on CPU devices of any kind, by
 * pages around them that nobody may touch (runtime/host/guarded.h), of which one ends the worker
 * process with a reason; on others writes after the end, by bytes that are to stay as they are.
 */
#pragma once

#include "apps/host/setup.h"
#include "runtime/session.h"

/* From now on: buffers on CPU devices are as large as is used, up to so many pages of all, whatever
 * their arguments say (cb_guarded_touched()). */
void cb_user_buffers_learn(size_t pages);

/* From now on: such buffers begin where a page does, so that an access right before one is seen,
 * rather than one right after it. */
void cb_user_buffers_begin_at_pages(bool do_so);

/* Whether such buffers hold what a run of the kernel left, with which another one begins: it may be
 * no input of the kernel's. */
void cb_user_buffers_hold_results(bool do_so);

struct cb_user_buffer {
    cl_mem memory; /* NULL: there is none */
    int guarded;   /* number of its memory between pages; -1: it has bytes after its end */
};

/* A buffer for an argument of this setup, whose contents are written later. Release it also after a
 * failure. */
enum cb_status cb_user_buffer_create(struct cb_session *session, const struct cb_setup *setup,
                                     unsigned argument, struct cb_user_buffer *buffer,
                                     struct cb_err *err);
void cb_user_buffer_release(struct cb_user_buffer *buffer);

/* From and to an image of cb_setup_guarded() bytes. */
enum cb_status cb_user_buffer_write(struct cb_session *session, const struct cb_user_buffer *buffer,
                                    const struct cb_setup_argument *argument, const void *from,
                                    struct cb_err *err);
enum cb_status cb_user_buffer_read(struct cb_session *session, const struct cb_user_buffer *buffer,
                                   const struct cb_setup_argument *argument, void *to,
                                   struct cb_err *err);
