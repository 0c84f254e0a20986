/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/launch/panels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "probes/launch/plan.h"

static bool is_tuned(const cJSON *row)
{
    return cb_row_number(row, "threshold") > 1 || cb_row_number(row, "coarsening") > 1 ||
           *cb_row_text(row, "child-size");
}

const cJSON *cb_launch_plain(const struct cb_rows *program, const char *const *launchers)
{
    for (int i = 0; launchers[i]; i++) {
        struct cb_rows rows = *program;
        cb_rows_is(&rows, "launcher", launchers[i]);
        for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
            if (!is_tuned(row))
                return row;
    }
    return NULL;
}

const cJSON *cb_launch_least(const struct cb_rows *rows, cb_launch_value *value)
{
    const cJSON *best = NULL;
    for (const cJSON *row = cb_rows_next(rows, NULL); row; row = cb_rows_next(rows, row))
        if (!isnan(value(row)) && (!best || value(row) < value(best)))
            best = row;
    return best;
}

/* ---- Panels ---------------------------------------------------------------------------------- */

struct panels {
    FILE *out;
    const char *kind;
    cb_launch_write_panel *write;
    void *context;
    const struct cb_run_device *run_devices;
    int n_run_devices, written, devices, rows;
};

static void name_panel(const struct panels *p, int run_device, const char *size,
                       struct cb_launch_panel *panel)
{
    char device[CB_LABEL_BYTES];
    cb_figure_label_device(p->run_devices, p->n_run_devices, run_device, device);
    snprintf(panel->title, sizeof panel->title, "%s, %s", device, cb_launch_inputs(size));
}

/* Writes a panel's rows, two empty lines before them if other panels came before; returns their
 * number. */
static int write_panel(struct panels *p, int run_device, const char *size)
{
    static const char *const program[] = {"program", NULL};
    struct cb_launch_panel panel = {.number = p->written,
                                    .device = p->devices,
                                    .rows = cb_figure_rows(&p->run_devices[run_device], "launch")};
    char *text = NULL;
    size_t bytes = 0;
    int rows = 0;
    cb_rows_is(&panel.rows, "kind", p->kind);
    cb_rows_is(&panel.rows, "size", size);
    panel.programs = cb_rows_distinct(&panel.rows, program, &panel.firsts);
    name_panel(p, run_device, size, &panel);
    FILE *part = panel.programs > 0 ? open_memstream(&text, &bytes) : NULL;
    if (part) {
        rows = p->write(part, &panel, p->context);
        fclose(part);
    }
    if (rows > 0)
        fprintf(p->out, "%s%s", p->written++ > 0 ? "\n\n" : "", text);
    free(text);
    free(panel.firsts);
    return rows;
}

static void write_run_device(struct panels *p, int run_device)
{
    int rows = 0;
    for (int s = 0; cb_launch_size_names[s]; s++)
        rows += write_panel(p, run_device, cb_launch_size_names[s]);
    p->devices += rows > 0;
    p->rows += rows;
}

int cb_launch_write_panels(FILE *out, cJSON *const *runs, int n, const char *kind,
                           cb_launch_write_panel *write, void *context)
{
    struct cb_run_device *run_devices;
    struct panels p = {out, kind, write, context, NULL, 0, 0, 0, 0};
    p.n_run_devices = cb_run_devices(runs, n, "launch", &run_devices);
    p.run_devices = run_devices;
    for (int i = 0; i < p.n_run_devices; i++)
        write_run_device(&p, i);
    free(run_devices);
    return p.rows;
}
