/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/run_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/disturbed.h"
#include "measure/identity.h"
#include "measure/text/json.h"

/* ---- Finding --------------------------------------------------------------------------------- */

/* FNV-1a */
static unsigned hash(const char *text)
{
    unsigned h = 2166136261u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

struct cb_run_case *cb_run_table_find(const struct cb_run_table *t, const char *id,
                                      const char *device)
{
    for (int i = t->heads[hash(id) & t->mask]; i >= 0; i = t->cases[i].next)
        if (strcmp(t->cases[i].id, id) == 0 && (!device || strcmp(t->cases[i].device, device) == 0))
            return &t->cases[i];
    return NULL;
}

/* Where the input's name, a whole part of the id, begins; NULL: the id does not have it. */
static const char *name_in_id(const struct cb_run_case *c, size_t *length)
{
    const char *name = cb_json_text(c->params, "input_name", ""), *at = c->id;
    *length = strlen(name);
    while (*length > 0 && (at = strchr(at, '/')))
        if (strncmp(++at, name, *length) == 0 && (at[*length] == '/' || at[*length] == '\0'))
            return at;
    return NULL;
}

bool cb_run_case_is_alias(const struct cb_run_case *a, const struct cb_run_case *b)
{
    size_t n, m;
    if (cb_identity_compare(a->inputs, b->inputs, "input") != CB_IDENTITY_SAME ||
        strcmp(a->device, b->device) != 0)
        return false;
    const char *x = name_in_id(a, &n), *y = name_in_id(b, &m);
    return x && y && x - a->id == y - b->id && strncmp(a->id, b->id, (size_t)(x - a->id)) == 0 &&
           strcmp(x + n, y + m) == 0;
}

struct cb_run_case *cb_run_table_counterpart(const struct cb_run_table *t,
                                             const struct cb_run_case *c)
{
    struct cb_run_case *found = cb_run_table_find(t, c->id, c->device);
    for (int i = 0; i < t->count && !found; i++)
        found = cb_run_case_is_alias(&t->cases[i], c) ? &t->cases[i] : NULL;
    return found ? found : cb_run_table_find(t, c->id, NULL);
}

struct cb_measurement *cb_run_case_metric(const struct cb_run_case *c, const char *name)
{
    for (int i = 0; i < c->n_metrics; i++)
        if (strcmp(c->metrics[i].name, name) == 0)
            return &c->metrics[i];
    return NULL;
}

bool cb_run_case_ok(const struct cb_run_case *c)
{
    return strcmp(c->status, "ok") == 0 && !c->disturbed;
}

bool cb_run_case_failed(const struct cb_run_case *c)
{
    const enum cb_status status = cb_status_from_name(c->status);
    return status == CB_ERROR || status == CB_CRASHED || status == CB_TIMEOUT ||
           status == CB_VERIFY_FAILED || status == CB_USAGE;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static enum cb_better better_of(const char *name)
{
    return strcmp(name, "lower") == 0    ? CB_LOWER
           : strcmp(name, "higher") == 0 ? CB_HIGHER
                                         : CB_NEITHER;
}

/* One value of each round that has any. */
static double *read_rounds(const cJSON *json, const char *list, size_t *n)
{
    const cJSON *value, *values = cJSON_GetObjectItemCaseSensitive(json, list);
    size_t room = (size_t)cJSON_GetArraySize(values);
    double *rounds = room ? malloc(room * sizeof *rounds) : NULL;
    *n = 0;
    cJSON_ArrayForEach (value, values)
        if (rounds && cJSON_IsNumber(value) && isfinite(value->valuedouble))
            rounds[(*n)++] = value->valuedouble;
    return rounds;
}

/* How many samples each round has, if that is what all have together. */
static double *read_sizes(const cJSON *json, const struct cb_measurement *m)
{
    size_t n;
    double *sizes = read_rounds(json, "round_sizes", &n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += sizes[i];
    if (n == m->n_rounds && sum == (double)m->side.n)
        return sizes;
    free(sizes);
    return NULL;
}

static void read_metric(const cJSON *json, struct cb_measurement *m)
{
    double n = cb_json_number(json, "n");
    m->name = cb_json_text(json, "name", "");
    m->unit = cb_json_text(json, "unit", "");
    m->better = better_of(cb_json_text(json, "better", ""));
    m->side = (struct cb_side){n >= 1 ? (size_t)n : 0, /* a layout has no numbers */
                               cb_json_number(json, "median"), cb_json_number(json, "ci95_low"),
                               cb_json_number(json, "ci95_high"), NULL};
    m->rounds = read_rounds(json, "round_medians", &m->n_rounds);
    m->bests = read_rounds(json, "round_bests", &m->n_bests);
    m->sizes = read_sizes(json, m);
}

/* What a case tells of its cores' speed is there for all its metrics that have the same rounds. */
static void link_speed(struct cb_run_case *c)
{
    const struct cb_measurement *speed = NULL;
    for (int i = 0; i < c->n_metrics; i++)
        if (strcmp(c->metrics[i].name, "core_speed") == 0)
            speed = &c->metrics[i];
    for (int i = 0; speed && i < c->n_metrics; i++)
        if (&c->metrics[i] != speed && c->metrics[i].n_rounds == speed->n_rounds)
            c->metrics[i].core_speed = speed;
}

static void read_case(const struct cb_run_table *t, const cJSON *json, struct cb_run_case *c,
                      struct cb_measurement *metrics)
{
    const cJSON *metric;
    *c = (struct cb_run_case){.id = cb_json_text(json, "id", ""),
                              .bench = cb_json_text(json, "bench", ""),
                              .device = cb_json_text(json, "device", ""),
                              .status = cb_json_text(json, "status", ""),
                              .reason = cb_json_text(json, "reason", ""),
                              .disturbed = cb_row_is_spoilt(json),
                              .params = cb_json_params(json),
                              .inputs = cJSON_GetObjectItemCaseSensitive(json, "inputs"),
                              .metrics = metrics};
    c->device_json = cb_json_device(t->document.tree, c->device);
    cJSON_ArrayForEach (metric, cJSON_GetObjectItemCaseSensitive(json, "metrics"))
        read_metric(metric, &metrics[c->n_metrics++]);
    link_speed(c);
}

static enum cb_status insert(struct cb_run_table *t, int i, struct cb_err *err)
{
    struct cb_run_case *c = &t->cases[i];
    if (!*c->id)
        return cb_fail(err, CB_USAGE, "%s: cases[%d] has no \"id\"", t->document.file, i);
    if (cb_run_table_find(t, c->id, c->device))
        return cb_fail(err, CB_USAGE, "%s: the case %s is there twice", t->document.file, c->id);
    int *head = &t->heads[hash(c->id) & t->mask];
    c->next = *head;
    *head = i;
    return CB_OK;
}

/* Room for all cases and metrics of the document, and a hash twice as large. */
static enum cb_status make_room(struct cb_run_table *t, const cJSON *cases, struct cb_err *err)
{
    size_t n = 0, metrics = 0, size = 16;
    const cJSON *json;
    cJSON_ArrayForEach (json, cases) {
        n++;
        metrics += (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(json, "metrics"));
    }
    while (size < 2 * n)
        size *= 2;
    t->cases = calloc(n + 1, sizeof *t->cases);
    t->metrics = calloc(metrics + 1, sizeof *t->metrics);
    t->heads = malloc(size * sizeof *t->heads);
    t->mask = (unsigned)size - 1;
    for (size_t i = 0; t->heads && i < size; i++)
        t->heads[i] = -1;
    return t->cases && t->metrics && t->heads ? CB_OK : cb_no_memory(err);
}

static enum cb_status read_cases(struct cb_run_table *t, struct cb_err *err)
{
    const cJSON *json, *cases = cJSON_GetObjectItemCaseSensitive(t->document.tree, "cases");
    struct cb_measurement *metrics;
    if (make_room(t, cases, err) != CB_OK)
        return err->status;
    metrics = t->metrics;
    cJSON_ArrayForEach (json, cases) {
        struct cb_run_case *c = &t->cases[t->count];
        read_case(t, json, c, metrics);
        metrics += c->n_metrics;
        t->count++; /* so that it is freed even if it has no place */
        if (insert(t, t->count - 1, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

enum cb_status cb_run_table_index(struct cb_run_table *t, const char *path, struct cb_err *err)
{
    t->id = cb_json_text(t->document.tree, "run_id", path);
    t->complete = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(t->document.tree, "complete"));
    return read_cases(t, err);
}

void cb_run_table_clear(struct cb_run_table *t)
{
    struct cb_run_document document = t->document;
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < t->cases[i].n_metrics; k++) {
            free(t->cases[i].metrics[k].samples);
            free(t->cases[i].metrics[k].rounds);
            free(t->cases[i].metrics[k].bests);
            free(t->cases[i].metrics[k].sizes);
        }
    free(t->cases);
    free(t->metrics);
    free(t->heads);
    *t = (struct cb_run_table){.document = document};
}

void cb_run_table_free(struct cb_run_table *t)
{
    cb_run_table_clear(t);
    cb_run_document_free(&t->document);
    *t = (struct cb_run_table){0};
}
