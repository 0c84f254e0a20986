/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/primitives/best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/estimate.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "runtime/host/error.h"

/* ---- Cases ----------------------------------------------------------------------------------- */

const char *const cb_variant_params[CB_KINDS] = {
    [CB_KIND_MUTEX] = "section", [CB_KIND_SEMAPHORE] = "initial"};

static double variant_of(const char *kind, const cJSON *params)
{
    enum cb_primitive_kind k = cb_kind_of(kind);
    const char *param = k < CB_KINDS ? cb_variant_params[k] : NULL;
    double variant = param ? cb_json_number(params, param) : 0;
    return isnan(variant) ? 0 : variant;
}

static void add_case(struct cb_primitive_cases *set, const cJSON *item)
{
    const cJSON *params = cb_json_params(item);
    struct cb_primitive_case c = {
        .kind = cb_json_text(params, "kind", NULL),
        .name = cb_json_text(params, "primitive", NULL),
        .groups = cb_json_text(params, "groups", NULL),
        .ok = strcmp(cb_json_text(item, "status", ""), "ok") == 0,
        .item = item,
    };
    if (!c.kind || !c.name || !c.groups ||
        cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(params, "tune")))
        return;
    c.variant = variant_of(c.kind, params);
    c.count = cb_primitive_stat(&c, "groups", "median");
    set->cases[set->n++] = c;
}

struct cb_primitive_cases cb_primitive_cases_of(const cJSON *run, const char *device_id)
{
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(run, "cases"), *item;
    struct cb_primitive_cases set = {
        .cases = calloc((size_t)cJSON_GetArraySize(cases) + 1, sizeof *set.cases)};
    if (!set.cases)
        return set;
    cJSON_ArrayForEach (item, cases)
        if (strcmp(cb_json_text(item, "bench", ""), "primitives") == 0 &&
            strcmp(cb_json_text(item, "device", ""), device_id) == 0)
            add_case(&set, item);
    return set;
}

void cb_primitive_cases_free(struct cb_primitive_cases *set)
{
    free(set->cases);
    *set = (struct cb_primitive_cases){0};
}

double cb_primitive_stat(const struct cb_primitive_case *c, const char *metric,
                         const char *statistic)
{
    return c->ok ? cb_json_metric(c->item, metric, statistic) : NAN;
}

bool cb_primitive_is(const struct cb_primitive_case *c, const char *kind, double variant)
{
    return strcmp(c->kind, kind) == 0 && c->variant == variant;
}

int cb_primitive_variants(const struct cb_primitive_cases *set, const char *kind, double *variants)
{
    int n = 0;
    for (int i = 0; i < set->n; i++) {
        double variant = set->cases[i].variant;
        int at = 0;
        while (at < n && variants[at] < variant)
            at++;
        if (strcmp(set->cases[i].kind, kind) != 0 || (at < n && variants[at] == variant))
            continue;
        memmove(variants + at + 1, variants + at, (size_t)(n++ - at) * sizeof *variants);
        variants[at] = variant;
    }
    return n;
}

/* ---- The best -------------------------------------------------------------------------------- */

static bool is_candidate(const struct cb_primitive_case *c, const char *kind, double variant)
{
    return cb_primitive_is(c, kind, variant) && strcmp(c->name, CB_NATIVE) != 0 && c->count > 1 &&
           cb_primitive_stat(c, "throughput", "median") > 0;
}

static double limit(const struct cb_primitive_case *c, const char *statistic)
{
    double value = cb_primitive_stat(c, "throughput", statistic);
    return isnan(value) ? cb_primitive_stat(c, "throughput", "median") : value;
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

/* Who is compared with whom. */
struct contest {
    const struct cb_primitive_cases *set;
    const char *kind, *groups;
    double variant, count;
};

static bool takes_part(const struct contest *t, const struct cb_primitive_case *c)
{
    return is_candidate(c, t->kind, t->variant) && strcmp(c->groups, t->groups) == 0 &&
           (isnan(t->count) || c->count == t->count);
}

static const struct cb_primitive_case *winner(const struct contest *t)
{
    const struct cb_primitive_case *first = NULL;
    for (int i = 0; i < t->set->n; i++) {
        const struct cb_primitive_case *c = &t->set->cases[i];
        if (takes_part(t, c) && (!first || cb_primitive_stat(c, "throughput", "median") >
                                               cb_primitive_stat(first, "throughput", "median")))
            first = c;
    }
    return first;
}

struct cb_best cb_best_at(const struct cb_primitive_cases *set, const char *kind, double variant,
                          const char *groups, double count)
{
    struct contest t = {set, kind, groups, variant, count};
    const struct cb_primitive_case *first = winner(&t);
    struct cb_best best = {.count = NAN, .op_time = NAN};
    if (!first)
        return best;
    best.names[best.n++] = first->name;
    best.groups = first->groups;
    best.count = first->count;
    best.op_time = cb_primitive_stat(first, "op_time", "median");
    for (int i = 0; i < set->n && best.n < CB_MAX_TIED; i++) {
        const struct cb_primitive_case *c = &set->cases[i];
        if (takes_part(&t, c) && overlap(first, c) && !cb_best_has(&best, c->name))
            best.names[best.n++] = c->name;
    }
    return best;
}

/* ---- SO'11 Tab. 5 ---------------------------------------------------------------------------- */

static struct cb_best best_under(const struct cb_primitive_cases *set, const char *kind,
                                 double variant, enum cb_contention contention)
{
    const struct cb_primitive_case *extreme = NULL;
    int sign = contention == CB_CONTENTION_LOW ? 1 : -1;
    for (int i = 0; i < set->n; i++) {
        const struct cb_primitive_case *c = &set->cases[i];
        if (is_candidate(c, kind, variant) && (!extreme || sign * (c->count - extreme->count) < 0))
            extreme = c;
    }
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
    for (int i = 0; i < best->n; i++) {
        size_t n = strlen(cell);
        snprintf(cell + n, CB_CELL_BYTES - n, "%s%s", i > 0 ? ", " : "", best->names[i]);
    }
    size_t n = strlen(cell);
    if (best->n > 0 && depends)
        n += (size_t)snprintf(cell + n, CB_CELL_BYTES - n, " at %.0f", best->count);
    if (best->n > 1 && n < CB_CELL_BYTES)
        snprintf(cell + n, CB_CELL_BYTES - n, " (tie)");
}

static void format_verdict(const struct cb_verdict *v, char cell[CB_CELL_BYTES])
{
    snprintf(cell, CB_CELL_BYTES,
             strcmp(v->kind, "barrier") == 0 ? "%s"
             : strcmp(v->kind, "mutex") == 0 ? "%s, section %.15g"
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
    for (int i = 0; i < t->set->n; i++) {
        const struct cb_primitive_case *c = &t->set->cases[i];
        if (!takes_part(t, c) || strcmp(c->name, best->name) == 0)
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
    const struct cb_primitive_case *found = NULL;
    for (int i = 0; i < t->set->n; i++) {
        const struct cb_primitive_case *c = &t->set->cases[i];
        bool starved = strcmp(cb_json_text(c->item, "status", ""), "timeout") == 0;
        if (!cb_primitive_is(c, t->kind, t->variant) || strcmp(c->groups, t->groups) != 0 ||
            strcmp(c->name, name) != 0 || (!starved && !takes_part(t, c)))
            continue;
        if (!found || !found->ok ||
            cb_primitive_stat(c, "throughput", "median") >
                cb_primitive_stat(found, "throughput", "median"))
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
    struct contest t = {set, v->kind, best->groups, v->variant, NAN};
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
             isnan(count) ? "%s contention" : "%s contention (%.0f workgroups)",
             contentions[contention], count);
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
