/* SPDX-License-Identifier: Apache-2.0
 *
 * Several kernels as one program: which files come where, and under which names.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include "runtime/source.h"
#include "runtime/source_tokens.h"

static void keep(const char *path, const char *text)
{
    struct cb_err err;
    if (cb_source_keep(path, text, &err) != CB_OK)
        fail_msg("%s", err.text);
}

static char *composes(const char *common, const char *const *paths, size_t n, const char *last)
{
    const struct cb_source_parts parts = {common, paths, n, last};
    char *text = NULL;
    struct cb_err err;
    if (cb_source_expand_parts(&parts, &text, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_non_null(text);
    return text;
}

static void refuses(const char *common, const char *path, const char *last, const char *message)
{
    const struct cb_source_parts parts = {common, &path, 1, last};
    char *text = (char *)(uintptr_t)message;
    struct cb_err err;
    assert_int_equal(cb_source_expand_parts(&parts, &text, &err), CB_ERROR);
    assert_null(text);
    assert_string_equal(err.text, message);
}

/* Counts how often a name stands in a text, but for comments and the like. */
static int count(const char *text, const char *name)
{
    int n = 0;
    struct cb_scanner from = {.at = text};
    for (struct cb_token t = cb_token_next(&from); t.kind != CB_TOKEN_END; t = cb_token_next(&from))
        n += t.kind == CB_TOKEN_NAME && cb_token_is(t, name);
    return n;
}

/* The same of all copies together: in each of n, `times`; elsewhere never. */
static void check_copies(const char *text, const char *name, size_t n, int times)
{
    char suffixed[96];
    for (size_t k = 0; k <= n; k++) {
        snprintf(suffixed, sizeof suffixed, "%s_k%zu", name, k);
        if (count(text, suffixed) != (k < n ? times : 0))
            fail_msg("%s: %d times", suffixed, count(text, suffixed));
    }
    assert_int_equal(count(text, name), 0);
}

/* The compiler's place of what a copy holds, counted from the text's beginning. */
static void maps(const char *text, const char *what, const char *place)
{
    char log[32];
    int line = 1;
    const char *at = strstr(text, what);
    assert_non_null(at);
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    snprintf(log, sizeof log, "<kernel>:%d:1", line);
    char *mapped = cb_source_map_log(text, log);
    assert_string_equal(mapped, place);
    free(mapped);
}

/* --- Tests ------------------------------------------------------------------------------------ */

static int keep_files(void **unused)
{
    (void)unused;
    unsetenv("COOPBENCH_KERNEL_DIR");
    keep("t/common.clh", "#pragma once\n#include \"base.clh\"\n#define COMMON 1\n");
    keep("t/base.clh", "#pragma once\nuint base(void);"); /* no end of the line */
    keep("t/helpers.clh", "#pragma once\n#include \"base.clh\"\nuint helper(void)\n{\n"
                          "    return base() + COMMON + OWN;\n}\n");
    keep("t/a.cl", "#include \"common.clh\"\n#define OWN 1\n#include \"helpers.clh\"\n"
                   "uint run(void) { return helper(); }\n#include \"last.clh\"\n");
    keep("t/b.cl", "#define OWN 2\n#include \"helpers.clh\"\n\n"
                   "uint run(void) { return helper(); }\nuint only_b;\n#include \"last.clh\"\n");
    keep("t/last.clh", "#include \"common.clh\"\nkernel void all(void)\n{\n    run_k0();\n}");
    return 0;
}

TEST(text)
{
    static const char *const paths[] = {"t/a.cl"};
    char *text = composes("t/base.clh", paths, 1, "t/last.clh");
    assert_string_equal(text, "#line 1 \"t/base.clh\"\n"
                              "\nuint base(void);\n"
                              "/* Names of this copy end with _k0. */\n"
                              "#line 1 \"t/a.cl\"\n"
                              "#line 1 \"t/common.clh\"\n"
                              "\n"
                              "\n#line 3 \"t/common.clh\"\n"
                              "#define COMMON_k0 1\n"
                              "\n#line 2 \"t/a.cl\"\n"
                              "#define OWN_k0 1\n"
                              "#line 1 \"t/helpers.clh\"\n"
                              "\n"
                              "\n#line 3 \"t/helpers.clh\"\n"
                              "uint helper_k0(void)\n{\n"
                              "    return base() + COMMON_k0 + OWN_k0;\n}\n"
                              "\n#line 4 \"t/a.cl\"\n"
                              "uint run_k0(void) { return helper_k0(); }\n"
                              "\n#line 6 \"t/a.cl\"\n"
                              "\n"
                              "#line 1 \"t/last.clh\"\n"
                              "#line 1 \"t/common.clh\"\n"
                              "\n"
                              "\n#line 3 \"t/common.clh\"\n"
                              "#define COMMON 1\n"
                              "\n#line 2 \"t/last.clh\"\n"
                              "kernel void all(void)\n{\n    run_k0();\n}\n");
    free(text);
}

TEST(two)
{
    static const char *const paths[] = {"t/a.cl", "t/b.cl"};
    char *text = composes("t/common.clh", paths, 2, "t/last.clh");
    check_copies(text, "helper", 2, 2);
    check_copies(text, "OWN", 2, 2);
    assert_int_equal(count(text, "only_b_k1"), 1);
    assert_int_equal(count(text, "run_k0"), 2); /* the other in t/last.clh */
    assert_int_equal(count(text, "run_k1"), 1);
    assert_int_equal(count(text, "base"), 3);
    assert_int_equal(count(text, "COMMON"), 3);
    assert_int_equal(count(text, "all"), 1);
    assert_non_null(strstr(text, "#line 1 \"t/a.cl\"\n"));
    assert_non_null(strstr(text, "#line 1 \"t/b.cl\"\n"));
    free(text);
}

TEST(same_twice)
{
    static const char *const paths[] = {"t/b.cl", "t/a.cl", "t/b.cl"};
    char *text = composes("t/common.clh", paths, 3, "t/last.clh");
    check_copies(text, "helper", 3, 2);
    assert_int_equal(count(text, "only_b_k0"), 1);
    assert_int_equal(count(text, "only_b_k1"), 0);
    assert_int_equal(count(text, "only_b_k2"), 1);
    free(text);
}

/* A macro of a word of the language is no name of the copy's. */
TEST(words)
{
    keep("t/global.cl",
         "#ifdef X\n#define global volatile __global\n#endif\nvoid f(global uint *);\n");
    static const char *const paths[] = {"t/global.cl"};
    char *text = composes("t/common.clh", paths, 1, "t/last.clh");
    assert_int_equal(count(text, "global"), 2);
    assert_int_equal(count(text, "f_k0"), 1);
    free(text);
}

TEST(places)
{
    static const char *const paths[] = {"t/a.cl", "t/b.cl"};
    char *text = composes("t/common.clh", paths, 2, "t/last.clh");
    maps(text, "#define COMMON", "t/common.clh:3:1");
    maps(text, "uint base", "t/base.clh:2:1");
    maps(text, "#define OWN_k0", "t/a.cl:2:1");
    maps(text, "uint helper_k0", "t/helpers.clh:3:1");
    maps(text, "uint run_k0", "t/a.cl:4:1");
    maps(text, "#define OWN_k1", "t/b.cl:1:1");
    maps(text, "uint helper_k1", "t/helpers.clh:3:1");
    maps(text, "uint run_k1", "t/b.cl:4:1");
    maps(text, "uint only_b_k1", "t/b.cl:5:1");
    maps(text, "kernel void all", "t/last.clh:2:1");
    free(text);
}

TEST(refused)
{
    keep("t/lacks.cl", "\n#include \"t/none.clh\"\n");
    refuses("t/none.clh", "t/a.cl", "t/last.clh", "no embedded file 't/none.clh'");
    refuses("t/common.clh", "t/none.clh", "t/last.clh", "no embedded file 't/none.clh'");
    refuses("t/common.clh", "t/a.cl", "t/none.clh", "no embedded file 't/none.clh'");
    refuses("t/common.clh", "t/lacks.cl", "t/last.clh",
            "t/lacks.cl:2: #include \"t/none.clh\": no embedded file 't/none.clh'");
}

/* The common part has as many includes as one program may have; then a copy may have none. */
TEST(many_includes)
{
    enum { MANY = 127 };
    char text[MANY * 32] = "", path[32];
    for (int i = 0; i < MANY; i++) {
        snprintf(path, sizeof path, "t/many%d.clh", i);
        keep(path, "");
        snprintf(text + strlen(text), 32, "#include \"many%d.clh\"\n", i);
    }
    keep("t/many.clh", text);
    keep("t/empty.clh", "");
    keep("t/one.clh", "#include \"helpers.clh\"\n");
    static const char *const paths[] = {"t/empty.clh", "t/many0.clh"};
    free(composes("t/many.clh", paths, 2, "t/empty.clh"));
    refuses("t/many.clh", "t/one.clh", "t/last.clh",
            "t/one.clh:1: more than 128 files are included");
}

/* A file that is not beside a user's file is the project's. */
TEST_WITH(users, make_folder, remove_folder)
{
    write_text("beside.clh", "uint beside;\n");
    const char *paths[2];
    char users[256];
    snprintf(users, sizeof users, "%s",
             write_text("mine.cl", "#include \"beside.clh\"\n"
                                   "#include \"paste.h\"\nuint mine;\n"));
    paths[0] = paths[1] = users;
    char *text = composes("t/common.clh", paths, 2, "t/last.clh");
    check_copies(text, "beside", 2, 1);
    check_copies(text, "mine", 2, 1);
    assert_int_equal(count(text, "CB_PASTE_k1"), 1);
    assert_null(strstr(text, "\n#include"));
    free(text);
}

/* Two apps that are one header with other macros before it. */
TEST(apps)
{
    static const char *const paths[] = {"apps/color/color.cl", "apps/mis/mis.cl"};
    static const char *const names[] = {
        "PRIORITY_AFTER", "PRIORITY_MOST", "PRIORITY_NONE",   "PRIORITY_EACH",
        "priority_task",  "priority_look", "priority_decide", "priority_sum",
        "coop_args",      "coop_transmit", "coop_local",
    };
    char *text = composes("kernels/atomics.clh", paths, 2, "kernels/coop_run.clh");
    char *end = strstr(text, "#line 1 \"kernels/coop_run.clh\"");
    assert_non_null(end);
    assert_int_equal(count(text, "cb_fetch_add_relaxed_k0"), 0);
    assert_true(count(text, "cb_fetch_add_relaxed") > 0);
    *end = '\0'; /* it names some, too */
    for (size_t i = 0; i < CB_COUNTOF(names); i++) {
        char suffixed[96];
        snprintf(suffixed, sizeof suffixed, "%s_k0", names[i]);
        assert_true(count(text, suffixed) > 1);
        check_copies(text, names[i], 2, count(text, suffixed));
    }
    free(text);
}

ALL_TESTS(keep_files, NULL)
