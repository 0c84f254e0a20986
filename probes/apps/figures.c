/* SPDX-License-Identifier: Apache-2.0
 *
 * The data files of the pictures: tab-separated columns under a comment line that names them. Each
 * system of a device is a block; two empty lines separate it from the next.
 */
#include "probes/apps/figures.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/documents/figure.h"
#include "measure/text/json.h"
#include "probes/apps/pairs.h"

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

static struct cb_apps_pairs pairs_of(const struct cb_run_device *device)
{
    return cb_apps_pairs_of(device->run, cb_json_text(device->device, "id", ""));
}

/* What a block of the file is of. */
struct block {
    int number;        /* number among those that have rows, from 0 */
    const char *label; /* name of the device and the system */
    const struct cb_apps_pairs *system;
};

/* Returns the number of its rows. */
static int write_block(FILE *out, const struct block *block, enum cb_apps_ratio ratio,
                       write_row *write)
{
    int rows = 0;
    for (int p = 0; p < block->system->n; p++) {
        const struct cb_apps_pair *pair = &block->system->list[p];
        char label[CB_LABEL_BYTES];
        if (isnan(cb_apps_ratio(pair, ratio)))
            continue;
        fputs(rows == 0 && block->number > 0 ? "\n\n" : "", out);
        fprintf(out, "%d\t%d", block->number, rows++);
        cb_figure_text(out, block->label);
        cb_apps_label(pair, label, sizeof label);
        cb_figure_text(out, label);
        write(out, block->system, pair, ratio);
        fputc('\n', out);
    }
    return rows;
}

/* A block for each system of device i of n that has the ratio; returns how many rows, and counts
 * blocks. */
static int write_device(FILE *out, const struct cb_run_device *devices, int n, int i,
                        enum cb_apps_ratio ratio, write_row *write, int *blocks)
{
    struct cb_apps_pairs pairs = pairs_of(&devices[i]), system = cb_apps_first_system(&pairs);
    int rows = 0;
    for (; system.n > 0; system = cb_apps_next_system(&pairs, &system)) {
        char label[CB_LABEL_BYTES], name[2 + CB_APPS_SYSTEM_BYTES] = ", ";
        cb_figure_label_device(devices, n, i, label);
        cb_apps_system_name(system.list, name + 2, CB_APPS_SYSTEM_BYTES);
        cb_figure_label_append(label, name[2] ? name : "");
        const struct block block = {*blocks, label, &system};
        int more = write_block(out, &block, ratio, write);
        *blocks += more > 0;
        rows += more;
    }
    cb_apps_pairs_free(&pairs);
    return rows;
}

/* Whether the device has a pair with this ratio. */
static bool has_ratio(const struct cb_run_device *device, enum cb_apps_ratio ratio)
{
    struct cb_apps_pairs pairs = pairs_of(device);
    int n = cb_apps_summary_of(&pairs, ratio, CB_APPS_ALL).n;
    cb_apps_pairs_free(&pairs);
    return n > 0;
}

static int write_picture(FILE *out, cJSON *const *runs, int n, enum cb_apps_ratio ratio,
                         write_row *write)
{
    struct cb_run_device *devices;
    int measured = cb_run_devices(runs, n, "apps", &devices), kept = 0, rows = 0, blocks = 0;
    for (int i = 0; i < measured; i++)
        if (has_ratio(&devices[i], ratio))
            devices[kept++] = devices[i];
    for (int i = 0; i < kept; i++)
        rows += write_device(out, devices, kept, i, ratio, write, &blocks);
    free(devices);
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
