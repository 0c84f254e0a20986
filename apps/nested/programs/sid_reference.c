/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/nested/programs/sid_reference.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/nested/programs/sid_abi.h"
#include "apps/nested/programs/sp_reference.h"

/* A run and the words that it finds, as far as the reference has followed it. */
struct run {
    struct cb_surveys s;
    const struct cb_nest_data *d;
    const uint32_t *found, *fixed, *log; /* parts of the words found */
    uint32_t all, lap;
    uint32_t *left;       /* of each clause, as in sid_abi.h */
    uint32_t decimations; /* number of those that have fixed a variable */
    uint32_t contradictions, n_fixed;
    double tolerance;
    char *why; /* empty until something is wrong */
};

/* Returns false. */
static bool refuse(const struct run *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(r->why, CB_NEST_WHY, format, args);
    va_end(args);
    return false;
}

static bool begin(struct run *r, const struct cb_nest_data *d, const uint32_t *found)
{
    const uint32_t all = d->begins[d->parents];
    r->d = d;
    r->all = all;
    r->found = found;
    r->fixed = found + sid_fixed(all, d->n);
    r->log = found + sid_log(all, d->n, d->parents);
    r->left = malloc((d->n + (size_t)1) * sizeof *r->left);
    if (!cb_surveys_begin(&r->s, d, d->words) || !r->left)
        return refuse(r, "out of memory for surveys");
    memcpy(r->left, d->words + sid_left(all), d->n * sizeof *r->left);
    return true;
}

static void end(struct run *r)
{
    cb_surveys_end(&r->s);
    free(r->left);
}

/* ---- A lap ----------------------------------------------------------------------------------- */

static bool decimates(const struct run *r)
{
    return r->lap > 0 && r->log[r->lap - 1] == SID_AT_REST;
}

static bool is_fixed_now(const struct run *r, uint32_t variable)
{
    return r->fixed[variable] != SID_FREE && SID_LAP(r->fixed[variable]) == r->lap;
}

static bool was_free(const struct run *r, uint32_t variable)
{
    return r->fixed[variable] == SID_FREE || SID_LAP(r->fixed[variable]) >= r->lap;
}

static void propagate(struct run *r)
{
    cb_surveys_follow(&r->s, -1, r->s.laps + 1);
}

static void fix(struct run *r, uint32_t variable)
{
    const bool is_false = SID_IS_FALSE(r->fixed[variable]);
    cb_surveys_fix(&r->s, variable, is_false);
    for (uint32_t o = r->d->begins[variable]; o < r->d->begins[variable + 1]; o++)
        if (SP_NEGATED(r->d->others[o]) != is_false)
            r->contradictions += --r->left[SP_CLAUSE(r->d->others[o])] == 0;
    r->n_fixed++;
}

/* Fixes what this lap does. */
static void decimate(struct run *r)
{
    const uint32_t before = r->n_fixed;
    for (uint32_t v = 0; v < r->d->parents; v++)
        if (is_fixed_now(r, v))
            fix(r, v);
    r->decimations += r->n_fixed > before;
}

/* Whether another lap has to follow; before: variables that were fixed before this one. */
static bool goes_on(const struct run *r, uint32_t before)
{
    if (r->lap + 1 == SID_MOST_LAPS)
        return false;
    return decimates(r) ? r->n_fixed > before
                        : r->contradictions == 0 && r->n_fixed < r->d->parents;
}

/* ---- The check ------------------------------------------------------------------------------- */

static bool check_rest(const struct run *r)
{
    const uint32_t log = r->log[r->lap];
    const double change = r->s.change;
    if (log != SID_AT_REST && log != SID_CHANGES)
        return refuse(r, "lap %u propagates, but %u is its log", r->lap, log);
    if (log == SID_AT_REST && change > SP_CRITERION + r->tolerance)
        return refuse(r, "lap %u is at rest after a largest change of %g", r->lap, change);
    return log == SID_AT_REST || change >= SP_CRITERION - r->tolerance ||
           refuse(r, "lap %u is not at rest after a largest change of %g", r->lap, change);
}

/* The bias of a variable that was free, and whether it is known: one that is all but forced to be
 * both has a bias of roundings. */
#define LEAST_WEIGHT 1e-3
static double find_bias(const struct run *r, uint32_t variable, bool *is_known)
{
    double weight;
    const double bias = cb_surveys_bias(&r->s, variable, &weight);
    *is_known = weight >= LEAST_WEIGHT || weight < SP_LEAST;
    return bias;
}

/* The largest bias that was found may be that of a variable whose own is not known. */
static bool check_largest(const struct run *r)
{
    const double found = cb_nest_float(r->log[r->lap]);
    double largest = 0, most = 0;
    for (uint32_t v = 0; v < r->d->parents; v++) {
        bool is_known = true;
        const double bias = was_free(r, v) ? find_bias(r, v, &is_known) : 0;
        largest = fmax(largest, is_known ? fabs(bias) : 0);
        most = fmax(most, is_known ? fabs(bias) : 1);
    }
    return (found >= largest - r->tolerance && found <= most + r->tolerance) ||
           refuse(r, "lap %u: the largest bias is %g instead of %g", r->lap, found, largest);
}

/* What is wrong with a choice, or NULL. */
static const char *judge(const struct run *r, uint32_t variable, double bias)
{
    const double largest = cb_nest_float(r->log[r->lap]), share = SID_SHARE * largest;
    if (!is_fixed_now(r, variable))
        return largest >= SID_TRIVIAL && fabs(bias) > share + r->tolerance ? "is not fixed" : NULL;
    if (largest < SID_TRIVIAL || fabs(bias) < share - r->tolerance)
        return "is fixed";
    return fabs(bias) > r->tolerance && SID_IS_FALSE(r->fixed[variable]) != (bias < 0)
               ? "is fixed against its sign"
               : NULL;
}

/* Whether those are fixed whose bias is near the largest, to be what they are biased to. */
static bool check_choices(const struct run *r)
{
    for (uint32_t v = 0; v < r->d->parents; v++) {
        bool is_known = false;
        const double bias = was_free(r, v) ? find_bias(r, v, &is_known) : 0;
        const char *wrong = is_known ? judge(r, v, bias) : NULL;
        if (wrong)
            return refuse(r, "lap %u: variable %u %s, with a bias of %g and %g as the largest",
                          r->lap, v, wrong, bias, cb_nest_float(r->log[r->lap]));
    }
    return true;
}

/* The laps that were found, each of which is right, and none follows the last. */
static bool follow(struct run *r)
{
    const uint32_t laps = r->found[sid_laps(r->all)];
    bool on = true;
    if (laps > SID_MOST_LAPS)
        return refuse(r, "there are %u laps", laps);
    for (; r->lap < laps; r->lap++) {
        const uint32_t before = r->n_fixed;
        if (!on)
            return refuse(r, "lap %u follows the end", r->lap);
        if (decimates(r)) {
            if (!check_largest(r) || !check_choices(r))
                return false;
            decimate(r);
        } else {
            propagate(r);
            if (!check_rest(r))
                return false;
        }
        on = goes_on(r, before);
    }
    return !on || refuse(r, "ends after %u laps, too early", laps);
}

/* Whether no variable was fixed in a lap that does not decimate. */
static bool check_fixed(const struct run *r)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < r->d->parents; v++)
        n += r->fixed[v] != SID_FREE;
    return n == r->n_fixed ||
           refuse(r, "%u variables are fixed, but %u by decimation", n, r->n_fixed);
}

static bool check_clauses(const struct run *r)
{
    const uint32_t *left = r->found + sid_left(r->all);
    const uint32_t contradictions = r->found[sid_contradictions(r->all)];
    for (uint32_t c = 0; c < r->d->n; c++)
        if (left[c] != r->left[c])
            return refuse(r, "clause %u has %u literals left instead of %u", c, left[c],
                          r->left[c]);
    return contradictions == r->contradictions ||
           refuse(r, "%u clauses have no literal left instead of %u", contradictions,
                  r->contradictions);
}

/* Clauses that are not satisfied. */
static uint32_t count_clauses(const struct run *r)
{
    const uint32_t *begins = r->d->others + r->all, *occurrences = begins + r->d->n + 1;
    uint32_t n = r->contradictions;
    for (uint32_t c = 0; c < r->d->n; c++) {
        uint32_t i = begins[c];
        while (i < begins[c + 1] && r->s.gone[occurrences[i]])
            i++;
        n += i < begins[c + 1];
    }
    return n;
}

/* Says how the run has ended. */
static bool tell(const struct run *r)
{
    const uint32_t n = count_clauses(r);
    snprintf(r->why, CB_NEST_WHY,
             "decimations: %u; fixed: %u of %u variables; left: %u of %u clauses; %s",
             r->decimations, r->n_fixed, r->d->parents, n, r->d->n,
             r->contradictions > 0     ? "a contradiction"
             : n == 0                  ? "all are satisfied"
             : r->lap == SID_MOST_LAPS ? "surveys do not rest"
                                       : "no variable is biased");
    return true;
}

bool cb_sid_check(const struct cb_nest_data *data, const uint32_t *found, double tolerance,
                  char why[CB_NEST_WHY])
{
    struct run r = {.tolerance = tolerance, .why = why};
    const bool right = begin(&r, data, found) && follow(&r) && check_fixed(&r) &&
                       check_clauses(&r) && cb_surveys_check(&r.s, found, tolerance, why) &&
                       tell(&r);
    end(&r);
    return right;
}

/* ---- A run on the host ----------------------------------------------------------------------- */

/* Notes which variables are fixed in this lap, and the largest bias. */
static void choose(const struct run *r, uint32_t *fixed, uint32_t *log)
{
    double largest = 0, weight;
    for (uint32_t v = 0; v < r->d->parents; v++)
        if (was_free(r, v))
            largest = fmax(largest, fabs(cb_surveys_bias(&r->s, v, &weight)));
    for (uint32_t v = 0; v < r->d->parents && largest >= SID_TRIVIAL; v++) {
        const double bias = was_free(r, v) ? cb_surveys_bias(&r->s, v, &weight) : 0;
        if (was_free(r, v) && fabs(bias) >= SID_SHARE * largest)
            fixed[v] = SID_FIXED(r->lap, bias < 0);
    }
    log[r->lap] = cb_nest_bits((float)largest);
}

static void do_lap(struct run *r, uint32_t *fixed, uint32_t *log)
{
    if (decimates(r)) {
        choose(r, fixed, log);
        decimate(r);
    } else {
        propagate(r);
        log[r->lap] = r->s.change > SP_CRITERION ? SID_CHANGES : SID_AT_REST;
    }
}

/* What there is beside what do_lap() notes. */
static void note_end(const struct run *r, uint32_t *words)
{
    for (uint32_t i = 0; i < r->all; i++)
        words[i] = cb_nest_bits((float)r->s.surveys[i]);
    memcpy(words + sid_left(r->all), r->left, r->d->n * sizeof *r->left);
    words[sid_contradictions(r->all)] = r->contradictions;
    words[sid_laps(r->all)] = r->lap;
}

bool cb_sid_run(const struct cb_nest_data *data, uint32_t *words)
{
    char why[CB_NEST_WHY];
    struct run r = {.why = why};
    memcpy(words, data->words, data->n_words * sizeof *words);
    const bool begun = begin(&r, data, words);
    bool on = begun;
    r.s.coarse = true;
    for (; on; r.lap++) {
        const uint32_t before = r.n_fixed;
        do_lap(&r, words + (r.fixed - words), words + (r.log - words));
        on = goes_on(&r, before);
    }
    if (begun)
        note_end(&r, words);
    end(&r);
    return begun;
}
