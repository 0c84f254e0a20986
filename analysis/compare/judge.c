/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/judge.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/compare/many_tests.h"

/* ---- Verdicts -------------------------------------------------------------------------------- */

static bool is_tested(const struct cb_comparison *row)
{
    return row->compared && row->method != CB_UNTESTED &&
           row->evidence.n_base >= CB_LEAST_SAMPLES && row->evidence.n_run >= CB_LEAST_SAMPLES;
}

/* Corrects for the number of tests. */
static bool adjust(struct cb_comparisons *out)
{
    double *p = malloc(((size_t)out->count + 1) * sizeof *p);
    size_t n = 0;
    for (int i = 0; p && i < out->count; i++)
        if (is_tested(&out->rows[i]))
            p[n++] = out->rows[i].p;
    if (!p || cb_adjust_p(p, n) != 0) {
        free(p);
        return false;
    }
    n = 0;
    for (int i = 0; i < out->count; i++)
        if (is_tested(&out->rows[i]))
            out->rows[i].evidence.p = p[n++];
    free(p);
    return true;
}

static void judge(struct cb_comparison *row, double alpha, struct cb_comparisons *out)
{
    struct cb_rule rule = {row->threshold, alpha};
    bool tested = row->method != CB_UNTESTED;
    row->verdict = tested ? cb_judge(&row->evidence, &rule, &row->doubt) : CB_INCONCLUSIVE;
    if (row->verdict == CB_INCONCLUSIVE)
        row->rounds = cb_rounds_to_decide(&row->evidence, &rule, row->doubt);
    out->untested += !tested;
    out->too_few += row->doubt == CB_DOUBT_FEW;
    out->decidable += tested && row->doubt != CB_DOUBT_FEW;
}

bool cb_comparisons_judge(struct cb_comparisons *out, double alpha)
{
    if (!adjust(out))
        return false;
    for (int i = 0; i < out->count; i++) {
        struct cb_comparison *row = &out->rows[i];
        if (row->compared)
            judge(row, alpha, out);
        out->of[row->verdict]++;
    }
    return true;
}

/* ---- Order ----------------------------------------------------------------------------------- */

static int by_weight(const void *a, const void *b)
{
    const struct cb_comparison *x = *(const struct cb_comparison *const *)a;
    const struct cb_comparison *y = *(const struct cb_comparison *const *)b;
    if (x->verdict != y->verdict)
        return x->verdict < y->verdict ? -1 : 1;
    double dx = x->compared ? fabs(x->evidence.change.estimate) : 0;
    double dy = y->compared ? fabs(y->evidence.change.estimate) : 0;
    return dx != dy ? (dx > dy ? -1 : 1) : (x > y) - (x < y);
}

const struct cb_comparison **cb_comparisons_by_weight(const struct cb_comparisons *c)
{
    const struct cb_comparison **rows = malloc(((size_t)c->count + 1) * sizeof *rows);
    for (int i = 0; rows && i < c->count; i++)
        rows[i] = &c->rows[i];
    if (rows)
        qsort(rows, (size_t)c->count, sizeof *rows, by_weight);
    return rows;
}
