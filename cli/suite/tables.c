/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/tables.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/documents/row_json.h"
#include "cli/suite/blocks.h"
#include "measure/identity.h"
#include "measure/text/json.h"
#include "runtime/host/time.h"

#define FREE_NS      500000000u /* time that making up rows may cost in any run */
#define MOST_METRICS 64         /* most metrics of a bench; further ones are not made up */
#define SHARE        20         /* further cost: this part of the run's time */

/* Invented rows reserve column width: extreme good values, extreme bad ones, a failure. */
enum way { BEST, WORST, FAILED };

static double made_up_value(const struct cb_metric *metric, enum way way)
{
    bool large = (metric->better == CB_HIGHER) == (way == BEST);
    return large ? 1e9 : 0.001;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* One sample, and the statistics of as many as any of these needs. */
static void make_up_series(struct cb_series *series, const struct cb_metric *metric, double *value)
{
    double same[100];
    for (size_t i = 0; i < CB_COUNTOF(same); i++)
        same[i] = *value;
    *series = (struct cb_series){metric, value, 1, 1, cb_stats_of(same, CB_COUNTOF(same))};
}

/* What a case reads is known once it has run; so long it may be anything. */
static void make_up_input(cJSON *row, enum way way)
{
    static const char *const hashes[] = {"best", "worst", "failed"};
    const cJSON *params = cJSON_GetObjectItemCaseSensitive(row, "params");
    cJSON *inputs = NULL;
    for (const char *const *name = cb_identity_params; *name; name++) {
        if (!cJSON_HasObjectItem(params, *name))
            continue;
        inputs = inputs ? inputs : cJSON_AddObjectToObject(row, "inputs");
        cJSON_AddStringToObject(cJSON_AddObjectToObject(inputs, *name), "hash", hashes[way]);
    }
}

static cJSON *make_up_row(const struct cb_case *c, enum way way)
{
    struct cb_series series[MOST_METRICS];
    double values[MOST_METRICS];
    struct cb_row row = {.c = c, .status = CB_OK, .runs = 1, .series = series};
    const struct cb_metric *metrics = c->bench->metrics;
    if (way == FAILED) {
        row.status = CB_TIMEOUT;
        strcpy(row.reason, "made up");
    }
    for (int i = 0; way != FAILED && metrics[i].name && i < MOST_METRICS; i++) {
        values[i] = made_up_value(&metrics[i], way);
        make_up_series(&series[row.n_series++], &metrics[i], &values[i]);
    }
    cJSON *object = cb_row_to_json(&row);
    make_up_input(object, way);
    return object;
}

bool cb_tables_is_row(const cJSON *row, const struct cb_case *c)
{
    return strcmp(cb_json_text(row, "id", ""), c->id) == 0 &&
           strcmp(cb_json_text(row, "device", ""), c->device->id) == 0;
}

static bool is_measured(const cJSON *row)
{
    return cb_status_from_name(cb_json_text(row, "status", "")) != CB_INTERRUPTED;
}

/* The document with its rows that are measured and, in place of the others, those that are given
 * (NULL: none). It refers to the document's items; so many rows are not measured. */
static cJSON *run_of(const struct cb_tables *t, const cJSON *document, cJSON *const *others,
                     int *missing)
{
    cJSON *run = cJSON_CreateObject(), *cases = cJSON_CreateArray(), *item;
    cJSON_ArrayForEach (item, document)
        if (strcmp(item->string, "cases") != 0)
            cJSON_AddItemReferenceToObject(run, item->string, item);
    cJSON_AddItemToObject(run, "cases", cases);
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(document, "cases");
    cJSON *row = all ? all->child : NULL;
    *missing = 0;
    for (int i = 0; i < t->plan->count; i++) {
        cJSON *own = row && cb_tables_is_row(row, &t->plan->cases[i]) ? row : NULL;
        row = own ? row->next : row;
        if (own && is_measured(own))
            cJSON_AddItemReferenceToArray(cases, own);
        else if (++*missing && others && others[i])
            cJSON_AddItemReferenceToArray(cases, others[i]);
    }
    return run;
}

/* ---- Benches --------------------------------------------------------------------------------- */

/* The next one of the plan that reports something, from case *i on; NULL: there is no other. */
static const struct cb_bench *next_bench(const struct cb_plan *plan, int *i)
{
    for (; *i < plan->count; ++*i) {
        const struct cb_bench *bench = plan->cases[*i].bench;
        bool known = !bench->report;
        for (int k = 0; k < *i && !known; k++)
            known = plan->cases[k].bench == bench;
        if (!known)
            return plan->cases[(*i)++].bench;
    }
    return NULL;
}

static int count_rows(const cJSON *run, const struct cb_bench *bench)
{
    const cJSON *row;
    int n = 0;
    cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        n += strcmp(cb_json_text(row, "bench", ""), bench->id) == 0;
    return n;
}

static int count_cases(const struct cb_plan *plan, const struct cb_bench *bench)
{
    int n = 0;
    for (int i = 0; i < plan->count; i++)
        n += plan->cases[i].bench == bench;
    return n;
}

/* ---- Blocks that are taken ------------------------------------------------------------------- */

/* Whether a block is taken: the first of several with the same text, if one of them is. */
static bool is_taken(const struct cb_tables *t, const struct cb_bench *bench,
                     const struct cb_blocks *blocks, int block)
{
    const char *text = blocks->items[block].text;
    int same = 0;
    for (int i = 0; i < t->n_taken; i++)
        same += t->taken[i].bench == bench && strcmp(t->taken[i].text, text) == 0;
    for (int i = 0; i < block && same > 0; i++)
        same -= strcmp(blocks->items[i].text, text) == 0;
    return same > 0;
}

static void take(struct cb_tables *t, const struct cb_bench *bench, const char *text, FILE *out)
{
    struct cb_taken *grown = realloc(t->taken, sizeof *grown * (size_t)(t->n_taken + 1));
    char *copy = strdup(text);
    t->taken = grown ? grown : t->taken;
    if (!grown || !copy) {
        free(copy);
        return;
    }
    t->taken[t->n_taken++] = (struct cb_taken){bench, copy};
    fprintf(out, "\n%s\n", text);
}

/* ---- Taking ---------------------------------------------------------------------------------- */

/* What is measured, and the ways in which it may go on. */
struct outlook {
    cJSON *now, *then[CB_TABLES_WAYS];
    int missing; /* cases */
};

static bool is_finished(const char *text, const struct cb_blocks *then)
{
    for (int way = 0; way < CB_TABLES_WAYS; way++)
        if (!cb_blocks_have(&then[way], text))
            return false;
    return true;
}

static void take_once(struct cb_tables *t, const struct cb_bench *bench,
                      const struct cb_blocks *now, int block, FILE *out)
{
    if (!is_taken(t, bench, now, block))
        take(t, bench, now->items[block].text, out);
}

/* The number of blocks before the first table, such as the name of the device; -1: some of them may
 * change. */
static int count_head(const struct cb_blocks *now, const struct cb_blocks *then)
{
    int n = 0;
    for (; n < now->count && !now->items[n].table; n++)
        if (!is_finished(now->items[n].text, then))
            return -1;
    return n;
}

/* Tables with the paragraphs after them, which belong to them, below the head. */
static void take_finished(struct cb_tables *t, const struct cb_bench *bench,
                          const struct cb_blocks *now, const struct cb_blocks *then, FILE *out)
{
    int head = count_head(now, then);
    bool finished = false;
    for (int i = head; head >= 0 && i < now->count; i++) {
        finished = (finished || now->items[i].table) && is_finished(now->items[i].text, then);
        for (int k = 0; finished && k < head; k++)
            take_once(t, bench, now, k, out);
        if (finished)
            take_once(t, bench, now, i, out);
    }
}

static void take_of(struct cb_tables *t, const struct cb_bench *bench, const struct outlook *o,
                    FILE *out)
{
    struct cb_blocks now = cb_blocks_report(bench, o->now, t->width), then[CB_TABLES_WAYS];
    for (int way = 0; way < CB_TABLES_WAYS; way++)
        then[way] = cb_blocks_report(bench, o->then[way], t->width);
    take_finished(t, bench, &now, then, out);
    for (int way = 0; way < CB_TABLES_WAYS; way++)
        cb_blocks_free(&then[way]);
    cb_blocks_free(&now);
}

/* Whether tables are of several devices, or of cases with several neighbours of ours. */
static bool has_several_parts(const struct cb_plan *plan)
{
    for (int i = 1; i < plan->count; i++)
        if (plan->cases[i].device != plan->cases[0].device ||
            plan->cases[i].beside != plan->cases[0].beside)
            return true;
    return false;
}

/* A table stands below the name of its device, which is printed once: so the tables of a bench come
 * after those of all benches before it, and those of several parts together. */
static void take_all(struct cb_tables *t, const struct outlook *o, FILE *out)
{
    const struct cb_bench *bench;
    bool all = true, together = has_several_parts(t->plan);
    for (int i = 0; all && (bench = next_bench(t->plan, &i));) {
        int rows = count_rows(o->now, bench);
        all = rows == count_cases(t->plan, bench);
        if (rows > 0 && (all || !together))
            take_of(t, bench, o, out);
    }
}

static void make_up(struct cb_tables *t)
{
    size_t room = (size_t)t->plan->count + 1;
    for (int way = 0; way < CB_TABLES_WAYS; way++) {
        t->made_up[way] = calloc(room, sizeof *t->made_up[way]);
        for (int i = 0; t->made_up[way] && i < t->plan->count; i++)
            t->made_up[way][i] = make_up_row(&t->plan->cases[i], (enum way)way);
    }
}

char *cb_tables_take(struct cb_tables *t, const cJSON *document)
{
    char *text = NULL;
    size_t size = 0;
    uint64_t start_ns = cb_now_ns();
    t->stale = t->spent_ns > FREE_NS + (start_ns - t->start_ns) / SHARE;
    FILE *out = t->stale ? NULL : open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (!t->made_up[0])
        make_up(t);
    struct outlook o;
    o.now = run_of(t, document, NULL, &o.missing);
    for (int way = 0; way < CB_TABLES_WAYS; way++)
        o.then[way] = run_of(t, document, t->made_up[way], &o.missing);
    if (o.missing > 0) /* else the end is near, and prints the rest */
        take_all(t, &o, out);
    for (int way = 0; way < CB_TABLES_WAYS; way++)
        cJSON_Delete(o.then[way]);
    cJSON_Delete(o.now);
    fclose(out);
    t->spent_ns += cb_now_ns() - start_ns;
    if (size > 0)
        return text;
    free(text);
    return NULL;
}

/* ---- Printing -------------------------------------------------------------------------------- */

void cb_tables_rest(FILE *out, const struct cb_tables *t, const cJSON *document)
{
    int missing;
    cJSON *run = run_of(t, document, NULL, &missing);
    const struct cb_bench *bench;
    for (int i = 0; (bench = next_bench(t->plan, &i));) {
        if (count_rows(run, bench) == 0)
            continue;
        struct cb_blocks blocks = cb_blocks_report(bench, run, t->width);
        for (int k = 0; k < blocks.count; k++)
            if (!is_taken(t, bench, &blocks, k))
                fprintf(out, "\n%s\n", blocks.items[k].text);
        cb_blocks_free(&blocks);
    }
    cJSON_Delete(run);
}

/* ---- Opening --------------------------------------------------------------------------------- */

void cb_tables_begin(struct cb_tables *t, const struct cb_plan *plan, int width)
{
    *t = (struct cb_tables){.plan = plan, .width = width, .start_ns = cb_now_ns()};
}

void cb_tables_end(struct cb_tables *t)
{
    for (int way = 0; way < CB_TABLES_WAYS; way++) {
        for (int i = 0; t->made_up[way] && i < t->plan->count; i++)
            cJSON_Delete(t->made_up[way][i]);
        free(t->made_up[way]);
    }
    for (int i = 0; i < t->n_taken; i++)
        free(t->taken[i].text);
    free(t->taken);
    *t = (struct cb_tables){0};
}
