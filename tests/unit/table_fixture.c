/* SPDX-License-Identifier: Apache-2.0 */
#include "table_fixture.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"

const char *after(const char *text, const char *title)
{
    const char *at = strstr(text, title);
    if (!at)
        fail_msg("no \"%s\" in:\n%s", title, text);
    return at + strlen(title);
}

const char *table_in(const char *text)
{
    const char *bar = *text == '|' ? text : strstr(text, "\n|");
    if (!bar)
        fail_msg("no table in:\n%s", text);
    return *bar == '\n' ? bar + 1 : bar;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Copies cell i of a line, without the blanks around it; false: the line has fewer cells. */
static bool cell_at(const char *line, int i, char cell[256])
{
    const size_t length = strcspn(line, "\n");
    const char *end = line + length, *from = line, *to;
    while (i-- >= 0)
        if (!(from = memchr(from, '|', (size_t)(end - from))) || ++from == end)
            return false;
    if (!(to = memchr(from, '|', (size_t)(end - from))))
        return false;
    for (; from < to && *from == ' '; from++)
        ;
    for (; to > from && to[-1] == ' '; to--)
        ;
    assert_in_range(snprintf(cell, 256, "%.*s", (int)(to - from), from), 0, 255);
    return true;
}

/* The number of the column with this head; "left > head": of the first such column to the right of
 * another. Fails if there is none. */
static int column_of(const char *heads, const char *name)
{
    char cell[256];
    const char *behind = strstr(name, " > ");
    const size_t length = behind ? (size_t)(behind - name) : strlen(name);
    for (int i = 0; cell_at(heads, i, cell); i++) {
        if (strlen(cell) != length || strncmp(cell, name, length) != 0)
            continue;
        if (!behind)
            return i;
        behind += strlen(" > ");
        while (cell_at(heads, ++i, cell))
            if (strcmp(cell, behind) == 0)
                return i;
        break;
    }
    fail_msg("no column \"%s\" in:\n%s", name, heads);
    return -1;
}

/* Returns whether the first cells of a line are these: "bfs | road.gr". */
static bool begins_with(const char *line, const char *row)
{
    char cell[256];
    for (int i = 0; *row; i++) {
        const char *bar = strstr(row, " | ");
        const size_t length = bar ? (size_t)(bar - row) : strlen(row);
        if (!cell_at(line, i, cell) || strlen(cell) != length || strncmp(cell, row, length) != 0)
            return false;
        row += length + (bar ? strlen(" | ") : 0);
    }
    return true;
}

int count_rows(const char *text, const char *row)
{
    int n = 0;
    for (const char *line = next_line(next_line(table_in(text))); *line == '|';
         line = next_line(line))
        n += begins_with(line, row);
    return n;
}

void assert_row_of(const char *text, const char *row, int below, ...)
{
    char cell[256];
    const char *heads = table_in(text), *line = next_line(next_line(heads)), *name;
    va_list pairs;
    if (count_rows(text, row) != 1)
        fail_msg("%d rows \"%s\" instead of one in:\n%s", count_rows(text, row), row, heads);
    while (!begins_with(line, row))
        line = next_line(line);
    va_start(pairs, below);
    for (int i = 0; i < below; i++)
        line = next_line(line);
    while ((name = va_arg(pairs, const char *))) {
        const char *expected = va_arg(pairs, const char *);
        if (!cell_at(line, column_of(heads, name), cell) || strcmp(cell, expected) != 0)
            fail_msg("not \"%s\" at row \"%s\", column \"%s\" of:\n%s", expected, row, name, heads);
    }
    va_end(pairs);
}
