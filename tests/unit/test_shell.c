/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands to paste: a shell reads the words that were meant.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "measure/shell.h"
#include "runtime/error.h"

static void reads(char *const *words, int n, const char *run, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    cb_shell_resume(out, words, n, run);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void the_run_is_named_at_the_end(void **unused)
{
    char *words[] = {"discover", "-m", "11,L1", "--runs=3"};
    (void)unused;
    reads(words, CB_COUNTOF(words), "results/a", " discover -m 11,L1 --runs=3 --resume results/a");
}

static void its_former_names_go(void **unused)
{
    char *words[] = {"run", "--run-id", "a", "x.json", "--resume=latest", "--runs", "3"};
    (void)unused;
    reads(words, CB_COUNTOF(words), "r/a", " run x.json --runs 3 --resume r/a");
}

static void no_option_stands_behind_two_dashes(void **unused)
{
    char *words[] = {"run", "--cpu", "--", "--resume"};
    (void)unused;
    reads(words, CB_COUNTOF(words), "r/a", " run --cpu --resume r/a -- --resume");
}

static void what_a_shell_would_change_is_quoted(void **unused)
{
    char *words[] = {"discover", "--label", "who=it's $HOME", "--filter=*", "", "~/x", "a\\b"};
    (void)unused;
    reads(words, CB_COUNTOF(words), "my results/a",
          " discover --label 'who=it'\\''s $HOME' '--filter=*' '' '~/x' 'a\\b' --resume "
          "'my results/a'");
}

static void control_characters_do_not_reach_the_terminal(void **unused)
{
    char *words[] = {"discover", "--label", "a=\033[31m'\\\n"};
    (void)unused;
    reads(words, CB_COUNTOF(words), "r", " discover --label $'a=\\033[31m\\'\\\\\\012' --resume r");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_run_is_named_at_the_end),
        cmocka_unit_test(its_former_names_go),
        cmocka_unit_test(no_option_stands_behind_two_dashes),
        cmocka_unit_test(what_a_shell_would_change_is_quoted),
        cmocka_unit_test(control_characters_do_not_reach_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
