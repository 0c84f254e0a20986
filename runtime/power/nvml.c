/* SPDX-License-Identifier: Apache-2.0
 *
 * NVIDIA's management library, as far as it is used here: it comes with the driver, and is loaded
 * only where it is needed. Declared are the few functions that read.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/power/internal.h"

#define LIBRARY      "libnvidia-ml.so.1"
#define NVML_SUCCESS 0

typedef int nvml_return;
typedef struct nvml_device_handle *nvml_device;

struct functions {
    nvml_return (*init)(void);
    nvml_return (*shutdown)(void);
    const char *(*error_string)(nvml_return code);
    nvml_return (*by_pci)(const char *bus_id, nvml_device *device);
    nvml_return (*by_uuid)(const char *uuid, nvml_device *device);
    nvml_return (*power)(nvml_device device, unsigned *milliwatts);
    nvml_return (*energy)(nvml_device device, unsigned long long *millijoules);
    nvml_return (*limit)(nvml_device device, unsigned *milliwatts);
};

static const char *const names[] = {
    "nvmlInit_v2",
    "nvmlShutdown",
    "nvmlErrorString",
    "nvmlDeviceGetHandleByPciBusId_v2",
    "nvmlDeviceGetHandleByUUID",
    "nvmlDeviceGetPowerUsage",
    "nvmlDeviceGetTotalEnergyConsumption",
    "nvmlDeviceGetPowerManagementLimit",
};
_Static_assert(sizeof(struct functions) == sizeof(void *) * CB_COUNTOF(names), "a name for each");

struct source {
    struct cb_power power; /* the first member */
    void *library;
    struct functions f;
    bool begun; /* init() was called */
    nvml_device device;
    bool tells_energy, tells_power;
    unsigned long long first_mj;
};

static void close_source(struct cb_power *power)
{
    struct source *s = (struct source *)power;
    if (s->begun)
        s->f.shutdown();
    if (s->library)
        dlclose(s->library);
    free(s);
}

static enum cb_status load(struct source *s, struct cb_err *err)
{
    s->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!s->library)
        return cb_fail(err, CB_UNSUPPORTED,
                       "the GPU's power is read through " LIBRARY ", which cannot be loaded (%s): "
                       "it is a part of NVIDIA's driver (Debian: libnvidia-ml1; in a container: "
                       "NVIDIA_DRIVER_CAPABILITIES=compute,utility)",
                       dlerror());
    for (size_t i = 0; i < CB_COUNTOF(names); i++) {
        void *symbol = dlsym(s->library, names[i]);
        if (!symbol)
            return cb_fail(err, CB_UNSUPPORTED, LIBRARY " has no %s: its driver is too old",
                           names[i]);
        memcpy((char *)&s->f + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return CB_OK;
}

static enum cb_status find_device(struct source *s, const struct cb_device *device,
                                  struct cb_err *err)
{
    char uuid[sizeof device->uuid + 8];
    snprintf(uuid, sizeof uuid, "GPU-%s", device->uuid);
    nvml_return code = s->f.init();
    if (code != NVML_SUCCESS)
        return cb_fail(err, CB_UNSUPPORTED, "the GPU's power is not to be had: nvmlInit: %s",
                       s->f.error_string(code));
    s->begun = true;
    code = s->f.by_pci(device->pci, &s->device);
    if (code != NVML_SUCCESS && device->uuid[0])
        code = s->f.by_uuid(uuid, &s->device);
    return code == NVML_SUCCESS
               ? CB_OK
               : cb_fail(err, CB_UNSUPPORTED,
                         "the GPU's power is not to be had: NVML does not find %s at %s: %s",
                         device->name, device->pci[0] ? device->pci : "an unknown address",
                         s->f.error_string(code));
}

static double limit_of(const struct source *s)
{
    unsigned milliwatts;
    return s->f.limit(s->device, &milliwatts) == NVML_SUCCESS ? milliwatts / 1e3 : NAN;
}

static enum cb_status find_readings(struct source *s, const struct cb_device *device,
                                    struct cb_err *err)
{
    unsigned milliwatts;
    nvml_return code = s->f.power(s->device, &milliwatts);
    s->tells_power = code == NVML_SUCCESS;
    s->tells_energy = s->f.energy(s->device, &s->first_mj) == NVML_SUCCESS;
    return s->tells_power || s->tells_energy
               ? CB_OK
               : cb_fail(err, CB_UNSUPPORTED, "%s tells neither power nor energy: NVML: %s",
                         device->name, s->f.error_string(code));
}

static enum cb_status read_source(struct cb_power *power, struct cb_power_reading *reading,
                                  struct cb_err *err)
{
    struct source *s = (struct source *)power;
    unsigned milliwatts = 0;
    unsigned long long millijoules = 0;
    nvml_return code = NVML_SUCCESS;
    if (s->tells_energy)
        code = s->f.energy(s->device, &millijoules);
    if (s->tells_power && code == NVML_SUCCESS)
        code = s->f.power(s->device, &milliwatts);
    if (code != NVML_SUCCESS)
        return cb_fail(err, CB_ERROR, "the GPU's power: NVML: %s", s->f.error_string(code));
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
    if (load(s, err) != CB_OK || find_device(s, device, err) != CB_OK ||
        find_readings(s, device, err) != CB_OK) {
        close_source(&s->power);
        return err->status;
    }
    s->power.limit_w = limit_of(s);
    *power = &s->power;
    return CB_OK;
}
