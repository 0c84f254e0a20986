/* SPDX-License-Identifier: Apache-2.0
 *
 * Build options of users' texts: what they put before one, and where its includes are found.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include <limits.h>

#include "runtime/source.h"

static void reads(const char *text, const char *head, const char *device, const char *version)
{
    struct cb_source_options o;
    struct cb_err err = {0};
    if (cb_source_options_read(text, NULL, &o, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_string_equal(o.head, head);
    assert_string_equal(o.device, device);
    assert_string_equal(o.version, version);
    cb_source_options_free(&o);
}

TEST(kinds)
{
    reads(NULL, "", "", "");
    reads(" \t\n", "", "", "");
    reads("-DN=4 -D M -DF(x)=x+1 -UQ -D 'T=unsigned int' -DS=\"a b\"",
          "#define N 4\n#define M 1\n#define F(x) x+1\n#undef Q\n#define T unsigned int\n"
          "#define S a b\n",
          "", "");
    reads("-DS='\"a\"' -DB=\\\\ -DE=", "#define S \"a\"\n#define B \\\n#define E \n", "", "");
    reads("-cl-mad-enable -DN -cl-std=CL2.0 -w -cl-strict-aliasing", "#define N 1\n",
          " -cl-mad-enable -w -cl-strict-aliasing", " -cl-std=CL2.0");
    reads("-include a.h -include=/b.h", "#include \"./a.h\"\n#include \"/b.h\"\n", "", "");
}

/* The version comes with a text; where none does, it is that of OpenCL C where nobody says any. */
TEST(version)
{
    static const struct {
        const char *text, *version;
    } rows[] = {{"kernel void k() {}\n", " -cl-std=CL1.2"},
                {"// coopbench: language -cl-std=CL2.0\nkernel void k() {}\n", " -cl-std=CL2.0"}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char *version = cb_source_version_of(rows[i].text);
        assert_string_equal(version, rows[i].version);
        free(version);
    }
}

TEST(refused)
{
    static const char *const texts[] = {"-D", "-DN -I", "-include", "-D 'a\nb'"};
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        struct cb_source_options o;
        struct cb_err err = {0};
        assert_int_equal(cb_source_options_read(texts[i], NULL, &o, &err), CB_USAGE);
        assert_non_null(strstr(err.text, "expected a value of one line"));
    }
}

/* Folders are looked into after that of the including file, in their order. */
TEST_WITH(includes, make_folder, remove_folder)
{
    char path[256], folders[512], *text = NULL;
    struct cb_err err = {0};
    snprintf(path, sizeof path, "%s/one", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/two words", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    write_text("one/a.h", "a of one\n#include \"b.h\"\n");
    write_text("one/b.h", "b of one\n");
    write_text("two words/a.h", "a of two\n");
    write_text("two words/c.h", "c of two\n");
    write_text("b.h", "b of main\n");
    snprintf(path, sizeof path, "%s",
             write_text("main.cl", "#include <a.h>\n#include \"b.h\"\n#include <c.h>\n"
                                   "#include <coop.clh>\nN\n"));
    snprintf(folders, sizeof folders, "-Ione -I 'two words' -DN=7 -cl-mad-enable");
    if (cb_source_users_text(path, folders, path, &text, &err) != CB_OK)
        fail_msg("%s", err.text);
    const char *order[] = {"// coopbench: build options -cl-mad-enable\n",
                           "#line 1 \"the build options\"\n#define N 7\n",
                           "a of one\n",
                           "b of one\n",
                           "b of main\n",
                           "c of two\n",
                           "#include <coop.clh>\nN\n"};
    const char *at = text;
    for (size_t i = 0; i < CB_COUNTOF(order); i++) {
        const char *next = strstr(at, order[i]);
        if (!next)
            fail_msg("no \"%s\" after what is before it, in:\n%s", order[i], text);
        at = next + 1;
    }
    assert_null(strstr(text, "a of two"));
    free(text);
}

/* From another folder on the options mean the same. */
TEST_WITH(moved, make_folder, remove_folder)
{
    char *moved = NULL, expected[512], before[PATH_MAX];
    struct cb_err err = {0};
    write_text("a.h", "");
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    enum cb_status status =
        cb_source_options_moved("-D 'T=a b' -D N -I . -include a.h -cl-std=CL2.0 -w", &moved, &err);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(status, CB_OK);
    snprintf(expected, sizeof expected, " -D T=a\\ b -D N -I %s -include %s/a.h -cl-std=CL2.0 -w",
             folder, folder);
    assert_string_equal(moved, expected);
    free(moved);
}

/* A program's options are those of all of its texts, each once. */
TEST(of_texts)
{
    char *all = cb_source_options_of("// coopbench: build options -w -cl-mad-enable\nint a;\n"
                                     "  // coopbench: build options -no\n"
                                     "// coopbench: build options -cl-mad-enable -x\\ y\n");
    assert_string_equal(all, " -w -cl-mad-enable -x\\ y");
    free(all);
    all = cb_source_options_of("kernel void k() {}\n");
    assert_string_equal(all, "");
    free(all);
}
