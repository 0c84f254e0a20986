/* SPDX-License-Identifier: Apache-2.0
 *
 * The merge tool: global barriers that not all work-items reach.
 */
#include "merge_fixture.h"
#include "tests/unit/unit.h"

#define BARRIER "global_barrier();\n"

/* place: of the barrier and of what parts them, "7:9 3"; NULL: nothing is said. */
struct row {
    const char *body, *place;
};

/* What is said of a barrier at the first number's place by the line of the second. */
static void check_said(const struct row *row, const char *said)
{
    char place[16] = "", line[32] = "";
    if (row->place) {
        snprintf(place, sizeof place, ":%.*s: ", (int)strcspn(row->place, " "), row->place);
        snprintf(line, sizeof line, "in line%s", strchr(row->place, ' '));
    }
    const char *by = said ? strstr(said, "line ") : NULL;
    if (row->place ? !said || !strstr(said, place) || !by || atoi(by + 5) != atoi(line + 8)
                   : said && *said)
        fail_msg("%s\nexpected: %s by %s\ngot: %s", row->body, place, line, said);
    if (said && row->place && strchr(said, '\n'))
        fail_msg("%s\nmore than once: %s", row->body, said);
}

static void make_text(const struct row *row, char *text, size_t size)
{
    snprintf(text, size, "%s%s}\n", KERNEL, row->body);
}

/* Surely not all. */
TEST(surely)
{
    static const struct row rows[] = {
        {"if (get_local_id(0) == 0)\n    " BARRIER, "4:5 3"},
        {"if (!get_group_id(0))\n    " BARRIER, "4:5 3"},
        {"if (n) {\n    if (0 == get_global_id(0))\n        ;\n    else\n        " BARRIER "}\n",
         "7:9 4"},
        {"if (n > 3 && get_local_id(0) >= 1) {\n    " BARRIER "}\n", "4:5 3"},
        {"if (get_local_id(0) == 7)\n    " BARRIER, "4:5 3"},
        {"do {\n    " BARRIER "} while (get_local_id(0) == 0);\n", "4:5 3"},
        {"do {\n    if (get_local_id(0) == 0)\n        break;\n    " BARRIER "} while (0);\n",
         "6:5 4"},
        {"do {\n    if (get_local_id(0))\n        return;\n} while (0);\n" BARRIER, "7:1 4"},
        {"if (get_global_id(0) > 0)\n    return;\n" BARRIER, "5:1 3"},
        {"for (int i = 0; i < 3; i++) {\n    if (get_global_id(0)) {\n        a[i] = 1;\n        "
         "break;\n    }\n    " BARRIER "}\n",
         "8:5 4"},
        {"for (int i = 0; i < 3; i++) {\n    if (get_global_id(0) != 0)\n        continue;\n    "
         "while (n)\n        " BARRIER "}\n",
         "7:9 4"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char text[1000], out[ROOM];
        make_text(&rows[i], text, sizeof text);
        if (merge(text, NULL, out) != CB_USAGE)
            fail_msg("merged: %s", text);
        if (!strstr(out, "not all work-items reach this global_barrier(), by the id in line "))
            fail_msg("%s\ngot: %s", text, out);
        check_said(&rows[i], out);
    }
}

/* Perhaps not all; or all, which nothing is said of. */
TEST(perhaps)
{
    static const struct row rows[] = {
        {"if (get_global_id(0) < n)\n    " BARRIER, "4:5 3"},
        {"if (get_global_id(0) >= n)\n    return;\na[0] = 1;\nwhile (n)\n    " BARRIER, "7:5 3"},
        {"for (int i = get_global_id(0); i < n; i += get_global_size(0)) {\n    " BARRIER "}\n",
         "4:5 3"},
        {"const int me = get_group_id(0);\nif (me == 0)\n    " BARRIER, "5:5 4"},
        {"do {\n    " BARRIER
         "    if (get_local_id(0) == 0)\n        break;\n    a[1] = 2;\n} while "
         "(0);\n" BARRIER,
         NULL},
        {"do {\n    " BARRIER
         "    if (get_local_id(0) == 0)\n        break;\n    a[1] = 2;\n} while "
         "(n);\n",
         "4:5 5"},
        {"for (int i = 0; i < n; i++) {\n    do {\n        if (a[get_local_id(0)])\n            "
         "break;"
         "\n    } while (0);\n    " BARRIER "}\n",
         NULL},
        {"if (a[get_global_id(0)] > 3)\n    " BARRIER, "4:5 3"},
        {"const int me = get_local_id(0), x = a[me];\nint y = 0;\ny += x;\nif (n && y)\n   "
         " " BARRIER,
         "7:5 6"},
        {"int first = 0;\nif (get_local_id(0) == 0)\n    first = 1;\nif (first)\n    " BARRIER,
         "7:5 6"},
        {"if (atomic_inc(a) == 0)\n    " BARRIER, "4:5 3"},
        {"while (n) {\n    " BARRIER "    if (a[get_local_id(0)])\n        break;\n}\n", "4:5 5"},
        {"if (n == 0) {\n    if (get_local_id(0) == 0) {\n        a[0] = 1;\n        return;\n    "
         "}\n"
         "    return;\n}\n" BARRIER,
         NULL},
        {"switch (n) {\ncase 1:\n    if (get_local_id(0) == 0)\n        return;\n}\n" BARRIER,
         "8:1 5"},
        {"switch (get_local_id(0)) {\ncase 0:\n    return;\n}\n" BARRIER, "7:1 3"},
        {"int x = 0;\nswitch (get_group_id(0)) {\ncase 1:\n    x = 1;\n    break;\ndefault:\n    "
         "x = 0;\n}\nif (x)\n    " BARRIER,
         "12:5 11"},
        {"int x = get_local_id(0) == 0 ? n : 0;\nif (x)\n    " BARRIER, "5:5 4"},
        {"int x = 0;\nn && (x = get_local_id(0));\nif (x)\n    " BARRIER, "6:5 5"},
        {"int x = 0;\nif (a[get_local_id(0)])\n    x++;\nif (x)\n    " BARRIER, "7:5 6"},
        {"int x[2] = {0, 0};\nx[1] = get_local_id(0);\nif (x[1] > 2)\n    " BARRIER, "6:5 5"},
        {"int2 x = 0;\nx.y = get_local_id(0);\nif (x.y > 2)\n    " BARRIER, "6:5 5"},
        {"#define SET(x, value) x = value\nint x = 0;\nSET(x, get_local_id(0));\nif (x)\n   "
         " " BARRIER,
         "7:5 6"},
        {"int x = 0, *p = &x;\n*p = 1;\nx += a[get_local_id(0)];\nif (x)\n    " BARRIER, "7:5 6"},
        {"int i;\nfor (i = 0; i < n; i++)\n    if (a[i + get_local_id(0)])\n        break;\n"
         "if (i < n)\n    " BARRIER,
         "8:5 7"},
        {"int i = 0;\ndo {\n    i++;\n    " BARRIER "} while (i < a[get_local_id(0)]);\n", "6:5 4"},
        {"while (n) {\n    if (a[get_local_id(0)])\n        break;\n    return;\n}\n" BARRIER,
         "8:1 4"},
        {"for (int i = 0; i < n; i++) {\n    if (a[get_local_id(0)])\n        continue;\n    if (n "
         "> "
         "3)\n        return;\n}\n" BARRIER,
         "9:1 4"},
        {"transmit int x = 0;\nif (a[get_global_id(0)] == n)\n    x = 1;\nwhile (!x)\n    " BARRIER,
         "7:5 6"},
        {"local int x;\nif (get_local_id(0) == 0)\n    x = a[get_group_id(0)];\nbarrier(1);\n"
         "if (x)\n    " BARRIER,
         "8:5 7"},
        {"local int x;\nif (get_local_id(0) == 0)\n    x = atomic_inc(a);\nbarrier(1);\nwhile (x < "
         "n)\n    " BARRIER,
         "8:5 7"},
        {"local int x[64];\nx[get_local_id(0)] = a[get_global_id(0)];\nbarrier(1);\nif (x[0])\n    "
         " " BARRIER,
         "7:6 6"},
        /* All. */
        {"local int x;\nif (get_local_id(0) == 0)\n    x = a[0];\nbarrier(1);\nif (x)\n   "
         " " BARRIER,
         NULL},
        {"local int x[64];\nx[get_local_id(0)] = a[get_local_id(0)];\nbarrier(1);\nwhile (x[0] < n)"
         "\n    " BARRIER,
         NULL},
        {"int i;\nfor (i = get_global_id(0); i < n; i++)\n    a[i] = 1;\nfor (i = 0; i < n; i++) "
         "{\n    " BARRIER "}\n",
         NULL},
        {"int x = 1;\nif (get_local_id(0)) {\n    x = 2;\n    a[0] = x;\n}\nx = 3;\nif (x < n)\n   "
         " "
         " " BARRIER,
         NULL},
        {"int x = 1;\nif (n == 0) {\n    x = get_local_id(0);\n    a[0] = x;\n    return;\n}\n"
         "if (x < n)\n    " BARRIER,
         NULL},
        {"if (n) {\n    if (get_local_id(0) == 0)\n        return;\n    a[1] = 1;\n} else {\n    "
         " " BARRIER "}\n",
         NULL},
        {"while (atomic_load((volatile global atomic_int *)a) < n)\n    " BARRIER, NULL},
        {"int x = n ? 1 : 2;\nif (x == get_local_size(0))\n    " BARRIER, NULL},
        {"int x = 0;\nswitch (n) {\ncase 1:\n    x = 1;\n    break;\n}\nif (x)\n    " BARRIER,
         NULL},
        {"while (1) {\n    " BARRIER "    if (a[0] == n)\n        break;\n    for (int i = "
         "get_local_id(0); i < n; i += 2) {\n        if (a[i])\n            continue;\n        "
         "a[i] "
         "= 1;\n    }\n    " BARRIER "    if (n > 4)\n        return;\n}\n",
         NULL},
        {"if (get_global_id(0) < n) {\n    if (0)\n        return;\n}\n" BARRIER, NULL},
        {"if (get_local_id(0) == 0 && 0)\n    return;\n" BARRIER, NULL},
        {"while (0 && a[get_local_id(0)])\n    " BARRIER, NULL},
        {"for (int i = 0; 1 < 1; i++)\n    if (get_local_id(0))\n        return;\n" BARRIER, NULL},
        {"#define DEBUG 0\nif (get_local_id(0) < n)\n    while (!!DEBUG)\n        "
         "return;\n" BARRIER,
         NULL},
        {"if (1 || get_local_id(0) < n)\n    " BARRIER, NULL},
        {"if (get_local_id(0) < n && 0x100000000L)\n    " BARRIER, "4:5 3"},
        {"if (get_local_id(0) < n)\n    if (0)\n        a[0] = 1;\n    else\n        "
         "return;\n" BARRIER,
         "8:1 3"},
        {"do {\n    if (get_local_id(0) < n)\n        break;\n    a[0] = 1;\n} while (0 && "
         "n);\n" BARRIER,
         NULL},
        {"if (__OPENCL_VERSION__ < 200 && get_local_id(0) < n)\n    return;\n" BARRIER, "5:1 3"},
        {"if (n > 3 || a[0])\n    " BARRIER, NULL},
        {"while (a[0] < n)\n    " BARRIER, NULL},
        {"for (int i = get_global_id(0) - get_local_id(0); i < n; i += get_global_size(0))\n   "
         " " BARRIER,
         "4:5 3"},
        {"if (get_num_groups(0) > 1)\n    " BARRIER, NULL},
        {"for (int i = get_global_id(0); i < n; i += get_global_size(0))\n    a[i] = 1;\n" BARRIER,
         NULL},
        {"if (get_local_id(0) == 0)\n    a[0] = 1;\n" BARRIER "if (get_local_id(0) == 0)\n"
         "    return;\na[1] = 1;\n",
         NULL},
        {"for (int i = 0; i < 2; i++) {\n    " BARRIER
         "    if (get_local_id(0))\n        continue;\n"
         "    a[i] = 1;\n}\n",
         NULL},
        {"while (get_local_id(0) < n) {\n    if (a[get_local_id(0)])\n        break;\n}\n" BARRIER,
         NULL},
        {"while (n) {\n    switch (get_local_id(0)) {\n    case 0:\n        break;\n    }\n   "
         " " BARRIER "}\n",
         NULL},
        {"if (get_local_id(0) == 0)\n    barrier(1);\noffer_kill();\n", NULL},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char text[1000], out[ROOM];
        struct cb_merge_kernel kernel;
        make_text(&rows[i], text, sizeof text);
        if (merge_kernel(text, NULL, out, &kernel) != CB_OK)
            fail_msg("refused: %s\n%s", text, out);
        if (rows[i].place &&
            !strstr(kernel.warnings, ": warning: not all work-items may reach this "))
            fail_msg("%s\ngot: %s", text, kernel.warnings);
        check_said(&rows[i], kernel.warnings);
        cb_merge_kernel_free(&kernel);
    }
}

/* What is said of a text that is merged all the same. */
static void check_warned(const char *text, const char *expected)
{
    char out[ROOM];
    struct cb_merge_kernel kernel;
    if (merge_kernel(text, NULL, out, &kernel) != CB_OK)
        fail_msg("refused: %s\n%s", text, out);
    if (expected ? !kernel.warnings || !strstr(kernel.warnings, expected)
                 : kernel.warnings && *kernel.warnings)
        fail_msg("%s\nexpected: %s\ngot: %s", text, expected ? expected : "nothing",
                 kernel.warnings);
    cb_merge_kernel_free(&kernel);
}

#define BEGINS(from) "for (int i = " from "; i < n; i += get_global_size(0))\n    offer_kill();\n"

/* A workgroup comes to these by itself, with all of its work-items. */
TEST(by_themselves)
{
    char text[1000], out[ROOM];
    static const char of_one[] = "not all work-items of a workgroup ";
    static const struct {
        const char *body;
        bool is_sure, is_said;
    } rows[] = {
        {"if (get_local_id(0) == 0)\n    offer_kill();\n", true, true},
        {"if (get_local_id(0))\n    return;\nrequest_fork();\n", true, true},
        {"if (a[get_local_id(0)])\n    offer_kill();\n", false, true},
        {"if (get_global_id(0) == 0)\n    offer_kill();\n", false, true},
        {"if (get_local_id(0) < n)\n    request_fork();\n", false, true},
        {"if (get_group_id(0) == 0)\n    offer_kill();\n", false, false},
        {"if (a[get_group_id(0)])\n    request_fork();\n", false, false},
        {"if (n)\n    offer_kill();\n", false, false},
        {BEGINS("get_global_id(0) - get_local_id(0)"), false, false},
        {BEGINS("get_group_id(0) * get_local_size(0)"), false, false},
        {BEGINS("n + (int)get_global_id(0) - (int)get_local_id(0)"), false, true},
        {BEGINS("n + ((int)get_global_id(0) - (int)get_local_id(0))"), false, false},
        {BEGINS("get_local_id(0) - get_global_id(0)"), false, true},
        {BEGINS("get_global_id(0) + get_local_id(0)"), false, true},
        {BEGINS("(float)get_global_id(0) - (float)get_local_id(0)"), false, true},
        {"int at = get_global_id(0);\nconst uint me = get_local_id(0);\n" BEGINS("at - me"), false,
         false},
        {"int at = get_global_id(0), me = get_local_id(0);\nme = 0;\n" BEGINS("at - me"), false,
         true},
        {"int first = get_local_id(0), me = first;\n" BEGINS("get_global_id(0) - me"), false, true},
        {"uchar at = get_global_id(0), me = get_local_id(0);\n" BEGINS("at - me"), false, true},
        {"if (get_local_id(0) == 0)\n    a[0] = 1;\noffer_kill();\n", false, false},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        make_text(&(struct row){rows[i].body, NULL}, text, sizeof text);
        if (!rows[i].is_sure)
            check_warned(text, rows[i].is_said ? of_one : NULL);
        else if (merge(text, NULL, out) != CB_USAGE || !strstr(out, of_one))
            fail_msg("%s\ngot: %s", text, out);
    }
    snprintf(text, sizeof text, "__attribute__((reqd_work_group_size(8, 4, 1)))\n" KERNEL "%s}\n",
             BEGINS("get_global_id(0) - get_local_id(1)"));
    check_warned(text, of_one);
}

/* A workgroup of one work-item has none that could miss a point. */
TEST(of_one)
{
#define OF_ONE(point)                                                                              \
    "__attribute__((reqd_work_group_size(1, 1, 1)))\n" KERNEL                                      \
    "    if (get_local_id(0) == 0)\n        " point "\n}\n"
    check_warned(OF_ONE("offer_kill();"), NULL);
    check_warned(OF_ONE("global_barrier();"), NULL);
}

/* An argument in local memory is as an array there. */
TEST(arguments)
{
#define OF_LOCAL(id)                                                                               \
    "kernel void k(global int *a, local int *x, int n)\n{\n    x[get_local_id(0)] = a[" id "];\n"  \
    "    barrier(1);\n    if (x[0] > n)\n    " BARRIER "}\n"
    check_warned(OF_LOCAL("get_global_id(0)"), "not all work-items may reach this");
    check_warned(OF_LOCAL("get_local_id(0)"), NULL);
}

/* An id of a dimension that is no number. */
TEST(any_dimension)
{
#define IN_BOTH(body) KERNEL "    for (int d = 0; d < 2; d++)\n        " body "\n" BARRIER "}\n"
    check_warned(IN_BOTH("a[d] = get_global_id(d);"),
                 ":4:16: warning: an id of a dimension that is no number here");
    check_warned(IN_BOTH("a[d] = get_local_id(d);"),
                 ":4:16: warning: get_local_id() of a dimension that is no number here");
    check_warned(
        IN_BOTH("for (int i = get_global_id(d); i < n; i += get_global_size(d)) a[i] = 1;"), NULL);
    check_warned(IN_BOTH("a[d] = get_local_id(d) + get_local_size(d);"), NULL);
    check_warned("__attribute__((reqd_work_group_size(8, 4, 1)))\n" IN_BOTH("a[d] = "
                                                                            "get_local_id(d);"),
                 NULL);
}

/* What a helper tells is what it asks for, or another. */
TEST(helpers)
{
    char out[ROOM];
    struct cb_merge_kernel kernel;
    assert_int_equal(merge_kernel("int me(void)\n{\n    return get_global_id(0);\n}\n"
                                  "int also(int x)\n{\n    return me() + x;\n}\n"
                                  "int all(void)\n{\n    return get_num_groups(0);\n}\n" KERNEL
                                  "if (all() > 2)\n    " BARRIER "if (also(n) > 2)\n    " BARRIER
                                  "}\n",
                                  NULL, out, &kernel),
                     CB_OK);
    assert_non_null(strstr(kernel.warnings, ":18:5: warning: not all work-items may reach this "
                                            "global_barrier(), by the condition in line 17, "));
    assert_null(strchr(kernel.warnings, '\n'));
    cb_merge_kernel_free(&kernel);
}

/* What stands before the kernel. A helper's barrier is named where it was written, once. */
TEST(what_is_before)
{
    static const char helper[] = "void sync(int all)\n{\n    if (all)\n        " BARRIER "}\n",
                      by_address[] = "void set(int *x)\n{\n    *x = get_local_id(0);\n}\n",
                      record[] = "typedef struct {\n    int size, own;\n} level;\n",
                      macro[] = "#define SYNC(all) if (all) " BARRIER;
    static const struct {
        const char *helper, *body, *said;
    } rows[] = {
        {helper, "sync(n);\nsync(a[0]);\n", ""},
        {helper, "sync(a[get_local_id(0)]);\nsync(a[get_group_id(0)]);\n",
         ":4:9: warning: not all work-items may reach this global_barrier(), by the condition in "
         "line 3, "},
        {by_address, "int x = 0;\nset(&x);\nif (x)\n    " BARRIER, ":10:5: warning: "},
        {record,
         "transmit level x = {0};\nif (get_group_id(0) == 0)\n    x.own = 1;\nwhile (x.size < "
         "n)\n    " BARRIER,
         ""},
        {macro, "SYNC(n)\nSYNC(a[0] < n)\n", ""},
        {macro, "SYNC(n)\nSYNC(a[get_group_id(0)])\n", ":5:"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char text[1000], out[ROOM];
        struct cb_merge_kernel kernel;
        snprintf(text, sizeof text, "%s%s%s}\n", rows[i].helper, KERNEL, rows[i].body);
        if (merge_kernel(text, NULL, out, &kernel) != CB_OK)
            fail_msg("refused: %s\n%s", text, out);
        if (!strstr(kernel.warnings, rows[i].said) || strchr(kernel.warnings, '\n') ||
            (!*rows[i].said && *kernel.warnings))
            fail_msg("%s\ngot: %s", text, kernel.warnings);
        cb_merge_kernel_free(&kernel);
    }
}

/* What pointers to private memory lead to. */
TEST(pointers)
{
    static const char warning[] = "not all work-items may reach this";
    static const struct {
        const char *body, *condition;
        bool is_said;
    } rows[] = {
        {"int x = get_local_id(0), *p = &x;", "*p == 0", true},
        {"int x, *p = &x; x = get_local_id(0);", "*p", true},
        {"int x = 0, *p = &x; *p = get_local_id(0);", "x", true},
        {"int x = 0, *p = &x; p[0] += get_local_id(0);", "x", true},
        {"int x = 0, *p = &x; if (a[get_local_id(0)]) (*p)++;", "x", true},
        {"int x[4] = {0}, *p = x; *(p + 1) = get_local_id(0);", "x[1]", true},
        {"int x = 0, *p = &x, **q = &p; **q = get_local_id(0);", "x", true},
        {"int x = 0, y = 0, *p; p = n ? &x : &y; *p = get_local_id(0);", "y", true},
        {"int x = 0; struct s s = {&x, 1}; *s.p = get_local_id(0);", "x", true},
        {"int x = 0; struct s s = {&x, 1}, *p = &s; *p->p = get_local_id(0);", "x", true},
        {"int x = 0; struct s s = {&x, 1}, *p = &s; *(p + n)->p = get_local_id(0);", "x", true},
        {"struct s s = {0, 1}, *p = &s; (p + n)->n = get_local_id(0);", "s.n", true},
        {"int x = 0, *p = &x; set(p);", "x", true},
        {"int x[2] = {0}; set(x);", "x[0]", true},
        {"int x[2] = {0}; set(x + 1);", "x[0]", true},
        {"int x = get_local_id(0), *p = &x;", "get(p)", true},
        /* No more than these. */
        {"int x = 0, y = 0, *p = &x, *q = &y; *p = get_local_id(0);", "*q || y", false},
        {"int x = 0, *p = &x; *p = n; a[get_local_id(0)] = *p;", "x", false},
        {"int x = 0, *p = &x; a[get_local_id(0)] = get(p);", "x", false},
        {"global int *p = a; p[n] = get_local_id(0);", "p[0]", false},
        {"float c; a[get_local_id(0)] = sincos((float)n, &c) + n;", "n", false},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "struct s {\n    int *p;\n    int n;\n};\n"
                 "void set(int *x)\n{\n    *x = get_local_id(0);\n}\n"
                 "int get(const int *x)\n{\n    return *x;\n}\n" KERNEL "%s\nif (%s)\n    " BARRIER
                 "}\n",
                 rows[i].body, rows[i].condition);
        check_warned(text, rows[i].is_said ? warning : NULL);
    }
}

/* Loops in loops are gone through a few times, not each twice as often as the one around it. */
TEST(bounds)
{
    char text[4000] = KERNEL, out[ROOM];
    struct cb_merge_kernel kernel;
    for (int i = 0; i < 40; i++)
        strcat(text, "while (n) { if (a[get_local_id(0)]) break;\n");
    strcat(text, BARRIER);
    for (int i = 0; i <= 40; i++)
        strcat(text, "}\n");
    assert_int_equal(merge_kernel(text, NULL, out, &kernel), CB_OK);
    assert_non_null(strstr(kernel.warnings, ":43:1: warning: "));
    cb_merge_kernel_free(&kernel);
}

ALL_TESTS(skip_unless_built, NULL)
