/* SPDX-License-Identifier: Apache-2.0 */
#include "plots/svg.h"

#include <stdbool.h>
#include <string.h>

static const char of_point[] = "<g onmousemove=\"gnuplot_svg.showHypertext(evt,'";
static const char end_of_text[] = "')\" onmouseout=\"gnuplot_svg.hideHypertext()\">";

/* The place after an element that begins here; NULL: none of this name does. */
static const char *skip_element(const char *svg, const char *begin, const char *end)
{
    const char *found = strncmp(svg, begin, strlen(begin)) == 0 ? strstr(svg, end) : NULL;
    return found ? found + strlen(end) : NULL;
}

/* Prints a text that gnuplot has escaped for XML and, its ends of lines, for a script. */
static void print_text(FILE *out, const char *text, const char *end)
{
    for (; text < end; text++) {
        bool line_end = text[0] == '\\' && text + 1 < end && text[1] == 'n';
        text += line_end;
        fputc(line_end ? '\n' : *text, out);
    }
}

/* Prints the head of a point and its title; the place after it. NULL: here is none. */
static const char *print_point(FILE *out, const char *svg)
{
    if (strncmp(svg, of_point, sizeof of_point - 1) != 0)
        return NULL;
    const char *text = svg + sizeof of_point - 1, *end = strstr(text, end_of_text);
    if (!end)
        return NULL;
    fputs(end > text ? "<g class=\"point\"><title>" : "<g>", out);
    print_text(out, text, end);
    fputs(end > text ? "</title>" : "", out);
    return end + sizeof end_of_text - 1;
}

void cb_svg_print(FILE *out, const char *svg)
{
    while (*svg) {
        const char *next = *svg == '<' ? print_point(out, svg) : NULL;
        if (!next && *svg == '<')
            next = skip_element(svg, "<title>", "</title>");
        if (!next && *svg == '<')
            next = skip_element(svg, "<desc>", "</desc>");
        if (next) {
            svg = next;
            continue;
        }
        size_t n = 1 + strcspn(svg + 1, "<");
        fwrite(svg, 1, n, out);
        svg += n;
    }
}
