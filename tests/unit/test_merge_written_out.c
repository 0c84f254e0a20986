/* SPDX-License-Identifier: Apache-2.0
 *
 * The merge tool: macros, functions and #if that hide points are written out. tests/fixtures/tasks
 * has kernels that run.
 */
#include "merge_fixture.h"
#include "tests/unit/unit.h"

struct row {
    const char *text, *written; /* written: in what comes out, without blanks; or the message */
};

/* Without blanks, but for one where two letters would join. */
static void squeeze(const char *from, char *to)
{
    const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    for (; *from; from++) {
        bool is_blank = *from == ' ' || *from == '\n';
        if (is_blank && to[-1] != ' ')
            *to++ = ' ';
        else if (!is_blank && to[-1] == ' ' && !(strchr(letters, *from) && strchr(letters, to[-2])))
            to[-1] = *from;
        else if (!is_blank)
            *to++ = *from;
    }
    to[-(to[-1] == ' ')] = '\0';
}

static void check_merged(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char out[ROOM], squeezed[ROOM + 2] = ";;", expected[1000] = ";;";
        if (merge(rows[i].text, "k", out) != CB_OK)
            fail_msg("%s\n%s", rows[i].text, out);
        squeeze(out, squeezed + 2);
        squeeze(rows[i].written, expected + 2);
        if (!strstr(squeezed + 2, expected + 2))
            fail_msg("%s\nexpected: %s\ngot: %s", rows[i].text, expected + 2, squeezed + 2);
    }
}

static void check_refused(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char out[ROOM];
        if (merge(rows[i].text, "k", out) != CB_USAGE)
            fail_msg("merged: %s\n%s", rows[i].text, out);
        if (!strstr(out, rows[i].written))
            fail_msg("%s\ngot: %s\nexpected: %s", rows[i].text, out, rows[i].written);
    }
}

TEST(macros)
{
    static const struct row rows[] = {
        {"#define MEET global_barrier()\n" KERNEL "    MEET;\n}\n", "{ global_barrier(); }"},
        {"#define MEET global_barrier()\n" KERNEL "    MEET; MEET;\n    MEET;\n}\n",
         "{ global_barrier(1); global_barrier(2); global_barrier(3); }"},
        {"#define TWICE(p) p; \\\n    p /* twice */\n#define MEET global_barrier()\n" KERNEL
         "    TWICE(MEET);\n}\n",
         "{ global_barrier(1); global_barrier(2); }"},
        /* No token is made where there was none. */
        {"#define MEET(x) a[0] = -x; global_barrier()\n" KERNEL "    MEET(-n);\n}\n",
         "a[0] = - -n; global_barrier();"},
        {"#define EACH(i, n) for (int i = 0; i < (n); i++)\n" KERNEL
         "    EACH(j, n) { global_barrier(); }\n}\n",
         "for (j = 0; j < (n); j++) { do { coop_s->j = j; global_barrier(); } while (0); }"},
        {"#define TO(n) ; i < (n); i++\n" KERNEL
         "    for (int i = 0 TO(3))\n        global_barrier();\n}\n",
         "for (i = 0; i < (3); i++)"},
        /* What arguments stand for, where they are pasted: not what they are called. */
        {"#define LINE int\n#define PASTE_(a, b) a##b\n#define PASTE(a, b) PASTE_(a, b)\n"
         "kernel void PASTE(k, )(global int *a, int n)\n{\n    PASTE(global_, "
         "barrier)();\n    LINE x;\n}\n",
         "{ global_barrier(); LINE x; }"},
        {"#define T int\n#define J_(a, b) a##b\n#define J(a, b) J_(a, b)\n"
         "#define F(x) x J(meet_, T)()\nvoid meet_int(void)\n{\n    global_barrier();\n}\n"
         "void meet_T(void)\n{\n}\n" KERNEL "    F();\n}\n",
         "{{\n#line 6"},
        {"#define MAKE(T) kernel void k(global T *a) { a[0] = 1; global_barrier(); }\nMAKE(int)\n",
         "coop_kernel(k)"},
        {"#define ENTRY __kernel\nENTRY void k(global int *a)\n{\n    global_barrier();\n}\n",
         "coop_kernel(k)"},
        {"#define LET(x) int x = n\n" KERNEL
         "    LET(x);\n    global_barrier();\n    a[0] = x;\n}\n",
         "x = n; do { coop_s->x = x; global_barrier(); } while (0);"},
        {"#define X x\n" KERNEL
         "    int x = n;\n    global_barrier();\n    a[0] = X;\n    {\n        float x = 1;\n"
         "        a[1] = X;\n    }\n}\n",
         "a[0] = x_3; { float x = 1; a[1] = X; }"},
        /* A task's function has no constants of its own. */
        {"kernel void k(global int *a, int n)\n{\n    constant int x[2] = {1,\n        2};\n"
         "    a[0] = x[n];\n}\n",
         "constant int x[2] = {1, 2}; "},
        /* What begins with braces is told by the compiler: a macro may have them. */
        {"#define Q {n, 2}\n" KERNEL "    int2 q = Q;\n    global_barrier();\n    a[0] = q.x;\n}\n",
         "q = (int2)Q;"},
        {KERNEL "    const int c[2] = {1, n};\n    global_barrier();\n    a[0] = c[1];\n}\n",
         "do { const int c_begin[2] = {1, n};"},
        /* A sampler cannot lie in memory. */
        {"kernel void k(read_only image1d_t x, global float *o)\n{\n    const sampler_t s = 0 |\n"
         "        16;\n    barrier(1);\n    o[0] = read_imagef(x, s, 0).x;\n}\n",
         "const sampler_t s = 0 | 16; "},
        {"#define END return\n" KERNEL "    global_barrier();\n    END;\n}\n", "return COOP_DONE;"},
        {"#define LOG(x, ...) do { a[x] = n, ##__VA_ARGS__; global_barrier(); } while (0)\n" KERNEL
         "    LOG(1);\n    LOG(2, n = 3);\n}\n",
         NULL},
        /* The definition that holds at that line, and a comment that ends none. */
        {"#define MEET global_barrier()\n" KERNEL
         "#undef MEET\n#define MEET resizing_global_barrier() // two\n    MEET;\n}\n",
         "{\n#undef MEET\n#define MEET resizing_global_barrier() // two\n"
         "    resizing_global_barrier();"},
        /* What nothing depends on stays. */
        {"#define ALL CLK_LOCAL_MEM_FENCE\n#define MEET a[ALL] = 1; global_barrier()\n" KERNEL
         "    MEET;\n}\n",
         "{ a[ALL] = 1; global_barrier(); }"},
        {"int f(void)\n{\n    return get_local_id(0);\n}\n#define F f()\n" KERNEL
         "    a[0] = F;\n    global_barrier();\n}\n",
         "a[0] = f(coop_v);"},
    };
    struct row kept[CB_COUNTOF(rows)];
    size_t n = 0;
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        if (rows[i].written)
            kept[n++] = rows[i];
    check_merged(kept, n);
}

TEST(macros_refused)
{
    static const struct row rows[] = {
        {"#define MEET(x) a[0] = sizeof(#x); global_barrier()\n" KERNEL "    MEET(n);\n}\n",
         ":4:5: a macro that hides a part of the kernel makes a string of a name"},
        {"#ifdef cl_device\n#define MEET\n#else\n#define MEET global_barrier()\n#endif\n" KERNEL
         "    MEET;\n}\n",
         ":8:5: a macro that hides a part of the kernel is perhaps another on the device"},
        {"#define MEET(x) global_barrier()\n" KERNEL "    MEET(\n#if 1 == "
         "__OPENCL_VERSION__\n1\n#endif\n);\n}\n",
         ":4:5: a macro that hides a part of the kernel has an #if among its arguments"},
        {"#define barrier(x) barrier(x)\n" KERNEL "    barrier(1);\n    global_barrier();\n}\n",
         NULL},
        {"#define A(p) p B(p)\n#define B(p) p A(p)\n" KERNEL "    A(global_barrier();)\n}\n", ": "},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        if (rows[i].written)
            check_refused(&rows[i], 1);
}

#define MEET "int meet(int x)\n{\n    barrier(CLK_LOCAL_MEM_FENCE);\n    return x + 1;\n}\n"

#define SHARE(parameters, body)                                                                    \
    "void share(" parameters ")\n{\n    " body " resizing_global_barrier(); v[1] = 1;\n}\n"

/* Between workgroups the kernel's own names come in the place of parameters, where they can. */
TEST(stand_ins)
{
    static const struct row rows[] = {
        {SHARE("global int *v, int m", "v[0] = m;") KERNEL "    share(a, n);\n}\n",
         "{ a[0] = n; resizing_global_barrier(); a[1] = 1; } } }"},
        {SHARE("const global int *m, global int *v", "v[0] = m[1];") KERNEL "    share(a, a);\n}\n",
         "a[0] = a[1]; resizing_global_barrier(); a[1] = 1;"},
        {"int share(global int *v)\n{\n    if (v[0])\n        return v[2];\n    global_barrier();\n"
         "    return v[3];\n}\n" KERNEL "    a[0] = share(a);\n}\n",
         "if (a[0]) { share_1 = a[2]; break; } global_barrier(); { share_1 = a[3]; break; }"},
        {"void inner(global int *a)\n{\n    resizing_global_barrier();\n    a[0] = 2;\n}\n"
         "void share(global int *v)\n{\n    inner(v);\n    v[1] = 1;\n}\n" KERNEL
         "    share(a);\n}\n",
         "resizing_global_barrier(); a[0] = 2;"},
        {"void share(local int *v)\n{\n    v[0] = 1;\n    global_barrier();\n    v[0] = 2;\n}\n"
         "kernel void k(global int *a, local int *b)\n{\n    local int c[4];\n    share(c);\n"
         "    share(b);\n}\n",
         "coop_l->c[0] = 1; global_barrier(1); coop_l->c[0] = 2;"},
        /* A variable, where the function does more than read it, or means another by the name. */
        {"void share(int m, global int *a)\n{\n    m++;\n    global_barrier();\n    a[0] = "
         "m;\n}\n" KERNEL "    share(n, a);\n}\n",
         "int share_1_m = n;"},
        {"void share(global int *v, int m)\n{\n    int a = m;\n    global_barrier();\n"
         "    v[0] = a;\n}\n" KERNEL "    share(a, n);\n}\n",
         "global int *share_1_v = a;"},
        {"void share(global int *v, uint m)\n{\n    global_barrier();\n    v[0] = m >> "
         "1;\n}\n" KERNEL "    share(a, n);\n}\n",
         "uint share_1_m = n;"},
        {"void share(global int *v, int m)\n{\n    global_barrier();\n    v[0] = sizeof "
         "m;\n}\n" KERNEL "    share(a, n);\n}\n",
         "int share_1_m = n;"},
        {"void share(global int *v, int4 m)\n{\n    m.x += 2;\n    global_barrier();\n    v[0] = "
         "m.y;\n}\nkernel void k(global int *a, int4 n)\n{\n    share(a, n);\n}\n",
         "int4 share_1_m = n;"},
        {"int __attribute__((overloadable)) f(const global int *v)\n{\n    return 1;\n}\n"
         "int __attribute__((overloadable)) f(global int *v)\n{\n    return 2;\n}\n"
         "void share(const global int *v, global int *w)\n{\n    global_barrier();\n    w[0] = "
         "f(v);\n"
         "}\n" KERNEL "    share(a, a);\n}\n",
         "const global int *share_1_v = a;"},
        {"#define GET m\nvoid share(global int *v, int m)\n{\n    global_barrier();\n    v[0] = "
         "GET;\n"
         "}\n" KERNEL "    share(a, n);\n}\n",
         "int share_1_m = n;"},
        {"void share(global int *n, int m)\n{\n    global_barrier();\n    n[0] = m;\n}\n" KERNEL
         "    share(a, n);\n}\n",
         "int share_1_m = n;"},
    };
    check_merged(rows, CB_COUNTOF(rows));
}

/* What comes once is not gone through again: nothing lives to its beginning. */
TEST(once)
{
    static const struct row rows[] = {
        {"void share(global int *v, int m)\n{\n    if (m > 3)\n        return;\n    v[0] = m + 1;\n"
         "    resizing_global_barrier();\n}\n" KERNEL
         "    for (transmit int i = 0; i < n; i++)\n        share(a, i);\n}\n",
         "if (m > 3) {; break; }"},
        {"#define STEP(x) do { x; resizing_global_barrier(); } while (0)\n" KERNEL
         "    const int m = n + 1;\n    STEP(a[0] = m);\n}\n",
         "resizing_global_barrier("},
        {KERNEL
         "    int m = 2;\n    do {\n        a[0] = m;\n        if (n)\n            continue;\n"
         "        resizing_global_barrier();\n    } while (false);\n}\n",
         "resizing_global_barrier()"},
    };
    static const struct row left = {"int share(global int *v)\n{\n    for (transmit int i = 0; i < "
                                    "5; i++) {\n        if (i == 3)\n"
                                    "            return 7;\n        resizing_global_barrier();\n   "
                                    " }\n    return 1;\n}\n" KERNEL "    a[0] = share(a);\n}\n",
                                    "{ share_1 = 7; share_1_left = 1; break; }"};
    static const struct row again = {
        KERNEL "    int m = 2;\n    do {\n        a[0] = m;\n        resizing_global_barrier();\n"
               "    } while (a[1]);\n}\n",
        "m lives across resizing_global_barrier()"};
    check_merged(rows, CB_COUNTOF(rows));
    check_merged(&left, 1);
    check_refused(&again, 1);
}

TEST(functions)
{
    static const struct row rows[] = {
        {MEET KERNEL "    a[0] = meet(n + 2);\n}\n",
         "int meet_1; { int meet_1_x = n + 2; { x = meet_1_x;"},
        {MEET KERNEL "    a[0] = meet(n + 2);\n}\n", "meet_1 = x + 1;"},
        {MEET KERNEL "    a[0] = meet(n + 2);\n}\n", "} }\n#line 8 \"/tmp/coopbench-merge-"},
        {MEET KERNEL "    a[0] = meet(n + 2);\n}\n", "a[0] = meet_1;"},
        /* The line and column of what is written out, and of what comes after it. */
        {MEET KERNEL "    a[0] = meet(n);\n}\n", "#line 2 \"/tmp/coopbench-merge-"},
        {MEET KERNEL "    if (n)\n        meet(n);\n    else\n        a[0] = 1;\n}\n",
         "; } else a[0] = 1;"},
        {MEET KERNEL "    for (int x = 0; x < n; x++)\n        n += meet(x);\n}\n",
         "int meet_1_x = x; { x_6 = meet_1_x;"},
        {MEET KERNEL "    if (meet(n) > 2)\n        return;\n    a[0] = 1;\n}\n",
         "if (meet_1 > 2) return TASK_DONE;"},
        {MEET KERNEL "    a[n] = a[1] = meet(meet(n)) + meet(2);\n}\n",
         "a[n] = a[1] = meet_2 + meet_3;"},
        {MEET KERNEL "    const int x = meet(n), y = 3;\n    a[x] = y;\n}\n",
         "const int x = meet_1, y = 3;"},
        {MEET KERNEL "    switch (meet(n)) {\n    case 1:\n        a[0] = 1;\n    }\n}\n",
         "switch (meet_1) {"},
        {"int f(int x)\n{\n    if (x)\n        return 1;\n    barrier(1);\n    return "
         "2;\n}\n" KERNEL "    a[0] = f(n);\n}\n",
         "if (x) { f_1 = 1; break; } task_barrier(); { f_1 = 2; break; } } while (0);"},
        {"int f(int x)\n{\n    while (x)\n        for (;;) {\n            barrier(1);\n            "
         "return 1;\n        }\n    return 2;\n}\n" KERNEL "    a[0] = f(n);\n}\n",
         "{ f_1 = 1; f_1_left = 1; break; } } if (f_1_left) break; } if (f_1_left) break;"},
        {"void f(int x)\n{\n    if (x)\n        return;\n    barrier(1);\n}\n" KERNEL
         "    f(n);\n}\n",
         "if (x) {; break; }"},
        {"void f(void)\n{\n    barrier(1);\n}\n" KERNEL "    (void)f();\n}\n", "(void)(void)0;"},
        {"void f(local int a[4], local int b[2][3])\n{\n    barrier(1);\n    a[0] = b[1][2];\n}\n"
         "kernel void k(local int *a)\n{\n    local int b[2][3];\n    f(a, b);\n}\n",
         "local int (*f_1_a) = a; local int (*f_1_b)[3] = task_l->b;"},
        {"void f(local int b[2][3])\n{\n    barrier(1);\n    b[0][0] = b[1][2];\n}\n"
         "kernel void k(local int *a)\n{\n    local int b[2][3];\n    f(b);\n}\n",
         "uint task_point; local int (*b_4)[3]; } k_state;"},
        {"event_t f(local int *a, global int *b)\n{\n    return async_work_group_copy(a, b, 9, "
         "0);\n}"
         "\nkernel void k(local int *a, global int *b)\n{\n    event_t e = f(a, b + 1);\n    "
         "wait_group_events(1, &e);\n}\n",
         "for (size_t async_work_group_copy_2_i = get_local_linear_id(); async_work_group_copy_2_i "
         "< async_work_group_copy_2_n; async_work_group_copy_2_i += get_local_size(0) * "
         "get_local_size(1) * get_local_size(2))"},
        /* A kernel that another calls is one no more, nor is one with points that nobody calls. */
        {"kernel void f(global int *a)\n{\n    *a = get_local_id(0);\n}\n" KERNEL
         "    f(a);\n    global_barrier();\n}\n",
         "void f(global int *a, const coop_view coop_v)"},
        {MEET KERNEL "    global_barrier();\n    meet(2);\n}\n", "/* Ids and sizes"},
    };
    check_merged(rows, CB_COUNTOF(rows));
    char out[ROOM];
    assert_int_equal(merge(MEET KERNEL "    global_barrier();\n    meet(2);\n}\n", NULL, out),
                     CB_OK);
    assert_null(strstr(out, "int meet(int x)"));
    assert_null(strstr(out, "barrier(CLK"));
}

TEST(functions_refused)
{
    static const struct row rows[] = {
        {MEET KERNEL "    while (meet(n))\n        a[0] = 1;\n}\n",
         ":8:12: meet() has a point in it, and is called in a loop's head"},
        {MEET KERNEL "    if (n && meet(n))\n        a[0] = 1;\n}\n",
         ":8:14: meet() has a point in it, and is called where it may be left out"},
        {"#define AND &&\n" MEET KERNEL "    if (n AND meet(n))\n        a[0] = 1;\n}\n",
         ":9:15: meet() has a point in it, and is called where it may be left out"},
        {MEET KERNEL "    a[0] = n ? meet(n) : 1;\n}\n", ":8:16: meet() has a point in it"},
        {MEET KERNEL "    a[0] = n++ + meet(1);\n}\n",
         ":8:18: meet() has a point in it, and something else comes before it"},
        {MEET KERNEL "    a[0] = a[1] + meet(1);\n}\n",
         ":8:19: meet() has a point in it, and some"},
        {MEET KERNEL "    int x = 1, y = meet(x);\n    a[y] = x;\n}\n",
         ":8:20: meet() has a point"},
        {"constant int m = 3;\nvoid f(void)\n{\n    barrier(m);\n}\n" KERNEL
         "    int m = 1;\n    f();\n    a[0] = m;\n}\n",
         ":9:5: f() has a point in it, and the m that it knows is another one here"},
        {"#define M 1\nvoid f(void)\n{\n    barrier(M);\n}\n#undef M\n#define M 2\n" KERNEL
         "    f();\n}\n",
         ":10:5: f() has a point in it, and the macro M that it knows is another one here"},
        {"int f(int x)\n{\n    barrier(1);\n    return x ? f(x - 1) : 0;\n}\n" KERNEL
         "    a[0] = f(n);\n}\n",
         ":1:1: f() calls itself"},
        {"int f(int x)\n{\n    barrier(1);\n#ifdef cl_device\n    return 1;\n#endif\n    return "
         "x;\n}"
         "\n" KERNEL "    a[0] = f(n);\n}\n",
         ":1:1: f() has a point in it, and a return that #if takes away here"},
        {"int f(int x, int)\n{\n    barrier(1);\n    return x;\n}\n" KERNEL
         "    a[0] = f(n, 2);\n}\n",
         ":8:12: f(): what it is given cannot be told apart: give each parameter a name"},
        {"kernel void f(global int *a)\n{\n    local int x;\n    x = *a;\n    "
         "barrier(1);\n}\n" KERNEL "    f(a);\n}\n",
         ":1:1: f() has a point and local memory in it"},
    };
    check_refused(rows, CB_COUNTOF(rows));
}

/* What the text decides is decided, and #if with it; what the device's compiler may is not. */
TEST(conditions)
{
    static const struct row rows[] = {
        {KERNEL "#ifdef WAVE\n    a[0] = 1;\n#else\n    global_barrier();\n#endif\n}\n",
         "coop_begin();\n#line 2 \"/tmp/coopbench-merge-"},
        {"#define N 3\n" KERNEL "#if N > 2 && !defined(WAVE)\n    global_barrier();\n#elif "
         "defined(__DEVICE__)\n    a[0] = 1;\n#endif\n}\n",
         "{ global_barrier(); }"},
        {"#ifndef GUARD\n#define GUARD\ntypedef struct {\n    int x;\n} t;\nint f(void)\n{\n    "
         "return get_group_id(0);\n}\nkernel void k(global t *a)\n{\n    global_barrier();\n    "
         "a[0].x = f();\n}\n#endif\n",
         "} t; \n#define COOP_ARGS(X)"},
        {KERNEL "#if __OPENCL_VERSION__ > 1\n    a[0] = 1;\n#endif\n    global_barrier();\n}\n",
         "#if __OPENCL_VERSION__ > 1\n"},
        {"#if __OPENCL_VERSION__ > 1\n#define MANY\n#endif\n" KERNEL "#ifdef MANY\n    a[0] = 1;\n"
         "#endif\n    global_barrier();\n}\n",
         "#ifdef MANY\n"},
        {"#define MANY __OPENCL_VERSION__\n" KERNEL "#if MANY\n    a[0] = 1;\n"
         "#endif\n    global_barrier();\n}\n",
         "#if MANY\n"},
        {KERNEL "#if FLT_DIG\n    a[0] = 1;\n#endif\n    global_barrier();\n}\n", "#if FLT_DIG\n"},
        {KERNEL "#if WAVE\n#elif FLT_DIG\n    a[0] = 1;\n#endif\n    global_barrier();\n}\n",
         "#if WAVE\n"},
        {KERNEL "#ifdef cl_device\n#ifdef WAVE\n    a[0] = 2;\n#endif\n#endif\n"
                "    global_barrier();\n}\n",
         "#ifdef WAVE\n"},
        {KERNEL
         "#if 1\n#ifdef cl_device\n    a[0] = 2;\n#endif\n#endif\n    global_barrier();\n}\n",
         "{\n#ifdef cl_device\n"},
    };
    check_merged(rows, CB_COUNTOF(rows));
}

/* Names that begin as the compiler's do are decided, too, if they guard a file: also one that is
 * read twice. */
TEST(guards)
{
#define USE KERNEL "#ifdef MEETS\n    global_barrier();\n#endif\n    a[0] = n;\n}\n"
    static const struct {
        const char *text;
        bool is_decided;
    } rows[] = {
        {"#ifndef _C_H_\n#define _C_H_\n#define MEETS\n" USE "#endif /* _C_H_ */\n\n", true},
        {"\n/* A. */\n#ifndef CL_C_H\n\n# define CL_C_H 1\n#if 0\n#endif\n#define MEETS\n" USE
         "#endif",
         true},
        {"#ifndef _C_H_\n#define _C_H_\n#define MEETS\n#endif\n#line 1 \"b\"\n"
         "#ifndef _C_H_\n#define _C_H_\n#define MEETS\n#endif\n#line 9 \"a\"\n" USE,
         true},
        {"#ifndef _C_H_\n#define _C_H_\n#define MEETS\n#endif\n" USE, false},
        {"#ifndef _C_H_\n#define _C_H_\n#ifdef _C_H_\n#endif\n#define MEETS\n" USE "#endif\n",
         false},
        {"#ifndef _C_H_\n#define _C_H_2\n#define MEETS\n" USE "#endif\n", false},
        {"#ifndef __SPIR__\n#define __SPIR__\n#else\n#define MEETS\n" USE "#endif\n", false},
        {"#ifdef __NV_CL_C_VERSION\n#else\n#define MEETS\n" USE "#endif\n", false},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char out[ROOM];
        merge(rows[i].text, "k", out);
        if (!strstr(out, "#ifdef MEETS") != rows[i].is_decided)
            fail_msg("%s\n%s", rows[i].text, out);
    }
}

/* Extensions that libclang has, and usual devices lack: it does not even know all of their
 * functions. Their branches stay for a device that has them. */
TEST(extensions)
{
    static const char *const lacking[] = {"cl_amd_media_ops", "cl_intel_subgroups",
                                          "cl_arm_integer_dot_product_int8", "cl_ext_float_atomics",
                                          "cl_khr_subgroups"};
    static const char *const usual[] = {"cl_khr_fp64",
                                        "cl_khr_fp16",
                                        "cl_khr_3d_image_writes",
                                        "cl_khr_byte_addressable_store",
                                        "cl_khr_int64_base_atomics",
                                        "cl_khr_int64_extended_atomics",
                                        "cl_khr_global_int32_base_atomics"};
    char text[500], written[50], out[ROOM];
    for (size_t i = 0; i < CB_COUNTOF(lacking); i++) {
        snprintf(text, sizeof text,
                 KERNEL "#ifdef %s\n    a[0] = not_there();\n#else\n    a[0] = 1;\n#endif\n"
                        "    global_barrier();\n}\n",
                 lacking[i]);
        snprintf(written, sizeof written, "#ifdef %s\n", lacking[i]);
        check_merged(&(struct row){text, written}, 1);
    }
    for (size_t i = 0; i < CB_COUNTOF(usual); i++) {
        snprintf(text, sizeof text, KERNEL "#ifndef %s\n    a[0] = not_there();\n#endif\n}\n",
                 usual[i]);
        assert_int_equal(merge(text, NULL, out), CB_OK);
    }
    struct cb_merge_kernel kernel;
    assert_int_equal(merge_kernel(KERNEL "#ifdef cl_khr_subgroups\n    a[0] = "
                                         "sub_group_reduce_add(n);\n#else\n    a[0] = n;\n"
                                         "#endif\n}\n",
                                  NULL, out, &kernel),
                     CB_OK);
    assert_non_null(strstr(kernel.warnings, ":4:12: warning: sub_group_reduce_add() takes all "
                                            "work-items of a workgroup together"));
    cb_merge_kernel_free(&kernel);
}

TEST(types)
{
    static const struct row rows[] = {
        {"int f(int x)\n{\n    return x;\n}\ntypedef struct {\n    int x;\n} late;\n"
         "kernel void k(global late *a)\n{\n    global_barrier();\n    a[0].x = f(1);\n}\n",
         "} late; \n#define COOP_ARGS(X)"},
        {"int f(void)\n{\n    return get_local_id(0);\n}\ntypedef struct {\n    int x;\n} late;\n"
         "kernel void k(global late *a)\n{\n    a[0].x = f();\n}\n",
         "} late; typedef struct { global late *arg_a; } k_args;"},
        {KERNEL "    typedef int number;\n    number x = n;\n    global_barrier();\n    a[0] = "
                "x;\n}\n",
         "#define COOP_TRANSMIT \\\n    int x;"},
    };
    static const struct row refused[] = {
        {"int f(void)\n{\n    return get_local_id(0);\n}\ntypedef struct {\n    int x;\n} late;\n"
         "kernel void k(global late *a)\n{\n    global_barrier();\n    a[0].x = f();\n}\n",
         ":5:1: late is a type of arguments or of what lives across points, and helpers"},
        {KERNEL "    struct own { int x; } x = {n};\n    global_barrier();\n    a[0] = x.x;\n}\n",
         ":3:5: own is a type of arguments or of what lives across points: declare it before"},
    };
    check_merged(rows, CB_COUNTOF(rows));
    check_refused(refused, CB_COUNTOF(refused));
}

/* What grows without end ends, at its place. */
TEST(bounds)
{
    static const char message[] = "what is written out of macros and functions with points in them "
                                  "makes the kernel too large: use fewer of them, or a loop";
    char text[4000] = "#define M0 global_barrier();\n", out[ROOM];
    for (int i = 1; i < 13; i++) /* of more, clang itself makes a text too large */
        sprintf(text + strlen(text), "#define M%d M%d M%d\n", i, i - 1, i - 1);
    strcat(text, KERNEL "    M12\n}\n");
    assert_int_equal(merge(text, NULL, out), CB_USAGE);
    assert_non_null(strstr(out, message));
    assert_int_equal(strncmp(out, ":16:5: ", strlen(":16:5: ")), 0);
    strcpy(text, "void f0(void)\n{\n    barrier(1);\n}\n");
    for (int i = 1; i < 30; i++)
        sprintf(text + strlen(text), "void f%d(void) { f%d(); f%d(); }\n", i, i - 1, i - 1);
    strcat(text, KERNEL "    f29();\n}\n");
    assert_int_equal(merge(text, NULL, out), CB_USAGE);
    assert_non_null(strstr(out, message));
    /* Each once, but too deep. */
    strcpy(text, "void f0(void)\n{\n    barrier(1);\n}\n");
    for (int i = 1; i < 70; i++)
        sprintf(text + strlen(text), "void f%d(void) { f%d(); }\n", i, i - 1);
    strcat(text, KERNEL "    f69();\n}\n");
    assert_int_equal(merge(text, NULL, out), CB_USAGE);
    assert_non_null(strstr(out, message));
}

ALL_TESTS(skip_unless_built, NULL)
