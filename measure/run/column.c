/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/run/column.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/units.h"

void cb_form_cell(char cell[CB_CELL_BYTES], double value, enum cb_form form)
{
    if (isnan(value))
        strcpy(cell, "-");
    else if (form == CB_FORM_TIME)
        cb_format_time(cell, CB_CELL_BYTES, value);
    else if (form == CB_FORM_SHARE)
        snprintf(cell, CB_CELL_BYTES, "%.0f %%", 100 * value);
    else if (form == CB_FORM_FINE_SHARE)
        snprintf(cell, CB_CELL_BYTES, "%.1f %%", 100 * value);
    else if (form == CB_FORM_WATTS)
        snprintf(cell, CB_CELL_BYTES, "%.1f W", value);
    else if (form == CB_FORM_JOULES)
        cb_format_quantity(cell, CB_CELL_BYTES, value, "J");
    else if (form == CB_FORM_RUNS)
        cb_format_quantity(cell, CB_CELL_BYTES, value, "runs/s");
    else if (form == CB_FORM_RUNS_PER_JOULE)
        cb_format_quantity(cell, CB_CELL_BYTES, value, "runs/J");
    else
        snprintf(cell, CB_CELL_BYTES, form == CB_FORM_COUNT ? "%.0f" : "%.3f", value);
}

void cb_column_cell(char cell[CB_CELL_BYTES], const cJSON *row, const struct cb_column *column)
{
    double value = cb_json_metric(row, column->metric, column->statistic);
    const char *status = cb_json_text(row, "status", "");
    if (isnan(value) && strcmp(status, "ok") != 0)
        snprintf(cell, CB_CELL_BYTES, "%s", status);
    else
        cb_form_cell(cell, value, column->form);
}

static void fill(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row,
                 const struct cb_column *column)
{
    if (column->fill)
        column->fill(cell, rows, row);
    else if (column->param)
        snprintf(cell, CB_CELL_BYTES, "%s", cb_row_text(row, column->param));
    else
        cb_column_cell(cell, row, column);
}

void cb_rows_print(FILE *out, const struct cb_rows *rows, const struct cb_column *columns,
                   int n_columns)
{
    struct cb_table table;
    unsigned right = 0;
    int n = cb_rows_count(rows), line = 0;
    for (int c = 0; c < n_columns; c++)
        right |= columns[c].param || columns[c].left ? 0 : 1u << c;
    if (n > 0 && cb_table_open(1 + n, n_columns, right, &table)) {
        for (int c = 0; c < n_columns; c++)
            snprintf(cb_table_cell(&table, 0, c), CB_CELL_BYTES, "%s", columns[c].head);
        for (const cJSON *row = cb_rows_next(rows, NULL); row; row = cb_rows_next(rows, row)) {
            line++;
            for (int c = 0; c < n_columns; c++)
                fill(cb_table_cell(&table, line, c), rows, row, &columns[c]);
        }
        cb_table_print(out, &table);
        cb_table_free(&table);
    }
}

void cb_groups_cell(char cell[CB_CELL_BYTES], const cJSON *row)
{
    const char *groups = cb_json_text(cb_json_params(row), "groups", "");
    double n = cb_json_metric(row, "task_groups", "median");
    if (!isdigit((unsigned char)groups[0]) && n > 0)
        snprintf(cell, CB_CELL_BYTES, "%.40s = %.0f", groups, n);
    else
        snprintf(cell, CB_CELL_BYTES, "%.40s", groups);
}
