/* SPDX-License-Identifier: Apache-2.0
 *
 * The merge tool: what becomes state, what is refused and where, and what is written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "merge/merge.h"

#define ROOM 20000

/* Merges a text; `out` is what is written, or why it is not. */
static enum cb_status merge(const char *text, const char *name, char *out)
{
    char path[] = "/tmp/coopbench-merge-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    memset(out, 0, ROOM);
    FILE *stream = fmemopen(out, ROOM - 1, "w");
    struct cb_err err = {CB_OK, ""};
    enum cb_status status = cb_merge(&(struct cb_merge_source){path, name}, 1, stream, &err);
    fclose(stream);
    unlink(path);
    if (status != CB_OK) /* the path is another one each time */
        snprintf(out, ROOM, "%s",
                 strncmp(err.text, path, strlen(path)) == 0 ? err.text + strlen(path) : err.text);
    return status;
}

/* The fields of the state, "int x; int y;". */
static void take_state(const char *merged, char *state)
{
    const char *at = strstr(merged, "#define COOP_TRANSMIT \\\n");
    *state = '\0';
    for (at = at ? strchr(at, '\n') + 1 : "\n"; *at != '\n'; at++)
        if (*at == '\\' && at[1] == '\n')
            at++;
        else if (*at != ' ' || (*state && state[strlen(state) - 1] != ' '))
            strncat(state, at, 1);
    size_t n = strlen(state);
    if (n && state[n - 1] == ' ')
        state[n - 1] = '\0';
}

static void test_state(void **unused)
{
    (void)unused;
    static const struct {
        const char *body, *state;
    } rows[] = {
        {"int x = 1; global_barrier(); a[0] = x;", "int x;"},
        {"int x = 1; global_barrier(); a[0] = 1;", ""},
        {"int x = 1; global_barrier(); x = 2; a[0] = x;", ""},
        {"int x = 1; global_barrier(); x += 2; a[0] = x;", "int x;"},
        {"int x = 1; global_barrier(); x++;", "int x;"},
        {"int x = 1; global_barrier(); x = x + 1;", "int x;"},
        {"int x = 1; global_barrier(); if (n) x = 2; a[0] = x;", "int x;"},
        {"int x = 1; global_barrier(); if (n) x = 2; else x = 3; a[0] = x;", ""},
        {"int x = 1, y = 2; global_barrier(); a[0] = y; ", "int y;"},
        {"for (int i = 0; i < n; i++) { global_barrier(); }", "int i;"},
        {"for (int i = 0; i < n; i++) { a[i] = i; } global_barrier();", ""},
        {"int i; for (i = 0; i < n; i++) a[i] = 0; global_barrier(); for (i = 0; i < n; i++) "
         "a[i] = 1;",
         ""},
        {"int x = 0; while (n) { global_barrier(); a[x] = 1; x = 2; }", "int x;"},
        {"int x = 0; while (n) { a[x] = 1; x = 2; global_barrier(); }", "int x;"},
        {"while (n) { int x = 0; a[x] = 1; global_barrier(); }", ""},
        {"int x = 0; do { a[0] = x; global_barrier(); x = 1; } while (x < n);", ""},
        {"int x = 0; do { global_barrier(); } while (x < n);", "int x;"},
        {"int x = 0; for (;;) { if (n) { global_barrier(); break; } x = 1; } a[0] = x;", "int x;"},
        {"int x = 0; for (;;) { if (n) { global_barrier(); break; } a[x] = 1; }", ""},
        {"int x = 0; for (;;) { global_barrier(); if (n) continue; a[0] = x; }", "int x;"},
        {"int x = 0; for (;;) { global_barrier(); if (n) return; x = 1; a[0] = x; }", ""},
        {"int x = 0, y = 1; global_barrier(); if (n && (x = 2)) y = 2; a[x] = y;", "int x; int y;"},
        {"int x = 0; global_barrier(); a[0] = n ? (x = 1) : 2; a[1] = x;", "int x;"},
        {"int x[4]; x[0] = 1; global_barrier(); a[0] = x[0];", "int x[4];"},
        {"float4 x = (float4)(1); barrier(CLK_LOCAL_MEM_FENCE); a[0] = x.y;\nglobal_barrier();",
         "float4 x;"},
        {"const int x = n; offer_kill(); a[0] = x;", "int x;"},
        {"global int *p = a; global_barrier(); p[0] = 1;", "global int *p;"},
        {"int x = 0; global_barrier(); switch (n) { case 0: a[0] = x; break; default: x = 1; }",
         "int x;"},
        {"int x = 1; { int y = x; global_barrier(); a[0] = y; } { int y = 2;\nglobal_barrier(); "
         "a[0] = y; }",
         "int y;"},
        {"transmit int x = n; resizing_global_barrier(); a[0] = x;", "int x;"},
        {"local int x[8]; x[0] = 1; global_barrier();", ""},
        {"volatile local int x[8]; x[0] = 1; global_barrier();", ""},
        {"int4 x = (int4)(n); global_barrier(); x.y = 1; a[0] = x.z;", "int4 x;"},
        {"int x = n, y = n; global_barrier(); a[0] = y ?: (x = 7); a[1] = x;", "int x; int y;"},
        {"int x = n; global_barrier(); a[0] = sizeof(x = 7); a[1] = x;", "int x;"},
        {"int x = n;\n#define AND &&\nglobal_barrier(); if (a[0] AND (x = 7)) a[1] = 1; a[2] = x;",
         "int x;"},
        {"global int *const restrict p = a; global_barrier(); p[0] = 1;",
         "global int *restrict p;"},
        {"int x = n, y; global_barrier();\n#define LOAD(v, w) int v = w\nLOAD(z, x); a[0] = z;",
         "int x;"},
        {"int x = n, y = 0; global_barrier();\n#define EACH(i) for (int i = 0; i < x; i++)\n"
         "EACH(j) y += j; a[0] = 1;",
         "int x; int y;"},
        {"int x = n, y = 1; global_barrier(); if (x\r\n&&\r\n(y = 2)) a[0] = 1; a[1] = y;",
         "int x; int y;"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char text[1000], out[ROOM], state[ROOM];
        snprintf(text, sizeof text, "kernel void k(global int *a, int n)\n{\n%s\n}\n",
                 rows[i].body);
        if (merge(text, NULL, out) != CB_OK)
            fail_msg("%s\n%s", rows[i].body, out);
        take_state(out, state);
        if (strcmp(state, rows[i].state) != 0)
            fail_msg("%s\nstate: %s, expected: %s", rows[i].body, state, rows[i].state);
    }
}

#define KERNEL "kernel void k(global int *a, int n)\n{\n"

static void test_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {KERNEL "    int x = n\n}\n", ":3:14: expected ';' at end of declaration"},
        {KERNEL "    a[0] = m;\n}\n", ":3:12: use of undeclared identifier 'm'"},
        {"int f(int x)\n{\n    return x;\n}\n", ": there is no kernel in it"},
        {"kernel void a(global int *x)\n{\n}\nkernel void b(global int *x)\n{\n}\n",
         ": several kernels in it, and none has a scheduling point: give one as "},
        {"kernel void a(global int *x)\n{\n    *x = coop_run();\n}\n",
         ":3:10: coop_run() is a word of cooperative kernels"},
        {"kernel void a(read_only image2d_t x)\n{\n}\n", ":1:15: the parameter x: "},
        {"void f(void)\n{\n    barrier(1);\n}\nkernel void a(global int *x)\n{\n    f();\n}\n",
         ":3:5: a point or barrier in f()"},
        {KERNEL "    int x = n;\n    resizing_global_barrier();\n    a[0] = x;\n}\n",
         ":4:5: x lives across resizing_global_barrier(), and a workgroup that joins"},
        {KERNEL "    int x = n;\n    request_fork();\n    a[0] = x;\n}\n",
         ":4:5: x lives across request_fork()"},
        {KERNEL "    transmit int x = get_global_id(0);\n    global_barrier();\n    a[0] = x;\n}\n",
         ":3:22: x keeps an id or a size across points"},
        {KERNEL "    transmit int x;\n    x = 2 * get_num_groups(0);\n    global_barrier();\n}\n",
         ":4:13: x keeps an id or a size across points"},
        {KERNEL "    int x = n, *p = &x;\n    *p = 1;\n    global_barrier();\n    a[0] = x;\n}\n",
         ":3:21: the address of x is taken"},
        {KERNEL "    for (int x[2] = {1, 2}; x[0] < n; x[0]++)\n        global_barrier();\n}\n",
         ":3:10: an array lives across a point: declare it before the loop"},
        {KERNEL "    global_barrier();\n    return f(n);\n}\n", ":4:12: "},
        {"#define get_global_id(d) 1\n" KERNEL "    global_barrier();\n}\n",
         ":1:9: the macro get_global_id is a word"},
        {KERNEL
         "    int x = 1\n#ifdef N\n        , y = 2\n#endif\n        ;\n    global_barrier();\n"
         "    a[0] = x;\n}\n",
         ":3:5: #if within a declaration"},
        {"#define TO(n) ; i < (n); i++\n" KERNEL
         "    for (int i = 0 TO(3))\n        global_barrier();\n}\n",
         ":4:5: a loop with a point comes out of a macro"},
        {KERNEL
         "    global int *x[1], **y = x;\n    x[0] = a;\n    global_barrier();\n    **y = 1;\n}\n",
         ":3:25: y lives across a point, and private memory moves there"},
        {KERNEL
         "    int x __attribute__((aligned(16))) = n;\n    global_barrier();\n    a[0] = x;\n}\n",
         ":3:5: x lives across a point, and has an attribute"},
        {KERNEL "    n = 2;\n    global_barrier();\n}\n", ":3:6: the parameter n is changed"},
        {KERNEL "    n--;\n    global_barrier();\n}\n", ":3:5: the parameter n is changed"},
        {"void f(void)\n{\n    global_barrier();\n}\n" KERNEL
         "    global_barrier();\n    f();\n}\n",
         ":3:5: a point or barrier in f()"},
        {"void f(void)\n{\n    barrier(CLK_LOCAL_MEM_FENCE);\n}\n" KERNEL
         "    global_barrier();\n    f();\n}\n",
         ":3:5: a point or barrier in f()"},
        {"int f(int n)\n{\n    return n ? f(n - 1) : 0;\n}\n" KERNEL
         "    global_barrier();\n    a[0] = f(n);\n}\n",
         ":1:1: f() calls itself"},
        {KERNEL "    switch (n) {\n    case 0:\n        global_barrier();\n    }\n}\n",
         ":5:9: global_barrier() within a switch"},
        {KERNEL "    global_barrier(); global_barrier();\n}\n", ":3:23: two points on one line"},
        {"#define MEET global_barrier()\n" KERNEL "    MEET;\n    global_barrier();\n}\n",
         ":4:5: global_barrier() comes out of a macro"},
        {KERNEL "    global_barrier();\nagain:\n    if (n)\n        goto again;\n}\n",
         ":4:1: goto: a kernel with points needs loops instead"},
        {"#define X x\n" KERNEL
         "    int x = n;\n    global_barrier();\n    a[0] = X;\n    {\n        float x = 1;\n"
         "        a[1] = x;\n    }\n}\n",
         ":6:12: x lives across a point, something else has its name, and a macro uses it"},
        {"kernel void k(local int *a)\n{\n    global_barrier();\n}\n",
         ":1:15: a: local memory of a size that the host chooses"},
        {KERNEL "    int S = n;\n    global_barrier();\n    a[0] = S;\n}\n",
         ":3:5: S is a word of the merged kernel"},
        {KERNEL "    int x = n, *p = &x;\n    global_barrier();\n    a[0] = *p;\n}\n",
         ":3:17: p lives across a point, and private memory moves there"},
        {"typedef struct {\n    int *x;\n} holder;\n" KERNEL
         "    int x = n;\n    holder h = {&x};\n"
         "    global_barrier();\n    a[0] = *h.x;\n}\n",
         ":7:5: h lives across a point, and private memory"},
        {KERNEL "    constant int x[2] = {1, 2};\n    global_barrier();\n    a[0] = x[n];\n}\n",
         ":3:5: x: declare constants beside the kernel"},
        {"#define global_barrier()\n" KERNEL
         "    int x = n;\n    global_barrier();\n    a[0] = x;\n}\n",
         ":5:5: a point that is none here"},
        {KERNEL "    global_barrier();\n    a[get_global_id(1)] = 1;\n}\n",
         ":4:7: get_global_id() of another dimension than 0"},
        {KERNEL "    local int x[4];\n    event_t e = async_work_group_copy(a, x, 4, 0);\n"
                "    global_barrier();\n}\n",
         ":4:17: async_work_group_copy() takes all work-items"},
        {"constant int A = 1;\n" KERNEL "    global_barrier();\n    a[0] = A;\n}\n",
         ":2:1: A, beside the kernel, is a word"},
        {"kernel void k2(global int *a)\n{\n    *a = 1;\n}\n" KERNEL
         "    global_barrier();\n    k2(a);\n}\n",
         ":1:1: the kernel k2() is called by another"},
        {"void f(int *x)\n{\n}\n" KERNEL "    f(&n);\n    global_barrier();\n}\n",
         ":6:7: the address of the parameter n is taken"},
        {"#define FOR(i) for (int i = 0; i < n; i++)\n" KERNEL
         "    FOR(i) {\n        global_barrier();\n    }\n}\n",
         ":4:5: a loop with a point comes out of a macro"},
        {"#define LET(x) int x = n\n" KERNEL
         "    LET(x);\n    global_barrier();\n    a[0] = x;\n}\n",
         ":4:5: x is declared by a macro"},
        {"#define END return\n" KERNEL "    global_barrier();\n    END;\n}\n",
         ":5:5: return comes out of a macro"},
        {"int f(int x)\n{\n    return x;\n}\ntypedef struct {\n    int x;\n} late;\n"
         "kernel void k(global late *a)\n{\n    global_barrier();\n}\n",
         ":5:1: late is a type of arguments"},
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

/* All problems at once, in the order of the text. */
static void test_all_problems(void **unused)
{
    (void)unused;
    char out[ROOM];
    assert_int_equal(merge(KERNEL "    int x = n;\n    n++;\n    request_fork();\n    a[0] = x;\n"
                                  "    resizing_global_barrier();\n    a[1] = x;\n}\n",
                           NULL, out),
                     CB_USAGE);
    assert_non_null(strstr(out, ":5:5: x lives"));
    assert_non_null(strstr(out, ":7:5: x lives"));
    assert_non_null(strstr(out, ":4:5: the parameter n"));
}

/* What is not needed is not in the way: helpers of other kernels, types with short names, an #if, a
 * comment with an empty line, words that only begin like points. */
static void test_accepted(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "void f(void)\n{\n    barrier(CLK_LOCAL_MEM_FENCE);\n}\nkernel void other(global int "
        "*a)\n{\n"
        "    f();\n}\n" KERNEL "    global_barrier();\n}\n",
        "int f(int x)\n{\n    return x;\n}\ntypedef struct {\n    int x;\n} t;\n" KERNEL
        "    uint x = n;\n    global_barrier();\n    a[0] = x;\n}\n",
        "/* One.\n\n * Two. */\n" KERNEL "    global_barrier();\n}\n",
        "kernel void other(global int *a, int global_barriers)\n{\n    *a = "
        "global_barriers;\n}\n" KERNEL "    global_barrier();\n}\n",
        "#if 0\n#include \"not-there.h\"\n#endif\n" KERNEL "    global_barrier();\n}\n",
        "static inline __attribute__((always_inline)) int me(void)\n{\n    return "
        "get_global_id(0);\n}\n" KERNEL "    a[me()] = n;\n    global_barrier();\n}\n",
    };
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        char out[ROOM];
        if (merge(texts[i], NULL, out) != CB_OK)
            fail_msg("%s\n%s", texts[i], out);
        if (strstr(out, "One.") && !strstr(out, "/* One.\n\n * Two. */\n\ncoop_kernel"))
            fail_msg("the comment is cut:\n%s", out);
        if (strstr(out, "me(") && !strstr(out, "int me(const coop_view V)"))
            fail_msg("%s", out);
    }
}

static void test_which_kernel(void **unused)
{
    (void)unused;
    static const char two[] = "kernel void a(global int *x)\n{\n    global_barrier();\n}\n"
                              "kernel void b(global int *x)\n{\n    offer_kill();\n}\n"
                              "kernel void plain(global int *x)\n{\n    *x = 1;\n}\n";
    char out[ROOM];
    assert_int_equal(merge(two, NULL, out), CB_USAGE);
    assert_non_null(strstr(out, "several kernels in it have scheduling points"));
    assert_int_equal(merge(two, "c", out), CB_USAGE);
    assert_non_null(strstr(out, "there is no kernel c in it; there is a, b, plain"));
    assert_int_equal(merge(two, "b", out), CB_OK);
    assert_non_null(strstr(out, "coop_kernel(b)"));
    assert_non_null(strstr(out, "#define COOP_USES_OFFERS\n"));
    assert_null(strstr(out, "kernel void"));
}

/* Helpers are told ids by the kernel; the text between comes as it is. */
static void test_helpers(void **unused)
{
    (void)unused;
    char out[ROOM];
    assert_int_equal(
        merge("typedef struct { int x; } thing; /* (a comment */\n"
              "int inner(void);\nint outer(int x /* ) */) { return x + inner(); }\n"
              "int inner(void) { return get_local_id(0); }\nint other(int x) { return x; }\n" KERNEL
              "    a[outer(n)] = inner() + other(1);\n    global_barrier();\n}\n",
              NULL, out),
        CB_OK);
    assert_non_null(strstr(out, "int inner(const coop_view V);"));
    assert_non_null(
        strstr(out, "int outer(int x /* ) */, const coop_view V) { return x + inner(V); }"));
    assert_non_null(strstr(out, "int inner(const coop_view V) { return"));
    assert_non_null(strstr(out, "int other(int x) { return x; }"));
    assert_non_null(strstr(out, "a[outer(n, V)] = inner(V) + other(1);"));
    assert_true(strstr(out, "thing; /* (a comment */") < strstr(out, "#include \"coop.clh\""));
}

/* The kernel library comes after coop.clh, whose word it heeds. */
static void test_library(void **unused)
{
    (void)unused;
    char out[ROOM];
    assert_int_equal(
        merge("typedef int number;\n#include \"append.clh\"\nint f(void) { return "
              "coop_run(); }\nkernel void k(volatile global uint *a)\n{\n"
              "    number x = f();\n    global_barrier();\n"
              "    a[cb_append_global(a, 1)] = x + (cb_aborted(coop_launch()) ? 1 : 2);"
              "\n}\n#include \"wait.clh\"\n",
              NULL, out),
        CB_USAGE); /* cb_aborted() comes too late */
    assert_non_null(strstr(out, ":8:"));
    assert_int_equal(merge("typedef int number;\n#include \"append.clh\"\nint f(void) { return "
                           "coop_run(); }\nkernel void k(volatile global uint *a)\n{\n"
                           "    number x = f();\n    global_barrier();\n"
                           "    a[cb_append_global(a, 1)] = x;\n}\n",
                           NULL, out),
                     CB_OK);
    const char *coop = strstr(out, "#include \"coop.clh\"");
    assert_true(strstr(out, "typedef int number;") < coop);
    assert_true(strstr(out, "#include \"append.clh\"") > coop);
    assert_non_null(strstr(out, "int f(const coop_view V) { return coop_run(); }"));
    assert_non_null(strstr(out, "number x;"));

    /* The library's files for the host have types, which may be arguments' and local memory's. */
    assert_int_equal(merge("#include \"steal_abi.h\"\ntypedef struct { cb_take take; } work;\n"
                           "int f(void) { return 1; }\nkernel void k(volatile global uint *a)\n{\n"
                           "    local work w;\n    w.take.task = f();\n    global_barrier();\n}\n",
                           NULL, out),
                     CB_OK);
    assert_true(strstr(out, "} work;") < strstr(out, "#include \"coop.clh\""));
}

/* A kernel without scheduling points. */
static void test_task(void **unused)
{
    (void)unused;
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
    assert_non_null(strstr(out, "TASK_APART(k)"));
    assert_non_null(strstr(out, "task_args = {0};"));
}

static void test_statements(void **unused)
{
    (void)unused;
    static const struct {
        const char *body, *written;
    } rows[] = {
        {"int x = 1, y = 2; if (n) global_barrier(); a[x] = y;",
         "if (n) do { S->x = x; S->y = y; global_barrier(); } while (0);"},
        {"int x = 1, y = 2; global_barrier(); a[0] = x;", "x = 1; int y = 2;"},
        {"int x, y = 2; global_barrier(); x = 1; a[x] = y;", "int x; y = 2;"},
        {"for (int i = 0, j = 1; i < n; i += j) global_barrier();", "for (i = 0, j = 1; i < n;"},
        {"int2 x = {1, 2}; global_barrier(); a[0] = x.y;", "x = (int2){1, 2};"},
        {"if (n) return; global_barrier();", "if (n) return COOP_DONE; global_barrier();"},
        {"barrier(CLK_LOCAL_MEM_FENCE);\nglobal_barrier();", "workgroup_barrier();"},
        {"int x[4]; x[0] = 1; global_barrier(); a[0] = x[0] + sizeof(x);",
         "; S->x[0] = 1; global_barrier(); a[0] = S->x[0] + sizeof(S->x);"},
        {"float2 x = (float2)(1.0f), y = (float2)(2, 3); global_barrier(); a[0] = x.y + y.x;",
         "x = (float2)(1.0f); y = (float2)(2, 3);"},
        {"transmit int x = a[get_global_id(0)]; resizing_global_barrier(); a[0] = x;",
         "x = a[get_global_id(0)];"},
        {"global_barrier(); a[get_global_id(0)] = n;", "int const n = A->arg_n;"},
        {"int x = n; global_barrier(); a[0] = x; { float x = 1; a[1] = x; }",
         "x_3 = n; do { S->x_3 = x_3; global_barrier(); } while (0); a[0] = x_3; { float x = 1; "
         "a[1] = x; }"},
        {"for (int i = 0; i < n; i++) global_barrier();\nfor (uint i = 0; i < 2; i++)\n"
         "global_barrier();",
         "for (i = 0; i < n; i++) do { S->i = i; global_barrier(); } while (0);\n"
         "for (i_4 = 0; i_4 < 2; i_4++)\ndo { S->i_4 = i_4; global_barrier(); } while (0);"},
        {"int k = n; global_barrier(); a[0] = k;", "a[0] = k_3;"}, /* the kernel's name */
        {"int x[2] = {1, n}; global_barrier(); a[0] = x[n];",
         "do { const int x_begin[2] = {1, n}; for (uint x_i = 0; x_i < sizeof(x_begin) / "
         "sizeof(int); x_i++) ((int *)S->x)[x_i] = ((const int *)x_begin)[x_i]; } while (0);"},
        {"local __attribute__((aligned(8))) uchar x[2]; global_barrier(); x[0] = 1;",
         "uchar x[2] __attribute__((aligned(8)));"},
        {"local uchar x[2] __attribute__((aligned(16))); global_barrier(); x[0] = 1;",
         "uchar x[2] __attribute__((aligned(16)));"},
        {"local int x[2][3]; local int y; y = 1; x[0][0] = y; global_barrier();",
         "; ; L->y = 1; L->x[0][0] = L->y;"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char text[1000], out[ROOM];
        snprintf(text, sizeof text, KERNEL "%s\n}\n", rows[i].body);
        if (merge(text, NULL, out) != CB_OK || !strstr(out, rows[i].written))
            fail_msg("%s\nexpected: %s\ngot: %s", rows[i].body, rows[i].written, out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_all_problems), cmocka_unit_test(test_which_kernel),
        cmocka_unit_test(test_accepted),     cmocka_unit_test(test_helpers),
        cmocka_unit_test(test_library),      cmocka_unit_test(test_task),
        cmocka_unit_test(test_statements),
    };
    if (!cb_merge_is_built())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
