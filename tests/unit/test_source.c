/* SPDX-License-Identifier: Apache-2.0
 *
 * Includes in kernels, in a made-up source tree. The made-up sources say where they are ("at
 * x.cl:2"); by the #line directives of the expansion, that is where a compiler must find them.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include "runtime/host/error.h"
#include "runtime/primitives.h"
#include "runtime/source.h"

static int enter_tree(void **state)
{
    char path[96];
    if (make_folder(state) != 0 || setenv("COOPBENCH_KERNEL_DIR", folder, 1) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/kernels", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/probes", folder);
    return mkdir(path, 0700);
}

static int leave_tree(void **state)
{
    unsetenv("COOPBENCH_KERNEL_DIR");
    return remove_folder(state);
}

static void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static char *expands(const char *path)
{
    char *text = NULL;
    struct cb_err err;
    if (cb_source_expand(path, &text, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_non_null(text);
    return text;
}

static void refuses(const char *path, const char *start)
{
    char *text = (char *)(uintptr_t)start;
    struct cb_err err;
    assert_int_equal(cb_source_expand(path, &text, &err), CB_ERROR);
    assert_null(text);
    if (strncmp(err.text, start, strlen(start)) != 0)
        fail_msg("got \"%s\", expected \"%s\"", err.text, start);
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

/* Every "at FILE:LINE" of the text stands there by the #line directives; returns their number. */
static int check_places(const char *text)
{
    char file[64] = "", said[64];
    int line = 0, said_line, found = 0;
    for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        line++;
        if (sscanf(at, "#line %d \"%63[^\"]\"", &line, file) == 2) {
            line--;
        } else if (sscanf(at, "at %63[^:\n]:%d", said, &said_line) == 2) {
            assert_string_equal(said, file);
            assert_int_equal(said_line, line);
            found++;
        }
    }
    return found;
}

/* --- Tests ------------------------------------------------------------------------------------ */

TEST_WITH(no_include, enter_tree, leave_tree)
{
    put("probes/x.cl", "at probes/x.cl:1\n\nat probes/x.cl:3");
    char *text = expands("probes/x.cl");
    assert_string_equal(text, "#line 1 \"probes/x.cl\"\nat probes/x.cl:1\n\nat probes/x.cl:3");
    free(text);
}

TEST_WITH(places, enter_tree, leave_tree)
{
    put("probes/x.cl", "at probes/x.cl:1\n#include \"y.clh\"\nat probes/x.cl:3\n\n\n"
                       "  #  include \"z.clh\" // twice\nat probes/x.cl:7\n"
                       "#include \"z.clh\"\nat probes/x.cl:9\n");
    put("probes/y.clh",
        "at probes/y.clh:1\n#include \"z.clh\"\nat probes/y.clh:3"); /* no newline */
    put("kernels/z.clh", "#pragma once\nat kernels/z.clh:2\n\n");
    char *text = expands("probes/x.cl");
    assert_int_equal(check_places(text), 7);
    assert_int_equal(count(text, "#include"), 0);
    assert_int_equal(count(text, "#pragma once"), 0);
    free(text);
}

TEST_WITH(once_only, enter_tree, leave_tree)
{
    put("probes/x.cl", "#include \"y.clh\"\n#include \"y.clh\"\n#include \"z.clh\"\n");
    put("probes/y.clh", "#include \"z.clh\"\n#include \"x.cl\"\nint y;\n"); /* a circle */
    put("probes/z.clh", "#include \"y.clh\"\nint z;\n");
    char *text = expands("probes/x.cl");
    assert_int_equal(count(text, "int y;"), 1);
    assert_int_equal(count(text, "int z;"), 1);
    free(text);
}

TEST_WITH(beside_before_kernels_before_root, enter_tree, leave_tree)
{
    put("probes/x.cl", "#include \"y.clh\"\n#include \"z.clh\"\n#include \"kernels/rooted.clh\"\n");
    put("kernels/rooted.clh", "from the root\n");
    put("z.clh", "wrong\n");
    put("probes/y.clh", "beside\n");
    put("kernels/y.clh", "wrong\n");
    put("kernels/z.clh", "shared\n");
    char *text = expands("probes/x.cl");
    assert_int_equal(count(text, "beside"), 1);
    assert_int_equal(count(text, "shared"), 1);
    assert_int_equal(count(text, "from the root"), 1);
    assert_int_equal(count(text, "wrong"), 0);
    free(text);
}

TEST_WITH(missing_include, enter_tree, leave_tree)
{
    put("probes/x.cl", "int a;\n#include \"nope.clh\"\n");
    refuses("probes/x.cl", "probes/x.cl:2: #include \"nope.clh\": ");
    put("probes/x.cl", "#include \"y.clh\"\n");
    put("probes/y.clh", "int a;\nint b;\n#include \"nope.clh\"\n");
    refuses("probes/x.cl", "probes/y.clh:3: #include \"nope.clh\": ");
}

TEST_WITH(missing_include_after_empty_lines, enter_tree, leave_tree)
{
    put("probes/x.cl", "int a;\n\n\n#include \"nope.clh\"\n");
    refuses("probes/x.cl", "probes/x.cl:4: #include \"nope.clh\": ");
}

TEST_WITH(missing_file, enter_tree, leave_tree)
{
    refuses("probes/none.cl", "COOPBENCH_KERNEL_DIR: cannot read ");
}

TEST_WITH(long_name, enter_tree, leave_tree)
{
    char text[700] = "#include \"";
    memset(text + strlen(text), 'n', 505);
    strcat(text, "\"\n");
    put("probes/x.cl", text);
    refuses("probes/x.cl", "probes/x.cl:1: #include \"nnn");
}

TEST_WITH(empty_variable_means_embedded, enter_tree, leave_tree)
{
    setenv("COOPBENCH_KERNEL_DIR", "", 1);
    char *text = expands("probes/discover/discover.cl");
    assert_true(strlen(text) > 1000);
    free(text);
}

/* The program reads the kernels that it carries if the variable is not set. */
TEST(embedded_kernels)
{
    int kernels = 0;
    for (const struct cb_embedded *file = cb_embedded_files; file->path; file++) {
        size_t n = strlen(file->path);
        if (n < 3 || strcmp(file->path + n - 3, ".cl") != 0)
            continue;
        char *text = expands(file->path);
        assert_int_equal(count(text, "#include \""), 0);
        assert_int_equal(count(text, "#pragma once"), 0);
        free(text);
        kernels++;
    }
    assert_true(kernels > 0);
}

/* CB_FILE_OF() stands for all implementations, once each; with the places of what follows. */
TEST(all_implementations)
{
    char *text = expands("kernels/mutex.clh");
    for (int i = 0; i < CB_PRIMITIVE_COUNT; i++) {
        char line[96];
        snprintf(line, sizeof line, "#line 1 \"kernels/mutexes/%s.clh\"", cb_primitive_table[i].id);
        if (cb_primitive_table[i].kind == CB_KIND_MUTEX)
            assert_int_equal(count(text, line), 1);
    }
    assert_int_equal(count(text, "#include CB_FILE_OF"), 0);
    free(text);
}

TEST(not_embedded)
{
    refuses("kernels/none.cl", "no embedded file 'kernels/none.cl'");
}

/* A path grows with every include until it is too long: each of two lines would double the text. */
TEST_WITH(doubling, enter_tree, leave_tree)
{
    char users[256], *text = NULL;
    struct cb_err err;
    snprintf(users, sizeof users, "%s",
             write_text("twice.cl", "#include \".//////////twice.cl\"\n"
                                    "#include \".//////////twice.cl\"\n"));
    assert_int_equal(cb_source_expand_users(users, NULL, &text, &err), CB_ERROR);
    assert_null(text);
    assert_non_null(strstr(err.text, "more than 1024 includes of files without #pragma once"));
}

/* An include by an absolute path is no other file's, and a byte order mark is no text. */
TEST_WITH(users_files, enter_tree, leave_tree)
{
    char users[256], *text = NULL;
    struct cb_err err;
    char line[300];
    snprintf(line, sizeof line, "\xef\xbb\xbfmain\n#include \"%s\"\n#include \"/none.h\"\n",
             write_text("other.h", "\xef\xbb\xbfother\n"));
    snprintf(users, sizeof users, "%s", write_text("main.cl", line));
    assert_int_equal(cb_source_expand_users(users, NULL, &text, &err), CB_OK);
    assert_null(strstr(text, "\xef"));
    assert_non_null(strstr(text, "main.cl\"\nmain\n"));
    assert_non_null(strstr(text, "other.h\"\nother\n"));
    assert_non_null(strstr(text, "#include \"/none.h\"\n")); /* for the compiler to tell of */
    free(text);
}

/* What is in a comment is not included; what only looks like the begin of one is. */
TEST_WITH(comments, enter_tree, leave_tree)
{
    char users[256], *text = NULL;
    struct cb_err err;
    write_text("other.h", "other\n");
    snprintf(users, sizeof users, "%s",
             write_text("main.cl", "/* \" //\n#include \"none.h\"\n*/ char *s = \"\\\"/*\"; // /*\n"
                                   "#include \"other.h\"\n/* */ /*/\n#include \"none.h\"\n*/\n"
                                   "// goes on \\\n#include \"none.h\"\n"));
    assert_int_equal(cb_source_expand_users(users, NULL, &text, &err), CB_OK);
    assert_int_equal(count(text, "#include \"none.h\"\n"), 3);
    assert_int_equal(count(text, "\nother\n"), 1);
    free(text);
}

/* The digest counts a text that is kept twice once. */
TEST(kept)
{
    struct cb_err err;
    char *text = NULL;
    const uint64_t before = cb_source_digest();
    assert_int_equal(cb_source_keep("users/a.cl", "one", &err), CB_OK);
    const uint64_t one = cb_source_digest();
    assert_true(one != before);
    assert_int_equal(cb_source_keep("users/a.cl", "one", &err), CB_OK);
    assert_true(cb_source_digest() == one);
    assert_int_equal(cb_source_keep("users/a.cl", "two", &err), CB_OK);
    assert_true(cb_source_digest() != one);
    assert_int_equal(cb_source_read("users/a.cl", &text, &err), CB_OK);
    assert_string_equal(text, "two");
    free(text);
}

static void maps(const char *expanded, const char *log, const char *expected)
{
    char *mapped = cb_source_map_log(expanded, log);
    assert_string_equal(mapped, expected);
    free(mapped);
}

TEST(map_log)
{
    static const char text[] = "#line 1 \"a.cl\"\n"  /* 1 */
                               "one\n"               /* 2: a.cl:1 */
                               "#line 1 \"b.clh\"\n" /* 3 */
                               "first\n"             /* 4: b.clh:1 */
                               "second\n"            /* 5: b.clh:2 */
                               "\n"                  /* 6 */
                               "#line 3 \"a.cl\"\n"  /* 7 */
                               "three\n";            /* 8: a.cl:3 */
    maps(text, "", "");
    maps(text, "<kernel>:2:7: error: x", "a.cl:1:7: error: x");
    maps(text, "<kernel>:5:1: error\n<kernel>:8:2: note\n", "b.clh:2:1: error\na.cl:3:2: note\n");
    maps(text, "<program source>:4:1: warning", "b.clh:1:1: warning");
    maps(text, "kernels/x.clh:4:1: error: <kernel> and <kernel>:x", /* nothing to map */
         "kernels/x.clh:4:1: error: <kernel> and <kernel>:x");
    maps("no directive\n", "<kernel>:1:1: error", "<kernel>:1:1: error");
}

/* Names that the text has in the place of the user's. */
TEST(map_names)
{
    static const char copy[] = "/* Names of this copy end with _k0. */\n";
    char both[200];
    maps("#define pair k_own_pair\n", "'struct k_own_pair *' k_own_pairs my_own_pair _own_pair",
         "'struct pair *' k_own_pairs my_own_pair _own_pair");
    maps("x\n#define own_x a_own_own_x\n", "a_own_own_x", "own_x");
    maps("/* m_12 stands for m. */\n", "m_12, m_1, x_m_12, m_120, _12, 12",
         "m, m_1, x_m_12, m_120, _12, 12");
    maps(copy, "f_k0 f_k1 _k0 k0 f_k f_0", "f f_k1 _k0 k0 f_k f_0");
    maps("one\n", "f_k0 k_own_x m_1", "f_k0 k_own_x m_1");
    snprintf(both, sizeof both, "#define f k_own_f\n%s", copy);
    maps(both, "k_own_f_k0", "f");
}

static int embedded_only(void **unused)
{
    (void)unused;
    return unsetenv("COOPBENCH_KERNEL_DIR");
}

ALL_TESTS(embedded_only, NULL)
