/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "probes/multitask/together/power.h"
#include "probes/multitask/together/together.h"

/* ---- The table ------------------------------------------------------------------------------- */

static void app_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    cb_ratio_cell(cell, row, "app_time", "app_time_alone");
}

static void beside_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    cb_ratio_cell(cell, row, "beside_time", "beside_time_alone");
}

/* Two numbers of workgroups. */
static void pair_cell(char cell[CB_CELL_BYTES], const cJSON *row, const char *first,
                      const char *second, const char *between)
{
    const double a = cb_json_metric(row, first, "median"),
                 b = cb_json_metric(row, second, "median");
    if (a > 0 && b > 0)
        snprintf(cell, CB_CELL_BYTES, "%.0f%s%.0f", a, between, b);
}

static void shares_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    pair_cell(cell, row, "app_groups", "beside_groups", " + ");
}

static void alone_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    pair_cell(cell, row, "app_workers_alone", "beside_workers_alone", ", ");
}

static const struct cb_column columns[] = {
    {.head = "app", .param = "app"},
    {.head = "beside", .param = "beside"},
    {.head = "policy", .param = "policy"},
    {.head = "workgroups alone", .fill = alone_cell},
    {.head = "together", .fill = shares_cell},
    {"app alone", "app_time_alone", "median", CB_FORM_TIME},
    {.head = "together : alone", .fill = app_cell},
    {"other alone", "beside_time_alone", "median", CB_FORM_TIME},
    {.head = "together : alone", .fill = beside_cell},
    {"STP", "stp", "median", CB_FORM_RATIO},
    {"ANTT", "antt", "median", CB_FORM_RATIO},
    {"fairness", "fairness", "median", CB_FORM_RATIO},
    {"beside nobody", "overhead_beside_nobody", "median", CB_FORM_RATIO},
    {"resize p50", "resize_time", "median", CB_FORM_TIME},
    {"p99", "resize_time", "p99", CB_FORM_TIME},
};

void cb_together_report(FILE *out, const struct cb_rows *of_device)
{
    struct cb_rows rows = *of_device;
    cb_rows_have(&rows, "policy");
    if (!cb_rows_next(&rows, NULL))
        return;
    fputs("\nTwo apps in one megakernel\n\n", out);
    cb_rows_print(out, &rows, columns, (int)CB_COUNTOF(columns));
    cb_together_power_report(out, &rows);
}

/* ---- Sentences ------------------------------------------------------------------------------- */

static double stp_of(const cJSON *row)
{
    return cb_json_metric(row, "stp", "median");
}

static void tell_pair(struct cb_findings *f, const cJSON *row)
{
    const double stp = stp_of(row);
    cb_finding_add(
        f, "together",
        "In one megakernel, %s and %s with %.0f and %.0f workgroups (%s) do %.3g times as "
        "much as one after the other (STP): %s.",
        cb_row_text(row, "app"), cb_row_text(row, "beside"),
        cb_json_metric(row, "app_groups", "median"), cb_json_metric(row, "beside_groups", "median"),
        cb_row_text(row, "policy"), stp,
        stp >= 1.05  ? "run them together"
        : stp > 0.95 ? "together or not is the same"
                     : "run them one after the other");
}

/* n: more than one. */
static void tell_pairs(struct cb_findings *f, const char *policy, const cJSON *const *list, int n)
{
    const cJSON *least = list[0], *most = list[0];
    for (int i = 1; i < n; i++) {
        least = stp_of(list[i]) < stp_of(least) ? list[i] : least;
        most = stp_of(list[i]) > stp_of(most) ? list[i] : most;
    }
    cb_finding_add(f, "together",
                   "In one megakernel, two apps do %.3g times as much as one after the other (STP, "
                   "%s, median of %d pairs): %s and %s most, %.3g times, %s and %s least, %.3g "
                   "times.",
                   cb_rows_stats(list, n, "stp", "median").median, policy, n,
                   cb_row_text(most, "app"), cb_row_text(most, "beside"), stp_of(most),
                   cb_row_text(least, "app"), cb_row_text(least, "beside"), stp_of(least));
}

void cb_together_find(struct cb_findings *f)
{
    static const char *const policies[] = {"policy", NULL};
    struct cb_rows all = cb_findings_rows(f);
    const cJSON **firsts;
    cb_rows_have(&all, "policy");
    all.metric = "stp";
    int n_policies = cb_rows_distinct(&all, policies, &firsts);
    for (int i = 0; i < n_policies; i++) {
        struct cb_rows rows = all;
        const cJSON **list;
        cb_rows_like(&rows, firsts[i], "policy");
        int n = cb_rows_list(&rows, &list);
        if (n == 1)
            tell_pair(f, list[0]);
        else if (n > 1)
            tell_pairs(f, cb_row_text(firsts[i], "policy"), list, n);
        free(list);
    }
    free(firsts);
    cb_together_power_find(f);
}
