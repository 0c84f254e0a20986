/* SPDX-License-Identifier: Apache-2.0
 *
 * Times the kernels of bounds.cl on an NVIDIA GPU and prints a Markdown table: see README.md beside
 * this file. Run it in its folder.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS     1000
#define LAUNCHES   7
#define MAX_GROUPS 264
#define WORDS      (1024 + 64 * MAX_GROUPS)

static const char *const turns[] = {
    "read, one after the other (`ld.relaxed`)",
    "fetch-and-add, one after the other",
    "release fence alone",
    "read, then release fence",
    "acquire read, then release fence",
    "acquire fetch-and-add, then release addition",
    "barrier without any order: relaxed addition, relaxed polls",
    "the same with release addition and acquire fence",
};
static const size_t groups[] = {1, 33, 132, 264};
enum { TURNS = sizeof turns / sizeof *turns, COUNTS = sizeof groups / sizeof *groups };

struct lab {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    cl_mem words, times, gave_up;
};

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "bounds: %s: OpenCL error %d\n", what, code);
    exit(1);
}

static void open_lab(struct lab *lab)
{
    cl_platform_id platforms[16];
    cl_uint n = 0;
    cl_int code = CL_DEVICE_NOT_FOUND;
    check(clGetPlatformIDs(16, platforms, &n), "no platform");
    for (cl_uint i = 0; i < n && i < 16 && code != CL_SUCCESS; i++)
        code = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &lab->device, NULL);
    check(code, "no GPU");
    lab->context = clCreateContext(NULL, 1, &lab->device, NULL, NULL, &code);
    check(code, "context");
    lab->queue = clCreateCommandQueue(lab->context, lab->device, 0, &code);
    check(code, "queue");
    lab->words = clCreateBuffer(lab->context, CL_MEM_READ_WRITE, WORDS * 4, NULL, &code);
    check(code, "words");
    lab->times = clCreateBuffer(lab->context, CL_MEM_READ_WRITE, MAX_GROUPS * 16, NULL, &code);
    check(code, "times");
    lab->gave_up = clCreateBuffer(lab->context, CL_MEM_READ_WRITE, 4, NULL, &code);
    check(code, "flag");
}

static cl_kernel build(const struct lab *lab, const char *source, int turn)
{
    char options[64];
    cl_int code;
    snprintf(options, sizeof options, "-cl-std=CL1.2 -DTURN=%d", turn);
    cl_program program = clCreateProgramWithSource(lab->context, 1, &source, NULL, &code);
    check(code, "program");
    check(clBuildProgram(program, 1, &lab->device, options, NULL, NULL),
          "bounds.cl does not build (PTX ISA 8.6 and compute capability 9.0 are needed)");
    cl_kernel kernel = clCreateKernel(program, "turns", &code);
    check(code, "kernel");
    return kernel;
}

/* ns a turn in one launch; negative: somebody gave up. */
static double launch(const struct lab *lab, cl_kernel kernel, size_t n)
{
    static cl_ulong times[2 * MAX_GROUPS];
    cl_uint zero = 0, rounds = ROUNDS, gave_up;
    size_t local = 256, global = n * local;
    cl_ulong first = ~(cl_ulong)0, last = 0;
    check(clEnqueueFillBuffer(lab->queue, lab->words, &zero, 4, 0, WORDS * 4, 0, NULL, NULL),
          "fill");
    check(clEnqueueFillBuffer(lab->queue, lab->gave_up, &zero, 4, 0, 4, 0, NULL, NULL), "fill");
    check(clSetKernelArg(kernel, 0, sizeof lab->words, &lab->words), "argument");
    check(clSetKernelArg(kernel, 1, sizeof lab->times, &lab->times), "argument");
    check(clSetKernelArg(kernel, 2, sizeof lab->gave_up, &lab->gave_up), "argument");
    check(clSetKernelArg(kernel, 3, sizeof rounds, &rounds), "argument");
    check(clEnqueueNDRangeKernel(lab->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
          "launch");
    check(clEnqueueReadBuffer(lab->queue, lab->times, CL_TRUE, 0, n * 16, times, 0, NULL, NULL),
          "run");
    check(clEnqueueReadBuffer(lab->queue, lab->gave_up, CL_TRUE, 0, 4, &gave_up, 0, NULL, NULL),
          "read");
    for (size_t i = 0; i < n; i++) {
        first = times[2 * i] < first ? times[2 * i] : first;
        last = times[2 * i + 1] > last ? times[2 * i + 1] : last;
    }
    return gave_up ? -1 : (double)(last - first) / ROUNDS;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const struct lab *lab, cl_kernel kernel, size_t n)
{
    double ns[LAUNCHES];
    launch(lab, kernel, n); /* warm-up */
    for (int i = 0; i < LAUNCHES; i++)
        ns[i] = launch(lab, kernel, n);
    qsort(ns, LAUNCHES, sizeof *ns, ascending);
    return ns[LAUNCHES / 2];
}

int main(void)
{
    static char source[16384];
    struct lab lab;
    FILE *file = fopen("bounds.cl", "r");
    if (!file || fread(source, 1, sizeof source - 1, file) == 0) {
        fprintf(stderr, "bounds: cannot read bounds.cl: run it in scripts/twins\n");
        return 1;
    }
    fclose(file);
    open_lab(&lab);
    printf("| ns a turn, by workgroups |");
    for (int i = 0; i < COUNTS; i++)
        printf(" %zu |", groups[i]);
    printf("\n| --- | ---: | ---: | ---: | ---: |\n");
    for (int turn = 0; turn < TURNS; turn++) {
        cl_kernel kernel = build(&lab, source, turn);
        printf("| %s |", turns[turn]);
        for (int i = 0; i < COUNTS; i++)
            printf(" %.0f |", median(&lab, kernel, groups[i]));
        printf("\n");
        clReleaseKernel(kernel);
    }
    return 0;
}
