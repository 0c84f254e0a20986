/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/policies/policy.h"

/* One workgroup is the least with which the others go on. */
static bool decide(struct cb_policy_memory *memory, const struct cb_policy_view *view,
                   unsigned groups[COOP_MOST_KERNELS])
{
    (void)memory;
    cb_policy_give_first(view, view->workers, groups);
    return true;
}

const struct cb_policy cb_policy_priority = {.name = "priority", .decide = decide};
