/* SPDX-License-Identifier: Apache-2.0
 *
 * As few workgroups for the first kernel as end its runs in time, by bisection; the others have the
 * rest.
 */
#include "probes/multitask/policies/policy.h"

static bool decide(struct cb_policy_memory *m, const struct cb_policy_view *view,
                   unsigned groups[COOP_MOST_KERNELS])
{
    if (m->windows == 0) {
        m->low = 0;                              /* too few, */
        m->high = view->workers - (view->n - 1); /* enough workgroups, or all that there can be */
    } else if (m->high - m->low > 1) {
        const bool in_time = view->rates[0] * view->deadline_s >= 1;
        m->low = in_time ? m->low : view->groups[0];
        m->high = in_time ? view->groups[0] : m->high;
    }
    const bool settled = m->high - m->low <= 1;
    cb_policy_give_first(view, settled ? m->high : (m->low + m->high) / 2, groups);
    return settled;
}

const struct cb_policy cb_policy_deadline = {
    .name = "deadline", .takes_deadline = true, .decide = decide};
