/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL devices: what they are, what they can do of what matters here, and how users name them.
 *
 * Only worker processes call OpenCL. The parent gets the list of devices from a worker as JSON, and
 * chooses among the descriptions.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "runtime/cl.h"

#define CB_POCL_PLATFORM "Portable Computing Language"

/* What a driver says of a device. Text that is not known is empty; numbers are 0. One table in
 * device.c gives each field its JSON key and its label. */
struct cb_device {
    char id[128];   /* stable: "uuid:...", else "pci:...", else "name:..." */
    char index[16]; /* "platform:device", as enumerated now */
    char uuid[40];
    char pci[24]; /* "0000:41:00.0" */
    char name[128];
    char vendor[128];
    char type[16]; /* "gpu", "cpu", "accelerator", "other" */
    char platform[128];
    char platform_version[128];
    char device_version[128];
    char driver_version[128];
    uint64_t compute_units;
    uint64_t host_cores; /* CPU devices: cores that this process may use; else 0 */
    uint64_t max_clock_mhz;
    uint64_t global_mem_bytes;
    uint64_t local_mem_bytes;
    uint64_t max_wg_size;
    uint64_t event_resolution_ns; /* resolution of profiling events */
    char atomic_order[16]; /* strongest: "relaxed", "acq_rel", "seq_cst"; empty before OpenCL 2.0 */
    char atomic_scope[16]; /* widest: "work_group", "device", "all_devices" */
    char svm[64];         /* "coarse,fine_buffer,fine_system,atomics", those that hold, or "none" */
    char atomics[8];      /* back end of kernels/atomics.clh: "c11", "ptx", "cl12" */
    char host_channel[8]; /* how a host reaches a running kernel: "svm" or "queue" */
    char clock[16];       /* clock.clh: "globaltimer", "tsc", "cntvct", "khr", "none" */
    char relax[16];       /* wait.clh: "sched_yield" or "none" */
};

/* Whether a device with this type runs its kernels on the host's cores, one workgroup on each. */
static inline bool cb_device_type_is_cpu(const char *type)
{
    return strcmp(type, "cpu") == 0;
}

static inline bool cb_device_is_cpu(const struct cb_device *device)
{
    return cb_device_type_is_cpu(device->type);
}

/* The devices found by an enumeration. */
struct cb_devices {
    struct cb_device *items;
    int count;
    char *trouble; /* with drivers: lines for the user; NULL: none */
};

/* All devices of all platforms (calls OpenCL: in a worker only). No device at all is not an error.
 */
enum cb_status cb_devices_enumerate(struct cb_devices *out, struct cb_err *err);

/* The handle of the device with this id; CB_NO_DEVICE if it has gone (in a worker only). */
enum cb_status cb_device_open(const char *id, cl_platform_id *platform, cl_device_id *device,
                              struct cb_device *info, struct cb_err *err);

/* Whether the device lists this OpenCL extension. */
bool cb_device_has_extension(cl_device_id device, const char *name);

/* Major compute capability of an NVIDIA GPU; 0 for other devices (in a worker only). */
unsigned cb_device_nvidia_capability(cl_device_id device);

void cb_devices_free(struct cb_devices *devices);

/* A device as a JSON object and back; unknown keys are ignored. */
cJSON *cb_device_to_json(const struct cb_device *device);
void cb_device_from_json(struct cb_device *device, const cJSON *object);

/* How many workgroups run at once, where the driver says it: as many as PoCL has threads. 0: it has
 * to be found out (runtime/discovery.h). */
uint64_t cb_device_known_groups(const struct cb_device *device);

/* "132 compute units", or "8 PoCL threads on 2 cores": PoCL takes as many threads as it is told.
 * Empty if the device does not say. */
void cb_device_units(const struct cb_device *device, char *text, size_t size);

/* "5.713 GiB" */
void cb_device_bytes(uint64_t bytes, char *text, size_t size);

/* Calls emit(label, value) for every field that is known, in the order of the table. */
void cb_device_describe(const struct cb_device *device,
                        void (*emit)(void *context, const char *label, const char *value),
                        void *context);

/* Whether the device can have the atomics back end that is chosen in it: what cannot work is
 * refused before a compiler gives a thousand lines of errors. CB_UNSUPPORTED says what to use
 * instead. */
enum cb_status cb_device_check_atomics(const struct cb_device *device, struct cb_err *err);

/* Whether what the driver says of the device can be: it is divided by, and allocated. CB_NO_DEVICE:
 * it cannot, and the device is of no use. */
enum cb_status cb_device_check(const struct cb_device *device, struct cb_err *err);

/* Chooses devices by a specification (docs of --device):
 *
 *     ""                           the first GPU, else the first CPU, else any
 *     "all"
 *     "gpu", "cpu", "accelerator"  the first of that type
 *     "P:D"                        as enumerated
 *     an id
 *     "name:TEXT"                  the one whose name holds TEXT, whatever the case
 *     "pci:...", "uuid:..."        the one with this address, or a prefix of it
 *     "GPU-...", "MIG-..."         the same as nvidia-smi, Slurm and CUDA_VISIBLE_DEVICES have it
 *     "00000000:41:00.0"           as nvidia-smi has it; "41:00.0" as lspci; also after "pci:"
 *
 * selected has room for devices->count indices. CB_NO_DEVICE, with the list of what there is, if
 * nothing matches; CB_USAGE if the specification makes no sense or is ambiguous. */
enum cb_status cb_device_select(const struct cb_devices *devices, const char *spec, int *selected,
                                int *n_selected, struct cb_err *err);
