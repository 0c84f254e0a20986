/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture of --together: a square for each pair of apps, by its system throughput.
 */
#include <stdlib.h>

#include "benchmarks/multitask/together/together.h"
#include "measure/run/figure.h"
#include "measure/text/json.h"

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
    struct cb_run_device *places;
    int pairs = 0, n_places = cb_run_devices(runs, n, "multitask", &places);
    fputs("# app_number\tbeside_number\tpanel\tapp\tbeside\tstp\tfairness\tapp_groups\t"
          "beside_groups\n",
          out);
    for (int i = 0; i < n_places; i++) {
        struct cb_rows rows = cb_figure_rows(&places[i], "multitask");
        char device[CB_LABEL_BYTES];
        const cJSON **firsts;
        cb_figure_label_device(places, n_places, i, device);
        cb_rows_have(&rows, "policy");
        rows.metric = "stp";
        int n_panels = cb_rows_distinct(&rows, panel, &firsts);
        for (int p = 0; p < n_panels; p++) {
            fputs(pairs > 0 ? "\n\n" : "", out);
            pairs += write_panel(out, &rows, firsts[p], device);
        }
        free(firsts);
    }
    free(places);
    return pairs;
}
