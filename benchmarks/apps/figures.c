/* SPDX-License-Identifier: Apache-2.0
 *
 * The data files of the pictures: tab-separated columns under a comment line that names them. A
 * block, parted from the next by two empty lines, is a device.
 */
#include "benchmarks/apps/figures.h"

#include <math.h>
#include <stdlib.h>

#include "benchmarks/apps/pairs.h"
#include "measure/run/figure.h"
#include "measure/text/json.h"

/* Writes the row of a pair. */
typedef void write_row(FILE *out, const struct cb_apps_pairs *pairs,
                       const struct cb_apps_pair *pair, enum cb_apps_ratio ratio);

static void write_bar(FILE *out, const struct cb_apps_pairs *pairs, const struct cb_apps_pair *pair,
                      enum cb_apps_ratio ratio)
{
    struct cb_apps_summary s = cb_apps_summary_of(pairs, ratio, CB_APPS_ALL);
    cb_figure_text(out,
                   ratio == CB_APPS_SPEEDUP ? "Speedup by the barrier" : "Slowdown by portability");
    cb_figure_number(out, cb_apps_ratio(pair, ratio));
    cb_figure_number(out, s.mean);
    cb_figure_number(out, s.median);
    cb_figure_number(out, s.max);
    cb_figure_number(out, s.min);
}

static void write_cross(FILE *out, const struct cb_apps_pairs *pairs,
                        const struct cb_apps_pair *pair, enum cb_apps_ratio ratio)
{
    (void)pairs;
    cb_figure_number(out, cb_json_metric(pair->rows[COOP_SPECIALISED], "run_time", "median"));
    cb_figure_number(out, cb_apps_ratio(pair, ratio));
}

/* Returns the number of rows. */
static int write_place(FILE *out, const struct cb_run_device *places, int n, int place,
                       enum cb_apps_ratio ratio, write_row *write, int rows_before)
{
    char label[CB_LABEL_BYTES];
    struct cb_apps_pairs pairs =
        cb_apps_pairs_of(places[place].run, cb_json_text(places[place].device, "id", ""));
    int rows = 0;
    for (int i = 0; i < pairs.n; i++) {
        if (isnan(cb_apps_ratio(&pairs.list[i], ratio)))
            continue;
        fputs(rows == 0 && rows_before > 0 ? "\n\n" : "", out);
        fprintf(out, "%d\t%d", place, rows++);
        cb_figure_label_device(places, n, place, label);
        cb_figure_text(out, label);
        cb_apps_label(&pairs.list[i], label, sizeof label);
        cb_figure_text(out, label);
        write(out, &pairs, &pairs.list[i], ratio);
        fputc('\n', out);
    }
    cb_apps_pairs_free(&pairs);
    return rows;
}

/* Whether the device has a pair with this ratio. */
static bool has_ratio(const struct cb_run_device *place, enum cb_apps_ratio ratio)
{
    struct cb_apps_pairs pairs =
        cb_apps_pairs_of(place->run, cb_json_text(place->device, "id", ""));
    int n = cb_apps_summary_of(&pairs, ratio, CB_APPS_ALL).n;
    cb_apps_pairs_free(&pairs);
    return n > 0;
}

static int write_picture(FILE *out, cJSON *const *runs, int n, enum cb_apps_ratio ratio,
                         write_row *write)
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
            n_places += has_ratio(&places[n_places], ratio);
        }
    for (int i = 0; i < n_places; i++)
        rows += write_place(out, places, n_places, i, ratio, write, rows);
    free(places);
    return rows;
}

static int write_bars(FILE *out, cJSON *const *runs, int n, enum cb_apps_ratio ratio)
{
    fputs("# device_number\tpair_number\tdevice\tpair\tratio_name\tratio\tgeometric_mean\tmedian"
          "\tmaximum\tminimum\n",
          out);
    return write_picture(out, runs, n, ratio, write_bar);
}

static int write_fig9(FILE *out, cJSON *const *runs, int n)
{
    return write_bars(out, runs, n, CB_APPS_SPEEDUP);
}

static int write_fig10(FILE *out, cJSON *const *runs, int n)
{
    return write_bars(out, runs, n, CB_APPS_PORTABILITY);
}

static int write_fig11(FILE *out, cJSON *const *runs, int n)
{
    fputs("# device_number\tpair_number\tdevice\tpair\tspecialised_ns\tslowdown\n", out);
    return write_picture(out, runs, n, CB_APPS_PORTABILITY, write_cross);
}

const struct cb_figure cb_apps_figures[] = {
    {"fig9", "plots/apps_bars.gp", "One kernel with barriers against one launch for each step",
     write_fig9},
    {"fig10", "plots/apps_bars.gp",
     "Finding out how many workgroups run at once against knowing it", write_fig10},
    {"fig11", "plots/apps_fig11.gp", "The price of portability against the time of a run",
     write_fig11},
    {0},
};
