/* SPDX-License-Identifier: Apache-2.0
 *
 * Data files of the pictures. All are tables of tab-separated columns under a comment line that
 * names them: gnuplot reads them with `set datafile separator tab`, spreadsheets as they are.
 * The scripts loop over blocks, which two empty lines part. Unknown numbers are nan.
 */
#include "probes/discover/figures.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/figure.h"
#include "analysis/documents/rows.h"
#include "measure/text/json.h"
#include "probes/discover/drawn.h"
#include "probes/discover/figure_beside.h"

static const char *const protocols[] = {"spin", "ticket", "lockfree"};
static const char *const microbenchmarks[] = {"11", "L1", "1W", "LW"};

/* ---- Data files ------------------------------------------------------------------------------ */

/* A data file, and the device that is being written to it. */
struct data {
    FILE *out;
    struct cb_run_device *devices; /* devices that have ok rows */
    int n_devices, number;
    char label[CB_LABEL_BYTES];
    int points; /* points written so far */
};

static struct data open_data(FILE *out, cJSON *const *runs, int n, const char *columns)
{
    struct data data = {.out = out, .number = -1};
    fputs(columns, out);
    data.n_devices = cb_run_devices(runs, n, "discover", &data.devices);
    return data;
}

/* Returns the next device; NULL after the last one. */
static const struct cb_run_device *next_device(struct data *data)
{
    if (++data->number >= data->n_devices)
        return NULL;
    cb_figure_label_device(data->devices, data->n_devices, data->number, data->label);
    return &data->devices[data->number];
}

/* Begins a block; two empty lines part it from the one before. */
static void begin_block(struct data *data)
{
    if (data->points > 0)
        fputs("\n\n", data->out);
}

static int close_data(struct data *data)
{
    free(data->devices);
    return data->points;
}

/* Writes the statistics of a metric, a tab before each. scale: 100 for percent. */
static void write_metric(const struct data *data, const cJSON *row, const char *metric,
                         const char *const *statistics, double scale)
{
    for (; *statistics; statistics++)
        fprintf(data->out, "\t%.6g", scale * cb_json_metric(row, metric, *statistics));
}

/* ---- Fig. 7 ---------------------------------------------------------------------------------- */

/* Finds the bars of one microbenchmark; returns their number. */
static int find_bars(const struct cb_drawn *drawn, const char *microbenchmark,
                     const cJSON *bars[CB_COUNTOF(protocols)], double *bound)
{
    int n = 0;
    *bound = NAN;
    for (size_t i = 0; i < CB_COUNTOF(protocols); i++) {
        bars[i] = cb_drawn_find(drawn, protocols[i], microbenchmark);
        if (isnan(cb_json_metric(bars[i], "recall", "mean")))
            continue;
        n++;
        if (isnan(*bound))
            *bound = cb_json_metric(bars[i], "groups_bound", "median");
    }
    return n;
}

/* Writes a device's rows, one for each microbenchmark; returns their number. */
static int write_recall(struct data *data, const struct cb_run_device *device, int slot)
{
    static const char *const statistics[] = {"mean", "stddev", NULL};
    struct cb_drawn drawn = cb_drawn_of(device, CB_DRAWN_MICROBENCHMARKS);
    double known_units = cb_json_number(device->device, "compute_units");
    int rows = 0;
    for (size_t i = 0; i < CB_COUNTOF(microbenchmarks); i++) {
        const cJSON *bars[CB_COUNTOF(protocols)];
        double bound, units;
        int n = find_bars(&drawn, microbenchmarks[i], bars, &bound);
        if (n == 0)
            continue;
        if (rows == 0)
            begin_block(data);
        units = known_units > 0 && bound > 0 ? known_units : NAN;
        fprintf(data->out, "%d\t\"%s\"\t\"%s\"\t%.6g\t%.6g\t%.6g", slot + rows, data->label,
                microbenchmarks[i], units, bound, 100 * units / bound);
        for (size_t k = 0; k < CB_COUNTOF(protocols); k++)
            write_metric(data, bars[k], "recall", statistics, 100);
        fprintf(data->out, "\t\"%s\"\n", drawn.delays);
        data->points += n;
        rows++;
    }
    cb_drawn_free(&drawn);
    return rows;
}

static int write_fig7(FILE *out, cJSON *const *runs, int n)
{
    const struct cb_run_device *device;
    struct data data = open_data(
        out, runs, n,
        "# slot\tdevice\tmicrobenchmark\tcompute_units\tgroups_bound\tcompute_units_percent"
        "\tspin_percent\tspin_stddev\tticket_percent\tticket_stddev\tlockfree_percent"
        "\tlockfree_stddev\tlock_delays\n");
    for (int slot = 0; (device = next_device(&data));) {
        int rows = write_recall(&data, device, slot);
        slot += rows + (rows > 0); /* a gap between devices */
    }
    return close_data(&data);
}

/* ---- Fig. 8 ---------------------------------------------------------------------------------- */

/* A point of Fig. 8. */
struct timing {
    int protocol;
    double wg, bound, found, median, q1, q3;
};

static int order_of(double x, double y)
{
    return (x > y) - (x < y);
}

static int by_time(const void *a, const void *b)
{
    const struct timing *x = a, *y = b;
    int order = x->protocol - y->protocol;
    order = order ? order : order_of(x->bound, y->bound);
    order = order ? order : order_of(x->median, y->median);
    return order ? order : order_of(y->wg, x->wg);
}

static int by_wg(const void *a, const void *b)
{
    const struct timing *x = a, *y = b;
    return x->protocol != y->protocol ? x->protocol - y->protocol : order_of(x->wg, y->wg);
}

/* The number of a protocol that is drawn; -1: it is not drawn. */
static int protocol_of(const cJSON *row)
{
    for (int i = 0; i < (int)CB_COUNTOF(protocols); i++)
        if (strcmp(cb_row_text(row, "protocol"), protocols[i]) == 0)
            return i;
    return -1;
}

/* Collects the sweep on one device into `rows`, which has room for all; returns their number. */
static int collect_timings(const struct cb_drawn *drawn, struct timing *rows)
{
    int n = 0;
    for (int i = 0; i < drawn->n; i++) {
        const cJSON *row = drawn->rows[i];
        struct timing t = {protocol_of(row),
                           cb_row_number(row, "wg-size"),
                           cb_json_metric(row, "groups_bound", "median"),
                           cb_json_metric(row, "groups_found", "mean"),
                           cb_json_metric(row, "protocol_time", "median"),
                           cb_json_metric(row, "protocol_time", "q1"),
                           cb_json_metric(row, "protocol_time", "q3")};
        bool complete = t.protocol >= 0 && t.wg > 0 && !isnan(t.bound) && !isnan(t.found);
        if (complete && t.median > 0 && t.q1 > 0 && t.q3 > 0) /* the axis is logarithmic */
            rows[n++] = t;
    }
    return n;
}

/* Whether bounds, or sizes of workgroup, differ. */
static void find_variation(const struct timing *rows, int n, bool *bounds, bool *sizes)
{
    *bounds = *sizes = false;
    for (int i = 1; i < n; i++) {
        *bounds |= rows[i].bound != rows[0].bound;
        *sizes |= rows[i].wg != rows[0].wg;
    }
}

/* Keeps one row per protocol and bound. Many sizes of workgroup share a bound: the one with the
 * median time (the lower of two) stands for them, a measured point with its own quartiles and
 * number, where all of them would pile up over one value of the axis. Returns the number kept. */
static int thin_timings(struct timing *rows, int n)
{
    int kept = 0;
    qsort(rows, (size_t)n, sizeof *rows, by_time);
    for (int first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && rows[end].protocol == rows[first].protocol &&
                              rows[end].bound == rows[first].bound;)
            end++;
        rows[kept++] = rows[(first + end - 1) / 2];
    }
    return kept;
}

/* Writes the sweep on one device, a block per protocol. */
static void write_timings(struct data *data, const struct cb_drawn *drawn, struct timing *rows)
{
    int n = collect_timings(drawn, rows);
    bool bounds, sizes;
    find_variation(rows, n, &bounds, &sizes);
    if (!sizes) /* a line needs two */
        return;
    if (bounds)
        n = thin_timings(rows, n);
    else /* the picture is against the size of the workgroup */
        qsort(rows, (size_t)n, sizeof *rows, by_wg);
    for (int i = 0; i < n; i++) {
        const struct timing *t = &rows[i];
        if (i == 0 || t->protocol != rows[i - 1].protocol)
            begin_block(data);
        fprintf(data->out, "%d\t%d\t\"%s\"\t\"%s\"\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t\"%s\"\n",
                data->number, t->protocol, data->label, protocols[t->protocol], t->wg, t->bound,
                t->found, t->median, t->q1, t->q3, drawn->delays);
        data->points++;
    }
}

static int write_fig8(FILE *out, cJSON *const *runs, int n)
{
    const struct cb_run_device *device;
    struct data data = open_data(
        out, runs, n,
        "# device_number\tprotocol_number\tdevice\tprotocol\twg\tgroups_bound\tgroups_found_mean"
        "\tprotocol_time_median_ns\tprotocol_time_q1_ns\tprotocol_time_q3_ns\tlock_delays\n");
    while ((device = next_device(&data))) {
        struct cb_drawn drawn = cb_drawn_of(device, CB_DRAWN_SWEEP);
        struct timing *rows = calloc((size_t)drawn.n + 1, sizeof *rows);
        if (rows)
            write_timings(&data, &drawn, rows);
        free(rows);
        cb_drawn_free(&drawn);
    }
    return close_data(&data);
}

/* ---- Tab. 5 ---------------------------------------------------------------------------------- */

/* Orders numbers by value, then words ("adaptive"). */
static int by_delay(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    bool x_number = isdigit((unsigned char)*x), y_number = isdigit((unsigned char)*y);
    if (x_number != y_number)
        return y_number - x_number;
    double difference = x_number ? atof(x) - atof(y) : 0;
    return difference != 0 ? (difference > 0) - (difference < 0) : strcmp(x, y);
}

/* The ticket lock's rows of a device's microbenchmarks. */
static struct cb_rows delayed_rows(const struct cb_run_device *device)
{
    struct cb_rows rows = cb_figure_rows(device, "discover");
    cb_rows_is(&rows, "protocol", "ticket");
    cb_rows_have(&rows, "microbenchmark");
    cb_rows_have(&rows, "delay");
    cb_rows_lack(&rows, "dimensions");
    cb_rows_lack(&rows, "ids");
    return rows;
}

/* Whether the row has a delay that can be named, and a result. */
static bool is_point(const cJSON *row)
{
    return *cb_row_text(row, "delay") && !isnan(cb_json_metric(row, "groups_found", "mean"));
}

/* The delays of all devices, in the order of the axis. */
struct axis {
    const char **delays;
    int n;
};

static struct axis axis_of(const struct data *data)
{
    size_t room = 1;
    for (int d = 0; d < data->n_devices; d++) {
        const struct cb_rows rows = delayed_rows(&data->devices[d]);
        room += (size_t)cb_rows_count(&rows);
    }
    struct axis axis = {.delays = calloc(room, sizeof *axis.delays)};
    int n = 0;
    for (int d = 0; axis.delays && d < data->n_devices; d++) {
        const struct cb_rows rows = delayed_rows(&data->devices[d]);
        for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
            if (is_point(row))
                axis.delays[n++] = cb_row_text(row, "delay");
    }
    if (n > 0)
        qsort(axis.delays, (size_t)n, sizeof *axis.delays, by_delay);
    for (int i = 0; i < n; i++)
        if (i == 0 || strcmp(axis.delays[i], axis.delays[i - 1]) != 0)
            axis.delays[axis.n++] = axis.delays[i];
    return axis;
}

/* Finds the rows of a microbenchmark, by their number on the axis; returns how many there are. */
static int find_delayed(const struct cb_run_device *device, const char *microbenchmark,
                        const struct axis *axis, const cJSON **found)
{
    struct cb_rows rows = delayed_rows(device);
    int n = 0;
    cb_rows_is(&rows, "microbenchmark", microbenchmark);
    memset(found, 0, (size_t)axis->n * sizeof *found);
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        const char *delay = cb_row_text(row, "delay"), **at;
        if (!is_point(row))
            continue;
        at = bsearch(&delay, axis->delays, (size_t)axis->n, sizeof delay, by_delay);
        n += !found[at - axis->delays];
        if (!found[at - axis->delays])
            found[at - axis->delays] = row;
    }
    return n;
}

/* Writes a block for each microbenchmark of a device that has several delays: one alone shows no
 * effect. */
static void write_delays(struct data *data, const struct cb_run_device *device,
                         const struct axis *axis, const cJSON **found)
{
    static const char *const median[] = {"median", NULL}, *const mean[] = {"mean", "stddev", NULL},
                             *const quartiles[] = {"median", "q1", "q3", NULL};
    for (size_t i = 0; i < CB_COUNTOF(microbenchmarks); i++) {
        int n = find_delayed(device, microbenchmarks[i], axis, found);
        if (n < 2)
            continue;
        begin_block(data);
        data->points += n;
        for (int d = 0; d < axis->n; d++) {
            if (!found[d])
                continue;
            fprintf(data->out, "%d\t%d\t\"%s\"\t\"%s\"\t\"%s\"", data->number, d, data->label,
                    microbenchmarks[i], axis->delays[d]);
            write_metric(data, found[d], "groups_bound", median, 1);
            write_metric(data, found[d], "groups_found", mean, 1);
            write_metric(data, found[d], "protocol_time", quartiles, 1);
            fputc('\n', data->out);
        }
    }
}

static int write_tab5(FILE *out, cJSON *const *runs, int n)
{
    const struct cb_run_device *device;
    struct data data =
        open_data(out, runs, n,
                  "# device_number\tdelay_number\tdevice\tmicrobenchmark\tdelay\tgroups_bound"
                  "\tgroups_found_mean\tgroups_found_stddev\tprotocol_time_median_ns"
                  "\tprotocol_time_q1_ns\tprotocol_time_q3_ns\n");
    const struct axis axis = axis_of(&data);
    const cJSON **found = calloc((size_t)axis.n + 1, sizeof *found);
    while (axis.delays && found && (device = next_device(&data)))
        write_delays(&data, device, &axis, found);
    free(found);
    free(axis.delays);
    return close_data(&data);
}

const struct cb_figure cb_discover_figures[] = {
    {"fig7", "plots/discover_fig7.gp",
     "Discovered occupancy and compute units compared to the occupancy bound", write_fig7},
    {"fig8", "plots/discover_fig8.gp", "Time of the discovery protocol", write_fig8},
    {"tab5", "plots/discover_tab5.gp", "Ticket lock with a delay between polling and closing",
     write_tab5},
    {"beside", "plots/discover_beside.gp", "Workgroups that run at once, alone and beside others",
     cb_discover_beside_write, .besides = true},
    {0},
};
