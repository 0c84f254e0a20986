/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/column.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
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
        snprintf(cell, CB_CELL_BYTES, "%d %%", cb_whole_percent(value));
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

void cb_ratio_cell(char cell[CB_CELL_BYTES], const cJSON *row, const char *metric, const char *over)
{
    cb_form_cell(cell, cb_json_metric(row, metric, "median") / cb_json_metric(row, over, "median"),
                 CB_FORM_RATIO);
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

void cb_rows_print_list(FILE *out, const struct cb_rows *rows, const cJSON *const *list, int n,
                        const struct cb_column *columns, int n_columns)
{
    struct cb_table table;
    unsigned right = 0;
    for (int c = 0; c < n_columns; c++)
        right |= columns[c].param || columns[c].left ? 0 : 1u << c;
    if (n == 0 || !cb_table_open(1 + n, n_columns, right, &table))
        return;
    for (int c = 0; c < n_columns; c++)
        snprintf(cb_table_cell(&table, 0, c), CB_CELL_BYTES, "%s", columns[c].head);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < n_columns; c++)
            fill(cb_table_cell(&table, 1 + i, c), rows, list[i], &columns[c]);
    cb_table_print(out, &table);
    cb_table_free(&table);
}

void cb_rows_print(FILE *out, const struct cb_rows *rows, const struct cb_column *columns,
                   int n_columns)
{
    const cJSON **list;
    int n = cb_rows_list(rows, &list);
    cb_rows_print_list(out, rows, list, n, columns, n_columns);
    free(list);
}

static void add_note(cJSON **texts, const char *name, const char *note)
{
    char *text;
    if (asprintf(&text, "%s%s%s", name, *name ? ": " : "", note) < 0)
        return;
    cb_json_add_once(texts, text);
    free(text);
}

void cb_rows_print_notes(FILE *out, const struct cb_rows *rows, cb_fill *name)
{
    const cJSON *note;
    cJSON *texts = NULL;
    for (const cJSON *row = cb_rows_next(rows, NULL); row; row = cb_rows_next(rows, row)) {
        char cell[CB_CELL_BYTES] = "";
        if (name)
            name(cell, rows, row);
        cJSON_ArrayForEach (note, cJSON_GetObjectItemCaseSensitive(row, "notes"))
            add_note(&texts, cell, cb_json_item_text(note));
    }
    fputs(texts ? "\n" : "", out);
    cJSON_ArrayForEach (note, texts)
        fprintf(out, "- %s\n", cJSON_GetStringValue(note));
    cJSON_Delete(texts);
}

void cb_groups_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    const char *groups = cb_row_text(row, "groups");
    double n = cb_json_metric(row, "task_groups", "median");
    (void)rows;
    if (!isdigit((unsigned char)groups[0]) && n > 0)
        snprintf(cell, CB_CELL_BYTES, "%.40s = %.0f", groups, n);
    else
        snprintf(cell, CB_CELL_BYTES, "%.40s", groups);
}
