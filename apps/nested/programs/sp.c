/* SPDX-License-Identifier: Apache-2.0
 *
 * Survey propagation on clauses (sp.cl), until surveys come to rest.
 */
#include <math.h>
#include <stdio.h>

#include "apps/nested/programs/programs.h"
#include "apps/nested/programs/sp_abi.h"
#include "apps/nested/programs/sp_input.h"
#include "apps/nested/programs/sp_reference.h"

/* ---- The input ------------------------------------------------------------------------------- */

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

static uint32_t words_of(uint32_t all, uint32_t n, uint32_t variables)
{
    (void)n, (void)variables;
    return 2 * all + 1;
}

static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    if (cb_sp_input(size, input, words_of, d, err) != CB_OK)
        return err->status;
    enum cb_status status = propagate(d, err);
    return status != CB_OK && input ? cb_context(err, "%s", input) : status;
}

/* ---- The check ------------------------------------------------------------------------------- */

static bool refuse(char why[CB_NEST_WHY], const char *what, double value)
{
    snprintf(why, CB_NEST_WHY, "%s %g", what, value);
    return false;
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
        if (s->least_before < SP_CRITERION - CB_SURVEYS_TOLERANCE)
            return refuse(why, "laps went on after a largest change of", s->least_before);
        if (s->change > SP_CRITERION + CB_SURVEYS_TOLERANCE)
            return refuse(why, "laps ended after a largest change of", s->change);
    }
    return cb_surveys_check(s, found, CB_SURVEYS_TOLERANCE, why);
}

/* Whether the surveys that were found are a fixed point: in one lap more they change no more than
 * the reference's do, or than the criterion. */
static bool check_rest(struct cb_surveys *s, const uint32_t *found, char why[CB_NEST_WHY])
{
    const double most =
        fmax(SP_CRITERION, cb_nest_float(s->data->expected[s->data->begins[s->data->parents] + 1]));
    cb_surveys_set(s, found);
    cb_surveys_follow(s, -1, 1);
    return s->change <= most + CB_SURVEYS_TOLERANCE ||
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
