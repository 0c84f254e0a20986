/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/compare.schema.json. What is not known is absent: never null, zero or NaN.
 */
#include <stdlib.h>

#include "analysis/compare/write.h"
#include "analysis/documents/row_json.h"
#include "runtime/host/json_writer.h"

/* ---- Rows ------------------------------------------------------------------------------------ */

static void write_side(struct cb_json_writer *w, const char *key, const struct cb_side *side)
{
    cb_json_write(w, "%s:{n:%d,median:%g,ci95_low:%g,ci95_high:%g}", key, (int)side->n,
                  side->median, side->low, side->high);
}

static void write_numbers(struct cb_json_writer *w, const struct cb_comparison *row)
{
    const struct cb_evidence *e = &row->evidence;
    write_side(w, "baseline", &row->base);
    write_side(w, "run", &row->now);
    cb_json_write(w, "baselines:%d,change:%g,change_low:%g,change_high:%g,spread:%g",
                  row->baselines, e->change.estimate, e->change.low, e->change.high, e->spread);
    cb_json_write(w, "p:%g,p_adjusted:%g,method:%s", row->p, e->p,
                  row->method == CB_UNTESTED ? NULL : cb_compare_method_name(row->method));
}

/* A text that is written anew for each row. */
struct command {
    FILE *out;
    char *text;
    size_t size;
    const cJSON *run;
    long head; /* bytes that all have in common; 0: not there */
};

static void write_command(struct cb_json_writer *w, struct command *c,
                          const struct cb_comparison *row)
{
    cb_json_write(w, "rounds_to_decide:%d", (int)row->rounds);
    if (!c->out || fseek(c->out, c->head, SEEK_SET) != 0)
        return;
    if (c->head == 0) {
        cb_compare_command_head(c->out, c->run, true, false);
        c->head = ftell(c->out);
    }
    cb_compare_command_tail(c->out, &row, 1, row->rounds);
    fputc('\0', c->out);
    fflush(c->out);
    cb_json_write(w, "command:%s", c->text);
}

static void write_row(struct cb_json_writer *w, const struct cb_comparison *row,
                      struct command *command)
{
    char why[512];
    cb_compare_why(why, sizeof why, row);
    cb_json_write(w, "\n{case:%s,bench:%s,device:%s", row->c->id, row->c->bench, row->c->device);
    if (row->m)
        cb_json_write(w, "metric:%s,unit:%s,better:%s,threshold:%g", row->m->name, row->m->unit,
                      cb_better_name(row->m->better), row->threshold);
    cb_json_write(w, "verdict:%s,reason:%s,detail:%s", cb_verdict_name(row->verdict),
                  row->doubt == CB_DOUBT_NONE ? NULL : cb_doubt_name(row->doubt),
                  *why ? why : NULL);
    if (row->compared)
        write_numbers(w, row);
    if (row->rounds)
        write_command(w, command, row);
    cb_json_write(w, "}");
}

/* ---- All ------------------------------------------------------------------------------------- */

static void write_run(struct cb_json_writer *w, const char *key, const struct cb_run_table *t)
{
    cb_json_write(w, "%s:{run_id:%s,file:%s,complete:%i", key, t->id, t->document.file,
                  t->complete);
    if (t->samples_from)
        cb_json_write(w, "samples:%s}", t->samples_from);
    else
        cb_json_write(w, "samples:null}");
}

static void write_head(struct cb_json_writer *w, const struct cb_compare_report *r)
{
    cb_json_write(w, "{schema:%s,schema_version:%s", "coopbench-compare", "1.5");
    write_run(w, "run", r->comparisons->run);
    cb_json_write(w, "baselines:[");
    for (int b = 0; b < r->comparisons->n_baselines; b++)
        write_run(w, "", &r->comparisons->baselines[b]);
    cb_json_write(w, "],alpha:%g,correction:%s,summary:{", r->rules->alpha, "benjamini-hochberg");
    for (int v = 0; v < CB_VERDICTS; v++)
        cb_json_write(w, "%s:%d", cb_verdict_name((enum cb_verdict)v), r->comparisons->of[v]);
    cb_json_write(w, "},exit_code:%d,gate_off:%s", r->exit_code, r->gate_off);
}

void cb_compare_write_json(FILE *out, const struct cb_compare_report *r)
{
    struct cb_json_writer w = {.out = out};
    struct command command = {.run = r->comparisons->run->document.tree};
    command.out = open_memstream(&command.text, &command.size);
    write_head(&w, r);
    cb_json_write(&w, "\ncomparisons:[");
    for (int i = 0; i < r->comparisons->count; i++)
        write_row(&w, r->rows[i], &command);
    cb_json_write(&w, "\n]}\n");
    if (command.out)
        fclose(command.out);
    free(command.text);
}
