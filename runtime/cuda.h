/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's occupancy calculator, asked about a kernel of OpenCL. CUDA comes with NVIDIA's driver, and
 * is loaded only where it is asked for. No OpenCL here, and nothing runs on the device.
 */
#pragma once

#include <stdint.h>

#include "runtime/device.h"
#include "runtime/host/error.h"

typedef int cb_cuda_code; /* 0: no error */
typedef int cb_cuda_device;

/* What the library has. */
struct cb_cuda_functions {
    cb_cuda_code (*init)(unsigned flags);
    cb_cuda_code (*error_name)(cb_cuda_code code, const char **name);
    cb_cuda_code (*by_pci)(cb_cuda_device *device, const char *bus_id);
    cb_cuda_code (*count)(int *n);
    cb_cuda_code (*by_number)(cb_cuda_device *device, int number);
    cb_cuda_code (*attribute)(int *value, int what, cb_cuda_device device);
    cb_cuda_code (*retain_context)(void **context, cb_cuda_device device);
    cb_cuda_code (*release_context)(cb_cuda_device device);
    cb_cuda_code (*push_context)(void *context);
    cb_cuda_code (*pop_context)(void **context);
    cb_cuda_code (*load_module)(void **module, const void *image);
    cb_cuda_code (*unload_module)(void *module);
    cb_cuda_code (*function)(void **function, void *module, const char *name);
    cb_cuda_code (*function_attribute)(int *value, int what, void *function);
    cb_cuda_code (*groups_per_unit)(int *groups, void *function, int wg_size, size_t local_bytes);
};

/* A kernel that the driver has compiled to PTX. */
struct cb_cuda_kernel {
    const char *ptx, *name;
    size_t wg_size;
    size_t local_bytes; /* of arguments in local memory, beside what the kernel declares */
};

/* Whether CUDA may know the device. */
bool cb_cuda_may_know(const struct cb_device *device);

/* Sets how many workgroups CUDA says are on the device at once (cuOccupancyMaxActiveBlocks-
 * PerMultiprocessor times its multiprocessors); 0: none fits. CB_UNSUPPORTED: there is no CUDA, or
 * it takes neither the device nor the kernel. */
enum cb_status cb_cuda_groups(const struct cb_device *device, const struct cb_cuda_kernel *kernel,
                              uint64_t *groups, struct cb_err *err);
