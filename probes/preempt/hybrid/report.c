/* SPDX-License-Identifier: Apache-2.0
 *
 * What --hybrid found: a table, and a sentence for each app.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "measure/text/units.h"
#include "probes/preempt/hybrid/hybrid.h"

#define SLOWER 1.2 /* than time slicing: so much that it matters */

static void phase_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    const double phase_s = cb_row_number(row, "phase");
    cb_form_cell(cell, phase_s > 0 ? phase_s * 1e9 : NAN, CB_FORM_TIME);
}

static const struct cb_column columns[] = {
    {.head = "app", .param = "app"},
    {.head = "workload", .param = "workload"},
    {.head = "phase", .fill = phase_cell},
    {.head = "task's workgroups", .fill = cb_groups_cell, .left = true},
    {"hybrid p50", "answer_time", "median", CB_FORM_TIME},
    {"p95", "answer_time", "p95", CB_FORM_TIME},
    {"sliced p50", "answer_time_sliced", "median", CB_FORM_TIME},
    {"coop. p50", "answer_time_cooperative", "median", CB_FORM_TIME},
    {"hybrid : sliced", "hybrid_to_sliced", "median", CB_FORM_RATIO},
    {"coop.", "answered_cooperatively", "median", CB_FORM_COUNT},
    {"driver", "answered_by_driver", "median", CB_FORM_COUNT},
    {"gather p50", "gather_time", "median", CB_FORM_TIME},
    {"overhead", "overhead", "median", CB_FORM_RATIO},
    {"sliced", "overhead_sliced", "median", CB_FORM_RATIO},
    {"coop.", "overhead_cooperative", "median", CB_FORM_RATIO},
};

void cb_hybrid_report(FILE *out, const struct cb_rows *of_device)
{
    struct cb_rows rows = *of_device;
    cb_rows_flag(&rows, "hybrid");
    if (!cb_rows_next(&rows, NULL))
        return;
    fputs(
        "\nHybrid preemption: tasks are asked for cooperatively, and answered by the driver where "
        "they are not gathered\nwithin a bound; beside time slicing alone, and cooperation alone "
        "where it is in time\n\n",
        out);
    cb_rows_print(out, &rows, columns, (int)CB_COUNTOF(columns));
    cb_rows_print_notes(out, &rows, NULL);
}

static double sum_of(const cJSON *const *list, int n, const char *metric)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += cb_json_metric(list[i], metric, "mean");
    return sum;
}

/* Which way serves the app; what follows says of the tasks whether they were gathered. */
static const char *verdict_of(enum cb_hybrid_way way, double ratio)
{
    if (way == CB_SERVES_COOPERATION)
        return ratio > SLOWER
                   ? "cooperation works, but time slicing answers sooner: nearly all tasks were"
                   : "cooperation serves it: nearly all tasks were";
    return way == CB_SERVES_DRIVER ? "only the driver serves it: hardly any task was"
                                   : "keep both: the driver answered some tasks, and others were";
}

static void describe_overhead(char text[128], const cJSON *const *list, int n)
{
    const struct cb_stats hybrid = cb_rows_stats(list, n, "overhead", "median"),
                          sliced = cb_rows_stats(list, n, "overhead_sliced", "median");
    *text = '\0';
    if (hybrid.n > 0 && sliced.n > 0)
        snprintf(text, 128,
                 ", and a run of the app takes %.3g times as long as alone (sliced: %.3g)",
                 hybrid.median, sliced.median);
}

/* Tells of one app with one input and one length of phases. */
static void tell(struct cb_findings *f, const cJSON *const *list, int n)
{
    const enum cb_hybrid_way way = cb_hybrid_serves(sum_of(list, n, "answered_cooperatively"),
                                                    sum_of(list, n, "answered_by_driver"));
    const double ratio = cb_rows_stats(list, n, "hybrid_to_sliced", "median").median,
                 phase_s = cb_row_number(list[0], "phase");
    char phase[64] = "", bound[32], time[32], overhead[128];
    cb_format_time(bound, sizeof bound, cb_row_number(list[0], "gather-bound") * 1e9);
    cb_format_time(time, sizeof time, phase_s * 1e9);
    describe_overhead(overhead, list, n);
    if (phase_s > 0)
        snprintf(phase, sizeof phase, " with phases of %s", time);
    cb_finding_add(f, "hybrid",
                   "Beside %s %s%s, %s gathered within the bound of %s. Hybrid preemption answers "
                   "in %.3g times the time of time slicing alone (median)%s.",
                   cb_row_text(list[0], "app"), cb_row_text(list[0], "input"), phase,
                   verdict_of(way, ratio), bound, ratio, overhead);
}

void cb_hybrid_find(struct cb_findings *f)
{
    static const char *const app[] = {"app", "input", "variant", "phase", NULL};
    struct cb_rows rows = cb_findings_rows(f);
    const cJSON **firsts, **list;
    cb_rows_flag(&rows, "hybrid");
    int n = cb_rows_distinct(&rows, app, &firsts);
    for (int i = 0; i < n; i++) {
        struct cb_rows own = rows;
        for (const char *const *name = app; *name; name++)
            cb_rows_like(&own, firsts[i], *name);
        int n_own = cb_rows_list(&own, &list);
        if (n_own > 0)
            tell(f, list, n_own);
        free(list);
    }
    free(firsts);
}
