/* SPDX-License-Identifier: Apache-2.0
 *
 * For the programs that tests run: a session of the device that `spec` names, as --device does.
 */
#pragma once

#include "runtime/session.h"

/* CB_NO_DEVICE: there is none. */
static enum cb_status open_session(const char *spec, struct cb_session *session, struct cb_err *err)
{
    const struct cb_session_options options = {.wait_deadline_ns = 5000000000u};
    return cb_session_open_named(session, spec, &options, err);
}
