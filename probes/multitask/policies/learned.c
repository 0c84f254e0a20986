/* SPDX-License-Identifier: Apache-2.0
 *
 * What a workgroup is worth to a kernel is learnt while both run: a search on a grid tries shares,
 * then the middles between the best and its neighbours. The share with the most progress of both
 * together (STP) stays. What a kernel can do at best is what it did in the best of all trials.
 */
#include "probes/multitask/policies/policy.h"

#define GRID   8 /* parts of all workgroups: the ends come first */
#define REFINE 4 /* trials after the grid */

static double best_rate(const struct cb_policy_memory *m, int kernel)
{
    double best = 0;
    for (unsigned i = 0; i < m->n_trials; i++)
        if (m->trials[i].rates[kernel] > best)
            best = m->trials[i].rates[kernel];
    return best;
}

static double value_of(const struct cb_policy_memory *m, unsigned trial)
{
    double value = 0;
    for (int k = 0; k < 2; k++) {
        const double best = best_rate(m, k);
        value += best > 0 ? m->trials[trial].rates[k] / best : 0;
    }
    return value;
}

static unsigned best_trial(const struct cb_policy_memory *m)
{
    unsigned best = 0;
    for (unsigned i = 1; i < m->n_trials; i++)
        if (value_of(m, i) > value_of(m, best))
            best = i;
    return best;
}

static bool was_tried(const struct cb_policy_memory *m, unsigned first)
{
    for (unsigned i = 0; i < m->n_trials; i++)
        if (m->trials[i].first == first)
            return true;
    return false;
}

/* The next place of the grid that is new; 0: none. */
static unsigned next_of_grid(const struct cb_policy_memory *m, unsigned most)
{
    static const unsigned parts[] = {GRID, 0, 4, 2, 6, 1, 7};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        unsigned first = most * parts[i] / GRID;
        first = first < 1 ? 1 : first;
        if (!was_tried(m, first))
            return first;
    }
    return 0;
}

/* In the middle between the best and the nearest below or above it, whichever is further; 0: all
 * between has been tried. */
static unsigned next_to_best(const struct cb_policy_memory *m, unsigned most)
{
    const unsigned best = m->trials[best_trial(m)].first;
    unsigned below = 1, above = most;
    for (unsigned i = 0; i < m->n_trials; i++) {
        const unsigned first = m->trials[i].first;
        if (first < best && first > below)
            below = first;
        if (first > best && first < above)
            above = first;
    }
    const unsigned middle = best - below > above - best ? (below + best) / 2 : (best + above) / 2;
    return was_tried(m, middle) ? 0 : middle;
}

/* Decides for two kernels; with more, for the first against the others, which have even parts. */
static bool decide(struct cb_policy_memory *m, const struct cb_policy_view *view,
                   unsigned groups[COOP_MOST_KERNELS])
{
    const unsigned most = view->workers - (view->n - 1);
    if (m->windows > 0 && m->high == 0) { /* has tried something, and has not settled */
        m->trials[m->n_trials].first = view->groups[0];
        m->trials[m->n_trials].rates[0] = view->rates[0];
        m->trials[m->n_trials++].rates[1] = view->rates[1];
    }
    unsigned next = m->high ? 0 : next_of_grid(m, most);
    if (next == 0 && m->high == 0 && m->n_trials < CB_POLICY_TRIALS - 1 && m->low++ < REFINE)
        next = next_to_best(m, most);
    if (next == 0 && m->high == 0)
        m->high = m->trials[best_trial(m)].first;
    cb_policy_give_first(view, next ? next : m->high, groups);
    return next == 0;
}

const struct cb_policy cb_policy_learned = {.name = "learned", .decide = decide};
