/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/policies/policy.h"

static bool decide(struct cb_policy_memory *memory, const struct cb_policy_view *view,
                   unsigned groups[COOP_MOST_KERNELS])
{
    (void)memory;
    cb_policy_give_first(view, view->share, groups);
    return true;
}

const struct cb_policy cb_policy_fixed = {.name = "fixed", .takes_share = true, .decide = decide};
