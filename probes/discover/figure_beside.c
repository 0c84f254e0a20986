/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of the picture: a block for what was beside, a row for a device's configuration.
 */
#include "probes/discover/figure_beside.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/documents/beside.h"
#include "analysis/documents/figure.h"
#include "measure/text/json.h"
#include "probes/discover/beside.h"

/* What is written, and the devices that it is about. */
struct writer {
    FILE *out;
    struct cb_run_device *devices;
    int n_devices;
    int block, points; /* block: the number of the one that is written */
};

/* The configurations of a device that were measured alone; the list is the caller's to free.
 * Returns how many. */
static int configurations_of(const struct cb_run_device *device, struct cb_rows *rows,
                             const cJSON ***list)
{
    *rows = cb_discover_beside_rows(device->run, cb_json_text(device->device, "id", ""));
    struct cb_rows sizes = *rows;
    int n = 0;
    cb_rows_lack(&sizes, "microbenchmark");
    const int all = cb_rows_distinct(cb_rows_next(&sizes, NULL) ? &sizes : rows,
                                     cb_discover_beside_configuration, list);
    for (int i = 0; i < all; i++) {
        const struct cb_discover_beside alone = cb_discover_beside_of(rows, (*list)[i], "");
        if (cb_discover_beside_groups(&alone) > 0)
            (*list)[n++] = (*list)[i];
    }
    return n;
}

/* Texts: what any of the rows had beside it, "" first; to be deleted. NULL: nothing of ours. */
static cJSON *besides_of(const struct writer *w)
{
    cJSON *besides = NULL;
    cb_json_add_once(&besides, "");
    for (int i = 0; i < w->n_devices; i++) {
        const struct cb_rows rows = cb_discover_beside_rows(
            w->devices[i].run, cb_json_text(w->devices[i].device, "id", ""));
        for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
            cb_json_add_once(&besides, cb_row_beside(row));
    }
    if (cJSON_GetArraySize(besides) > 1)
        return besides;
    cJSON_Delete(besides);
    return NULL;
}

static void write_row(struct writer *w, int slot, const char *label, const cJSON *row,
                      const char *beside, const struct cb_discover_beside *alone,
                      const struct cb_discover_beside *n)
{
    const double numbers[] = {cb_discover_beside_groups(alone),
                              n->bound,
                              n->found,
                              n->found_min,
                              n->found_max,
                              n->safe,
                              n->share};
    char size[32];
    snprintf(size, sizeof size, "%.0f", cb_row_number(row, "wg-size"));
    const char *microbenchmark = cb_row_text(row, "microbenchmark");
    fprintf(w->out, "%d\t%d", slot, w->block);
    cb_figure_text(w->out, label);
    cb_figure_text(w->out, *microbenchmark ? microbenchmark : size);
    cb_figure_text(w->out, *beside ? beside : "alone");
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++)
        cb_figure_number(w->out, numbers[i]);
    fputc('\n', w->out);
    w->points++;
}

/* Writes a block of all devices; those after the first have a gap before them. */
static void write_block(struct writer *w, const char *beside)
{
    const int before = w->points;
    int slot = 0;
    for (int d = 0; d < w->n_devices; d++) {
        char label[CB_LABEL_BYTES];
        struct cb_rows rows;
        const cJSON **list;
        const int n = configurations_of(&w->devices[d], &rows, &list);
        cb_figure_label_device(w->devices, w->n_devices, d, label);
        for (int i = 0; i < n; i++, slot++) {
            const struct cb_discover_beside alone = cb_discover_beside_of(&rows, list[i], "");
            const struct cb_discover_beside numbers = cb_discover_beside_of(&rows, list[i], beside);
            if (isnan(cb_discover_beside_groups(&numbers)))
                continue;
            if (w->points == before && before > 0)
                fputs("\n\n", w->out);
            write_row(w, slot, label, list[i], beside, &alone, &numbers);
        }
        slot += n > 0;
        free(list);
    }
    w->block += w->points > before;
}

/* Keeps the devices that were measured alone and beside something. */
static void keep_compared(struct writer *w)
{
    int kept = 0;
    for (int d = 0; d < w->n_devices; d++) {
        const struct writer one = {.devices = &w->devices[d], .n_devices = 1};
        struct cb_rows rows;
        const cJSON **list;
        cJSON *besides = besides_of(&one);
        if (configurations_of(&w->devices[d], &rows, &list) > 0 && besides)
            w->devices[kept++] = w->devices[d];
        cJSON_Delete(besides);
        free(list);
    }
    w->n_devices = kept;
}

int cb_discover_beside_write(FILE *out, cJSON *const *runs, int n)
{
    struct writer w = {.out = out};
    const cJSON *beside;
    w.n_devices = cb_run_devices(runs, n, "discover", &w.devices);
    keep_compared(&w);
    fputs("# slot\tneighbour_number\tdevice\tconfiguration\tbeside\tgroups_alone\tgroups_bound"
          "\tgroups_found_median\tgroups_found_min\tgroups_found_max\tgroups_safe\theadroom\n",
          out);
    cJSON *besides = besides_of(&w);
    cJSON_ArrayForEach (beside, besides)
        write_block(&w, beside->valuestring);
    cJSON_Delete(besides);
    free(w.devices);
    return w.points;
}
