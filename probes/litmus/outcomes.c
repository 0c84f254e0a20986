/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/outcomes.h"

#include <limits.h>
#include <math.h>

#include "measure/text/json.h"

struct cb_litmus_tally cb_litmus_tally_of(const cJSON *row)
{
    struct cb_litmus_tally tally = {
        cb_json_metric(row, "instances", "mean") * cb_json_metric(row, "instances", "n"),
        cb_json_metric(row, "weak", "mean") * cb_json_metric(row, "weak", "n")};
    tally.weak = round(tally.weak); /* a mean has lost some digits */
    tally.instances = round(tally.instances);
    return tally;
}

bool cb_litmus_has_launches(const cJSON *row)
{
    return !isnan(cb_json_metric(row, "weak_launches", "mean"));
}

/* The least number of n samples that are not 0, by their statistics: all, if the least is not; else
 * the largest, and as many others as a sum of squares needs for their sum (Cauchy and Schwarz). */
static double weak_samples(const cJSON *row, double n)
{
    const double mean = cb_json_metric(row, "weak", "mean"),
                 max = cb_json_metric(row, "weak", "max"),
                 stddev = n > 1 ? cb_json_metric(row, "weak", "stddev") : 0;
    if (cb_json_metric(row, "weak", "min") > 0)
        return n;
    const double others = round(mean * n - max),
                 squares = round(stddev * stddev * (n - 1) + mean * mean * n - max * max);
    return others == 0 ? max > 0 : 1 + ceil(others * others / squares);
}

struct cb_litmus_units cb_litmus_units_of(const cJSON *row, bool launches)
{
    const double n = cb_json_metric(row, "weak", "n");
    if (!launches)
        return (struct cb_litmus_units){n, weak_samples(row, n)};
    return (struct cb_litmus_units){round(cb_json_metric(row, "launches", "mean") * n),
                                    round(cb_json_metric(row, "weak_launches", "mean") * n)};
}

bool cb_litmus_form_of(const cJSON *row, struct cb_litmus_form *form)
{
    const int scope = cb_litmus_scope_named(cb_row_text(row, "scope"));
    *form = (struct cb_litmus_form){cb_litmus_test_named(cb_row_text(row, "test")),
                                    cb_litmus_order_named(cb_row_text(row, "ordering")),
                                    (enum cb_litmus_scope)scope, false};
    if (!form->test || form->order < 0 || scope < 0)
        return false;
    form->allowed = cb_litmus_allows(form->test, form->order, form->scope);
    return true;
}

/* ---- Turns ----------------------------------------------------------------------------------- */

struct cb_litmus_turns cb_litmus_turns_of(const cJSON *row)
{
    struct cb_litmus_outcome outcomes[CB_LITMUS_OUTCOMES];
    struct cb_litmus_turns turns = {.all = 0};
    struct cb_litmus_form form;
    const double bits = cb_json_metric(row, "outcomes", "max");
    unsigned first = 0;
    if (!(bits >= 0 && bits <= UINT_MAX) || !cb_litmus_form_of(row, &form))
        return turns;
    const unsigned n =
        cb_litmus_outcomes(CB_LITMUS_C11, form.test, form.order, form.scope, outcomes);
    for (unsigned i = 0; i < n; i++) {
        const bool came = (unsigned)bits >> i & 1;
        if (!outcomes[i].sequential)
            continue;
        turns.all++;
        turns.came += came;
        if (came)
            first |= outcomes[i].first;
        else
            turns.behind |= outcomes[i].first;
        if (!came && !turns.never[0])
            cb_litmus_outcome_text(form.test, outcomes[i].digits, turns.never);
    }
    turns.behind &= ~first;
    return turns;
}

bool cb_litmus_lacks_turns(const cJSON *row)
{
    const struct cb_litmus_turns turns = cb_litmus_turns_of(row);
    return turns.came < turns.all;
}

/* ---- Mutants --------------------------------------------------------------------------------- */

/* The next ok row after one, NULL at first, that is a mutant of the row. */
static const cJSON *next_mutant(const cJSON *run, const cJSON *row, const cJSON *after)
{
    struct cb_rows rows = {
        .run = run, .bench = "litmus", .device = cb_json_text(row, "device", ""), .ok = true};
    struct cb_litmus_form of, form;
    cb_rows_like(&rows, row, "test");
    cb_rows_like(&rows, row, "scope");
    if (!cb_litmus_form_of(row, &of))
        return NULL;
    while ((after = cb_rows_next(&rows, after)))
        if (cb_litmus_form_of(after, &form) &&
            cb_litmus_is_mutant_of(of.test, form.order, of.order, of.scope))
            return after;
    return NULL;
}

bool cb_litmus_has_mutant(const cJSON *run, const cJSON *row)
{
    return next_mutant(run, row, NULL) != NULL;
}

double cb_litmus_missed_by(const cJSON *run, const cJSON *row)
{
    const cJSON *mutant = next_mutant(run, row, NULL);
    double worst = mutant && !cb_litmus_lacks_turns(row) ? 0 : NAN;
    for (; mutant && !isnan(worst); mutant = next_mutant(run, row, mutant)) {
        const bool launches = cb_litmus_has_launches(row) && cb_litmus_has_launches(mutant);
        const double missed = cb_litmus_missed(cb_litmus_units_of(mutant, launches),
                                               cb_litmus_units_of(row, launches).all);
        worst = isnan(missed) ? NAN : fmax(worst, missed);
    }
    return worst;
}

struct cb_litmus_score cb_litmus_score_of(const cJSON *run, const char *device)
{
    struct cb_litmus_score score = {0, 0, 0, NULL, 0};
    struct cb_rows rows = {.run = run, .bench = "litmus", .device = device, .ok = true};
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        struct cb_litmus_form form;
        const double missed = cb_litmus_missed_by(run, row);
        if (missed > score.missed || (!score.worst && !isnan(missed))) {
            score.worst = row;
            score.missed = missed;
        }
        if (!cb_litmus_form_of(row, &form) ||
            !cb_litmus_is_mutant(form.test, form.order, form.scope))
            continue;
        score.mutants++;
        const struct cb_litmus_units units = cb_litmus_units_of(row, cb_litmus_has_launches(row));
        score.seen += cb_litmus_tally_of(row).weak > 0;
        score.sure += cb_litmus_missed(units, units.all) <= CB_LITMUS_UNLIKELY;
    }
    return score;
}
