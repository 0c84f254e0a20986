/* SPDX-License-Identifier: Apache-2.0
 *
 * What is a row of a table in the program is on the pages that list such rows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/export.h"
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

/* Fails unless a file of the tree has the name, as its pages write it. */
static void tells(const char *file, const char *before, const char *name, const char *after)
{
    char path[512], text[128];
    snprintf(path, sizeof path, TREE "%s", file);
    snprintf(text, sizeof text, "%s%s%s", before, name, after);
    if (!has(path, text))
        fail_msg("%s does not have %s", file, text);
}

TEST(policies)
{
#define TOLD(name, does)                                                                           \
    tells("docs/sharing.md", "\n| `", #name, "` |");                                               \
    assert_ptr_equal(cb_policy_find(#name), &cb_policy_##name);
    CB_POLICIES(TOLD)
#undef TOLD
}

TEST(litmus_tests)
{
#define TOLD(id, name, ...) tells("docs/commands/litmus.md", "\n| ", name, "");
    CB_LITMUS_LIST(TOLD)
#undef TOLD
}

TEST(exports)
{
    for (const struct cb_export_format *f = cb_export_formats; f->name; f++)
        tells("docs/results.md", "`", f->name, "`");
}
