/* SPDX-License-Identifier: Apache-2.0
 *
 * The data file of the pictures: a table of tab-separated columns under a comment line that names
 * them. A block, parted from the next by two empty lines, is a line of the picture: one
 * implementation on one device (a row of panels) in one variant (a panel).
 */
#include "probes/primitives/figures.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "measure/json.h"
#include "probes/primitives/best.h"

#define LABEL_BYTES 256

/* A device as one run saw it. */
struct place {
    const cJSON *run, *device;
    struct cb_primitive_cases set;
};

/* All that one picture shows: places, panels and implementations are numbered across it. */
struct picture {
    const char *kind;
    struct place *places;
    const char **names; /* in order of first appearance */
    double *variants;   /* ascending */
    int n_places, n_names, n_variants;
};

/* ---- What there is to draw ------------------------------------------------------------------- */

/* The axes of throughput are logarithmic. */
static bool is_drawn(const struct cb_primitive_case *c, const char *kind)
{
    return strcmp(c->kind, kind) == 0 && c->count >= 1 &&
           cb_primitive_stat(c, "throughput", "q1") > 0 &&
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

/* A device without anything to draw is no place. */
static void add_place(struct picture *p, const cJSON *run, const cJSON *device)
{
    struct place place = {run, device, cb_primitive_cases_of(run, cb_json_text(device, "id", ""))};
    bool any = false;
    for (int i = 0; i < place.set.n; i++)
        if (is_drawn(&place.set.cases[i], p->kind)) {
            add_drawn(p, &place.set.cases[i]);
            any = true;
        }
    if (any)
        p->places[p->n_places++] = place;
    else
        cb_primitive_cases_free(&place.set);
}

/* Empty if there is no memory. */
static struct picture picture_of(const char *kind, cJSON *const *runs, int n)
{
    size_t places = 1, cases = 1;
    const cJSON *device;
    for (int i = 0; i < n; i++) {
        places += (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(runs[i], "devices"));
        cases += (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(runs[i], "cases"));
    }
    struct picture p = {.kind = kind,
                        .places = calloc(places, sizeof *p.places),
                        .names = calloc(cases, sizeof *p.names),
                        .variants = calloc(cases, sizeof *p.variants)};
    if (!p.places || !p.names || !p.variants)
        return p;
    for (int i = 0; i < n; i++)
        cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(runs[i], "devices"))
            add_place(&p, runs[i], device);
    return p;
}

static void free_picture(struct picture *p)
{
    for (int i = 0; i < p->n_places; i++)
        cb_primitive_cases_free(&p->places[i].set);
    free(p->places);
    free(p->names);
    free(p->variants);
}

/* ---- Titles ---------------------------------------------------------------------------------- */

/* Appends text without trademark signs, and without what would end a field of the table. */
static void append_clean(char label[LABEL_BYTES], const char *text)
{
    size_t n = strlen(label);
    for (; *text && n + 1 < LABEL_BYTES; text++) {
        if (strncasecmp(text, "(R)", 3) == 0 || strncasecmp(text, "(TM)", 4) == 0) {
            text = strchr(text, ')');
            continue;
        }
        bool space = isspace((unsigned char)*text) || iscntrl((unsigned char)*text) ||
                     *text == '"' || *text == '\\';
        if (!space || (n > 0 && label[n - 1] != ' '))
            label[n++] = space ? ' ' : *text;
    }
    while (n > 0 && label[n - 1] == ' ')
        n--;
    label[n] = '\0';
}

/* The device's name; its number if the run has several of that name; the run if several have one.
 */
static void label_place(const struct picture *p, int index, char label[LABEL_BYTES])
{
    const struct place *place = &p->places[index];
    const char *name = cb_json_text(place->device, "name", "unnamed device");
    int number = 1, same_run = 0, other_runs = 0;
    for (int i = 0; i < p->n_places; i++) {
        bool same = place->run == p->places[i].run;
        if (strcmp(cb_json_text(p->places[i].device, "name", "unnamed device"), name) != 0)
            continue;
        same_run += same;
        other_runs += !same;
        number += same && i < index;
    }
    label[0] = '\0';
    append_clean(label, name);
    size_t n = strlen(label);
    if (same_run > 1)
        n += (size_t)snprintf(label + n, LABEL_BYTES - n, " #%d", number);
    if (other_runs > 0 && n < LABEL_BYTES) {
        snprintf(label + n, LABEL_BYTES - n, ", run ");
        append_clean(label, cb_json_text(place->run, "run_id", "without an id"));
    }
}

/* A field of the table; barriers have no title, not even quotes, which gnuplot takes for one. */
static void write_panel_title(FILE *out, const char *kind, double variant)
{
    if (strcmp(kind, "semaphore") == 0)
        fprintf(out, "\"initial value: %.15g\"", variant);
    else if (strcmp(kind, "mutex") == 0 && variant == 0)
        fputs("\"critical section: empty\"", out);
    else if (strcmp(kind, "mutex") == 0)
        fprintf(out, "\"critical section: %.15g increment%s\"", variant, variant == 1 ? "" : "s");
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
static int collect(const struct picture *p, int place, int variant, int name,
                   const struct cb_primitive_case **line)
{
    const struct cb_primitive_cases *set = &p->places[place].set;
    int n = 0, kept = 0;
    for (int i = 0; i < set->n; i++) {
        const struct cb_primitive_case *c = &set->cases[i];
        if (is_drawn(c, p->kind) && c->variant == p->variants[variant] &&
            strcmp(c->name, p->names[name]) == 0)
            line[n++] = c;
    }
    qsort(line, (size_t)n, sizeof(*line), by_count);
    for (int i = 0; i < n; i++)
        if (kept == 0 || line[i]->count != line[kept - 1]->count)
            line[kept++] = line[i];
    return kept;
}

static void write_row(FILE *out, const struct picture *p, int place, int variant, int name,
                      const struct cb_primitive_case *c)
{
    char label[LABEL_BYTES], clean[LABEL_BYTES] = "";
    label_place(p, place, label);
    append_clean(clean, c->name);
    fprintf(out, "%d\t%d\t%d\t\"%s\"\t", place, variant, name, label);
    write_panel_title(out, p->kind, c->variant);
    fprintf(out, "\t\"%s\"\t%.6g\t%.6g\t%.6g\t%.6g\n", clean, c->count,
            cb_primitive_stat(c, "throughput", "median"), cb_primitive_stat(c, "throughput", "q1"),
            cb_primitive_stat(c, "throughput", "q3"));
}

static int write_place(FILE *out, const struct picture *p, int place, int points_before)
{
    const struct cb_primitive_case **line = calloc((size_t)p->places[place].set.n, sizeof(*line));
    int points = points_before;
    for (int variant = 0; line && variant < p->n_variants; variant++)
        for (int name = 0; name < p->n_names; name++) {
            int n = collect(p, place, variant, name, line);
            fputs(n > 0 && points > 0 ? "\n\n" : "", out);
            for (int i = 0; i < n; i++)
                write_row(out, p, place, variant, name, line[i]);
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
    for (int place = 0; place < p.n_places; place++)
        points += write_place(out, &p, place, points);
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
