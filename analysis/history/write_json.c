/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/history.schema.json, and annotations for GitHub. What is not known is absent.
 */
#include "analysis/compare/write.h"
#include "analysis/history/write.h"
#include "measure/text/json.h"

static void print_run(FILE *out, const char *key, const struct cb_history *h, int run)
{
    fprintf(out, ",\"%s\":{\"place\":%d", key, run);
    cb_compare_json_text(out, "id", cb_history_run_id(h, run));
    if (*cb_history_commit(h, run))
        cb_compare_json_text(out, "commit", cb_history_commit(h, run));
    fputc('}', out);
}

static void print_acceptance(FILE *out, const struct cb_acceptance *a, const char *before)
{
    fprintf(out, "%s{\"line\":%d", before, a->line);
    cb_compare_json_text(out, "file", a->file);
    cb_compare_json_text(out, "case", a->case_id);
    cb_compare_json_text(out, "run", a->run);
    cb_compare_json_text(out, "metric", a->metric);
    cb_compare_json_number(out, "change", a->change);
    cb_compare_json_text(out, "why", a->why);
    fputc('}', out);
}

static void print_accepted(FILE *out, const struct cb_accepted *accepted)
{
    for (int i = 0; accepted && i < accepted->n; i++)
        print_acceptance(out, &accepted->items[i], i ? ",\n" : "\n");
    fputs("],\"warnings\":", out);
    char *warnings =
        accepted && accepted->warnings ? cJSON_PrintUnformatted(accepted->warnings) : NULL;
    fputs(warnings ? warnings : "[]", out);
    cJSON_free(warnings);
}

static void print_change(FILE *out, const struct cb_history *h, const struct cb_history_change *c)
{
    fputs("{\"verdict\":", out);
    cb_json_print_text(out, cb_history_kind_name(c->kind));
    cb_compare_json_text(out, "case", c->series->c->id);
    cb_compare_json_text(out, "device", c->series->c->device);
    cb_compare_json_text(out, "metric", c->series->m->name);
    cb_compare_json_text(out, "unit", c->series->m->unit);
    print_run(out, "run", h, c->run);
    print_run(out, "run_before", h, c->run_before);
    if (c->why)
        cb_compare_json_text(out, "why", c->why);
    cb_compare_json_number(out, "change", c->change.estimate);
    cb_compare_json_number(out, "change_low", c->change.low);
    cb_compare_json_number(out, "change_high", c->change.high);
    cb_compare_json_number(out, "p_adjusted", c->p);
    cb_compare_json_number(out, "before", c->from);
    cb_compare_json_number(out, "after", c->to);
    if (c->accepted)
        print_acceptance(out, c->accepted, ",\"accepted\":");
    if (cb_history_is_level(c))
        fprintf(out, ",\"runs_before\":%d,\"runs_after\":%d", c->before, c->after);
    fputc('}', out);
}

void cb_history_write_json(FILE *out, const struct cb_history_report *r)
{
    const struct cb_history *h = r->history;
    fprintf(out,
            "{\"schema\":\"coopbench-history\",\"schema_version\":\"1.3\",\"exit_code\":%d,"
            "\"alpha\":%g,\"least\":%zu,\"recent\":%d,\"series\":%d,\"worse\":%d,\"better\":%d,"
            "\"accepted\":%d,\"failed\":%d,\"recent_worse\":%d,\"runs\":[",
            r->exit_code, r->rules->points.alpha, r->rules->points.least, r->rules->recent,
            h->series.n, h->of[CB_HISTORY_WORSE], h->of[CB_HISTORY_BETTER],
            h->of[CB_HISTORY_ACCEPTED], h->of[CB_HISTORY_FAILED], h->recent_worse);
    for (int i = 0; i < h->series.n_runs; i++) {
        fputs(i ? "," : "", out);
        cb_json_print_text(out, cb_history_run_id(h, i));
    }
    fputs("],\"changes\":[", out);
    for (int i = 0; i < h->n; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_change(out, h, &h->changes[i]);
    }
    fputs("],\"acceptances\":[", out);
    print_accepted(out, h->accepted);
    fputs("}\n", out);
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
