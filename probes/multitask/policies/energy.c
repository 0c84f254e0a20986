/* SPDX-License-Identifier: Apache-2.0
 *
 * The fewest watts with which the first kernel keeps its rate: first as few workgroups for it as
 * keep the rate, by bisection, while the others have one each; then a compass search on the watts:
 * more and fewer workgroups for either, with steps that halve. Where the others slow the first
 * down, it gets as many more as it seems to need. All may together have fewer workgroups than there
 * are.
 */
#include "probes/multitask/policies/policy.h"

#include <math.h>

#define GAIN  0.99 /* share of the watts above which others count as the same */
#define PARTS 8    /* parts of the workgroups: the first step */

static void add_trial(struct cb_policy_memory *m, const struct cb_policy_view *view)
{
    unsigned others = 0;
    for (unsigned k = 1; k < view->n; k++)
        others += view->groups[k];
    m->trials[m->n_trials].first = view->groups[0];
    m->trials[m->n_trials].others = others;
    m->trials[m->n_trials].rates[0] = view->rates[0];
    m->trials[m->n_trials].watts = view->watts;
    m->trials[m->n_trials++].keeps_rate = view->rates[0] >= view->rate;
}

static bool was_tried(const struct cb_policy_memory *m, unsigned first, unsigned others)
{
    for (unsigned i = 0; i < m->n_trials; i++)
        if (m->trials[i].first == first && m->trials[i].others == others)
            return true;
    return false;
}

/* Among trials that keep the rate, the first that found clearly fewer watts than all before it, so
 * that noise does not lead the search. n_trials: none keeps it, or no watts were known. */
static unsigned best_trial(const struct cb_policy_memory *m)
{
    unsigned best = m->n_trials;
    for (unsigned i = 0; i < m->n_trials; i++)
        if (m->trials[i].keeps_rate && m->trials[i].watts > 0 &&
            (best == m->n_trials || m->trials[i].watts < GAIN * m->trials[best].watts))
            best = i;
    return best;
}

/* As few workgroups for the first as keep its rate. False: these are m->high, or nobody knows
 * better. */
static bool bisect(struct cb_policy_memory *m, const struct cb_policy_view *view, unsigned *first)
{
    if (m->high - m->low > 1 && m->n_trials > 0) {
        const bool keeps = m->trials[m->n_trials - 1].keeps_rate;
        m->low = keeps ? m->low : view->groups[0];
        m->high = keeps ? view->groups[0] : m->high;
    }
    *first = m->high - m->low > 1 ? (m->low + m->high) / 2 : m->high;
    return m->high - m->low > 1;
}

/* With so many for the others, the first needs more than what did not keep its rate: at least in
 * proportion. */
static unsigned enough_for_first(const struct cb_policy_memory *m,
                                 const struct cb_policy_view *view, unsigned first, unsigned others)
{
    for (unsigned i = 0; i < m->n_trials; i++) {
        const unsigned tried = m->trials[i].first;
        const double more = tried * view->rate / m->trials[i].rates[0];
        if (m->trials[i].others != others || m->trials[i].keeps_rate || tried < first)
            continue;
        first = !(more < view->workers) ? view->workers
                : more > tried + 1      ? (unsigned)ceil(more)
                                        : tried + 1;
    }
    return first;
}

/* The next place that is new, one step away from the best; false: there is none. */
static bool look_around(struct cb_policy_memory *m, const struct cb_policy_view *view,
                        unsigned *first, unsigned *others)
{
    static const int ways[][2] = {{0, 1}, {0, -1}, {-1, 0}, {1, 0}};
    const unsigned best = best_trial(m), least = view->n - 1;
    if (best == m->n_trials)
        return false;
    for (; m->step > 0; m->step /= 2)
        for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
            const long step = (long)m->step, a = (long)m->trials[best].first + ways[i][0] * step,
                       b = (long)m->trials[best].others + ways[i][1] * step;
            if (a < (long)m->high || b < (long)least)
                continue;
            *others = (unsigned)b;
            *first = enough_for_first(m, view, (unsigned)a, *others);
            if (*first + *others <= view->workers && !was_tried(m, *first, *others))
                return true;
        }
    return false;
}

static void give(const struct cb_policy_view *view, unsigned first, unsigned others,
                 unsigned groups[COOP_MOST_KERNELS])
{
    const struct cb_policy_view fewer = {.workers = first + others, .n = view->n};
    cb_policy_give_first(&fewer, first, groups);
}

static bool decide(struct cb_policy_memory *m, const struct cb_policy_view *view,
                   unsigned groups[COOP_MOST_KERNELS])
{
    unsigned first = 0, others = view->n - 1;
    if (m->windows == 0) {
        m->high = view->workers - others;
        m->step = view->workers / PARTS ? view->workers / PARTS : 1;
    } else if (!m->settled) {
        add_trial(m, view);
    }
    bool more = !m->settled && m->n_trials < CB_POLICY_TRIALS;
    if (more && !bisect(m, view, &first) && was_tried(m, first, others))
        more = look_around(m, view, &first, &others);
    m->settled = !more;
    if (m->settled) {
        const unsigned best = best_trial(m);
        first = best < m->n_trials ? m->trials[best].first : m->high;
        others = best < m->n_trials ? m->trials[best].others : view->n - 1;
    }
    give(view, first, others, groups);
    return m->settled;
}

const struct cb_policy cb_policy_energy = {
    .name = "energy", .takes_rate = true, .needs_power = true, .decide = decide};
