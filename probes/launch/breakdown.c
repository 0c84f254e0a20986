/* SPDX-License-Identifier: Apache-2.0
 *
 * KLAP'16 Fig. 9: parts of the time of parents with children, a stacked bar for each launcher.
 */
#include <math.h>

#include "measure/text/json.h"
#include "probes/launch/cells.h"
#include "probes/launch/panels.h"
#include "probes/launch/plan.h"
#include "probes/launch/report.h"

static const char *const parts[] = {"parent_time", "aggregation_time", "launch_time", "work_time"};
static const char *const launchers[] = {CB_LAUNCH_THREAD,     CB_LAUNCH_WARP, CB_LAUNCH_BLOCK,
                                        CB_LAUNCH_MULTIBLOCK, CB_LAUNCH_GRID, CB_LAUNCH_AHEAD};

/* A part's time; NaN: it was not measured. */
static double part_of(const cJSON *row, size_t part)
{
    return cb_json_metric(row, parts[part], "median");
}

/* The sum of all parts; NaN: not all were measured. */
static double sum_of(const cJSON *row)
{
    double sum = 0;
    for (size_t i = 0; i < CB_COUNTOF(parts); i++)
        sum += part_of(row, i);
    return sum;
}

/* Position of a bar, and the time that its group is compared with. */
struct position {
    int group, launcher;
    const char *name; /* name of the group */
    double whole_ns;
};

static void write_bar(FILE *out, const struct cb_launch_panel *panel,
                      const struct position *position, const cJSON *row)
{
    char variant[CB_CELL_BYTES];
    cb_launch_name(row, variant);
    fprintf(out, "%d\t%d\t%d", panel->number, position->group, position->launcher);
    cb_figure_text(out, panel->title);
    cb_figure_text(out, position->name);
    cb_figure_text(out, launchers[position->launcher]);
    cb_figure_text(out, variant);
    for (size_t i = 0; i < CB_COUNTOF(parts); i++)
        cb_figure_number(out, part_of(row, i) / position->whole_ns);
    cb_figure_number(out, position->whole_ns);
    fputc('\n', out);
}

/* The row with plain launches; NULL: it has no parts. */
static const cJSON *whole_of(const struct cb_rows *program)
{
    static const char *const plain_launchers[] = {CB_LAUNCH_THREAD, NULL};
    const cJSON *plain = cb_launch_plain(program, plain_launchers);
    return plain && sum_of(plain) > 0 ? plain : NULL;
}

/* Writes the bars of a program; returns their number. */
static int write_program(FILE *out, const struct cb_launch_panel *panel, const cJSON *first,
                         int group)
{
    struct cb_rows rows = panel->rows;
    int bars = 0;
    cb_rows_like(&rows, first, "program");
    const cJSON *whole = whole_of(&rows);
    for (size_t l = 0; l < CB_COUNTOF(launchers) && whole; l++) {
        struct cb_rows by = rows;
        cb_rows_is(&by, "launcher", launchers[l]);
        const cJSON *row = cb_launch_least(&by, sum_of);
        const struct position position = {group, (int)l, cb_row_text(first, "program"),
                                          sum_of(whole)};
        if (!row)
            continue;
        write_bar(out, panel, &position, row);
        bars++;
    }
    return bars;
}

static int write_panel(FILE *out, const struct cb_launch_panel *panel, void *context)
{
    int groups = 0, bars = 0;
    (void)context;
    for (int i = 0; i < panel->programs; i++) {
        int more = write_program(out, panel, panel->firsts[i], groups);
        groups += more > 0;
        bars += more;
    }
    return bars;
}

int cb_launch_write_breakdown(FILE *out, cJSON *const *runs, int n)
{
    fputs("# panel_number\tgroup_number\tlauncher_number\tpanel\tgroup\tlauncher\tvariant\tparent"
          "\taggregation\tlaunch\twork\twhole_ns\n",
          out);
    return cb_launch_write_panels(out, runs, n, CB_LAUNCH_BREAKDOWN, write_panel, NULL);
}
