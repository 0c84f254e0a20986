/* SPDX-License-Identifier: Apache-2.0 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "measure/text/markup.h"
#include "tests/unit/unit.h"

static char *print(void (*write)(FILE *out, const char *text), const char *text)
{
    char *made = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&made, &size);
    assert_non_null(out);
    write(out, text);
    fclose(out);
    return made;
}

static void check(const char *markdown, const char *expected)
{
    char *html = print(cb_markup_markdown, markdown);
    assert_string_equal(html, expected);
    free(html);
}

#define TABLE      "<div class=\"wide\"><table class=\"sort\"><thead>"
#define TABLE_ENDS "</tbody></table></div>\n"

TEST(table)
{
    check("| a | b |\n| --- | ---: |\n| <x> | 1 \\| 2 |\n|  | 3 |\n",
          TABLE "<tr><th>a</th><th class=\"r\">b</th></tr>\n</thead><tbody>\n"
                "<tr><td>&lt;x&gt;</td><td class=\"r\">1 | 2</td></tr>\n"
                "<tr><td></td><td class=\"r\">3</td></tr>\n" TABLE_ENDS);
    check("| no table |\n", "<p>| no table |</p>\n");
    check("| a |\n| - |\n| b |\n\n| c |\n| :-: |\n",
          TABLE "<tr><th>a</th></tr>\n</thead><tbody>\n<tr><td>b</td></tr>\n" TABLE_ENDS TABLE
                "<tr><th class=\"r\">c</th></tr>\n</thead><tbody>\n" TABLE_ENDS);
}

TEST(blocks)
{
    check("", "");
    check("one\n  two & three\n\nfour", "<p>one\n  two &amp; three</p>\n<p>four</p>\n");
    check("## Head <b>\ntext", "<h4>Head &lt;b&gt;</h4>\n<p>text</p>\n");
    check("- a\n- b\ntext", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>text</p>\n");
    check("#1 of 2", "<p>#1 of 2</p>\n");
}

/* Broken tables end somewhere. */
TEST(odd_input)
{
    static const char *const odd[] = {"|",     "||", "| a\n| -\n|", "|a|\n|-|\n|b\\",
                                      "|\n|-", "#",  "- "};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char *html = print(cb_markup_markdown, odd[i]);
        assert_non_null(html);
        free(html);
    }
}

/* The text stays the same as JSON; in HTML it cannot end the script. */
TEST(script)
{
    const char *text = "</script><!-- \"\\' & \n\t µ 😀";
    char *made = print(cb_markup_script, text);
    assert_null(strpbrk(made, "<>&'\n"));
    cJSON *read = cJSON_Parse(made);
    assert_string_equal(cJSON_GetStringValue(read), text);
    cJSON_Delete(read);
    free(made);
    made = print(cb_markup_script, "\xff\x01");
    assert_string_equal(made, "\"\\ufffd\\ufffd\"");
    free(made);
}
