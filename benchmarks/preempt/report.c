/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/preempt/report.h"

#include <math.h>
#include <string.h>

#include "apphost/power_meter.h"
#include "benchmarks/preempt/table3.h"
#include "measure/run/column.h"
#include "measure/text/json.h"
#include "measure/text/units.h"
#include "runtime/host/error.h"

static const struct cb_column columns[] = {
    {"overhead", "overhead", "median", CB_FORM_RATIO},
    {"answer p50", "answer_time", "median", CB_FORM_TIME},
    {"p95", "answer_time", "p95", CB_FORM_TIME},
    {"start delay", "start_delay", "median", CB_FORM_TIME},
    {"task p50", "exec_time", "median", CB_FORM_TIME},
    {"slices", "slices", "median", CB_FORM_COUNT},
    {"away", "away_time", "median", CB_FORM_TIME},
    {"period", "period", "median", CB_FORM_TIME},
    {"in time", "deadlines_met", "mean", CB_FORM_SHARE},
    {"app's kernel", "launch_time", "median", CB_FORM_TIME},
};

static const char *text_of(const cJSON *item, const char *key)
{
    return cb_json_text(cb_json_params(item), key, "");
}

static bool is_on(const cJSON *item, const char *device)
{
    return strcmp(cb_json_text(item, "bench", ""), "preempt") == 0 &&
           strcmp(cb_json_text(item, "device", ""), device) == 0;
}

/* Cases beside the same app and workload stand in one table. */
static bool is_like(const cJSON *a, const cJSON *b)
{
    static const char *const keys[] = {"app", "input", "workload"};
    for (size_t i = 0; i < CB_COUNTOF(keys); i++)
        if (strcmp(text_of(a, keys[i]), text_of(b, keys[i])) != 0)
            return false;
    return is_on(b, cb_json_text(a, "device", ""));
}

static void print_table(FILE *out, const cJSON *cases, const cJSON *like,
                        const struct cb_column *of, int n)
{
    const int n_columns = 2 + n;
    struct cb_table t;
    const cJSON *item;
    int row = 0;
    if (!cb_table_open(1 + cJSON_GetArraySize(cases), n_columns, ~3u, &t))
        return;
    for (int c = 0; c < n_columns; c++)
        strcpy(cb_table_cell(&t, 0, c), c == 0   ? "tasks from"
                                        : c == 1 ? "task's workgroups"
                                                 : of[c - 2].head);
    cJSON_ArrayForEach (item, cases) {
        if (!is_like(like, item))
            continue;
        row++;
        strcpy(cb_table_cell(&t, row, 0),
               strcmp(text_of(item, "place"), "queue") == 0 ? "second queue" : "other process");
        cb_groups_cell(cb_table_cell(&t, row, 1), NULL, item);
        for (int c = 2; c < n_columns; c++)
            cb_column_cell(cb_table_cell(&t, row, c), item, &of[c - 2]);
    }
    t.rows = 1 + row;
    cb_table_print(out, &t);
    cb_table_free(&t);
}

static bool has_power(const cJSON *cases, const cJSON *like)
{
    const cJSON *item;
    cJSON_ArrayForEach (item, cases)
        if (is_like(like, item) && !isnan(cb_json_metric(item, "power", "median")))
            return true;
    return false;
}

/* What the rows note, each text once. */
static void print_notes(FILE *out, const cJSON *cases, const cJSON *like)
{
    const cJSON *item, *note;
    cJSON *texts = NULL;
    cJSON_ArrayForEach (item, cases)
        if (is_like(like, item))
            cJSON_ArrayForEach (note, cJSON_GetObjectItemCaseSensitive(item, "notes"))
                cb_json_add_once(&texts, cJSON_GetStringValue(note));
    if (texts)
        fputc('\n', out);
    cJSON_ArrayForEach (note, texts)
        fprintf(out, "- %s\n", cJSON_GetStringValue(note));
    cJSON_Delete(texts);
}

static void print_like(FILE *out, const cJSON *cases, const cJSON *like)
{
    const cJSON *params = cb_json_params(like);
    char duration[32], period[32];
    cb_format_time(duration, sizeof duration, cb_json_number(params, "duration_ns"));
    cb_format_time(period, sizeof period, cb_json_number(params, "period_ns"));
    fprintf(out, "\n%s %s, without cooperation, beside the workload %s: a task of %s every %s\n\n",
            text_of(like, "app"), text_of(like, "input"), text_of(like, "workload"), duration,
            period);
    print_table(out, cases, like, columns, (int)CB_COUNTOF(columns));
    if (has_power(cases, like)) {
        fputs("\nPower of the device\n\n", out);
        print_table(out, cases, like, cb_power_columns, CB_POWER_COLUMNS);
    }
    print_notes(out, cases, like);
}

static void print_device(FILE *out, const cJSON *run, const cJSON *device)
{
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(run, "cases"), *item, *before;
    const char *id = cb_json_text(device, "id", "");
    bool any = false;
    cJSON_ArrayForEach (item, cases) {
        bool known = !is_on(item, id);
        for (before = cases->child; before != item && !known; before = before->next)
            known = is_like(item, before);
        if (known)
            continue;
        if (!any)
            fprintf(out, "\n%s\n", cb_json_text(device, "name", ""));
        any = true;
        print_like(out, cases, item);
    }
    cb_tab3_report(out, run, id);
}

void cb_preempt_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices"))
        print_device(out, run, device);
}
