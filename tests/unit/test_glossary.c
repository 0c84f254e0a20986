/* SPDX-License-Identifier: Apache-2.0 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "measure/text/glossary.h"
#include "runtime/source.h"
#include "tests/unit/unit.h"

static struct cb_glossary glossary;

static int open_glossary(void **unused)
{
    (void)unused;
    struct cb_err err = {0};
    return cb_glossary_read(&glossary, &err) == CB_OK ? 0 : -1;
}

static int close_glossary(void **unused)
{
    (void)unused;
    cb_glossary_free(&glossary);
    return 0;
}

static const struct cb_term *term(const char *name)
{
    for (int i = 0; i < glossary.count; i++)
        if (cb_glossary_has(glossary.terms[i].names, name))
            return &glossary.terms[i];
    return NULL;
}

/* All lines of the page that begin an item are terms, and each has its parts. */
TEST(page)
{
    char *page = NULL;
    struct cb_err err = {0};
    assert_int_equal(cb_source_read("docs/glossary.md", &page, &err), CB_OK);
    int items = 0;
    for (const char *at = page; (at = strstr(at, "\n- ")) != NULL; at++)
        items++;
    free(page);
    assert_int_equal(glossary.count, items);
    for (int i = 0; i < glossary.count; i++) {
        assert_true(*glossary.terms[i].names && *glossary.terms[i].heading);
        assert_true(strlen(glossary.terms[i].text) > 20);
        assert_null(strchr(glossary.terms[i].text, '\n'));
    }
}

TEST(words_that_tables_use)
{
    static const char *const words[] = {"N",           "11",          "LW",       "recall",
                                        "poll",        "adaptive",    "gather",   "answer",
                                        "period",      "in time",     "overhead", "portable",
                                        "specialised", "cooperative", "regular"};
    for (size_t i = 0; i < CB_COUNTOF(words); i++)
        if (!term(words[i]))
            fail_msg("docs/glossary.md has no %s", words[i]);
    assert_ptr_equal(term("n"), term("N"));
    assert_null(term("occupancy")); /* a part of a name is none */
    assert_non_null(
        strstr(term("in time")->text, "before the next one was due. 95 % counts as met."));
}

/* Commands that the page names exist, and every benchmark has words. */
TEST(commands)
{
    for (int i = 0; i < glossary.count; i++) {
        char commands[256], *save = NULL;
        snprintf(commands, sizeof commands, "%s", glossary.terms[i].commands);
        for (char *c = strtok_r(commands, ", ", &save); c; c = strtok_r(NULL, ", ", &save))
            if (!cb_bench_find(c) && !cb_command_find(c))
                fail_msg("%s: there is no command %s", glossary.terms[i].names, c);
    }
    for (int b = 0; cb_benches[b]; b++) {
        char *hint = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&hint, &size);
        cb_glossary_print_hint(out, cb_benches[b]->id);
        fclose(out);
        if (!strstr(hint, "coopbench glossary"))
            fail_msg("%s: no words", cb_benches[b]->id);
        free(hint);
    }
}

ALL_TESTS(open_glossary, close_glossary)
