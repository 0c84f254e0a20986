/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/nvml.h"

#include <dlfcn.h>
#include <stdio.h>

#include "runtime/library.h"

/* In the order of struct cb_nvml_functions. */
static const struct cb_symbol functions[] = {
    {"nvmlInit_v2", false},
    {"nvmlShutdown", false},
    {"nvmlErrorString", false},
    {"nvmlDeviceGetHandleByPciBusId_v2", false},
    {"nvmlDeviceGetHandleByUUID", false},
    {"nvmlDeviceGetPowerUsage", false},
    {"nvmlDeviceGetTotalEnergyConsumption", false},
    {"nvmlDeviceGetPowerManagementLimit", false},
    {"nvmlDeviceGetComputeRunningProcesses_v3", true},
    {"nvmlDeviceGetGraphicsRunningProcesses_v3", true},
    {"nvmlDeviceGetProcessUtilization", true},
    {"nvmlDeviceGetMemoryInfo_v2", true},
};
_Static_assert(sizeof(struct cb_nvml_functions) == sizeof(void *) * CB_COUNTOF(functions),
               "a name for each");

void cb_nvml_close(struct cb_nvml *nvml)
{
    if (nvml->begun)
        nvml->f.shutdown();
    if (nvml->library)
        dlclose(nvml->library);
    *nvml = (struct cb_nvml){0};
}

static enum cb_status load(struct cb_nvml *nvml, struct cb_err *err)
{
    return cb_library_load("libnvidia-ml.so.1",
                           "NVIDIA's driver (Debian: libnvidia-ml1; in a container: "
                           "NVIDIA_DRIVER_CAPABILITIES=compute,utility)",
                           functions, CB_COUNTOF(functions), &nvml->f, &nvml->library, err);
}

static enum cb_status find_device(struct cb_nvml *nvml, const struct cb_device *device,
                                  struct cb_err *err)
{
    char uuid[sizeof device->uuid + 8];
    snprintf(uuid, sizeof uuid, "GPU-%s", device->uuid);
    cb_nvml_code code = nvml->f.init();
    if (code != CB_NVML_OK)
        return cb_fail(err, CB_UNSUPPORTED, "nvmlInit: %s", nvml->f.error_string(code));
    nvml->begun = true;
    code = nvml->f.by_pci(device->pci, &nvml->device);
    if (code != CB_NVML_OK && device->uuid[0])
        code = nvml->f.by_uuid(uuid, &nvml->device);
    return code == CB_NVML_OK
               ? CB_OK
               : cb_fail(err, CB_UNSUPPORTED, "NVML does not find %s at %s: %s", device->name,
                         device->pci[0] ? device->pci : "an unknown address",
                         nvml->f.error_string(code));
}

enum cb_status cb_nvml_open(struct cb_nvml *nvml, const struct cb_device *device,
                            struct cb_err *err)
{
    *nvml = (struct cb_nvml){0};
    if (load(nvml, err) == CB_OK && find_device(nvml, device, err) == CB_OK)
        return CB_OK;
    cb_nvml_close(nvml);
    return err->status;
}
