/* SPDX-License-Identifier: Apache-2.0
 *
 * What CUDA's occupancy calculator says of an OpenCL kernel, beside `coopbench discover --kernel`:
 * see README.md beside this file. The driver compiles OpenCL C to PTX, of which CUDA makes a kernel
 * with the same registers. Nothing of it runs.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM       "occupancy"
#define DEFAULT_SIZES "32,64,128,256,512,1024"

struct question {
    char *file, *name;
    const char *build_options, *sizes;
    size_t local, local_each; /* bytes of arguments in local memory, and of those a work-item */
};

static void stop(int code, const char *what, const char *why)
{
    fprintf(stderr, PROGRAM ": %s: %s\n", what, why);
    exit(code);
}

static void check_cl(cl_int code, const char *what)
{
    char why[32];
    snprintf(why, sizeof why, "OpenCL error %d", code);
    if (code != CL_SUCCESS)
        stop(1, what, why);
}

static void check_cuda(CUresult result, const char *what)
{
    const char *name = NULL;
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorName(result, &name);
    stop(1, what, name ? name : "an unknown error");
}

/* ---- PTX ------------------------------------------------------------------------------------- */

static char *read_file(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in || fseek(in, 0, SEEK_END) != 0)
        stop(1, path, "cannot be read");
    const long size = ftell(in);
    char *text = size >= 0 ? calloc(1, (size_t)size + 1) : NULL;
    rewind(in);
    if (!text || fread(text, 1, (size_t)size, in) != (size_t)size)
        stop(1, path, "cannot be read");
    fclose(in);
    return text;
}

static cl_device_id find_gpu(void)
{
    cl_platform_id platforms[16];
    cl_uint n = 0;
    char name[64];
    check_cl(clGetPlatformIDs(16, platforms, &n), "no platform of OpenCL");
    for (cl_uint i = 0; i < n && i < 16; i++) {
        cl_device_id device;
        if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL) ==
                CL_SUCCESS &&
            strcmp(name, "NVIDIA CUDA") == 0 &&
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &device, NULL) == CL_SUCCESS)
            return device;
    }
    stop(1, "OpenCL", "there is no NVIDIA GPU");
    return NULL;
}

static void tell_log(cl_program program, cl_device_id device)
{
    static char log[65536];
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL) ==
        CL_SUCCESS)
        fprintf(stderr, "%s\n", log);
}

/* What the driver makes of OpenCL C. */
static char *compile(const char *text, const char *options)
{
    cl_int code;
    size_t size = 0;
    cl_device_id device = find_gpu();
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check_cl(code, "context");
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check_cl(code, "program");
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (code != CL_SUCCESS)
        tell_log(program, device);
    check_cl(code, "it does not build");
    check_cl(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "size");
    char *ptx = calloc(1, size + 1);
    if (!ptx)
        stop(1, "PTX", "out of memory");
    check_cl(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(char *), &ptx, NULL), "PTX");
    clReleaseProgram(program);
    clReleaseContext(context);
    return ptx;
}

static int is_ptx(const char *file)
{
    const char *end = strrchr(file, '.');
    return end && strcmp(end, ".ptx") == 0;
}

/* CUDA refuses kernels that are given local memory as an argument, as OpenCL's are: the argument
 * becomes a plain number, which costs as many registers. */
static void hide_local_arguments(char *ptx)
{
    const char mark[] = ".ptr .shared .align ";
    for (char *at = ptx; (at = strstr(at, mark)) != NULL;) {
        const size_t digits = strspn(at + strlen(mark), "0123456789");
        memset(at, ' ', strlen(mark) + digits);
    }
}

/* What the assembler of PTX says of an error goes before the error. */
static CUmodule load_module(const char *ptx)
{
    static char log[65536];
    CUmodule module = NULL;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(size_t)sizeof log};
    const CUresult result = cuModuleLoadDataEx(&module, ptx, 2, options, values);
    if (result != CUDA_SUCCESS)
        fprintf(stderr, "%s\n", log);
    check_cuda(result, "cuModuleLoadDataEx");
    return module;
}

static CUfunction load(const struct question *q)
{
    CUfunction function;
    char *text = read_file(q->file);
    char *ptx = is_ptx(q->file) ? text : compile(text, q->build_options);
    hide_local_arguments(ptx);
    CUmodule module = load_module(ptx);
    check_cuda(cuModuleGetFunction(&function, module, q->name), q->name);
    if (ptx != text)
        free(ptx);
    free(text);
    return function;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static int attribute(CUfunction function, CUfunction_attribute what)
{
    int value = 0;
    check_cuda(cuFuncGetAttribute(&value, what, function), "cuFuncGetAttribute");
    return value;
}

static void print_row(const struct question *q, CUfunction function, int units, int wg_size)
{
    const size_t local = q->local + q->local_each * (size_t)wg_size;
    int groups = 0; /* a workgroup that is too large, or its local memory, stays at none */
    if (wg_size <= attribute(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK))
        check_cuda(cuOccupancyMaxActiveBlocksPerMultiprocessor(&groups, function, wg_size, local),
                   "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    printf("%s,%d,%d,%d,%zu,%d,%d\n", q->name, wg_size,
           attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS),
           attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
           (size_t)attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) + local, groups,
           groups * units);
}

static void print_rows(const struct question *q)
{
    CUdevice device;
    CUcontext context;
    int units = 0;
    check_cuda(cuInit(0), "cuInit");
    check_cuda(cuDeviceGet(&device, 0), "cuDeviceGet");
    check_cuda(cuDeviceGetAttribute(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
               "cuDeviceGetAttribute");
    check_cuda(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check_cuda(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    CUfunction function = load(q);
    puts("kernel,wg_size,registers,private_bytes,local_bytes,groups_per_unit,groups");
    for (const char *at = q->sizes; *at; at += strcspn(at, ","), at += *at == ',')
        print_row(q, function, units, atoi(at));
}

/* ---- Options --------------------------------------------------------------------------------- */

static void usage(void)
{
    stop(64, "usage",
         PROGRAM " FILE.cl:NAME|FILE.ptx:NAME [--build-options OPTIONS] [--wg-sizes N,...] "
                 "[--local BYTES] [--local-each BYTES]");
}

static void take_option(struct question *q, const char *option, const char *value)
{
    if (strcmp(option, "--build-options") == 0)
        q->build_options = value;
    else if (strcmp(option, "--wg-sizes") == 0)
        q->sizes = value;
    else if (strcmp(option, "--local") == 0)
        q->local = strtoul(value, NULL, 10);
    else if (strcmp(option, "--local-each") == 0)
        q->local_each = strtoul(value, NULL, 10);
    else
        usage();
}

int main(int argc, char **argv)
{
    struct question q = {.build_options = "", .sizes = DEFAULT_SIZES};
    q.file = argc > 1 ? argv[1] : NULL;
    q.name = q.file ? strrchr(q.file, ':') : NULL;
    if (!q.name || argc % 2 != 0)
        usage();
    *q.name++ = '\0';
    for (int i = 2; i < argc; i += 2)
        take_option(&q, argv[i], argv[i + 1]);
    print_rows(&q);
    return 0;
}
