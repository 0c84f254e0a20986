/* SPDX-License-Identifier: Apache-2.0
 *
 * NVIDIA's management library and a device in it: it comes with the driver, and is loaded only
 * where it is asked for. Declared is what is read here; nothing is ever set. No OpenCL.
 */
#pragma once

#include "runtime/device.h"
#include "runtime/host/error.h"

#define CB_NVML_OK        0
#define CB_NVML_NOT_FOUND 6

typedef int cb_nvml_code;
typedef struct nvml_device_handle *cb_nvml_device;

/* A process that has the device open. */
struct cb_nvml_process {
    unsigned pid;
    unsigned long long bytes; /* of the device's memory; all bits set: not known */
    unsigned gpu_instance, compute_instance;
};

/* How much of the time until then a process had kernels on the device. */
struct cb_nvml_usage {
    unsigned pid;
    unsigned long long time_us; /* since 1970 */
    unsigned sm_percent, memory_percent, encoder_percent, decoder_percent;
};

/* Version 2 of nvmlMemory_t. */
struct cb_nvml_memory {
    unsigned version;
    unsigned long long total, reserved, free, used;
};
#define CB_NVML_MEMORY_VERSION (sizeof(struct cb_nvml_memory) | 2u << 24)

/* What the library has; those of the second half are NULL in drivers that are too old. */
struct cb_nvml_functions {
    cb_nvml_code (*init)(void);
    cb_nvml_code (*shutdown)(void);
    const char *(*error_string)(cb_nvml_code code);
    cb_nvml_code (*by_pci)(const char *bus_id, cb_nvml_device *device);
    cb_nvml_code (*by_uuid)(const char *uuid, cb_nvml_device *device);
    cb_nvml_code (*power)(cb_nvml_device device, unsigned *milliwatts);
    cb_nvml_code (*energy)(cb_nvml_device device, unsigned long long *millijoules);
    cb_nvml_code (*limit)(cb_nvml_device device, unsigned *milliwatts);

    cb_nvml_code (*compute_processes)(cb_nvml_device device, unsigned *n,
                                      struct cb_nvml_process *processes);
    cb_nvml_code (*graphics_processes)(cb_nvml_device device, unsigned *n,
                                       struct cb_nvml_process *processes);
    cb_nvml_code (*usage)(cb_nvml_device device, struct cb_nvml_usage *usage, unsigned *n,
                          unsigned long long since_us);
    cb_nvml_code (*memory)(cb_nvml_device device, struct cb_nvml_memory *memory);
};

struct cb_nvml {
    void *library;
    bool begun; /* init() was called */
    cb_nvml_device device;
    struct cb_nvml_functions f;
};

/* Loads the library and finds the device in it. CB_UNSUPPORTED: there is no such library, or it
 * does not know the device; then nothing is open. */
enum cb_status cb_nvml_open(struct cb_nvml *nvml, const struct cb_device *device,
                            struct cb_err *err);
void cb_nvml_close(struct cb_nvml *nvml); /* one that is zero, too */
