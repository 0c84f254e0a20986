/* SPDX-License-Identifier: Apache-2.0
 *
 * What a cooperative kernel takes with it when it moves to another device (models/move.pml): the
 * state that cb_coop_kill() leaves, and the contents of its buffers.
 *
 *     cb_app_open_input_for(session, app, input, room, &on, err);    on both devices
 *     cb_coop_kill(coop, NULL, &left, err);
 *     cb_app_copy_buffers(&on, &there, through, &bytes, err);
 *     cb_coop_start(coop_there, workers, &(struct cb_coop_start){.from = &left, ...}, err);
 */
#pragma once

#include "apps/host/run.h"

/* Why the app cannot move with this configuration, as the rest of a sentence; NULL: it can. */
const char *cb_app_cannot_move(const struct cb_app *app, const struct cb_coop_config *config);

#define CB_APP_COPY_BYTES ((size_t)32 << 20)

/* Copies the contents of all buffers among the app's arguments, while no kernel runs on either
 * device, and waits. Both have opened the same input for as many workgroups. through: the host's
 * memory that they go through, CB_APP_COPY_BYTES; sooner if it is pinned. bytes: how many were
 * copied. CB_ERROR: an argument is something else in memory, as an image. */
enum cb_status cb_app_copy_buffers(const struct cb_app_instance *from,
                                   const struct cb_app_instance *to, void *through, size_t *bytes,
                                   struct cb_err *err);
