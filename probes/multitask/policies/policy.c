/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/policies/policy.h"

#include <stddef.h>
#include <string.h>

#define POINTER(name, does) &cb_policy_##name,

const struct cb_policy *cb_policy_find(const char *name)
{
    static const struct cb_policy *const all[] = {CB_POLICIES(POINTER) NULL};
    size_t i = 0;
    while (all[i] && strcmp(all[i]->name, name) != 0)
        i++;
    return all[i];
}

void cb_policy_give_first(const struct cb_policy_view *view, unsigned first,
                          unsigned groups[COOP_MOST_KERNELS])
{
    const unsigned others = view->n - 1, most = view->workers - others;
    groups[0] = others == 0 ? view->workers : first < 1 ? 1 : first < most ? first : most;
    for (unsigned k = 1; k < view->n; k++) {
        const unsigned left = view->workers - groups[0];
        groups[k] = left / others + (k - 1 < left % others);
    }
}
