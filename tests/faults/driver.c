/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of OpenCL, between the program and the loader (LD_PRELOAD): each is the real one,
 * unless the fault strikes.
 */
#include "tests/faults/faults.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *real_of(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

/* Declares `real`, the function of this name. */
#define REAL(name)                                                                                 \
    static __typeof__(name) *real;                                                                 \
    if (!real)                                                                                     \
        *(void **)&real = real_of(#name);

/* ---- Functions that return a code, and those that return an object --------------------------- */

#define CODE(name, params, args)                                                                   \
    cl_int name params                                                                             \
    {                                                                                              \
        REAL(name)                                                                                 \
        cl_int code;                                                                               \
        const struct fault *f = fault_strikes(F_##name);                                           \
        return f && fault_act(f, &code) ? code : real args;                                        \
    }

#define OBJECT(type, name, params, args)                                                           \
    type name params                                                                               \
    {                                                                                              \
        REAL(name)                                                                                 \
        cl_int code;                                                                               \
        const struct fault *f = fault_strikes(F_##name);                                           \
        if (!f || !fault_act(f, &code))                                                            \
            return real args;                                                                      \
        if (code_of)                                                                               \
            *code_of = code;                                                                       \
        return NULL;                                                                               \
    }

CODE(clFinish, (cl_command_queue queue), (queue))
CODE(clFlush, (cl_command_queue queue), (queue))
CODE(clReleaseContext, (cl_context context), (context))
CODE(clReleaseEvent, (cl_event event), (event))
CODE(clReleaseKernel, (cl_kernel kernel), (kernel))
CODE(clReleaseMemObject, (cl_mem buffer), (buffer))
CODE(clReleaseProgram, (cl_program program), (program))
CODE(clRetainContext, (cl_context context), (context))
CODE(clRetainEvent, (cl_event event), (event))
CODE(clRetainMemObject, (cl_mem buffer), (buffer))
CODE(clRetainProgram, (cl_program program), (program))
CODE(clSetKernelArg, (cl_kernel kernel, cl_uint i, size_t size, const void *value),
     (kernel, i, size, value))
CODE(clSetKernelArgSVMPointer, (cl_kernel kernel, cl_uint i, const void *value), (kernel, i, value))
CODE(clWaitForEvents, (cl_uint n, const cl_event *events), (n, events))

OBJECT(cl_mem, clCreateBuffer,
       (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code_of),
       (context, flags, size, host, code_of))
OBJECT(cl_mem, clCreateSubBuffer,
       (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *region,
        cl_int *code_of),
       (buffer, flags, type, region, code_of))
OBJECT(cl_command_queue, clCreateCommandQueueWithProperties,
       (cl_context context, cl_device_id device, const cl_queue_properties *properties,
        cl_int *code_of),
       (context, device, properties, code_of))
OBJECT(cl_context, clCreateContext,
       (const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
        cl_int *code_of),
       (properties, n, devices, notify, data, code_of))
OBJECT(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *code_of),
       (program, name, code_of))
OBJECT(cl_program, clCreateProgramWithSource,
       (cl_context context, cl_uint n, const char **texts, const size_t *sizes, cl_int *code_of),
       (context, n, texts, sizes, code_of))
OBJECT(cl_program, clCreateProgramWithBinary,
       (cl_context context, cl_uint n, const cl_device_id *devices, const size_t *sizes,
        const unsigned char **binaries, cl_int *codes, cl_int *code_of),
       (context, n, devices, sizes, binaries, codes, code_of))

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    REAL(clSVMAlloc)
    cl_int code;
    const struct fault *f = fault_strikes(F_clSVMAlloc);
    return f && fault_act(f, &code) ? NULL : real(context, flags, size, alignment);
}

void clSVMFree(cl_context context, void *place)
{
    REAL(clSVMFree)
    cl_int code;
    const struct fault *f = fault_strikes(F_clSVMFree);
    if (!f || !fault_act(f, &code))
        real(context, place);
}

/* ---- Queues ---------------------------------------------------------------------------------- */

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *code_of)
{
    REAL(clCreateCommandQueue)
    const struct fault *f = fault_strikes(F_clCreateCommandQueue);
    if (f && fault_act(f, code_of))
        return NULL;
    cl_command_queue queue = real(context, device, properties, code_of);
    late_note(f, queue);
    return queue;
}

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    REAL(clReleaseCommandQueue)
    cl_int code;
    const struct fault *f = fault_strikes(F_clReleaseCommandQueue);
    late_forget(queue);
    return f && fault_act(f, &code) ? code : real(queue);
}

/* ---- Commands -------------------------------------------------------------------------------- */

/* What a command that is lost leaves in its queue: something that ends, with times. */
static void leave_marker(cl_command_queue queue, cl_uint n, const cl_event *events, cl_event *event)
{
    __typeof__(clEnqueueMarkerWithWaitList) *marker;
    *(void **)&marker = real_of("clEnqueueMarkerWithWaitList");
    if (event)
        marker(queue, n, events, event);
}

#define COMMAND(name, params, args)                                                                \
    cl_int name params                                                                             \
    {                                                                                              \
        REAL(name)                                                                                 \
        cl_int code;                                                                               \
        struct gate gate;                                                                          \
        const struct fault *f = fault_strikes(F_##name);                                           \
        if (f && fault_act(f, &code)) {                                                            \
            if (f->action == NOTHING)                                                              \
                leave_marker(queue, n, events, event);                                             \
            return code;                                                                           \
        }                                                                                          \
        gate_begin(&gate, queue, &n, &events);                                                     \
        code = real args;                                                                          \
        gate_end(&gate);                                                                           \
        return code;                                                                               \
    }

COMMAND(clEnqueueReadBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset, size_t size,
         void *to, cl_uint n, const cl_event *events, cl_event *event),
        (queue, buffer, blocks, offset, size, to, n, events, event))
COMMAND(clEnqueueWriteBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset, size_t size,
         const void *from, cl_uint n, const cl_event *events, cl_event *event),
        (queue, buffer, blocks, offset, size, from, n, events, event))
COMMAND(clEnqueueFillBuffer,
        (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
         size_t offset, size_t size, cl_uint n, const cl_event *events, cl_event *event),
        (queue, buffer, pattern, pattern_size, offset, size, n, events, event))
COMMAND(clEnqueueCopyBuffer,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
         size_t size, cl_uint n, const cl_event *events, cl_event *event),
        (queue, from, to, from_offset, to_offset, size, n, events, event))
COMMAND(clEnqueueUnmapMemObject,
        (cl_command_queue queue, cl_mem buffer, void *place, cl_uint n, const cl_event *events,
         cl_event *event),
        (queue, buffer, place, n, events, event))
COMMAND(clEnqueueMarkerWithWaitList,
        (cl_command_queue queue, cl_uint n, const cl_event *events, cl_event *event),
        (queue, n, events, event))

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, cl_map_flags flags,
                         size_t offset, size_t size, cl_uint n, const cl_event *events,
                         cl_event *event, cl_int *code_of)
{
    REAL(clEnqueueMapBuffer)
    struct gate gate;
    const struct fault *f = fault_strikes(F_clEnqueueMapBuffer);
    if (f && fault_act(f, code_of))
        return NULL;
    gate_begin(&gate, queue, &n, &events);
    void *place = real(queue, buffer, blocks, flags, offset, size, n, events, event, code_of);
    gate_end(&gate);
    return place;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint n, const cl_event *events, cl_event *event)
{
    REAL(clEnqueueNDRangeKernel)
    cl_int code;
    struct gate gate;
    const struct fault *f = fault_strikes(F_clEnqueueNDRangeKernel);
    if (f && fault_act(f, &code)) {
        if (f->action == NOTHING)
            leave_marker(queue, n, events, event);
        return code;
    }
    if (!f && small_device_refuses(queue, kernel))
        return CL_OUT_OF_RESOURCES;
    /* it waits for an event that never comes, or that has failed */
    const bool waits = f && (f->action == NEVER_BEGINS || f->action == ENDS_BADLY) &&
                       gate_add(&gate, queue, &n, &events);
    if (!waits)
        gate_begin(&gate, queue, &n, &events);
    else if (f->action == NEVER_BEGINS)
        fault_hurry();
    code = real(queue, kernel, dimensions, offset, global, local, n, events, event);
    if (waits && f->action == ENDS_BADLY)
        clSetUserEventStatus(gate.event, f->code);
    if (!waits)
        gate_end(&gate);
    return code;
}

/* ---- Questions ------------------------------------------------------------------------------- */

/* What the fault makes of an answer that the driver has given. */
static void spoil(const struct fault *f, size_t size, void *value, size_t *size_of)
{
    if (value && (f->action == ZEROS || f->action == ONES))
        memset(value, f->action == ONES ? 0xff : 0, size);
    if (value && f->action == STATUS && size >= sizeof(cl_int))
        *(cl_int *)value = f->code;
    if (size_of && f->action == HUGE_SIZE)
        *size_of = SIZE_MAX;
    if (size_of && (f->action == NO_SIZE || f->action == ZEROS))
        *size_of = 0;
}

#define QUESTION(name, params, args)                                                               \
    cl_int name params                                                                             \
    {                                                                                              \
        REAL(name)                                                                                 \
        cl_int code;                                                                               \
        const struct fault *f = fault_strikes(F_##name);                                           \
        if (f && (fault_act(f, &code) || f->action == SAYS_NOTHING))                               \
            return code;                                                                           \
        code = real args;                                                                          \
        if (f && code == CL_SUCCESS)                                                               \
            spoil(f, size, value, size_of);                                                        \
        return code;                                                                               \
    }

QUESTION(clGetPlatformInfo,
         (cl_platform_id platform, cl_platform_info what, size_t size, void *value,
          size_t *size_of),
         (platform, what, size, value, size_of))
QUESTION(clGetEventInfo,
         (cl_event event, cl_event_info what, size_t size, void *value, size_t *size_of),
         (event, what, size, value, size_of))
QUESTION(clGetKernelInfo,
         (cl_kernel kernel, cl_kernel_info what, size_t size, void *value, size_t *size_of),
         (kernel, what, size, value, size_of))
QUESTION(clGetKernelWorkGroupInfo,
         (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size,
          void *value, size_t *size_of),
         (kernel, device, what, size, value, size_of))

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                       size_t *size_of)
{
    REAL(clGetDeviceInfo)
    cl_int code;
    const struct fault *f = fault_strikes(F_clGetDeviceInfo);
    if (f && (fault_act(f, &code) || f->action == SAYS_NOTHING))
        return code;
    code = real(device, what, size, value, size_of);
    if (value && code == CL_SUCCESS && what == CL_DEVICE_SVM_CAPABILITIES && fault_hides_svm())
        memset(value, 0, size);
    if (f && code == CL_SUCCESS)
        spoil(f, size, value, size_of);
    else if (code == CL_SUCCESS)
        small_device_says(what, value);
    return code;
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size, void *value,
                               size_t *size_of)
{
    REAL(clGetEventProfilingInfo)
    cl_int code;
    const struct fault *f = fault_strikes(F_clGetEventProfilingInfo);
    if (f && (fault_act(f, &code) || f->action == SAYS_NOTHING))
        return code;
    code = real(event, what, size, value, size_of);
    if (f && code == CL_SUCCESS)
        spoil(f, size, value, size_of);
    /* of whatever is asked for, the later is the smaller */
    if (f && code == CL_SUCCESS && value && f->action == BACKWARDS)
        *(cl_ulong *)value = CL_PROFILING_COMMAND_END + 1000 - what;
    return code;
}

/* Places of binaries stay: the binaries are spoilt. */
cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *value,
                        size_t *size_of)
{
    REAL(clGetProgramInfo)
    cl_int code;
    size_t binary = 0;
    const struct fault *f = fault_strikes(F_clGetProgramInfo);
    if (f && (fault_act(f, &code) || f->action == SAYS_NOTHING))
        return code;
    code = real(program, what, size, value, size_of);
    if (!f || code != CL_SUCCESS)
        return code;
    if (what != CL_PROGRAM_BINARIES)
        spoil(f, f->action == ONES ? 0 : size, value, size_of);
    else if (real(program, CL_PROGRAM_BINARY_SIZES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        spoil(f, binary, *(unsigned char **)value, NULL);
    if (what == CL_PROGRAM_BINARY_SIZES && f->action == HUGE_SIZE && value)
        *(size_t *)value = SIZE_MAX;
    return code;
}

/* How many there are said to be, and which. */
static void spoil_list(const struct fault *f, cl_uint room, void **items, cl_uint *n)
{
    if (n && f->action == MANY)
        *n = UINT32_MAX;
    if (n && f->action == NONE)
        *n = 0;
    for (cl_uint i = 1; i < room && items && f->action == MANY; i++)
        items[i] = items[0];
    for (cl_uint i = 0; i < room && items && f->action == NULL_HANDLES; i++)
        items[i] = NULL;
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *n)
{
    REAL(clGetPlatformIDs)
    cl_int code;
    const struct fault *f = fault_strikes(F_clGetPlatformIDs);
    if (f && fault_act(f, &code))
        return code;
    code = real(room, platforms, n);
    if (f && code == CL_SUCCESS)
        spoil_list(f, room, (void **)platforms, n);
    return code;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room,
                      cl_device_id *devices, cl_uint *n)
{
    REAL(clGetDeviceIDs)
    cl_int code;
    const struct fault *f = fault_strikes(F_clGetDeviceIDs);
    if (f && fault_act(f, &code))
        return code;
    code = real(platform, type, room, devices, n);
    if (f && code == CL_SUCCESS)
        spoil_list(f, room, (void **)devices, n);
    return code;
}

/* ---- Builds, and their logs ------------------------------------------------------------------ */

static const struct fault *log_fault; /* that the build of this process has met */

cl_int clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *data)
{
    REAL(clBuildProgram)
    cl_int code;
    const struct fault *f = fault_strikes(F_clBuildProgram);
    if (f && f->action >= LOG_HUGE && f->action <= LOG_SHARED) {
        log_fault = f;
        return CL_BUILD_PROGRAM_FAILURE;
    }
    return f && fault_act(f, &code) ? code : real(program, n, devices, options, notify, data);
}

#define HUGE_LOG 200000000u
#define LOG      512u

static cl_int spoilt_log(const struct fault *f, size_t size, char *value, size_t *size_of)
{
    static const char shared[] = "ptxas error   : Entry function 'coop_main' uses too much shared "
                                 "data (0x1a8d0 bytes, 0xc000 max)";
    size_t all = f->action == LOG_HUGE ? HUGE_LOG : f->action == LOG_SHARED ? sizeof shared : LOG;
    if (f->action == LOG_FAILS)
        return CL_OUT_OF_HOST_MEMORY;
    if (size_of)
        *size_of = f->action == LOG_SIZE ? SIZE_MAX : all;
    for (size_t i = 0; value && i < size && i < all; i++)
        value[i] = f->action == LOG_SHARED   ? shared[i]
                   : f->action == LOG_BINARY ? (char)i
                   : i % 64 == 63            ? '\n'
                                             : 'e';
    if (value && size >= all && f->action != LOG_UNTERMINATED)
        value[all - 1] = '\0';
    return CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what,
                             size_t size, void *value, size_t *size_of)
{
    REAL(clGetProgramBuildInfo)
    cl_int code;
    const struct fault *f = fault_strikes(F_clGetProgramBuildInfo);
    if (log_fault)
        return spoilt_log(log_fault, size, value, size_of);
    return f && fault_act(f, &code) ? code : real(program, device, what, size, value, size_of);
}
