/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for CUDA where there is none, or no GPU: one device at 0000:41:00.0, or of the address
 * FAKE_CUDA_PCI, with 4 multiprocessors of 2048 threads and 64 KiB of shared memory, of which a
 * block takes 1 KiB more than it asks for. A module is PTX without an argument in shared memory;
 * its kernels take FAKE_CUDA_THREADS threads (else 1024) at most. FAKE_CUDA_INIT is what cuInit()
 * returns, FAKE_CUDA_DEVICES how many devices there are.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INVALID_DEVICE 101
#define INVALID_IMAGE  200
#define NO_CONTEXT     201
#define NOT_FOUND      500

static int contexts, pushed, modules;
static char the_context, the_module, the_function;
static char text[65536];

static int number(const char *variable, int otherwise)
{
    const char *value = getenv(variable);
    return value ? atoi(value) : otherwise;
}

/* Contexts, and modules, that are still there. */
int fake_cuda_left(void)
{
    return contexts + pushed + modules;
}

int cuInit(unsigned flags)
{
    return flags ? INVALID_DEVICE : number("FAKE_CUDA_INIT", 0);
}

int cuGetErrorName(int code, const char **name)
{
    *name = code == INVALID_DEVICE  ? "CUDA_ERROR_INVALID_DEVICE"
            : code == INVALID_IMAGE ? "CUDA_ERROR_INVALID_IMAGE"
            : code == NOT_FOUND     ? "CUDA_ERROR_NOT_FOUND"
                                    : NULL;
    return *name ? 0 : 1;
}

int cuDeviceGetByPCIBusId(int *device, const char *bus_id)
{
    const char *address = getenv("FAKE_CUDA_PCI");
    *device = 0;
    return strcmp(bus_id, address ? address : "0000:41:00.0") == 0 ? 0 : INVALID_DEVICE;
}

int cuDeviceGetCount(int *n)
{
    *n = number("FAKE_CUDA_DEVICES", 1);
    return 0;
}

int cuDeviceGet(int *device, int i)
{
    *device = i;
    return i < number("FAKE_CUDA_DEVICES", 1) ? 0 : INVALID_DEVICE;
}

int cuDeviceGetAttribute(int *value, int what, int device)
{
    *value = 4;
    return what == 16 && device == 0 ? 0 : INVALID_DEVICE;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    contexts++;
    *context = &the_context;
    return device == 0 ? 0 : INVALID_DEVICE;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    contexts--;
    return device;
}

int cuCtxPushCurrent_v2(void *context)
{
    pushed++;
    return context == &the_context ? 0 : NO_CONTEXT;
}

int cuCtxPopCurrent_v2(void **context)
{
    pushed--;
    *context = &the_context;
    return 0;
}

int cuModuleLoadData(void **module, const void *image)
{
    if (pushed != 1)
        return NO_CONTEXT;
    if (strncmp(image, ".version", 8) != 0 || strstr(image, ".ptr .shared"))
        return INVALID_IMAGE;
    snprintf(text, sizeof text, "%s", (const char *)image);
    modules++;
    *module = &the_module;
    return 0;
}

int cuModuleUnload(void *module)
{
    modules--;
    return module == &the_module ? 0 : INVALID_IMAGE;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    char entry[128];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    *function = &the_function;
    return module == &the_module && strstr(text, entry) ? 0 : NOT_FOUND;
}

int cuFuncGetAttribute(int *value, int what, void *function)
{
    *value = number("FAKE_CUDA_THREADS", 1024);
    return what == 0 && function == &the_function ? 0 : NOT_FOUND;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, void *function, int threads,
                                                size_t shared)
{
    const int by_threads = 2048 / threads, by_shared = (int)(65536 / (shared + 1024));
    *groups = by_threads < by_shared ? by_threads : by_shared;
    return function == &the_function ? 0 : NOT_FOUND;
}
