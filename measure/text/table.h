/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables for people: Markdown, padded so that columns line up in a terminal, too.
 *
 *     struct cb_table t;
 *     if (cb_table_open(1 + n, 2, 1u << 1, &t)) {     two columns, the second flush right
 *         strcpy(cb_table_cell(&t, 0, 0), "name");    row 0: the heads
 *         ...
 *         cb_table_print(stdout, &t);
 *     }
 *     cb_table_free(&t);
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#define CB_CELL_BYTES 196

struct cb_table {
    char (*cells)[CB_CELL_BYTES]; /* by row; the first row has the heads */
    int *widths;                  /* widths of the columns, in characters */
    int rows, columns;
    unsigned right; /* bits: columns that are flush right */
};

/* A table of empty cells; fewer rows than these may be printed. False: no memory. */
bool cb_table_open(int rows, int columns, unsigned right, struct cb_table *table);
void cb_table_free(struct cb_table *table);

/* The text of a cell, CB_CELL_BYTES long, to write to. */
char *cb_table_cell(const struct cb_table *table, int row, int column);

/* Writes text to a cell, cut off if it is too long: bars and ends of lines are no part of a table.
 */
void cb_table_put(const struct cb_table *table, int row, int column, const char *text);

/* Fits the columns to their cells. Returns the width of a row in characters. */
int cb_table_fit(struct cb_table *table);

void cb_table_print(FILE *out, struct cb_table *table);

/* Characters that a line of out may have: the terminal's, or 100. */
int cb_line_width(FILE *out);

/* Sets what lines of streams in memory may have: of text that is for a terminal in the end; 0: 100.
 */
void cb_line_width_in_memory(int width);
