/* SPDX-License-Identifier: Apache-2.0
 *
 * Power and energy of an NVIDIA GPU, through its management library.
 */
#include <math.h>
#include <stdlib.h>

#include "runtime/nvml.h"
#include "runtime/power/internal.h"

struct source {
    struct cb_power power; /* the first member */
    struct cb_nvml nvml;
    bool tells_energy, tells_power;
    unsigned long long first_mj;
};

static void close_source(struct cb_power *power)
{
    struct source *s = (struct source *)power;
    cb_nvml_close(&s->nvml);
    free(s);
}

static double limit_of(const struct source *s)
{
    unsigned milliwatts;
    return s->nvml.f.limit(s->nvml.device, &milliwatts) == CB_NVML_OK ? milliwatts / 1e3 : NAN;
}

static enum cb_status find_readings(struct source *s, const struct cb_device *device,
                                    struct cb_err *err)
{
    const struct cb_nvml *n = &s->nvml;
    unsigned milliwatts;
    cb_nvml_code code = n->f.power(n->device, &milliwatts);
    s->tells_power = code == CB_NVML_OK;
    s->tells_energy = n->f.energy(n->device, &s->first_mj) == CB_NVML_OK;
    return s->tells_power || s->tells_energy
               ? CB_OK
               : cb_fail(err, CB_UNSUPPORTED, "%s tells neither power nor energy: NVML: %s",
                         device->name, n->f.error_string(code));
}

static enum cb_status read_source(struct cb_power *power, struct cb_power_reading *reading,
                                  struct cb_err *err)
{
    struct source *s = (struct source *)power;
    const struct cb_nvml *n = &s->nvml;
    unsigned milliwatts = 0;
    unsigned long long millijoules = 0;
    cb_nvml_code code = CB_NVML_OK;
    if (s->tells_energy)
        code = n->f.energy(n->device, &millijoules);
    if (s->tells_power && code == CB_NVML_OK)
        code = n->f.power(n->device, &milliwatts);
    if (code != CB_NVML_OK)
        return cb_fail(err, CB_ERROR, "the GPU's power: NVML: %s", n->f.error_string(code));
    reading->joules = s->tells_energy ? (double)(millijoules - s->first_mj) / 1e3 : NAN;
    reading->watts = s->tells_power ? milliwatts / 1e3 : NAN;
    return CB_OK;
}

enum cb_status cb_power_open_nvml(const struct cb_device *device, struct cb_power **power,
                                  struct cb_err *err)
{
    struct source *s = calloc(1, sizeof *s);
    if (!s)
        return cb_no_memory(err);
    s->power = (struct cb_power){"nvml", NAN, read_source, close_source};
    if (cb_nvml_open(&s->nvml, device, err) != CB_OK || find_readings(s, device, err) != CB_OK) {
        close_source(&s->power);
        return cb_context(err, "the GPU's power is not to be had");
    }
    s->power.limit_w = limit_of(s);
    *power = &s->power;
    return CB_OK;
}
