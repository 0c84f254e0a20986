/* SPDX-License-Identifier: Apache-2.0
 *
 * A user of kernels/ who has nothing else of coopbench: builds FILE for the first CPU device with
 * the given options, and runs its kernel `total` (docs/kernel-library.md). 0: every workgroup has
 * seen the total; 1: not; 77: no CPU device.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#include "barrier_abi.h"
#include "launch_abi.h"

#define GROUPS 4
#define ITEMS  64

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: OpenCL error %d\n", what, code);
    exit(1);
}

static cl_device_id find_cpu(void)
{
    cl_platform_id platforms[16];
    cl_device_id device;
    cl_uint n = 0;
    if (clGetPlatformIDs(16, platforms, &n) == CL_SUCCESS)
        for (cl_uint i = 0; i < n && i < 16; i++)
            if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS)
                return device;
    exit(77);
}

static cl_kernel build(cl_context context, cl_device_id device, const char *path,
                       const char *options)
{
    static char source[65536], log[65536];
    const char *text = source;
    cl_int code;
    FILE *file = fopen(path, "r");
    if (!file || fread(source, 1, sizeof source - 1, file) == 0)
        check(CL_INVALID_VALUE, path);
    fclose(file);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(code, "program");
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fputs(log, stderr);
    check(code, "build");
    cl_kernel kernel = clCreateKernel(program, "total", &code);
    check(code, "kernel");
    return kernel;
}

int main(int argc, char **argv)
{
    cb_launch launch = {.deadline_ticks = 20000000000u}; /* some seconds */
    cl_uint words[64 + CB_BARRIER_WORDS(GROUPS)] = {0}, sum = 0, seen[GROUPS] = {0};
    struct {
        void *host;
        size_t size;
    } arguments[] = {
        {&launch, sizeof launch}, {words, sizeof words}, {&sum, sizeof sum}, {seen, sizeof seen}};
    size_t local = ITEMS, global = GROUPS * ITEMS;
    cl_mem buffer = NULL;
    cl_int code;
    if (argc != 3)
        return 2;
    cl_device_id device = find_cpu();
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "context");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code, "queue");
    cl_kernel kernel = build(context, device, argv[1], argv[2]);
    for (cl_uint i = 0; i < 4; i++) {
        buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, arguments[i].size, arguments[i].host,
                                &code);
        check(code, "buffer");
        check(clSetKernelArg(kernel, i, sizeof buffer, &buffer), "argument");
    }
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "launch");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL), "read");
    for (int i = 0; i < GROUPS; i++) {
        printf("%u\n", seen[i]);
        if (seen[i] != GROUPS * (GROUPS + 1) / 2)
            return 1;
    }
    return 0;
}
