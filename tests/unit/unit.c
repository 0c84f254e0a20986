/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the tests of one file, or one of them.
 */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_MOST 2000 /* tests of all files */

static struct unit_test tests[UNIT_MOST];
static size_t n_tests;

void unit_add(struct unit_test test)
{
    if (n_tests == UNIT_MOST)
        abort();
    tests[n_tests++] = test;
}

/* Returns whether the test's file is NAME.c. */
static int is_of(const struct unit_test *test, const char *name)
{
    const char *slash = strrchr(test->file, '/'), *base = slash ? slash + 1 : test->file;
    size_t n = strlen(name);
    return strncmp(base, name, n) == 0 && strcmp(base + n, ".c") == 0;
}

int main(int argc, char **argv)
{
    static struct CMUnitTest chosen[UNIT_MOST];
    const struct unit_test none = {0}, *all = &none;
    size_t n = 0;
    for (size_t i = 0; argc >= 2 && i < n_tests; i++) {
        const struct unit_test *t = &tests[i];
        if (!is_of(t, argv[1]))
            continue;
        if (!t->name)
            all = t;
        else if (argc == 2 || strcmp(argv[2], t->name) == 0)
            chosen[n++] = (struct CMUnitTest){t->name, t->run, t->before, t->after, NULL};
    }
    if (n == 0) {
        fprintf(stderr, "usage: units test_FILE [TEST]; there is no such test\n");
        return 2;
    }
    return _cmocka_run_group_tests(argv[1], chosen, n, all->before, all->after);
}
