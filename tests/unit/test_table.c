/* SPDX-License-Identifier: Apache-2.0
 *
 * How tables are laid out, to the character; all other tests read cells by their names.
 */
#include <stdlib.h>
#include <string.h>

#include "measure/text/table.h"
#include "table_fixture.h"
#include "tests/unit/unit.h"

static char *printed(struct cb_table *table)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    cb_table_print(out, table);
    fclose(out);
    cb_table_free(table);
    return text;
}

/* The second column is flush right; widths are in characters, not in bytes. */
TEST(columns_line_up)
{
    static const char *const cells[3][2] = {
        {"name", "time"}, {"a", "1.00 µs ±1 %"}, {"longer", "-"}};
    struct cb_table table;
    assert_true(cb_table_open(3, 2, 1u << 1, &table));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 2; c++)
            cb_table_put(&table, r, c, cells[r][c]);
    char *text = printed(&table);
    assert_string_equal(text, "| name   |         time |\n"
                              "| ------ | -----------: |\n"
                              "| a      | 1.00 µs ±1 % |\n"
                              "| longer |            - |\n");
    assert_row(text, "a", "time", "1.00 µs ±1 %");
    free(text);
}

/* A cell's text can neither end its cell nor its row. */
TEST(bars_and_ends_of_lines_are_no_text)
{
    struct cb_table table;
    assert_true(cb_table_open(2, 1, 0, &table));
    cb_table_put(&table, 0, 0, "name");
    cb_table_put(&table, 1, 0, "a|b\nc");
    char *text = printed(&table);
    assert_int_equal(count_rows(text, ""), 1);
    assert_null(strstr(text, "a|b"));
    assert_null(strstr(text, "b\n"));
    free(text);
}

/* A column can be named by one to its left, since heads may be there several times. */
TEST(cells_are_found_by_names)
{
    const char *text =
        "\nTitle\n\n| app | all | mean | some | mean |\n| --- | --: | --: | --: | --: "
        "|\n| bfs | 1 | 2 | 3 | 4 |\n| mis | 5 | 6 | 7 | 8 |\n\n| other | 9 |\n";
    assert_row(after(text, "Title"), "bfs", "all", "1", "mean", "2", "some > mean", "4");
    assert_row(text, "mis | 5", "mean", "6");
    assert_row_below(text, "bfs", "app", "mis", "some > mean", "8");
    assert_int_equal(count_rows(text, ""), 2);
    assert_int_equal(count_rows(text, "mis | 6"), 0);
}
