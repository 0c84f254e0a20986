/* SPDX-License-Identifier: Apache-2.0
 *
 * Pannotia's color as it is (priority_baseline.clh).
 */
#include "apps/shared/priority_baseline.clh"
#include "paper_steps.clh"

step_kernel(color_choose)
{
    step_begin();
    if (step_id() < A->vertices)
        color_assign(A, step_id(), round);
}
