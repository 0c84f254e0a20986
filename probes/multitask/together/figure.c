/* SPDX-License-Identifier: Apache-2.0
 *
 * The pictures of --together: a square for each pair of apps, by its system throughput, and how
 * many workgroups policies gave each over time.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/documents/figure.h"
#include "measure/text/json.h"
#include "probes/multitask/together/together.h"

/* names: of apps, by the numbers that they get as they first come. */
static void write_pair(FILE *out, const char *label, const cJSON *row, cJSON **names)
{
    const char *app = cb_row_text(row, "app"), *beside = cb_row_text(row, "beside");
    const int first = cb_json_add_once(names, app), second = cb_json_add_once(names, beside);
    fprintf(out, "%d\t%d", first, second);
    cb_figure_text(out, label);
    cb_figure_text(out, app);
    cb_figure_text(out, beside);
    cb_figure_number(out, cb_json_metric(row, "stp", "median"));
    cb_figure_number(out, cb_json_metric(row, "fairness", "median"));
    cb_figure_number(out, cb_json_metric(row, "app_groups", "median"));
    cb_figure_number(out, cb_json_metric(row, "beside_groups", "median"));
    fputs("\n", out);
}

/* A panel: the pairs of a device with a policy. */
static int write_panel(FILE *out, const struct cb_rows *of_device, const cJSON *like,
                       const char *device)
{
    struct cb_rows rows = *of_device;
    cJSON *names = NULL;
    char label[CB_LABEL_BYTES], policy[80];
    const char *share = cb_row_text(like, "share");
    int n = 0;
    cb_rows_like(&rows, like, "policy");
    cb_rows_like(&rows, like, "share");
    snprintf(label, sizeof label, "%s", device);
    snprintf(policy, sizeof policy, " (%s%s%s)", cb_row_text(like, "policy"), *share ? " " : "",
             share);
    cb_figure_label_append(label, policy);
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row), n++)
        write_pair(out, label, row, &names);
    cJSON_Delete(names);
    return n;
}

int cb_together_figure(FILE *out, cJSON *const *runs, int n)
{
    static const char *const panel[] = {"policy", "share", NULL};
    struct cb_run_device *run_devices;
    int pairs = 0, n_run_devices = cb_run_devices(runs, n, "multitask", &run_devices);
    fputs("# app_number\tbeside_number\tpanel\tapp\tbeside\tstp\tfairness\tapp_groups\t"
          "beside_groups\n",
          out);
    for (int i = 0; i < n_run_devices; i++) {
        struct cb_rows rows = cb_figure_rows(&run_devices[i], "multitask");
        char device[CB_LABEL_BYTES];
        const cJSON **firsts;
        cb_figure_label_device(run_devices, n_run_devices, i, device);
        cb_rows_have(&rows, "policy");
        rows.metric = "stp";
        int n_panels = cb_rows_distinct(&rows, panel, &firsts);
        for (int p = 0; p < n_panels; p++) {
            fputs(pairs > 0 ? "\n\n" : "", out);
            pairs += write_panel(out, &rows, firsts[p], device);
        }
        free(firsts);
    }
    free(run_devices);
    return pairs;
}

/* ---- Workgroups over time -------------------------------------------------------------------- */

static const char *const pair[] = {"app", "input", "beside", "beside_input", NULL};

static double window_of(const cJSON *row, const char *metric, int window)
{
    const cJSON *samples = cJSON_GetObjectItemCaseSensitive(row, "samples");
    const cJSON *value =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(samples, metric), window);
    return value ? cJSON_GetNumberValue(value) : NAN;
}

/* Windows of the first sample: up to the one with which the policy settled. 0: not known. */
static int windows_of(const cJSON *row)
{
    int n = 0;
    while (window_of(row, "window_settled", n) < 1)
        n++;
    return isnan(window_of(row, "window_settled", n)) ? 0 : n + 1;
}

/* When the picture of a pair ends: what was settled is seen for a quarter of the longest search. If
 * no policy has searched: for its time. */
static double end_of_pair(const cJSON *const *rows, int n)
{
    double searched = 0, settled = 0;
    for (int i = 0; i < n; i++) {
        const int windows = windows_of(rows[i]);
        if (windows == 0)
            continue;
        searched = fmax(searched, window_of(rows[i], "window_begin", windows - 1));
        settled = fmax(settled, window_of(rows[i], "window_end", windows - 1));
    }
    return searched > settled / 100 ? 1.25 * searched : settled;
}

static void write_window(FILE *out, const cJSON *row, const char *label, int panel, int line,
                         int window, double time_ns)
{
    char policy[80];
    const char *share = cb_row_text(row, "share");
    snprintf(policy, sizeof policy, "%s%s%s", cb_row_text(row, "policy"), *share ? " " : "", share);
    fprintf(out, "%d\t%d", panel, line);
    cb_figure_text(out, label);
    cb_figure_text(out, policy);
    cb_figure_text(out, cb_row_text(row, "app"));
    cb_figure_text(out, cb_row_text(row, "beside"));
    cb_figure_number(out, time_ns / 1e9);
    cb_figure_number(out, window_of(row, "window_app_groups", window));
    cb_figure_number(out, window_of(row, "window_beside_groups", window));
    cb_figure_number(out, cb_json_metric(row, "workers", "median"));
    cb_figure_number(out, window_of(row, "window_app_rate", window));
    cb_figure_number(out, window_of(row, "window_beside_rate", window));
    fputc('\n', out);
}

/* A panel: the policies of a pair of a device, a block of lines each. */
static int write_shares(FILE *out, const cJSON *const *rows, int n, const char *device, int panel,
                        int points_before)
{
    const double end = end_of_pair(rows, n);
    int points = 0, line = 0;
    for (int i = 0; i < n; i++) {
        const int windows = windows_of(rows[i]);
        fputs(windows > 0 && points_before + points > 0 ? "\n\n" : "", out);
        for (int w = 0; w < windows; w++)
            write_window(out, rows[i], device, panel, line, w,
                         window_of(rows[i], "window_begin", w));
        if (windows > 0)
            write_window(out, rows[i], device, panel, line++, windows - 1, end);
        points += windows > 0 ? windows + 1 : 0;
    }
    return points;
}

/* The rows of a device, pair by pair. */
static int write_pairs(FILE *out, const struct cb_run_device *run_device, const char *device,
                       int *panels, int points_before)
{
    struct cb_rows of_device = cb_figure_rows(run_device, "multitask");
    const cJSON **rows;
    int points = 0;
    cb_rows_have(&of_device, "policy");
    const int n = cb_rows_list(&of_device, &rows);
    cb_rows_sort(rows, n, pair, NULL);
    for (int i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && cb_rows_same(rows[i], rows[next], pair); next++)
            ;
        const int added =
            write_shares(out, &rows[i], next - i, device, *panels, points_before + points);
        *panels += added > 0;
        points += added;
    }
    free(rows);
    return points;
}

int cb_together_shares(FILE *out, cJSON *const *runs, int n)
{
    struct cb_run_device *run_devices;
    int points = 0, panels = 0, n_run_devices = cb_run_devices(runs, n, "multitask", &run_devices);
    fputs("# panel_number\tline_number\tdevice\tpolicy\tapp\tbeside\ttime_s\tapp_groups\t"
          "beside_groups\tworkers\tapp_runs_per_s\tbeside_runs_per_s\n",
          out);
    for (int i = 0; i < n_run_devices; i++) {
        char device[CB_LABEL_BYTES];
        cb_figure_label_device(run_devices, n_run_devices, i, device);
        points += write_pairs(out, &run_devices[i], device, &panels, points);
    }
    free(run_devices);
    return points;
}
