/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/launch/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/launch/plan.h"
#include "measure/run/column.h"
#include "measure/text/json.h"
#include "measure/text/units.h"

static double time_of(const cJSON *row)
{
    return cb_json_metric(row, "run_time", "median");
}

/* The same program and size, a launch for each step; NULL: there is none that is ok. */
static const cJSON *by_host(const struct cb_rows *rows, const cJSON *row)
{
    struct cb_rows host = *rows;
    host.ok = true;
    cb_rows_like(&host, row, "program");
    cb_rows_like(&host, row, "size");
    cb_rows_is(&host, "launcher", CB_LAUNCH_HOST);
    return cb_rows_next(&host, NULL);
}

/* How many times as fast it is; NaN: not known. */
static double speedup_of(const struct cb_rows *rows, const cJSON *row)
{
    const cJSON *host = by_host(rows, row);
    return host && cb_row_is_ok(row) ? time_of(host) / time_of(row) : NAN;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* "PAO-128" */
static void name_launcher(const cJSON *row, char name[CB_CELL_BYTES])
{
    const char *pool = cb_row_text(row, "pool");
    snprintf(name, CB_CELL_BYTES, "%.20s%s%.20s", cb_row_text(row, "launcher"), *pool ? "-" : "",
             pool);
}

static void launcher_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    name_launcher(row, cell);
}

static void speedup_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    cb_form_cell(cell, speedup_of(rows, row), CB_FORM_RATIO);
}

static const struct cb_column columns[] = {
    {.head = "program", .param = "program"},
    {.head = "launcher", .fill = launcher_cell, .left = true},
    {"steps", "steps", "median", CB_FORM_COUNT},
    {"time", "run_time", "median", CB_FORM_TIME},
    {"a step", "step_time", "median", CB_FORM_TIME},
    {.head = "host : this", .fill = speedup_cell},
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
        fprintf(out, "\nPromotion, %s inputs (KLAP'16 Fig. 10)\n\n",
                cb_row_text(firsts[i], "size"));
        cb_rows_print(out, &rows, columns, (int)CB_COUNTOF(columns));
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
    const cJSON *first; /* row */
    double speedup;     /* geometric mean */
    double step_ns;     /* median */
    int n;
};

static struct answer answer_of(struct cb_rows rows, const cJSON *first)
{
    const cJSON **list;
    struct answer a = {.first = first};
    const struct cb_rows all = rows;
    double sum = 0;
    cb_rows_like(&rows, first, "launcher");
    cb_rows_like(&rows, first, "pool");
    int n = cb_rows_list(&rows, &list);
    for (int i = 0; i < n; i++) {
        double speedup = speedup_of(&all, list[i]);
        sum += speedup > 0 ? log(speedup) : 0;
        a.n += speedup > 0;
    }
    a.speedup = a.n > 0 ? exp(sum / a.n) : NAN;
    a.step_ns = cb_rows_stats(list, n, "step_time", "median").median;
    free(list);
    return a;
}

/* Of the largest inputs that were measured. */
void cb_launch_findings(struct cb_findings *f)
{
    static const char *const launcher[] = {"launcher", "pool", NULL};
    struct cb_rows rows = cb_findings_rows(f);
    int size = CB_CHAIN_SIZES - 1;
    const cJSON **firsts;
    struct answer best = {.speedup = NAN};
    struct cb_rows of_size = rows;
    for (; size >= 0; size--) {
        of_size = rows;
        cb_rows_is(&of_size, "size", cb_chain_size_names[size]);
        if (cb_rows_next(&of_size, NULL))
            break;
    }
    int n = cb_rows_distinct(&of_size, launcher, &firsts);
    for (int i = 0; i < n; i++) {
        struct answer a = answer_of(of_size, firsts[i]);
        if (!isnan(a.speedup) && !(a.speedup < best.speedup))
            best = a;
    }
    if (best.n > 0 && best.speedup > 1) {
        char name[CB_CELL_BYTES], step[32];
        name_launcher(best.first, name);
        cb_format_time(step, sizeof step, best.step_ns);
        cb_finding_add(f, "promotion",
                       "With %s inputs, `%s` takes %s a step, %.3g times as fast as a launch for "
                       "each by the host (geometric mean of %d programs): use it.",
                       cb_chain_size_names[size], name, step, best.speedup, best.n);
    } else if (best.n > 0) {
        cb_finding_add(f, "promotion",
                       "With %s inputs nothing is faster than a launch for each step by the host: "
                       "keep to it.",
                       cb_chain_size_names[size]);
    }
    free(firsts);
}
