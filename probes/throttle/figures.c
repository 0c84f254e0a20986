/* SPDX-License-Identifier: Apache-2.0
 *
 * The data files of the pictures: tab-separated columns under a comment line that names them, a
 * block for each curve.
 */
#include "probes/throttle/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/figure.h"
#include "analysis/documents/folder.h"
#include "measure/text/json.h"
#include "probes/throttle/report.h"

/* ---- Progress and power against active workgroups -------------------------------------------- */

static const char *const curve[] = {"app", NULL};

/* The progress of a row over that of its app with the most workgroups; NaN if it has none. */
static double share_of(const cJSON *run, const cJSON *row)
{
    double progress = cb_json_metric(row, "progress", "median");
    double full = cb_throttle_full_progress(run, row);
    return progress > 0 && full > 0 ? progress / full : NAN;
}

/* The steps of a device, curve by curve, by their workgroups; the list is the caller's to free. */
static int list_steps(const struct cb_run_device *run_device, const cJSON ***steps)
{
    struct cb_rows rows = cb_figure_rows(run_device, "throttle");
    cb_rows_have(&rows, "step");
    int n = cb_rows_list(&rows, steps), kept = 0;
    for (int i = 0; i < n; i++)
        if (share_of(run_device->run, (*steps)[i]) > 0)
            (*steps)[kept++] = (*steps)[i];
    cb_rows_sort(*steps, kept, curve, "active");
    return kept;
}

/* Appends a point of a curve, to those of its device. */
static void write_step(FILE *out, int run_device, const char *device, const cJSON *run,
                       const cJSON *row)
{
    fprintf(out, "%d", run_device);
    cb_figure_text(out, device);
    cb_figure_text(out, cb_row_text(row, "app"));
    cb_figure_number(out, cb_json_metric(row, "active", "median"));
    cb_figure_number(out, share_of(run, row));
    cb_figure_number(out, cb_json_metric(row, "power", "median"));
    cb_figure_number(out, cb_json_metric(row, "idle_power", "median"));
    cb_figure_number(out, cb_json_metric(row, "progress_per_watt", "median"));
    fputc('\n', out);
}

/* A block is a curve. */
static int write_run_device(FILE *out, const struct cb_run_device *run_devices, int n_run_devices,
                            int run_device, int rows_before)
{
    char label[CB_LABEL_BYTES];
    const cJSON **steps;
    int n = list_steps(&run_devices[run_device], &steps);
    cb_figure_label_device(run_devices, n_run_devices, run_device, label);
    for (int i = 0; i < n; i++) {
        bool begins = i == 0 || !cb_rows_same(steps[i - 1], steps[i], curve);
        fputs(begins && rows_before + i > 0 ? "\n\n" : "", out);
        write_step(out, run_device, label, run_devices[run_device].run, steps[i]);
    }
    free(steps);
    return n;
}

/* Keeps the devices that have steps. */
static int keep_with_steps(struct cb_run_device *run_devices, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        const cJSON **rows;
        if (list_steps(&run_devices[i], &rows) > 0)
            run_devices[kept++] = run_devices[i];
        free(rows);
    }
    return kept;
}

static int write_curves(FILE *out, cJSON *const *runs, int n)
{
    struct cb_run_device *run_devices;
    int n_run_devices = cb_run_devices(runs, n, "throttle", &run_devices), rows = 0;
    n_run_devices = keep_with_steps(run_devices, n_run_devices);
    fputs("# device_number\tdevice\tapp\tactive\tprogress_share\tpower_w\tidle_w\truns_per_joule\n",
          out);
    for (int i = 0; i < n_run_devices; i++)
        rows += write_run_device(out, run_devices, n_run_devices, i, rows);
    free(run_devices);
    return rows;
}

/* ---- Power over time ------------------------------------------------------------------------- */

/* Appends the lines of a trace, with the number and the title of its panel in front. */
static int copy_trace(FILE *out, FILE *in, int panel, const char *title, bool first)
{
    char line[256];
    int rows = 0;
    while (in && fgets(line, sizeof line, in)) {
        if (line[0] == '#')
            continue;
        fputs(rows == 0 && !first ? "\n\n" : "", out);
        fprintf(out, "%d", panel);
        cb_figure_text(out, title);
        fprintf(out, "\t%s", line);
        rows++;
    }
    return rows;
}

/* "NVIDIA H200: color, at most 300 W" */
static void name_trace(char title[CB_LABEL_BYTES], const cJSON *device, const cJSON *row)
{
    double cap = cb_row_number(row, "power-cap");
    char what[64];
    snprintf(what, sizeof what, isnan(cap) ? ", schedule" : ", at most %g W", cap);
    title[0] = '\0';
    cb_figure_label_append(title, cb_json_text(device, "name", ""));
    strncat(title, ": ", CB_LABEL_BYTES - strlen(title) - 1);
    cb_figure_label_append(title, cb_row_text(row, "app"));
    strncat(title, what, CB_LABEL_BYTES - strlen(title) - 1);
}

/* A panel is a trace: of a cap, or of all steps of a schedule. */
static int write_panels(FILE *out, const struct cb_run_device *run_device, int *panels,
                        int rows_before)
{
    static const char *const trace[] = {"trace", NULL};
    struct cb_rows traced = cb_figure_rows(run_device, "throttle");
    const cJSON **firsts;
    int rows = 0;
    cb_rows_have(&traced, "trace");
    int n = cb_rows_distinct(&traced, trace, &firsts);
    for (int i = 0; i < n; i++) {
        char title[CB_LABEL_BYTES];
        name_trace(title, run_device->device, firsts[i]);
        FILE *in = cb_run_open_signed(cb_row_text(firsts[i], "trace"), run_device->run);
        int added = copy_trace(out, in, *panels, title, rows_before + rows == 0);
        if (in)
            fclose(in);
        *panels += added > 0;
        rows += added;
    }
    free(firsts);
    return rows;
}

static int write_traces(FILE *out, cJSON *const *runs, int n)
{
    struct cb_run_device *run_devices;
    int n_run_devices = cb_run_devices(runs, n, "throttle", &run_devices), panels = 0, rows = 0;
    fputs("# panel_number\tpanel\ttime_s\tpower_w\tactive\tidle_w\tcap_w\n", out);
    for (int i = 0; i < n_run_devices; i++)
        rows += write_panels(out, &run_devices[i], &panels, rows);
    free(run_devices);
    return rows;
}

const struct cb_figure cb_throttle_figures[] = {
    {"throttle", "plots/throttle.gp", "Progress and power against active workgroups", write_curves},
    {"throttle_power", "plots/throttle_power.gp", "Power and active workgroups over time",
     write_traces},
    {0},
};
