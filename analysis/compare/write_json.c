/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/compare.schema.json. What is not known is absent: never null, zero or NaN. The rows of a
 * large run are written without making trees of them, which takes longer than the comparison.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/write.h"
#include "analysis/documents/row_json.h"
#include "measure/text/json.h"

/* ---- Rows ------------------------------------------------------------------------------------ */

void cb_compare_json_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, ",\"%s\":", key);
    cb_json_print_text(out, text);
}

/* No measured number means more digits, and each takes time. */
void cb_compare_json_number(FILE *out, const char *key, double value)
{
    if (isfinite(value))
        fprintf(out, ",\"%s\":%.9g", key, value);
}

static void print_side(FILE *out, const char *key, const struct cb_side *side)
{
    fprintf(out, ",\"%s\":{\"n\":%zu", key, side->n);
    cb_compare_json_number(out, "median", side->median);
    cb_compare_json_number(out, "ci95_low", side->low);
    cb_compare_json_number(out, "ci95_high", side->high);
    fputc('}', out);
}

static void print_numbers(FILE *out, const struct cb_comparison *row)
{
    const struct cb_evidence *e = &row->evidence;
    print_side(out, "baseline", &row->base);
    print_side(out, "run", &row->now);
    fprintf(out, ",\"baselines\":%d", row->baselines);
    cb_compare_json_number(out, "change", e->change.estimate);
    cb_compare_json_number(out, "change_low", e->change.low);
    cb_compare_json_number(out, "change_high", e->change.high);
    cb_compare_json_number(out, "spread", e->spread);
    cb_compare_json_number(out, "p", row->p);
    cb_compare_json_number(out, "p_adjusted", e->p);
    if (row->method != CB_UNTESTED)
        cb_compare_json_text(out, "method", cb_compare_method_name(row->method));
}

/* A text that is written anew for each row. */
struct command {
    FILE *out;
    char *text;
    size_t size;
    const cJSON *run;
    long head; /* bytes that all have in common; 0: not there */
};

static void print_command(FILE *out, struct command *c, const struct cb_comparison *row)
{
    fprintf(out, ",\"rounds_to_decide\":%u", row->rounds);
    if (!c->out || fseek(c->out, c->head, SEEK_SET) != 0)
        return;
    if (c->head == 0) {
        cb_compare_command_head(c->out, c->run, true);
        c->head = ftell(c->out);
    }
    cb_compare_command_tail(c->out, &row, 1, row->rounds);
    fputc('\0', c->out);
    fflush(c->out);
    cb_compare_json_text(out, "command", c->text);
}

static void print_row(FILE *out, const struct cb_comparison *row, struct command *command)
{
    char why[512];
    fputs("{\"case\":", out);
    cb_json_print_text(out, row->c->id);
    cb_compare_json_text(out, "bench", row->c->bench);
    cb_compare_json_text(out, "device", row->c->device);
    if (row->m) {
        cb_compare_json_text(out, "metric", row->m->name);
        cb_compare_json_text(out, "unit", row->m->unit);
        cb_compare_json_text(out, "better", cb_better_name(row->m->better));
        cb_compare_json_number(out, "threshold", row->threshold);
    }
    cb_compare_json_text(out, "verdict", cb_verdict_name(row->verdict));
    if (row->doubt != CB_DOUBT_NONE)
        cb_compare_json_text(out, "reason", cb_doubt_name(row->doubt));
    cb_compare_why(why, sizeof why, row);
    if (*why)
        cb_compare_json_text(out, "detail", why);
    if (row->compared)
        print_numbers(out, row);
    if (row->rounds)
        print_command(out, command, row);
    fputc('}', out);
}

/* ---- All ------------------------------------------------------------------------------------- */

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

static cJSON *head_to_json(const struct cb_compare_report *r)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "schema", "coopbench-compare");
    cJSON_AddStringToObject(json, "schema_version", "1.4");
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
    if (r->gate_off)
        cJSON_AddStringToObject(json, "gate_off", r->gate_off);
    return json;
}

void cb_compare_write_json(FILE *out, const struct cb_compare_report *r)
{
    cJSON *head = head_to_json(r);
    char *text = cJSON_PrintUnformatted(head);
    struct command command = {.run = r->comparisons->run->document.tree};
    command.out = open_memstream(&command.text, &command.size);
    if (text)
        fprintf(out, "%.*s", (int)strlen(text) - 1, text); /* less its closing brace */
    fputs(",\n\"comparisons\":[", out);
    for (int i = 0; i < r->comparisons->count; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_row(out, r->rows[i], &command);
    }
    fputs("\n]}\n", out);
    if (command.out)
        fclose(command.out);
    free(command.text);
    cJSON_free(text);
    cJSON_Delete(head);
}
