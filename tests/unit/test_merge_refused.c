/* SPDX-License-Identifier: Apache-2.0
 *
 * The merge tool: what is refused, and where.
 */
#include "merge_fixture.h"
#include "tests/unit/unit.h"

TEST(refused)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {KERNEL "#ifdef cl_device\n    int x = 2;\n#else\n    int x = n;\n#endif\n"
                "    global_barrier();\n    a[0] = x;\n}\n",
         ":4:9: x, in text that #if takes away here"},
        {KERNEL "#ifdef cl_device\n    int x = 2;\n#endif\n    global_barrier();\n"
                "#ifdef cl_device\n    a[0] = x;\n#endif\n}\n",
         ":4:9: x, in text that #if takes away here"},
        {KERNEL "    int x[2] = {n, 1};\n#ifdef cl_device\n    x[0] = 2;\n#endif\n"
                "    global_barrier();\n    a[0] = x[n];\n}\n",
         ":5:5: x, in text that #if takes away here"},
        {"kernel void k(global int *a, local int *b)\n{\n    b[0] = 1;\n    barrier(1);\n#ifdef "
         "cl_device\n"
         "    barrier(1);\n#endif\n    a[0] = b[0];\n}\n",
         ":6:5: a point that #if takes away here"},
        {KERNEL "    int x = n\n}\n", ":3:14: expected ';' at end of declaration"},
        {KERNEL "    a[0] = m;\n}\n", ":3:12: use of undeclared identifier 'm'"},
        {"int f(int x)\n{\n    return x;\n}\n", ": there is no kernel in it"},
        {"kernel void a(global int *x)\n{\n}\nkernel void b(global int *x)\n{\n}\n",
         ": several kernels in it, and none has a scheduling point: give one as "},
        {"kernel void a(global int *x)\n{\n    *x = coop_run();\n}\n",
         ":3:10: coop_run() is a word of cooperative kernels"},
        {"kernel void a(read_only image2d_t x)\n{\n    global_barrier();\n}\n",
         ":1:15: the parameter x: a cooperative kernel has no images"},
        {"kernel void a(sampler_t x)\n{\n    global_barrier();\n}\n",
         ":1:15: the parameter x: a cooperative kernel has no images and no samplers: give a "
         "buffer"},
        {"kernel void a(read_write image2d_t x)\n{\n}\n",
         ":1:15: the parameter x: images that are read and written are not supported: give one"},
        {"kernel void a(image1d_buffer_t x)\n{\n}\n",
         ":1:15: the parameter x: images made of buffers are not supported: take image1d_t"},
        {"kernel void a(image2d_array_depth_t x)\n{\n}\n",
         ":1:15: the parameter x: images of depths are not supported: take one with a channel"},
        {"kernel void a(image2d_msaa_t x)\n{\n}\n",
         ":1:15: the parameter x: images with several samples of a pixel are not supported"},
        {"void f(read_only image1d_t x, global float *o)\n{\n    barrier(1);\n"
         "    o[0] = read_imagef(x, 0).x;\n}\n"
         "kernel void a(read_only image1d_t x, global float *o)\n{\n    f(x, o);\n}\n",
         ":1:1: f() has a point in it, and is given an image or a sampler: read the image"},
        {"kernel void a(read_only image1d_t x, int n)\n{\n    if (n > 0)\n"
         "        submit_task(a, task_range_1d(1, 1), x, n - 1);\n}\n",
         ":1:15: the parameter x of a: a launch packet brings neither images nor samplers, and it "
         "is submitted by a kernel: give it a buffer"},
        {KERNEL "    int x = n;\n    resizing_global_barrier();\n    a[0] = x;\n}\n",
         ":4:5: x lives across resizing_global_barrier(), and a workgroup that joins"},
        {KERNEL "    int x = n;\n    request_fork();\n    a[0] = x;\n}\n",
         ":4:5: x lives across request_fork()"},
        {KERNEL "    transmit int x = get_global_id(0);\n    global_barrier();\n    a[0] = x;\n}\n",
         ":3:22: x keeps an id or a size across points"},
        {KERNEL "    transmit int x;\n    x = 2 * get_num_groups(0);\n    global_barrier();\n}\n",
         ":4:13: x keeps an id or a size across points"},
        {KERNEL "    int x = n, *p = &x;\n    global_barrier();\n    *p = 1;\n    a[0] = x;\n}\n",
         ":3:17: p lives across a point, and private memory moves there"},
        {KERNEL "    for (int x[2] = {1, 2}; x[0] < n; x[0]++)\n        global_barrier();\n}\n",
         ":3:10: an array lives across a point: declare it before the loop"},
        {KERNEL "    global_barrier();\n    return f(n);\n}\n", ":4:12: "},
        {"#define get_global_id(d) 1\n" KERNEL "    global_barrier();\n}\n",
         ":1:9: the macro get_global_id is a word"},
        {KERNEL
         "    int x = 1\n#ifdef __N__\n        , y = 2\n#endif\n        ;\n    global_barrier();\n"
         "    a[0] = x;\n}\n",
         ":3:5: #if within a declaration"},
        {KERNEL
         "    global int *x[1], **y = x;\n    x[0] = a;\n    global_barrier();\n    **y = 1;\n}\n",
         ":3:25: y lives across a point, and private memory moves there"},
        {KERNEL
         "    int x __attribute__((aligned(16))) = n;\n    global_barrier();\n    a[0] = x;\n}\n",
         ":3:5: x lives across a point, and has an attribute"},
        {"struct s {\n    const int x;\n    int y;\n};\n" KERNEL
         "    struct s x = {n, 2};\n    global_barrier();\n    a[0] = x.x;\n}\n",
         ":7:5: x lives across a point, and a member of its type is const"},
        {KERNEL "    n = 2;\n    global_barrier();\n}\n", ":3:6: the parameter n is changed"},
        {KERNEL "    n--;\n    global_barrier();\n}\n", ":3:5: the parameter n is changed"},
        {"int f(int n)\n{\n    return n ? f(n - 1) : 0;\n}\n" KERNEL
         "    global_barrier();\n    a[0] = f(n);\n}\n",
         ":1:1: f() calls itself"},
        {KERNEL "    switch (n) {\n    case 0:\n        global_barrier();\n    }\n}\n",
         ":5:9: global_barrier() within a switch"},
        {KERNEL "    global_barrier();\nagain:\n    if (n)\n        goto again;\n}\n",
         ":4:1: goto: a kernel with points needs loops instead"},
        {KERNEL "    int x[64];\n    transmit int y = n;\n    x[0] = n;\n    global_barrier();\n"
                "    a[0] = x[n] + y;\n}\n",
         ":3:5: what lives across points takes 260 bytes, and may take 252: keep x in global"},
        {KERNEL "    local struct {\n        int x;\n    } s;\n    s.x = n;\n    barrier(1);\n"
                "    a[0] = s.x;\n}\n",
         ":5:7: s lives across a point, or in local memory: give its type a name"},
        {"size_t task_in(int x)\n{\n    return x;\n}\n" KERNEL "    a[0] = task_in(n);\n}\n",
         ":5:1: task_in, beside the kernel, is a word of the merged kernel"},
        {"#define S 4\n" KERNEL "    a[0] = S;\n    global_barrier();\n}\n",
         ":1:9: the macro S is a word of the merged kernel"},
        {KERNEL "    int coop_s = n;\n    global_barrier();\n    a[0] = coop_s;\n}\n",
         ":3:5: coop_s is a word of the merged kernel"},
        {KERNEL "    int x = n, *p = &x;\n    global_barrier();\n    a[0] = *p;\n}\n",
         ":3:17: p lives across a point, and private memory moves there"},
        {"typedef struct {\n    int *x;\n} holder;\n" KERNEL
         "    int x = n;\n    holder h = {&x};\n"
         "    global_barrier();\n    a[0] = *h.x;\n}\n",
         ":7:5: h lives across a point, and private memory"},
        {"constant int t[2] = {1, 2};\nint first(int i, constant int *w) { return w[i]; }\n"
         "kernel void k(constant int *c, global int *a) { a[0] = first(0, c) + first(0, t); }\n",
         ":2:18: first() takes pointers to constant memory, in which the file has tables, but a "
         "task's arguments are not: let it, or the kernel, take pointers to global memory"},
        {"constant int t[2] = {1, 2};\nkernel void k(constant int *c, global int *a, int n)\n{\n"
         "    constant int *v = n ? t : c;\n    *a = *v;\n}\n",
         ":4:27: t is in constant memory, and a task's arguments are not: declare a pointer to it"},
        {"constant int t[2] = {1, 2};\nkernel void k(constant int *c, global int *a, int n)\n{\n"
         "    constant int *v = c;\n    if (n)\n        v = &t[1];\n    *a = *v;\n}\n",
         ":6:14: t is in constant memory, and a task's arguments are not: declare a pointer to it"},
        {"#define C constant\nint f(C int *w) { return *w; }\n"
         "kernel void k(C int *c, global int *a) { *a = f(c); }\n",
         ":2:7: C stands for constant: write that where it is"},
        {KERNEL
         "    constant int x[2] = {1, 2};\n    global_barrier();\n    for (int x = 0; x < n; "
         "x++)\n        a[0] = x;\n}\n",
         ":3:5: x: declare constants beside the kernel"},
        {"#define global_barrier()\n" KERNEL
         "    int x = n;\n    global_barrier();\n    a[0] = x;\n}\n",
         ":5:5: a point that is none here"},
        {KERNEL "    local int x[64];\n    local int *p = x + n;\n    barrier(1);\n    "
                "global_barrier();\n    a[0] = *p;\n}\n",
         ":6:5: p points to local memory, which is another after global_barrier()"},
        {"typedef struct {\n    int n;\n    local int *p[2];\n} s;\n" KERNEL
         "    local int x[64];\n    transmit s q;\n    q.p[1] = x;\n    "
         "resizing_global_barrier();\n"
         "    a[0] = *q.p[1];\n}\n",
         ":10:5: q points to local memory, which is another after resizing_global_barrier()"},
        {KERNEL "    local int x[64];\n    union { local int *p; int n; } q;\n    q.p = x;\n"
                "    global_barrier();\n    a[0] = *q.p;\n}\n",
         "q points to local memory"},
        {"void f(global int *a, local int *p)\n{\n    global_barrier();\n    a[0] = "
         "p[1];\n}\n" KERNEL "    local int x[64];\n    f(a, x + 1);\n}\n",
         "points to local memory, which is another after global_barrier()"},
        {KERNEL "    global_barrier();\n    a[get_global_id(1)] = 1;\n}\n",
         ":4:7: an id of dimension 1, and no size: active workgroups stand in a row"},
        {"#define Z get_group_id(2)\n" KERNEL
         "    global_barrier();\n    a[get_global_id(1)] = Z + get_num_groups(1);\n}\n",
         ":5:27: an id of dimension 2, and no size"},
        {"int f(void)\n{\n    return get_local_id(1);\n}\n" KERNEL
         "    a[0] = f();\n    global_barrier();\n}\n",
         ":3:12: get_local_id(1), and no get_local_size(1): say what sides workgroups have"},
        {"constant int coop_a = 1;\n" KERNEL "    global_barrier();\n    a[0] = coop_a;\n}\n",
         ":2:1: coop_a, beside the kernel, is a word"},
        {"void f(int *x)\n{\n}\n" KERNEL "    f(&n);\n    global_barrier();\n}\n",
         ":6:7: the address of the parameter n is taken"},
        {"#include \"not-there.h\"\n" KERNEL "    global_barrier();\n}\n", "not-there.h"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char out[ROOM];
        if (merge(rows[i].text, NULL, out) != CB_USAGE)
            fail_msg("merged:\n%s", rows[i].text);
        if (!strstr(out, rows[i].message))
            fail_msg("%s\ngot: %s\nexpected: %s", rows[i].text, out, rows[i].message);
    }
}

/* Variables have the user's names, and what is written out the function's. */
TEST(users_names)
{
    static const struct {
        const char *text, *message, *not ;
    } rows[] = {
        {KERNEL "    {\n        int m = n;\n        global_barrier();\n        a[0] = m;\n    }\n"
                "    {\n        float m = n;\n        resizing_global_barrier();\n        a[0] = "
                "m;\n    }\n}\n",
         ":10:9: m lives across resizing_global_barrier()", "m_"},
        {"int f(global int *a)\n{\n    for (transmit int i = 0; i < 3; i++) {\n        if (a[i])\n"
         "            return get_global_id(0);\n        resizing_global_barrier();\n    }\n"
         "    return 0;\n}\n" KERNEL "    a[0] = f(a);\n}\n",
         ":5:21: what f() returns keeps an id or a size across points", "f_"},
        {"void f(global int *a, int *x)\n{\n    resizing_global_barrier();\n    *a = "
         "*x;\n}\n" KERNEL "    int y = n;\n    f(a, &y);\n}\n",
         "x lives across a point, and private memory moves there", "f_"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char out[ROOM];
        assert_int_equal(merge(rows[i].text, NULL, out), CB_USAGE);
        if (!strstr(out, rows[i].message) || strstr(out, rows[i].not ))
            fail_msg("%s\ngot: %s\nexpected: %s", rows[i].text, out, rows[i].message);
    }
}

/* The first variable that is too many is told, and what to do. */
TEST(too_many_variables)
{
    static char text[ROOM], out[ROOM];
    strcpy(text, KERNEL);
    for (int i = 0; i < 1024; i++)
        sprintf(text + strlen(text), "    int x%d = n;\n", i);
    strcat(text, "}\n");
    assert_int_equal(merge(text, NULL, out), CB_USAGE);
    assert_non_null(strstr(out,
                           ":1025:5: a kernel has at most 1024 variables, with its parameters and "
                           "those of helpers that are written out in it: make arrays of some"));
    assert_null(strchr(out, '\n'));
}

/* All problems at once, in the order of the text. */
TEST(all_problems)
{
    char out[ROOM];
    assert_int_equal(merge(KERNEL "    int x = n;\n    n++;\n    request_fork();\n    a[0] = x;\n"
                                  "    resizing_global_barrier();\n    a[1] = x;\n}\n",
                           NULL, out),
                     CB_USAGE);
    assert_non_null(strstr(out, ":5:5: x lives"));
    assert_non_null(strstr(out, ":7:5: x lives"));
    assert_non_null(strstr(out, ":4:5: the parameter n"));
}

ALL_TESTS(skip_unless_built, NULL)
