/* SPDX-License-Identifier: Apache-2.0
 *
 * The merge tool: what becomes state, and what is written of cooperative kernels.
 */
#include "merge_fixture.h"
#include "tests/unit/unit.h"

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

TEST(which_state)
{
    static const struct {
        const char *body, *state;
    } rows[] = {
        {"int x = 1; global_barrier(); a[0] = x;", "int x;"},
        {"int x = n, *p = &x; *p = 1; global_barrier(); a[0] = x;", "int x;"},
        {"int x = 1;\n#ifdef DEVICE\nx = 2; for (int i = 0; i < n; i++) x += i;\n#endif\n"
         "global_barrier();\n#ifdef DEVICE\nfor (int i = 0; i < n; i++) x += i;\n#endif\na[0] = x;",
         "int x;"},
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
        char text[1000], out[ROOM], taken[ROOM];
        snprintf(text, sizeof text, "kernel void k(global int *a, int n)\n{\n%s\n}\n",
                 rows[i].body);
        if (merge(text, NULL, out) != CB_OK)
            fail_msg("%s\n%s", rows[i].body, out);
        take_state(out, taken);
        if (strcmp(taken, rows[i].state) != 0)
            fail_msg("%s\nstate: %s, expected: %s", rows[i].body, taken, rows[i].state);
    }
}

/* What is not needed is not in the way: helpers of other kernels, types with short names, an #if, a
 * comment with an empty line, words that only begin like points. */
TEST(accepted)
{
    static const char *const texts[] = {
        "void f(void)\n{\n    barrier(CLK_LOCAL_MEM_FENCE);\n}\nkernel void other(global int "
        "*a)\n{\n"
        "    f();\n}\n" KERNEL "    global_barrier();\n}\n",
        "int f(int x)\n{\n    return x;\n}\ntypedef struct {\n    int x;\n} t;\n" KERNEL
        "    uint x = n;\n    global_barrier();\n    a[0] = x;\n}\n",
        KERNEL "    if (a[get_local_id(0)])\n        a[1] = get_global_size(0);\n    while (n < "
               "get_num_groups(0))\n        global_barrier();\n    if (get_local_id(0))\n"
               "        return;\n}\n",
        "#define K 4\n#define N 2\n" KERNEL "    global_barrier();\n    a[K] = N;\n}\n",
        /* One member of the state for both. */
        KERNEL
        "    {\n        int x[40];\n        x[n] = n;\n        global_barrier();\n        a[0] = "
        "x[n];\n    }\n    {\n        int x[40];\n        x[n] = n;\n        "
        "global_barrier();\n        a[0] = x[n];\n    }\n}\n",
        /* All places, whatever sides workgroups have. */
        KERNEL "    for (int y = get_global_id(1); y < n; y += get_global_size(1))\n"
               "        a[get_local_id(1) * get_local_size(1)] = get_num_groups(2);\n"
               "    global_barrier();\n}\n",
        "int f(int d)\n{\n    return get_num_groups(d);\n}\n" KERNEL
        "    a[get_group_id(1)] = f(n);\n    global_barrier();\n}\n",
        /* One dimension, however it is written; more in helpers of others. */
        "#define X 1\nint f(void)\n{\n    return get_global_id(X);\n}\n" KERNEL
        "    a[get_global_id(0u)] = get_group_id(X - 1);\n    global_barrier();\n}\n",
        "/* One.\n\n * Two. */\n" KERNEL "    global_barrier();\n}\n",
        "kernel void other(global int *a, int global_barriers)\n{\n    *a = "
        "global_barriers;\n}\n" KERNEL "    global_barrier();\n}\n",
        /* What #if has for other devices: parameters, types, and what other functions call so. */
        "int f(int x)\n{\n#ifdef cl_device\n    x = 2;\n#endif\n    return x;\n}\n"
        "kernel void k(int n,\n#ifdef cl_device\n    global unsigned int *a\n#else\n"
        "    global int *a\n#endif\n    )\n{\n    for (int i = 0; i < n; i++) {\n"
        "#ifdef cl_device\n        const unsigned int x = 1;\n        atom_add(&a[0], x);\n"
        "#endif\n        barrier(1);\n#ifdef cl_device\n        a[0] = (int)a[1];\n#endif\n"
        "    }\n}\n",
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
        if (strstr(out, "me(") && !strstr(out, "int me(const coop_view coop_v)"))
            fail_msg("%s", out);
    }
}

/* Loops in loops are gone through a few times, not each twice as often as the one around it. */
TEST(deep_loops)
{
    char text[4000] = KERNEL "    int x = n;\n", out[ROOM];
    for (int i = 0; i < 40; i++)
        strcat(text, "while (a[x]) {\n");
    strcat(text, "global_barrier(); a[0] = x;\n");
    for (int i = 0; i <= 40; i++)
        strcat(text, "}\n");
    assert_int_equal(merge(text, NULL, out), CB_OK);
    assert_non_null(strstr(out, "do { coop_s->x = x; global_barrier(); } while (0); a[0] = x;"));
}

TEST(which_kernel)
{
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
    static const char heads[] = "#ifdef cl_device\nkernel void a(global int *x, int more)\n#else\n"
                                "kernel void a(global int *x)\n#endif\n{\n#pragma unroll\n"
                                "    for (;*x;)\n    *x = 1;\n"
                                "  #define TWO \\\n 2\n}\nkernel void b(global int *x)\n{\n"
                                "    *x = TWO;\n}\n";
    assert_int_equal(merge(heads, "b", out), CB_OK);
    assert_non_null(strstr(out, "#ifdef cl_device\n")); /* of what is left out, directives stay */
    assert_non_null(strstr(out, "#endif\n  #define TWO \\\n 2\n"));
    assert_null(strstr(out, "*x = 1"));
    assert_null(strstr(out, "#pragma unroll"));
}

/* Helpers are told ids by the kernel; the text between comes as it is. */
TEST(helpers)
{
    char out[ROOM];
    assert_int_equal(
        merge("typedef struct { int x; } thing; /* (a comment */\n"
              "int inner(void);\nint outer(int x /* ) */) { return x + inner(); }\n"
              "int inner(void) { return get_local_id(0); }\nint other(int x) { return x; }\n" KERNEL
              "    a[outer(n)] = inner() + other(1);\n    global_barrier();\n}\n",
              NULL, out),
        CB_OK);
    assert_non_null(strstr(out, "int inner(const coop_view coop_v);"));
    assert_non_null(strstr(
        out, "int outer(int x /* ) */, const coop_view coop_v) { return x + inner(coop_v); }"));
    assert_non_null(strstr(out, "int inner(const coop_view coop_v) { return"));
    assert_non_null(strstr(out, "int other(int x) { return x; }"));
    assert_non_null(strstr(out, "a[outer(n, coop_v)] = inner(coop_v) + other(1);"));
    assert_true(strstr(out, "thing; /* (a comment */") < strstr(out, "#include \"coop.clh\""));
}

/* The kernel library comes after coop.clh, whose word it heeds. */
TEST(library)
{
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
    assert_non_null(strstr(out, "int f(const coop_view coop_v) { return coop_run(); }"));
    assert_non_null(strstr(out, "number x;"));

    /* The library's files for the host have types, which may be arguments' and local memory's. */
    assert_int_equal(merge("#include \"steal_abi.h\"\ntypedef struct { cb_take take; } work;\n"
                           "int f(void) { return 1; }\nkernel void k(volatile global uint *a)\n{\n"
                           "    local work w;\n    w.take.task = f();\n    global_barrier();\n}\n",
                           NULL, out),
                     CB_OK);
    assert_true(strstr(out, "} work;") < strstr(out, "#include \"coop.clh\""));
}

TEST(statements)
{
    static const struct {
        const char *body, *written;
    } rows[] = {
        {"int x = 1, y = 2; if (n) global_barrier(); a[x] = y;",
         "if (n) do { coop_s->x = x; coop_s->y = y; global_barrier(); } while (0);"},
        {"int x = 1, y = 2; global_barrier(); a[0] = x;", "x = 1; int y = 2;"},
        {"int x, y = 2; global_barrier(); x = 1; a[x] = y;", "int x; y = 2;"},
        {"for (int i = 0, j = 1; i < n; i += j) global_barrier();", "for (i = 0, j = 1; i < n;"},
        {"int2 x = {1, 2}; global_barrier(); a[0] = x.y;", "x = (int2){1, 2};"},
        {"if (n) return; global_barrier();", "if (n) return COOP_DONE; global_barrier();"},
        {"barrier(CLK_LOCAL_MEM_FENCE);\nglobal_barrier();", "workgroup_barrier();"},
        {"int x[4]; x[0] = 1; global_barrier(); a[0] = x[0] + sizeof(x);",
         "; coop_s->x[0] = 1; global_barrier(); a[0] = coop_s->x[0] + sizeof(coop_s->x);"},
        {"float2 x = (float2)(1.0f), y = (float2)(2, 3); global_barrier(); a[0] = x.y + y.x;",
         "x = (float2)(1.0f); y = (float2)(2, 3);"},
        {"transmit int x = a[get_global_id(0)]; resizing_global_barrier(); a[0] = x;",
         "x = a[get_global_id(0)];"},
        {"global_barrier(); a[get_global_id(0)] = n;", "int const n = coop_a->arg_n;"},
        {"int x = n; global_barrier(); a[0] = x; { float x = 1; a[1] = x; }",
         "x_3 = n; do { coop_s->x_3 = x_3; global_barrier(); } while (0); a[0] = x_3; { float x = "
         "1; "
         "a[1] = x; }"},
        {"for (int i = 0; i < n; i++) global_barrier();\nfor (uint i = 0; i < 2; i++)\n"
         "global_barrier();",
         "for (i = 0; i < n; i++) do { coop_s->i = i; global_barrier(); } while (0);\n"
         "for (i_4 = 0; i_4 < 2; i_4++)\ndo { coop_s->i_4 = i_4; global_barrier(); } while (0);"},
        {"int k = n; global_barrier(); a[0] = k;", "a[0] = k_3;"}, /* the kernel's name */
        {"int A = n, S = 1, L = 2, V = 3; global_barrier(); a[A] = S + L + V;", /* our words */
         "coop_s->A = A; coop_s->S = S; coop_s->L = L; coop_s->V = V; global_barrier();"},
        {"int x[2] = {1, n}; global_barrier(); a[0] = x[n];",
         "do { const int x_begin[2] = {1, n}; for (uint x_i = 0; x_i < sizeof(x_begin) / "
         "sizeof(int); x_i++) ((int *)coop_s->x)[x_i] = ((const int *)x_begin)[x_i]; } while (0);"},
        {"local __attribute__((aligned(8))) uchar x[2]; global_barrier(); x[0] = 1;",
         "uchar x[2] __attribute__((aligned(8)));"},
        {"local uchar x[2] __attribute__((aligned(16))); global_barrier(); x[0] = 1;",
         "uchar x[2] __attribute__((aligned(16)));"},
        {"local int x[2][3]; local int y; y = 1; x[0][0] = y; global_barrier();",
         "; ; coop_l->y = 1; coop_l->x[0][0] = coop_l->y;"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char text[1000], out[ROOM];
        snprintf(text, sizeof text, KERNEL "%s\n}\n", rows[i].body);
        if (merge(text, NULL, out) != CB_OK || !strstr(out, rows[i].written))
            fail_msg("%s\nexpected: %s\ngot: %s", rows[i].body, rows[i].written, out);
    }
}

/* A pointer that is transmitted means nothing on another device. */
TEST(kept_pointers)
{
    static const struct {
        const char *text;
        bool keeps;
    } rows[] = {
        {KERNEL "    for (transmit int i = 0; i < n; i++) {\n        a[i] = i;\n"
                "        resizing_global_barrier();\n    }\n}\n",
         false},
        {KERNEL
         "    transmit global int *p = a;\n    resizing_global_barrier();\n    p[0] = n;\n}\n",
         true},
        {"typedef struct { global int *p; int i; } pair;\n" KERNEL
         "    transmit pair s;\n    s.p = a;\n    s.i = n;\n    resizing_global_barrier();\n    "
         "s.p[0] = n;\n}\n",
         true},
        /* Set anew after the point. */
        {KERNEL "    global int *p = a;\n    p[0] = n;\n    resizing_global_barrier();\n"
                "    p = a + 1;\n    p[0] = n;\n}\n",
         false},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_merge_kernel kernel = {0};
        char out[ROOM];
        if (merge_kernel(rows[i].text, NULL, out, &kernel) != CB_OK ||
            kernel.keeps_pointer != rows[i].keeps)
            fail_msg("%s: %s", rows[i].text, out);
        cb_merge_kernel_free(&kernel);
    }
}

/* Workgroups with sides, and arguments in local memory, of cooperative kernels. */
TEST(frames)
{
    static const struct {
        const char *text, *written[3];
    } rows[] = {
        {"kernel __attribute__((reqd_work_group_size(8, 2 + 2, 1))) void k(global int *a)\n{\n"
         "    a[get_global_id(0)] = 1;\n    global_barrier();\n}\n",
         {"#if COOP_WG_SIZE != 32\n", "#define COOP_SIDE_X 8u\n#define COOP_SIDE_Y 4u\n",
          "#define get_local_id(d) ((size_t)coop_local_id_in(d))\n"}},
        {"kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(global int *a)\n{\n"
         "    global_barrier();\n}\n",
         {"#if COOP_WG_SIZE != 64\n",
          "#define get_local_id(d) ((d) == 0 ? (size_t)coop_local_id() : 0u)\n", ""}},
        {"kernel void k(local volatile float4 *restrict s, global int *a, local short t[])\n{\n"
         "    s[0] = t[a[0]];\n    global_barrier();\n}\n",
         {"#define COOP_ARGS(X) \\\n    X(global int *, arg_a)\n",
          "volatile float4  s[COOP_COUNT_OF_s]; \\\n    short  t[COOP_COUNT_OF_t];\n",
          "volatile local float4 *restrict const s = coop_l->s;\n"}},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char out[ROOM];
        const enum cb_status status = merge(rows[i].text, NULL, out);
        for (size_t k = 0; k < CB_COUNTOF(rows[i].written); k++)
            if (status != CB_OK || !strstr(out, rows[i].written[k]))
                fail_msg("%s\nexpected: %s\ngot: %s", rows[i].text, rows[i].written[k], out);
    }
}

ALL_TESTS(skip_unless_built, NULL)
