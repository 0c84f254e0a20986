/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/fleet.schema.json. What is not known is absent.
 */
#include <math.h>

#include "analysis/compare/write.h"
#include "analysis/documents/row_json.h"
#include "analysis/fleet/write.h"
#include "measure/text/json.h"

static void text_if(FILE *out, const char *key, const char *text)
{
    if (*text)
        cb_compare_json_text(out, key, text);
}

static void print_kind(FILE *out, const struct cb_fleet_kind *k)
{
    fprintf(out, "{\"devices\":%d,\"drivers\":%d,\"programs\":%d,\"processors\":%d", k->devices,
            k->drivers, k->programs, k->processors);
    cb_compare_json_text(out, "name", k->first->name);
    cb_compare_json_number(out, "compute_units", k->first->compute_units);
    fputc('}', out);
}

static void print_device(FILE *out, const struct cb_fleet *f, int i)
{
    const struct cb_fleet_device *d = &f->devices.items[i];
    const struct cb_fleet_judgement *j = &f->judgements[i];
    fprintf(out, "{\"kind\":%d,\"runs\":%d,\"complete\":%s", d->kind, d->runs,
            d->run->complete ? "true" : "false");
    cb_compare_json_text(out, "verdict", cb_fleet_verdict_name(j->verdict));
    cb_compare_json_text(out, "run", d->run->id);
    cb_compare_json_text(out, "id", d->id);
    text_if(out, "host", d->host);
    text_if(out, "pci", d->pci);
    text_if(out, "uuid", d->uuid);
    text_if(out, "driver", d->driver);
    fprintf(out, ",\"series\":%d,\"of\":%d,\"slow\":%d,\"fast\":%d,\"failed\":%d,\"other\":%d",
            j->series, j->of, j->slow, j->fast, j->failed, j->other);
    cb_compare_json_number(out, "loss", j->loss);
    cb_compare_json_number(out, "z", j->z);
    cb_compare_json_number(out, "p_adjusted", j->p);
    fputc('}', out);
}

static void print_gap(FILE *out, const struct cb_fleet_gap *g)
{
    fputs("{\"state\":", out);
    cb_json_print_text(out, g->state);
    cb_compare_json_text(out, "folder", g->folder);
    text_if(out, "host", g->host);
    text_if(out, "uuid", g->uuid);
    text_if(out, "why", g->why);
    cb_compare_json_number(out, "attempts", g->attempts);
    fputc('}', out);
}

static void print_value(FILE *out, const struct cb_fleet_value *v)
{
    fprintf(out, "{\"device\":%d,\"outlier\":%s", v->device, v->outlier ? "true" : "false");
    cb_compare_json_number(out, "value", v->value);
    cb_compare_json_number(out, "loss", v->loss);
    cb_compare_json_number(out, "z", v->z);
    cb_compare_json_number(out, "p_adjusted", v->p);
    fputc('}', out);
}

static void print_series(FILE *out, const struct cb_fleet_series *s)
{
    fprintf(out, "{\"kind\":%d", s->kind);
    cb_compare_json_text(out, "case", s->c->id);
    cb_compare_json_text(out, "metric", s->m->name);
    cb_compare_json_text(out, "unit", s->m->unit);
    cb_compare_json_text(out, "better", cb_better_name(s->m->better));
    cb_compare_json_number(out, "min", s->min);
    cb_compare_json_number(out, "median", s->median);
    cb_compare_json_number(out, "max", s->max);
    cb_compare_json_number(out, "spread", s->spread);
    fputs(",\"values\":[", out);
    for (int i = 0; i < s->n; i++) {
        fputs(i ? "," : "", out);
        print_value(out, &s->values[i]);
    }
    fputs("]}", out);
}

static void print_way(FILE *out, const struct cb_way *w)
{
    fprintf(out, "{\"places\":%d,\"worst_device\":%d", w->places, w->device);
    cb_compare_json_text(out, "name", w->name);
    cb_compare_json_number(out, "mean", w->mean);
    cb_compare_json_number(out, "worst", w->worst);
    cb_compare_json_text(out, "worst_case", w->c->id);
    fputc('}', out);
}

static void print_portable(FILE *out, const struct cb_portable *p)
{
    fprintf(out, "{\"devices\":%d,\"places\":%d", p->devices, p->places);
    cb_compare_json_text(out, "bench", p->bench->id);
    cb_compare_json_text(out, "choice", p->choice);
    if (p->least_worst >= 0) {
        cb_compare_json_text(out, "least_worst", p->ways[p->least_worst].name);
        cb_compare_json_text(out, "least_mean", p->ways[p->least_mean].name);
    }
    fputs(",\"ways\":[", out);
    for (int i = 0; i < p->n; i++) {
        fputs(i ? "," : "", out);
        print_way(out, &p->ways[i]);
    }
    fputs("]}", out);
}

void cb_fleet_write_json(FILE *out, const struct cb_fleet_report *r)
{
    const struct cb_fleet *f = r->fleet;
    fprintf(out,
            "{\"schema\":\"coopbench-fleet\",\"schema_version\":\"1.0\",\"exit_code\":%d,"
            "\"alpha\":%g,\"threshold\":%g,\"tests\":%d,\"kinds\":[",
            r->exit_code, r->rules->alpha, r->rules->threshold, f->tests);
    for (int i = 0; i < f->devices.n_kinds; i++) {
        fputs(i ? "," : "", out);
        print_kind(out, &f->devices.kinds[i]);
    }
    fputs("],\"devices\":[", out);
    for (int i = 0; i < f->devices.n; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_device(out, f, i);
    }
    fputs("],\"order\":[", out);
    for (int i = 0; i < f->devices.n; i++)
        fprintf(out, "%s%d", i ? "," : "", f->order[i]);
    fputs("],\"gaps\":[", out);
    for (int i = 0; i < r->n_gaps; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_gap(out, &r->gaps[i]);
    }
    fputs("],\"series\":[", out);
    for (int i = 0; i < f->n_series; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_series(out, &f->series[i]);
    }
    fputs("],\"portable\":[", out);
    for (int i = 0; i < r->portables->n; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_portable(out, &r->portables->items[i]);
    }
    fputs("]}\n", out);
}
