/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "apps/host/case.h"
#include "measure/bench.h"

/* The parameters of a case. */
struct cb_migrate_case {
    struct cb_app_params app;
    const char *to; /* a device (cb_device_select()); NULL: the first other one of its kind */
    unsigned moves, workgroups_there;
    double stay_s;
};

extern const struct cb_param cb_migrate_params[];
extern const struct cb_field cb_migrate_fields[];

enum cb_status cb_migrate_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);
