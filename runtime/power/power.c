/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "runtime/host/time.h"
#include "runtime/power/internal.h"

enum cb_status cb_power_open(const struct cb_device *device, struct cb_power **power,
                             struct cb_err *err)
{
    *power = NULL;
    if (cb_device_is_cpu(device))
        return cb_power_open_rapl(power, err);
    if (strstr(device->vendor, "NVIDIA") || strstr(device->platform, "NVIDIA"))
        return cb_power_open_nvml(device, power, err);
    return cb_fail(err, CB_UNSUPPORTED,
                   "the power of %s is not known: it is read from NVIDIA GPUs (NVML) and from CPUs "
                   "(RAPL) only",
                   device->name);
}

void cb_power_close(struct cb_power *power)
{
    if (power)
        power->close(power);
}

const char *cb_power_source(const struct cb_power *power)
{
    return power->source;
}

double cb_power_limit(const struct cb_power *power)
{
    return power->limit_w;
}

/* A reading may take a millisecond: it is of its middle. */
enum cb_status cb_power_read(struct cb_power *power, struct cb_power_reading *reading,
                             struct cb_err *err)
{
    double before = (double)cb_now_ns();
    enum cb_status status = power->read(power, reading, err);
    reading->time_ns = before / 2 + (double)cb_now_ns() / 2;
    return status;
}
