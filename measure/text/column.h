/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns of tables that have a case a row: a metric each, for people.
 */
#pragma once

#include <cjson/cJSON.h>

#include "measure/text/table.h"

enum cb_form {
    CB_FORM_TIME,
    CB_FORM_SHARE,
    CB_FORM_RATIO,
    CB_FORM_COUNT,
    CB_FORM_WATTS,
    CB_FORM_JOULES,
    CB_FORM_RUNS, /* a second */
    CB_FORM_RUNS_PER_JOULE
};

struct cb_column {
    const char *head, *metric, *statistic;
    enum cb_form form;
};

/* A value, or "-" for NaN. */
void cb_form_cell(char cell[CB_CELL_BYTES], double value, enum cb_form form);

/* The metric of a case of a run document; of one that failed, how. */
void cb_column_cell(char cell[CB_CELL_BYTES], const cJSON *item, const struct cb_column *column);

/* The number of workgroups that its task has, by the parameter "groups": "N/2 = 65". */
void cb_groups_cell(char cell[CB_CELL_BYTES], const cJSON *item);
