/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/history.schema.json, and annotations for GitHub. What is not known is absent.
 */
#include "analysis/compare/write.h"
#include "analysis/history/write.h"
#include "runtime/host/json_writer.h"

static void write_run(struct cb_json_writer *w, const char *key, const struct cb_history *h,
                      int run)
{
    const char *commit = cb_history_commit(h, run);
    cb_json_write(w, "%s:{place:%d,id:%s,commit:%s}", key, run, cb_history_run_id(h, run),
                  *commit ? commit : NULL);
}

static void write_acceptance(struct cb_json_writer *w, const struct cb_acceptance *a)
{
    cb_json_write(w, "line:%d,file:%s,case:%s,run:%s,metric:%s,change:%g,why:%s}", a->line, a->file,
                  a->case_id, a->run, a->metric, a->change, a->why);
}

static void write_accepted(struct cb_json_writer *w, const struct cb_accepted *accepted)
{
    const cJSON *warning, *warnings = accepted ? accepted->warnings : NULL;
    cb_json_write(w, "acceptances:[");
    for (int i = 0; accepted && i < accepted->n; i++) {
        cb_json_write(w, "\n{");
        write_acceptance(w, &accepted->items[i]);
    }
    cb_json_write(w, "],warnings:[");
    cJSON_ArrayForEach (warning, warnings)
        cb_json_write(w, "%s", warning->valuestring);
    cb_json_write(w, "]");
}

static void write_change(struct cb_json_writer *w, const struct cb_history *h,
                         const struct cb_history_change *c)
{
    cb_json_write(w, "\n{verdict:%s,case:%s,device:%s,metric:%s,unit:%s",
                  cb_history_kind_name(c->kind), c->series->c->id, c->series->c->device,
                  c->series->m->name, c->series->m->unit);
    write_run(w, "run", h, c->run);
    write_run(w, "run_before", h, c->run_before);
    cb_json_write(w, "why:%s,change:%g,change_low:%g,change_high:%g", c->why, c->change.estimate,
                  c->change.low, c->change.high);
    cb_json_write(w, "p_adjusted:%g,before:%g,after:%g", c->p, c->from, c->to);
    if (c->accepted) {
        cb_json_write(w, "accepted:{");
        write_acceptance(w, c->accepted);
    }
    if (cb_history_is_level(c))
        cb_json_write(w, "runs_before:%d,runs_after:%d", c->before, c->after);
    cb_json_write(w, "}");
}

void cb_history_write_json(FILE *out, const struct cb_history_report *r)
{
    const struct cb_history *h = r->history;
    struct cb_json_writer w = {.out = out};
    cb_json_write(&w, "{schema:%s,schema_version:%s,exit_code:%d,alpha:%g,least:%d,recent:%d",
                  "coopbench-history", "1.4", r->exit_code, r->rules->points.alpha,
                  (int)r->rules->points.least, r->rules->recent);
    cb_json_write(&w,
                  "series:%d,worse:%d,better:%d,accepted:%d,failed:%d,recent_worse:%d,"
                  "disturbed_cases:%d,disturbed_runs:%d,runs:[",
                  h->series.n, h->of[CB_HISTORY_WORSE], h->of[CB_HISTORY_BETTER],
                  h->of[CB_HISTORY_ACCEPTED], h->of[CB_HISTORY_FAILED], h->recent_worse,
                  h->disturbed_cases, h->disturbed_runs);
    for (int i = 0; i < h->series.n_runs; i++)
        cb_json_write(&w, "%s", cb_history_run_id(h, i));
    cb_json_write(&w, "],changes:[");
    for (int i = 0; i < h->n; i++)
        write_change(&w, h, &h->changes[i]);
    cb_json_write(&w, "]");
    write_accepted(&w, h->accepted);
    cb_json_write(&w, "}\n");
}

static void print_annotation(FILE *out, const struct cb_history_report *r,
                             const struct cb_history_change *c)
{
    const struct cb_history *h = r->history;
    const int run = c->run;
    const bool recent = run >= h->series.n_runs - r->rules->recent;
    char percent[32], text[1024];
    cb_compare_percent(percent, sizeof percent, c->change.estimate);
    if (c->kind == CB_HISTORY_FAILED)
        snprintf(text, sizeof text, "%s fails since %s (commit %.12s): %s", c->series->c->id,
                 cb_history_run_id(h, run), cb_history_commit(h, run), c->why);
    else
        snprintf(text, sizeof text, "%s of %s: %s since %s (commit %.12s)%s%s", c->series->m->name,
                 c->series->c->id, percent, cb_history_run_id(h, run), cb_history_commit(h, run),
                 c->accepted ? ", accepted: " : "", c->accepted ? c->accepted->why : "");
    fprintf(out, "::%s title=coopbench history::",
            c->accepted ? "notice"
            : recent    ? "error"
                        : "warning");
    cb_compare_escaped(out, text, false);
    fputc('\n', out);
}

void cb_history_write_github(FILE *out, const struct cb_history_report *r)
{
    const struct cb_history *h = r->history;
    for (int i = 0; i < h->n; i++)
        if (h->changes[i].kind <= CB_HISTORY_ACCEPTED)
            print_annotation(out, r, &h->changes[i]);
    fputs("::notice title=coopbench history::", out);
    cb_history_counts(out, h);
    fputc('\n', out);
}
