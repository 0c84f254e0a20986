/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/beside.h"
#include "measure/text/json.h"

/* ---- Conditions ------------------------------------------------------------------------------ */

static void add(struct cb_rows *rows, struct cb_condition condition)
{
    if (rows->n_conditions == CB_ROWS_MAX_CONDITIONS)
        abort();
    rows->conditions[rows->n_conditions++] = condition;
}

void cb_rows_is(struct cb_rows *rows, const char *param, const char *text)
{
    add(rows, (struct cb_condition){.param = param, .text = text});
}

void cb_rows_flag(struct cb_rows *rows, const char *param)
{
    static const cJSON yes = {.type = cJSON_True};
    add(rows, (struct cb_condition){.param = param, .value = &yes});
}

void cb_rows_have(struct cb_rows *rows, const char *param)
{
    add(rows, (struct cb_condition){.param = param, .any = true});
}

void cb_rows_lack(struct cb_rows *rows, const char *param)
{
    add(rows, (struct cb_condition){.param = param});
}

static const cJSON *value_of(const cJSON *row, const char *param)
{
    return cJSON_GetObjectItemCaseSensitive(cb_json_params(row), param);
}

void cb_rows_like(struct cb_rows *rows, const cJSON *row, const char *param)
{
    add(rows, (struct cb_condition){.param = param, .value = value_of(row, param)});
}

static bool holds(const struct cb_condition *c, const cJSON *row)
{
    const cJSON *value = value_of(row, c->param);
    if (c->any)
        return value != NULL;
    if (c->text)
        return cJSON_IsString(value) && strcmp(value->valuestring, c->text) == 0;
    return c->value ? cJSON_Compare(value, c->value, true) : !value;
}

/* Whether a row is one of them. */
static bool matches(const struct cb_rows *rows, const cJSON *row)
{
    if (strcmp(cb_json_text(row, "bench", ""), rows->bench) != 0 ||
        (rows->device && strcmp(cb_json_text(row, "device", ""), rows->device) != 0) ||
        (rows->ok && !cb_row_is_ok(row)))
        return false;
    for (int i = 0; i < rows->n_conditions; i++)
        if (!holds(&rows->conditions[i], row))
            return false;
    return !rows->metric || !isnan(cb_json_metric(row, rows->metric, "median"));
}

/* ---- Rows ------------------------------------------------------------------------------------ */

const cJSON *cb_rows_next(const struct cb_rows *rows, const cJSON *previous)
{
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(rows->run, "cases");
    const cJSON *row = previous ? previous->next : cases ? cases->child : NULL;
    while (row && !matches(rows, row))
        row = row->next;
    return row;
}

int cb_rows_count(const struct cb_rows *rows)
{
    int n = 0;
    for (const cJSON *row = cb_rows_next(rows, NULL); row; row = cb_rows_next(rows, row))
        n++;
    return n;
}

int cb_rows_list(const struct cb_rows *rows, const cJSON ***list)
{
    int n = 0;
    *list = calloc((size_t)cb_rows_count(rows) + 1, sizeof **list);
    if (!*list)
        return 0;
    for (const cJSON *row = cb_rows_next(rows, NULL); row; row = cb_rows_next(rows, row))
        (*list)[n++] = row;
    return n;
}

/* ---- Combinations of values ------------------------------------------------------------------ */

struct combination {
    const cJSON *row;
    const char *const *params;
    int index; /* index of the row */
};

/* Some order in which texts, numbers and flags that are equal stand together. */
static int compare_values(const cJSON *x, const cJSON *y)
{
    int type_x = x ? x->type & 0xff : cJSON_Invalid, type_y = y ? y->type & 0xff : cJSON_Invalid;
    if (type_x != type_y)
        return type_x - type_y;
    if (type_x == cJSON_String)
        return strcmp(x->valuestring, y->valuestring);
    if (type_x == cJSON_Number)
        return (x->valuedouble > y->valuedouble) - (x->valuedouble < y->valuedouble);
    return 0;
}

static int compare_combinations(const struct combination *a, const struct combination *b)
{
    int order = 0;
    for (const char *const *param = a->params; *param && order == 0; param++)
        order = compare_values(value_of(a->row, *param), value_of(b->row, *param));
    return order;
}

static int by_combination(const void *x, const void *y)
{
    const struct combination *a = x, *b = y;
    int order = compare_combinations(a, b);
    return order ? order : a->index - b->index;
}

int cb_rows_number(const cJSON *const *list, int n, const char *const *params, int *numbers)
{
    struct combination *sorted = calloc((size_t)n + 1, sizeof *sorted);
    int first = 0, count = 0;
    for (int i = 0; sorted && i < n; i++)
        sorted[i] = (struct combination){list[i], params, i};
    if (!sorted)
        return 0;
    qsort(sorted, (size_t)n, sizeof *sorted, by_combination);
    for (int i = 0; i < n; i++) { /* at first, the index of the first row that has it */
        if (i == 0 || compare_combinations(&sorted[i - 1], &sorted[i]) != 0)
            first = sorted[i].index;
        numbers[sorted[i].index] = first;
    }
    for (int i = 0; i < n; i++)
        numbers[i] = numbers[i] == i ? count++ : numbers[numbers[i]];
    free(sorted);
    return count;
}

int cb_rows_keep_firsts(const cJSON **list, int n, const char *const *params)
{
    int *numbers = calloc((size_t)n + 1, sizeof *numbers), kept = 0;
    int count = numbers ? cb_rows_number(list, n, params, numbers) : 0;
    for (int i = 0; i < n && kept < count; i++)
        if (numbers[i] == kept)
            list[kept++] = list[i];
    free(numbers);
    return kept;
}

int cb_rows_distinct(const struct cb_rows *rows, const char *const *params, const cJSON ***firsts)
{
    int n = cb_rows_list(rows, firsts);
    return cb_rows_keep_firsts(*firsts, n, params);
}

bool cb_rows_same(const cJSON *a, const cJSON *b, const char *const *params)
{
    const struct combination x = {a, params, 0}, y = {b, params, 0};
    return compare_combinations(&x, &y) == 0;
}

struct sorted {
    const cJSON *row;
    int number, index; /* number of its combination, index of the row */
    double value;
};

static int by_number(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    if (x->number != y->number)
        return x->number - y->number;
    int order = (x->value > y->value) - (x->value < y->value);
    return order ? order : x->index - y->index;
}

void cb_rows_sort(const cJSON **list, int n, const char *const *params, const char *metric)
{
    int *numbers = calloc((size_t)n + 1, sizeof *numbers);
    struct sorted *sorted = calloc((size_t)n + 1, sizeof *sorted);
    if (numbers && sorted && cb_rows_number(list, n, params, numbers) > 0) {
        for (int i = 0; i < n; i++)
            sorted[i] = (struct sorted){list[i], numbers[i], i,
                                        metric ? cb_json_metric(list[i], metric, "median") : 0};
        qsort(sorted, (size_t)n, sizeof *sorted, by_number);
        for (int i = 0; i < n; i++)
            list[i] = sorted[i].row;
    }
    free(numbers);
    free(sorted);
}

/* ---- Statistics ------------------------------------------------------------------------------ */

struct cb_stats cb_rows_stats(const cJSON *const *list, int n, const char *metric,
                              const char *statistic)
{
    struct cb_stats stats = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double *values = calloc((size_t)n + 1, sizeof *values);
    size_t known = 0;
    for (int i = 0; values && i < n; i++) {
        double value = cb_json_metric(list[i], metric, statistic);
        if (!isnan(value))
            values[known++] = value;
    }
    if (known > 0)
        stats = cb_stats_of(values, known);
    free(values);
    return stats;
}

/* Whether a row has this id, with what was beside it behind. */
static bool has_id(const cJSON *row, const char *id)
{
    const char *own = cb_json_text(row, "id", ""), *beside = cb_row_beside(row);
    const size_t length = strlen(id), mark = strlen(CB_BESIDE_MARK);
    if (!*beside)
        return strcmp(own, id) == 0;
    return strncmp(own, id, length) == 0 && strncmp(own + length, CB_BESIDE_MARK, mark) == 0 &&
           strcmp(own + length + mark, beside) == 0;
}

const cJSON *cb_row_with_id(const cJSON *run, const char *device, const char *id_format, ...)
{
    char id[192];
    const cJSON *row;
    va_list args;
    va_start(args, id_format);
    vsnprintf(id, sizeof id, id_format, args);
    va_end(args);
    cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (strcmp(cb_json_text(row, "device", ""), device) == 0 && has_id(row, id))
            return row;
    return NULL;
}

/* ---- A row ----------------------------------------------------------------------------------- */

const char *cb_row_text(const cJSON *row, const char *param)
{
    return cb_json_text(cb_json_params(row), param, "");
}

double cb_row_number(const cJSON *row, const char *param)
{
    return cb_json_number(cb_json_params(row), param);
}

bool cb_row_flag(const cJSON *row, const char *param)
{
    return cJSON_IsTrue(value_of(row, param));
}

bool cb_row_is_ok(const cJSON *row)
{
    return strcmp(cb_json_text(row, "status", ""), "ok") == 0;
}
