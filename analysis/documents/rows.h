/* SPDX-License-Identifier: Apache-2.0
 *
 * A question about the rows of a run document: those of a benchmark, on a device, whose parameters
 * are as the conditions say, and that have a metric. Tables and figures state it, instead of
 * walking through the document.
 *
 *     struct cb_rows bfs = {.run = run, .bench = "apps", .device = id, .ok = true};
 *     cb_rows_is(&bfs, "app", "bfs");
 *     for (const cJSON *row = cb_rows_next(&bfs, NULL); row; row = cb_rows_next(&bfs, row))
 *         use(cb_row_text(row, "mode"), cb_json_metric(row, "run_time", "median"));
 *
 * Rows come in the order of the document, and belong to it.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "measure/stats.h"

#define CB_ROWS_MAX_CONDITIONS 12

struct cb_condition {
    const char *param;
    const char *text;   /* the parameter is this text; NULL: see value */
    const cJSON *value; /* it equals this one; both NULL: the row has no such parameter */
    bool any;           /* it has one, whatever it is */
};

struct cb_rows {
    const cJSON *run;
    const char *bench;
    const char *device; /* its id; NULL: all devices */
    bool ok;            /* only rows that are ok */
    const char *metric; /* only rows that have the median of this metric; NULL: all */
    int n_conditions;   /* all of which must hold */
    struct cb_condition conditions[CB_ROWS_MAX_CONDITIONS];
};

/* Conditions: the parameter is `text`; is true; has any value; is missing; is as in another row, or
 * missing as there. One more than there is room for is a mistake of the programmer, and ends the
 * program.
 */
void cb_rows_is(struct cb_rows *rows, const char *param, const char *text);
void cb_rows_flag(struct cb_rows *rows, const char *param);
void cb_rows_have(struct cb_rows *rows, const char *param);
void cb_rows_lack(struct cb_rows *rows, const char *param);
void cb_rows_like(struct cb_rows *rows, const cJSON *row, const char *param);

/* The next row after `previous`, the first after NULL; NULL: there is none. */
const cJSON *cb_rows_next(const struct cb_rows *rows, const cJSON *previous);

int cb_rows_count(const struct cb_rows *rows);

/* All of them; the list is the caller's to free, and NULL if there is no memory. Returns how many.
 */
int cb_rows_list(const struct cb_rows *rows, const cJSON ***list);

/* Numbers the combinations of values that rows have of these parameters (texts, numbers and flags;
 * a list that ends with NULL): from 0, in the order in which they first come. numbers[i] becomes
 * that of row i. Returns how many there are; 0 also if there is no memory. */
int cb_rows_number(const cJSON *const *list, int n, const char *const *params, int *numbers);

/* Keeps the first row of each combination, in their order. Returns how many. */
int cb_rows_keep_firsts(const cJSON **list, int n, const char *const *params);

/* Whether two rows have the same combination. */
bool cb_rows_same(const cJSON *a, const cJSON *b, const char *const *params);

/* Orders rows by their combinations, as these first come, and those of one by the median of a
 * metric (NULL: as they were). */
void cb_rows_sort(const cJSON **list, int n, const char *const *params, const char *metric);

/* The first row of each combination. The list is the caller's to free, and NULL if there is no
 * memory. Returns how many. */
int cb_rows_distinct(const struct cb_rows *rows, const char *const *params, const cJSON ***firsts);

/* Statistics of one statistic of a metric ("median", "p95") over rows; if none has it, n is 0 and
 * all else NaN. */
struct cb_stats cb_rows_stats(const cJSON *const *list, int n, const char *metric,
                              const char *statistic);

/* The row of a device that has this id, which is without what was beside it: a run's part has rows
 * of one neighbour (analysis/documents/beside.h). NULL: there is none. */
const cJSON *cb_row_with_id(const cJSON *run, const char *device, const char *id_format, ...)
    __attribute__((format(printf, 3, 4)));

/* A parameter of a row: "" if there is no such text; NaN if there is no such number. */
const char *cb_row_text(const cJSON *row, const char *param);
double cb_row_number(const cJSON *row, const char *param);
bool cb_row_flag(const cJSON *row, const char *param);
bool cb_row_is_ok(const cJSON *row);
