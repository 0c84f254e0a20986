/* SPDX-License-Identifier: Apache-2.0
 *
 * What --occupancy found: tables, a sentence, and KLAP'16's Fig. 11.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "probes/launch/cells.h"
#include "probes/launch/occupancy.h"
#include "probes/launch/panels.h"
#include "probes/launch/plan.h"
#include "probes/launch/report.h"

/* What is said of programs of each kind. */
static const struct kind {
    const char *id;
    const char *title;
    const char *runs;      /* what runs at once */
    const char *rate;      /* metric of the rate */
    const char *plain[3];  /* plain launchers, up to a NULL */
    const char *rate_unit; /* unit of the rate, a second */
} kinds[] = {
    {CB_LAUNCH_CHILDREN,
     "Children that run at once, in workgroups",
     "workgroups of children",
     "launch_rate",
     {CB_LAUNCH_THREAD, CB_LAUNCH_HOST},
     "children"},
    {CB_LAUNCH_STEPS,
     "Steps that run at once (KLAP'16 Fig. 11)",
     "steps",
     "rate",
     {CB_LAUNCH_TAIL, CB_LAUNCH_HOST},
     "elements"},
};

static double at_once(const cJSON *row)
{
    return cb_json_metric(row, "at_once", "median");
}

/* How many can run at once on the device of the rows: on a CPU no more than it has units, since
 * what is more has begun and takes turns. INFINITY: on others it is not known. */
static double most_at_once(const struct cb_rows *rows)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(rows->run, "devices"))
        if (rows->device && strcmp(cb_json_text(device, "id", ""), rows->device) == 0 &&
            strcmp(cb_json_text(device, "type", ""), "cpu") == 0)
            return fmax(1, cb_json_number(device, "compute_units"));
    return INFINITY;
}

static double tenth_of(const cJSON *row, int tenth)
{
    return cb_json_metric(row, cb_occupancy_tenths[tenth], "median");
}

/* ---- Tables ---------------------------------------------------------------------------------- */

#define TURNS "turns" /* in the place of a number that is no parallelism */

/* Formats "17.3". */
static void at_once_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    if (isnan(at_once(row)))
        strcpy(cell, "-");
    else if (at_once(row) > most_at_once(rows))
        strcpy(cell, TURNS);
    else
        snprintf(cell, CB_CELL_BYTES, "%.3g", at_once(row));
}

/* A block for each tenth of the time, as high as its share of the highest. */
static void over_time_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const double levels = CB_COUNTOF(blocks) - 1;
    double most = 0;
    size_t used = 0;
    (void)rows;
    for (int t = 0; t < CB_OCCUPANCY_TENTHS; t++)
        most = fmax(most, tenth_of(row, t));
    strcpy(cell, "-");
    for (int t = 0; t < CB_OCCUPANCY_TENTHS && most > 0; t++) {
        const double level = fmax(0, tenth_of(row, t) / most * levels); /* NaN: a blank, too */
        used += (size_t)snprintf(cell + used, CB_CELL_BYTES - used, "%s", blocks[(int)ceil(level)]);
    }
}

static void rate_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    double rate = NAN;
    (void)rows;
    for (size_t k = 0; k < CB_COUNTOF(kinds); k++)
        if (strcmp(cb_row_text(row, "kind"), kinds[k].id) == 0)
            rate = cb_json_metric(row, kinds[k].rate, "median");
    cb_launch_millions(cell, rate);
}

#define COLUMNS(of_rate)                                                                           \
    {.head = "program", .param = "program"},                                                       \
        {.head = "launcher", .fill = cb_launch_cell, .left = true},                                \
        {"time", "run_time", "median", CB_FORM_TIME}, {.head = of_rate, .fill = rate_cell},        \
        {.head = "at once", .fill = at_once_cell},                                                 \
    {                                                                                              \
        .head = "over time", .fill = over_time_cell, .left = true                                  \
    }

static const struct cb_column children_columns[] = {COLUMNS("children a second")};
static const struct cb_column steps_columns[] = {COLUMNS("elements a second"),
                                                 {"waiting", "waiting", "median", CB_FORM_SHARE}};

/* Says why numbers of a table are missing. */
static void explain_turns(FILE *out, const struct cb_rows *of_size)
{
    struct cb_rows rows = *of_size;
    const double most = most_at_once(of_size);
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        if (!(at_once(row) > most))
            continue;
        fprintf(out,
                "\n" TURNS ": more had begun than the device has compute units (%.0f), and took "
                "turns. How many run at once takes a device with enough units.\n",
                most);
        return;
    }
}

void cb_occupancy_report(FILE *out, const struct cb_rows *of_size)
{
    cb_launch_print_kind(out, of_size, kinds[0].id, kinds[0].title, children_columns,
                         (int)CB_COUNTOF(children_columns));
    cb_launch_print_kind(out, of_size, kinds[1].id, kinds[1].title, steps_columns,
                         (int)CB_COUNTOF(steps_columns));
    explain_turns(out, of_size);
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* A launcher's gain: geometric means, over programs, of its ratio to plain launches. */
struct gain {
    const cJSON *row;
    double at_once, rate;
    int n;
};

static struct gain gain_of(const struct kind *kind, struct cb_rows rows, const cJSON *first)
{
    struct gain g = {.row = first};
    const double most = most_at_once(&rows);
    const struct cb_rows all = rows;
    cb_launch_like(&rows, first);
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        struct cb_rows program = all;
        cb_rows_like(&program, row, "program");
        const cJSON *plain = cb_launch_plain(&program, kind->plain);
        const bool runs = plain && at_once(row) <= most && at_once(plain) <= most;
        const double more = runs ? at_once(row) / at_once(plain) : NAN,
                     faster = plain ? cb_json_metric(row, kind->rate, "median") /
                                          cb_json_metric(plain, kind->rate, "median")
                                    : NAN;
        if (!(more > 0 && faster > 0))
            continue;
        g.at_once += log(more);
        g.rate += log(faster);
        g.n++;
    }
    g.at_once = exp(g.at_once / g.n);
    g.rate = exp(g.rate / g.n);
    return g;
}

/* The launcher with the most at once, among those that most programs were measured with. */
static struct gain best_gain(const struct kind *kind, const struct cb_rows *of_size)
{
    const cJSON **firsts;
    struct gain best = {.at_once = 1};
    int n = cb_rows_distinct(of_size, cb_launch_details, &firsts);
    for (int i = 0; i < n; i++) {
        const struct gain g = gain_of(kind, *of_size, firsts[i]);
        if (g.n > best.n || (g.n > 0 && g.n == best.n && g.at_once > best.at_once))
            best = g;
    }
    free(firsts);
    return best;
}

static void find_kind(struct cb_findings *f, const struct kind *kind)
{
    struct cb_rows rows = cb_findings_rows(f);
    char name[CB_CELL_BYTES];
    cb_rows_is(&rows, "kind", kind->id);
    const cJSON *first = cb_rows_next(&rows, NULL);
    if (!first)
        return;
    cb_rows_like(&rows, first, "size");
    const struct gain best = best_gain(kind, &rows);
    if (!best.row || best.at_once <= 1)
        return;
    cb_launch_name(best.row, name);
    cb_finding_add(f, "occupancy",
                   "With `%s`, %.3g times as many %s run at once as with each launch on its own, "
                   "and %.3g times as many %s are done a second (geometric means of %d programs, "
                   "%s).",
                   name, best.at_once, kind->runs, best.rate, kind->rate_unit, best.n,
                   cb_launch_inputs(cb_row_text(best.row, "size")));
}

void cb_occupancy_find(struct cb_findings *f)
{
    for (size_t k = 0; k < CB_COUNTOF(kinds); k++)
        find_kind(f, &kinds[k]);
}

/* ---- Pictures -------------------------------------------------------------------------------- */

/* Writes a row for each tenth of the time. bar: the bar's number in the panel. */
static void write_bar(FILE *out, const struct cb_launch_panel *panel, const struct kind *kind,
                      const cJSON *row, int group, int bar)
{
    char name[CB_CELL_BYTES];
    cb_launch_name(row, name);
    for (int t = 0; t < CB_OCCUPANCY_TENTHS; t++) {
        fprintf(out, "%d\t%d\t%d\t%d", panel->number, group, bar, t);
        cb_figure_text(out, panel->title);
        cb_figure_text(out, cb_row_text(row, "program"));
        cb_figure_text(out, name);
        cb_figure_text(out, kind->runs);
        cb_figure_text(out, kind->rate_unit);
        cb_figure_number(out, tenth_of(row, t));
        cb_figure_number(out, at_once(row));
        cb_figure_number(out, cb_json_metric(row, kind->rate, "median"));
        cb_figure_number(out, cb_json_metric(row, "waiting", "median"));
        cb_figure_number(out, cb_launch_time(row));
        fputc('\n', out);
    }
}

static int write_panel(FILE *out, const struct cb_launch_panel *panel, void *context)
{
    int bars = 0;
    for (int i = 0; i < panel->programs; i++) {
        struct cb_rows rows = panel->rows;
        cb_rows_like(&rows, panel->firsts[i], "program");
        for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
            if (!isnan(at_once(row)))
                write_bar(out, panel, context, row, i, bars++);
    }
    return bars;
}

static int write_figure(FILE *out, cJSON *const *runs, int n, const struct kind *kind)
{
    struct kind of = *kind;
    fputs("# panel_number\tgroup_number\tbar_number\ttenth\tpanel\tgroup\tbar\truns\trate_unit"
          "\tat_once\tmean_at_once\trate\twaiting\ttime_ns\n",
          out);
    return cb_launch_write_panels(out, runs, n, kind->id, write_panel, &of);
}

int cb_occupancy_write_children(FILE *out, cJSON *const *runs, int n)
{
    return write_figure(out, runs, n, &kinds[0]);
}

int cb_occupancy_write_steps(FILE *out, cJSON *const *runs, int n)
{
    return write_figure(out, runs, n, &kinds[1]);
}
