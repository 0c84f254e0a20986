/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/launch/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "probes/launch/cells.h"
#include "probes/launch/plan.h"
#include "probes/launch/quoted.h"
#include "probes/launch/report.h"

const char *const cb_launch_tried_launchers[] = {
    CB_LAUNCH_SERIAL, CB_LAUNCH_FLAT,  CB_LAUNCH_THREAD,
    CB_LAUNCH_WARP,   CB_LAUNCH_BLOCK, CB_LAUNCH_MULTIBLOCK,
    CB_LAUNCH_GRID,   CB_LAUNCH_AHEAD, NULL};
const unsigned cb_launch_tried_thresholds[] = {1, 32, 256, 0};
const unsigned cb_launch_tried_coarsenings[] = {1, 8, 32, 0};

/* ---- The best of a program ------------------------------------------------------------------- */

/* The fastest row that launches children. */
static const cJSON *best_of(const struct cb_rows *rows)
{
    struct cb_rows launching = *rows;
    const cJSON *best = NULL;
    launching.ok = true;
    cb_rows_have(&launching, "threshold"); /* neither `serial` nor `flat` has one */
    for (const cJSON *row = cb_rows_next(&launching, NULL); row;
         row = cb_rows_next(&launching, row))
        if (!best || cb_launch_time(row) < cb_launch_time(best))
            best = row;
    return best;
}

/* The tuned rows of the same program and size. */
static struct cb_rows rows_of(const struct cb_rows *rows, const cJSON *row)
{
    struct cb_rows of_program = *rows;
    cb_rows_like(&of_program, row, "program");
    cb_rows_like(&of_program, row, "size");
    return of_program;
}

/* ---- The profile ----------------------------------------------------------------------------- */

static cJSON *new_object(cJSON *parent, const char *key)
{
    cJSON_DeleteItemFromObjectCaseSensitive(parent, key);
    return cJSON_AddObjectToObject(parent, key);
}

/* Keeps a row's choice, unless that of a larger input is there. */
static void keep(cJSON *programs, const cJSON *row)
{
    const cJSON *before = cJSON_GetObjectItemCaseSensitive(programs, cb_row_text(row, "program"));
    if (before && cb_launch_size_place(cb_json_text(before, "size", "")) >
                      cb_launch_size_place(cb_row_text(row, "size")))
        return;
    cJSON *p = new_object(programs, cb_row_text(row, "program"));
    cJSON_AddStringToObject(p, "size", cb_row_text(row, "size"));
    cJSON_AddStringToObject(p, "launcher", cb_row_text(row, "launcher"));
    cJSON_AddNumberToObject(p, "threshold", cb_row_number(row, "threshold"));
    cJSON_AddNumberToObject(p, "coarsening", cb_row_number(row, "coarsening"));
    cJSON_AddNumberToObject(p, "run_time_ns", cb_launch_time(row));
}

bool cb_launch_learn(const cJSON *run, const char *device_id, cJSON *profile)
{
    static const char *const of[] = {"program", "size", NULL};
    struct cb_rows rows = {.run = run, .bench = "launch", .device = device_id, .ok = true};
    const cJSON **firsts;
    cb_rows_flag(&rows, "tune");
    const int n = cb_rows_distinct(&rows, of, &firsts);
    cJSON *section = cJSON_GetObjectItemCaseSensitive(profile, "launch");
    if (n > 0 && !section)
        section = cJSON_AddObjectToObject(profile, "launch");
    cJSON *programs = cJSON_GetObjectItemCaseSensitive(section, "programs");
    if (n > 0 && !programs)
        programs = cJSON_AddObjectToObject(section, "programs");
    bool learnt = false;
    for (int i = 0; i < n && programs; i++) {
        const struct cb_rows of_program = rows_of(&rows, firsts[i]);
        const cJSON *best = best_of(&of_program);
        if (best)
            keep(programs, best);
        learnt = learnt || best;
    }
    free(firsts);
    return learnt;
}

bool cb_launch_choice_of(const cJSON *profile, const char *program, struct cb_launch_choice *choice)
{
    const cJSON *section = cJSON_GetObjectItemCaseSensitive(profile, "launch"),
                *programs = cJSON_GetObjectItemCaseSensitive(section, "programs"),
                *p = cJSON_GetObjectItemCaseSensitive(programs, program);
    if (!p)
        return false;
    snprintf(choice->launcher, sizeof choice->launcher, "%s", cb_json_text(p, "launcher", ""));
    choice->threshold = (unsigned)fmax(0, cb_json_number(p, "threshold"));
    choice->coarsening = (unsigned)fmax(0, cb_json_number(p, "coarsening"));
    return true;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* The time of the fastest of these launchers over this row's: as KLAP'16 has them, without
 * thresholds and coarsening. */
static double times_as_long(const struct cb_rows *rows, const cJSON *row,
                            const char *const *launchers)
{
    double least = NAN;
    for (; *launchers; launchers++) {
        struct cb_rows others = rows_of(rows, row);
        cb_rows_is(&others, "launcher", *launchers);
        for (const cJSON *o = cb_rows_next(&others, NULL); o; o = cb_rows_next(&others, o))
            if (cb_row_is_ok(o) && !(cb_row_number(o, "threshold") > 1) &&
                !(cb_row_number(o, "coarsening") > 1))
                least = fmin(least, cb_launch_time(o));
    }
    return least / cb_launch_time(row);
}

static const char *const plain[] = {CB_LAUNCH_THREAD, NULL};
static const char *const aggregation[] = {CB_LAUNCH_WARP, CB_LAUNCH_BLOCK, CB_LAUNCH_GRID, NULL};
static const char *const none[] = {CB_LAUNCH_SERIAL, NULL};

static void best_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%.20s, from %.0f, by %.0f", cb_row_text(row, "launcher"),
             cb_row_number(row, "threshold"), cb_row_number(row, "coarsening"));
}

static void plain_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    cb_form_cell(cell, times_as_long(rows, row, plain), CB_FORM_RATIO);
}

static void aggregation_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    cb_form_cell(cell, times_as_long(rows, row, aggregation), CB_FORM_RATIO);
}

static void none_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    cb_form_cell(cell, times_as_long(rows, row, none), CB_FORM_RATIO);
}

static const struct cb_column columns[] = {
    {.head = "program", .param = "program"},
    {.head = "best launcher", .fill = best_cell, .left = true},
    {"time", "run_time", "median", CB_FORM_TIME},
    {.head = "plain launches : this", .fill = plain_cell},
    {.head = "aggregation alone : this", .fill = aggregation_cell},
    {.head = "no launches : this", .fill = none_cell},
};

/* Geometric mean over the programs that have the ratio. */
static double mean_of(const struct cb_rows *rows, const cJSON *const *list, int n,
                      const char *const *launchers)
{
    double sum = 0;
    int found = 0;
    for (int i = 0; i < n; i++) {
        const double ratio = times_as_long(rows, list[i], launchers);
        sum += ratio > 0 ? log(ratio) : 0;
        found += ratio > 0;
    }
    return found > 0 ? exp(sum / found) : NAN;
}

void cb_launch_report_tuning(FILE *out, const struct cb_rows *of_size)
{
    static const char *const program[] = {"program", NULL};
    struct cb_rows rows = *of_size;
    const cJSON **list;
    cb_rows_flag(&rows, "tune");
    int n = cb_rows_distinct(&rows, program, &list), found = 0;
    for (int i = 0; i < n; i++) {
        const struct cb_rows of_program = rows_of(&rows, list[i]);
        const cJSON *best = best_of(&of_program);
        if (best)
            list[found++] = best;
    }
    if (found > 0) {
        fprintf(out,
                "\nTuned: the best threshold (from so many work-items) and coarsening (by), "
                "%s\n\n",
                cb_launch_inputs(cb_row_text(list[0], "size")));
        cb_rows_print_list(out, &rows, list, found, columns, (int)CB_COUNTOF(columns));
        fprintf(out,
                "\nGeometric means: %.3g times as fast as plain launches, %.3g as aggregation "
                "alone, %.3g as no launches (CGO'22 in CUDA: %.1f, %.1f and %.1f).\n",
                mean_of(&rows, list, found, plain), mean_of(&rows, list, found, aggregation),
                mean_of(&rows, list, found, none), CB_CGO22_OVER_DYNAMIC_PARALLELISM,
                CB_CGO22_OVER_AGGREGATION, CB_CGO22_OVER_NO_LAUNCHES);
    }
    free(list);
}
