/* SPDX-License-Identifier: Apache-2.0
 *
 * The merge tool: plain kernels, which become tasks.
 */
#include "merge_fixture.h"
#include "tests/unit/unit.h"

/* A kernel without scheduling points. */
TEST(task)
{
    char out[ROOM];
    assert_int_equal(
        merge("#define T(i) t[i]\nint f(void) { return get_group_id(1); }\n"
              "kernel void k(global int *a, int n, local int *b)\n{\n"
              "    local int t[8][2], u[8];\n    int x = f();\n    T(1)[0] = u[0] = 1;\n"
              "    n++;\n    barrier(1);\n    a += 2;\n    if (x) return;\n"
              "    *a = n + b[get_local_id(2)];\n}\n",
              NULL, out),
        CB_OK);
    static const char *const parts[] = {
        "#include \"task.clh\"",
        "typedef struct {\n    global int *arg_a;\n    int arg_n;\n    local int *arg_b;\n} "
        "k_args;",
        "typedef struct {\n    uint task_point;\n    global int *a;\n    int n;\n    int x;\n} "
        "k_state;",
        "typedef struct {\n    int t[8][2];\n    int u[8];\n} k_local;",
        "int f(const task_view task_v) { return get_group_id(1); }",
        "    global int *a = task_s->task_point ? task_s->a : task_a->arg_a;\n"
        "    int n = task_s->task_point ? task_s->n : task_a->arg_n;\n"
        "    local int *const b = task_a->arg_b;\n    int x = task_s->x;\n",
        "x = f(task_v);",
        "#define t task_l->t\n",
        "#undef t\n",
        "T(1)[0] = task_l->u[0] = 1;",
        "do { task_s->a = a; task_s->n = n; task_s->x = x; task_barrier(); } while (0);",
        "if (x) return TASK_DONE;",
        "TASK_TOGETHER(k)",
        "kernel void k(global int *arg_a, int arg_n, local int *arg_b, uint4 task_groups",
        "task_args = {arg_a, arg_n, arg_b};",
    };
    for (size_t i = 0; i < CB_COUNTOF(parts); i++)
        if (!strstr(out, parts[i]))
            fail_msg("not there: %s\n%s", parts[i], out);
    assert_int_equal(merge("kernel void k(void)\n{\n}\n", NULL, out), CB_OK);
    assert_non_null(strstr(out, "TASK_APART_IN_ROWS(k)"));
    assert_non_null(strstr(out, "task_args = {0};"));
}

/* What a macro does with a parameter is not known, but nothing changes one that is const; and the
 * file's functions may be called as what a merged kernel has. */
TEST(names_and_constants)
{
    char out[ROOM];
    assert_int_equal(merge("#define AT(i, n) ((i) * (n))\nint group(int x)\n{\n    return x;\n}\n"
                           "kernel void k(global int *a, const int n)\n{\n    int x = AT(2, n);\n"
                           "    barrier(1);\n    a[get_group_id(0)] = AT(x, n) + group(x);\n}\n",
                           NULL, out),
                     CB_OK);
    assert_non_null(strstr(out, "const int n = task_a->arg_n;"));
    assert_non_null(strstr(out, "#define group k_own_group"));
    assert_non_null(strstr(out, "#define get_group_id(d) task_group_id(task_v, d)"));
    assert_int_equal(
        merge("kernel void k_group(global int *a)\n{\n    a[0] = 1;\n}\n" KERNEL "}\n", "k", out),
        CB_OK);
    assert_int_equal(merge("kernel void k_group(global int *a)\n{\n    a[0] = 1;\n}\n" KERNEL
                           "    barrier(1);\n}\n",
                           "k", out),
                     CB_USAGE);
    assert_non_null(strstr(out, "k_group, beside the kernel, is a word of the merged kernel"));
}

/* Rows go through workgroups where no work-item knows which it is in. */
TEST(rows)
{
    static const struct {
        const char *id, *written;
    } rows[] = {
        {"get_global_id(1)", "TASK_APART_IN_ROWS(k)"},
        {"get_global_linear_id()", "TASK_APART_IN_ROWS(k)"},
        {"get_local_size(1)", "TASK_APART_IN_ROWS(k)"},
        {"get_global_size(0) * get_num_groups(1)", "TASK_APART_IN_ROWS(k)"},
        {"get_local_id(0)", "TASK_APART(k)"},
        {"get_local_linear_id()", "TASK_APART(k)"},
        {"get_group_id(2)", "TASK_APART(k)"},
        {"f()", "TASK_APART(k)"},
        {"F", "TASK_APART(k)"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char text[500], out[ROOM];
        snprintf(text, sizeof text,
                 "int f(void)\n{\n    return get_group_id(0);\n}\n#define F f()\n%s"
                 "    a[0] = %s;\n}\n",
                 KERNEL, rows[i].id);
        assert_int_equal(merge(text, NULL, out), CB_OK);
        if (!strstr(out, rows[i].written))
            fail_msg("not %s: %s", rows[i].written, text);
    }
}

/* Images and samplers come beside the packet, by names of their own up to the kernel's function. */
TEST(images_of_a_task)
{
    char out[ROOM];
    assert_int_equal(
        merge("typedef image2d_t picture;\n"
              "kernel void k(read_only picture in, int n, write_only image1d_array_t out,\n"
              "              sampler_t at)\n{\n    n++;\n    barrier(1);\n"
              "    write_imagef(out, (int2)(n, 0), read_imagef(in, at, (int2)(n, n)));\n"
              "}\n",
              NULL, out),
        CB_OK);
    static const char *const parts[] = {
        "typedef struct {\n    int arg_n;\n} k_args;",
        "#define k_images , read_only image2d_t in_of_k, write_only image1d_array_t out_of_k, "
        "sampler_t at_of_k\n",
        "#define k_image_names , in_of_k, out_of_k, at_of_k\n",
        "TASK_FUNCTION uint k_task(const k_args *task_a, k_state *task_s,\n"
        "    local k_local *task_l, const task_view task_v, read_only image2d_t in, "
        "write_only image1d_array_t out, sampler_t at)\n{\n    int n = task_s->task_point",
        "kernel void k(read_only image2d_t in_of_k, int arg_n, write_only image1d_array_t "
        "out_of_k, sampler_t at_of_k, uint4 task_groups",
        "task_args = {arg_n};",
        "typedef struct {\n    int arg_n;\n} k_packet;",
        "#define k_submit(task_range, arg_n) ",
    };
    for (size_t i = 0; i < CB_COUNTOF(parts); i++)
        if (!strstr(out, parts[i]))
            fail_msg("not there: %s\n%s", parts[i], out);
    assert_int_equal(merge("kernel void k(sampler_t at)\n{\n}\n", NULL, out), CB_OK);
    assert_non_null(strstr(out, "task_args = {0};"));
}

/* Parameters that are written as arrays, which are pointers. */
TEST(array_parameters)
{
    char out[ROOM];
    assert_int_equal(merge("kernel void k(global int a[], constant float b[4], local uint2 c[])\n"
                           "{\n    a[get_global_id(0)] = b[1] + c[0].x;\n}\n",
                           NULL, out),
                     CB_OK);
    assert_non_null(strstr(out, "global int *arg_a;\n    const global float *arg_b;\n"
                                "    local uint2 *arg_c;\n"));
    assert_int_equal(merge("kernel void k(global int a[][4])\n{\n    a[0][1] = 1;\n}\n", NULL, out),
                     CB_USAGE);
    assert_non_null(strstr(out, "pointers to arrays are not supported"));
}

/* The size of workgroups that a kernel requires, and the first side of its tile. */
TEST(sizes)
{
    static const struct {
        const char *text;
        size_t required[3], tile[3];
    } rows[] = {
        {"#define X 32\n#define Y (X / 2)\n"
         "kernel __attribute__((reqd_work_group_size(X, Y / 8, 1))) void k(global int *a)\n"
         "{ local int t[X * 2 + 2]; t[0] = 1; a[0] = t[0]; }",
         {32, 2, 1},
         {64, 64, 64}},
        {"kernel __attribute__((reqd_work_group_size((4 + 2) * 8 - 8, 1, 0x2))) void k(global int "
         "*a) { a[0] = 1; }",
         {40, 1, 2},
         {0}},
        {"#define LOOP LOOP\n#define TILE LOOP\n"
         "kernel __attribute__((reqd_work_group_size(64 % 48, 1, 1))) void k(global int *a)\n"
         "{ local int t[1 << 4]; t[0] = 1; a[0] = t[0]; }",
         {16, 1, 1},
         {1, 1, 1}},
        {"kernel void k(global int *a) { local int t[2][4 + 1][8]; t[0][0][0] = 1; a[0] = "
         "t[0][0][0]; }",
         {0},
         {8, 4, 2}},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_merge_kernel kernel;
        char path[] = "/tmp/coopbench-merge-XXXXXX";
        struct cb_err err = {CB_OK, ""};
        FILE *out = fopen("/dev/null", "w");
        write_source(rows[i].text, path);
        assert_int_equal(cb_merge(&(struct cb_merge_source){.path = path}, 1, out, &kernel, &err),
                         CB_OK);
        fclose(out);
        unlink(path);
        for (int d = 0; d < 3; d++)
            assert_true(kernel.required[d] == rows[i].required[d] &&
                        kernel.tile[d] == rows[i].tile[d]);
        cb_merge_kernel_free(&kernel);
    }
}

/* A task's arguments are in no constant memory, and helpers may be given them. */
TEST(constants)
{
    static char out[ROOM];
    assert_int_equal(merge("float first(__constant float *w, constant int*n) { return w[*n]; }\n"
                           "kernel void k(__constant float *w, constant int *n, global float *a)\n"
                           "{ constant float *at = w + 1; a[0] = first(at, n); }",
                           NULL, out),
                     CB_OK);
    assert_non_null(strstr(out, "first(__global   float *w, global   int*n)"));
    assert_non_null(strstr(out, "global   float *at = w + 1;"));
    assert_int_equal(
        merge("constant float table[2] = {1, 2};\nfloat first(constant float *w) { return w[0]; }\n"
              "kernel void k(global float *a) { a[0] = first(table); }",
              NULL, out),
        CB_OK);
    assert_non_null(strstr(out, "first(constant float *w)"));
}

/* Which of them are left as they are: those to tables, whatever says that they are in constant
 * memory. */
TEST(constants_and_tables)
{
#define TABLE "constant int t[2] = {1, 2};\n"
#define TASK  "kernel void k(constant int *c, global int *a)\n{\n"
    static const struct {
        const char *text, *written;
    } rows[] = {
        {"#define MEMORY constant\n" TASK
         "    MEMORY int *v = (MEMORY int *)c + 1;\n    *a = *v;\n}\n",
         "global int *v = (global int *)c + 1;"},
        {"#define MAYBE_CONSTANT const __constant\n"
         "int f(MAYBE_CONSTANT int *w) { return *w; }\n" TASK "    *a = f(c);\n}\n",
         "int f(__global       int *w)"},
        {"#define AT(p) *(constant int *)(p)\n" TASK "    *a = AT(c + 1);\n}\n",
         "#define AT(p) *(global   int *)(p)"},
        {TABLE TASK "    constant int *v = c;\n    *a = *v + t[1] + (a[0] & t[0]);\n}\n",
         "global   int *v = c;"},
        {TABLE "int f(int i, constant int *w) { return w[i]; }\n" TASK
               "    *a = f(0, c) + t[1];\n}\n",
         "f(int i, global   int *w)"},
        {TABLE TASK "    constant int *v = c;\n    constant int *w = t + 1;\n"
                    "    constant int *x = &w[0];\n    w = w + 1;\n    *a = *v + *x;\n}\n",
         "global   int *v = c;\n    constant int *w = t + 1;\n    constant int *x = &w[0];"},
        {TABLE TASK "    constant int *w = t;\n    barrier(1);\n    *a = *w;\n}\n",
         "    constant int *w;\n} k_state"},
        {"constant sampler_t s = 0;\n" TASK "    constant int *v = c;\n    *a = *v;\n}\n",
         "global   int *v = c;"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char out[ROOM];
        if (merge(rows[i].text, NULL, out) != CB_OK || !strstr(out, rows[i].written))
            fail_msg("%s\nexpected: %s\ngot: %s", rows[i].text, rows[i].written, out);
    }
}

TEST(plain)
{
    static const char text[] = "/* submit_task(k, r) */ kernel void k(global int *a)\n{\n"
                               "    if (!submit_task(k, task_range_1d(1, 2), (a +\n"
                               "        get_global_id(0))) || submit_task (k, r, \")\") + 1)\n"
                               "        a[0] = my_submit_task(1);\n}\n";
    char path[] = "/tmp/coopbench-merge-XXXXXX", out[ROOM] = "";
    struct cb_err err;
    write_source(text, path);
    FILE *stream = fmemopen(out, ROOM - 1, "w");
    assert_int_equal(cb_merge_plain(&(struct cb_merge_source){.path = path}, stream, &err), CB_OK);
    fclose(stream);
    unlink(path);
    assert_non_null(strstr(out, "/* submit_task(k, r) */ kernel void k(global int *a)\n{\n"
                                "    if (!false\n || false + 1)\n"
                                "        a[0] = my_submit_task(1);\n}\n"));
}

ALL_TESTS(skip_unless_built, NULL)
