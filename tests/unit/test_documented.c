/* SPDX-License-Identifier: Apache-2.0
 *
 * What is a row of a table in the program is on the pages that list such rows, and what is there
 * for a row has one.
 */
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/export/export.h"
#include "apps/host/app.h"
#include "apps/nested/programs/programs.h"
#include "kernels/primitives_abi.h"
#include "measure/bench.h"
#include "probes/litmus/litmus_abi.h"
#include "probes/multitask/policies/policy.h"
#include "runtime/host/files.h"
#include "runtime/primitives.h"
#include "tests/unit/unit.h"

#define TREE COOPBENCH_TEST_DIR "/../"

/* Fails if the file cannot be read. */
static char *read_page(const char *path)
{
    static const struct cb_file_kind kind = {"a page", 0};
    char *page = NULL;
    struct cb_err err = {0};
    if (cb_read_file(path, &kind, &page, &err) != CB_OK)
        fail_msg("%s", err.text);
    return page;
}

static bool has(const char *path, const char *text)
{
    char *page = read_page(path);
    const bool found = strstr(page, text) != NULL;
    free(page);
    return found;
}

/* Fails unless all names that stand between these in the files of the tree are rows. */
static void are_rows(const char *files, const char *before, const char *after,
                     bool (*is_row)(const char *name))
{
    char pattern[512];
    glob_t found;
    int names = 0;
    snprintf(pattern, sizeof pattern, TREE "%s", files);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *page = read_page(found.gl_pathv[i]);
        for (char *at = page; (at = strstr(at, before)) != NULL;) {
            char name[64];
            size_t n = 0;
            for (at += strlen(before); n + 1 < sizeof name && (isalnum(*at) || *at == '_'); at++)
                name[n++] = *at;
            name[n] = '\0';
            if (strncmp(at, after, strlen(after)) != 0)
                continue;
            names++;
            if (!is_row(name))
                fail_msg("%s: %s is no row of its table", found.gl_pathv[i], name);
        }
        free(page);
    }
    assert_true(names > 0);
    globfree(&found);
}

/* Fails unless a page of the tree has the name between these, or before another (NULL: none). */
static void lists(const char *page, const char *before, const char *name, const char *after,
                  const char *or_after)
{
    char path[512], text[128], other[128];
    snprintf(path, sizeof path, TREE "%s", page);
    snprintf(text, sizeof text, "%s%s%s", before, name, after);
    snprintf(other, sizeof other, "%s%s%s", before, name, or_after ? or_after : after);
    if (!has(path, text) && !has(path, other))
        fail_msg("%s does not list %s", page, name);
}

static bool is_policy(const char *name)
{
    return cb_policy_find(name) != NULL;
}

TEST(policies)
{
    are_rows("probes/multitask/policies/*.c", "const struct cb_policy cb_policy_", " =", is_policy);
#define TOLD(name, does)                                                                           \
    lists("docs/sharing.md", "\n| `", #name, "` |", NULL);                                         \
    assert_ptr_equal(cb_policy_find(#name), &cb_policy_##name);
    CB_POLICIES(TOLD)
#undef TOLD
}

static bool is_litmus_test(const char *id)
{
#define IS(row, ...)                                                                               \
    if (strcmp(id, #row) == 0)                                                                     \
        return true;
    CB_LITMUS_LIST(IS)
#undef IS
    return false;
}

TEST(litmus_tests)
{
    are_rows("probes/litmus/litmus.cl", "uint2 cb_litmus_", "(uint thread, cb_word x",
             is_litmus_test);
#define TOLD(id, name, ...)                                                                        \
    lists("probes/litmus/litmus.cl", "uint2 cb_litmus_", #id, "(uint thread,", NULL);              \
    lists("docs/commands/litmus.md", "\n| ", name, ",", " |");
    CB_LITMUS_LIST(TOLD)
#undef TOLD
}

/* The page of primitives tells which forms are measured with --full only. */
TEST(forms_of_primitives)
{
#define TOLD_0(id) lists("docs/commands/primitives.md", "`", id, "`", NULL);
#define TOLD_1(id)
#define TOLD(KIND, id, pauses, slots, quick) TOLD_##quick(#id)
    CB_PRIMITIVES(TOLD)
#undef TOLD
#undef TOLD_0
#undef TOLD_1
}

/* The help of --backoff tells which primitives it is for, and no others. */
TEST(pauses_of_primitives)
{
    const char *help = cb_param_find(cb_bench_find("primitives")->params, "backoff")->help;
    for (int i = 0; i < CB_PRIMITIVE_COUNT; i++) {
        const struct cb_primitive *p = &cb_primitive_table[i];
        char name[64];
        snprintf(name, sizeof name, " %s.%s,", cb_kind_names[p->kind], p->id);
        assert_int_equal(strstr(help, name) != NULL, p->backoff != CB_BACKOFF_NONE);
        if (p->backoff)
            assert_int_equal(strstr(help, name) > strstr(help, "PLACE"),
                             p->backoff == CB_BACKOFF_PLACES);
    }
}

static bool is_export(const char *name)
{
    return cb_export_find(name) != NULL;
}

static bool is_there(const char *folder, const char *name, const char *ending)
{
    char path[512];
    snprintf(path, sizeof path, TREE "%s/%s%s", folder, name, ending);
    return access(path, R_OK) == 0;
}

TEST(exports)
{
    are_rows("analysis/export/*.c", "\nint cb_export_", "(FILE *out, const struct cb_export *e)\n{",
             is_export);
    for (const struct cb_export_format *f = cb_export_formats; f->name; f++) {
        lists("docs/results.md", "`", f->name, "`", NULL);
        lists("tests/consumers/README.md", "\n| `", f->name, ".schema.json` |", ".reader.py` |");
        if (!is_there("tests/consumers", f->name, ".schema.json") &&
            !is_there("tests/consumers", f->name, ".reader.py"))
            fail_msg("there is no tests/consumers/%s.schema.json, nor .reader.py", f->name);
    }
}

/* Otherwise --mode would mean one mode more for it alone, also where nobody asks for a variant. */
TEST(baselines_are_of_variants)
{
    for (int i = 0; cb_apps[i]; i++)
        if (cb_apps[i]->run_baseline)
            fail_msg("%s: run_baseline belongs into its variant paper", cb_apps[i]->id);
}

/* Fails unless there is a README.md in the folder of the tree. */
static void has_readme(const char *folder)
{
    if (!is_there(folder, "README", ".md"))
        fail_msg("there is no %s/README.md", folder);
}

TEST(benchmarks_and_apps_have_readmes)
{
    for (int i = 0; cb_benches[i]; i++) {
        char folder[64];
        snprintf(folder, sizeof folder, "probes/%s", cb_benches[i]->id);
        has_readme(folder);
    }
    for (int i = 0; cb_apps[i]; i++) {
        const char *kernel = cb_apps[i]->kernel;
        char folder[128];
        snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(kernel, '/') - kernel), kernel);
        has_readme(folder);
    }
}

static bool is_app(const char *id)
{
    int i = 0;
    while (cb_apps[i] && strcmp(cb_apps[i]->id, id) != 0)
        i++;
    return cb_apps[i] != NULL;
}

/* The build finds an app by its folder's C file. */
TEST(apps_have_both_files)
{
    glob_t found;
    for (int i = 0; cb_apps[i]; i++)
        if (!is_there(".", cb_apps[i]->kernel, ""))
            fail_msg("%s: there is no %s", cb_apps[i]->id, cb_apps[i]->kernel);
    assert_int_equal(glob(TREE "apps/*/*.cl", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char folder[64], id[64];
        const char *at = strstr(found.gl_pathv[i], "/apps/");
        assert_int_equal(sscanf(at, "/apps/%63[^/]/%63[^.]", folder, id), 2);
        if (strcmp(folder, id) == 0 && !is_app(id))
            fail_msg("%s is no app: there is no apps/%s/%s.c", id, id, id);
    }
    globfree(&found);
}

/* The build finds a nested program by its kernel, and makes an app of it. */
TEST(nested_programs)
{
#define TOLD(id, what, takes)                                                                      \
    lists("docs/apps.md", "`", #id, "`", NULL);                                                    \
    lists("probes/launch/README.md", "`", #id, "`", NULL);                                         \
    if (!is_app(#id))                                                                              \
        fail_msg("%s is no app: apps/nested/%s.cl is missing", #id, #id);
    CB_NEST_APPS(TOLD)
#undef TOLD
}

/* Fails unless one of tests/cli/SCRIPTS has the text. */
static void some_has(const char *scripts, const char *text)
{
    char pattern[512];
    glob_t found;
    size_t i = 0;
    snprintf(pattern, sizeof pattern, TREE "tests/cli/%s", scripts);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    while (i < found.gl_pathc && !has(found.gl_pathv[i], text))
        i++;
    if (i == found.gl_pathc)
        fail_msg("no tests/cli/%s has \"%s\"", scripts, text);
    globfree(&found);
}

TEST(primitives_have_planted_bugs)
{
#define FOLDER(KIND, kind, folder) [CB_KIND_##KIND] = #folder,
    static const char *const folders[CB_KINDS] = {CB_PRIMITIVE_KINDS(FOLDER)};
#undef FOLDER
    for (int i = 0; i < CB_PRIMITIVE_COUNT; i++) {
        const struct cb_primitive *p = &cb_primitive_table[i];
        char call[160];
        snprintf(call, sizeof call, "plant sources/kernels/%s/%s.clh ", folders[p->kind], p->id);
        some_has("test_primitives_planted*.sh", call);
    }
}

/* Fails unless tests/planted/LIST.txt is there, and a script tests/cli/SCRIPTS runs its bugs. */
static void has_planted_bugs(const char *list, const char *scripts, const char *call)
{
    if (!is_there("tests/planted", list, ".txt"))
        fail_msg("there is no tests/planted/%s.txt", list);
    some_has(scripts, call);
}

TEST(nested_programs_have_planted_bugs)
{
    for (const struct cb_nest_program *const *p = cb_nest_programs; *p; p++) {
        const char *name = strrchr((*p)->kernel, '/') + 1;
        char list[128], call[160];
        snprintf(list, sizeof list, "launch_%.*s", (int)strcspn(name, "."), name);
        snprintf(call, sizeof call, "planted_%.*s ", (int)strlen(list), list);
        *strchr(call + strlen("planted_"), '_') = ' ';
        has_planted_bugs(list, "test_launch_planted*.sh", call);
    }
}

/* Those of `children` are in the runtime: tests/cli/test_protocols_planted.sh. */
TEST(apps_have_rows_and_planted_bugs)
{
    char *rows = read_page(TREE "docs/apps.md");
    *strstr(rows, "<!-- Tab. 1") = '\0'; /* which scripts/app-table.py writes */
    for (int i = 0; cb_apps[i]; i++) {
        const char *id = cb_apps[i]->id;
        char call[160];
        snprintf(call, sizeof call, "`%s`", id);
        if (strstr(rows, call) == NULL)
            fail_msg("docs/apps.md has no row of %s above Tab. 1", id);
        snprintf(call, sizeof call, "\nplanted %s", id);
        if (strcmp(id, "children") != 0 && strncmp(cb_apps[i]->kernel, "apps/nested/", 12) != 0)
            has_planted_bugs(id, "test_apps_planted*.sh", call);
    }
    free(rows);
}
