/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads tables that were printed for people, by the names of their columns and rows: a test of a
 * value does not depend on widths, or on the order of columns. test_table.c tests the layout.
 */
#pragma once

/* The text behind a title, of which there is one at least. */
const char *after(const char *text, const char *title);

/* The first line of the first table of a text: its heads. */
const char *table_in(const char *text);

/* Counts the rows of the first table of a text that begin with these cells: "bfs | road.gr"; "":
 * all. */
int count_rows(const char *text, const char *row);

/* Compares cells of the first table of a text: head and content in turns, in the one row that
 * begins with these cells, or so many rows below it. A head that is there several times is named
 * with one to its left: "left > head". Ends with NULL. */
void assert_row_of(const char *text, const char *row, int below, ...);

#define assert_row(text, row, ...) assert_row_of(text, row, 0, __VA_ARGS__, (const char *)NULL)
#define assert_row_below(text, row, ...)                                                           \
    assert_row_of(text, row, 1, __VA_ARGS__, (const char *)NULL)
