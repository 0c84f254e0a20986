/* SPDX-License-Identifier: Apache-2.0
 *
 * Markdown as HTML, as much of it as reports use.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/markup.h"

#define MOST_COLUMNS 64

/* What the lines so far have left open. */
struct state {
    FILE *out;
    enum { NOTHING, PARAGRAPH, LIST, TABLE } open;
    unsigned long long right; /* bits: columns of the table that are flush right */
};

static void enter(struct state *s, int block)
{
    static const char *const ends[] = {"", "</p>\n", "</ul>\n", "</tbody></table></div>\n"};
    if ((int)s->open == block && block != TABLE)
        return;
    fputs(ends[s->open], s->out);
    s->open = block;
    if (block == PARAGRAPH)
        fputs("<p>", s->out);
    else if (block == LIST)
        fputs("<ul>\n", s->out);
}

/* Prints what is left of "\|" and the like, escaped. */
static void print_text(FILE *out, const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (!copy)
        return;
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\' && i + 1 < length && strchr("|\\`*[]", text[i + 1]))
            i++;
        copy[n++] = text[i];
    }
    copy[n] = '\0';
    cb_markup_text(out, copy);
    free(copy);
}

/* The length of the cell at text, up to a bar or the end of the line. */
static size_t cell_length(const char *text, size_t left)
{
    size_t n = 0;
    while (n < left && text[n] != '|')
        n += text[n] == '\\' && n + 1 < left ? 2 : 1;
    return n;
}

static void print_cell(const struct state *s, const char *cell, size_t n, int column, char tag)
{
    while (n > 0 && cell[0] == ' ') {
        cell++;
        n--;
    }
    while (n > 0 && cell[n - 1] == ' ')
        n--;
    bool right = column < MOST_COLUMNS && (s->right >> column & 1);
    fprintf(s->out, "<t%c%s>", tag, right ? " class=\"r\"" : "");
    print_text(s->out, cell, n);
    fprintf(s->out, "</t%c>", tag);
}

static void print_row(const struct state *s, const char *line, size_t length, char tag)
{
    size_t at = 1;
    fputs("<tr>", s->out);
    for (int column = 0; at < length; column++) {
        size_t n = cell_length(line + at, length - at);
        if (at + n >= length && strspn(line + at, " ") >= length - at)
            break; /* after the last bar */
        print_cell(s, line + at, n, column, tag);
        at += n + 1;
    }
    fputs("</tr>\n", s->out);
}

/* Whether the line is the one below the heads, "| --- | ---: |"; which columns are flush right. */
static bool is_rule(const char *line, size_t length, unsigned long long *right)
{
    int column = -1;
    bool dash = false;
    *right = 0;
    for (size_t i = 0; i < length; i++) {
        if (!strchr("|-: ", line[i]))
            return false;
        column += line[i] == '|';
        dash |= line[i] == '-';
        if (line[i] == ':' && i > 0 && line[i - 1] == '-' && column < MOST_COLUMNS)
            *right |= 1ull << column;
    }
    return dash;
}

/* Begins a table if the next line is its rule; returns whether it did. */
static bool begin_table(struct state *s, const char *line, size_t length)
{
    const char *next = line + length + (line[length] == '\n');
    unsigned long long right;
    if (*next != '|' || !is_rule(next, strcspn(next, "\n"), &right))
        return false;
    enter(s, TABLE);
    s->right = right;
    fputs("<div class=\"wide\"><table class=\"sort\"><thead>", s->out);
    print_row(s, line, length, 'h');
    fputs("</thead><tbody>\n", s->out);
    return true;
}

static void print_line(struct state *s, const char *line, size_t length)
{
    unsigned long long unused;
    size_t level = strspn(line, "#");
    if (strspn(line, " ") >= length) {
        enter(s, NOTHING);
    } else if (line[0] == '|' && s->open == TABLE) {
        if (!is_rule(line, length, &unused))
            print_row(s, line, length, 'd');
    } else if (line[0] == '|' && begin_table(s, line, length)) {
        return;
    } else if (level > 0 && line[level] == ' ') {
        enter(s, NOTHING);
        fputs("<h4>", s->out);
        print_text(s->out, line + level + 1, length - level - 1);
        fputs("</h4>\n", s->out);
    } else if (strncmp(line, "- ", 2) == 0) {
        enter(s, LIST);
        fputs("<li>", s->out);
        print_text(s->out, line + 2, length - 2);
        fputs("</li>\n", s->out);
    } else {
        bool more = s->open == PARAGRAPH;
        enter(s, PARAGRAPH);
        if (more)
            fputc('\n', s->out);
        print_text(s->out, line, length);
    }
}

void cb_markup_markdown(FILE *out, const char *markdown)
{
    struct state s = {.out = out};
    while (*markdown) {
        size_t length = strcspn(markdown, "\n");
        print_line(&s, markdown, length);
        markdown += length + (markdown[length] == '\n');
    }
    enter(&s, NOTHING);
}
