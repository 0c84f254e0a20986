/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of kernels/discovery.clh.
 */
#pragma once

#include "runtime/session.h"

/* The least time without a new participant before an adaptive poll closes, for devices like this.
 * On CPU devices the operating system starts the workgroups' threads, which takes its time. */
double cb_discovery_quiet_ns(const struct cb_device *device);

/* The same as the kernels' argument `quiet`: in ticks of the device clock, of which it is at least
 * a few steps, since a coarse clock makes any wait look as long as its step; or, without a clock,
 * in turns. */
uint64_t cb_discovery_quiet(const struct cb_session *session, double quiet_ns);
