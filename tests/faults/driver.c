/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of OpenCL that make, free and command, between the program and the loader
 * (LD_PRELOAD): each is the real one, unless the fault strikes.
 */
#include "tests/faults/faults.h"

#include <dlfcn.h>
#include <stdlib.h>

void *real_of(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

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
CODE(clReleaseSampler, (cl_sampler sampler), (sampler))
CODE(clRetainCommandQueue, (cl_command_queue queue), (queue))
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
OBJECT(cl_mem, clCreateImage,
       (cl_context context, cl_mem_flags flags, const cl_image_format *format,
        const cl_image_desc *desc, void *host, cl_int *code_of),
       (context, flags, format, desc, host, code_of))
OBJECT(cl_sampler, clCreateSampler,
       (cl_context context, cl_bool is_normalized, cl_addressing_mode addressing,
        cl_filter_mode filter, cl_int *code_of),
       (context, is_normalized, addressing, filter, code_of))
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

/* Leaves something in the queue in place of a command that is lost: it ends, and has times. */
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
COMMAND(clEnqueueReadImage,
        (cl_command_queue queue, cl_mem image, cl_bool blocks, const size_t *origin,
         const size_t *region, size_t row, size_t slice, void *to, cl_uint n,
         const cl_event *events, cl_event *event),
        (queue, image, blocks, origin, region, row, slice, to, n, events, event))
COMMAND(clEnqueueWriteImage,
        (cl_command_queue queue, cl_mem image, cl_bool blocks, const size_t *origin,
         const size_t *region, size_t row, size_t slice, const void *from, cl_uint n,
         const cl_event *events, cl_event *event),
        (queue, image, blocks, origin, region, row, slice, from, n, events, event))
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
