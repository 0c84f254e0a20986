/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/cuda.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/library.h"

/* Values of cuda.h. */
#define MULTIPROCESSOR_COUNT  16
#define MAX_THREADS_PER_BLOCK 0

/* In the order of struct cb_cuda_functions. */
static const struct cb_symbol symbols[] = {
    {"cuInit", false},
    {"cuGetErrorName", false},
    {"cuDeviceGetByPCIBusId", false},
    {"cuDeviceGetCount", false},
    {"cuDeviceGet", false},
    {"cuDeviceGetAttribute", false},
    {"cuDevicePrimaryCtxRetain", false},
    {"cuDevicePrimaryCtxRelease_v2", false},
    {"cuCtxPushCurrent_v2", false},
    {"cuCtxPopCurrent_v2", false},
    {"cuModuleLoadData", false},
    {"cuModuleUnload", false},
    {"cuModuleGetFunction", false},
    {"cuFuncGetAttribute", false},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessor", false},
};
_Static_assert(sizeof(struct cb_cuda_functions) == sizeof(void *) * CB_COUNTOF(symbols),
               "a name for each");

struct cuda {
    struct cb_cuda_functions f;
    cb_cuda_device device;
};

bool cb_cuda_may_know(const struct cb_device *device)
{
    return strcmp(device->platform, "NVIDIA CUDA") == 0;
}

static enum cb_status check(const struct cuda *c, cb_cuda_code code, const char *what,
                            struct cb_err *err)
{
    const char *name = NULL;
    if (code == 0)
        return CB_OK;
    c->f.error_name(code, &name);
    return cb_fail(err, CB_UNSUPPORTED, "%s: %s", what, name ? name : "an unknown error");
}

/* In a virtual machine CUDA may know the device by another address; one alone is it. */
static enum cb_status find_device(struct cuda *c, const struct cb_device *device,
                                  struct cb_err *err)
{
    int n = 0;
    if (check(c, c->f.init(0), "cuInit", err) != CB_OK)
        return err->status;
    const cb_cuda_code code = c->f.by_pci(&c->device, device->pci);
    if (code != 0 && c->f.count(&n) == 0 && n == 1)
        return check(c, c->f.by_number(&c->device, 0), "cuDeviceGet", err);
    return check(c, code, "cuDeviceGetByPCIBusId", err);
}

/* CUDA refuses kernels that are given local memory as an argument, as OpenCL's are: the argument
 * becomes a plain number, which costs as many registers. The caller's to free; NULL: no memory. */
static char *without_local_arguments(const char *ptx)
{
    const char mark[] = ".ptr .shared .align ";
    char *text = strdup(ptx);
    for (char *at = text; at && (at = strstr(at, mark)) != NULL;) {
        const size_t digits = strspn(at + strlen(mark), "0123456789");
        memset(at, ' ', strlen(mark) + digits);
    }
    return text;
}

static enum cb_status ask(const struct cuda *c, void *module, const struct cb_cuda_kernel *kernel,
                          uint64_t *groups, struct cb_err *err)
{
    void *function;
    int most = 0, units = 0, each = 0;
    if (check(c, c->f.function(&function, module, kernel->name), "cuModuleGetFunction", err) ||
        check(c, c->f.function_attribute(&most, MAX_THREADS_PER_BLOCK, function),
              "cuFuncGetAttribute", err) ||
        check(c, c->f.attribute(&units, MULTIPROCESSOR_COUNT, c->device), "cuDeviceGetAttribute",
              err))
        return err->status;
    if (most > 0 && kernel->wg_size <= (size_t)most &&
        check(c, c->f.groups_per_unit(&each, function, (int)kernel->wg_size, kernel->local_bytes),
              "cuOccupancyMaxActiveBlocksPerMultiprocessor", err) != CB_OK)
        return err->status;
    *groups = (uint64_t)each * (uint64_t)units;
    return CB_OK;
}

static enum cb_status ask_in_context(const struct cuda *c, const struct cb_cuda_kernel *kernel,
                                     uint64_t *groups, struct cb_err *err)
{
    void *module;
    char *ptx = without_local_arguments(kernel->ptx);
    if (!ptx)
        return cb_no_memory(err);
    enum cb_status status = check(c, c->f.load_module(&module, ptx), "cuModuleLoadData", err);
    free(ptx);
    if (status == CB_OK) {
        status = ask(c, module, kernel, groups, err);
        c->f.unload_module(module);
    }
    return status;
}

/* The context is the device's own, which is there for no longer than it takes to ask. */
enum cb_status cb_cuda_groups(const struct cb_device *device, const struct cb_cuda_kernel *kernel,
                              uint64_t *groups, struct cb_err *err)
{
    struct cuda c = {0};
    void *context, *library; /* the library stays open: a driver need not bear to be unloaded */
    if (cb_library_load("libcuda.so.1",
                        "NVIDIA's driver (Debian: libcuda1; in a container: "
                        "NVIDIA_DRIVER_CAPABILITIES=compute)",
                        symbols, CB_COUNTOF(symbols), &c.f, &library, err) != CB_OK ||
        find_device(&c, device, err) != CB_OK ||
        check(&c, c.f.retain_context(&context, c.device), "cuDevicePrimaryCtxRetain", err) != CB_OK)
        return err->status;
    enum cb_status status = check(&c, c.f.push_context(context), "cuCtxPushCurrent", err);
    if (status == CB_OK) {
        status = ask_in_context(&c, kernel, groups, err);
        c.f.pop_context(&context);
    }
    c.f.release_context(c.device);
    return status;
}
