/* SPDX-License-Identifier: Apache-2.0
 *
 * An app on two devices, and one open case of migrate.
 */
#pragma once

#include "apps/host/case.h"
#include "probes/migrate/plan.h"
#include "runtime/clock.h"
#include "runtime/pinned.h"

/* The batch: the same input on both devices. Index 0 is the device of the case, 1 the other. */
struct cb_migrate_devices {
    struct cb_session other;
    struct cb_app_instance on[2];
    struct cb_pinned through; /* memory that a copy goes through */
};

/* The device to move to: the one that `to` names (cb_device_select()), or the first other one on
 * which apps have the same form. It belongs to `all`. CB_UNSUPPORTED: there is none, or apps have
 * another form there; CB_USAGE: it is the device itself. */
enum cb_status cb_migrate_choose(const struct cb_devices *all, const struct cb_device *device,
                                 const char *to, const struct cb_device **other,
                                 struct cb_err *err);

/* Opens the other device, and the input on both; close it also after a failure. CB_UNSUPPORTED:
 * there is no other device, one of them has too little memory, or the app cannot move. CB_USAGE:
 * both are the same. */
enum cb_status cb_migrate_open_devices(struct cb_session *session, const cJSON *params,
                                       void **devices, struct cb_err *err);
void cb_migrate_close_devices(void *devices);

struct cb_migrate {
    const struct cb_migrate_devices *devices;
    struct cb_coop *coop[2];
    size_t workers[2];
    unsigned moves;
    double stay_ns;
};

/* One sample: the app runs again and again, and moves to and fro meanwhile. */
enum cb_status cb_migrate_sample(struct cb_migrate *m, struct cb_sample *sample,
                                 struct cb_err *err);
