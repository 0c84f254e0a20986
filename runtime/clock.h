/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of kernels/clock.clh: how long is a tick, and, without a clock, a turn of a wait.
 */
#pragma once

#include "runtime/session.h"

/* Sets the session's ns_per_tick, clock_resolution_ns and deadlines. */
enum cb_status cb_clock_open(struct cb_session *session, struct cb_err *err);
