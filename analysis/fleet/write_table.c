/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet as tables for people, in a terminal or in Markdown.
 */
#include <math.h>
#include <string.h>

#include "analysis/compare/write.h"
#include "analysis/fleet/write.h"
#include "measure/text/table.h"
#include "runtime/host/text.h"

#define MOST_DEVICES  100
#define MOST_OUTLIERS 40
#define MOST_SERIES   20
#define MOST_WAYS     8
#define MOST_TOLD     3 /* devices that are told in words */

static void title(FILE *out, bool markdown, const char *text)
{
    fprintf(out, "\n%s%s\n%s", markdown ? "#### " : "", text, markdown ? "\n" : "");
}

static bool open_table(struct cb_table *t, int rows, const char *const *heads, int columns,
                       unsigned right)
{
    if (!cb_table_open(1 + rows, columns, right, t))
        return false;
    for (int i = 0; i < columns; i++)
        cb_table_put(t, 0, i, heads[i]);
    return true;
}

static void close_table(FILE *out, struct cb_table *t, int more)
{
    cb_table_print(out, t);
    cb_table_free(t);
    if (more > 0)
        fprintf(out, "(and %d more; --json has all)\n", more);
}

static void put_number(const struct cb_table *t, int row, int column, const char *format, double x)
{
    char text[CB_CELL_BYTES];
    snprintf(text, sizeof text, format, x);
    cb_table_put(t, row, column, isfinite(x) ? text : "");
}

/* A loss of 0.05 is a factor of 1.05. */
static void put_loss(const struct cb_table *t, int row, int column, double loss)
{
    char text[CB_CELL_BYTES];
    cb_fleet_factor_text(text, sizeof text, 1 + loss);
    cb_table_put(t, row, column, isnan(loss) ? "" : text);
}

static void put_value(const struct cb_table *t, int row, int column, double x, const char *unit)
{
    char text[CB_CELL_BYTES];
    cb_compare_value(text, sizeof text, x, unit);
    cb_table_put(t, row, column, text);
}

/* ---- Devices --------------------------------------------------------------------------------- */

enum { VERDICT, LOSS, Z, P, SLOW, FAST, OF, HOST, PCI, UUID, RUN, NOTES, DEVICE_COLUMNS };

static void put_device(const struct cb_table *t, int row, const struct cb_fleet *f, int i)
{
    const struct cb_fleet_device *d = &f->devices.items[i];
    const struct cb_fleet_judgement *j = &f->judgements[i];
    char text[CB_CELL_BYTES];
    cb_table_put(t, row, VERDICT, cb_fleet_verdict_name(j->verdict));
    put_loss(t, row, LOSS, j->loss);
    put_number(t, row, Z, "%.1f", j->z);
    put_number(t, row, P, j->p < 0.001 ? "%.0e" : "%.3f", j->p);
    put_number(t, row, SLOW, "%.0f", j->slow);
    put_number(t, row, FAST, "%.0f", j->fast);
    put_number(t, row, OF, "%.0f", j->series);
    cb_table_put(t, row, HOST, d->host);
    cb_table_put(t, row, PCI, d->pci);
    cb_table_put(t, row, UUID, d->uuid);
    cb_table_put(t, row, RUN, d->run->id);
    cb_fleet_part_text(text, sizeof text, f, i);
    cb_table_put(t, row, NOTES, text);
}

static void print_kind(FILE *out, const struct cb_fleet *f, int kind, bool markdown)
{
    static const char *const heads[] = {"verdict", "loss", "z",           "p",    "slow", "fast",
                                        "series",  "host", "PCI address", "UUID", "run",  "notes"};
    struct cb_table t;
    char text[512];
    const int all = f->devices.kinds[kind].devices, n = all < MOST_DEVICES ? all : MOST_DEVICES;
    int row = 1;
    cb_fleet_kind_text(text, sizeof text, f, kind);
    title(out, markdown, text);
    if (!open_table(&t, n, heads, DEVICE_COLUMNS,
                    1u << LOSS | 1u << Z | 1u << P | 1u << SLOW | 1u << FAST | 1u << OF))
        return;
    for (int i = 0; i < f->devices.n && row <= n; i++)
        if (f->devices.items[f->order[i]].kind == kind)
            put_device(&t, row++, f, f->order[i]);
    close_table(out, &t, all - n);
}

/* ---- What is missing ------------------------------------------------------------------------- */

static void print_gaps(FILE *out, const struct cb_fleet_report *r, bool markdown)
{
    if (r->n_gaps == 0)
        return;
    title(out, markdown, "Not there, or not wholly:");
    for (int i = 0; i < r->n_gaps; i++) {
        const struct cb_fleet_gap *g = &r->gaps[i];
        cb_text_print(out, "%s%s: %s%s%s%s%s", markdown ? "- " : "  ", g->state, g->folder,
                      *g->host ? ", host " : "", g->host, *g->uuid ? ", device " : "", g->uuid);
        if (isfinite(g->attempts))
            fprintf(out, ", %.0f attempt%s", g->attempts, CB_PLURAL(g->attempts));
        cb_text_print(out, "%s%s\n", *g->why ? ": " : "", g->why);
    }
}

/* ---- Values and series ----------------------------------------------------------------------- */

static void print_outliers(FILE *out, const struct cb_fleet *f, bool markdown)
{
    enum { LOST, P_VALUE, VALUE, MEDIAN, WHERE, METRIC, CASE, COLUMNS };
    static const char *const heads[] = {"loss", "p", "value", "median", "device", "metric", "case"};
    struct cb_fleet_place places[MOST_OUTLIERS];
    const int all = cb_fleet_outliers(f, places, MOST_OUTLIERS);
    const int n = all < MOST_OUTLIERS ? all : MOST_OUTLIERS;
    struct cb_table t;
    char where[CB_CELL_BYTES];
    if (all == 0)
        return;
    title(out, markdown, "Cases in which a device strays from the median of its kind");
    if (!open_table(&t, n, heads, COLUMNS, 1u << LOST | 1u << P_VALUE | 1u << VALUE | 1u << MEDIAN))
        return;
    for (int i = 0; i < n; i++) {
        const struct cb_fleet_series *s = places[i].series;
        const struct cb_fleet_value *v = places[i].value;
        put_loss(&t, 1 + i, LOST, v->loss);
        put_number(&t, 1 + i, P_VALUE, "%.0e", v->p);
        put_value(&t, 1 + i, VALUE, v->value, s->m->unit);
        put_value(&t, 1 + i, MEDIAN, s->median, s->m->unit);
        cb_fleet_device_text(where, sizeof where, &f->devices.items[v->device]);
        cb_table_put(&t, 1 + i, WHERE, where);
        cb_table_put(&t, 1 + i, METRIC, s->m->name);
        cb_table_put(&t, 1 + i, CASE, s->c->id);
    }
    close_table(out, &t, all - n);
}

static void print_spread(FILE *out, const struct cb_fleet *f, bool markdown)
{
    enum { RANGE, CV, MIN, MEDIAN, MAX, DEVICES, METRIC, CASE, COLUMNS };
    static const char *const heads[] = {"max / min", "robust CV", "min",    "median",
                                        "max",       "devices",   "metric", "case"};
    struct cb_fleet_place places[MOST_SERIES];
    const int all = cb_fleet_widest(f, places, MOST_SERIES);
    const int n = all < MOST_SERIES ? all : MOST_SERIES;
    struct cb_table t;
    if (all == 0)
        return;
    title(out, markdown, "How far devices of a kind differ, where they differ most");
    if (!open_table(&t, n, heads, COLUMNS,
                    1u << RANGE | 1u << CV | 1u << MIN | 1u << MEDIAN | 1u << MAX | 1u << DEVICES))
        return;
    for (int i = 0; i < n; i++) {
        const struct cb_fleet_series *s = places[i].series;
        put_number(&t, 1 + i, RANGE, "%.3g", s->ratios ? s->max / s->min : NAN);
        put_number(&t, 1 + i, CV, "%.1f %%", 100 * s->spread);
        put_value(&t, 1 + i, MIN, s->min, s->m->unit);
        put_value(&t, 1 + i, MEDIAN, s->median, s->m->unit);
        put_value(&t, 1 + i, MAX, s->max, s->m->unit);
        put_number(&t, 1 + i, DEVICES, "%.0f", s->n);
        cb_table_put(&t, 1 + i, METRIC, s->m->name);
        cb_table_put(&t, 1 + i, CASE, s->c->id);
    }
    close_table(out, &t, all - n);
}

/* ---- The portable best ----------------------------------------------------------------------- */

static void print_portable(FILE *out, const struct cb_fleet *f, const struct cb_portable *p,
                           bool markdown)
{
    enum { WAY, MEAN, WORST, WHERE, CASE, PLACES, COLUMNS };
    static const char *const heads[] = {"way", "mean loss", "worst loss", "on", "in", "places"};
    const int n = p->n < MOST_WAYS ? p->n : MOST_WAYS;
    struct cb_table t;
    char text[CB_CELL_BYTES];
    fprintf(out, "\n%s%s, %s: ", markdown ? "**" : "", p->bench->id, p->choice);
    fputs(markdown ? "** " : "", out);
    cb_fleet_write_best(out, f, p);
    fprintf(out, ", over %d place%s on %d device%s.\n\n", p->places, CB_PLURAL(p->places),
            p->devices, CB_PLURAL(p->devices));
    if (!open_table(&t, n, heads, COLUMNS, 1u << MEAN | 1u << WORST | 1u << PLACES))
        return;
    for (int i = 0; i < n; i++) {
        const struct cb_way *w = &p->ways[i];
        cb_table_put(&t, 1 + i, WAY, w->name);
        put_loss(&t, 1 + i, MEAN, w->mean - 1);
        put_loss(&t, 1 + i, WORST, w->worst - 1);
        cb_fleet_device_text(text, sizeof text, &f->devices.items[w->device]);
        cb_table_put(&t, 1 + i, WHERE, w->worst > 1 ? text : "");
        cb_table_put(&t, 1 + i, CASE, w->worst > 1 ? w->c->id : "");
        snprintf(text, sizeof text, "%d of %d", w->places, p->places);
        cb_table_put(&t, 1 + i, PLACES, text);
    }
    close_table(out, &t, p->n - n);
}

static void print_portables(FILE *out, const struct cb_fleet_report *r, bool markdown)
{
    if (r->portables->n == 0)
        return;
    title(out, markdown, "Portable best: what a way costs more than the best one at each place");
    for (int i = 0; i < r->portables->n; i++)
        print_portable(out, r->fleet, &r->portables->items[i], markdown);
}

/* ---- In words -------------------------------------------------------------------------------- */

static void print_slow(FILE *out, const struct cb_fleet *f, int device, bool markdown)
{
    const struct cb_fleet_device *d = &f->devices.items[device];
    const struct cb_fleet_judgement *j = &f->judgements[device];
    char where[192], percent[32];
    cb_fleet_device_text(where, sizeof where, d);
    cb_fleet_factor_text(percent, sizeof percent, 1 + j->loss);
    cb_text_print(out, "\n%s%s%s%s is slow: %s in the median of its %d series", where,
                  *d->uuid ? " (UUID " : "", d->uuid, *d->uuid ? ")" : "", percent, j->series);
    if (j->slow > 0)
        fprintf(out, "; %d of them stray each on its own", j->slow);
    fprintf(out, ". Measure it again there, with nothing beside it:\n%s",
            markdown ? "\n    " : "  ");
    cb_compare_command_head(out, d->run->document.tree, false, true);
    fputc('\n', out);
}

static void write(FILE *out, const struct cb_fleet_report *r, bool markdown)
{
    const struct cb_fleet *f = r->fleet;
    fputs(markdown ? "### coopbench fleet: " : "", out);
    cb_fleet_counts(out, f);
    if (r->n_gaps)
        fprintf(out, "; %d not there, or not wholly", r->n_gaps);
    fputc('\n', out);
    if (f->tests > 0)
        fprintf(
            out,
            "%sA device strays from %.3g %% on, with p < %g after correction for %d value%s and "
            "for the devices\n",
            markdown ? "\n" : "", 100 * r->rules->threshold, r->rules->alpha, f->tests,
            CB_PLURAL(f->tests));
    for (int i = 0; i < f->devices.n && i < MOST_TOLD; i++)
        if (cb_fleet_is_slow(f, f->order[i]))
            print_slow(out, f, f->order[i], markdown);
    print_gaps(out, r, markdown);
    for (int i = 0; i < f->devices.n_kinds; i++)
        print_kind(out, f, i, markdown);
    print_outliers(out, f, markdown);
    print_spread(out, f, markdown);
    print_portables(out, r, markdown);
}

void cb_fleet_write_table(FILE *out, const struct cb_fleet_report *r)
{
    write(out, r, false);
}

void cb_fleet_write_markdown(FILE *out, const struct cb_fleet_report *r)
{
    write(out, r, true);
}
