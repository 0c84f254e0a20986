/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/primitives/best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/estimate.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "runtime/host/error.h"
#include "runtime/host/text.h"

/* ---- The best -------------------------------------------------------------------------------- */

static double throughput(const struct cb_primitive_case *c)
{
    return cb_primitive_stat(c, "throughput", "median");
}

static bool is_candidate(const struct cb_primitive_case *c)
{
    return !cb_primitive_only_compared(c->name) && c->count > 1 && throughput(c) > 0;
}

static double limit(const struct cb_primitive_case *c, const char *statistic)
{
    double value = cb_primitive_stat(c, "throughput", statistic);
    return isnan(value) ? throughput(c) : value;
}

static bool overlap(const struct cb_primitive_case *a, const struct cb_primitive_case *b)
{
    return limit(a, "ci95_low") <= limit(b, "ci95_high") &&
           limit(b, "ci95_low") <= limit(a, "ci95_high");
}

bool cb_best_has(const struct cb_best *best, const char *name)
{
    for (int i = 0; i < best->n; i++)
        if (strcmp(best->names[i], name) == 0)
            return true;
    return false;
}

/* The candidates that are compared: of a query, those with `count` workgroups; NaN: all. */
struct contest {
    struct cb_primitive_query query;
    double count;
};

static bool takes_part(const struct contest *t, const struct cb_primitive_case *c)
{
    return is_candidate(c) && (isnan(t->count) || c->count == t->count);
}

/* The next one that takes part, as cb_primitive_next(). */
static const struct cb_primitive_case *next(const struct contest *t,
                                            const struct cb_primitive_case *previous)
{
    const struct cb_primitive_case *c = cb_primitive_next(&t->query, previous);
    while (c && !takes_part(t, c))
        c = cb_primitive_next(&t->query, c);
    return c;
}

static const struct cb_primitive_case *winner(const struct contest *t)
{
    const struct cb_primitive_case *first = next(t, NULL);
    for (const struct cb_primitive_case *c = first; c; c = next(t, c))
        if (throughput(c) > throughput(first))
            first = c;
    return first;
}

struct cb_best cb_best_at(const struct cb_primitive_cases *set, const char *kind, double variant,
                          const char *groups, double count)
{
    struct contest t = {{set, kind, variant, NULL, groups}, count};
    const struct cb_primitive_case *first = winner(&t);
    struct cb_best best = {.count = NAN, .op_time = NAN};
    if (!first)
        return best;
    best.names[best.n++] = first->name;
    best.groups = first->groups;
    best.count = first->count;
    best.op_time = cb_primitive_stat(first, "op_time", "median");
    for (const struct cb_primitive_case *c = next(&t, NULL); c && best.n < CB_MAX_TIED;
         c = next(&t, c))
        if (overlap(first, c) && !cb_best_has(&best, c->name))
            best.names[best.n++] = c->name;
    return best;
}

/* ---- SO'11 Tab. 5 ---------------------------------------------------------------------------- */

static struct cb_best best_under(const struct cb_primitive_cases *set, const char *kind,
                                 double variant, enum cb_contention contention)
{
    struct contest all = {{set, kind, variant, NULL, NULL}, NAN};
    const struct cb_primitive_case *extreme = next(&all, NULL);
    int sign = contention == CB_CONTENTION_LOW ? 1 : -1;
    for (const struct cb_primitive_case *c = extreme; c; c = next(&all, c))
        if (sign * (c->count - extreme->count) < 0)
            extreme = c;
    return cb_best_at(set, kind, variant, extreme ? extreme->groups : "", NAN);
}

/* Barriers, and mutexes with the smallest critical section, are predicted under the kind's name. */
static void add_verdict(const struct cb_primitive_cases *set, const char *kind, double variant,
                        bool smallest, struct cb_verdict *verdict)
{
    bool plain = smallest && strcmp(kind, "semaphore") != 0;
    *verdict = (struct cb_verdict){.kind = kind, .variant = variant};
    snprintf(verdict->key, sizeof verdict->key, plain ? "%s" : "%s_%.15g", kind, variant);
    for (int i = 0; i < CB_CONTENTIONS; i++)
        verdict->best[i] = best_under(set, kind, variant, (enum cb_contention)i);
}

struct cb_verdict *cb_verdicts_of(const cJSON *run, const char *device_id, int *n)
{
    struct cb_primitive_cases set = cb_primitive_cases_of(run, device_id);
    double *variants = calloc((size_t)set.n + 1, sizeof *variants);
    struct cb_verdict *verdicts = set.n > 0 ? calloc((size_t)set.n, sizeof *verdicts) : NULL;
    *n = 0;
    for (size_t k = 0; variants && verdicts && k < CB_KINDS; k++) {
        int count = cb_primitive_variants(&set, cb_kind_names[k], variants);
        for (int i = 0; i < count; i++)
            add_verdict(&set, cb_kind_names[k], variants[i], i == 0, &verdicts[(*n)++]);
    }
    free(variants);
    cb_primitive_cases_free(&set);
    return verdicts;
}

/* ---- Its table ------------------------------------------------------------------------------- */

static const char *const contentions[CB_CONTENTIONS] = {"low", "full"};

/* The column's number of workgroups; NaN: it depends on the row. */
static double common_count(const struct cb_verdict *verdicts, int n, int contention)
{
    double count = NAN;
    for (int i = 0; i < n; i++) {
        double own = verdicts[i].best[contention].count;
        if (!isnan(count) && !isnan(own) && own != count)
            return NAN;
        count = isnan(own) ? count : own;
    }
    return count;
}

/* "xf, counter (tie)"; with the number of workgroups if it depends on the row. */
static void format_best(const struct cb_best *best, bool depends, char cell[CB_CELL_BYTES])
{
    strcpy(cell, best->n > 0 ? "" : "-");
    for (int i = 0; i < best->n; i++)
        cb_text_join(cell, CB_CELL_BYTES, "%s", best->names[i]);
    size_t n = strlen(cell);
    if (best->n > 0 && depends)
        n += (size_t)snprintf(cell + n, CB_CELL_BYTES - n, " at %.0f", best->count);
    if (best->n > 1 && n < CB_CELL_BYTES)
        snprintf(cell + n, CB_CELL_BYTES - n, " (tie)");
}

static void format_verdict(const struct cb_verdict *v, char cell[CB_CELL_BYTES])
{
    snprintf(cell, CB_CELL_BYTES,
             strcmp(v->kind, "barrier") == 0 || strcmp(v->kind, "queue") == 0 ? "%s"
             : strcmp(v->kind, "mutex") == 0                                  ? "%s, section %.15g"
                                                                              : "%s, initial %.15g",
             v->kind, v->variant);
}

/* ---- Predictions ----------------------------------------------------------------------------- */

/* Whether the intervals say that a is faster than b. */
static bool is_above(const struct cb_primitive_case *a, const struct cb_primitive_case *b)
{
    return cb_estimate_below(cb_estimate_of(b->item, "throughput"),
                             cb_estimate_of(a->item, "throughput"));
}

static bool beats_all(const struct contest *t, const struct cb_primitive_case *best)
{
    int others = 0;
    for (const struct cb_primitive_case *c = next(t, NULL); c; c = next(t, c)) {
        if (strcmp(c->name, best->name) == 0)
            continue;
        others++;
        if (!is_above(best, c))
            return false;
    }
    return others > 0;
}

/* Its best case in the contest; else one that starved somebody; NULL: neither. */
static const struct cb_primitive_case *predicted_case(const struct contest *t, const char *name)
{
    struct cb_primitive_query q = t->query;
    const struct cb_primitive_case *found = NULL;
    q.name = name;
    for (const struct cb_primitive_case *c = cb_primitive_next(&q, NULL); c;
         c = cb_primitive_next(&q, c)) {
        bool starved = strcmp(cb_json_text(c->item, "status", ""), "timeout") == 0;
        if ((starved || takes_part(t, c)) &&
            (!found || !found->ok || throughput(c) > throughput(found)))
            found = c;
    }
    return found;
}

enum cb_judgement cb_prediction_judge(const struct cb_primitive_cases *set,
                                      const struct cb_verdict *v, enum cb_contention contention,
                                      const char *predicted)
{
    const struct cb_best *best = &v->best[contention];
    if (!predicted || best->n == 0)
        return CB_NOT_JUDGED;
    struct contest t = {{set, v->kind, v->variant, NULL, best->groups}, NAN};
    const struct cb_primitive_case *c = predicted_case(&t, predicted), *first = winner(&t);
    if (!c)
        return CB_CANNOT_TELL;
    if (!c->ok || is_above(first, c))
        return CB_WRONG;
    return beats_all(&t, c) ? CB_RIGHT : CB_CANNOT_TELL;
}

static enum cb_judgement judge(const struct cb_primitive_cases *set, const struct cb_verdict *v,
                               enum cb_contention contention, const char *predicted,
                               char cell[CB_CELL_BYTES])
{
    static const char *const words[CB_JUDGEMENTS] = {
        [CB_WRONG] = ": wrong", [CB_RIGHT] = ": right", [CB_CANNOT_TELL] = ": cannot tell"};
    enum cb_judgement j = cb_prediction_judge(set, v, contention, predicted);
    snprintf(cell, CB_CELL_BYTES, "%.60s%s", predicted ? predicted : "-", words[j] ? words[j] : "");
    return j;
}

/* judged: counts predictions by what they are worth. */
static void fill_contention(const struct cb_primitive_cases *set, const struct cb_verdict *verdicts,
                            int n, enum cb_contention contention, const cJSON *prediction,
                            struct cb_table *t, int judged[CB_JUDGEMENTS])
{
    double count = common_count(verdicts, n, contention);
    int column = 1 + (int)contention, row = 1;
    snprintf(cb_table_cell(t, 0, column), CB_CELL_BYTES,
             isnan(count) ? "%s contention" : "%s contention (%.0f workgroup%s)",
             contentions[contention], count, CB_PLURAL(count));
    for (int i = 0; i < n; i++) {
        const struct cb_verdict *v = &verdicts[i];
        const cJSON *predicted = cJSON_GetObjectItemCaseSensitive(prediction, v->key);
        format_best(&v->best[contention], isnan(count), cb_table_cell(t, row, column));
        format_verdict(v, cb_table_cell(t, row++, 0));
        if (!prediction)
            continue;
        judged[judge(set, v, contention, cb_json_text(predicted, contentions[contention], NULL),
                     cb_table_cell(t, row, column))]++;
        strcpy(cb_table_cell(t, row++, 0), "predicted");
    }
}

void cb_verdicts_print(FILE *out, const cJSON *run, const char *device_id, const cJSON *prediction)
{
    int n, judged[CB_JUDGEMENTS] = {0};
    struct cb_primitive_cases set = cb_primitive_cases_of(run, device_id);
    struct cb_verdict *verdicts = cb_verdicts_of(run, device_id, &n);
    struct cb_table t = {0};
    if (n > 0 && cb_table_open(1 + (prediction ? 2 : 1) * n, 3, 0, &t)) {
        fputs("\nBest primitive (SO'11 Tab. 5)\n\n", out);
        strcpy(cb_table_cell(&t, 0, 0), "primitive");
        for (int i = 0; i < CB_CONTENTIONS; i++)
            fill_contention(&set, verdicts, n, (enum cb_contention)i, prediction, &t, judged);
        cb_table_print(out, &t);
        if (!prediction)
            fputs("\nNo prediction: run 'coopbench memory' on this device first.\n", out);
        else
            fprintf(out,
                    "\nPredictions of 'coopbench memory': %d right, %d wrong, %d where the "
                    "measurements cannot tell\n",
                    judged[CB_RIGHT], judged[CB_WRONG], judged[CB_CANNOT_TELL]);
    }
    cb_primitive_cases_free(&set);
    cb_table_free(&t);
    free(verdicts);
}
