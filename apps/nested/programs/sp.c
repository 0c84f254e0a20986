/* SPDX-License-Identifier: Apache-2.0
 *
 * Survey propagation on clauses (sp.cl). Without a file: random ones of three variables.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/nested/programs/clauses.h"
#include "apps/nested/programs/programs.h"
#include "apps/nested/programs/sp_abi.h"
#include "apps/nested/programs/sp_reference.h"
#include "measure/random.h"

#define SEED 18 /* seed of inputs whose surveys come to rest, and soon */

/* By how much surveys and their changes may be off: kernels compute in single precision, and before
 * surveys come to rest, laps make roundings larger. */
#define TOLERANCE 1e-3

/* ---- The arrays ------------------------------------------------------------------------------ */

/* Each variable's occurrences, in the order of clauses. */
static void number_occurrences(struct cb_nest_data *d, const struct cb_clauses *c, uint32_t all)
{
    uint32_t *begins = d->others + all, *of_clauses = begins + c->n + 1;
    for (uint32_t i = 0; i < all; i++)
        d->begins[(c->literals[i] >> 1) + 1]++;
    for (uint32_t v = 0; v < d->parents; v++)
        d->begins[v + 1] += d->begins[v];
    for (uint32_t k = 0; k < c->n; k++)
        for (uint32_t i = begins[k] = c->begins[k]; i < c->begins[k + 1]; i++) {
            of_clauses[i] = d->begins[c->literals[i] >> 1]++;
            d->others[of_clauses[i]] = SP_OCCURRENCE(k, c->literals[i] & 1);
        }
    begins[c->n] = all;
    memmove(d->begins + 1, d->begins, d->parents * sizeof *d->begins);
    d->begins[0] = 0;
}

static enum cb_status fill(struct cb_nest_data *d, const struct cb_clauses *c, struct cb_err *err)
{
    const uint32_t all = c->n > 0 ? c->begins[c->n] : 0;
    struct cb_random random = {SEED};
    if (cb_nest_room(d, c->variables, 2 * (size_t)all + c->n + 1, 2 * (size_t)all + 1,
                     (size_t)all + 2, err) != CB_OK)
        return err->status;
    d->n = c->n;
    number_occurrences(d, c, all);
    for (uint32_t i = 0; i < all; i++)
        d->words[i] = cb_nest_bits((float)((double)(cb_random_next(&random) >> 40) / (1u << 24)));
    return CB_OK;
}

/* The surveys that have come to rest; after how many laps; the largest change of one lap more. */
static enum cb_status propagate(struct cb_nest_data *d, struct cb_err *err)
{
    struct cb_surveys s;
    const uint32_t all = d->begins[d->parents];
    enum cb_status status = CB_OK;
    if (!cb_surveys_begin(&s, d, d->words))
        status = cb_fail(err, CB_ERROR, "out of memory for surveys");
    else if (!cb_surveys_follow(&s, SP_CRITERION, SP_MOST_LAPS))
        status = cb_fail(err, CB_USAGE,
                         "survey propagation on these clauses does not come to rest in %u laps",
                         SP_MOST_LAPS);
    if (status == CB_OK) {
        for (uint32_t i = 0; i < all; i++)
            d->expected[i] = cb_nest_bits((float)s.surveys[i]);
        d->expected[all] = s.laps;
        cb_surveys_follow(&s, -1, s.laps + 1);
        d->expected[all + 1] = cb_nest_bits((float)s.change);
    }
    cb_surveys_end(&s);
    return status;
}

static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    struct cb_clauses c;
    enum cb_status status = input ? cb_clauses_load(input, &c, err)
                                  : cb_clauses_draw(size->parents, size->items, SEED, &c, err);
    if (status == CB_OK)
        status = fill(d, &c, err);
    cb_clauses_free(&c);
    if (status != CB_OK)
        return status;
    status = propagate(d, err);
    return status != CB_OK && input ? cb_context(err, "%s", input) : status;
}

/* ---- The check ------------------------------------------------------------------------------- */

static bool refuse(char why[CB_NEST_WHY], const char *what, double value)
{
    snprintf(why, CB_NEST_WHY, "%s %g", what, value);
    return false;
}

/* Whether each of n surveys is as the reference's. */
static bool check_surveys(const uint32_t *found, const double *surveys, uint32_t n,
                          char why[CB_NEST_WHY])
{
    for (uint32_t i = 0; i < n; i++)
        if (!(fabs(cb_nest_float(found[i]) - surveys[i]) <= TOLERANCE)) {
            snprintf(why, CB_NEST_WHY, "survey %u is %g instead of %g", i, cb_nest_float(found[i]),
                     surveys[i]);
            return false;
        }
    return true;
}

/* Whether that many laps end by the criterion, give or take a rounding, with these surveys. The
 * reference is at what it expects; where a rounding has changed the number of laps, it begins
 * anew. */
static bool check_laps(struct cb_surveys *s, uint32_t laps, const uint32_t *found,
                       char why[CB_NEST_WHY])
{
    const uint32_t all = s->data->begins[s->data->parents];
    if (laps == 0 || laps > SP_MOST_LAPS)
        return refuse(why, "no rest; laps:", laps);
    if (laps != s->data->expected[all]) {
        cb_surveys_set(s, s->data->words);
        cb_surveys_follow(s, -1, laps);
        if (s->least_before < SP_CRITERION - TOLERANCE)
            return refuse(why, "laps went on after a largest change of", s->least_before);
        if (s->change > SP_CRITERION + TOLERANCE)
            return refuse(why, "laps ended after a largest change of", s->change);
    }
    return check_surveys(found, s->surveys, all, why);
}

/* Whether the surveys that were found are a fixed point: in one lap more they change no more than
 * the reference's do, or than the criterion. */
static bool check_rest(struct cb_surveys *s, const uint32_t *found, char why[CB_NEST_WHY])
{
    const double most =
        fmax(SP_CRITERION, cb_nest_float(s->data->expected[s->data->begins[s->data->parents] + 1]));
    cb_surveys_set(s, found);
    cb_surveys_follow(s, -1, 1);
    return s->change <= most + TOLERANCE ||
           refuse(why, "one lap more changes a survey by", s->change);
}

static bool check(const struct cb_nest_data *d, const uint32_t *found, char why[CB_NEST_WHY])
{
    struct cb_surveys s;
    bool right = cb_surveys_begin(&s, d, d->expected);
    if (!right)
        snprintf(why, CB_NEST_WHY, "out of memory for surveys");
    right = right && check_laps(&s, found[2 * (size_t)d->begins[d->parents]], found, why) &&
            check_rest(&s, found, why);
    cb_surveys_end(&s);
    return right;
}

const struct cb_nest_program cb_nest_sp = {
    .id = "sp",
    .kernel = "apps/nested/programs/sp.cl",
    .parent_size = 384,
    .child_size = 64,
    .phases = 2,
    .launching = 1,
    .has_laps = true,
    .same_rounds = true,
    .sizes = {{200, 840}, {1000, 4200}, {10000, 42000}},
    .takes = "clauses",
    .make = make,
    .check = check,
};
