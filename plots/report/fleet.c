/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the page that holds devices of one kind against each other, as `coopbench fleet`
 * does.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/write.h"
#include "analysis/fleet/write.h"
#include "measure/text/markup.h"
#include "plots/report/parts.h"
#include "runtime/host/text.h"

#define MOST_OUTLIERS 100
#define MOST_SERIES   50
#define TEXT_BYTES    512

struct cb_report_fleet {
    struct cb_fleet_runs runs; /* documents belong to the page */
    struct cb_fleet_rules rules;
    struct cb_fleet fleet;
    struct cb_portables portables;
};

/* --- Making ----------------------------------------------------------------------------------- */

static void add_run(struct cb_fleet_runs *r, const struct cb_runs *runs, int i)
{
    struct cb_run_table *t = &r->tables[r->n];
    struct cb_err err = {0};
    const char *slash = strrchr(runs->files[i], '/');
    t->document.tree = runs->items[i];
    snprintf(t->document.folder, sizeof t->document.folder, "%.*s",
             slash ? (int)(slash - runs->files[i]) : 0, runs->files[i]);
    if (cb_run_table_index(t, runs->files[i], &err) == CB_OK) {
        r->n++;
        return;
    }
    fprintf(stderr, "Warning: not in the fleet: %s\n", err.text);
    cb_run_table_clear(t);
    t->document.tree = NULL;
}

static bool has_pair(const struct cb_fleet *f)
{
    for (int i = 0; i < f->devices.n_kinds; i++)
        if (f->devices.kinds[i].devices > 1)
            return true;
    return false;
}

static bool fill(struct cb_report_fleet *fleet, const struct cb_report *report)
{
    struct cb_err err = {0};
    struct cb_fleet_runs *r = &fleet->runs;
    r->tables = calloc((size_t)report->runs->count + 1, sizeof *r->tables);
    if (!r->tables)
        return false;
    for (int i = 0; i < report->runs->count; i++)
        add_run(r, report->runs, i);
    fleet->rules = cb_fleet_rules;
    fleet->rules.alpha = report->rules->alpha;
    return cb_fleet_find(r->tables, r->n, &fleet->rules, &fleet->fleet, &err) == CB_OK &&
           has_pair(&fleet->fleet) && cb_portables_find(&fleet->fleet.devices, &fleet->portables) &&
           cb_fleet_add_gaps(r, report->runs->folder, &err) == CB_OK;
}

struct cb_report_fleet *cb_report_fleet_open(const struct cb_report *report)
{
    struct cb_report_fleet *fleet = calloc(1, sizeof *fleet);
    if (!fleet || fill(fleet, report))
        return fleet;
    cb_report_fleet_close(fleet);
    return NULL;
}

void cb_report_fleet_close(struct cb_report_fleet *fleet)
{
    if (!fleet)
        return;
    cb_portables_free(&fleet->portables);
    cb_fleet_free(&fleet->fleet);
    for (int i = 0; i < fleet->runs.n; i++) {
        cb_run_table_clear(&fleet->runs.tables[i]);
        fleet->runs.tables[i].document.tree = NULL;
    }
    cb_fleet_runs_free(&fleet->runs);
    free(fleet);
}

/* --- Tables ----------------------------------------------------------------------------------- */

static void print_right(const struct cb_report *report, const char *text)
{
    fputs("<td class=\"r\">", report->out);
    cb_markup_text(report->out, text);
    fputs("</td>", report->out);
}

static void print_number(const struct cb_report *report, const char *format, double x)
{
    char text[64];
    snprintf(text, sizeof text, format, x);
    print_right(report, isfinite(x) ? text : "");
}

static void print_loss(const struct cb_report *report, double factor)
{
    char text[64];
    cb_fleet_factor_text(text, sizeof text, factor);
    print_right(report, isnan(factor) ? "" : text);
}

static void print_value(const struct cb_report *report, double value, const char *unit)
{
    char text[128];
    cb_compare_value(text, sizeof text, value, unit);
    print_right(report, text);
}

static void print_place(const struct cb_report *report, const struct cb_fleet *f, int device)
{
    char text[TEXT_BYTES];
    cb_fleet_device_text(text, sizeof text, &f->devices.items[device]);
    cb_report_element(report, "td", text);
}

/* --- Devices ---------------------------------------------------------------------------------- */

static void print_device(const struct cb_report *report, const struct cb_fleet *f, int i)
{
    const struct cb_fleet_device *d = &f->devices.items[i];
    const struct cb_fleet_judgement *j = &f->judgements[i];
    char text[TEXT_BYTES];
    fputs("<tr>", report->out);
    print_place(report, f, i);
    cb_report_element(report, "td", d->uuid);
    fprintf(report->out, "<td class=\"mark %s\">%s</td>",
            j->verdict == CB_FLEET_UNTESTED || j->verdict == CB_FLEET_ALIKE ? ""
            : cb_fleet_is_slow(f, i)                                        ? "worse"
                                                                            : "better",
            cb_fleet_verdict_name(j->verdict));
    print_loss(report, 1 + j->loss);
    print_number(report, "%.1f", j->z);
    print_number(report, j->p < 0.001 ? "%.0e" : "%.3f", j->p);
    print_number(report, "%.0f", j->slow);
    print_number(report, "%.0f", j->fast);
    print_number(report, "%.0f", j->series);
    cb_report_element(report, "td", d->run->id);
    cb_fleet_part_text(text, sizeof text, f, i);
    cb_report_element(report, "td", text);
    fputs("</tr>\n", report->out);
}

static void print_kind(const struct cb_report *report, const struct cb_fleet *f, int kind)
{
    static const char *const heads[] = {"device", "UUID", "",       "loss", "z",    "p",
                                        "slow",   "fast", "series", "run",  "notes"};
    char text[TEXT_BYTES];
    cb_fleet_kind_text(text, sizeof text, f, kind);
    cb_report_element(report, "h3", text);
    cb_report_begin_table(report, heads, CB_COUNTOF(heads));
    for (int i = 0; i < f->devices.n; i++)
        if (f->devices.items[f->order[i]].kind == kind)
            print_device(report, f, f->order[i]);
    cb_report_end_table(report);
}

static void print_gaps(const struct cb_report *report, const struct cb_fleet_runs *runs)
{
    char text[2 * TEXT_BYTES];
    if (runs->n_gaps == 0)
        return;
    fputs("<p>Not there, or not wholly:</p>\n<ul>\n", report->out);
    for (int i = 0; i < runs->n_gaps; i++) {
        const struct cb_fleet_gap *g = &runs->gaps[i];
        snprintf(text, sizeof text, "%s: %.200s%s%.100s%s%.100s%s%.400s", g->state, g->folder,
                 *g->host ? ", host " : "", g->host, *g->uuid ? ", device " : "", g->uuid,
                 *g->why ? ": " : "", g->why);
        cb_report_element(report, "li", text);
    }
    fputs("</ul>\n", report->out);
}

/* --- Values and series ------------------------------------------------------------------------ */

static void print_outliers(const struct cb_report *report, const struct cb_fleet *f)
{
    static const char *const heads[] = {"device", "case", "metric", "loss", "p", "value", "median"};
    struct cb_fleet_place places[MOST_OUTLIERS];
    const int n = cb_fleet_outliers(f, places, MOST_OUTLIERS);
    if (n == 0)
        return;
    fprintf(report->out,
            "<h3>Cases in which a device strays</h3>\n<p>%d value%s, against the median of the "
            "devices of the kind%s.</p>\n",
            n, CB_PLURAL(n), n > MOST_OUTLIERS ? "; these lose most" : "");
    cb_report_begin_table(report, heads, CB_COUNTOF(heads));
    for (int i = 0; i < n && i < MOST_OUTLIERS; i++) {
        const struct cb_fleet_series *s = places[i].series;
        fputs("<tr>", report->out);
        print_place(report, f, places[i].value->device);
        cb_report_element(report, "td", s->c->id);
        cb_report_element(report, "td", s->m->name);
        print_loss(report, 1 + places[i].value->loss);
        print_number(report, "%.0e", places[i].value->p);
        print_value(report, places[i].value->value, s->m->unit);
        print_value(report, s->median, s->m->unit);
        fputs("</tr>\n", report->out);
    }
    cb_report_end_table(report);
}

static void print_spread(const struct cb_report *report, const struct cb_fleet *f)
{
    static const char *const heads[] = {"case",   "metric", "devices",   "min",
                                        "median", "max",    "max / min", "robust CV"};
    struct cb_fleet_place places[MOST_SERIES];
    const int n = cb_fleet_widest(f, places, MOST_SERIES);
    if (n == 0)
        return;
    fputs("<h3>How far devices of a kind differ</h3>\n", report->out);
    if (n > MOST_SERIES)
        fprintf(report->out, "<p>The widest %d of %d.</p>\n", MOST_SERIES, n);
    cb_report_begin_table(report, heads, CB_COUNTOF(heads));
    for (int i = 0; i < n && i < MOST_SERIES; i++) {
        const struct cb_fleet_series *s = places[i].series;
        fputs("<tr>", report->out);
        cb_report_element(report, "td", s->c->id);
        cb_report_element(report, "td", s->m->name);
        print_number(report, "%.0f", s->n);
        print_value(report, s->min, s->m->unit);
        print_value(report, s->median, s->m->unit);
        print_value(report, s->max, s->m->unit);
        print_number(report, "%.3g", s->ratios ? s->max / s->min : NAN);
        print_number(report, "%.1f %%", 100 * s->spread);
        fputs("</tr>\n", report->out);
    }
    cb_report_end_table(report);
}

/* --- The portable best ------------------------------------------------------------------------ */

static void print_ways(const struct cb_report *report, const struct cb_fleet *f,
                       const struct cb_portable *p)
{
    static const char *const heads[] = {"way", "mean loss", "worst loss", "on", "in", "places"};
    char text[64];
    cb_report_begin_table(report, heads, CB_COUNTOF(heads));
    for (int i = 0; i < p->n; i++) {
        const struct cb_way *w = &p->ways[i];
        fputs("<tr>", report->out);
        cb_report_element(report, "td", w->name);
        print_loss(report, w->mean);
        print_loss(report, w->worst);
        print_place(report, f, w->device);
        cb_report_element(report, "td", w->c->id);
        snprintf(text, sizeof text, "%d of %d", w->places, p->places);
        cb_report_element(report, "td", text);
        fputs("</tr>\n", report->out);
    }
    cb_report_end_table(report);
}

static void print_portable(const struct cb_report *report, const struct cb_fleet *f,
                           const struct cb_portable *p)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fprintf(out, "%s, %s: ", p->bench->id, p->choice);
    cb_fleet_write_best(out, f, p);
    fprintf(out, ", over %d place%s on %d device%s.", p->places, CB_PLURAL(p->places), p->devices,
            CB_PLURAL(p->devices));
    if (fclose(out) == 0)
        cb_report_prose(report, "p", text);
    free(text);
    print_ways(report, f, p);
}

void cb_report_fleet(const struct cb_report *report, const struct cb_report_fleet *fleet)
{
    const struct cb_fleet *f = &fleet->fleet;
    fputs("<section id=\"fleet\"><h2>Fleet</h2>\n<p>", report->out);
    cb_fleet_counts(report->out, f);
    fprintf(report->out,
            ". The verdicts of <code>coopbench fleet</code>: a device strays from the others of "
            "its kind from %g %% on, with p &lt; %g after correction for all cases and "
            "devices.</p>\n",
            100 * fleet->rules.threshold, fleet->rules.alpha);
    print_gaps(report, &fleet->runs);
    for (int i = 0; i < f->devices.n_kinds; i++)
        print_kind(report, f, i);
    print_outliers(report, f);
    print_spread(report, f);
    if (fleet->portables.n > 0)
        fputs("<h3>Portable best</h3>\n<p>What a way costs more than the best one at each place: a "
              "device, and all that is not chosen.</p>\n",
              report->out);
    for (int i = 0; i < fleet->portables.n; i++)
        print_portable(report, f, &fleet->portables.items[i]);
    fputs("</section>\n", report->out);
}
