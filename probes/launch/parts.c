/* SPDX-License-Identifier: Apache-2.0
 *
 * Report of --breakdown: the parts of the time of each longest round, as a share of their sum.
 */
#include <string.h>

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "probes/launch/aggregation/breakdown.h"
#include "probes/launch/cells.h"
#include "probes/launch/plan.h"
#include "probes/launch/report.h"

/* A part's share of the time; NaN: it was not measured. */
static double share_of(const cJSON *row, int part)
{
    double sum = 0;
    for (int p = 0; p < CB_BREAKDOWN_PARTS; p++)
        sum += cb_json_metric(row, cb_breakdown_metrics[p], "median");
    return cb_json_metric(row, cb_breakdown_metrics[part], "median") / sum;
}

/* ---- Table ----------------------------------------------------------------------------------- */

#define SHARE_CELL(name, part)                                                                     \
    static void name(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)       \
    {                                                                                              \
        (void)rows;                                                                                \
        cb_form_cell(cell, share_of(row, part), CB_FORM_SHARE);                                    \
    }
SHARE_CELL(parents_cell, CB_BREAKDOWN_PARENTS)
SHARE_CELL(aggregation_cell, CB_BREAKDOWN_AGGREGATION)
SHARE_CELL(launches_cell, CB_BREAKDOWN_LAUNCHES)
SHARE_CELL(work_cell, CB_BREAKDOWN_WORK)

static const struct cb_column columns[] = {
    {.head = "program", .param = "program"},
    {.head = "launcher", .fill = cb_launch_cell, .left = true},
    {"children", "launches", "median", CB_FORM_COUNT},
    {"time", "run_time", "median", CB_FORM_TIME},
    {.head = "parents", .fill = parents_cell},
    {.head = "aggregation", .fill = aggregation_cell},
    {.head = "launches", .fill = launches_cell},
    {.head = "work", .fill = work_cell},
};

void cb_launch_report_parts(FILE *out, const struct cb_rows *of_size)
{
    struct cb_rows rows = *of_size;
    cb_rows_is(&rows, "kind", CB_LAUNCH_BREAKDOWN);
    const cJSON *first = cb_rows_next(&rows, NULL);
    if (!first)
        return;
    fprintf(out, "\nWhere the time of the longest round goes (KLAP'16 Fig. 9), %s\n\n",
            cb_launch_inputs(cb_row_text(first, "size")));
    cb_rows_print(out, &rows, columns, (int)CB_COUNTOF(columns));
}

/* ---- Finding --------------------------------------------------------------------------------- */

/* Two launchers of a program and size. */
struct change {
    const cJSON *from, *to;
    double drop; /* drop of the share of launches */
};

/* Finds the largest drop from `thread` to a launcher that aggregates. */
static struct change largest_change(const struct cb_findings *f)
{
    struct change best = {.drop = 0};
    struct cb_rows threads = cb_findings_rows(f);
    cb_rows_is(&threads, "kind", CB_LAUNCH_BREAKDOWN);
    struct cb_rows all = threads;
    cb_rows_is(&threads, "launcher", CB_LAUNCH_THREAD);
    for (const cJSON *from = cb_rows_next(&threads, NULL); from;
         from = cb_rows_next(&threads, from)) {
        struct cb_rows others = all;
        cb_rows_like(&others, from, "program");
        cb_rows_like(&others, from, "size");
        cb_rows_like(&others, from, "threshold");
        cb_rows_like(&others, from, "coarsening");
        for (const cJSON *to = cb_rows_next(&others, NULL); to; to = cb_rows_next(&others, to)) {
            const double drop =
                share_of(from, CB_BREAKDOWN_LAUNCHES) - share_of(to, CB_BREAKDOWN_LAUNCHES);
            if (drop > best.drop && strcmp(cb_row_text(to, "launcher"), CB_LAUNCH_HOST) != 0)
                best = (struct change){from, to, drop};
        }
    }
    return best;
}

void cb_launch_find_parts(struct cb_findings *f)
{
    const struct change c = largest_change(f);
    char from[CB_CELL_BYTES], to[CB_CELL_BYTES];
    if (!c.from)
        return;
    cb_launch_name(c.from, from);
    cb_launch_name(c.to, to);
    cb_finding_add(f, "breakdown",
                   "With `%s`, launches take %.0f %% of the longest round of %s (%s), with `%s` "
                   "%.0f %%, and aggregation %.0f %%.",
                   from, 100 * share_of(c.from, CB_BREAKDOWN_LAUNCHES),
                   cb_row_text(c.from, "program"), cb_row_text(c.from, "size"), to,
                   100 * share_of(c.to, CB_BREAKDOWN_LAUNCHES),
                   100 * share_of(c.to, CB_BREAKDOWN_AGGREGATION));
}
