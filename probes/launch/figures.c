/* SPDX-License-Identifier: Apache-2.0
 *
 * The data files of the pictures: tab-separated columns under a comment line that names them. A
 * block is a panel; two empty lines separate it from the next.
 */
#include "probes/launch/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/nested/programs/programs.h"
#include "measure/text/json.h"
#include "probes/launch/cells.h"
#include "probes/launch/occupancy.h"
#include "probes/launch/panels.h"
#include "probes/launch/plan.h"
#include "probes/launch/report.h"

#define MOST_SERIES 32
#define MEAN        "geometric mean"

/* One launcher over all programs. */
struct series {
    const cJSON *first; /* its first row */
    bool is_line;       /* a launcher without launches is a line instead of a bar */
    char name[CB_CELL_BYTES];
};

/* A picture: a ratio of each launcher of a program to plain launches. */
struct bars {
    const char *kind;
    const char *ratio_name;
    const char *const *launchers; /* launchers in the picture's order; ends with NULL */
    const char *line;             /* the launcher without launches */
    const char *const *plain;
    bool of_least_input; /* all inputs are compared with plain launches of the smallest */
    double (*ratio)(const cJSON *plain, const cJSON *row);
    struct series series[MOST_SERIES];
    int n_series;
};

static double speedup_of(const cJSON *plain, const cJSON *row)
{
    return cb_launch_time(plain) / cb_launch_time(row);
}

static double throughput_of(const cJSON *plain, const cJSON *row)
{
    return cb_json_metric(row, "rate", "median") / cb_json_metric(plain, "rate", "median");
}

/* ---- Series ---------------------------------------------------------------------------------- */

static const char *const details[] = {"launcher", "descendants", NULL};

static bool has_series(const struct bars *b, const cJSON *row)
{
    int s = 0;
    while (s < b->n_series && !cb_rows_same(b->series[s].first, row, details))
        s++;
    return s < b->n_series;
}

/* Adds a series, which its name tells apart: "PAO-128". */
static void add_series(struct bars *b, const cJSON *row)
{
    struct series *s = &b->series[b->n_series];
    const char *launcher = cb_row_text(row, "launcher"),
               *descendants = cb_row_text(row, "descendants");
    if (b->n_series == MOST_SERIES || has_series(b, row))
        return;
    *s = (struct series){.first = row, .is_line = strcmp(launcher, b->line) == 0};
    snprintf(s->name, sizeof s->name, "%.15s%s%.15s", launcher, *descendants ? "-" : "",
             descendants);
    b->n_series++;
}

/* Adds the series of a launcher that a device has. */
static void find_series(struct bars *b, const struct cb_run_device *run_device,
                        const char *launcher)
{
    struct cb_rows rows = cb_figure_rows(run_device, "launch");
    const cJSON **firsts;
    cb_rows_is(&rows, "kind", b->kind);
    cb_rows_is(&rows, "launcher", launcher);
    int n = cb_rows_distinct(&rows, details, &firsts);
    for (int i = 0; i < n; i++)
        add_series(b, firsts[i]);
    free(firsts);
}

static void find_all_series(struct bars *b, cJSON *const *runs, int n)
{
    struct cb_run_device *run_devices;
    int n_run_devices = cb_run_devices(runs, n, "launch", &run_devices);
    for (int l = 0; b->launchers[l]; l++)
        for (int i = 0; i < n_run_devices; i++)
            find_series(b, &run_devices[i], b->launchers[l]);
    free(run_devices);
}

/* ---- A panel --------------------------------------------------------------------------------- */

/* A program that has the ratio, or the mean. */
struct group {
    int number;
    const char *name;
    bool is_mean;
};

struct bar {
    int series;
    double ratio;
    const cJSON *row; /* NULL: a mean */
    int programs;     /* number of programs in the mean */
};

static void write_bar(FILE *out, const struct bars *b, const struct cb_launch_panel *panel,
                      const struct group *group, const struct bar *bar)
{
    const struct series *series = &b->series[bar->series];
    char variant[CB_CELL_BYTES];
    snprintf(variant, sizeof variant, "%s", series->name);
    if (bar->row)
        cb_launch_name(bar->row, variant);
    fprintf(out, "%d\t%d\t%d\t%d\t%d\t%d\t%d", panel->number, panel->device, group->number,
            group->is_mean, bar->series, series->is_line, bar->programs);
    cb_figure_text(out, panel->title);
    cb_figure_text(out, group->name);
    cb_figure_text(out, series->name);
    cb_figure_text(out, variant);
    cb_figure_text(out, b->ratio_name);
    cb_figure_number(out, bar->ratio);
    cb_figure_number(out, bar->row ? cb_launch_time(bar->row) : NAN);
    fputc('\n', out);
}

/* The row of a series; of several the fastest. */
static const cJSON *row_of(const struct cb_rows *program, const struct series *series)
{
    struct cb_rows rows = *program;
    cb_rows_like(&rows, series->first, "launcher");
    cb_rows_like(&rows, series->first, "descendants");
    return cb_launch_least(&rows, cb_launch_time);
}

/* The row that a program's ratios are relative to. */
static const cJSON *plain_of(const struct bars *b, const struct cb_rows *program)
{
    const cJSON *plain = NULL;
    if (!b->of_least_input)
        return cb_launch_plain(program, b->plain);
    for (int s = 0; cb_launch_size_names[s] && !plain; s++) {
        struct cb_rows rows = {
            .run = program->run, .bench = program->bench, .device = program->device, .ok = true};
        cb_rows_like(&rows, cb_rows_next(program, NULL), "program");
        cb_rows_is(&rows, "size", cb_launch_size_names[s]);
        plain = cb_launch_plain(&rows, b->plain);
    }
    return plain;
}

/* Names a group: "bfs_nested", or "bfs_nested (host)" if its plain launches are not by the first
 * launcher. */
static void name_group(const struct bars *b, const cJSON *plain, char name[CB_CELL_BYTES])
{
    const char *launcher = cb_row_text(plain, "launcher");
    const bool is_first = strcmp(launcher, b->plain[0]) == 0;
    snprintf(name, CB_CELL_BYTES, is_first ? "%.20s" : "%.20s (%.10s)",
             cb_row_text(plain, "program"), launcher);
}

#define OR_IS(id, what, takes) || strcmp(program, #id) == 0

/* Whether a program is of the paper, and so in the mean. */
static bool is_of_paper(const char *program)
{
    return !(false CB_NEST_MORE(OR_IS) CB_NEST_FILLS(OR_IS));
}

/* Sums over the paper's programs in a panel, by series. */
struct means {
    double logs[MOST_SERIES];
    int n[MOST_SERIES], programs;
};

/* Writes the bars of a program; returns their number. */
static int write_program(FILE *out, const struct bars *b, const struct cb_launch_panel *panel,
                         const cJSON *first, int number, struct means *means)
{
    struct cb_rows rows = panel->rows;
    char name[CB_CELL_BYTES];
    int bars = 0;
    cb_rows_like(&rows, first, "program");
    const cJSON *plain = plain_of(b, &rows);
    if (!plain)
        return 0;
    name_group(b, plain, name);
    const struct group group = {number, name, false};
    const bool counts = is_of_paper(cb_row_text(plain, "program"));
    means->programs += counts;
    for (int s = 0; s < b->n_series; s++) {
        const cJSON *row = row_of(&rows, &b->series[s]);
        const struct bar bar = {s, row ? b->ratio(plain, row) : NAN, row, 0};
        if (!(bar.ratio > 0))
            continue;
        write_bar(out, b, panel, &group, &bar);
        bars++;
        means->logs[s] += counts ? log(bar.ratio) : 0;
        means->n[s] += counts;
    }
    return bars;
}

/* Writes the bars of the geometric means; returns their number. */
static int write_means(FILE *out, const struct bars *b, const struct cb_launch_panel *panel,
                       int number, const struct means *means)
{
    const struct group group = {number, MEAN, true};
    int bars = 0;
    for (int s = 0; s < b->n_series && means->programs > 1; s++) {
        const struct bar bar = {s, exp(means->logs[s] / means->n[s]), NULL, means->n[s]};
        if (means->n[s] > 0) {
            write_bar(out, b, panel, &group, &bar);
            bars++;
        }
    }
    return bars;
}

static int write_panel(FILE *out, const struct cb_launch_panel *panel, void *context)
{
    const struct bars *b = context;
    struct means means = {0};
    int groups = 0, points = 0;
    for (int i = 0; i < panel->programs; i++) {
        int more = write_program(out, b, panel, panel->firsts[i], groups, &means);
        groups += more > 0;
        points += more;
    }
    return points + write_means(out, b, panel, groups, &means);
}

static int write_bars(FILE *out, cJSON *const *runs, int n, struct bars *b)
{
    find_all_series(b, runs, n);
    fputs("# panel_number\tdevice_number\tgroup_number\tis_mean\tbar_number\tis_line\tprograms"
          "\tpanel\tgroup\tbar\tvariant\tratio_name\tratio\ttime_ns\n",
          out);
    const bool compares = b->n_series > 1;
    return compares ? cb_launch_write_panels(out, runs, n, b->kind, write_panel, b) : 0;
}

/* ---- Pictures -------------------------------------------------------------------------------- */

static int write_fig8(FILE *out, cJSON *const *runs, int n)
{
    static const char *const launchers[] = {CB_LAUNCH_THREAD,     CB_LAUNCH_WARP,   CB_LAUNCH_BLOCK,
                                            CB_LAUNCH_MULTIBLOCK, CB_LAUNCH_GRID,   CB_LAUNCH_AHEAD,
                                            CB_LAUNCH_FLAT,       CB_LAUNCH_SERIAL, NULL};
    static const char *const plain[] = {CB_LAUNCH_THREAD, CB_LAUNCH_HOST, NULL};
    struct bars b = {.kind = CB_LAUNCH_AGGREGATION,
                     .ratio_name = "Speedup over each launch on its own",
                     .launchers = launchers,
                     .line = CB_LAUNCH_SERIAL,
                     .plain = plain,
                     .ratio = speedup_of};
    return write_bars(out, runs, n, &b);
}

static int write_fig10(FILE *out, cJSON *const *runs, int n)
{
    static const char *const launchers[] = {
        CB_LAUNCH_HOST, CB_LAUNCH_TAIL, CB_LAUNCH_P,    CB_LAUNCH_PO,
        CB_LAUNCH_PA,   CB_LAUNCH_PAO,  CB_LAUNCH_LOOP, NULL};
    static const char *const plain[] = {CB_LAUNCH_TAIL, CB_LAUNCH_HOST, NULL};
    struct bars b = {.kind = CB_LAUNCH_PROMOTION,
                     .ratio_name = "Throughput : as written, smallest input",
                     .launchers = launchers,
                     .line = CB_LAUNCH_LOOP,
                     .plain = plain,
                     .of_least_input = true,
                     .ratio = throughput_of};
    return write_bars(out, runs, n, &b);
}

const struct cb_figure cb_launch_figures[] = {
    {"klap16_fig8", "plots/launch_bars.gp", "Launches of children, aggregated", write_fig8},
    {"klap16_fig9", "plots/launch_breakdown.gp", "Where launches of children spend their time",
     cb_launch_write_breakdown},
    {"klap16_fig10", "plots/launch_bars.gp", "Programs that launch themselves, promoted",
     write_fig10},
    {"klap16_fig11", "plots/launch_occupancy.gp", "Steps that run at once, and what they do",
     cb_occupancy_write_steps},
    {"klap16_children", "plots/launch_occupancy.gp", "Children that run at once, and how many",
     cb_occupancy_write_children},
    {0},
};
