/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/primitives/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/text/json.h"

const char *const cb_variant_params[CB_KINDS] = {
    [CB_KIND_MUTEX] = "section", [CB_KIND_SEMAPHORE] = "initial"};

bool cb_primitive_only_compared(const char *name)
{
    return strcmp(name, CB_NATIVE) == 0 || strcmp(name, CB_RELAUNCH) == 0 ||
           strcmp(name, CB_RELAUNCH_SYNC) == 0;
}

static double variant_of(const char *kind, const cJSON *params)
{
    enum cb_primitive_kind k = cb_kind_of(kind);
    const char *param = k < CB_KINDS ? cb_variant_params[k] : NULL;
    double variant = param ? cb_json_number(params, param) : 0;
    return isnan(variant) ? 0 : variant;
}

static struct cb_primitive_case case_of(const cJSON *row)
{
    struct cb_primitive_case c = {
        .kind = cb_row_text(row, "kind"),
        .name = cb_row_text(row, "primitive"),
        .groups = cb_row_text(row, "groups"),
        .ok = cb_row_is_ok(row),
        .item = row,
    };
    c.variant = variant_of(c.kind, cb_json_params(row));
    c.count = cb_primitive_stat(&c, "groups", "median");
    return c;
}

struct cb_primitive_cases cb_primitive_cases_of(const cJSON *run, const char *device_id)
{
    struct cb_rows rows = {.run = run, .bench = "primitives", .device = device_id};
    cb_rows_have(&rows, "kind");
    cb_rows_have(&rows, "primitive");
    cb_rows_have(&rows, "groups");
    struct cb_primitive_cases set = {
        .cases = calloc((size_t)cb_rows_count(&rows) + 1, sizeof *set.cases)};
    if (!set.cases)
        return set;
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
        if (!cb_row_flag(row, "tune"))
            set.cases[set.n++] = case_of(row);
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

static bool is_asked_for(const struct cb_primitive_query *q, const struct cb_primitive_case *c)
{
    return strcmp(c->kind, q->kind) == 0 && c->variant == q->variant &&
           (!q->name || strcmp(c->name, q->name) == 0) &&
           (!q->groups || strcmp(c->groups, q->groups) == 0);
}

const struct cb_primitive_case *cb_primitive_next(const struct cb_primitive_query *q,
                                                  const struct cb_primitive_case *previous)
{
    const struct cb_primitive_case *c = previous ? previous + 1 : q->set->cases;
    const struct cb_primitive_case *end = q->set->cases + q->set->n;
    while (c < end && !is_asked_for(q, c))
        c++;
    return c < end ? c : NULL;
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
