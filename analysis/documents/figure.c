/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/figure.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "measure/text/json.h"

struct cb_rows cb_figure_rows(const struct cb_run_device *run_device, const char *bench)
{
    return (struct cb_rows){.run = run_device->run,
                            .bench = bench,
                            .device = cb_json_text(run_device->device, "id", ""),
                            .ok = true};
}

int cb_run_devices(cJSON *const *runs, int n, const char *bench, struct cb_run_device **run_devices)
{
    const cJSON *device;
    int room = 1, count = 0;
    for (int i = 0; i < n; i++)
        room += cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(runs[i], "devices"));
    *run_devices = calloc((size_t)room, sizeof **run_devices);
    for (int i = 0; i < n && *run_devices; i++)
        cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(runs[i], "devices")) {
            const struct cb_run_device run_device = {runs[i], device};
            const struct cb_rows rows = cb_figure_rows(&run_device, bench);
            if (!bench || cb_rows_next(&rows, NULL))
                (*run_devices)[count++] = run_device;
        }
    return count;
}

void cb_figure_label_append(char label[CB_LABEL_BYTES], const char *text)
{
    size_t n = strlen(label);
    for (; *text && n + 1 < CB_LABEL_BYTES; text++) {
        if (strncasecmp(text, "(R)", 3) == 0 || strncasecmp(text, "(TM)", 4) == 0) {
            text = strchr(text, ')');
            continue;
        }
        bool space = isspace((unsigned char)*text) || iscntrl((unsigned char)*text) ||
                     strchr("\"\\`", *text);
        if (!space || (n > 0 && label[n - 1] != ' '))
            label[n++] = space ? ' ' : *text;
    }
    while (n > 0 && label[n - 1] == ' ')
        n--;
    label[n] = '\0';
}

static const char *name_of(const struct cb_run_device *run_device)
{
    return cb_json_text(run_device->device, "name", "unnamed device");
}

void cb_figure_label_device(const struct cb_run_device *run_devices, int n, int i,
                            char label[CB_LABEL_BYTES])
{
    int number = 1, same_run = 0, other_runs = 0;
    for (int k = 0; k < n; k++) {
        bool same = run_devices[k].run == run_devices[i].run;
        if (strcmp(name_of(&run_devices[k]), name_of(&run_devices[i])) != 0)
            continue;
        same_run += same;
        other_runs += !same;
        number += same && k < i;
    }
    label[0] = '\0';
    cb_figure_label_append(label, name_of(&run_devices[i]));
    size_t length = strlen(label);
    if (same_run > 1)
        length += (size_t)snprintf(label + length, CB_LABEL_BYTES - length, " #%d", number);
    if (other_runs > 0 && length < CB_LABEL_BYTES) {
        snprintf(label + length, CB_LABEL_BYTES - length, ", run ");
        cb_figure_label_append(label, cb_json_text(run_devices[i].run, "run_id", "without an id"));
    }
}

void cb_figure_text(FILE *out, const char *text)
{
    char clean[CB_LABEL_BYTES] = "";
    cb_figure_label_append(clean, text);
    fprintf(out, *clean ? "\t\"%s\"" : "\t%s", clean);
}

void cb_figure_two_texts(FILE *out, const char *first, const char *second)
{
    char label[CB_LABEL_BYTES] = "";
    cb_figure_label_append(label, first);
    if (strlen(label) + 1 < sizeof label)
        strcat(label, " ");
    cb_figure_label_append(label, second);
    cb_figure_text(out, label);
}

void cb_figure_number(FILE *out, double value)
{
    if (isnan(value))
        fputs("\tNaN", out);
    else
        fprintf(out, "\t%.6g", value);
}
