/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of OpenCL that answer, and builds with their logs: each is the real one, unless the
 * fault strikes, which may spoil its answer.
 */
#include "tests/faults/faults.h"

#include <string.h>

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
QUESTION(clGetKernelArgInfo,
         (cl_kernel kernel, cl_uint i, cl_kernel_arg_info what, size_t size, void *value,
          size_t *size_of),
         (kernel, i, what, size, value, size_of))
QUESTION(clGetKernelInfo,
         (cl_kernel kernel, cl_kernel_info what, size_t size, void *value, size_t *size_of),
         (kernel, what, size, value, size_of))
QUESTION(clGetMemObjectInfo,
         (cl_mem memory, cl_mem_info what, size_t size, void *value, size_t *size_of),
         (memory, what, size, value, size_of))
QUESTION(clGetKernelSubGroupInfo,
         (cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info what, size_t input_size,
          const void *input, size_t size, void *value, size_t *size_of),
         (kernel, device, what, input_size, input, size, value, size_of))
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

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                  cl_uint room, cl_image_format *formats, cl_uint *n)
{
    REAL(clGetSupportedImageFormats)
    cl_int code;
    const struct fault *f = fault_strikes(F_clGetSupportedImageFormats);
    if (f && (fault_act(f, &code) || f->action == SAYS_NOTHING))
        return code;
    code = real(context, flags, type, room, formats, n);
    if (f && code == CL_SUCCESS)
        spoil_list(f, 0, NULL, n);
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
