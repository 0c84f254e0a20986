/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for NVIDIA's management library where there is none, or no GPU: a device at
 * 0000:41:00.0, or of the UUID GPU-5eed (with FAKE_NVML_ANY any device is it), that draws
 * FAKE_NVML_WATTS (else 100). "none" in FAKE_NVML_POWER, _ENERGY or _USAGE: it does not tell that;
 * FAKE_NVML_INIT is what nvmlInit_v2() returns. FAKE_NVML_PROCESSES is what it tells of processes,
 * "PID:MIB:PERCENT PID:...": the memory that each has, and its share of the time until now, or
 * until FAKE_NVML_AGO seconds ago (PID 0 is the process that asks). With FAKE_NVML_GRAPHICS they
 * draw, too. FAKE_NVML_MEMORY is "FREE:TOTAL" of the device's memory, in MiB; without it, it does
 * not tell.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/nvml.h"

#define NOT_SUPPORTED 3
#define NOT_FOUND     6

static int inits;
static char the_device;

static int is_none(const char *variable)
{
    const char *value = getenv(variable);
    return value && strcmp(value, "none") == 0;
}

static double watts(void)
{
    const char *value = getenv("FAKE_NVML_WATTS");
    return value ? strtod(value, NULL) : 100;
}

int nvmlInit_v2(void)
{
    const char *value = getenv("FAKE_NVML_INIT");
    inits++;
    return value ? atoi(value) : 0;
}

int nvmlShutdown(void)
{
    inits--;
    return 0;
}

/* The library was initialised so many times more often than it was shut down. */
int fake_nvml_inits(void)
{
    return inits;
}

const char *nvmlErrorString(int code)
{
    return code == NOT_SUPPORTED ? "Not Supported"
           : code == NOT_FOUND   ? "Not Found"
           : code == 9           ? "Driver Not Loaded"
                                 : "Unknown Error";
}

static int find(const char *name, const char *own, void **device)
{
    *device = &the_device;
    return getenv("FAKE_NVML_ANY") || strcmp(name, own) == 0 ? 0 : NOT_FOUND;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, void **device)
{
    return find(bus_id, "0000:41:00.0", device);
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    return find(uuid, "GPU-5eed", device);
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    (void)device;
    *milliwatts = (unsigned)(watts() * 1e3);
    return is_none("FAKE_NVML_POWER") ? NOT_SUPPORTED : 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    static double joules = 1e6, last;
    struct timespec t;
    (void)device;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double now = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
    joules += last > 0 ? watts() * (now - last) : 0;
    last = now;
    *millijoules = (unsigned long long)(joules * 1e3);
    return is_none("FAKE_NVML_ENERGY") ? NOT_SUPPORTED : 0;
}

int nvmlDeviceGetPowerManagementLimit(void *device, unsigned *milliwatts)
{
    (void)device;
    *milliwatts = 700000;
    return 0;
}

/* Calls take(to, i, pid, MiB, percent) for each; returns how many there are. */
static unsigned each_process(void (*take)(void *to, unsigned i, unsigned pid, unsigned mib,
                                          unsigned percent),
                             void *to)
{
    const char *rest = getenv("FAKE_NVML_PROCESSES");
    unsigned n = 0, pid, mib, percent;
    int used;
    while (rest && sscanf(rest, "%u:%u:%u%n", &pid, &mib, &percent, &used) == 3) {
        take(to, n++, pid ? pid : (unsigned)getpid(), mib, percent);
        rest += used;
    }
    return n;
}

static void take_process(void *to, unsigned i, unsigned pid, unsigned mib, unsigned percent)
{
    (void)percent;
    ((struct cb_nvml_process *)to)[i] =
        (struct cb_nvml_process){pid, (unsigned long long)mib << 20, 0, 0};
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *n,
                                            struct cb_nvml_process *processes)
{
    (void)device;
    *n = each_process(take_process, processes);
    return 0;
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(void *device, unsigned *n,
                                             struct cb_nvml_process *processes)
{
    (void)device;
    *n = getenv("FAKE_NVML_GRAPHICS") ? each_process(take_process, processes) : 0;
    return 0;
}

static unsigned long long usage_us(void)
{
    const char *ago = getenv("FAKE_NVML_AGO");
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return ((unsigned long long)t.tv_sec - (ago ? strtoull(ago, NULL, 10) : 0)) * 1000000 +
           (unsigned long long)t.tv_nsec / 1000;
}

static void take_usage(void *to, unsigned i, unsigned pid, unsigned mib, unsigned percent)
{
    (void)mib;
    ((struct cb_nvml_usage *)to)[i] = (struct cb_nvml_usage){pid, usage_us(), percent, 0, 0, 0};
}

int nvmlDeviceGetProcessUtilization(void *device, struct cb_nvml_usage *usage, unsigned *n,
                                    unsigned long long since_us)
{
    (void)device;
    if (is_none("FAKE_NVML_USAGE"))
        return NOT_SUPPORTED;
    *n = usage_us() > since_us ? each_process(take_usage, usage) : 0;
    return *n > 0 ? 0 : NOT_FOUND;
}

int nvmlDeviceGetMemoryInfo_v2(void *device, struct cb_nvml_memory *memory)
{
    const char *value = getenv("FAKE_NVML_MEMORY");
    unsigned free_mib, total_mib;
    (void)device;
    if (memory->version != CB_NVML_MEMORY_VERSION || !value ||
        sscanf(value, "%u:%u", &free_mib, &total_mib) != 2)
        return NOT_SUPPORTED;
    memory->total = (unsigned long long)total_mib << 20;
    memory->free = (unsigned long long)free_mib << 20;
    memory->used = memory->total - memory->free;
    return 0;
}
