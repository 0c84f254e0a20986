/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands to paste: a shell reads the words that were meant.
 */

#include <stdlib.h>
#include <string.h>

#include "measure/text/shell.h"
#include "runtime/host/error.h"
#include "tests/unit/unit.h"

static void reads(char *const *words, int n, const char *run, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    cb_shell_resume(out, "coopbench", words, n, run);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

TEST(the_run_is_named_at_the_end)
{
    char *words[] = {"discover", "-m", "11,L1", "--runs=3"};
    reads(words, CB_COUNTOF(words), "results/a",
          "coopbench discover -m 11,L1 --runs=3 --resume results/a");
}

TEST(its_former_names_go)
{
    char *words[] = {"run", "--run-id", "a", "x.json", "--resume=latest", "--runs", "3"};
    reads(words, CB_COUNTOF(words), "r/a", "coopbench run x.json --runs 3 --resume r/a");
}

TEST(a_new_run_has_no_name)
{
    char *words[] = {"run", "--run-id=a", "x.json", "--rounds", "3", "--", "b"};
    reads(words, CB_COUNTOF(words), NULL, "coopbench run x.json --rounds 3 -- b");
}

TEST(no_option_stands_behind_two_dashes)
{
    char *words[] = {"run", "--cpu", "--", "--resume"};
    reads(words, CB_COUNTOF(words), "r/a", "coopbench run --cpu --resume r/a -- --resume");
}

TEST(what_a_shell_would_change_is_quoted)
{
    char *words[] = {"discover", "--label", "who=it's $HOME", "--filter=*", "", "~/x", "a\\b"};
    reads(words, CB_COUNTOF(words), "my results/a",
          "coopbench discover --label 'who=it'\\''s $HOME' '--filter=*' '' '~/x' 'a\\b' --resume "
          "'my results/a'");
}

TEST(control_characters_do_not_reach_the_terminal)
{
    char *words[] = {"discover", "--label", "a=\033[31m'\\\n"};
    reads(words, CB_COUNTOF(words), "r",
          "coopbench discover --label $'a=\\033[31m\\'\\\\\\012' --resume r");
}

/* Controls of two bytes, what turns the order around, and bytes that are no character. */
TEST(hidden_characters_do_not_either)
{
    char *words[] = {"run",
                     "a\xc2\x9b"
                     "31m\xe2\x80\xae\x9b\xc3",
                     "caf\xc3\xa9", "=ls"};
    reads(words, CB_COUNTOF(words), "r\x07",
          "coopbench run $'a\\302\\23331m\\342\\200\\256\\233\\303' 'caf\xc3\xa9' '=ls' "
          "--resume $'r\\007'");
}

/* Bash reads the words that were quoted. */
TEST(a_shell_reads_what_was_meant)
{
    char control[] = "\x01\x1b[2J\x7f\t\n\r\xc2\x9b\xe2\x81\xa6\xff\xfe\xc3"
                     "7'\"\\$`!*?~ ;|&<>()[]{}#caf\xc3\xa9",
         *words[] = {"%s\\n", control, "-n", "",
                     "7\x01"
                     "7"};
    char *command = NULL, got[256] = "", expected[256];
    size_t size;
    FILE *out = open_memstream(&command, &size);
    assert_non_null(out);
    fputs("bash -c \"$(cat <<'END'\n", out);
    cb_shell_resume(out, "printf", words, CB_COUNTOF(words), "my\x1brun");
    fputs("\nEND\n)\"", out);
    fclose(out);
    FILE *in = popen(command, "r");
    assert_non_null(in);
    size_t n = fread(got, 1, sizeof got - 1, in);
    assert_int_equal(pclose(in), 0);
    got[n] = '\0';
    snprintf(expected, sizeof expected,
             "%s\n-n\n\n7\x01"
             "7\n--resume\nmy\x1brun\n",
             control);
    assert_string_equal(got, expected);
    free(command);
}
