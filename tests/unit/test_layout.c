/* SPDX-License-Identifier: Apache-2.0
 *
 * What the merge tool tells of parameters' types.
 */
#include "tests/unit/merge_fixture.h"

ALL_TESTS(skip_unless_built, NULL)

/* Merges a task with one parameter, whose type is there to look at. */
static struct cb_merge_kernel kernel_of(const char *before, const char *parameter)
{
    char path[] = "/tmp/coopbench-layout-XXXXXX", text[1024], out[ROOM];
    struct cb_merge_kernel kernel;
    struct cb_err err;
    snprintf(text, sizeof text, "%s\nkernel void k(%s)\n{\n}\n", before, parameter);
    write_source(text, path);
    FILE *stream = fmemopen(out, sizeof out, "w");
    if (cb_merge(&(struct cb_merge_source){.path = path, .name = "k"}, 1, stream, &kernel, &err) !=
        CB_OK)
        fail_msg("%s", err.text);
    fclose(stream);
    unlink(path);
    assert_int_equal(kernel.n_parameters, 1);
    return kernel;
}

/* "u4x2" and so on: a number, a vector; else why it is none. */
static void expect(const char *before, const char *parameter, enum cb_space space,
                   const char *wanted)
{
    struct cb_merge_kernel kernel = kernel_of(before, parameter);
    const struct cb_layout *l = &kernel.parameters[0].layout;
    char text[256] = "";
    if (l->trouble)
        snprintf(text, sizeof text, "%s", l->trouble);
    else if (l->n_members == 1 && !l->is_record)
        snprintf(text, sizeof text, "%c%zux%u", l->members[0].element.kind,
                 l->members[0].element.size, l->members[0].element.width);
    if (!strstr(text, wanted) || kernel.parameters[0].space != space)
        fail_msg("%s: %s, space %d", parameter, text, kernel.parameters[0].space);
    if (!l->trouble) {
        assert_int_equal(l->bytes, cb_element_bytes(&l->members[0].element));
        assert_int_equal(l->alignment, l->bytes);
    }
    cb_merge_kernel_free(&kernel);
}

TEST(numbers)
{
    static const struct {
        const char *before, *parameter;
        enum cb_space space;
        const char *wanted;
    } rows[] = {
        {"", "uint p", CB_BY_VALUE, "u4x1"},
        {"", "const global uint4 *restrict p", CB_GLOBAL, "u4x4"},
        {"", "volatile __global uchar *p", CB_GLOBAL, "u1x1"},
        {"", "global const double16 *p", CB_GLOBAL, "f8x16"},
        {"", "constant float *p", CB_CONSTANT, "f4x1"},
        {"", "local short2 *p", CB_LOCAL, "i2x2"},
        {"", "global unsigned int *p", CB_GLOBAL, "u4x1"},
        {"", "unsigned long p", CB_BY_VALUE, "u8x1"},
        {"", "signed char p", CB_BY_VALUE, "i1x1"},
        {"", "global char *p", CB_GLOBAL, "i1x1"},
        {"", "int3 p", CB_BY_VALUE, "i4x3"},
        {"", "global float3 *p", CB_GLOBAL, "f4x3"},
        {"", "global half *p", CB_GLOBAL, "f2x1"},
        {"", "global bool *p", CB_GLOBAL, "b1x1"},
        {"", "global atomic_int *p", CB_GLOBAL, "i4x1"},
        {"", "volatile global atomic_uint *p", CB_GLOBAL, "u4x1"},
        {"", "global atomic_float *p", CB_GLOBAL, "f4x1"},
        {"", "global size_t *p", CB_GLOBAL, "u8x1"},
        {"", "global void *p", CB_GLOBAL, "u1x1"},
        {"", "global int p[]", CB_GLOBAL, "i4x1"},
        {"typedef float cell;", "global cell *p", CB_GLOBAL, "f4x1"},
        {"typedef global const uint2 *pairs;", "pairs p", CB_GLOBAL, "u4x2"},
        {"typedef enum { RED = 1, GREEN } colour;", "colour p", CB_BY_VALUE, "u4x1"},
        {"typedef enum { COLD = -1, WARM } heat;", "global heat *p", CB_GLOBAL, "i4x1"},
        {"", "global long long *p", CB_GLOBAL, "a setup knows numbers"},
        {"struct list { global struct list *next; };", "global struct list *p", CB_GLOBAL,
         "its member next is a pointer"},
        {"struct in { int a; global int *b; }; struct out { struct in c[2]; };",
         "global struct out *p", CB_GLOBAL, "its member c[0].b is a pointer"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        expect(rows[i].before, rows[i].parameter, rows[i].space, rows[i].wanted);
}

/* Size and alignment, then "kind size x width name[count]@offset" of each member; '|': its place
 * is another's, too. */
static void expect_record(const char *before, const char *wanted)
{
    struct cb_merge_kernel kernel = kernel_of(before, "global T *p");
    const struct cb_layout *l = &kernel.parameters[0].layout;
    char text[1024];
    size_t n = (size_t)snprintf(text, sizeof text, "%zu/%zu", l->bytes, l->alignment);
    assert_true(l->is_record);
    for (int m = 0; m < l->n_members; m++) {
        const struct cb_layout_member *p = &l->members[m];
        n += (size_t)snprintf(text + n, sizeof text - n, " %c%zux%u %s[%zu]@%zu%s", p->element.kind,
                              p->element.size, p->element.width, p->name, p->count, p->offset,
                              p->is_again    ? "||"
                              : p->is_shared ? "|"
                                             : "");
    }
    assert_string_equal(text, wanted);
    cb_merge_kernel_free(&kernel);
}

TEST(structures)
{
    expect_record("typedef struct { int begin, count; } T;", "8/4 i4x1 begin[1]@0 i4x1 count[1]@4");
    expect_record("typedef struct { char a; double b; float3 c; bool d; } T;",
                  "48/16 i1x1 a[1]@0 f8x1 b[1]@8 f4x3 c[1]@16 b1x1 d[1]@32");
    expect_record("typedef struct __attribute__((packed)) { char a; int b; short c[2][3]; } T;",
                  "17/1 i1x1 a[1]@0 i4x1 b[1]@1 i2x1 c[6]@5");
    expect_record("typedef struct { half h; float2 v[4]; } T;", "40/8 f2x1 h[1]@0 f4x2 v[4]@8");
    expect_record("typedef struct { uchar k; } key; typedef struct { int n; key of[2]; "
                  "struct { ushort s; } in; } T;",
                  "8/4 i4x1 n[1]@0 u1x1 of[0].k[1]@4 u1x1 of[1].k[1]@5 u2x1 in.s[1]@6");
    expect_record("typedef struct { atomic_int a; } __attribute__((aligned(64))) T;",
                  "64/64 i4x1 a[1]@0");
}

TEST(unions)
{
    expect_record("typedef union { float f; uint u; uchar bytes[8]; } T;",
                  "8/4 f4x1 f[1]@0| u4x1 u[1]@0|| u1x1 bytes[8]@0||");
    expect_record("typedef struct { int kind; union { float f; struct { short a, b; }; }; int z; } "
                  "T;",
                  "12/4 i4x1 kind[1]@0 f4x1 f[1]@4| i2x1 a[1]@4|| i2x1 b[1]@6|| i4x1 z[1]@8");
}

/* So many as a launch may have. */
TEST(parameters_without_number)
{
    char text[4096] = "global int *p0", path[] = "/tmp/coopbench-layout-XXXXXX";
    static char source[8192], out[8 * ROOM];
    struct cb_merge_kernel kernel;
    struct cb_err err;
    for (int i = 1; i < 128; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ", global int *p%d", i);
    snprintf(source, sizeof source, "kernel void k(%s)\n{\n    *p127 = 1;\n}\n", text);
    write_source(source, path);
    FILE *stream = fmemopen(out, sizeof out, "w");
    assert_int_equal(cb_merge(&(struct cb_merge_source){.path = path}, 1, stream, &kernel, &err),
                     CB_OK);
    fclose(stream);
    unlink(path);
    assert_int_equal(kernel.n_parameters, 128);
    assert_int_equal(kernel.parameters[127].space, CB_GLOBAL);
    assert_int_equal(kernel.parameters[127].layout.bytes, 4);
    cb_merge_kernel_free(&kernel);
}

TEST(images)
{
    static const struct {
        const char *parameter, *type;
        unsigned dimensions;
        bool is_array, is_written;
    } rows[] = {
        {"image1d_t p", "image1d_t", 1, false, false},
        {"write_only image1d_array_t p", "image1d_array_t", 1, true, true},
        {"__read_only image2d_t p", "image2d_t", 2, false, false},
        {"write_only const image2d_array_t p", "image2d_array_t", 2, true, true},
        {"__write_only image3d_t p", "image3d_t", 3, false, true},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_merge_kernel kernel = kernel_of("", rows[i].parameter);
        const struct cb_layout *l = &kernel.parameters[0].layout;
        assert_string_equal(l->image.type, rows[i].type);
        assert_int_equal(l->image.dimensions, rows[i].dimensions);
        assert_int_equal(l->image.is_array, rows[i].is_array);
        assert_int_equal(l->image.is_written, rows[i].is_written);
        assert_false(l->is_sampler);
        cb_merge_kernel_free(&kernel);
    }
    struct cb_merge_kernel kernel = kernel_of("typedef sampler_t how;", "how p");
    assert_true(kernel.parameters[0].layout.is_sampler);
    assert_null(kernel.parameters[0].layout.image.type);
    cb_merge_kernel_free(&kernel);
}

/* By what reads them, or what reads others where a helper has another name for them. */
TEST(pixels)
{
    static const struct {
        const char *before, *body;
        char pixels;
    } rows[] = {
        {"", "", 'f'},
        {"", "o[0] = read_imageui (p, (int2)(0)).x", 'u'},
        {"", "o[0] = read_imagei(pp, (int2)(0)).x + read_imagef( p, (int2)(0)).x", 'f'},
        {"kernel void other(image2d_t p, global float *o) { o[0] = read_imagef(p, (int2)(0)).x; }",
         "o[0] = read_imageui(p, (int2)(0)).x", 'u'},
        {"int f(image2d_t q) { return read_imagei(q, (int2)(0)).x; }", "o[0] = f(p)", 'i'},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char path[] = "/tmp/coopbench-layout-XXXXXX", text[1024], out[ROOM];
        struct cb_merge_kernel kernel;
        struct cb_err err;
        snprintf(text, sizeof text,
                 "%s\nkernel void k(image2d_t pp, image2d_t p, global int *o)\n{\n"
                 "    %s;\n}\n",
                 rows[i].before, rows[i].body);
        write_source(text, path);
        FILE *stream = fmemopen(out, sizeof out, "w");
        if (cb_merge(&(struct cb_merge_source){.path = path, .name = "k"}, 1, stream, &kernel,
                     &err) != CB_OK)
            fail_msg("%s", err.text);
        fclose(stream);
        unlink(path);
        assert_int_equal(kernel.parameters[1].pixels, rows[i].pixels);
        cb_merge_kernel_free(&kernel);
    }
}
