/* SPDX-License-Identifier: Apache-2.0
 *
 * The data files of the pictures: tab-separated columns under a comment line that names them, a
 * block for each curve.
 */
#include "benchmarks/throttle/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/throttle/report.h"
#include "measure/run/figure.h"
#include "measure/run/folder.h"
#include "measure/text/json.h"

static bool is_ok(const cJSON *item, const char *device)
{
    return strcmp(cb_json_text(item, "bench", ""), "throttle") == 0 &&
           strcmp(cb_json_text(item, "device", ""), device) == 0 &&
           strcmp(cb_json_text(item, "status", ""), "ok") == 0;
}

/* A row of the schedule of this app, with a progress that has that of all workgroups beside it. */
static bool is_step(const cJSON *run, const cJSON *item, const char *device, const char *app)
{
    return is_ok(item, device) && strcmp(cb_json_text(cb_json_params(item), "app", ""), app) == 0 &&
           cb_json_number(cb_json_params(item), "step") > 0 &&
           cb_json_metric(item, "progress", "median") > 0 &&
           cb_throttle_full_progress(run, device, app) > 0;
}

/* ---- Progress and power against active workgroups -------------------------------------------- */

/* Appends a point of a curve, to those of its device. */
static void write_step(FILE *out, int place, const struct cb_run_device *places, int n_places,
                       const cJSON *item)
{
    char label[CB_LABEL_BYTES];
    const char *app = cb_json_text(cb_json_params(item), "app", "");
    const char *device = cb_json_text(places[place].device, "id", "");
    double full = cb_throttle_full_progress(places[place].run, device, app);
    cb_figure_label_device(places, n_places, place, label);
    fprintf(out, "%d", place);
    cb_figure_text(out, label);
    label[0] = '\0';
    cb_figure_label_append(label, app);
    cb_figure_text(out, label);
    cb_figure_number(out, cb_json_metric(item, "active", "median"));
    cb_figure_number(out, cb_json_metric(item, "progress", "median") / full);
    cb_figure_number(out, cb_json_metric(item, "power", "median"));
    cb_figure_number(out, cb_json_metric(item, "idle_power", "median"));
    cb_figure_number(out, cb_json_metric(item, "progress_per_watt", "median"));
    fputc('\n', out);
}

static int by_active(const void *a, const void *b)
{
    double x = cb_json_metric(*(const cJSON *const *)a, "active", "median");
    double y = cb_json_metric(*(const cJSON *const *)b, "active", "median");
    return (x > y) - (x < y);
}

/* The steps of an app on a device, by their workgroups; the caller frees the list. */
static int collect(const struct cb_run_device *place, const char *app, const cJSON ***steps)
{
    const cJSON *item, *cases = cJSON_GetObjectItemCaseSensitive(place->run, "cases");
    int n = 0;
    *steps = calloc((size_t)cJSON_GetArraySize(cases) + 1, sizeof(**steps));
    cJSON_ArrayForEach (item, cases)
        if (*steps && is_step(place->run, item, cb_json_text(place->device, "id", ""), app))
            (*steps)[n++] = item;
    if (n > 0)
        qsort(*steps, (size_t)n, sizeof(**steps), by_active);
    return n;
}

/* Whether no step before it is of its app. */
static bool begins_curve(const struct cb_run_device *place, const cJSON *item)
{
    const char *app = cb_json_text(cb_json_params(item), "app", "");
    const char *device = cb_json_text(place->device, "id", "");
    const cJSON *before = cJSON_GetObjectItemCaseSensitive(place->run, "cases")->child;
    for (; before != item; before = before->next)
        if (is_step(place->run, before, device, app))
            return false;
    return is_step(place->run, item, device, app);
}

/* A block is a curve. */
static int write_place(FILE *out, const struct cb_run_device *places, int n_places, int place,
                       int rows_before)
{
    const cJSON *item;
    int rows = 0;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(places[place].run, "cases")) {
        const cJSON **steps = NULL;
        int n = begins_curve(&places[place], item)
                    ? collect(&places[place], cb_json_text(cb_json_params(item), "app", ""), &steps)
                    : 0;
        fputs(n > 0 && rows_before + rows > 0 ? "\n\n" : "", out);
        for (int i = 0; i < n; i++)
            write_step(out, place, places, n_places, steps[i]);
        rows += n;
        free(steps);
    }
    return rows;
}

static bool has_steps(const struct cb_run_device *place)
{
    const cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(place->run, "cases"))
        if (begins_curve(place, item))
            return true;
    return false;
}

static int write_curves(FILE *out, cJSON *const *runs, int n)
{
    size_t room = 1;
    int n_places = 0, rows = 0;
    const cJSON *device;
    for (int i = 0; i < n; i++)
        room += (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(runs[i], "devices"));
    struct cb_run_device *places = calloc(room, sizeof *places);
    for (int i = 0; places && i < n; i++)
        cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(runs[i], "devices")) {
            places[n_places] = (struct cb_run_device){runs[i], device};
            n_places += has_steps(&places[n_places]);
        }
    fputs("# device_number\tdevice\tapp\tactive\tprogress_share\tpower_w\tidle_w\truns_per_joule\n",
          out);
    for (int i = 0; i < n_places; i++)
        rows += write_place(out, places, n_places, i, rows);
    free(places);
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

/* Of rows that share a ride, the first. */
static bool has_new_trace(const cJSON *cases, const cJSON *item, const char *device)
{
    const char *path = cb_json_text(cb_json_params(item), "trace", NULL);
    if (!path || !is_ok(item, device))
        return false;
    for (const cJSON *before = cases->child; before != item; before = before->next)
        if (is_ok(before, device) &&
            strcmp(cb_json_text(cb_json_params(before), "trace", ""), path) == 0)
            return false;
    return true;
}

/* "NVIDIA H200: color, at most 300 W" */
static void name_trace(char title[CB_LABEL_BYTES], const cJSON *device, const cJSON *item)
{
    double cap = cb_json_number(cb_json_params(item), "power-cap");
    char what[64];
    snprintf(what, sizeof what, isnan(cap) ? ", schedule" : ", at most %g W", cap);
    title[0] = '\0';
    cb_figure_label_append(title, cb_json_text(device, "name", ""));
    strncat(title, ": ", CB_LABEL_BYTES - strlen(title) - 1);
    cb_figure_label_append(title, cb_json_text(cb_json_params(item), "app", ""));
    strncat(title, what, CB_LABEL_BYTES - strlen(title) - 1);
}

static int write_traces(FILE *out, cJSON *const *runs, int n)
{
    const cJSON *device, *item;
    int panels = 0, rows = 0;
    fputs("# panel_number\tpanel\ttime_s\tpower_w\tactive\tidle_w\tcap_w\n", out);
    for (int i = 0; i < n; i++)
        cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(runs[i], "devices")) {
            const cJSON *cases = cJSON_GetObjectItemCaseSensitive(runs[i], "cases");
            cJSON_ArrayForEach (item, cases) {
                char title[CB_LABEL_BYTES];
                if (!has_new_trace(cases, item, cb_json_text(device, "id", "")))
                    continue;
                name_trace(title, device, item);
                FILE *in =
                    cb_run_open_signed(cb_json_text(cb_json_params(item), "trace", ""), runs[i]);
                int added = copy_trace(out, in, panels, title, rows == 0);
                if (in)
                    fclose(in);
                panels += added > 0;
                rows += added;
            }
        }
    return rows;
}

const struct cb_figure cb_throttle_figures[] = {
    {"throttle", "plots/throttle.gp", "Progress and power against active workgroups", write_curves},
    {"throttle_power", "plots/throttle_power.gp", "Power and active workgroups over time",
     write_traces},
    {0},
};
