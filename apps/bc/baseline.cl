/* SPDX-License-Identifier: Apache-2.0
 *
 * Pannotia's bc as it is, under the names of its kernels: for each source one that clears, one for
 * each level on the way forth, after which the host reads a flag, and one for each on the way back;
 * a work-item for each vertex (OOPSLA'16 Section 5.2, the multi-kernel baseline). `round` is the
 * level; digests[0] is zero before.
 */
#include "paper_steps.clh"
#include "steps.clh"

step_kernel(clean_bc)
{
    step_begin();
    if (step_id() < A->vertices)
        bc_clear(A, step_id());
}

step_kernel(clean_1d_array)
{
    step_begin();
    if (step_id() < A->vertices)
        bc_begin(A, step_id(), A->source);
}

step_kernel(bfs_kernel)
{
    step_begin();
    if (step_id() < A->vertices && bc_forth(A, step_id(), A->source, round))
        cb_store_relaxed(CB_ATOMIC(A->found[0]), 1);
}

step_kernel(backtrack_kernel)
{
    step_begin();
    if (step_id() < A->vertices)
        bc_back(A, step_id(), round);
}

step_kernel(add_digest)
{
    local uint sum;
    step_begin();
    step_add(A->digests, &sum, bc_digests(A, step_id(), step_size()));
}
