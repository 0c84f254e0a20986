/* SPDX-License-Identifier: Apache-2.0
 *
 * Data files of the pictures: tab-separated columns under a comment line that names them; a block,
 * parted from the next by two empty lines, is a case, or one curve of it.
 */
#include "probes/graphics/figures.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/documents/figure.h"
#include "measure/stats.h"
#include "measure/text/json.h"

#define CURVE_POINTS 200 /* most points of a curve */

/* A sizing that is ok and has its samples, and the labels of its picture. */
struct subject {
    const cJSON *row, *samples;
    int number;
    char device[CB_LABEL_BYTES];
};

typedef int writer(FILE *out, const struct subject *s);

/* ---- Cases ----------------------------------------------------------------------------------- */

static const cJSON *series_of(const struct subject *s, const char *metric)
{
    return cJSON_GetObjectItemCaseSensitive(s->samples, metric);
}

/* Has each subject of the runs written. Returns the points written. */
static int write_all(FILE *out, cJSON *const *runs, int n, writer *write)
{
    struct cb_run_device *devices;
    int n_devices = cb_run_devices(runs, n, "graphics", &devices), points = 0, number = 0;
    for (int d = 0; d < n_devices; d++) {
        struct cb_rows rows = cb_figure_rows(&devices[d], "graphics");
        struct subject s = {0};
        cb_figure_label_device(devices, n_devices, d, s.device);
        while ((s.row = cb_rows_next(&rows, s.row))) {
            s.samples = cJSON_GetObjectItemCaseSensitive(s.row, "samples");
            s.number = number + 1;
            int added = s.samples ? write(out, &s) : 0;
            number += added > 0;
            points += added;
        }
    }
    free(devices);
    return points;
}

/* The first columns of a subject's lines: number, device, scene, t, period of a frame. */
static void write_head(FILE *out, const struct subject *s)
{
    fprintf(out, "%d", s->number);
    cb_figure_text(out, s->device);
    cb_figure_text(out, cb_row_text(s->row, "file"));
    cb_figure_number(out, cb_json_metric(s->row, "t", "median"));
    cb_figure_number(out, 1e9 / cb_row_number(s->row, "fps"));
}

/* ---- The search ------------------------------------------------------------------------------ */

static int write_tries(FILE *out, const struct subject *s)
{
    static const char *const metrics[] = {"tried_t", "tried_median", "tried_p99", "tried_limit",
                                          "tried_seen"};
    int n = cJSON_GetArraySize(series_of(s, "tried_t"));
    if (n > 0 && s->number > 1)
        fputs("\n\n", out);
    for (int i = 0; i < n; i++) {
        write_head(out, s);
        for (size_t m = 0; m < CB_COUNTOF(metrics); m++) {
            const cJSON *value = cJSON_GetArrayItem(series_of(s, metrics[m]), i);
            cb_figure_number(out, value ? cJSON_GetNumberValue(value) : NAN);
        }
        fputc('\n', out);
    }
    return n;
}

static int write_search(FILE *out, cJSON *const *runs, int n)
{
    fputs(
        "# number\tdevice\tscene\tchosen_ns\tperiod_ns\tt_ns\tmedian_ns\tp99_ns\tlimit_ns\tseen\n",
        out);
    return write_all(out, runs, n, write_tries);
}

/* ---- Distributions --------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The sorted values; NULL: none. */
static double *sorted_values(const cJSON *series, size_t *n)
{
    const cJSON *item;
    double *values = calloc((size_t)cJSON_GetArraySize(series) + 1, sizeof *values);
    *n = 0;
    cJSON_ArrayForEach (item, series)
        if (values)
            values[(*n)++] = cJSON_GetNumberValue(item);
    if (values)
        qsort(values, *n, sizeof *values, compare);
    return values;
}

/* An empirical distribution, thinned to CURVE_POINTS, with its last point. */
static int write_curve(FILE *out, const struct subject *s, bool with)
{
    size_t n;
    int points = 0;
    double *values = sorted_values(series_of(s, with ? "frame_time_with" : "frame_time_alone"), &n);
    size_t step = n / CURVE_POINTS + 1;
    for (size_t i = 0; i < n; i++) {
        if (i % step != 0 && i != n - 1)
            continue;
        write_head(out, s);
        fprintf(out, "\t%d", with);
        cb_figure_number(out, values[i]);
        cb_figure_number(out, (double)(i + 1) / (double)n);
        fputc('\n', out);
        points++;
    }
    free(values);
    return points;
}

static int write_curves(FILE *out, const struct subject *s)
{
    if (!series_of(s, "frame_time_alone") || !series_of(s, "frame_time_with"))
        return 0;
    if (s->number > 1)
        fputs("\n\n", out);
    int points = write_curve(out, s, false);
    fputs("\n\n", out);
    return points + write_curve(out, s, true);
}

static int write_ecdf(FILE *out, cJSON *const *runs, int n)
{
    fputs("# number\tdevice\tscene\tchosen_ns\tperiod_ns\twith\ttime_ns\tshare\n", out);
    return write_all(out, runs, n, write_curves);
}

const struct cb_figure cb_graphics_figures[] = {
    {"graphics_search", "plots/graphics_search.gp",
     "Frame time against the time of the kernels beside it", write_search},
    {"graphics_ecdf", "plots/graphics_ecdf.gp",
     "Times of frames, without kernels and beside the longest that are not seen", write_ecdf},
    {0},
};
