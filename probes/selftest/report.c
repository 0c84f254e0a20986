/* SPDX-License-Identifier: Apache-2.0
 *
 * What was run and checked, in Markdown.
 */
#include "probes/selftest/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/beside.h"
#include "analysis/documents/rows.h"
#include "apps/host/setup.h"
#include "measure/stats.h"
#include "measure/text/json.h"
#include "measure/text/shell.h"
#include "measure/text/table.h"
#include "measure/text/units.h"
#include "runtime/host/error.h"

#define MOST_FAILURES 5 /* that are shown */

/* ---- Sums and quantiles ---------------------------------------------------------------------- */

/* All samples of a metric on the device; the caller frees them. NULL: none. */
static double *samples_of(const struct cb_rows *rows, const char *metric, size_t *n)
{
    const cJSON *value;
    double *all = NULL;
    *n = 0;
    for (const cJSON *row = cb_rows_next(rows, NULL); row; row = cb_rows_next(rows, row)) {
        const cJSON *samples = cJSON_GetObjectItemCaseSensitive(row, "samples");
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(samples, metric);
        size_t more = (size_t)cJSON_GetArraySize(list);
        double *grown = realloc(all, sizeof *all * (*n + more + 1));
        if (!grown)
            continue;
        all = grown;
        cJSON_ArrayForEach (value, list)
            all[(*n)++] = value->valuedouble;
    }
    return all;
}

static double sum_of(const struct cb_rows *rows, const char *metric)
{
    size_t n;
    double sum = 0, *values = samples_of(rows, metric, &n);
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    free(values);
    return sum;
}

/* A percentile that so few samples do not tell is "-". */
static void format_gathering(const struct cb_rows *rows, char cell[CB_CELL_BYTES])
{
    size_t n;
    char median[24], p95[24], p99[24];
    double *values = samples_of(rows, "gather_time", &n);
    if (n > 0) {
        struct cb_stats stats = cb_stats_of(values, n);
        cb_format_time(median, sizeof median, stats.median);
        cb_format_time(p95, sizeof p95, stats.p95);
        cb_format_time(p99, sizeof p99, stats.p99);
        snprintf(cell, CB_CELL_BYTES, "%s, %s, %s", median, *p95 ? p95 : "-", *p99 ? p99 : "-");
    }
    free(values);
}

/* ---- The table ------------------------------------------------------------------------------- */

static int count_ok(const struct cb_rows *rows)
{
    struct cb_rows ok = *rows;
    ok.ok = true;
    return cb_rows_count(&ok);
}

static const struct {
    const char *label, *metric;
} lines[] = {
    {"tasks", "tasks"},
    {"runs of the apps", "runs"},
    {"limits of their workgroups", "limits"},
    {"workgroups killed", "kills"},
    {"workgroups forked", "forks"},
    {"events of traces checked", "events"},
};

static void print_table(FILE *out, const struct cb_rows *rows)
{
    struct cb_table t;
    int n = CB_COUNTOF(lines);
    if (cb_table_open(n + 3, 2, 1u << 1, &t)) {
        strcpy(cb_table_cell(&t, 0, 0), "checked");
        strcpy(cb_table_cell(&t, 1, 0), "random runs, of which passed");
        snprintf(cb_table_cell(&t, 1, 1), CB_CELL_BYTES, "%d, %d", cb_rows_count(rows),
                 count_ok(rows));
        for (int i = 0; i < n; i++) {
            strcpy(cb_table_cell(&t, 2 + i, 0), lines[i].label);
            snprintf(cb_table_cell(&t, 2 + i, 1), CB_CELL_BYTES, "%.0f",
                     sum_of(rows, lines[i].metric));
        }
        strcpy(cb_table_cell(&t, n + 2, 0), "gather time (median, p95, p99)");
        format_gathering(rows, cb_table_cell(&t, n + 2, 1));
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* ---- Failures -------------------------------------------------------------------------------- */

static const char *seed_of(const cJSON *run)
{
    return cb_json_text(cJSON_GetObjectItemCaseSensitive(run, "invocation"), "seed", "?");
}

/* Which case a number means, and what a kernel does, depend on these, too. */
static void print_settings(FILE *out, const cJSON *run)
{
    static const struct {
        const char *name, *usual;
    } settings[] = {{"variant", "all"},
                    {"atomics", "auto"},
                    {"clock", "auto"},
                    {"wait-deadline", ""},
                    {"cpu-workgroups", ""}};
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(run, "invocation"), "settings");
    for (size_t i = 0; i < CB_COUNTOF(settings); i++) {
        const cJSON *values = cJSON_GetObjectItemCaseSensitive(given, settings[i].name);
        const char *value = cJSON_GetStringValue(cJSON_GetArrayItem(values, 0));
        if (value && strcmp(value, settings[i].usual) != 0) {
            fprintf(out, " --%s", settings[i].name);
            cb_shell_word(out, value);
        }
    }
}

/* The number of a trial, the last part of its id but for what was beside it. */
static long number_of(const char *id)
{
    const char *number = NULL, *end = strstr(id, CB_BESIDE_MARK);
    for (const char *c = id; *c && c != end; c++)
        if (*c == '/')
            number = c + 1;
    return number ? strtol(number, NULL, 10) : 1;
}

static void print_failure(FILE *out, const struct cb_rows *rows, const char *index,
                          const cJSON *row)
{
    const char *id = cb_json_text(row, "id", "");
    const char *input = cb_row_text(row, "input"), *beside = cb_row_beside(row);
    fprintf(out, "- %s (%s, %s): %s: %s\n", id, cb_row_text(row, "app"), input,
            cb_json_text(row, "status", ""), cb_json_text(row, "reason", ""));
    fprintf(out, "  `coopbench selftest --seed %s --stress %ld --app", seed_of(rows->run),
            number_of(id));
    cb_shell_word(out, cb_setup_is(input) ? input : cb_row_text(row, "app"));
    fprintf(out, " --device %s", index);
    print_settings(out, rows->run);
    if (*beside) {
        fputs(" --beside", out);
        cb_shell_word(out, beside);
    }
    fputs(" --filter", out);
    cb_shell_word(out, id);
    fputs("`\n", out);
}

static void print_failures(FILE *out, const struct cb_rows *rows, const char *index)
{
    int shown = 0, failed = cb_rows_count(rows) - count_ok(rows);
    if (failed > 0)
        fprintf(out, "\nNot passed: %d; each can be run again alone\n\n", failed);
    for (const cJSON *row = cb_rows_next(rows, NULL); row; row = cb_rows_next(rows, row))
        if (!cb_row_is_ok(row) && shown++ < MOST_FAILURES)
            print_failure(out, rows, index, row);
    if (failed > MOST_FAILURES)
        fprintf(out, "- and %d more: see run.json\n", failed - MOST_FAILURES);
}

void cb_selftest_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        const struct cb_rows rows = {
            .run = run, .bench = "selftest", .device = cb_json_text(device, "id", "")};
        if (!cb_rows_next(&rows, NULL))
            continue;
        fprintf(out, "\n%s: cooperative runtime, seed %s\n\n", cb_json_text(device, "name", ""),
                seed_of(run));
        print_table(out, &rows);
        print_failures(out, &rows, cb_json_text(device, "index", ""));
    }
}
