/* SPDX-License-Identifier: Apache-2.0
 *
 * What a source of power readings is (runtime/power_*.c).
 */
#pragma once

#include "runtime/power/power.h"

struct cb_power { /* the first member of each source */
    const char *source;
    double limit_w;
    enum cb_status (*read)(struct cb_power *power, struct cb_power_reading *reading,
                           struct cb_err *err); /* without the time */
    void (*close)(struct cb_power *power);
};

enum cb_status cb_power_open_nvml(const struct cb_device *device, struct cb_power **power,
                                  struct cb_err *err);
enum cb_status cb_power_open_rapl(struct cb_power **power, struct cb_err *err);
