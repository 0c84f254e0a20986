/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables with a line per implementation and a column per number of workgroups, or, where that is
 * too wide, the other way round.
 */
#include "probes/primitives/report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/table.h"
#include "probes/primitives/best.h"
#include "runtime/host/text.h"

/* What one table compares. */
struct field {
    const struct cb_primitive_cases *set;
    const char *kind;
    double variant;
    const char **names, **levels; /* implementations; workgroups as asked for */
    int n_names, n_levels;
};

/* A number of a case for people. */
struct quantity {
    const char *metric;
    double factor;
    const char *units[5]; /* each a thousand of the one before */
    const char *head;     /* NULL: a column per number of workgroups */
};

static const struct quantity throughput = {"throughput", 1, {"", " k", " M", " G"}, NULL};
static const struct quantity op_time = {"op_time", 1, {" ns", " µs", " ms", " s"}, NULL};
static const struct quantity fairness[] = {
    {"longest_wait", 1, {"", " k", " M"}, "longest wait"},
    {"out_of_order", 100, {" %"}, "out of order"},
};

struct column {
    const struct quantity *quantity;
    const char *level;
};

/* ---- Text of cells --------------------------------------------------------------------------- */

/* Three digits; the status of a case without a number. */
static void format_number(const struct cb_primitive_case *c, const struct quantity *q,
                          char cell[CB_CELL_BYTES])
{
    double value = q->factor * cb_primitive_stat(c, q->metric, "median");
    const char *const *unit = q->units;
    for (; value >= 999.5 && unit[1]; unit++)
        value /= 1000;
    int digits = value < 9.995 ? 2 : value < 99.95;
    if (!isnan(value))
        snprintf(cell, CB_CELL_BYTES, "%.*f%s", value == 0 ? 0 : digits, value, *unit);
    else if (!q->head)
        snprintf(cell, CB_CELL_BYTES, "%s", c->ok ? "-" : cb_json_text(c->item, "status", ""));
}

/* The number of workgroups: "264"; "N/8 = 1" if another level is 1, too; "N = 1584-2112" if it
 * depends on the implementation; "N" if it is not known. */
static void format_level(const struct field *f, const char *level, char head[CB_CELL_BYTES])
{
    double least = NAN, most = NAN;
    bool shared = false;
    struct cb_primitive_query q = {f->set, f->kind, f->variant, NULL, level};
    for (const struct cb_primitive_case *c = cb_primitive_next(&q, NULL); c;
         c = cb_primitive_next(&q, c)) {
        least = fmin(least, c->count);
        most = fmax(most, c->count);
    }
    q.groups = NULL;
    for (const struct cb_primitive_case *c = cb_primitive_next(&q, NULL); c && !shared;
         c = cb_primitive_next(&q, c))
        shared = strcmp(c->groups, level) != 0 && c->count == least;
    if (isnan(least) || isdigit((unsigned char)*level))
        snprintf(head, CB_CELL_BYTES, "%.40s", level);
    else if (least < most)
        snprintf(head, CB_CELL_BYTES, "%.40s = %.0f-%.0f", level, least, most);
    else if (shared)
        snprintf(head, CB_CELL_BYTES, "%.40s = %.0f", level, least);
    else
        snprintf(head, CB_CELL_BYTES, "%.0f", least);
}

/* ---- A table of implementations -------------------------------------------------------------- */

static void add_distinct(const char **texts, int *n, const char *text)
{
    for (int i = 0; i < *n; i++)
        if (strcmp(texts[i], text) == 0)
            return;
    texts[(*n)++] = text;
}

/* False: no memory. */
static bool field_of(const struct cb_primitive_cases *set, const char *kind, double variant,
                     struct field *f)
{
    size_t room = (size_t)set->n + 1;
    *f = (struct field){.set = set,
                        .kind = kind,
                        .variant = variant,
                        .names = calloc(room, sizeof *f->names),
                        .levels = calloc(room, sizeof *f->levels)};
    if (!f->names || !f->levels)
        return false;
    struct cb_primitive_query q = {set, kind, variant, NULL, NULL};
    for (const struct cb_primitive_case *c = cb_primitive_next(&q, NULL); c;
         c = cb_primitive_next(&q, c)) {
        add_distinct(f->names, &f->n_names, c->name);
        add_distinct(f->levels, &f->n_levels, c->groups);
    }
    return true;
}

/* The first of several, as a suite may have. */
static const struct cb_primitive_case *find(const struct field *f, const char *name,
                                            const char *level)
{
    struct cb_primitive_query q = {f->set, f->kind, f->variant, name, level};
    return cb_primitive_next(&q, NULL);
}

/* The cell of a table that may be turned: a line per number of workgroups. */
static char *cell_of(const struct cb_table *t, bool turned, int implementation, int column)
{
    return cb_table_cell(t, turned ? column : implementation, turned ? implementation : column);
}

/* False: no memory. */
static bool fill(const struct field *f, const struct column *columns, int n, bool turned,
                 struct cb_table *t)
{
    if (!cb_table_open(1 + (turned ? n : f->n_names), 1 + (turned ? f->n_names : n), ~1u, t))
        return false;
    strcpy(cb_table_cell(t, 0, 0), turned ? "workgroups" : f->kind);
    for (int j = 0; j < n; j++)
        if (columns[j].quantity->head)
            strcpy(cell_of(t, turned, 0, 1 + j), columns[j].quantity->head);
        else
            format_level(f, columns[j].level, cell_of(t, turned, 0, 1 + j));
    for (int i = 0; i < f->n_names; i++) {
        snprintf(cell_of(t, turned, 1 + i, 0), CB_CELL_BYTES, "%s", f->names[i]);
        for (int j = 0; j < n; j++) {
            const struct cb_primitive_case *c = find(f, f->names[i], columns[j].level);
            if (c)
                format_number(c, columns[j].quantity, cell_of(t, turned, 1 + i, 1 + j));
        }
    }
    return true;
}

static void print_columns(FILE *out, const struct field *f, const struct column *columns, int n)
{
    struct cb_table t;
    bool filled = fill(f, columns, n, false, &t);
    if (filled && cb_table_fit(&t) > cb_line_width(out)) {
        cb_table_free(&t);
        filled = fill(f, columns, n, true, &t);
    }
    if (filled)
        cb_table_print(out, &t);
    cb_table_free(&t);
}

/* Writes which columns tell of fairness with the most workgroups, as far as it was measured.
 * Returns their number. */
static int add_fairness(const struct field *f, struct column *columns)
{
    const struct cb_primitive_case *most = NULL;
    int n = 0;
    struct cb_primitive_query q = {f->set, f->kind, f->variant, NULL, NULL};
    for (const struct cb_primitive_case *c = cb_primitive_next(&q, NULL); c;
         c = cb_primitive_next(&q, c))
        if (c->count > (most ? most->count : 0))
            most = c;
    for (int k = 0; most && k < 2; k++)
        for (int i = 0; i < f->n_names; i++) {
            const struct cb_primitive_case *c = find(f, f->names[i], most->groups);
            if (c && !isnan(cb_primitive_stat(c, fairness[k].metric, "median"))) {
                columns[n++] = (struct column){&fairness[k], most->groups};
                break;
            }
        }
    return n;
}

/* A table under its title, which is followed by the variant's name. */
static void print_table(FILE *out, const struct field *f, const struct quantity *quantity,
                        const char *title)
{
    char level[CB_CELL_BYTES];
    struct column *columns = calloc((size_t)f->n_levels + 2, sizeof *columns);
    if (!columns)
        return;
    for (int i = 0; i < f->n_levels; i++)
        columns[i] = (struct column){quantity, f->levels[i]};
    int n_fair = add_fairness(f, columns + f->n_levels);
    fprintf(out, "\n%s by number of workgroups", title);
    if (strcmp(f->kind, "mutex") == 0)
        fprintf(out,
                f->variant == 0 ? ", empty critical section"
                                : ", %.15g increment%s in the critical section",
                f->variant, CB_PLURAL(f->variant));
    if (strcmp(f->kind, "semaphore") == 0)
        fprintf(out, ", initial value %.15g", f->variant);
    if (n_fair > 0) {
        format_level(f, columns[f->n_levels].level, level);
        fprintf(out, "\n(longest wait over the mean%s: with %s workgroups)",
                n_fair > 1 ? ", share of grants out of order" : "", level);
    }
    fputs("\n\n", out);
    print_columns(out, f, columns, f->n_levels + n_fair);
    free(columns);
}

static struct cb_best best_beside(const struct cb_primitive_cases *set,
                                  const struct cb_primitive_case *other)
{
    return cb_best_at(set, other->kind, other->variant, other->groups, other->count);
}

/* How the best barrier compares with one that is no candidate, with the most workgroups that both
 * have. */
static void print_compared(FILE *out, const struct cb_primitive_cases *set, const char *name)
{
    const struct cb_primitive_case *other = NULL;
    for (int i = 0; i < set->n; i++) {
        const struct cb_primitive_case *c = &set->cases[i];
        if (strcmp(c->name, name) == 0 && c->count > (other ? other->count : 1) &&
            cb_primitive_stat(c, "op_time", "median") > 0 && best_beside(set, c).op_time > 0)
            other = c;
    }
    if (!other)
        return;
    struct cb_best best = best_beside(set, other);
    double ratio = best.op_time / cb_primitive_stat(other, "op_time", "median");
    fprintf(out, "\nWith %.0f workgroup%s, the best barrier, %s, takes %.*f times as long as %s\n",
            other->count, CB_PLURAL(other->count), best.names[0], ratio < 0.0995 ? 3 : 2, ratio,
            other->name);
}

static void print_kind(FILE *out, const struct cb_primitive_cases *set, const char *kind,
                       const char *title)
{
    double *variants = calloc((size_t)set->n + 1, sizeof *variants);
    int n = variants ? cb_primitive_variants(set, kind, variants) : 0;
    for (int i = 0; i < n; i++) {
        struct field f;
        if (field_of(set, kind, variants[i], &f)) {
            print_table(out, &f, &throughput, title);
            if (strcmp(kind, "barrier") == 0)
                print_table(out, &f, &op_time, "Time of a barrier");
        }
        free(f.names);
        free(f.levels);
    }
    free(variants);
}

/* The device with N, of which implementations may have different ones. */
static void print_device_line(FILE *out, const cJSON *device, const struct cb_primitive_cases *set)
{
    double least = NAN, most = NAN;
    for (int i = 0; i < set->n; i++)
        if (strcmp(set->cases[i].groups, "N") == 0 && strcmp(set->cases[i].name, CB_NATIVE) != 0) {
            least = fmin(least, set->cases[i].count);
            most = fmax(most, set->cases[i].count);
        }
    fprintf(out, "\n%s", cb_json_text(device, "name", ""));
    if (least < most)
        fprintf(out, ": N = %.0f to %.0f workgroups", least, most);
    else if (!isnan(least))
        fprintf(out, ": N = %.0f workgroup%s", least, CB_PLURAL(least));
    fputc('\n', out);
}

void cb_primitives_report_with(FILE *out, const cJSON *run,
                               const cJSON *(*prediction)(void *context, const char *device_id),
                               void *context)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        const char *id = cb_json_text(device, "id", "");
        struct cb_primitive_cases set = cb_primitive_cases_of(run, id);
        if (set.n > 0) {
            print_device_line(out, device, &set);
            print_kind(out, &set, "barrier", "Barriers a second");
            print_compared(out, &set, CB_NATIVE);
            print_compared(out, &set, CB_RELAUNCH);
            print_compared(out, &set, CB_RELAUNCH_SYNC);
            print_kind(out, &set, "mutex", "Mutex operations a second");
            print_kind(out, &set, "semaphore", "Semaphore operations a second");
            print_kind(out, &set, "queue", "Elements a second through a queue");
            cb_verdicts_print(out, run, id, prediction ? prediction(context, id) : NULL);
        }
        cb_primitive_cases_free(&set);
    }
}
