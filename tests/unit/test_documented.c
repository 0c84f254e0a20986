/* SPDX-License-Identifier: Apache-2.0
 *
 * What is a row of a table in the program is on the pages that list such rows.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/export/export.h"
#include "apps/host/app.h"
#include "apps/nested/programs/programs.h"
#include "probes/litmus/litmus_abi.h"
#include "probes/multitask/policies/policy.h"
#include "runtime/host/files.h"
#include "tests/unit/unit.h"

#define TREE COOPBENCH_TEST_DIR "/../"

static bool has(const char *path, const char *text)
{
    static const struct cb_file_kind kind = {"a page", 0};
    char *page = NULL;
    struct cb_err err = {0};
    if (cb_read_file(path, &kind, &page, &err) != CB_OK)
        fail_msg("%s", err.text);
    const bool found = strstr(page, text) != NULL;
    free(page);
    return found;
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

TEST(policies)
{
#define TOLD(name, does)                                                                           \
    lists("docs/sharing.md", "\n| `", #name, "` |", NULL);                                         \
    assert_ptr_equal(cb_policy_find(#name), &cb_policy_##name);
    CB_POLICIES(TOLD)
#undef TOLD
}

TEST(litmus_tests)
{
#define TOLD(id, name, ...) lists("docs/commands/litmus.md", "\n| ", name, ",", " |");
    CB_LITMUS_LIST(TOLD)
#undef TOLD
}

TEST(exports)
{
    for (const struct cb_export_format *f = cb_export_formats; f->name; f++)
        lists("docs/results.md", "`", f->name, "`", NULL);
}

static bool is_app(const char *id)
{
    int i = 0;
    while (cb_apps[i] && strcmp(cb_apps[i]->id, id) != 0)
        i++;
    return cb_apps[i] != NULL;
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

/* A script runs the bugs that are planted in a kernel: tests/planted/launch_NAME.txt. */
TEST(nested_programs_have_planted_bugs)
{
    glob_t scripts;
    assert_int_equal(glob(TREE "tests/cli/test_launch_planted*.sh", 0, NULL, &scripts), 0);
    for (const struct cb_nest_program *const *p = cb_nest_programs; *p; p++) {
        const char *name = strrchr((*p)->kernel, '/') + 1;
        char path[512], call[128];
        size_t i = 0;
        snprintf(path, sizeof path, TREE "tests/planted/launch_%.*s.txt", (int)strcspn(name, "."),
                 name);
        snprintf(call, sizeof call, "planted_launch %.*s ", (int)strcspn(name, "."), name);
        if (access(path, R_OK) != 0)
            fail_msg("%s: there is no %s", (*p)->id, path);
        while (i < scripts.gl_pathc && !has(scripts.gl_pathv[i], call))
            i++;
        if (i == scripts.gl_pathc)
            fail_msg("%s: no tests/cli/test_launch_planted*.sh has \"%s\"", (*p)->id, call);
    }
    globfree(&scripts);
}
