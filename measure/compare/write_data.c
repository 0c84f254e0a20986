/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/compare/write.h"
#include "measure/csv.h"
#include "measure/row_json.h"

/* ---- JSON ------------------------------------------------------------------------------------ */

/* What is not known is absent: never null, zero or NaN. */
static void add_number(cJSON *object, const char *key, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, key, value);
}

static cJSON *run_to_json(const struct cb_run_table *t)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "run_id", t->id);
    cJSON_AddStringToObject(json, "file", t->document.file);
    cJSON_AddBoolToObject(json, "complete", t->complete);
    if (t->samples_from)
        cJSON_AddStringToObject(json, "samples", t->samples_from);
    else
        cJSON_AddNullToObject(json, "samples");
    return json;
}

static const char *method_name(enum cb_method method)
{
    static const char *const names[] = {
        [CB_BY_INTERVALS] = "intervals", [CB_BY_SAMPLES] = "samples", [CB_BY_ROUNDS] = "rounds"};
    return names[method];
}

static void add_side(cJSON *row, const char *key, const struct cb_side *side)
{
    cJSON *json = cJSON_AddObjectToObject(row, key);
    cJSON_AddNumberToObject(json, "n", (double)side->n);
    add_number(json, "median", side->median);
    add_number(json, "ci95_low", side->low);
    add_number(json, "ci95_high", side->high);
}

static void add_numbers(cJSON *json, const struct cb_comparison *row)
{
    const struct cb_evidence *e = &row->evidence;
    add_side(json, "baseline", &row->base);
    add_side(json, "run", &row->now);
    cJSON_AddNumberToObject(json, "baselines", row->baselines);
    add_number(json, "change", e->change.estimate);
    add_number(json, "change_low", e->change.low);
    add_number(json, "change_high", e->change.high);
    add_number(json, "spread", e->spread);
    add_number(json, "p", row->p);
    add_number(json, "p_adjusted", e->p);
    cJSON_AddStringToObject(json, "method", method_name(row->method));
}

static cJSON *row_to_json(const struct cb_compare_report *r, const struct cb_comparison *row)
{
    cJSON *json = cJSON_CreateObject();
    char why[512];
    cJSON_AddStringToObject(json, "case", row->c->id);
    cJSON_AddStringToObject(json, "bench", row->c->bench);
    cJSON_AddStringToObject(json, "device", row->c->device);
    if (row->m) {
        cJSON_AddStringToObject(json, "metric", row->m->name);
        cJSON_AddStringToObject(json, "unit", row->m->unit);
        cJSON_AddStringToObject(json, "better", cb_better_name(row->m->better));
        cJSON_AddNumberToObject(json, "threshold", row->threshold);
    }
    cJSON_AddStringToObject(json, "verdict", cb_verdict_name(row->verdict));
    if (row->doubt != CB_DOUBT_NONE)
        cJSON_AddStringToObject(json, "reason", cb_doubt_name(row->doubt));
    cb_compare_why(why, sizeof why, row);
    if (*why)
        cJSON_AddStringToObject(json, "detail", why);
    if (row->compared)
        add_numbers(json, row);
    if (row->runs) {
        char *command = NULL;
        size_t size = 0;
        FILE *text = open_memstream(&command, &size);
        if (text) {
            cb_compare_command(text, r->comparisons->run->document.tree, &row, 1, row->runs);
            fclose(text);
        }
        cJSON_AddNumberToObject(
            json, row->method == CB_BY_ROUNDS ? "rounds_to_decide" : "runs_to_decide", row->runs);
        cJSON_AddStringToObject(json, "command", command ? command : "");
        free(command);
    }
    return json;
}

static cJSON *head_to_json(const struct cb_compare_report *r)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "schema", "coopbench-compare");
    cJSON_AddStringToObject(json, "schema_version", "1.1");
    cJSON_AddItemToObject(json, "run", run_to_json(r->comparisons->run));
    cJSON *baselines = cJSON_AddArrayToObject(json, "baselines");
    for (int b = 0; b < r->comparisons->n_baselines; b++)
        cJSON_AddItemToArray(baselines, run_to_json(&r->comparisons->baselines[b]));
    cJSON_AddNumberToObject(json, "alpha", r->rules->alpha);
    cJSON_AddStringToObject(json, "correction", "benjamini-hochberg");
    cJSON *summary = cJSON_AddObjectToObject(json, "summary");
    for (int v = 0; v < CB_VERDICTS; v++)
        cJSON_AddNumberToObject(summary, cb_verdict_name((enum cb_verdict)v),
                                r->comparisons->of[v]);
    cJSON_AddNumberToObject(json, "exit_code", r->exit_code);
    return json;
}

/* Prints and frees; the closing brace is left out if it is the head of something longer. */
static void print(FILE *out, cJSON *json, bool open)
{
    char *text = cJSON_PrintUnformatted(json);
    if (text)
        fprintf(out, "%.*s", (int)strlen(text) - open, text);
    free(text);
    cJSON_Delete(json);
}

void cb_compare_write_json(FILE *out, const struct cb_compare_report *r)
{
    print(out, head_to_json(r), true);
    fputs(",\n\"comparisons\":[", out);
    for (int i = 0; i < r->comparisons->count; i++) {
        fputs(i ? ",\n" : "\n", out);
        print(out, row_to_json(r, r->rows[i]), false);
    }
    fputs("\n]}\n", out);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void print_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.17g", value);
    fputc(',', out);
}

static void print_text(FILE *out, const char *text)
{
    cb_csv_text(out, text);
    fputc(',', out);
}

static void print_line(FILE *out, const struct cb_comparison *row)
{
    const struct cb_evidence *e = &row->evidence;
    char why[512];
    print_text(out, cb_verdict_name(row->verdict));
    print_text(out, row->c->device);
    print_text(out, row->c->bench);
    print_text(out, row->c->id);
    print_text(out, row->m ? row->m->name : NULL);
    print_text(out, row->m ? row->m->unit : NULL);
    print_text(out, row->m ? cb_better_name(row->m->better) : NULL);
    const double numbers[] = {(double)row->base.n, row->base.median,   (double)row->now.n,
                              row->now.median,     e->change.estimate, e->change.low,
                              e->change.high,      e->spread,          row->p,
                              row->evidence.p,     row->threshold};
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++)
        print_number(out, row->compared ? numbers[i] : NAN);
    print_text(out, row->compared ? method_name(row->method) : NULL);
    print_number(out, row->runs && row->method != CB_BY_ROUNDS ? (double)row->runs : NAN);
    print_number(out, row->runs && row->method == CB_BY_ROUNDS ? (double)row->runs : NAN);
    print_text(out, cb_doubt_name(row->doubt));
    cb_compare_why(why, sizeof why, row);
    cb_csv_text(out, why);
    fputc('\n', out);
}

void cb_compare_write_csv(FILE *out, const struct cb_compare_report *r)
{
    fputs("verdict,device_id,bench,case_id,metric,unit,better,baseline_n,baseline_median,run_n,"
          "run_median,change,change_low,change_high,spread,p,p_adjusted,threshold,method,"
          "runs_to_decide,rounds_to_decide,reason,detail\n",
          out);
    for (int i = 0; i < r->comparisons->count; i++)
        print_line(out, r->rows[i]);
}

/* ---- GitHub ---------------------------------------------------------------------------------- */

/* Text of a workflow command; in a property, ':' and ',' would end it. */
static void print_escaped(FILE *out, const char *text, bool property)
{
    for (; *text; text++)
        if (*text == '%' || *text == '\r' || *text == '\n' ||
            (property && (*text == ':' || *text == ',')))
            fprintf(out, "%%%02X", (unsigned char)*text);
        else
            fputc(*text, out);
}

static void print_annotation(FILE *out, const struct cb_compare_report *r, const char *level,
                             const struct cb_comparison *row)
{
    char text[1024], change[32], why[512];
    fprintf(out, "::%s file=", level);
    print_escaped(out, r->comparisons->run->document.file, true);
    fputs(",title=", out);
    snprintf(text, sizeof text, "%s: %s", cb_verdict_name(row->verdict), row->c->id);
    print_escaped(out, text, true);
    fputs("::", out);
    cb_compare_percent(change, sizeof change, row->evidence.change.estimate);
    cb_compare_why(why, sizeof why, row);
    snprintf(text, sizeof text, "%s%s%s%s%s", row->m ? row->m->name : "",
             row->m && row->compared ? " " : "", row->compared ? change : "",
             *why && row->m ? ": " : "", why);
    print_escaped(out, *text ? text : cb_verdict_name(row->verdict), false);
    fputc('\n', out);
}

void cb_compare_write_github(FILE *out, const struct cb_compare_report *r)
{
    for (int i = 0; i < r->comparisons->count; i++) {
        enum cb_verdict v = r->rows[i]->verdict;
        if (v == CB_REGRESSION || v == CB_FAILED)
            print_annotation(out, r, "error", r->rows[i]);
        else if (v == CB_INCONCLUSIVE || v == CB_INCOMPARABLE || v == CB_MISSING)
            print_annotation(out, r, "warning", r->rows[i]);
    }
    fputs("::notice title=coopbench compare::", out);
    cb_compare_counts(out, r->comparisons);
    fputc('\n', out);
}
