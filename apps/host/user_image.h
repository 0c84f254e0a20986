/* SPDX-License-Identifier: Apache-2.0
 *
 * Images and samplers of users' tasks. Their pixels lie one after the other on the host.
 */
#pragma once

#include "apps/host/setup.h"
#include "runtime/session.h"

/* One of both; NULL: there is none. */
struct cb_user_image {
    cl_mem memory;
    cl_sampler sampler;
};

/* That of an argument, whose contents are written later. CB_UNSUPPORTED: the device has none of the
 * kind, or of the size. */
enum cb_status cb_user_image_create(struct cb_session *session, const struct cb_setup *setup,
                                    unsigned argument, struct cb_user_image *image,
                                    struct cb_err *err);
void cb_user_image_release(struct cb_user_image *image);

/* As an argument of a kernel. */
struct cb_kernel_value cb_user_image_value(const struct cb_user_image *image);

/* From and to cb_setup_guarded() bytes; a sampler has no contents. */
enum cb_status cb_user_image_write(struct cb_session *session, const struct cb_user_image *image,
                                   const struct cb_setup_argument *argument, const void *from,
                                   struct cb_err *err);
enum cb_status cb_user_image_read(struct cb_session *session, const struct cb_user_image *image,
                                  const struct cb_setup_argument *argument, void *to,
                                  struct cb_err *err);
