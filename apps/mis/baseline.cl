/* SPDX-License-Identifier: Apache-2.0
 *
 * Pannotia's mis as it is (priority_baseline.clh).
 */
#include "apps/shared/priority_baseline.clh"
#include "paper_steps.clh"

step_kernel(mis_choose)
{
    step_begin();
    if (step_id() < A->vertices)
        mis_enter(A, step_id());
}

step_kernel(mis_rule_out)
{
    step_begin();
    if (step_id() < A->vertices)
        mis_leave(A, step_id());
}
