/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/text/column.h"

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

void cb_column_cell(char cell[CB_CELL_BYTES], const cJSON *item, const struct cb_column *column)
{
    double value = cb_json_metric(item, column->metric, column->statistic);
    const char *status = cb_json_text(item, "status", "");
    if (isnan(value) && strcmp(status, "ok") != 0)
        snprintf(cell, CB_CELL_BYTES, "%s", status);
    else
        cb_form_cell(cell, value, column->form);
}

void cb_groups_cell(char cell[CB_CELL_BYTES], const cJSON *item)
{
    const char *groups = cb_json_text(cb_json_params(item), "groups", "");
    double n = cb_json_metric(item, "task_groups", "median");
    if (!isdigit((unsigned char)groups[0]) && n > 0)
        snprintf(cell, CB_CELL_BYTES, "%.40s = %.0f", groups, n);
    else
        snprintf(cell, CB_CELL_BYTES, "%.40s", groups);
}
