/* SPDX-License-Identifier: Apache-2.0
 *
 * What --beside found: a table of the pairs, and a sentence.
 */
#include <stdlib.h>

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "probes/preempt/beside.h"

/* How many times as long a run takes beside the other app. */
static void app_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    cb_ratio_cell(cell, row, "app_time", "app_time_alone");
}

static void other_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    cb_ratio_cell(cell, row, "other_time", "other_time_alone");
}

static const struct cb_column columns[] = {
    {.head = "app", .param = "app"},
    {.head = "beside", .param = "beside"},
    {"app alone", "app_time_alone", "median", CB_FORM_TIME},
    {.head = "beside : alone", .fill = app_cell},
    {"other alone", "other_time_alone", "median", CB_FORM_TIME},
    {.head = "beside : alone", .fill = other_cell},
    {"STP", "stp", "median", CB_FORM_RATIO},
    {"ANTT", "antt", "median", CB_FORM_RATIO},
    {"fairness", "fairness", "median", CB_FORM_RATIO},
};

void cb_beside_report(FILE *out, const struct cb_rows *of_device)
{
    struct cb_rows rows = *of_device;
    cb_rows_have(&rows, "beside");
    if (!cb_rows_next(&rows, NULL))
        return;
    fputs("\nTwo apps, each in a process that has the whole device by turns\n\n", out);
    cb_rows_print(out, &rows, columns, (int)CB_COUNTOF(columns));
}

static double stp_of(const cJSON *row)
{
    return cb_json_metric(row, "stp", "median");
}

/* n: of a list, at least one. */
static void tell(struct cb_findings *f, const cJSON *const *list, int n)
{
    const cJSON *least = list[0];
    for (int i = 1; i < n; i++)
        least = stp_of(list[i]) < stp_of(least) ? list[i] : least;
    const char *app = cb_row_text(least, "app"), *other = cb_row_text(least, "beside");
    if (n == 1)
        cb_finding_add(f, "beside",
                       "When %s and %s take turns by the driver, both together do %.3g times as "
                       "much as one after the other (STP).",
                       app, other, stp_of(least));
    else
        cb_finding_add(f, "beside",
                       "Two apps that take turns by the driver do %.3g times as much as one after "
                       "the other (STP, median of %d pairs), %s and %s least: %.3g times.",
                       cb_rows_stats(list, n, "stp", "median").median, n, app, other,
                       stp_of(least));
}

void cb_beside_find(struct cb_findings *f)
{
    struct cb_rows rows = cb_findings_rows(f);
    const cJSON **list;
    cb_rows_have(&rows, "beside");
    int n = cb_rows_list(&rows, &list);
    if (n > 0)
        tell(f, list, n);
    free(list);
}
