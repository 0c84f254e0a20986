/* SPDX-License-Identifier: Apache-2.0
 *
 * What a neighbour of our own may do, each from a queue of its own in the session's context. The
 * session has a measured clock, and outlives the work.
 */
#pragma once

#include "runtime/beside/thread.h"
#include "runtime/session.h"

/* Matrix products, in launches of about piece_s seconds. */
enum cb_status cb_beside_product(struct cb_session *session, double piece_s,
                                 struct cb_beside_work *work, struct cb_err *err);

/* A persistent grid of so many workgroups of so many work-items, which waits for nobody. Beside a
 * session that launches kernels it is there before each launch, and gone after it, since drivers
 * let programs and large copies wait for the kernels of a process (NVIDIA's). It lasts 4 s at most,
 * or four times as long as the longest wait in a kernel, and where the session launches nothing, it
 * begins anew then. It fails if it ends before what was launched beside it, or has no room. after:
 * it is launched after what the session launches, and gets what room that leaves. */
enum cb_status cb_beside_grid(struct cb_session *session, size_t groups, size_t wg_size, bool after,
                              struct cb_beside_work *work, struct cb_err *err);

/* Transfers from the host and back, of 64 MiB. */
enum cb_status cb_beside_copy(struct cb_session *session, struct cb_beside_work *work,
                              struct cb_err *err);

/* Takes all of the device's memory but so many bytes, and holds it. CB_UNSUPPORTED: it is the
 * host's. */
enum cb_status cb_beside_memory(struct cb_session *session, double left_bytes,
                                struct cb_beside_work *work, struct cb_err *err);
