/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/compare.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/choice.h"
#include "analysis/compare/judge.h"
#include "analysis/compare/mismatch.h"
#include "analysis/compare/pool.h"

#define DETAIL_BYTES  512
#define BESIDE_OTHERS "another program used the device"

/* A comparison under way. */
struct work {
    const struct cb_compare_rules *rules;
    struct cb_comparisons *out;
    struct cb_run_case **usable; /* case of each baseline that it can be compared with; NULL */
    struct cb_measurement **metrics;
    bool no_memory;
};

/* ---- Filters --------------------------------------------------------------------------------- */

static bool wanted_case(const struct work *w, const char *id)
{
    return cb_compare_wants_case(&w->rules->choice, id);
}

static bool wanted_metric(const struct work *w, const struct cb_run_case *c,
                          const struct cb_measurement *m)
{
    const enum cb_wanted wanted = cb_compare_wants_metric(&w->rules->choice, c, m);
    w->out->derived += wanted == CB_DERIVED;
    w->out->undirected += wanted == CB_UNDIRECTED;
    return wanted == CB_WANTED;
}

static double threshold_of(const struct work *w, const char *metric)
{
    double relative = 0;
    for (int i = 0; i < w->rules->n_thresholds; i++) {
        const struct cb_threshold *t = &w->rules->thresholds[i];
        if (!t->metric || fnmatch(t->metric, metric, 0) == 0)
            relative = t->relative;
    }
    return relative;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static struct cb_comparison *add(struct work *w, enum cb_verdict verdict,
                                 const struct cb_run_case *c, const struct cb_measurement *m,
                                 const char *detail)
{
    struct cb_comparisons *out = w->out;
    if (out->count == out->room) {
        int room = out->room ? 2 * out->room : 256;
        struct cb_comparison *rows = realloc(out->rows, (size_t)room * sizeof *rows);
        if (!rows) {
            w->no_memory = true;
            return NULL;
        }
        out->rows = rows;
        out->room = room;
    }
    struct cb_comparison *row = &out->rows[out->count++];
    *row = (struct cb_comparison){.verdict = verdict, .c = c, .m = m, .p = NAN};
    row->threshold = m ? threshold_of(w, m->name) : 0;
    row->detail = detail && *detail ? strdup(detail) : NULL;
    return row;
}

/* The metric of the usable baselines that can be compared with m; their number. why: of the last
 * that cannot. */
static int gather(struct work *w, const struct cb_measurement *m, char *why)
{
    int n = 0;
    why[0] = '\0';
    for (int b = 0; b < w->out->n_baselines; b++) {
        struct cb_measurement *other =
            w->usable[b] ? cb_run_case_metric(w->usable[b], m->name) : NULL;
        if (other && strcmp(other->unit, m->unit) != 0)
            snprintf(why, DETAIL_BYTES, "the unit was %s, is %s", other->unit, m->unit);
        else if (other)
            w->metrics[n++] = other;
    }
    return n;
}

static void compare_metric(struct work *w, const struct cb_run_case *c,
                           const struct cb_measurement *m)
{
    char why[DETAIL_BYTES];
    int n = gather(w, m, why);
    struct cb_comparison *row = add(w, n ? CB_SAME : *why ? CB_INCOMPARABLE : CB_NEW, c, m, why);
    if (!row || n == 0)
        return;
    row->compared = true;
    row->baselines = n;
    if (!cb_pool(row, w->metrics, n, m, w->rules))
        w->no_memory = true;
}

/* Metrics that the case had and has no more. */
static void add_lost_metrics(struct work *w, const struct cb_run_case *c)
{
    for (int b = 0; b < w->out->n_baselines; b++)
        for (int i = 0; w->usable[b] && i < w->usable[b]->n_metrics; i++) {
            const struct cb_measurement *m = &w->usable[b]->metrics[i];
            bool known = cb_run_case_metric(c, m->name) != NULL;
            for (int k = 0; k < b && !known; k++)
                known = w->usable[k] && cb_run_case_metric(w->usable[k], m->name);
            if (!known && wanted_metric(w, w->usable[b], m))
                add(w, CB_MISSING, c, m, NULL);
        }
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* What the baselines have of a case. */
struct found {
    int usable, ok;         /* comparable; ok, comparable or not, disturbed or not */
    bool any;               /* a row, whatever its status */
    bool disturbed;         /* one of those that are ok was */
    char why[DETAIL_BYTES]; /* why one cannot be used */
};

static void say_mismatch(struct found *f, unsigned bits, const char *why)
{
    size_t n = (size_t)snprintf(f->why, sizeof f->why, "%.400s (--allow-mismatch ", why);
    static const char *const words[] = {"device", "driver", "host", "params"};
    const char *comma = "";
    for (size_t i = 0; i < CB_COUNTOF(words); i++)
        if (bits & cb_mismatch_bit(words[i])) {
            n += (size_t)snprintf(f->why + n, sizeof f->why - n, "%s%s", comma, words[i]);
            comma = ",";
        }
    snprintf(f->why + n, sizeof f->why - n, ")");
}

/* The case in all baselines. */
static struct found look_up(struct work *w, const struct cb_run_case *c)
{
    struct found f = {0};
    char why[DETAIL_BYTES];
    for (int b = 0; b < w->out->n_baselines; b++) {
        const struct cb_run_table *t = &w->out->baselines[b];
        struct cb_run_case *other = cb_run_table_counterpart(t, c);
        w->usable[b] = NULL;
        if (!other)
            continue;
        other->seen = true;
        f.any = true;
        if (!cb_run_case_ok(other)) {
            f.disturbed = f.disturbed || other->disturbed;
            f.ok += other->disturbed;
            if (other->disturbed)
                snprintf(f.why, sizeof f.why, BESIDE_OTHERS " (%.100s)", t->id);
            else if (!*f.why)
                snprintf(f.why, sizeof f.why, "%.40s in a baseline", other->status);
            continue;
        }
        unsigned bits = cb_mismatch(t, other, w->out->run, c, w->rules->allowed, why, sizeof why);
        f.ok++;
        if (bits)
            say_mismatch(&f, bits, why);
        else
            w->usable[b] = other;
        f.usable += !bits;
    }
    return f;
}

/* The case gives no result in the run. */
static void add_lost_case(struct work *w, const struct cb_run_case *c, const struct found *f)
{
    char why[DETAIL_BYTES];
    snprintf(why, sizeof why, "%.40s: %.400s", c->status, c->reason);
    add(w,
        f->ok == 0              ? CB_UNMEASURED
        : cb_run_case_failed(c) ? CB_FAILED
                                : CB_MISSING,
        c, NULL, why);
}

static void compare_case(struct work *w, const struct cb_run_case *c)
{
    struct found f = look_up(w, c);
    w->out->common += f.any;
    if (c->disturbed) {
        add(w, CB_DISTURBED, c, NULL, BESIDE_OTHERS);
        return;
    }
    if (!cb_run_case_ok(c)) {
        add_lost_case(w, c, &f);
        return;
    }
    if (f.usable == 0) {
        add(w, f.disturbed ? CB_DISTURBED : f.ok ? CB_INCOMPARABLE : CB_NEW, c, NULL, f.why);
        return;
    }
    for (int i = 0; i < c->n_metrics; i++)
        if (wanted_metric(w, c, &c->metrics[i]))
            compare_metric(w, c, &c->metrics[i]);
    add_lost_metrics(w, c);
}

/* Cases that only baselines have, once each. */
static void add_missing_cases(struct work *w)
{
    for (int b = 0; b < w->out->n_baselines; b++)
        for (int i = 0; i < w->out->baselines[b].count; i++) {
            struct cb_run_case *c = &w->out->baselines[b].cases[i];
            if (c->seen || !wanted_case(w, c->id))
                continue;
            for (int k = b; k < w->out->n_baselines; k++) {
                struct cb_run_case *same =
                    cb_run_table_find(&w->out->baselines[k], c->id, c->device);
                if (same)
                    same->seen = true;
            }
            add(w,
                c->disturbed        ? CB_DISTURBED
                : cb_run_case_ok(c) ? CB_MISSING
                                    : CB_UNMEASURED,
                c, NULL,
                c->disturbed        ? BESIDE_OTHERS
                : cb_run_case_ok(c) ? ""
                                    : c->status);
        }
}

/* ---- All ------------------------------------------------------------------------------------- */

static enum cb_status check_common(const struct work *w, int wanted, struct cb_err *err)
{
    const struct cb_comparisons *out = w->out;
    if (wanted == 0 && out->count == 0)
        return cb_fail(
            err, CB_USAGE,
            "no case of the runs fits --filter and --exclude; compare without them lists "
            "the cases (several globs: --filter A --filter B; a comma is part of an "
            "id)");
    if (out->common == 0)
        return cb_fail(err, CB_USAGE,
                       "the runs have no case in common: %s has %s, ..., %s has %s, ...\n  Compare "
                       "runs of the same benchmark with the same parameters",
                       out->baselines->id,
                       out->baselines->count ? out->baselines->cases->id : "none", out->run->id,
                       out->run->count ? out->run->cases->id : "none");
    return CB_OK;
}

static enum cb_status compare_all(struct work *w, struct cb_err *err)
{
    int wanted = 0;
    if (!w->usable || !w->metrics)
        return cb_no_memory(err);
    for (int b = 0; b < w->out->n_baselines; b++) /* clears the marks of an earlier comparison */
        for (int i = 0; i < w->out->baselines[b].count; i++)
            w->out->baselines[b].cases[i].seen = false;
    for (int i = 0; i < w->out->run->count; i++)
        if (wanted_case(w, w->out->run->cases[i].id)) {
            compare_case(w, &w->out->run->cases[i]);
            wanted++;
        }
    add_missing_cases(w);
    if (w->no_memory || !cb_comparisons_judge(w->out, w->rules->alpha))
        return cb_no_memory(err);
    return check_common(w, wanted, err);
}

enum cb_status cb_compare(const struct cb_run_table *baselines, int n,
                          const struct cb_run_table *run, const struct cb_compare_rules *rules,
                          struct cb_comparisons *out, struct cb_err *err)
{
    *out = (struct cb_comparisons){.baselines = baselines, .n_baselines = n, .run = run};
    struct work w = {.rules = rules,
                     .out = out,
                     .usable = calloc((size_t)n, sizeof(struct cb_run_case *)),
                     .metrics = calloc((size_t)n, sizeof(struct cb_measurement *))};
    enum cb_status status = compare_all(&w, err);
    free(w.usable);
    free(w.metrics);
    if (status != CB_OK)
        cb_comparisons_free(out);
    return status;
}

void cb_comparisons_free(struct cb_comparisons *c)
{
    for (int i = 0; i < c->count; i++)
        free(c->rows[i].detail);
    free(c->rows);
    *c = (struct cb_comparisons){0};
}
