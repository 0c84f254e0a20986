/* SPDX-License-Identifier: Apache-2.0
 *
 * What all forms of a fleet say of its devices.
 */
#include <math.h>
#include <string.h>

#include "analysis/compare/write.h"
#include "analysis/fleet/write.h"
#include "runtime/host/text.h"

/* ---- Texts ----------------------------------------------------------------------------------- */

void cb_fleet_counts(FILE *out, const struct cb_fleet *f)
{
    const struct cb_fleet_devices *d = &f->devices;
    const char *separator = ": ";
    fprintf(out, "%d device%s of %d kind%s, %d series", d->n, CB_PLURAL(d->n), d->n_kinds,
            CB_PLURAL(d->n_kinds), f->n_series);
    for (int i = 0; i < CB_FLEET_VERDICTS; i++) {
        if (f->of[i] == 0)
            continue;
        fprintf(out, "%s%d %s", separator, f->of[i], cb_fleet_verdict_name(i));
        separator = ", ";
    }
}

/* Appends to a text that may be full. */
static void append(char *text, size_t size, const char *more)
{
    const size_t n = strlen(text);
    snprintf(text + n, size - n, "%s", more);
}

static void append_different(char *text, size_t size, int n, const char *what)
{
    char more[64];
    snprintf(more, sizeof more, "; %d different %s", n, what);
    if (n > 1)
        append(text, size, more);
}

void cb_fleet_kind_text(char *text, size_t size, const struct cb_fleet *f, int kind)
{
    const struct cb_fleet_kind *k = &f->devices.kinds[kind];
    char more[96];
    snprintf(text, size, "%d x %s", k->devices, k->first->name);
    if (isfinite(k->first->compute_units)) {
        snprintf(more, sizeof more, " (%.0f compute units)", k->first->compute_units);
        append(text, size, more);
    }
    if (k->drivers == 1 && *k->first->driver) {
        append(text, size, ", driver ");
        append(text, size, k->first->driver);
    }
    append_different(text, size, k->drivers, "drivers");
    append_different(text, size, k->programs, "commits of coopbench");
    append_different(text, size, k->processors, "processors of hosts");
    if (k->devices < CB_OUTLIERS_LEAST) {
        const int missing = CB_OUTLIERS_LEAST - k->devices;
        snprintf(more, sizeof more, "; not tested: that takes %d devices, %d more than here",
                 CB_OUTLIERS_LEAST, missing);
        append(text, size, more);
    }
}

void cb_fleet_device_text(char *text, size_t size, const struct cb_fleet_device *d)
{
    if (*d->host && *d->pci)
        snprintf(text, size, "%s, %s", d->host, d->pci);
    else
        snprintf(text, size, "%s", *d->host ? d->host : *d->pci ? d->pci : d->run->id);
}

void cb_fleet_factor_text(char *text, size_t size, double factor)
{
    if (factor < 2)
        cb_compare_percent(text, size, factor - 1);
    else
        snprintf(text, size, factor < 1000 ? "%.3gx" : "%.0fx", factor);
}

void cb_fleet_part_text(char *text, size_t size, const struct cb_fleet *f, int device)
{
    const struct cb_fleet_judgement *j = &f->judgements[device];
    char more[64];
    text[0] = '\0';
    if (j->series < j->of)
        snprintf(text, size, "%d of %d series", j->series, j->of);
    if (j->failed > 0) {
        snprintf(more, sizeof more, "%s%d case%s not ok", *text ? ", " : "", j->failed,
                 CB_PLURAL(j->failed));
        append(text, size, more);
    }
    if (j->disturbed > 0) {
        snprintf(more, sizeof more, "%s%d case%s disturbed by others", *text ? ", " : "",
                 j->disturbed, CB_PLURAL(j->disturbed));
        append(text, size, more);
    }
    if (j->other > 0) {
        snprintf(more, sizeof more, "%s%d with other parameters", *text ? ", " : "", j->other);
        append(text, size, more);
    }
    if (!f->devices.items[device].run->complete)
        append(text, size, *text ? ", run not ended" : "run not ended");
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Keeps the `room` heaviest, in order; n: how many were there before. */
static void keep(struct cb_fleet_place *places, int room, int n, struct cb_fleet_place place,
                 double (*weight)(const struct cb_fleet_place *place))
{
    int i = n < room ? n : room;
    const double heavy = weight(&place);
    if (i == room && (room == 0 || weight(&places[room - 1]) >= heavy))
        return;
    if (i == room)
        i--;
    for (; i > 0 && weight(&places[i - 1]) < heavy; i--)
        places[i] = places[i - 1];
    places[i] = place;
}

/* Slow ones before fast ones. */
static double weight_of_value(const struct cb_fleet_place *place)
{
    return place->value->loss;
}

int cb_fleet_outliers(const struct cb_fleet *f, struct cb_fleet_place *places, int room)
{
    int n = 0;
    for (int i = 0; i < f->n_series; i++)
        for (int k = 0; k < f->series[i].n; k++)
            if (f->series[i].values[k].outlier)
                keep(places, room, n++,
                     (struct cb_fleet_place){&f->series[i], &f->series[i].values[k]},
                     weight_of_value);
    return n;
}

static double weight_of_series(const struct cb_fleet_place *place)
{
    const struct cb_fleet_series *s = place->series;
    return s->ratios ? s->max / s->min : (s->max - s->min) / fabs(s->median);
}

int cb_fleet_widest(const struct cb_fleet *f, struct cb_fleet_place *places, int room)
{
    int n = 0;
    for (int i = 0; i < f->n_series; i++)
        if (f->series[i].n > 1 && f->series[i].median != 0)
            keep(places, room, n++, (struct cb_fleet_place){&f->series[i], NULL}, weight_of_series);
    return n;
}

/* ---- The portable best ----------------------------------------------------------------------- */

static void write_way(FILE *out, const struct cb_fleet *f, const struct cb_way *w)
{
    char worst[32], mean[32], where[160];
    cb_fleet_factor_text(worst, sizeof worst, w->worst);
    cb_fleet_factor_text(mean, sizeof mean, w->mean);
    cb_fleet_device_text(where, sizeof where, &f->devices.items[w->device]);
    fprintf(out, "`%s` (mean loss %s, worst %s", w->name, mean, worst);
    if (w->worst > 1)
        fprintf(out, ", on %s in `%s`", where, w->c->id);
    fputc(')', out);
}

void cb_fleet_write_best(FILE *out, const struct cb_fleet *f, const struct cb_portable *p)
{
    if (p->least_worst < 0) {
        fputs("none was measured at all places", out);
        return;
    }
    write_way(out, f, &p->ways[p->least_worst]);
    if (p->least_mean != p->least_worst) {
        fputs(" loses least at worst, ", out);
        write_way(out, f, &p->ways[p->least_mean]);
        fputs(" on average", out);
    } else {
        fputs(" loses least", out);
    }
}
