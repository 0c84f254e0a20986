/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/fleet.schema.json. What is not known is absent.
 */
#include "analysis/documents/row_json.h"
#include "analysis/fleet/write.h"
#include "runtime/host/json_writer.h"

static void write_known(struct cb_json_writer *w, const char *key, const char *text)
{
    if (*text)
        cb_json_write(w, "%s:%s", key, text);
}

static void write_device(struct cb_json_writer *w, const struct cb_fleet_device *d,
                         const struct cb_fleet_judgement *j)
{
    cb_json_write(w, "\n{kind:%d,runs:%d,complete:%i,verdict:%s,run:%s,id:%s", d->kind, d->runs,
                  d->run->complete, cb_fleet_verdict_name(j->verdict), d->run->id, d->id);
    write_known(w, "host", d->host);
    write_known(w, "pci", d->pci);
    write_known(w, "uuid", d->uuid);
    write_known(w, "driver", d->driver);
    cb_json_write(w, "series:%d,of:%d,slow:%d,fast:%d,failed:%d,other:%d,disturbed:%d", j->series,
                  j->of, j->slow, j->fast, j->failed, j->other, j->disturbed);
    cb_json_write(w, "loss:%g,z:%g,p_adjusted:%g}", j->loss, j->z, j->p);
}

static void write_devices(struct cb_json_writer *w, const struct cb_fleet *f)
{
    cb_json_write(w, "kinds:[");
    for (int i = 0; i < f->devices.n_kinds; i++) {
        const struct cb_fleet_kind *k = &f->devices.kinds[i];
        cb_json_write(w, "{devices:%d,drivers:%d,programs:%d,processors:%d", k->devices, k->drivers,
                      k->programs, k->processors);
        cb_json_write(w, "name:%s,compute_units:%g}", k->first->name, k->first->compute_units);
    }
    cb_json_write(w, "],devices:[");
    for (int i = 0; i < f->devices.n; i++)
        write_device(w, &f->devices.items[i], &f->judgements[i]);
    cb_json_write(w, "],order:[");
    for (int i = 0; i < f->devices.n; i++)
        cb_json_write(w, "%d", f->order[i]);
    cb_json_write(w, "]");
}

static void write_gap(struct cb_json_writer *w, const struct cb_fleet_gap *g)
{
    cb_json_write(w, "\n{state:%s,folder:%s", g->state, g->folder);
    write_known(w, "host", g->host);
    write_known(w, "uuid", g->uuid);
    write_known(w, "why", g->why);
    cb_json_write(w, "attempts:%g}", g->attempts);
}

static void write_series(struct cb_json_writer *w, const struct cb_fleet_series *s)
{
    cb_json_write(w, "\n{kind:%d,case:%s,metric:%s,unit:%s,better:%s", s->kind, s->c->id,
                  s->m->name, s->m->unit, cb_better_name(s->m->better));
    cb_json_write(w, "min:%g,median:%g,max:%g,spread:%g,values:[", s->min, s->median, s->max,
                  s->spread);
    for (int i = 0; i < s->n; i++) {
        const struct cb_fleet_value *v = &s->values[i];
        cb_json_write(w, "{device:%d,outlier:%i,value:%g,loss:%g,z:%g,p_adjusted:%g}", v->device,
                      v->outlier, v->value, v->loss, v->z, v->p);
    }
    cb_json_write(w, "]}");
}

static void write_portable(struct cb_json_writer *w, const struct cb_portable *p)
{
    const bool some = p->least_worst >= 0;
    cb_json_write(w, "\n{devices:%d,places:%d,bench:%s,choice:%s", p->devices, p->places,
                  p->bench->id, p->choice);
    cb_json_write(w, "least_worst:%s,least_mean:%s,ways:[",
                  some ? p->ways[p->least_worst].name : NULL,
                  some ? p->ways[p->least_mean].name : NULL);
    for (int i = 0; i < p->n; i++) {
        const struct cb_way *way = &p->ways[i];
        cb_json_write(w, "{places:%d,worst_device:%d,name:%s,mean:%g,worst:%g,worst_case:%s}",
                      way->places, way->device, way->name, way->mean, way->worst, way->c->id);
    }
    cb_json_write(w, "]}");
}

void cb_fleet_write_json(FILE *out, const struct cb_fleet_report *r)
{
    const struct cb_fleet *f = r->fleet;
    struct cb_json_writer w = {.out = out};
    cb_json_write(&w, "{schema:%s,schema_version:%s,exit_code:%d,alpha:%g,threshold:%g,tests:%d",
                  "coopbench-fleet", "1.1", r->exit_code, r->rules->alpha, r->rules->threshold,
                  f->tests);
    write_devices(&w, f);
    cb_json_write(&w, "gaps:[");
    for (int i = 0; i < r->n_gaps; i++)
        write_gap(&w, &r->gaps[i]);
    cb_json_write(&w, "],series:[");
    for (int i = 0; i < f->n_series; i++)
        write_series(&w, &f->series[i]);
    cb_json_write(&w, "],portable:[");
    for (int i = 0; i < r->portables->n; i++)
        write_portable(&w, &r->portables->items[i]);
    cb_json_write(&w, "]}\n");
}
