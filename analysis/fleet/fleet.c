/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/fleet/fleet.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/compare/many_tests.h"
#include "analysis/fleet/series.h"

/* Devices of a kind, and their values, are taken to differ by this part of the threshold at least:
 * those that agree by chance, or by the steps of a clock, make no outlier of the next one. */
#define LEAST_SPREAD 0.1

/* Values and devices are tested apart, each with half of alpha. */
#define FAMILIES 2

const struct cb_fleet_rules cb_fleet_rules = {.alpha = 0.01, .threshold = 0.03};

const char *cb_fleet_verdict_name(enum cb_fleet_verdict verdict)
{
    static const char *const names[] = {[CB_FLEET_SLOW] = "slow",
                                        [CB_FLEET_SLOW_CASES] = "slow in cases",
                                        [CB_FLEET_FAST] = "fast",
                                        [CB_FLEET_ALIKE] = "alike",
                                        [CB_FLEET_UNTESTED] = "untested"};
    return names[verdict];
}

bool cb_fleet_is_slow(const struct cb_fleet *f, int device)
{
    return f->judgements[device].verdict <= CB_FLEET_SLOW_CASES;
}

/* What is judged together: distances of devices, their errors, and what comes out. */
struct sample {
    double *distances, *errors;
    struct cb_outlier *found;
    int *devices;
    int n;
};

static bool sample_open(struct sample *s, int room)
{
    const size_t n = (size_t)room + 1;
    *s = (struct sample){calloc(n, sizeof *s->distances), calloc(n, sizeof *s->errors),
                         calloc(n, sizeof *s->found), calloc(n, sizeof *s->devices), 0};
    return s->distances && s->errors && s->found && s->devices;
}

static void sample_close(struct sample *s)
{
    free(s->distances);
    free(s->errors);
    free(s->found);
    free(s->devices);
}

/* Adjusts n p together. False: no memory. */
static bool adjust(double *p, int n)
{
    if (cb_adjust_p_holm(p, (size_t)n) != 0)
        return false;
    for (int i = 0; i < n; i++)
        p[i] = fmin(1, FAMILIES * p[i]);
    return true;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* A median of 0 has no distance that is relative. */
static bool is_tested(const struct cb_fleet_series *s)
{
    return s->n >= CB_OUTLIERS_LEAST && s->median != 0;
}

static bool judge_series(struct cb_fleet_series *s, double threshold)
{
    struct sample sample;
    bool done = sample_open(&sample, s->n);
    for (int i = 0; i < s->n && done; i++) {
        sample.distances[i] = cb_fleet_distance(s, s->values[i].value);
        sample.errors[i] = cb_fleet_error(s, s->values[i].m);
    }
    done = done && cb_outliers_find(sample.distances, sample.errors, (size_t)s->n,
                                    LEAST_SPREAD * log1p(threshold), sample.found);
    for (int i = 0; i < s->n && done; i++) {
        s->values[i].z = sample.found[i].z;
        s->values[i].p = sample.found[i].p;
    }
    sample_close(&sample);
    return done;
}

/* Replaces the p of all tested values by adjusted ones. */
static bool adjust_values(struct cb_fleet *f)
{
    double *p = calloc((size_t)f->tests + 1, sizeof *p);
    int n = 0;
    bool done = p != NULL;
    for (int i = 0; i < f->n_series && done; i++)
        for (int k = 0; k < f->series[i].n && is_tested(&f->series[i]); k++)
            p[n++] = f->series[i].values[k].p;
    done = done && adjust(p, n);
    n = 0;
    for (int i = 0; i < f->n_series && done; i++)
        for (int k = 0; k < f->series[i].n && is_tested(&f->series[i]); k++)
            f->series[i].values[k].p = p[n++];
    free(p);
    return done;
}

/* As far off, either way: a ratio of 1.05 is as far as 1 / 1.05. */
static bool counts(double loss, double threshold)
{
    return loss >= threshold || loss <= -threshold / (1 + threshold);
}

static bool judge_values(struct cb_fleet *f, const struct cb_fleet_rules *rules)
{
    for (int i = 0; i < f->n_series; i++) {
        struct cb_fleet_series *s = &f->series[i];
        if (s->median != 0 && !judge_series(s, rules->threshold))
            return false;
        f->tests += is_tested(s) ? s->n : 0;
    }
    if (!adjust_values(f))
        return false;
    for (int i = 0; i < f->n_series; i++)
        for (int k = 0; k < f->series[i].n; k++) {
            struct cb_fleet_value *v = &f->series[i].values[k];
            struct cb_fleet_judgement *j = &f->judgements[v->device];
            v->outlier = v->p < rules->alpha && counts(v->loss, rules->threshold);
            j->slow += v->outlier && v->loss > 0;
            j->fast += v->outlier && v->loss < 0;
            j->series++;
        }
    return true;
}

/* ---- Devices --------------------------------------------------------------------------------- */

/* The median distance of a device over the ratios of its series, with its standard error if the
 * series are independent. False: no memory. */
static bool median_distance(const struct cb_fleet *f, int device, double *median, double *error)
{
    double *distances = calloc((size_t)f->n_series + 1, sizeof *distances);
    int n = 0;
    if (!distances)
        return false;
    for (int i = 0; i < f->n_series; i++) {
        const struct cb_fleet_series *s = &f->series[i];
        for (int k = 0; k < s->n && s->ratios && s->n > 1; k++)
            if (s->values[k].device == device)
                distances[n++] = cb_fleet_distance(s, s->values[k].value);
    }
    *median = *error = NAN;
    if (n > 0) {
        const struct cb_stats of = cb_stats_of(distances, (size_t)n);
        *median = of.median;
        *error = cb_fleet_median_error(&of);
    }
    free(distances);
    return true;
}

/* A device with less than half of the series is no measure for the others, nor they for it. */
static bool has_enough(const struct cb_fleet_judgement *j)
{
    return 2 * j->series >= j->of && isfinite(j->loss);
}

static bool judge_kind(struct cb_fleet *f, int kind, double threshold)
{
    struct sample s;
    bool done = sample_open(&s, f->devices.n);
    for (int i = 0; i < f->devices.n && done; i++) {
        struct cb_fleet_judgement *j = &f->judgements[i];
        if (f->devices.items[i].kind != kind)
            continue;
        done = median_distance(f, i, &s.distances[s.n], &s.errors[s.n]);
        j->loss = expm1(s.distances[s.n]);
        j->z = j->p = NAN;
        s.devices[s.n] = i;
        s.n += has_enough(j);
    }
    done = done && cb_outliers_find(s.distances, s.errors, (size_t)s.n,
                                    LEAST_SPREAD * log1p(threshold), s.found);
    for (int i = 0; i < s.n && done; i++) {
        f->judgements[s.devices[i]].z = s.found[i].z;
        f->judgements[s.devices[i]].p = s.found[i].p;
    }
    sample_close(&s);
    return done;
}

static bool adjust_devices(struct cb_fleet *f)
{
    double *p = calloc((size_t)f->devices.n + 1, sizeof *p);
    int n = 0;
    bool done = p != NULL;
    for (int i = 0; i < f->devices.n && done; i++)
        if (!isnan(f->judgements[i].p))
            p[n++] = f->judgements[i].p;
    done = done && adjust(p, n);
    n = 0;
    for (int i = 0; i < f->devices.n && done; i++)
        if (!isnan(f->judgements[i].p))
            f->judgements[i].p = p[n++];
    free(p);
    return done;
}

static enum cb_fleet_verdict verdict_of(const struct cb_fleet_judgement *j,
                                        const struct cb_fleet_rules *rules, bool tested)
{
    const bool strays = j->p < rules->alpha && counts(j->loss, rules->threshold);
    if (strays && j->loss > 0)
        return CB_FLEET_SLOW;
    if (j->slow > 0)
        return CB_FLEET_SLOW_CASES;
    if (strays)
        return CB_FLEET_FAST;
    return isnan(j->p) || !tested ? CB_FLEET_UNTESTED : CB_FLEET_ALIKE;
}

static void count_cases(struct cb_fleet *f)
{
    for (int i = 0; i < f->devices.n; i++)
        for (int k = 0; k < f->n_series; k++)
            f->judgements[i].of += f->series[k].kind == f->devices.items[i].kind;
    for (int i = 0; i < f->devices.n_cases; i++) {
        const struct cb_fleet_case *c = &f->devices.cases[i];
        f->judgements[c->device].failed += !cb_run_case_ok(c->c) && !c->c->disturbed;
        f->judgements[c->device].disturbed += c->c->disturbed;
        f->judgements[c->device].other += c->other;
    }
}

static bool judge_devices(struct cb_fleet *f, const struct cb_fleet_rules *rules)
{
    bool done = true;
    for (int kind = 0; kind < f->devices.n_kinds && done; kind++)
        done = judge_kind(f, kind, rules->threshold);
    done = done && adjust_devices(f);
    for (int i = 0; i < f->devices.n && done; i++) {
        struct cb_fleet_judgement *j = &f->judgements[i];
        j->verdict = verdict_of(j, rules, f->tests > 0);
        f->of[j->verdict]++;
    }
    return done;
}

/* ---- All ------------------------------------------------------------------------------------- */

static bool comes_before(const struct cb_fleet *f, int a, int b)
{
    const struct cb_fleet_judgement *x = &f->judgements[a], *y = &f->judgements[b];
    if (x->verdict != y->verdict)
        return x->verdict < y->verdict;
    if (x->slow != y->slow)
        return x->slow > y->slow;
    return x->loss > y->loss;
}

static bool sort_devices(struct cb_fleet *f)
{
    f->order = calloc((size_t)f->devices.n + 1, sizeof *f->order);
    for (int i = 0; f->order && i < f->devices.n; i++) {
        int k = i;
        for (; k > 0 && comes_before(f, i, f->order[k - 1]); k--)
            f->order[k] = f->order[k - 1];
        f->order[k] = i;
    }
    return f->order != NULL;
}

enum cb_status cb_fleet_find(const struct cb_run_table *runs, int n,
                             const struct cb_fleet_rules *rules, struct cb_fleet *out,
                             struct cb_err *err)
{
    *out = (struct cb_fleet){0};
    if (cb_fleet_devices_make(runs, n, &rules->choice, &out->devices, err) != CB_OK ||
        cb_fleet_series_make(out, &rules->choice, err) != CB_OK)
        return err->status;
    out->judgements = calloc((size_t)out->devices.n + 1, sizeof *out->judgements);
    bool done = out->judgements != NULL;
    if (done)
        count_cases(out);
    done = done && judge_values(out, rules) && judge_devices(out, rules) && sort_devices(out);
    return done ? CB_OK : cb_no_memory(err);
}

void cb_fleet_free(struct cb_fleet *f)
{
    cb_fleet_series_free(f);
    cb_fleet_devices_free(&f->devices);
    free(f->judgements);
    free(f->order);
    *f = (struct cb_fleet){0};
}
