/* SPDX-License-Identifier: Apache-2.0
 *
 * Gnuplot's pictures as browsers get them: texts of points are titles, whatever they hold.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plots/svg.h"
#include "tests/unit/unit.h"

#define POINT  "<g onmousemove=\"gnuplot_svg.showHypertext(evt,'"
#define END    "')\" onmouseout=\"gnuplot_svg.hideHypertext()\">"
#define CIRCLE "<use xlink:href='#gpPt6'/></g>"
#define MANY   20000
#define HOSTILE                                                                                    \
    "&lt;/title>&lt;script>alert(1)&lt;/script> &amp;amp; \"q\" it's" /* as gnuplot escapes */

static char *printed(const char *svg)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    cb_svg_print(out, svg);
    assert_int_equal(fclose(out), 0);
    return text;
}

TEST(pictures)
{
    static const struct {
        const char *svg, *expected;
    } cases[] = {
        {"", ""},
        {"no element", "no element"},
        {"<svg><path d='M1,2'/></svg>", "<svg><path d='M1,2'/></svg>"},
        {POINT "spin: 4 ms" END CIRCLE, "<g class=\"point\"><title>spin: 4 ms</title>" CIRCLE},
        {POINT "one\\ntwo\\nthree" END, "<g class=\"point\"><title>one\ntwo\nthree</title>"},
        /* without a text: no point to tell of */
        {POINT "" END CIRCLE, "<g>" CIRCLE},
        /* what gnuplot has escaped stays so; backslashes that end no line stay, too */
        {POINT HOSTILE END, "<g class=\"point\"><title>" HOSTILE "</title>"},
        {POINT "a\\b\\" END, "<g class=\"point\"><title>a\\b\\</title>"},
        /* quotes of the text do not end it, nor does a part of what ends it */
        {POINT "it's ')" END, "<g class=\"point\"><title>it's ')</title>"},
        {POINT "') onmouseout=" END, "<g class=\"point\"><title>') onmouseout=</title>"},
        /* a text that holds the end: its rest is text of the picture, not markup */
        {POINT "a" END "&lt;b>" END, "<g class=\"point\"><title>a</title>&lt;b>" END},
        /* its titles and descriptions, which name files, go */
        {"<svg><title>/tmp/&lt;x&gt;.dat</title><desc>plot '/a b'</desc><g/></svg>",
         "<svg><g/></svg>"},
        /* cut off: stays as it is, and nothing after it is read */
        {"<g/>" POINT "no end", "<g/>" POINT "no end"},
        {"<title>no end", "<title>no end"},
        {"<desc", "<desc"},
        {"<", "<"},
        {"<<<>", "<<<>"},
        {"a < b <title>t</title>c", "a < b c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = printed(cases[i].svg);
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
}

/* Points that do not end, more than any picture has, are read once, not once for each. */
TEST(many_points_without_an_end)
{
    char *svg = calloc(MANY, sizeof POINT);
    assert_non_null(svg);
    for (size_t i = 0; i < MANY; i++)
        memcpy(svg + i * (sizeof POINT - 1), POINT, sizeof POINT);
    char *text = printed(svg);
    assert_string_equal(text, svg);
    free(text);
    free(svg);
}
