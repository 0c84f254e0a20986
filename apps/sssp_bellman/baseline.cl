/* SPDX-License-Identifier: Apache-2.0
 *
 * Pannotia's sssp as it is: a kernel for each step, a work-item for each vertex, and a flag that
 * the host reads after each round (OOPSLA'16 Section 5.2, the multi-kernel baseline). changed[0]
 * and digests[0] are zero before.
 */
#include "paper_steps.clh"
#include "steps.clh"

step_kernel(vector_init)
{
    step_begin();
    if (step_id() < A->vertices)
        bellman_init(A, step_id());
}

step_kernel(vector_assign)
{
    step_begin();
    if (step_id() < A->vertices)
        bellman_assign(A, step_id());
}

step_kernel(spmv_min_dot_plus)
{
    step_begin();
    if (step_id() < A->vertices)
        bellman_multiply(A, step_id());
}

step_kernel(vector_diff)
{
    step_begin();
    if (step_id() < A->vertices && bellman_differs(A, step_id()))
        cb_store_relaxed(CB_ATOMIC(A->changed[0]), 1);
}

step_kernel(add_digest)
{
    local uint sum;
    step_begin();
    step_add(A->digests, &sum, bellman_digests(A, step_id(), step_size()));
}
