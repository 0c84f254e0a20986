/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults of an OpenCL driver: what each does, and to which function. The table is the only list of
 * them; faults.py reads it through the last functions here.
 */
#pragma once

#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

/* Every function of OpenCL that the program calls, and the host's clock. */
#define FUNCTIONS(X)                                                                               \
    X(clBuildProgram)                                                                              \
    X(clCreateBuffer)                                                                              \
    X(clCreateCommandQueue)                                                                        \
    X(clCreateCommandQueueWithProperties)                                                          \
    X(clCreateContext)                                                                             \
    X(clCreateImage)                                                                               \
    X(clCreateKernel)                                                                              \
    X(clCreateProgramWithBinary)                                                                   \
    X(clCreateProgramWithSource)                                                                   \
    X(clCreateSampler)                                                                             \
    X(clCreateSubBuffer)                                                                           \
    X(clEnqueueCopyBuffer)                                                                         \
    X(clEnqueueFillBuffer)                                                                         \
    X(clEnqueueMapBuffer)                                                                          \
    X(clEnqueueMarkerWithWaitList)                                                                 \
    X(clEnqueueNDRangeKernel)                                                                      \
    X(clEnqueueReadBuffer)                                                                         \
    X(clEnqueueReadImage)                                                                          \
    X(clEnqueueUnmapMemObject)                                                                     \
    X(clEnqueueWriteBuffer)                                                                        \
    X(clEnqueueWriteImage)                                                                         \
    X(clFinish)                                                                                    \
    X(clFlush)                                                                                     \
    X(clGetDeviceIDs)                                                                              \
    X(clGetDeviceInfo)                                                                             \
    X(clGetEventInfo)                                                                              \
    X(clGetEventProfilingInfo)                                                                     \
    X(clGetMemObjectInfo)                                                                          \
    X(clGetKernelArgInfo)                                                                          \
    X(clGetKernelInfo)                                                                             \
    X(clGetKernelSubGroupInfo)                                                                     \
    X(clGetKernelWorkGroupInfo)                                                                    \
    X(clGetPlatformIDs)                                                                            \
    X(clGetPlatformInfo)                                                                           \
    X(clGetProgramBuildInfo)                                                                       \
    X(clGetProgramInfo)                                                                            \
    X(clGetSupportedImageFormats)                                                                  \
    X(clReleaseCommandQueue)                                                                       \
    X(clReleaseContext)                                                                            \
    X(clReleaseEvent)                                                                              \
    X(clReleaseKernel)                                                                             \
    X(clReleaseMemObject)                                                                          \
    X(clReleaseProgram)                                                                            \
    X(clReleaseSampler)                                                                            \
    X(clRetainCommandQueue)                                                                        \
    X(clRetainContext)                                                                             \
    X(clRetainEvent)                                                                               \
    X(clRetainMemObject)                                                                           \
    X(clRetainProgram)                                                                             \
    X(clSetKernelArg)                                                                              \
    X(clSetKernelArgSVMPointer)                                                                    \
    X(clSVMAlloc)                                                                                  \
    X(clSVMFree)                                                                                   \
    X(clWaitForEvents)                                                                             \
    X(clock_gettime)                                                                               \
    X(any) /* of OpenCL: counts all calls */

#define FUNCTION_NUMBER(name) F_##name,
enum function { FUNCTIONS(FUNCTION_NUMBER) N_FUNCTIONS };

enum action {
    FAIL,      /* returns the code, and does nothing */
    NOTHING,   /* says that it succeeded, and does nothing; an object is NULL */
    SEGV,      /* in the driver */
    ABORT,     /* a message, and abort() */
    EXIT,      /* exit(code) */
    HANG,      /* never returns */
    HANG_DEAF, /* nor for SIGTERM */
    SPIN,      /* nor leaves the core */
    SLOW,      /* returns after `code` seconds */
    PRINT,     /* to standard output and error, lines, JSON and bytes that no terminal should get */
    FLOOD,     /* 8 MB of one line to standard output */
    HOG,       /* takes `code` MB of memory, and keeps them */
    NO_MEMORY, /* has taken all that the process may have: malloc() fails from now on */
    CLOSE_FILES, /* of the program, above standard error */
    CHANGE_DIRECTORY,
    RAISE, /* the signal `code` */
    /* clEnqueueNDRangeKernel */
    NEVER_BEGINS, /* the kernel and all after it in the queue */
    ENDS_BADLY,   /* the event's status is `code`, a negative number */
    /* questions */
    ZEROS,
    ONES,      /* every bit of the answer */
    HUGE_SIZE, /* of the answer, if it is asked for */
    NO_SIZE,
    SAYS_NOTHING, /* success, and the place of the answer is as it was */
    STATUS,       /* the answer is `code` */
    BACKWARDS,    /* an event ends before it starts */
    MANY,         /* platforms, devices: 2^32 - 1 of them */
    NONE,         /* success, and there are none */
    NULL_HANDLES, /* platforms, devices */
    /* clCreateCommandQueue: what is put into the queue is carried out `code` ms late */
    LATE,
    LATE_FIRST,  /* if it is the first of its process */
    LATE_OTHERS, /* if it is not */
    /* clBuildProgram fails, and of its log: */
    LOG_HUGE,
    LOG_UNTERMINATED,
    LOG_FAILS,
    LOG_SIZE,   /* 2^64 - 1 */
    LOG_BINARY, /* every byte there is */
    LOG_SHARED, /* NVIDIA's, of a kernel that needs more local memory than there is */
    /* clock_gettime: by `code` s */
    JUMP_REALTIME,
    JUMP_MONOTONIC,
};

struct fault {
    const char *name;
    enum function function;
    enum action action;
    int code;
    bool lasting;      /* whether every call after it fares the same */
    const char *words; /* that a row, or the message, has of it, as a regular expression */
};

/* The fault that strikes this call; NULL: none does. */
const struct fault *fault_strikes(enum function function);

/* Does the part of a fault that is the same for all functions. Returns whether the call is over,
 * with its code. */
bool fault_act(const struct fault *fault, cl_int *code);

/* Lets the host's clocks run FAST times as fast until this process has ended: whoever waits for it
 * need not wait long. */
void fault_hurry(void);
void fault_hurry_no_more(void);
#define FAST 60

/* The function of this name that the driver's loader has. */
void *real_of(const char *name);

/* Declares `real`, the function of this name. */
#define REAL(name)                                                                                 \
    static __typeof__(name) *real;                                                                 \
    if (!real)                                                                                     \
        *(void **)&real = real_of(#name);

/* SMALL_DEVICE=BYTES in the environment is no fault: the device says that it has so much local
 * memory, and refuses kernels that need more. With SMALL_GPU, it says that it is a GPU; with
 * NO_IMAGES, that it has no images. */
void small_device_says(cl_device_info what, void *value);
bool small_device_refuses(cl_command_queue queue, cl_kernel kernel);

/* Returns whether the device is to have no shared virtual memory, so that the host copies
 * (FAULT_HIDES=svm). */
bool fault_hides_svm(void);

/* late.c: a queue that was made, with the fault that met it or NULL; one that goes. */
void late_note(const struct fault *fault, cl_command_queue queue);
void late_forget(cl_command_queue queue);

/* The wait list of a command, with one event more, which opens it. */
#define GATE_EVENTS 15
struct gate {
    cl_event events[GATE_EVENTS + 1], event;
};

/* Adds a gate to the wait list, which the caller opens and releases; false: it cannot. */
bool gate_add(struct gate *gate, cl_command_queue queue, cl_uint *n, const cl_event **events);

/* Around a command: adds one that opens by itself if the queue is late, and lets go of it. */
void gate_begin(struct gate *gate, cl_command_queue queue, cl_uint *n, const cl_event **events);
void gate_end(struct gate *gate);

/* For faults.py. */
int fault_count(void);
const char *fault_name(int i);
const char *fault_function(int i); /* NULL: there is no such fault */
const char *fault_words(int i);
int fault_function_count(void);
const char *fault_function_name(int i);
