/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/preempt/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/figure.h"
#include "measure/text/json.h"
#include "probes/preempt/table3.h"

/* Sides of the picture: the model, and those of the table. */
static const char *const names[] = {"preemption, model P/(P-D)", "preemption, measured",
                                    "cooperative, fewest workgroups in time",
                                    "cooperative, soonest answer"};

static void write_statistics(FILE *out, const cJSON *item)
{
    cb_figure_number(out, cb_json_metric(item, "answer_time", "median"));
    cb_figure_number(out, cb_json_metric(item, "answer_time", "p95"));
    cb_figure_number(out, cb_json_metric(item, "overhead", "median"));
    cb_figure_number(out, cb_json_metric(item, "overhead", "q1"));
    cb_figure_number(out, cb_json_metric(item, "overhead", "q3"));
}

/* In the model, a task starts at once and takes its duration. */
static void write_model(FILE *out, const struct cb_tab3_row *row)
{
    double overhead = cb_tab3_model(row);
    cb_figure_number(out, row->duration_ns);
    cb_figure_number(out, NAN);
    cb_figure_number(out, overhead);
    cb_figure_number(out, overhead);
    cb_figure_number(out, overhead);
}

/* An app on a device: its number among all. */
struct panel {
    int number;
    const char *app, *input, *variant;
    char device[CB_LABEL_BYTES];
};

static void write_row(FILE *out, const struct panel *panel, int workload, int side,
                      const struct cb_tab3_row *row)
{
    const char *groups = side > 0 ? row->side[side - 1].groups : "";
    fprintf(out, "%d\t%d\t%d", panel->number, workload, side);
    cb_figure_text(out, panel->device);
    char input[CB_LABEL_BYTES];
    snprintf(input, sizeof input, "%.100s%s%.20s", panel->input, *panel->variant ? ", " : "",
             panel->variant);
    cb_figure_two_texts(out, panel->app, input);
    cb_figure_text(out, row->workload);
    cb_figure_text(out, names[side]);
    cb_figure_text(out, groups);
    cb_figure_number(out, row->period_ns);
    if (side == 0)
        write_model(out, row);
    else
        write_statistics(out, row->side[side - 1].item);
    fputc('\n', out);
}

/* A block: the sides of an app, workload by workload. */
static int write_panel(FILE *out, const struct panel *panel, const struct cb_tab3_row *rows, int n)
{
    int written = 0, workload = 0;
    for (int i = 0; i < n; i++) {
        if (strcmp(rows[i].app, panel->app) != 0 || strcmp(rows[i].input, panel->input) != 0 ||
            strcmp(rows[i].variant, panel->variant) != 0)
            continue;
        for (int side = 0; side <= CB_TAB3_SIDES; side++)
            if (side == 0 || rows[i].side[side - 1].item) {
                write_row(out, panel, workload, side, &rows[i]);
                written++;
            }
        workload++;
    }
    return written;
}

static bool begins_panel(const struct cb_tab3_row *rows, int i)
{
    bool begins = *rows[i].app != '\0';
    for (int k = 0; k < i; k++)
        begins = begins && (strcmp(rows[k].app, rows[i].app) != 0 ||
                            strcmp(rows[k].input, rows[i].input) != 0 ||
                            strcmp(rows[k].variant, rows[i].variant) != 0);
    return begins;
}

/* The apps of a device. *panels: so far. */
static int write_place(FILE *out, const struct cb_run_device *places, int n_places, int place,
                       int *panels)
{
    struct cb_tab3_row *rows;
    int n = cb_tab3_of(places[place].run, cb_json_text(places[place].device, "id", ""), &rows);
    int written = 0;
    for (int i = 0; i < n; i++) {
        struct panel panel = {*panels, rows[i].app, rows[i].input, rows[i].variant, ""};
        if (!begins_panel(rows, i))
            continue;
        cb_figure_label_device(places, n_places, place, panel.device);
        fputs(*panels > 0 ? "\n\n" : "", out);
        written += write_panel(out, &panel, rows, n);
        ++*panels;
    }
    free(rows);
    return written;
}

static int write_tab3(FILE *out, cJSON *const *runs, int n)
{
    struct cb_run_device *places;
    int n_places = cb_run_devices(runs, n, NULL, &places), rows = 0, panels = 0;
    fputs("# panel_number\tworkload_number\tside_number\tdevice\tapp\tworkload\tside\tgroups"
          "\tperiod_goal_ns\tanswer_median_ns\tanswer_p95_ns\toverhead_median\toverhead_q1"
          "\toverhead_q3\n",
          out);
    for (int i = 0; i < n_places; i++)
        rows += write_place(out, places, n_places, i, &panels);
    free(places);
    return rows;
}

const struct cb_figure cb_preempt_figures[] = {
    {"fse17_tab3", "plots/preempt_tab3.gp",
     "Answer time of urgent tasks, and what they cost a long kernel", write_tab3},
    {0},
};
