/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/text/table.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_WIDTH 100

bool cb_table_open(int rows, int columns, unsigned right, struct cb_table *g)
{
    *g = (struct cb_table){calloc((size_t)rows * (size_t)columns, sizeof *g->cells),
                           calloc((size_t)columns, sizeof *g->widths), rows, columns, right};
    return g->cells && g->widths;
}

void cb_table_free(struct cb_table *table)
{
    free(table->cells);
    free(table->widths);
    *table = (struct cb_table){0};
}

char *cb_table_cell(const struct cb_table *g, int row, int column)
{
    return g->cells[(size_t)row * (size_t)g->columns + (size_t)column];
}

/* In characters: bytes of UTF-8 that do not continue one. */
static int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static bool flush_right(const struct cb_table *g, int column)
{
    return column < 32 && g->right >> column & 1;
}

void cb_table_put(const struct cb_table *t, int row, int column, const char *text)
{
    char *cell = cb_table_cell(t, row, column);
    size_t n = 0;
    for (; *text && n + 2 < CB_CELL_BYTES; text++) {
        if (*text == '|')
            cell[n++] = '\\';
        cell[n++] = *text == '\n' || *text == '\r' ? ' ' : *text;
    }
    cell[n] = '\0';
}

int cb_table_fit(struct cb_table *g)
{
    int sum = 1;
    for (int column = 0; column < g->columns; column++) {
        if (flush_right(g, column) && g->widths[column] < 2)
            g->widths[column] = 2; /* "-:", which Markdown needs */
        for (int row = 0; row < g->rows; row++) {
            int width = text_width(cb_table_cell(g, row, column));
            g->widths[column] = width > g->widths[column] ? width : g->widths[column];
        }
        sum += g->widths[column] + 3;
    }
    return sum;
}

static void print_rule(FILE *out, const struct cb_table *g)
{
    for (int column = 0; column < g->columns; column++) {
        fputs("| ", out);
        for (int i = 1; i < g->widths[column]; i++)
            fputc('-', out);
        fputs(flush_right(g, column) ? ": " : "- ", out);
    }
    fputs("|\n", out);
}

void cb_table_print(FILE *out, struct cb_table *g)
{
    cb_table_fit(g);
    for (int row = 0; row < g->rows; row++) {
        for (int column = 0; column < g->columns; column++) {
            const char *text = cb_table_cell(g, row, column);
            int pad = g->widths[column] - text_width(text);
            bool right = flush_right(g, column);
            fprintf(out, "| %*s%s%*s ", right ? pad : 0, "", text, right ? 0 : pad, "");
        }
        fputs("|\n", out);
        if (row == 0)
            print_rule(out, g);
    }
}

static int memory_width;

void cb_line_width_in_memory(int width)
{
    memory_width = width;
}

int cb_line_width(FILE *out)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    int fd = fileno(out); /* a stream in memory has none */
    if (fd < 0 && memory_width > 0)
        return memory_width;
    if (columns && atoi(columns) > 0 && isatty(fd))
        return atoi(columns);
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : DEFAULT_WIDTH;
}
