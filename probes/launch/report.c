/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/launch/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "measure/text/units.h"
#include "probes/launch/cells.h"
#include "probes/launch/occupancy.h"
#include "probes/launch/plan.h"
#include "probes/launch/tune.h"

/* The row of the same program and size by another launcher; NULL: there is none that is ok. */
static const cJSON *row_by(const struct cb_rows *rows, const cJSON *row, const char *launcher)
{
    struct cb_rows other = *rows;
    other.ok = true;
    cb_rows_like(&other, row, "program");
    cb_rows_like(&other, row, "size");
    cb_rows_like(&other, row, "depth");
    cb_rows_is(&other, "launcher", launcher);
    return cb_rows_next(&other, NULL);
}

/* The speedup of a row over another launcher; NaN: not known. */
static double speedup_of(const struct cb_rows *rows, const cJSON *row, const char *launcher)
{
    const cJSON *other = row_by(rows, row, launcher);
    return other && cb_row_is_ok(row) ? cb_launch_time(other) / cb_launch_time(row) : NAN;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void host_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    cb_form_cell(cell, speedup_of(rows, row, CB_LAUNCH_HOST), CB_FORM_RATIO);
}

static void serial_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    cb_form_cell(cell, speedup_of(rows, row, CB_LAUNCH_SERIAL), CB_FORM_RATIO);
}

static void rate_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    cb_launch_millions(cell, cb_json_metric(row, "launch_rate", "median"));
}

#define PROGRAM                                                                                    \
    {.head = "program", .param = "program"},                                                       \
    {                                                                                              \
        .head = "launcher", .fill = cb_launch_cell, .left = true                                   \
    }

static const struct cb_column promotion_columns[] = {
    PROGRAM,
    {"steps", "steps", "median", CB_FORM_COUNT},
    {"time", "run_time", "median", CB_FORM_TIME},
    {"a step", "step_time", "median", CB_FORM_TIME},
    {.head = "host : this", .fill = host_cell},
};

static const struct cb_column aggregation_columns[] = {
    PROGRAM,
    {"launches", "launches", "median", CB_FORM_COUNT},
    {"time", "run_time", "median", CB_FORM_TIME},
    {.head = "launches a second", .fill = rate_cell},
    {.head = "host : this", .fill = host_cell},
    {.head = "serial : this", .fill = serial_cell},
};

static void print_device(FILE *out, const cJSON *run, const cJSON *device)
{
    static const char *const size[] = {"size", NULL};
    const struct cb_rows all = {
        .run = run, .bench = "launch", .device = cb_json_text(device, "id", "")};
    const cJSON **firsts;
    int n = cb_rows_distinct(&all, size, &firsts);
    if (n > 0)
        fprintf(out, "\n%s\n", cb_json_text(device, "name", ""));
    for (int i = 0; i < n; i++) {
        struct cb_rows rows = all;
        cb_rows_like(&rows, firsts[i], "size");
        cb_launch_print_kind(out, &rows, CB_LAUNCH_AGGREGATION,
                             "Parents that launch children (KLAP'16 Section II)",
                             aggregation_columns, (int)CB_COUNTOF(aggregation_columns));
        cb_launch_print_kind(out, &rows, CB_LAUNCH_PROMOTION,
                             "Programs that launch themselves (KLAP'16 Fig. 10)", promotion_columns,
                             (int)CB_COUNTOF(promotion_columns));
        cb_launch_report_tuning(out, &rows);
        cb_launch_report_parts(out, &rows);
        cb_occupancy_report(out, &rows);
    }
    free(firsts);
}

void cb_launch_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices"))
        print_device(out, run, device);
}

/* ---- Findings -------------------------------------------------------------------------------- */

/* A launcher over all programs with inputs of a size. */
struct answer {
    const cJSON *first; /* its first row */
    double speedup;     /* geometric mean over programs */
    double step_ns;     /* median over programs */
    int n;
};

/* than: the launcher that it is compared with. */
static struct answer answer_of(struct cb_rows rows, const cJSON *first, const char *than)
{
    const cJSON **list;
    struct answer a = {.first = first};
    const struct cb_rows all = rows;
    double sum = 0;
    cb_launch_like(&rows, first);
    int n = cb_rows_list(&rows, &list);
    for (int i = 0; i < n; i++) {
        double speedup = speedup_of(&all, list[i], than);
        sum += speedup > 0 ? log(speedup) : 0;
        a.n += speedup > 0;
    }
    a.speedup = a.n > 0 ? exp(sum / a.n) : NAN;
    a.step_ns = cb_rows_stats(list, n, "step_time", "median").median;
    free(list);
    return a;
}

/* Finds, at the largest inputs measured, the fastest launcher among those that most programs were
 * measured with; returns their size. */
static const char *find_best(const struct cb_findings *f, const char *kind, const char *than,
                             struct answer *best)
{
    struct cb_rows rows = cb_findings_rows(f);
    int size = 0;
    bool found = false;
    const cJSON **firsts;
    cb_rows_is(&rows, "kind", kind);
    struct cb_rows of_size = rows;
    while (cb_launch_size_names[size])
        size++;
    while (!found && size-- > 0) {
        of_size = rows;
        cb_rows_is(&of_size, "size", cb_launch_size_names[size]);
        found = cb_rows_next(&of_size, NULL);
    }
    *best = (struct answer){.speedup = NAN};
    int n = found ? cb_rows_distinct(&of_size, cb_launch_details, &firsts) : 0;
    for (int i = 0; i < n; i++) {
        struct answer a = answer_of(of_size, firsts[i], than);
        const bool more = a.n > best->n, as_many = a.n == best->n;
        if (!isnan(a.speedup) && (more || (as_many && !(a.speedup < best->speedup))))
            *best = a;
    }
    if (found)
        free(firsts);
    return found ? cb_launch_size_names[size] : "";
}

static void find_promotion(struct cb_findings *f)
{
    struct answer best;
    const char *size = cb_launch_inputs(find_best(f, CB_LAUNCH_PROMOTION, CB_LAUNCH_HOST, &best));
    char name[CB_CELL_BYTES], step[32];
    if (best.n == 0)
        return;
    cb_launch_name(best.first, name);
    cb_format_time(step, sizeof step, best.step_ns);
    if (best.speedup > 1)
        cb_finding_add(f, "promotion",
                       "Programs that launch themselves: with %s, `%s` takes %s a step, %.3g "
                       "times as fast as a launch for each by the host (geometric mean of %d "
                       "programs): use it.",
                       size, name, step, best.speedup, best.n);
    else
        cb_finding_add(f, "promotion",
                       "Programs that launch themselves: with %s nothing is faster than a "
                       "launch for each step by the host: keep to it.",
                       size);
}

static void find_aggregation(struct cb_findings *f)
{
    struct answer best;
    const char *size =
        cb_launch_inputs(find_best(f, CB_LAUNCH_AGGREGATION, CB_LAUNCH_SERIAL, &best));
    char name[CB_CELL_BYTES];
    if (best.n == 0)
        return;
    cb_launch_name(best.first, name);
    if (best.speedup > 1)
        cb_finding_add(f, "aggregation",
                       "Parents that launch children: with %s, `%s` is %.3g times as fast as "
                       "parents that do all themselves (geometric mean of %d programs): use it.",
                       size, name, best.speedup, best.n);
    else
        cb_finding_add(f, "aggregation",
                       "Parents that launch children: with %s nothing is faster than parents "
                       "that do all themselves: launch nothing.",
                       size);
}

void cb_launch_findings(struct cb_findings *f)
{
    find_aggregation(f);
    find_promotion(f);
    cb_launch_find_parts(f);
    cb_occupancy_find(f);
}
