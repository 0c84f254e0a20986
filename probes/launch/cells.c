/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/launch/cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/text/json.h"
#include "probes/launch/plan.h"
#include "runtime/host/text.h"

double cb_launch_time(const cJSON *row)
{
    return cb_json_metric(row, "run_time", "median");
}

const char *const cb_launch_details[] = {"launcher",  "descendants", "threshold", "coarsening",
                                         "places",    "child-size",  "arguments", "depth",
                                         "condition", NULL};

void cb_launch_like(struct cb_rows *rows, const cJSON *row)
{
    for (const char *const *detail = cb_launch_details; *detail; detail++)
        cb_rows_like(rows, row, *detail);
}

void cb_launch_name(const cJSON *row, char name[CB_CELL_BYTES])
{
    const char *launcher = cb_row_text(row, "launcher"),
               *descendants = cb_row_text(row, "descendants");
    const char *places = cb_row_text(row, "places"), *size = cb_row_text(row, "child-size"),
               *arguments = cb_row_text(row, "arguments");
    const double threshold = cb_row_number(row, "threshold"),
                 factor = cb_row_number(row, "coarsening"), depth = cb_row_number(row, "depth");
    char from[32] = "", by[32] = "";
    if (threshold > 1)
        snprintf(from, sizeof from, ", from %.0f", threshold);
    if (factor > 1)
        snprintf(by, sizeof by, ", by %.0f", factor);
    snprintf(name, CB_CELL_BYTES, "%s%.10s%s%.10s%s%s", cb_row_flag(row, "tuned") ? "tuned: " : "",
             launcher, *descendants ? "-" : "", descendants, from, by);
    if (*places && !cb_text_is(places, CB_LAUNCH_ATOMIC))
        cb_text_join(name, CB_CELL_BYTES, "%.12s", places);
    if (*size)
        cb_text_join(name, CB_CELL_BYTES, "sizes %s",
                     cb_text_is(size, CB_LAUNCH_ITEMS) ? "by items" : "noted");
    if (depth > 0)
        cb_text_join(name, CB_CELL_BYTES, "depth %.0f", depth);
    if (*cb_row_text(row, "condition"))
        cb_text_join(name, CB_CELL_BYTES, "speculative");
    if (*arguments)
        cb_text_join(name, CB_CELL_BYTES, "%.8s", arguments);
}

void cb_launch_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    cb_launch_name(row, cell);
}

void cb_launch_millions(char cell[CB_CELL_BYTES], double value)
{
    if (isnan(value))
        strcpy(cell, "-");
    else
        snprintf(cell, CB_CELL_BYTES, "%.3g M", value / 1e6);
}

void cb_launch_print_kind(FILE *out, const struct cb_rows *of_size, const char *kind,
                          const char *title, const struct cb_column *columns, int n)
{
    struct cb_rows rows = *of_size;
    cb_rows_is(&rows, "kind", kind);
    const cJSON *first = cb_rows_next(&rows, NULL);
    if (!first)
        return;
    fprintf(out, "\n%s, %s\n\n", title, cb_launch_inputs(cb_row_text(first, "size")));
    cb_rows_print(out, &rows, columns, n);
}
