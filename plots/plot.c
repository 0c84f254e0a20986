/* SPDX-License-Identifier: Apache-2.0 */
#include "plots/plot.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/beside.h"
#include "analysis/documents/document.h"
#include "analysis/documents/samples.h"
#include "measure/bench.h"
#include "measure/text/json.h"
#include "plots/gnuplot.h"
#include "runtime/host/files.h"
#include "runtime/host/text.h"
#include "runtime/source.h"

#define PATH_BYTES PATH_MAX

/* --- Choosing and writing figures ------------------------------------------------------------- */

struct plot {
    cJSON *const *runs;
    int n_runs;
    const char *folder;
    FILE *progress;
    const struct cb_figure **drawn; /* those that have data */
    int n_drawn;
};

static bool occurs(const struct cb_bench *bench, const struct plot *plot)
{
    for (int i = 0; i < plot->n_runs; i++) {
        const cJSON *cases = cJSON_GetObjectItemCaseSensitive(plot->runs[i], "cases");
        for (const cJSON *item = cases ? cases->child : NULL; item; item = item->next)
            if (strcmp(cb_json_text(item, "bench", ""), bench->id) == 0)
                return true;
    }
    return false;
}

/* Writes folder/id.extension. */
static enum cb_status write_file(const struct plot *plot, const char *id, const char *extension,
                                 const char *text, struct cb_err *err)
{
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s/%s.%s", plot->folder, id, extension) >= PATH_BYTES)
        return cb_fail(err, CB_ERROR, "path too long: %s", plot->folder);
    FILE *out = fopen(path, "w");
    bool failed = !out || fputs(text, out) == EOF;
    if (out && fclose(out) != 0)
        failed = true;
    if (failed)
        return cb_fail(err, CB_ERROR, "cannot write %s: %s", path, strerror(errno));
    return CB_OK;
}

/* Writes the figure's script with its variables set at its head. `gnuplot -e` comes before, so
 * that out and term can be chosen when it is redrawn, as we do. */
static enum cb_status write_script(const struct plot *plot, const struct cb_figure *figure,
                                   struct cb_err *err)
{
    char *tips = NULL, *script = NULL, *text = NULL;
    size_t size = 0;
    enum cb_status status = cb_source_read("plots/tips.gp", &tips, err);
    if (status == CB_OK)
        status = cb_source_read(figure->script, &script, err);
    FILE *out = status == CB_OK ? open_memstream(&text, &size) : NULL;
    if (out) {
        fprintf(out, "# Draws %s.svg again: gnuplot %s.gp\n", figure->id, figure->id);
        fprintf(out, "# Or: gnuplot -e \"term='png'; out='%s.png'\" %s.gp\n", figure->id,
                figure->id);
        fprintf(out, "if (!exists('term')) term = 'svg'\n");
        fprintf(out, "if (!exists('out')) out = '%s.svg'\n", figure->id);
        fprintf(out, "data = '%s.dat'\ntitle = '", figure->id);
        for (const char *c = figure->title; *c; c++)
            fputs(*c == '\'' ? "''" : (char[]){*c, '\0'}, out);
        fprintf(out, "'\n\n%s%s", tips, script);
    }
    free(tips);
    free(script);
    bool lost = out && fclose(out) != 0;
    if (status == CB_OK && (!out || lost))
        status = cb_no_memory(err);
    if (status == CB_OK)
        status = write_file(plot, figure->id, "gp", text, err);
    free(text);
    return status;
}

int cb_plot_points(FILE *out, const struct cb_figure *figure, cJSON *const *runs, int n)
{
    if (figure->besides)
        return figure->write_data(out, runs, n);
    cJSON **alone = calloc((size_t)n + 1, sizeof *alone);
    for (int i = 0; alone && i < n; i++)
        alone[i] = cb_run_beside(runs[i], "");
    const int points = alone ? figure->write_data(out, alone, n) : 0;
    for (int i = 0; alone && i < n; i++)
        cJSON_Delete(alone[i]);
    free(alone);
    return points;
}

/* The data of a figure in *data, which is the caller's to free. Returns the number of points; 0:
 * the runs have none. */
static int find_data(const struct plot *plot, const struct cb_figure *figure, char **data,
                     struct cb_err *err)
{
    size_t size = 0;
    *data = NULL;
    FILE *out = open_memstream(data, &size);
    int points = out ? cb_plot_points(out, figure, plot->runs, plot->n_runs) : 0;
    if (!out || fclose(out) != 0) {
        cb_no_memory(err);
        return 0;
    }
    return points;
}

/* Writes data and script of one figure, if the runs have data for it. */
static enum cb_status write_figure(struct plot *plot, const struct cb_figure *figure,
                                   struct cb_err *err)
{
    char *data = NULL;
    enum cb_status status = CB_OK;
    if (find_data(plot, figure, &data, err) > 0) {
        plot->drawn[plot->n_drawn++] = figure;
        status = cb_make_folders(plot->folder, err);
        if (status == CB_OK)
            status = write_file(plot, figure->id, "dat", data, err);
        if (status == CB_OK)
            status = write_script(plot, figure, err);
    } else if (!data) {
        status = CB_ERROR;
    }
    free(data);
    return status;
}

/* Room for every figure there is. */
static const struct cb_figure **room_for_figures(void)
{
    size_t n = 1;
    for (const struct cb_bench *const *bench = cb_benches; *bench; bench++)
        for (const struct cb_figure *f = (*bench)->figures; f && f->id; f++)
            n++;
    return calloc(n, sizeof(const struct cb_figure *));
}

static enum cb_status write_bench(struct plot *plot, const struct cb_bench *bench,
                                  struct cb_err *err)
{
    enum cb_status status = CB_OK;
    if (!bench->figures || !occurs(bench, plot))
        return CB_OK;
    for (const struct cb_figure *f = bench->figures; f->id && status == CB_OK; f++)
        status = write_figure(plot, f, err);
    return status;
}

static enum cb_status write_figures(struct plot *plot, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    for (const struct cb_bench *const *bench = cb_benches; *bench && status == CB_OK; bench++)
        status = write_bench(plot, *bench, err);
    return status;
}

enum cb_status cb_plot_write(const struct cb_bench *bench, cJSON *const *runs, int n,
                             const char *folder, const struct cb_figure **written, int *n_written,
                             struct cb_err *err)
{
    struct plot plot = {runs, n, folder, NULL, written, 0};
    enum cb_status status = write_bench(&plot, bench, err);
    *n_written = plot.n_drawn;
    return status;
}

static enum cb_status nothing_to_draw(struct cb_err *err)
{
    char known[CB_ERR_TEXT / 2] = "";
    size_t n = 0;
    for (const struct cb_bench *const *bench = cb_benches; *bench; bench++)
        if ((*bench)->figures && n < sizeof known)
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", (*bench)->id);
    return cb_fail(err, CB_USAGE,
                   "nothing to draw in these runs: no case with status ok that a picture is made "
                   "of. Benchmarks with pictures: %s",
                   known);
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static enum cb_status draw(const struct plot *plot, const char *id, const char *type,
                           struct cb_err *err)
{
    enum cb_status status = cb_gnuplot_draw(plot->folder, id, type, err);
    if (status == CB_OK)
        cb_text_print(plot->progress, "%s/%s.%s\n", plot->folder, id, type);
    return status;
}

/* Draws as SVG and PNG. What fails does not keep the others from being drawn. */
static enum cb_status draw_all(const struct plot *plot, struct cb_err *err)
{
    char failures[CB_ERR_TEXT / 2] = "";
    enum cb_status status = CB_OK;
    for (int i = 0; i < plot->n_drawn && status != CB_UNSUPPORTED; i++) {
        size_t n = strlen(failures);
        enum cb_status drawn = draw(plot, plot->drawn[i]->id, "svg", err);
        if (drawn == CB_OK)
            drawn = draw(plot, plot->drawn[i]->id, "png", err);
        if (drawn == CB_INTERRUPTED)
            return drawn;
        if (drawn != CB_OK)
            snprintf(failures + n, sizeof failures - n, "%s%.500s", n ? "\n" : "", err->text);
        status = drawn != CB_OK ? drawn : status;
    }
    return status == CB_OK ? CB_OK
                           : cb_fail(err, status, "%s\n  The data and scripts are in %s", failures,
                                     plot->folder);
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* Reads a run with what its pictures need; folder gets its own. */
static enum cb_status load_run(const char *path, cJSON **tree, char folder[PATH_BYTES],
                               struct cb_err *err)
{
    struct cb_run_document run;
    enum cb_status status = cb_run_document_load(path, "results", &run, err);
    *tree = run.tree;
    snprintf(folder, PATH_BYTES, "%s", run.folder);
    return status == CB_OK ? cb_samples_attach(run.tree, run.folder, err) : status;
}

bool cb_plot_has_data(const char *run_dir)
{
    char folder[PATH_BYTES], *data;
    struct cb_err err;
    cJSON *run = NULL;
    bool found = false;
    enum cb_status status = load_run(run_dir, &run, folder, &err);
    const struct plot plot = {.runs = &run, .n_runs = 1};
    for (const struct cb_bench *const *bench = cb_benches; *bench && status == CB_OK; bench++)
        for (const struct cb_figure *f = (*bench)->figures;
             f && f->id && !found && occurs(*bench, &plot); f++) {
            found = find_data(&plot, f, &data, &err) > 0;
            free(data);
        }
    cJSON_Delete(run);
    return found;
}

enum cb_status cb_plot_runs(char *const *run_dirs, int n, const char *out_dir, FILE *progress,
                            struct cb_err *err)
{
    if (n < 1)
        return cb_fail(err, CB_USAGE,
                       "no run to plot: name the folder of a run (results/<run-id>)");
    char plots[PATH_BYTES];
    cJSON **runs = calloc((size_t)n, sizeof(cJSON *));
    struct plot plot = {runs, n, out_dir ? out_dir : plots, progress, room_for_figures(), 0};
    enum cb_status status = CB_OK;
    if (!runs || !plot.drawn)
        status = cb_no_memory(err);
    for (int i = 0; i < n && status == CB_OK; i++) {
        char folder[PATH_BYTES];
        status = load_run(run_dirs[i], &runs[i], folder, err);
        if (i == 0 && status == CB_OK)
            snprintf(plots, sizeof plots, "%.*s/plots", (int)(PATH_BYTES - sizeof "/plots"),
                     folder);
    }
    if (status == CB_OK)
        status = write_figures(&plot, err);
    if (status == CB_OK && plot.n_drawn == 0)
        status = nothing_to_draw(err);
    if (status == CB_OK)
        status = draw_all(&plot, err);
    for (int i = 0; runs && i < n; i++)
        cJSON_Delete(runs[i]);
    free(runs);
    free(plot.drawn);
    return status;
}
