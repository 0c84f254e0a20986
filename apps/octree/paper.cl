/* SPDX-License-Identifier: Apache-2.0
 *
 * Particles into an octree as the program of FSE'17 does it (Tab. 1: octree): a queue with a lock
 * for each workgroup, a task for each cell however large, and an offer before each task. A
 * workgroup counts the particles of each octant, finds where each octant begins, and moves the
 * particles there, from one buffer into the other; octants with more than OCTREE_PAPER_CAPACITY are
 * tasks again. Cells, buffers and leaves are those of octree.cl.
 *
 * No lock is held at offer_kill() (steal_locked.clh), and a killed workgroup leaves its queue to
 * the others: nothing needs to be transmitted.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint4 *, particles)   /* x, y, z, number */                                     \
    X(cb_shared global uint4 *, buffers) /* two of n */                                            \
    X(volatile global octree_big *, unused)                                                        \
    X(global octree_leaf *, leaves)                                                                \
    X(volatile global cb_u32 *, queues)  /* CB_LOCKED_WORDS of each */                             \
    X(volatile global cb_u64 *, tasks)   /* CB_DEQUE_ROOM of each */                               \
    X(volatile global cb_u32 *, words)   /* OCTREE_WORDS */                                        \
    X(volatile global cb_u32 *, digests) /* of each run */                                         \
    X(uint, n)                                                                                     \
    X(uint, unused_room)                                                                           \
    X(uint, leaf_room)

#define COOP_TRANSMIT uint idle; /* looks into a queue in vain, in a row */

#define COOP_LOCAL                                                                                 \
    cb_u64 task;                                                                                   \
    uint over;                                                                                     \
    uint level, begin, count; /* the cell, */                                                      \
    ulong code;               /* with its code */                                                  \
    uint counts[8];           /* of the octants */                                                 \
    uint places[8];           /* where the next particle of each goes */                           \
    uint leaf[8];             /* 1: the octant becomes a leaf */                                   \
    uint placed;              /* particles in leaves */                                            \
    uint digest;

#define COOP_USES_OFFERS
#define COOP_PRINTED_OFFERS
#include "append.clh"
#include "octree_abi.h"

#include "coop.clh"

#include "steal_locked.clh"

#include "cells.clh"

/* Level, particles, the first of them. */
#define OCTREE_TASK_BITS 25u
#define OCTREE_TASK(level, begin, count)                                                           \
    (((cb_u64)(level) << OCTREE_TASK_BITS | (count)) << OCTREE_TASK_BITS | (begin))
#define OCTREE_TASK_MASK ((1u << OCTREE_TASK_BITS) - 1u)

static inline cb_locked octree_queues(const coop_args *A, const coop_view V)
{
    cb_locked q = {V.launch, A->queues, A->tasks};
    return q;
}

static inline void octree_push(const coop_args *A, const coop_view V, uint level, uint begin,
                               uint count)
{
    if (!cb_locked_push(octree_queues(A, V), V.group, OCTREE_TASK(level, begin, count)))
        cb_abort(V.launch, CB_SITE_ROOM, V.group, count, CB_DEQUE_ROOM);
}

/* ---- By work-item 0 -------------------------------------------------------------------------- */

static inline void octree_begin(const coop_args *A, const coop_view V)
{
    for (uint w = 0; w < OCTREE_WORDS; w += OCTREE_LINE)
        A->words[w] = 0;
    octree_push(A, V, 0, 0, A->n);
}

static inline void octree_take(const coop_args *A, const coop_view V, local coop_local *L,
                               uint idle)
{
    ulong task = cb_locked_take(octree_queues(A, V), coop_max_groups(), V.group);
    L->task = task;
    L->over = 0;
    if (task == CB_NO_TASK) {
        cb_steal_pause(V.launch, V.group, idle);
        L->over = cb_load_acquire(CB_ATOMIC(A->words[OCTREE_DONE])) || cb_aborted(V.launch);
        return;
    }
    L->begin = (uint)task & OCTREE_TASK_MASK;
    L->count = (uint)(task >> OCTREE_TASK_BITS) & OCTREE_TASK_MASK;
    L->level = (uint)(task >> 2 * OCTREE_TASK_BITS);
    L->placed = L->digest = 0;
    for (uint o = 0; o < 8; o++)
        L->counts[o] = 0;
}

/* The octants that are no leaves go to the queue, a lock for each. */
static inline void octree_push_octants(const coop_args *A, const coop_view V, local coop_local *L)
{
    uint begin = L->begin;
    for (uint o = 0; o < 8; begin += L->counts[o++])
        if (L->counts[o] > 0 && !L->leaf[o])
            octree_push(A, V, L->level + 1, begin, L->counts[o]);
}

static inline void octree_finish(const coop_args *A, const coop_view V, local coop_local *L)
{
    cb_add_relaxed(CB_ATOMIC(A->words[OCTREE_SPLITS]), 1);
    if (L->digest != 0)
        cb_add_relaxed(CB_ATOMIC(A->words[OCTREE_DIGEST]), L->digest);
    octree_push_octants(A, V, L);
    if (L->placed == 0 ||
        cb_fetch_add_acq_rel(CB_ATOMIC(A->words[OCTREE_PLACED]), L->placed) + L->placed != A->n)
        return;
    A->digests[V.run % COOP_MAX_RUNS] =
        A->words[OCTREE_DIGEST] + octree_digest(A->words[OCTREE_LEAVES], A->words[OCTREE_SPLITS]);
    cb_store_release(CB_ATOMIC(A->words[OCTREE_DONE]), 1);
}

/* ---- By all work-items ----------------------------------------------------------------------- */

static inline void octree_count(const coop_args *A, local coop_local *L, uint item, uint items)
{
    const cb_shared global uint4 *source = octree_source(A, L->level) + L->begin;
    for (uint i = item; i < L->count; i += items)
        atomic_inc(&L->counts[octree_octant(source[i], L->level)]);
    if (item == 0)
        L->code = octree_code(source[0], L->level);
}

/* Where octant o begins; and its leaf, if it becomes one. */
static inline void octree_arrange(const coop_args *A, const coop_view V, local coop_local *L,
                                  uint o)
{
    uint size = L->counts[o], begin = L->begin;
    bool leaf = size > 0 && (size <= OCTREE_PAPER_CAPACITY || L->level + 1 == OCTREE_DEPTH);
    for (uint before = 0; before < o; before++)
        begin += L->counts[before];
    L->places[o] = begin;
    L->leaf[o] = leaf;
    uint at = cb_append_global(&A->words[OCTREE_LEAVES], leaf);
    if (leaf && at >= A->leaf_room) {
        cb_abort(V.launch, CB_SITE_ROOM, V.group, at, A->leaf_room);
    } else if (leaf) {
        A->leaves[at].code = L->code << 3 | o;
        A->leaves[at].begin = begin;
        A->leaves[at].count = size;
        atomic_add(&L->placed, size);
    }
}

static inline void octree_move(const coop_args *A, local coop_local *L, uint item, uint items)
{
    uint level = L->level, digest = 0;
    const cb_shared global uint4 *source = octree_source(A, level) + L->begin;
    cb_shared global uint4 *target = A->buffers + ((level + 1) % 2) * (size_t)A->n;
    for (uint i = item; i < L->count; i += items) {
        uint4 p = source[i];
        uint o = octree_octant(p, level);
        target[atomic_inc(&L->places[o])] = p;
        digest += L->leaf[o] ? octree_digest(L->code << 3 | o, p.w) : 0;
    }
    if (digest != 0)
        atomic_add(&L->digest, digest);
}

/* ---- The kernel ------------------------------------------------------------------------------ */

coop_kernel(octree)
{
    coop_begin();
    for (uint q = coop_global_id(); q < coop_max_groups(); q += coop_global_size())
        cb_locked_clear(octree_queues(A, V), q);
    if (coop_global_id() == 0)
        octree_begin(A, V);
    global_barrier();

    while (true) {
        offer_kill();
        request_fork();
        if (coop_local_id() == 0)
            octree_take(A, V, L, S->idle);
        workgroup_barrier();
        if (L->over)
            break;
        S->idle = L->task == CB_NO_TASK ? S->idle + coop_max_groups() : 0;
        if (S->idle > 0)
            continue;

        octree_count(A, L, coop_local_id(), coop_local_size());
        workgroup_barrier();
        for (uint o = coop_local_id(); o < 8; o += coop_local_size())
            octree_arrange(A, V, L, o);
        workgroup_barrier();
        octree_move(A, L, coop_local_id(), coop_local_size());
        workgroup_barrier();
        if (coop_local_id() == 0)
            octree_finish(A, V, L);
    }
    coop_end();
}

#include "coop_run.clh"
