/* SPDX-License-Identifier: Apache-2.0
 *
 * Children of two kinds and many sizes, which submit some themselves, and nothing else: whether
 * tasks that a cooperative kernel submits are right while it is resized. In each round each block
 * of words is filled by a child, or by the workgroup itself where there is no room for one; after a
 * join it looks at them. In the last round nobody waits: the run has to.
 */
#define COOP_ARGS(X)                                                                               \
    X(global uint *, words)            /* CHILDREN_BLOCKS of CHILDREN_WORDS */                     \
    X(volatile global uint *, wrong)   /* one for each round */                                    \
    X(volatile global uint *, digests) /* one of each run: rounds that were right */               \
    X(uint, rounds)
#define COOP_TRANSMIT uint round;
#define COOP_SUBMITS

#include "children_tasks.clh"
#include "coop.clh"

/* Work-items in a workgroup of the block's child in this round. */
static inline uint children_items(uint block, uint round)
{
    return min(1u + children_hash(block, round) % CHILDREN_ITEMS, (uint)COOP_WG_SIZE);
}

/* Submits the block's child, which is of one kind or the other. */
static inline bool children_submit(const coop_args *A, uint block, uint round, const coop_view V)
{
    const task_range range =
        task_range_1d(children_groups(block, round), children_items(block, round));
    global uint *out = A->words + block * CHILDREN_WORDS;
    return children_hash(block, round) & 0x100
               ? children_fill_submit(range, out, block, round, 0)
               : children_reverse_submit(range, out, block, round, 0);
}

static inline void children_do(const coop_args *A, uint block, uint round)
{
    uint n = children_groups(block, round) * children_items(block, round);
    for (uint i = 0; i < n; i++)
        A->words[block * CHILDREN_WORDS + i] = children_word(block, round, i);
}

/* All work-items look at the words of a block. */
static inline void children_look(const coop_args *A, uint block, uint round, const coop_view V)
{
    uint n = children_groups(block, round) * children_items(block, round);
    for (uint i = coop_local_id(); i < n; i += coop_local_size())
        if (A->words[block * CHILDREN_WORDS + i] != children_word(block, round, i))
            atomic_inc(&A->wrong[round]);
}

/* for (uint block = ...): a workgroup's. */
#define CHILDREN_OF_GROUP(V, block)                                                                \
    for (uint block = coop_group_id(); block < CHILDREN_BLOCKS; block += coop_num_groups())

static inline uint children_right_rounds(const coop_args *A)
{
    uint right = 0;
    for (uint r = 0; r < A->rounds; r++)
        right += A->wrong[r] == 0;
    return right;
}

coop_kernel(children)
{
    coop_begin();
    for (uint r = coop_global_id(); r < A->rounds; r += coop_global_size())
        A->wrong[r] = 0;
    global_barrier();
    for (S->round = 0; S->round < A->rounds; S->round++) {
        CHILDREN_OF_GROUP(V, block)
        if (block / coop_num_groups() % coop_local_size() == coop_local_id() &&
            !children_submit(A, block, S->round, V))
            children_do(A, block, S->round);
        join_tasks();
        CHILDREN_OF_GROUP(V, block)
        children_look(A, block, S->round, V);
        resizing_global_barrier();
    }
    CHILDREN_OF_GROUP(V, block)
    if (coop_local_id() == 0 && !children_submit(A, block, A->rounds, V))
        children_do(A, block, A->rounds);
    if (coop_global_id() == 0)
        A->digests[coop_run() % COOP_MAX_RUNS] = children_right_rounds(A);
    coop_end();
}

#include "coop_run.clh"
