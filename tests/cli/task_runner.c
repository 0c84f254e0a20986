/* SPDX-License-Identifier: Apache-2.0
 *
 * task_runner DEVICE PLAIN.cl MERGED.cl KERNEL[@NUMBER] OFFSET GLOBAL LOCAL ARGUMENT...
 *
 * Runs a kernel as a plain launch, and, as 'coopbench merge' has made a task of it, by launches of
 * several numbers of workgroups, as large as the task's and larger; or, as task NUMBER of
 * MERGED.cl, beside the cooperative kernel there. Each begins with the same buffers. Sizes: 64x48.
 * Arguments: floats:N, uints:N or zeros:N (a buffer of N words at random, or clear), float:X,
 * uint:X, words:N (a structure of up to four, 1, 2, ...), local:BYTES. 0: all buffers are the same,
 * bit for bit; 1: not; 77: there is no such device.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "measure/random.h"
#include "tests/cli/open_session.h"
#include "tests/cli/task_runner.h"

/* "64x48" to numbers; those beyond stay. How many there are. */
static cl_uint read_sizes(const char *text, size_t sizes[3])
{
    cl_uint n = 0;
    for (char *end; n < 3 && *text; text = *end ? end + 1 : end)
        sizes[n++] = strtoul(text, &end, 10);
    return n;
}

static uint32_t word_of(char kind, struct cb_random *random)
{
    float at_most_one = (float)cb_random_below(random, 1u << 20) / (1u << 20);
    uint32_t bits;
    memcpy(&bits, &at_most_one, sizeof bits);
    return kind == 'z' ? 0 : kind == 'u' ? (uint32_t)cb_random_next(random) : bits;
}

static bool read_argument(struct run *r, const char *text)
{
    struct argument *a = &r->arguments[r->n++];
    struct cb_random random = {r->n};
    const char *value = strchr(text, ':') + 1;
    *a = (struct argument){.size = sizeof(cl_uint)};
    if (strncmp(text, "uint:", 5) == 0) {
        a->value[0] = (uint32_t)strtoul(value, NULL, 10);
    } else if (strncmp(text, "words:", 6) == 0) {
        a->size = 4 * (strtoul(value, NULL, 10) % 5);
        for (uint32_t i = 0; i < 4; i++)
            a->value[i] = i + 1;
    } else if (strncmp(text, "float:", 6) == 0) {
        float number = strtof(value, NULL);
        memcpy(a->value, &number, sizeof number);
    } else if (strncmp(text, "local:", 6) == 0) {
        a->size = strtoul(value, NULL, 10);
        a->is_local = true;
    } else {
        size_t words = strtoul(value, NULL, 10);
        a->size = 4 * words;
        a->begin = calloc(words, 4);
        a->expected = calloc(words, 4);
        for (size_t i = 0; a->begin && i < words; i++)
            a->begin[i] = word_of(*text, &random);
        return a->begin && a->expected;
    }
    return true;
}

static enum cb_status create_buffers(struct run *r, struct cb_err *err)
{
    for (unsigned i = 0; i < r->n; i++)
        if (r->arguments[i].begin &&
            !(r->arguments[i].buffer = cb_buffer_create(&r->session, r->arguments[i].size, err)))
            return err->status;
    return CB_OK;
}

static cl_int set_arguments(const struct run *r, cl_kernel kernel)
{
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < r->n && code == CL_SUCCESS; i++) {
        const struct argument *a = &r->arguments[i];
        const void *value = a->buffer ? (const void *)&a->buffer : a->value;
        size_t size = a->buffer ? sizeof a->buffer : a->size;
        code = clSetKernelArg(kernel, i, size, a->is_local ? NULL : value);
    }
    return code;
}

/* Passes the workgroups, work-items and offsets that a task is told beside its arguments. */
static cl_int set_range(const struct run *r, cl_kernel kernel)
{
    cl_uint4 groups = {{1, 1, 1, r->dimensions}}, items = {{1, 1, 1, 0}};
    cl_ulong4 offset = {{0}};
    for (cl_uint d = 0; d < r->dimensions; d++) {
        groups.s[d] = (cl_uint)(r->global[d] / r->local[d]);
        items.s[d] = (cl_uint)r->local[d];
        offset.s[d] = r->offset[d];
    }
    cl_int code = clSetKernelArg(kernel, r->n, sizeof groups, &groups);
    code = code == CL_SUCCESS ? clSetKernelArg(kernel, r->n + 1, sizeof items, &items) : code;
    return code == CL_SUCCESS ? clSetKernelArg(kernel, r->n + 2, sizeof offset, &offset) : code;
}

/* Launches the kernel with the buffers as they were at first, by so many workgroups; groups 0: a
 * plain launch. */
static enum cb_status launch(struct run *r, cl_kernel kernel, size_t groups, size_t items,
                             struct cb_err *err)
{
    const size_t global = groups * items;
    for (unsigned i = 0; i < r->n; i++)
        if (r->arguments[i].buffer &&
            cb_buffer_write(&r->session, r->arguments[i].buffer, r->arguments[i].begin,
                            r->arguments[i].size, err) != CB_OK)
            return err->status;
    cl_int code = set_arguments(r, kernel);
    if (code == CL_SUCCESS && groups)
        code = set_range(r, kernel);
    if (code == CL_SUCCESS)
        code = groups ? clEnqueueNDRangeKernel(r->session.queue, kernel, 1, NULL, &global, &items,
                                               0, NULL, NULL)
                      : clEnqueueNDRangeKernel(r->session.queue, kernel, r->dimensions, r->offset,
                                               r->global, r->local, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clFinish(r->session.queue);
    return code == CL_SUCCESS
               ? CB_OK
               : cb_fail(err, CB_ERROR, "%s by %zu workgroups of %zu: OpenCL error %d", r->kernel,
                         groups, items, code);
}

enum cb_status compare_words(const struct run *r, unsigned argument, const uint32_t *found,
                             size_t groups, size_t items, struct cb_err *err)
{
    const struct argument *a = &r->arguments[argument];
    for (size_t w = 0; w < a->size / 4; w++)
        if (found[w] != a->expected[w])
            return cb_fail(err, CB_VERIFY_FAILED,
                           "%s by %zu workgroups of %zu: argument %u, word %zu: %08x instead of "
                           "%08x",
                           r->kernel, groups, items, argument, w, found[w], a->expected[w]);
    return CB_OK;
}

/* Keeps what is in the buffers, or compares it. */
static enum cb_status look(struct run *r, size_t groups, size_t items, struct cb_err *err)
{
    for (unsigned i = 0; i < r->n; i++) {
        struct argument *a = &r->arguments[i];
        if (!a->buffer)
            continue;
        uint32_t *found = groups ? malloc(a->size) : a->expected;
        enum cb_status status = cb_buffer_read(&r->session, a->buffer, found, a->size, err);
        if (groups && status == CB_OK)
            status = compare_words(r, i, found, groups, items, err);
        if (groups)
            free(found);
        if (status != CB_OK)
            return status;
    }
    return CB_OK;
}

static enum cb_status build(struct run *r, const char *path, cl_program *program, cl_kernel *kernel,
                            struct cb_err *err)
{
    if (cb_program_build(&r->session, path, "", program, err) != CB_OK)
        return err->status;
    *kernel = clCreateKernel(*program, r->kernel, NULL);
    return *kernel ? CB_OK : cb_fail(err, CB_ERROR, "%s: no kernel %s", path, r->kernel);
}

static enum cb_status run_plain(struct run *r, const char *plain, struct cb_err *err)
{
    cl_program program;
    cl_kernel kernel;
    if (create_buffers(r, err) != CB_OK || build(r, plain, &program, &kernel, err) != CB_OK ||
        launch(r, kernel, 0, 0, err) != CB_OK)
        return err->status;
    return look(r, 0, 0, err);
}

static enum cb_status run_launches(struct run *r, const char *merged, struct cb_err *err)
{
    static const size_t groups[] = {1, 3, 8};
    const size_t each = r->local[0] * r->local[1] * r->local[2], items[] = {each, 2 * each + 5};
    cl_program program;
    cl_kernel kernel;
    if (build(r, merged, &program, &kernel, err) != CB_OK)
        return err->status;
    for (size_t g = 0; g < CB_COUNTOF(groups); g++)
        for (size_t i = 0; i < CB_COUNTOF(items); i++)
            if (launch(r, kernel, groups[g], items[i], err) != CB_OK ||
                look(r, groups[g], items[i], err) != CB_OK)
                return err->status;
    return CB_OK;
}

int main(int argc, char **argv)
{
    struct run r = {.global = {1, 1, 1}, .local = {1, 1, 1}};
    struct cb_err err = {0};
    if (argc < 8 || argc - 8 > MOST)
        return 2;
    char *number = strchr(argv[4], '@');
    if (number)
        *number++ = '\0';
    r.kernel = argv[4];
    read_sizes(argv[5], r.offset);
    r.dimensions = read_sizes(argv[6], r.global);
    read_sizes(argv[7], r.local);
    for (int i = 8; i < argc; i++)
        if (!strchr(argv[i], ':') || !read_argument(&r, argv[i]))
            return 2;
    enum cb_status status = open_session(argv[1], &r.session, &err);
    if (status == CB_OK)
        status = run_plain(&r, argv[2], &err);
    if (status == CB_OK)
        status = number ? run_beside(&r, argv[3], (unsigned)strtoul(number, NULL, 10), &err)
                        : run_launches(&r, argv[3], &err);
    if (status != CB_OK)
        fprintf(stderr, "%s\n", err.text);
    return status == CB_OK ? 0 : status == CB_NO_DEVICE ? 77 : 1; /* the system frees the rest */
}
