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
         "10:1 4"},
        {"switch (n) {\ncase 1:\n    if (get_local_id(0) == 0)\n        return;\n}\n" BARRIER,
         "8:1 5"},
        /* All. */
        {"if (n > 3 || a[0])\n    " BARRIER, NULL},
        {"while (a[0] < n)\n    " BARRIER, NULL},
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
        if (rows[i].place && !strstr(kernel.warnings, ": perhaps not all work-items reach this "))
            fail_msg("%s\ngot: %s", text, kernel.warnings);
        check_said(&rows[i], kernel.warnings);
        cb_merge_kernel_free(&kernel);
    }
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
    assert_non_null(strstr(kernel.warnings, ":18:5: perhaps not all work-items reach this "
                                            "global_barrier(), by line 17, "));
    assert_null(strchr(kernel.warnings, '\n'));
    cb_merge_kernel_free(&kernel);
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
    assert_non_null(strstr(kernel.warnings, ":43:1: perhaps"));
    cb_merge_kernel_free(&kernel);
}

ALL_TESTS(skip_unless_built, NULL)
