/* SPDX-License-Identifier: Apache-2.0
 *
 * The data file of the pictures: a table of tab-separated columns under a comment line that names
 * them. A block, parted from the next by two empty lines, is a line of the picture: one
 * implementation on one device (a row of panels) in one variant (a panel).
 */
#include "probes/primitives/figures.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/documents/figure.h"
#include "measure/text/json.h"
#include "probes/primitives/cases.h"
#include "runtime/host/text.h"

/* All that one picture shows: devices, panels and implementations are numbered across it. */
struct picture {
    const char *kind;
    struct cb_run_device *run_devices;
    struct cb_primitive_cases *sets; /* one for each of them */
    const char **names;              /* in order of first appearance */
    double *variants;                /* ascending */
    int n_run_devices, n_names, n_variants;
};

/* ---- What there is to draw ------------------------------------------------------------------- */

/* The axes of throughput are logarithmic. */
static bool is_drawn(const struct cb_primitive_case *c)
{
    return c->count >= 1 && cb_primitive_stat(c, "throughput", "q1") > 0 &&
           cb_primitive_stat(c, "throughput", "median") > 0;
}

static void add_drawn(struct picture *p, const struct cb_primitive_case *c)
{
    int name = 0, variant = 0;
    while (name < p->n_names && strcmp(p->names[name], c->name) != 0)
        name++;
    p->names[name] = c->name;
    p->n_names += name == p->n_names;
    while (variant < p->n_variants && p->variants[variant] < c->variant)
        variant++;
    if (variant < p->n_variants && p->variants[variant] == c->variant)
        return;
    memmove(p->variants + variant + 1, p->variants + variant,
            (size_t)(p->n_variants++ - variant) * sizeof *p->variants);
    p->variants[variant] = c->variant;
}

/* Adds a device of a run, if there is anything to draw of it. */
static void add_run_device(struct picture *p, struct cb_run_device run_device)
{
    struct cb_primitive_cases set =
        cb_primitive_cases_of(run_device.run, cb_json_text(run_device.device, "id", ""));
    bool any = false;
    for (int i = 0; i < set.n; i++)
        if (strcmp(set.cases[i].kind, p->kind) == 0 && is_drawn(&set.cases[i])) {
            add_drawn(p, &set.cases[i]);
            any = true;
        }
    if (any) {
        p->sets[p->n_run_devices] = set;
        p->run_devices[p->n_run_devices++] = run_device;
    } else {
        cb_primitive_cases_free(&set);
    }
}

/* Empty if there is no memory. */
static struct picture picture_of(const char *kind, cJSON *const *runs, int n)
{
    struct picture p = {.kind = kind};
    size_t cases = 1;
    int devices = cb_run_devices(runs, n, "primitives", &p.run_devices);
    for (int i = 0; i < n; i++)
        cases += (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(runs[i], "cases"));
    p.sets = calloc((size_t)devices + 1, sizeof *p.sets);
    p.names = calloc(cases, sizeof *p.names);
    p.variants = calloc(cases, sizeof *p.variants);
    if (!p.run_devices || !p.sets || !p.names || !p.variants)
        return p;
    for (int i = 0; i < devices; i++)
        add_run_device(&p, p.run_devices[i]); /* there, or before */
    return p;
}

static void free_picture(struct picture *p)
{
    for (int i = 0; i < p->n_run_devices; i++)
        cb_primitive_cases_free(&p->sets[i]);
    free(p->run_devices);
    free(p->sets);
    free(p->names);
    free(p->variants);
}

/* ---- Titles ---------------------------------------------------------------------------------- */

/* A field of the table; barriers have no title, not even quotes, which gnuplot takes for one. */
static void write_panel_title(FILE *out, const char *kind, double variant)
{
    if (strcmp(kind, "semaphore") == 0)
        fprintf(out, "\"initial value: %.15g\"", variant);
    else if (strcmp(kind, "mutex") == 0 && variant == 0)
        fputs("\"critical section: empty\"", out);
    else if (strcmp(kind, "mutex") == 0)
        fprintf(out, "\"critical section: %.15g increment%s\"", variant, CB_PLURAL(variant));
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static int by_count(const void *a, const void *b)
{
    const struct cb_primitive_case *x = *(const struct cb_primitive_case *const *)a;
    const struct cb_primitive_case *y = *(const struct cb_primitive_case *const *)b;
    int order = (x->count > y->count) - (x->count < y->count);
    return order ? order : (x > y) - (x < y);
}

/* The cases of a line of the picture by number of workgroups. Returns their number. Of several with
 * one number ("1" and "N/8" of 8), the first of the document stands for all. */
static int collect(const struct picture *p, int run_device, int variant, int name,
                   const struct cb_primitive_case **line)
{
    struct cb_primitive_query q = {&p->sets[run_device], p->kind, p->variants[variant],
                                   p->names[name], NULL};
    int n = 0, kept = 0;
    for (const struct cb_primitive_case *c = cb_primitive_next(&q, NULL); c;
         c = cb_primitive_next(&q, c))
        if (is_drawn(c))
            line[n++] = c;
    qsort(line, (size_t)n, sizeof(*line), by_count);
    for (int i = 0; i < n; i++)
        if (kept == 0 || line[i]->count != line[kept - 1]->count)
            line[kept++] = line[i];
    return kept;
}

static void write_row(FILE *out, const struct picture *p, int run_device, int variant, int name,
                      const struct cb_primitive_case *c)
{
    char label[CB_LABEL_BYTES], clean[CB_LABEL_BYTES] = "";
    cb_figure_label_device(p->run_devices, p->n_run_devices, run_device, label);
    cb_figure_label_append(clean, c->name);
    fprintf(out, "%d\t%d\t%d\t\"%s\"\t", run_device, variant, name, label);
    write_panel_title(out, p->kind, c->variant);
    fprintf(out, "\t\"%s\"\t%.6g\t%.6g\t%.6g\t%.6g\n", clean, c->count,
            cb_primitive_stat(c, "throughput", "median"), cb_primitive_stat(c, "throughput", "q1"),
            cb_primitive_stat(c, "throughput", "q3"));
}

static int write_run_device(FILE *out, const struct picture *p, int run_device, int points_before)
{
    const struct cb_primitive_case **line = calloc((size_t)p->sets[run_device].n, sizeof(*line));
    int points = points_before;
    for (int variant = 0; line && variant < p->n_variants; variant++)
        for (int name = 0; name < p->n_names; name++) {
            int n = collect(p, run_device, variant, name, line);
            fputs(n > 0 && points > 0 ? "\n\n" : "", out);
            for (int i = 0; i < n; i++)
                write_row(out, p, run_device, variant, name, line[i]);
            points += n;
        }
    free(line);
    return points - points_before;
}

static int write_picture(FILE *out, const char *kind, cJSON *const *runs, int n)
{
    struct picture p = picture_of(kind, runs, n);
    int points = 0;
    fputs("# device_number\tpanel_number\timplementation_number\tdevice\tpanel\timplementation"
          "\tgroups\tthroughput_median_ops_per_s\tthroughput_q1_ops_per_s"
          "\tthroughput_q3_ops_per_s\n",
          out);
    for (int run_device = 0; run_device < p.n_run_devices; run_device++)
        points += write_run_device(out, &p, run_device, points);
    free_picture(&p);
    return points;
}

static int write_fig1(FILE *out, cJSON *const *runs, int n)
{
    return write_picture(out, "barrier", runs, n);
}

static int write_fig2(FILE *out, cJSON *const *runs, int n)
{
    return write_picture(out, "mutex", runs, n);
}

static int write_fig3(FILE *out, cJSON *const *runs, int n)
{
    return write_picture(out, "semaphore", runs, n);
}

const struct cb_figure cb_primitives_figures[] = {
    {"fig1", "plots/primitives.gp", "Barriers between workgroups", write_fig1},
    {"fig2", "plots/primitives.gp", "Mutexes: lock and unlock", write_fig2},
    {"fig3", "plots/primitives.gp", "Semaphores: wait and post", write_fig3},
    {0},
};
