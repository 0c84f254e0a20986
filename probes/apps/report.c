/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/apps/report.h"

#include <math.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "apps/host/options.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "measure/text/units.h"
#include "probes/apps/bound.h"
#include "probes/apps/pairs.h"

/* ---- Times ----------------------------------------------------------------------------------- */

/* "3.99 ms ±0.4 % (1024)": median, half of its 95 % interval, work-items a workgroup. */
static void format_time(char cell[CB_CELL_BYTES], const cJSON *row)
{
    double median = cb_json_metric(row, "run_time", "median");
    double low = cb_json_metric(row, "run_time", "ci95_low");
    double high = cb_json_metric(row, "run_time", "ci95_high");
    char time[32];
    cb_format_time(time, sizeof time, median);
    if (isnan(median))
        snprintf(cell, CB_CELL_BYTES, "%.20s", row ? cb_json_text(row, "status", "") : "-");
    else if (high >= low)
        snprintf(cell, CB_CELL_BYTES, "%s ±%.1f %% (%.0f)", time, 50 * (high - low) / median,
                 cb_json_metric(row, "wg_size", "median"));
    else
        snprintf(cell, CB_CELL_BYTES, "%s (%.0f)", time, cb_json_metric(row, "wg_size", "median"));
}

/* The mode with the least time. */
static const cJSON *fastest_of(const struct cb_apps_pair *pair)
{
    const cJSON *best = NULL;
    for (int m = 0; m < CB_APP_MODES; m++) {
        double time = cb_json_metric(pair->rows[m], "run_time", "median");
        if (!isnan(time) && !(cb_json_metric(best, "run_time", "median") <= time))
            best = pair->rows[m];
    }
    return best;
}

/* "10.2 G edges/s", of a number of these */
static void format_rate(char *text, size_t size, double rate, const char *work)
{
    static const char *const units[] = {"", "k ", "M ", "G ", "T "};
    size_t unit = 0;
    for (; rate >= 999.5 && unit + 1 < CB_COUNTOF(units); unit++)
        rate /= 1000;
    snprintf(text, size, "%.*f %s%.30s/s", rate < 9.995 ? 2 : rate < 99.95, rate, units[unit],
             work);
}

/* "7 colours, 10.2 G edges/s": what the app tells of its result and its work. */
static void format_outcome(char cell[CB_CELL_BYTES], const struct cb_apps_pair *pair)
{
    const struct cb_app *app = cb_app_find(pair->app);
    const cJSON *row = fastest_of(pair);
    double result = cb_json_metric(row, "result", "median");
    double rate = cb_json_metric(row, "throughput", "median");
    *cell = '\0';
    if (!isnan(result))
        cb_format_count(cell, CB_CELL_BYTES, result, app ? app->result[0] : NULL,
                        app ? app->result[1] : NULL);
    size_t n = strlen(cell);
    if (n > 0 && !isnan(rate))
        n += (size_t)snprintf(cell + n, CB_CELL_BYTES - n, ", ");
    if (!isnan(rate))
        format_rate(cell + n, CB_CELL_BYTES - n, rate, app && app->work ? app->work : "operations");
}

/* ", protocol ticket, barrier xf", for captions. */
static const char *system_of(const struct cb_apps_pairs *pairs, char name[CB_APPS_SYSTEM_BYTES + 2])
{
    cb_apps_system_name(pairs->list, name + 2, CB_APPS_SYSTEM_BYTES);
    memcpy(name, name[2] ? ", " : "\0", 2);
    return name;
}

static bool has_baseline(const struct cb_apps_pairs *pairs)
{
    bool has = false;
    for (int i = 0; i < pairs->n; i++)
        has = has || pairs->list[i].rows[CB_APP_BASELINE];
    return has;
}

/* Formats an input: of a file its name, and whether it is the one that the papers measured. */
static void format_input(char cell[CB_CELL_BYTES], const struct cb_apps_pair *pair)
{
    const char *slash = strrchr(pair->input, '/');
    snprintf(cell, CB_CELL_BYTES, "%.40s%s", slash ? slash + 1 : pair->input,
             strstr(pair->input_name, CB_APP_ORIGINAL) ? " (original)" : "");
}

static void print_times(FILE *out, const struct cb_apps_pairs *pairs)
{
    char name[CB_APPS_SYSTEM_BYTES + 2];
    enum { MODES = 2 };
    int modes = has_baseline(pairs) ? CB_APP_MODES : CB_APP_BASELINE, outcome = MODES + modes;
    struct cb_table t;
    if (cb_table_open(1 + pairs->n, outcome + 1, ~3u, &t)) {
        strcpy(cb_table_cell(&t, 0, 0), "app");
        strcpy(cb_table_cell(&t, 0, 1), "input");
        strcpy(cb_table_cell(&t, 0, outcome), "result, throughput");
        for (int m = 0; m < modes; m++)
            strcpy(cb_table_cell(&t, 0, MODES + m), cb_app_modes[m]);
        for (int i = 0; i < pairs->n; i++) {
            const struct cb_apps_pair *pair = &pairs->list[i];
            snprintf(cb_table_cell(&t, i + 1, 0), CB_CELL_BYTES, "%.40s", pair->app);
            format_input(cb_table_cell(&t, i + 1, 1), pair);
            for (int m = 0; m < modes; m++)
                format_time(cb_table_cell(&t, i + 1, MODES + m), pair->rows[m]);
            format_outcome(cb_table_cell(&t, i + 1, outcome), pair);
        }
        fprintf(out, "\nTime of a run%s: median, its 95 %% interval (work-items a workgroup)\n\n",
                system_of(pairs, name));
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* ---- Ratios ---------------------------------------------------------------------------------- */

static const char *const ratio_heads[CB_APPS_RATIOS] = {
    [CB_APPS_SPEEDUP] = "multikernel : portable",
    [CB_APPS_PORTABILITY] = "portable : specialised",
    [CB_APPS_COOPERATION] = "cooperative : specialised",
    [CB_APPS_COOPERATION_PORTABLE] = "cooperative : portable",
    [CB_APPS_BASELINE_SPEEDUP] = "baseline : portable",
};

static void format_ratio(char cell[CB_CELL_BYTES], double ratio)
{
    if (isnan(ratio))
        strcpy(cell, "-");
    else
        snprintf(cell, CB_CELL_BYTES, "%.3f", ratio);
}

static bool has_ratio(const struct cb_apps_pairs *pairs, enum cb_apps_ratio ratio)
{
    return cb_apps_summary_of(pairs, ratio, CB_APPS_ALL).n > 0;
}

static bool has_ratios(const struct cb_apps_pairs *pairs)
{
    for (int r = 0; r < CB_APPS_RATIOS; r++)
        if (has_ratio(pairs, (enum cb_apps_ratio)r))
            return true;
    return false;
}

/* The lines below those of the pairs. */
static void fill_summary(const struct cb_table *t, int row, int column,
                         const struct cb_apps_summary *s)
{
    const double values[] = {s->mean, s->median, s->max, s->min};
    for (int i = 0; i < 4; i++)
        format_ratio(cb_table_cell(t, row + i, column), values[i]);
}

static void print_ratios(FILE *out, const struct cb_apps_pairs *pairs)
{
    static const char *const lines[] = {"geometric mean", "median", "maximum", "minimum"};
    char name[CB_APPS_SYSTEM_BYTES + 2];
    int first = 1 + pairs->n; /* row of the summary */
    struct cb_table t;
    int columns = has_baseline(pairs) ? CB_APPS_RATIOS : CB_APPS_BASELINE_SPEEDUP;
    if (cb_table_open(first + 4, 1 + columns, ~1u, &t)) {
        strcpy(cb_table_cell(&t, 0, 0), "app [input]");
        for (int i = 0; i < pairs->n; i++)
            cb_apps_label(&pairs->list[i], cb_table_cell(&t, i + 1, 0), CB_CELL_BYTES);
        for (int i = 0; i < 4; i++)
            strcpy(cb_table_cell(&t, first + i, 0), lines[i]);
        for (int r = 0; r < columns; r++) {
            enum cb_apps_ratio ratio = (enum cb_apps_ratio)r;
            struct cb_apps_summary s = cb_apps_summary_of(pairs, ratio, CB_APPS_ALL);
            strcpy(cb_table_cell(&t, 0, r + 1), ratio_heads[r]);
            for (int i = 0; i < pairs->n; i++)
                format_ratio(cb_table_cell(&t, i + 1, r + 1),
                             cb_apps_ratio(&pairs->list[i], ratio));
            fill_summary(&t, first, r + 1, &s);
        }
        fprintf(
            out,
            "\nRatios of median times%s: speedup by the barrier (OOPSLA'16 Fig. 9, Tab. 4; of both "
            "by "
            "the\nhost's clock, not of portable's time above, which leaves out its launch), price "
            "of portability\n(Figs. 10, 11, Tab. 4), price of cooperation\n\n",
            system_of(pairs, name));
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* "1.05, color [circuit]" */
static void format_worst(char cell[CB_CELL_BYTES], const struct cb_apps_summary *s)
{
    format_ratio(cell, s->max);
    const size_t n = strlen(cell) + strlen(", ");
    if (!s->worst || n >= CB_CELL_BYTES)
        return;
    strcat(cell, ", ");
    cb_apps_label(s->worst, cell + n, CB_CELL_BYTES - n);
}

static void print_cooperation(FILE *out, const struct cb_apps_pairs *pairs)
{
    static const char *const heads[] = {"slowdown over",  "all: mean", "maximum",
                                        "barriers: mean", "maximum",   "work stealing: mean",
                                        "maximum"};
    static const unsigned modes[] = {COOP_SPECIALISED, COOP_PORTABLE};
    struct cb_table t;
    if (cb_table_open(3, CB_COUNTOF(heads), ~1u, &t)) {
        for (size_t c = 0; c < CB_COUNTOF(heads); c++)
            strcpy(cb_table_cell(&t, 0, (int)c), heads[c]);
        for (int i = 0; i < 2; i++) {
            strcpy(cb_table_cell(&t, i + 1, 0), cb_app_modes[modes[i]]);
            for (int kind = 0; kind < CB_APPS_KINDS; kind++) {
                struct cb_apps_summary s = cb_apps_summary_of(
                    pairs, (enum cb_apps_ratio)(CB_APPS_COOPERATION + i), (enum cb_apps_kind)kind);
                format_ratio(cb_table_cell(&t, i + 1, 1 + 2 * kind), s.mean);
                format_worst(cb_table_cell(&t, i + 1, 2 + 2 * kind), &s);
            }
        }
        fputs("\nCooperation without multitasking (FSE'17 Tab. 2)\n\n", out);
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* ---- Systems --------------------------------------------------------------------------------- */

/* The mean price of portability without a protocol, with ids in this order and the same barrier;
 * NaN: not measured. */
static double price_without(const struct cb_apps_pairs *all, const struct cb_apps_pairs *system,
                            const char *ids)
{
    struct cb_apps_pairs other = cb_apps_first_system(all);
    for (; other.n > 0; other = cb_apps_next_system(all, &other))
        if (strcmp(other.list->protocol, "unsafe") == 0 && strcmp(other.list->ids, ids) == 0 &&
            strcmp(other.list->barrier, system->list->barrier) == 0 &&
            strcmp(other.list->variant, system->list->variant) == 0)
            return cb_apps_summary_of(&other, CB_APPS_PORTABILITY, CB_APPS_ALL).mean;
    return NAN;
}

static void fill_system(const struct cb_table *t, int line, const struct cb_apps_pairs *all,
                        const struct cb_apps_pairs *system)
{
    double price = cb_apps_summary_of(system, CB_APPS_PORTABILITY, CB_APPS_ALL).mean;
    double environment = price_without(all, system, "native");
    double without = price_without(all, system, system->list->ids);
    snprintf(cb_table_cell(t, line, 0), CB_CELL_BYTES, "%.40s", system->list->variant);
    snprintf(cb_table_cell(t, line, 1), CB_CELL_BYTES, "%.40s", system->list->protocol);
    snprintf(cb_table_cell(t, line, 2), CB_CELL_BYTES, "%.40s", system->list->ids);
    snprintf(cb_table_cell(t, line, 3), CB_CELL_BYTES, "%.40s", system->list->barrier);
    format_ratio(cb_table_cell(t, line, 4),
                 cb_apps_summary_of(system, CB_APPS_SPEEDUP, CB_APPS_ALL).mean);
    format_ratio(cb_table_cell(t, line, 5), price);
    format_ratio(cb_table_cell(t, line, 6), environment);
    format_ratio(cb_table_cell(t, line, 7), without / environment);
    format_ratio(cb_table_cell(t, line, 8), price / without);
}

/* What separates the systems, if there are several. */
static void print_systems(FILE *out, const struct cb_apps_pairs *all)
{
    static const char *const heads[] = {"variant",
                                        "protocol",
                                        "ids",
                                        "barrier",
                                        "multikernel : portable",
                                        "portable : specialised",
                                        "of it: environment",
                                        "order of ids",
                                        "protocol"};
    struct cb_apps_pairs system = cb_apps_first_system(all);
    struct cb_table t;
    int n = 0;
    for (; system.n > 0; system = cb_apps_next_system(all, &system))
        n++;
    if (n > 1 && cb_table_open(1 + n, CB_COUNTOF(heads), ~15u, &t)) {
        for (size_t c = 0; c < CB_COUNTOF(heads); c++)
            strcpy(cb_table_cell(&t, 0, (int)c), heads[c]);
        system = cb_apps_first_system(all);
        for (int line = 1; line <= n; line++, system = cb_apps_next_system(all, &system))
            fill_system(&t, line, all, &system);
        fputs("\nSystems beside each other: geometric means over their inputs. The price of "
              "portability is that of an\nenvironment which the kernel is told, with native ids "
              "(protocol unsafe), times that of ids in\nanother order (unsafe, too: --ids), times "
              "that of the protocol.\n\n",
              out);
        cb_table_print(out, &t);
        cb_table_free(&t);
    }
}

static void print_system(FILE *out, const struct cb_apps_pairs *pairs)
{
    print_times(out, pairs);
    if (has_ratios(pairs))
        print_ratios(out, pairs);
    if (has_ratio(pairs, CB_APPS_COOPERATION) || has_ratio(pairs, CB_APPS_COOPERATION_PORTABLE))
        print_cooperation(out, pairs);
}

static void pair_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%.40s [%.80s]", cb_row_text(row, "app"),
             cb_row_text(row, "input_name"));
}

/* Prints notes on what is measured; tunings print theirs themselves. */
static void print_notes(FILE *out, const cJSON *run, const char *device)
{
    struct cb_rows measured = {.run = run, .bench = "apps", .device = device};
    cb_rows_lack(&measured, "sizes");
    cb_rows_lack(&measured, CB_APPS_BOUND);
    cb_rows_print_notes(out, &measured, pair_cell);
}

void cb_apps_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        const char *id = cb_json_text(device, "id", "");
        struct cb_apps_pairs pairs = cb_apps_pairs_of(run, id);
        struct cb_apps_pairs system = cb_apps_first_system(&pairs);
        if (pairs.n > 0)
            fprintf(out, "\n%s\n", cb_json_text(device, "name", ""));
        for (; system.n > 0; system = cb_apps_next_system(&pairs, &system))
            print_system(out, &system);
        print_systems(out, &pairs);
        print_notes(out, run, id);
        if (pairs.n > 0)
            cb_apps_report_tuning(out, run, id);
        cb_apps_report_bounds(out, run, id);
        cb_apps_pairs_free(&pairs);
    }
}
