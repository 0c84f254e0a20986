/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/choice.h"
#include "analysis/compare/many_tests.h"
#include "analysis/compare/write.h"
#include "analysis/history/environments.h"
#include "analysis/history/failing.h"
#include "analysis/history/speed.h"
#include "analysis/history/steps.h"
#include "measure/stats.h"

/* Values of a series in one environment. */
struct stretch {
    const struct cb_case_series *series;
    int *places; /* among the values of the series */
    int n;
    double *values;   /* values as they are judged */
    double *measured; /* values as the runs have them */
    double *speeds;   /* speeds of the cores meanwhile */
};

struct work {
    const struct cb_history_rules *rules;
    struct cb_history *out;
    bool no_memory;
};

const char *cb_history_kind_name(enum cb_history_kind kind)
{
    static const char *const names[] = {
        [CB_HISTORY_FAILED] = "failed",     [CB_HISTORY_WORSE] = "worse",
        [CB_HISTORY_ACCEPTED] = "accepted", [CB_HISTORY_BETTER] = "better",
        [CB_HISTORY_CORES] = "cores",       [CB_HISTORY_ENVIRONMENT] = "environment"};
    return names[kind];
}

bool cb_history_is_level(const struct cb_history_change *c)
{
    return c->kind != CB_HISTORY_FAILED && c->kind != CB_HISTORY_ENVIRONMENT;
}

/* ---- Changes --------------------------------------------------------------------------------- */

/* NULL: no memory. */
static struct cb_history_change *add(struct work *w, struct cb_history_change change)
{
    struct cb_history *out = w->out;
    if (out->n == out->room) {
        const int room = out->room ? 2 * out->room : 64;
        struct cb_history_change *changes = realloc(out->changes, (size_t)room * sizeof *changes);
        if (!changes) {
            w->no_memory = true;
            return NULL;
        }
        out->changes = changes;
        out->room = room;
    }
    out->changes[out->n] = change;
    return &out->changes[out->n++];
}

/* A value is the first of its environment. */
static void add_environment(struct work *w, const struct cb_case_series *s, int at)
{
    const struct cb_series_value *now = &s->values[at], *before = now - 1;
    char why[256];
    cb_series_differ(w->out->series.runs, before, now, why, sizeof why);
    struct cb_history_change *c = add(w, (struct cb_history_change){.kind = CB_HISTORY_ENVIRONMENT,
                                                                    .series = s,
                                                                    .run = now->run,
                                                                    .run_before = before->run,
                                                                    .at = at,
                                                                    .last = at - 1,
                                                                    .p = NAN,
                                                                    .from = NAN,
                                                                    .to = NAN,
                                                                    .change = {NAN, NAN, NAN}});
    if (c && !(c->why = strdup(why)))
        w->no_memory = true;
}

/* NULL: no memory. */
static struct cb_history_change *add_step(struct work *w, const struct stretch *s,
                                          const struct cb_step *step)
{
    return add(
        w, (struct cb_history_change){.kind = step->accepted ? CB_HISTORY_ACCEPTED
                                              : step->worse  ? CB_HISTORY_WORSE
                                                             : CB_HISTORY_BETTER,
                                      .series = s->series,
                                      .run = s->series->values[s->places[step->at]].run,
                                      .run_before = s->series->values[s->places[step->at - 1]].run,
                                      .at = s->places[step->at],
                                      .last = s->places[step->at - 1],
                                      .before = (int)step->before,
                                      .after = (int)step->after,
                                      .p = step->p,
                                      .from = step->from,
                                      .to = step->to,
                                      .change = step->change,
                                      .accepted = step->accepted});
}

/* A step of what was measured is none of the code: it tells how the speed of the cores changed. */
static void add_of_cores(struct work *w, const struct stretch *s, const struct cb_step *step)
{
    const double before = cb_stats_of(&s->speeds[step->at - step->before], step->before).median;
    const double after = cb_stats_of(&s->speeds[step->at], step->after).median;
    char percent[32], why[96];
    cb_compare_percent(percent, sizeof percent, after / before - 1);
    snprintf(why, sizeof why, "explained by the speed of the cores (%s)", percent);
    struct cb_history_change *c = add_step(w, s, step);
    if (c) {
        c->kind = CB_HISTORY_CORES;
        c->p = NAN;
        c->why = strdup(why);
    }
    w->no_memory = w->no_memory || !c || !c->why;
}

/* ---- Stretches ------------------------------------------------------------------------------- */

/* What the speed of the cores made of the values is taken out, if all tell it. */
static void adjust(struct work *w, struct stretch *s)
{
    for (int i = 0; i < s->n; i++) {
        s->values[i] = s->measured[i] = s->series->values[s->places[i]].value;
        s->speeds[i] = s->series->values[s->places[i]].speed;
    }
    if (!cb_series_without_speed(s->values, s->speeds, (size_t)s->n, s->series->m->better,
                                 &w->rules->points))
        w->no_memory = true;
}

/* Whether one of the steps is that of a value, as far as a step's place is known (steps.h). */
static bool is_told_at(const struct cb_step *steps, long n, size_t at, size_t least)
{
    for (long i = 0; i < n; i++)
        if (fabs((double)steps[i].at - (double)at) < 2 * (double)least)
            return true;
    return false;
}

/* Adds the steps of what was measured that are none without the speed of the cores. There are n
 * others. They are no findings, so that their p are corrected by themselves (Bonferroni). */
static void add_explained(struct work *w, const struct stretch *s, const struct cb_step *others,
                          long n)
{
    const struct cb_change_rules *rules = &w->rules->points;
    struct cb_claims none = {0};
    struct cb_step *steps = malloc((size_t)s->n * sizeof *steps);
    const long found = steps ? cb_steps_find(s->measured, (size_t)s->n,
                                             s->series->m->better == CB_LOWER, rules, &none, steps)
                             : -1;
    w->no_memory = w->no_memory || found < 0;
    for (long i = 0; i < found; i++)
        if (steps[i].p * w->out->series.n_judged < rules->alpha &&
            !is_told_at(others, n, steps[i].at, rules->least))
            add_of_cores(w, s, &steps[i]);
    free(steps);
}

/* Which values of a stretch are of runs that an acceptance names; the caller's to free. */
static struct cb_claims claims_of(struct work *w, const struct stretch *s)
{
    const struct cb_accepted *all = w->rules->accepted;
    struct cb_claims claims = {0};
    for (int i = 0; all && i < all->n; i++) {
        struct cb_acceptance *a = &all->items[i];
        const size_t before = claims.n;
        for (int k = 0; a->is_of_a_run && cb_acceptance_names(a, s->series) && k < s->n; k++) {
            if (!a->of_run[s->series->values[s->places[k]].run])
                continue;
            struct cb_claim *items = realloc(claims.items, (claims.n + 1) * sizeof *items);
            if (items) {
                claims.items = items;
                claims.items[claims.n++] = (struct cb_claim){a, (size_t)k};
            }
            w->no_memory = w->no_memory || !items;
        }
        a->series += claims.n > before;
    }
    return claims;
}

static void judge(struct work *w, struct stretch *s)
{
    struct cb_step *steps = malloc((size_t)s->n * sizeof *steps);
    struct cb_claims claims = claims_of(w, s);
    adjust(w, s);
    const long n = steps ? cb_steps_find(s->values, (size_t)s->n, s->series->m->better == CB_LOWER,
                                         &w->rules->points, &claims, steps)
                         : -1;
    w->no_memory = w->no_memory || n < 0;
    for (long i = 0; i < n; i++)
        add_step(w, s, &steps[i]);
    if (n >= 0 && memcmp(s->values, s->measured, (size_t)s->n * sizeof *s->values) != 0)
        add_explained(w, s, steps, n);
    free(claims.items);
    free(steps);
}

/* Judges the values of one environment. s has room for all of the series. */
static void judge_environment(struct work *w, struct stretch *s, int environment)
{
    s->n = 0;
    for (int i = 0; i < s->series->n; i++)
        if (s->series->values[i].environment == environment)
            s->places[s->n++] = i;
    if (environment > 0)
        add_environment(w, s->series, s->places[0]);
    judge(w, s);
}

static void judge_series(struct work *w, struct cb_case_series *series)
{
    const size_t n = (size_t)series->n;
    struct stretch s = {.series = series,
                        .places = malloc(n * sizeof *s.places),
                        .values = malloc(n * sizeof *s.values),
                        .measured = malloc(n * sizeof *s.measured),
                        .speeds = malloc(n * sizeof *s.speeds)};
    w->no_memory = w->no_memory || !s.places || !s.values || !s.measured || !s.speeds;
    cb_series_find_environments(w->out->series.runs, series);
    for (int i = 0; i < series->n_environments && !w->no_memory; i++)
        judge_environment(w, &s, i);
    free(s.places);
    free(s.values);
    free(s.measured);
    free(s.speeds);
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* A case is told once, whatever metrics it has. */
static bool is_told(const struct cb_history *h, const struct cb_case_series *s)
{
    for (int i = h->n; i-- > 0 && h->changes[i].kind == CB_HISTORY_FAILED;)
        if (strcmp(h->changes[i].series->c->id, s->c->id) == 0 &&
            strcmp(h->changes[i].series->c->device, s->c->device) == 0)
            return true;
    return false;
}

static void add_failures(struct work *w)
{
    const struct cb_all_series *all = &w->out->series;
    bool any = false;
    for (int run = 0; run < all->n_runs && !any; run++)
        any = cb_stored_run_failures(&all->runs[run]) != NULL;
    for (int i = 0; i < all->n && any && !w->no_memory; i++) {
        const struct cb_case_series *s = &all->items[i];
        struct cb_failing f;
        if (is_told(w->out, s) ||
            !cb_case_fails(all->runs, all->n_runs, s->c, (int)w->rules->points.least, &f))
            continue;
        struct cb_history_change *c = add(w, (struct cb_history_change){.kind = CB_HISTORY_FAILED,
                                                                        .series = s,
                                                                        .run = f.since,
                                                                        .run_before = f.last_ok,
                                                                        .at = s->n - 1,
                                                                        .last = s->n - 1,
                                                                        .p = NAN,
                                                                        .from = NAN,
                                                                        .to = NAN,
                                                                        .change = {NAN, NAN, NAN}});
        if (c && !(c->why = strdup(f.why)))
            w->no_memory = true;
    }
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Corrects p, each series without a point being a test as well, and drops what is not significant
 * any more. */
static bool correct(struct work *w)
{
    struct cb_history *h = w->out;
    const size_t tests = (size_t)h->series.n + (size_t)h->n;
    double *p = malloc(tests * sizeof *p);
    size_t n = 0;
    int kept = 0;
    if (!p)
        return false;
    for (int i = 0; i < h->n; i++)
        if (!isnan(h->changes[i].p))
            p[n++] = h->changes[i].p;
    while (n < (size_t)h->series.n_judged)
        p[n++] = 1;
    const bool done = cb_adjust_p(p, n) == 0;
    n = 0;
    for (int i = 0; i < h->n && done; i++) {
        if (!isnan(h->changes[i].p))
            h->changes[i].p = p[n++];
        if (isnan(h->changes[i].p) ||
            h->changes[i].kind == CB_HISTORY_ACCEPTED || /* it was significant once */
            h->changes[i].p < w->rules->points.alpha)
            h->changes[kept++] = h->changes[i];
    }
    h->n = done ? kept : h->n;
    free(p);
    return done;
}

static int by_run_and_size(const void *a, const void *b)
{
    const struct cb_history_change *x = a, *y = b;
    const int run = x->run - y->run;
    const double size_x = isnan(x->change.estimate) ? INFINITY : fabs(log1p(x->change.estimate));
    const double size_y = isnan(y->change.estimate) ? INFINITY : fabs(log1p(y->change.estimate));
    return run != 0 ? run : (size_x < size_y) - (size_x > size_y);
}

enum cb_status cb_history_find(const struct cb_stored_run *runs, int n,
                               const struct cb_history_rules *rules, struct cb_history *out,
                               struct cb_err *err)
{
    struct work w = {.rules = rules, .out = out};
    *out = (struct cb_history){.accepted = rules->accepted};
    if (rules->accepted && cb_accepted_bind(rules->accepted, runs, n, err) != CB_OK)
        return err->status;
    if (cb_all_series_make(runs, n, &rules->choice, &out->series, err) != CB_OK)
        return err->status;
    for (int i = 0; i < out->series.n_judged && !w.no_memory; i++)
        judge_series(&w, &out->series.items[i]);
    add_failures(&w);
    if (w.no_memory || !correct(&w))
        return cb_no_memory(err);
    if (out->n > 0)
        qsort(out->changes, (size_t)out->n, sizeof *out->changes, by_run_and_size);
    if (rules->accepted)
        cb_accepted_review(rules->accepted, !cb_compare_chooses(&rules->choice));
    for (int i = 0; i < n; i++) {
        const int disturbed = cb_stored_run_disturbed(&runs[i]);
        out->disturbed_cases += disturbed;
        out->disturbed_runs += disturbed > 0;
    }
    for (int i = 0; i < out->n; i++) {
        const struct cb_history_change *c = &out->changes[i];
        out->of[c->kind]++;
        out->recent_worse += (c->kind == CB_HISTORY_WORSE || c->kind == CB_HISTORY_FAILED) &&
                             c->run >= n - rules->recent;
    }
    return CB_OK;
}

void cb_history_free(struct cb_history *h)
{
    for (int i = 0; i < h->n; i++)
        free(h->changes[i].why);
    free(h->changes);
    cb_all_series_free(&h->series);
    *h = (struct cb_history){0};
}
