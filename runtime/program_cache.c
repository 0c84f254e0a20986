/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/program_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/host/files.h"

#define NVIDIA "NVIDIA CUDA" /* platforms */
#define POCL   "Portable Computing Language"

static bool is_set_to(const char *variable, const char *value)
{
    const char *now = getenv(variable);
    return now && strcmp(now, value) == 0;
}

bool cb_driver_keeps_programs(const struct cb_device *device)
{
    if (strcmp(device->platform, NVIDIA) == 0)
        return !is_set_to("CUDA_CACHE_DISABLE", "1");
    if (strcmp(device->platform, POCL) == 0)
        return !is_set_to("POCL_KERNEL_CACHE", "0");
    return false;
}

void cb_driver_cache_identity(const struct cb_device *device, char *text, size_t size)
{
    static const struct cb_folder_place nvidia[] = {{"CUDA_CACHE_PATH", ""},
                                                    {"HOME", "/.nv/ComputeCache"}},
                                        pocl[] = {{"POCL_CACHE_DIR", ""},
                                                  {"XDG_CACHE_HOME", "/pocl/kcache"},
                                                  {"HOME", "/.cache/pocl/kcache"}};
    bool is_nvidia = strcmp(device->platform, NVIDIA) == 0;
    char folder[512];
    struct stat info;
    struct cb_err ignored;
    snprintf(text, size, "none");
    if (cb_driver_keeps_programs(device) &&
        cb_find_folder(is_nvidia ? nvidia : pocl, is_nvidia ? CB_COUNTOF(nvidia) : CB_COUNTOF(pocl),
                       folder, sizeof folder, &ignored) == CB_OK &&
        stat(folder, &info) == 0)
        snprintf(text, size, "%ju:%ju", (uintmax_t)info.st_dev, (uintmax_t)info.st_ino);
}

struct cb_cache_key cb_program_key(const struct cb_device *device, const char *text,
                                   const char *options)
{
    const char *const parts[] = {
        "program",    device->platform,       device->platform_version, device->id,
        device->name, device->device_version, device->driver_version,   options,
        text};
    struct cb_cache_key key = cb_cache_key_start();
    for (size_t i = 0; i < CB_COUNTOF(parts); i++)
        cb_cache_key_add(&key, parts[i]);
    return key;
}

cl_program cb_program_load(const struct cb_session *s, struct cb_cache_key key, const char *options)
{
    void *binary;
    size_t size;
    if (!cb_cache_get(key, &binary, &size))
        return NULL;
    cl_int code, taken = CL_SUCCESS;
    const unsigned char *binaries[] = {binary};
    cl_program program =
        clCreateProgramWithBinary(s->context, 1, &s->device, &size, binaries, &taken, &code);
    free(binary);
    if (code == CL_SUCCESS && taken == CL_SUCCESS &&
        clBuildProgram(program, 1, &s->device, options, NULL, NULL) == CL_SUCCESS)
        return program;
    if (code == CL_SUCCESS)
        clReleaseProgram(program);
    cb_cache_remove(key);
    return NULL;
}

/* The context has one device, and so the program one binary. */
char *cb_program_binary(cl_program program, size_t *size)
{
    *size = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL) !=
            CL_SUCCESS ||
        *size == 0 || *size > CB_CACHE_BYTES)
        return NULL;
    char *binary = calloc(1, *size + 1);
    if (binary &&
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        return binary;
    free(binary);
    return NULL;
}

void cb_program_keep(struct cb_cache_key key, cl_program program)
{
    size_t size;
    char *binary = cb_program_binary(program, &size);
    if (binary)
        cb_cache_put(key, binary, size);
    free(binary);
}
