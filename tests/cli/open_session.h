/* SPDX-License-Identifier: Apache-2.0
 *
 * For the programs that tests run: a session of the device that `spec` names, as --device does.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "runtime/clock.h"
#include "runtime/session.h"

static enum cb_status find_device(const char *spec, char id[128], struct cb_err *err)
{
    struct cb_devices devices;
    int n = 0;
    if (cb_devices_enumerate(&devices, err) != CB_OK)
        return err->status;
    int *all = calloc((size_t)devices.count + 1, sizeof *all);
    enum cb_status status = all ? cb_device_select(&devices, spec, all, &n, err)
                                : cb_fail(err, CB_ERROR, "out of memory");
    if (status == CB_OK)
        memcpy(id, devices.items[all[0]].id, sizeof devices.items[all[0]].id);
    free(all);
    cb_devices_free(&devices);
    return status;
}

/* CB_NO_DEVICE: there is none. */
static enum cb_status open_session(const char *spec, struct cb_session *session, struct cb_err *err)
{
    const struct cb_session_options options = {.wait_deadline_ns = 5000000000u};
    char id[128];
    if (find_device(spec, id, err) != CB_OK || cb_session_open(session, id, &options, err) != CB_OK)
        return err->status;
    return cb_clock_open(session, err);
}
