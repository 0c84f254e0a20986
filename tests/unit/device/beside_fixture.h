/* SPDX-License-Identifier: Apache-2.0
 *
 * A device that is made up, for a grid beside launches: kernels of the session end when the host
 * waits for their queue, the grid when it is told to, or too early. The functions of OpenCL are
 * those of the whole program of tests.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "kernels/coop_abi.h"
#include "runtime/beside/works.h"
#include "runtime/host/time.h"
#include "tests/unit/unit.h"

#define GROUPS 3 /* of the grid */

struct _cl_command_queue {
    int holders;
};

struct _cl_kernel {
    bool is_grid;
};

struct _cl_event {
    bool of_grid;
};

static struct _cl_kernel measured, grid = {true};
static struct _cl_event end_of_measured, end_of_grid = {true};
static coop_channel *channel; /* to the grid */
static bool ends_early, refuses;
static double launch_ns; /* the host waits so long for a core after a launch of the grid */
static cl_ulong turns;   /* of the grid, at most */

int made_up_buffers; /* that there are (test_gap_probe.c) */

/* G: a grid is launched, E: the host has seen its end, m: the session launches a kernel. */
static char happened[64];

static void note(char what)
{
    const size_t n = strlen(happened);
    assert_true(n + 1 < sizeof happened);
    happened[n] = what;
    happened[n + 1] = '\0';
}

/* ---- Commands -------------------------------------------------------------------------------- */

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint n, const cl_event *events, cl_event *event)
{
    (void)queue, (void)dimensions, (void)offset, (void)global, (void)local, (void)n, (void)events;
    if (refuses && !kernel->is_grid)
        return CL_OUT_OF_RESOURCES;
    note(kernel->is_grid ? 'G' : 'm');
    if (kernel->is_grid) {
        channel->device[0].points = GROUPS;
        cb_sleep_until_ns((double)cb_now_ns() + launch_ns);
    }
    if (event)
        *event = kernel->is_grid ? &end_of_grid : &end_of_measured;
    return CL_SUCCESS;
}

cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *used)
{
    (void)what, (void)size, (void)used;
    *(cl_int *)value = event->of_grid && ends_early ? CL_COMPLETE : CL_RUNNING;
    return CL_SUCCESS;
}

cl_int clWaitForEvents(cl_uint n, const cl_event *events)
{
    assert_int_equal(n, 1);
    if (!events[0]->of_grid)
        return CL_SUCCESS;
    if (!channel->host.stop && !ends_early)
        fail_msg("the host waits for a grid that it has not told to end: %s", happened);
    note('E');
    return CL_SUCCESS;
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size, void *value,
                               size_t *used)
{
    (void)event, (void)size, (void)used;
    *(cl_ulong *)value = what == CL_PROFILING_COMMAND_END;
    return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue)
{
    assert_true(queue->holders > 0);
    return CL_SUCCESS;
}

cl_int clFlush(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool waits, size_t at,
                           size_t size, void *to, cl_uint n, const cl_event *events,
                           cl_event *event)
{
    (void)queue, (void)buffer, (void)waits, (void)at, (void)n, (void)events, (void)event;
    memset(to, 0, size);
    return CL_SUCCESS;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool waits, size_t at,
                            size_t size, const void *from, cl_uint n, const cl_event *events,
                            cl_event *event)
{
    (void)queue, (void)buffer, (void)waits, (void)at, (void)size, (void)from, (void)n;
    (void)events, (void)event;
    return CL_SUCCESS;
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t width,
                           size_t at, size_t size, cl_uint n, const cl_event *events,
                           cl_event *event)
{
    (void)queue, (void)buffer, (void)pattern, (void)width, (void)at, (void)size, (void)n;
    (void)events, (void)event;
    return CL_SUCCESS;
}

/* ---- Objects --------------------------------------------------------------------------------- */

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *code)
{
    (void)context, (void)device, (void)properties;
    cl_command_queue queue = calloc(1, sizeof *queue);
    assert_non_null(queue);
    queue->holders = 1;
    *code = CL_SUCCESS;
    return queue;
}

cl_int clRetainCommandQueue(cl_command_queue queue)
{
    queue->holders++;
    return CL_SUCCESS;
}

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    if (--queue->holders == 0)
        free(queue);
    return CL_SUCCESS;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
    static char any;
    (void)context, (void)flags, (void)size, (void)host;
    *code = CL_SUCCESS;
    made_up_buffers++;
    return (cl_mem)(void *)&any;
}

cl_int clReleaseMemObject(cl_mem buffer)
{
    (void)buffer;
    made_up_buffers--;
    return CL_SUCCESS;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint n, const char **texts,
                                     const size_t *sizes, cl_int *code)
{
    static char any;
    (void)context, (void)n, (void)texts, (void)sizes;
    *code = CL_SUCCESS;
    return (cl_program)(void *)&any;
}

cl_int clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *data)
{
    (void)program, (void)n, (void)devices, (void)options, (void)notify, (void)data;
    return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    (void)program;
    *code = CL_SUCCESS;
    return strcmp(name, "beside_grid") == 0 ? &grid : &measured;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint i, size_t size, const void *value)
{
    if (kernel->is_grid && i == 3)
        memcpy(&turns, value, size);
    return CL_SUCCESS;
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint i, const void *place)
{
    (void)kernel, (void)i;
    channel = (coop_channel *)(uintptr_t)place;
    return CL_SUCCESS;
}

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    (void)context, (void)flags, (void)alignment;
    return calloc(1, size);
}

void clSVMFree(cl_context context, void *place)
{
    (void)context;
    free(place);
}

/* Nothing is known of the device. */
cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                       size_t *used)
{
    (void)device, (void)what, (void)size, (void)value, (void)used;
    return CL_INVALID_VALUE;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info what, size_t size, void *value,
                                size_t *used)
{
    (void)kernel, (void)device, (void)what, (void)size, (void)value, (void)used;
    return CL_INVALID_VALUE;
}

#define UNCOUNTED(name, type)                                                                      \
    cl_int name(type object)                                                                       \
    {                                                                                              \
        (void)object;                                                                              \
        return CL_SUCCESS;                                                                         \
    }

UNCOUNTED(clReleaseEvent, cl_event)
UNCOUNTED(clReleaseKernel, cl_kernel)
UNCOUNTED(clReleaseProgram, cl_program)
UNCOUNTED(clRetainProgram, cl_program)
UNCOUNTED(clReleaseContext, cl_context)
UNCOUNTED(clRetainContext, cl_context)
