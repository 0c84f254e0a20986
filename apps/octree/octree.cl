/* SPDX-License-Identifier: Apache-2.0
 *
 * Particles into an octree, by work stealing (FSE'17 Tab. 1: octree; Cederman, Tsigas: On dynamic
 * load balancing on graphics processors, 2008). A task is a cell with its particles, which a
 * workgroup splits into eight: it counts those of each octant, finds where each octant begins, and
 * moves the particles there, from one buffer into the other. Octants with more than OCTREE_CAPACITY
 * particles are tasks again, others, and all of the lowest level, are leaves. The root is always
 * split.
 *
 * A cell with more than OCTREE_SLICE particles would keep one workgroup busy for long, and the
 * others without work. It is split in two rounds of tasks, one for each slice: the first counts,
 * the second moves. The last of a round begins the next; a range of slices is halved by the first
 * workgroup that takes it.
 *
 * Particles of a cell at level l lie in buffer l % 2, those of the root in the input. A cell, its
 * octants and theirs have the same range of places, so that tasks never touch each other's.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint4 *, particles)   /* x, y, z, number */                                     \
    X(cb_shared global uint4 *, buffers) /* two of n */                                            \
    X(volatile global octree_big *, bigs)                                                          \
    X(global octree_leaf *, leaves)                                                                \
    X(volatile global cb_u64 *, ends)    /* of each deque (steal.clh) */                           \
    X(volatile global cb_u64 *, tasks)   /* CB_DEQUE_ROOM of each */                               \
    X(volatile global cb_u32 *, words)   /* OCTREE_WORDS */                                        \
    X(volatile global cb_u32 *, digests) /* of each run */                                         \
    X(uint, n)                                                                                     \
    X(uint, big_room)                                                                              \
    X(uint, leaf_room)

#define COOP_TRANSMIT                                                                              \
    uint idle;       /* turns without a task, in a row */                                          \
    uint work;       /* since the last offer */                                                    \
    ulong low, high; /* of a work-item alone: a number for each octant, 16 bits each */

#define COOP_LOCAL                                                                                 \
    cb_take take;                                                                                  \
    cb_u64 made[16]; /* tasks, of which there are */                                               \
    uint makes;                                                                                    \
    uint over;                                                                                     \
    uint kind;                /* of the task, */                                                   \
    uint index;               /* of its big cell */                                                \
    uint level, begin, count; /* the cell, */                                                      \
    ulong code;               /* with its code */                                                  \
    uint from, size;          /* the particles that the task looks at */                           \
    uint counts[8];           /* particles of the octants among these */                           \
    uint sizes[8];            /* particles of the octants in the cell */                           \
    uint places[8];           /* where those that are counted go */                                \
    uint leaf[8];             /* 1: the octant becomes a leaf */                                   \
    uint placed;              /* particles in leaves */                                            \
    uint digest;                                                                                   \
    uint last; /* 1: the task was the last of its round */

#define COOP_USES_OFFERS
#include "append.clh"
#include "octree_abi.h"
#include "steal_abi.h"

#include "coop.clh"

#include "steal.clh"

#include "particles.clh"

/* A workgroup offers itself after so much work, and when it has none: what a task costs that is not
 * done by particle takes as long as so many particles. Some 20 us on a GPU, most of it waiting for
 * memory. */
#define OCTREE_WORK      1000u
#define OCTREE_TASK_WORK 500u

/* Tasks: kind (2 bits), level (18), particles (12), the first of them (32). Or, for ranges of
 * slices of a big cell: kind (2 bits), slices (15), the first of them (15), number of the cell
 * (32). */
#define OCTREE_SPLIT                          0u /* a cell */
#define OCTREE_COUNT                          1u /* slices of a big one */
#define OCTREE_MOVE                           2u
#define OCTREE_CELL_TASK(level, begin, count) ((cb_u64)((level) << 12 | (count)) << 32 | (begin))
#define OCTREE_BIG_TASK(kind, first, slices, index)                                                \
    ((cb_u64)((kind) << 30 | (slices) << 15 | (first)) << 32 | (index))

static inline cb_deques octree_deques(const coop_args *A)
{
    cb_deques d = {A->ends, A->tasks};
    return d;
}

static inline void octree_fail(const coop_view V, uint seen, uint room)
{
    cb_abort(V.launch, CB_SITE_ROOM, V.group, seen, room);
}

/* By work-item 0. */
static inline void octree_push(const coop_args *A, const coop_view V, local coop_local *L)
{
    if (L->makes > 0 && !cb_deque_push(&L->take, octree_deques(A), V.group, L->made, L->makes))
        octree_fail(V, L->makes, CB_DEQUE_ROOM);
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static inline uint octree_slices(uint count)
{
    return (count + OCTREE_SLICE - 1) / OCTREE_SLICE;
}

static inline cb_u64 octree_make_big(const coop_args *A, uint index, uint level, uint begin,
                                     uint count)
{
    volatile global octree_big *big = &A->bigs[index];
    big->level = level;
    big->begin = begin;
    big->count = count;
    big->pending = octree_slices(count);
    for (uint o = 0; o < 8; o++)
        big->sizes[o] = 0;
    return OCTREE_BIG_TASK(OCTREE_COUNT, 0u, octree_slices(count), index);
}

/* Keeps the first slice of a task and leaves the others to thieves. */
static inline void octree_halve(const coop_args *A, const coop_view V, local coop_local *L,
                                uint first, uint slices)
{
    while (slices > 1) {
        uint others = slices / 2;
        slices -= others;
        L->made[L->makes++] = OCTREE_BIG_TASK(L->kind, first + slices, others, L->index);
    }
    octree_push(A, V, L);
    L->makes = 0;
}

static inline void octree_load_big(const coop_args *A, const coop_view V, local coop_local *L,
                                   uint what)
{
    volatile global octree_big *big = &A->bigs[L->index];
    uint first = what & 0x7fffu, begin = big->begin, count = big->count;
    L->level = big->level;
    L->begin = begin;
    L->count = count;
    L->from = begin + first * OCTREE_SLICE;
    L->size = min(OCTREE_SLICE, count - first * OCTREE_SLICE);
    octree_halve(A, V, L, first, what >> 15 & 0x7fffu);
}

/* By work-item 0, of a task that it has. */
static inline void octree_load(const coop_args *A, const coop_view V, local coop_local *L)
{
    uint what = (uint)(L->take.task >> 32);
    L->kind = what >> 30;
    L->index = L->from = L->begin = (uint)L->take.task;
    L->size = L->count = what & 0xfffu;
    L->level = what >> 12;
    L->makes = L->placed = L->digest = L->last = 0;
    for (uint o = 0; o < 8; o++)
        L->counts[o] = 0;
    if (L->kind != OCTREE_SPLIT)
        octree_load_big(A, V, L, what);
}

static inline void octree_take_own(const coop_args *A, const coop_view V, local coop_local *L)
{
    cb_take_own(&L->take, octree_deques(A), V.group);
    if (L->take.task != CB_NO_TASK)
        octree_load(A, V, L);
}

static inline void octree_steal(const coop_args *A, const coop_view V, local coop_local *L,
                                uint idle)
{
    cb_take_steal(&L->take, octree_deques(A));
    L->over = 0;
    if (L->take.task != CB_NO_TASK) {
        octree_load(A, V, L);
        return;
    }
    cb_steal_pause(V.launch, V.group, idle);
    L->over = cb_load_acquire(CB_ATOMIC(A->words[OCTREE_DONE])) || cb_aborted(V.launch);
}

/* ---- Octants --------------------------------------------------------------------------------- */

static inline bool octree_is_leaf(const local coop_local *L, uint size)
{
    return size > 0 && (size <= OCTREE_CAPACITY || L->level + 1 == OCTREE_DEPTH);
}

/* Octant o of the cell becomes a leaf, or a task. */
static inline void octree_make_octant(const coop_args *A, const coop_view V, local coop_local *L,
                                      const local uint *sizes, uint o)
{
    uint size = sizes[o], begin = L->begin;
    bool leaf = octree_is_leaf(L, size), split = size > 0 && !leaf,
         big = split && size > OCTREE_SLICE;
    for (uint before = 0; before < o; before++)
        begin += sizes[before];
    uint leaf_at = cb_append_global(&A->words[OCTREE_LEAVES], leaf);
    uint big_at = cb_append_global(&A->words[OCTREE_BIGS], big);
    L->places[o] = begin;
    L->leaf[o] = leaf;
    if ((leaf && leaf_at >= A->leaf_room) || (big && big_at >= A->big_room)) {
        octree_fail(V, leaf ? leaf_at : big_at, leaf ? A->leaf_room : A->big_room);
    } else if (leaf) {
        A->leaves[leaf_at].code = L->code << 3 | o;
        A->leaves[leaf_at].begin = begin;
        A->leaves[leaf_at].count = size;
        atomic_add(&L->placed, size);
    } else if (split) {
        L->made[atomic_inc(&L->makes)] = big ? octree_make_big(A, big_at, L->level + 1, begin, size)
                                             : OCTREE_CELL_TASK(L->level + 1, begin, size);
    }
}

/* What the numbers of octant o in the slice are good for. */
static inline void octree_arrange(const coop_args *A, const coop_view V, local coop_local *L,
                                  uint o)
{
    volatile global octree_big *big = &A->bigs[L->index];
    if (L->kind == OCTREE_SPLIT) {
        octree_make_octant(A, V, L, L->counts, o);
    } else if (L->kind == OCTREE_COUNT) {
        cb_add_relaxed(CB_ATOMIC(big->sizes[o]), L->counts[o]);
    } else {
        L->places[o] = cb_fetch_add_relaxed(CB_ATOMIC(big->cursors[o]), L->counts[o]);
        L->sizes[o] = cb_load_relaxed(CB_ATOMIC(big->sizes[o]));
        L->leaf[o] = octree_is_leaf(L, L->sizes[o]);
    }
}

/* ---- Ends ------------------------------------------------------------------------------------ */

static inline void octree_end(const coop_args *A, uint run)
{
    A->digests[run % COOP_MAX_RUNS] =
        A->words[OCTREE_DIGEST] + octree_digest(A->words[OCTREE_LEAVES], A->words[OCTREE_SPLITS]);
    cb_store_release(CB_ATOMIC(A->words[OCTREE_DONE]), 1);
}

/* The octants are made: the tasks among them can be taken. */
static inline void octree_publish(const coop_args *A, const coop_view V, local coop_local *L)
{
    if (L->makes > 0)
        cb_add_relaxed(CB_ATOMIC(A->words[OCTREE_SPLITS]), L->makes);
    octree_push(A, V, L);
    if (L->placed > 0 &&
        cb_fetch_add_acq_rel(CB_ATOMIC(A->words[OCTREE_PLACED]), L->placed) + L->placed == A->n)
        octree_end(A, V.run);
}

/* All slices are counted: where the octants begin, and the tasks that move. */
static inline void octree_begin_moving(const coop_args *A, const coop_view V, local coop_local *L)
{
    volatile global octree_big *big = &A->bigs[L->index];
    uint begin = L->begin, slices = octree_slices(L->count);
    for (uint o = 0; o < 8; o++) {
        big->cursors[o] = begin;
        begin += cb_load_relaxed(CB_ATOMIC(big->sizes[o]));
    }
    big->pending = slices;
    L->made[0] = OCTREE_BIG_TASK(OCTREE_MOVE, 0u, slices, L->index);
    L->makes = 1;
    octree_push(A, V, L);
}

/* By work-item 0, after its workgroup's work. */
static inline void octree_finish(const coop_args *A, const coop_view V, local coop_local *L)
{
    if (L->digest != 0)
        cb_add_relaxed(CB_ATOMIC(A->words[OCTREE_DIGEST]), L->digest);
    if (L->kind == OCTREE_SPLIT) {
        octree_publish(A, V, L);
        return;
    }
    if (cb_fetch_add_acq_rel(CB_ATOMIC(A->bigs[L->index].pending), 0xffffffffu) != 1)
        return;
    if (L->kind == OCTREE_COUNT)
        octree_begin_moving(A, V, L);
    else
        L->last = 1;
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static inline void octree_begin(const coop_args *A, const coop_view V, local coop_local *L)
{
    bool big = A->n > OCTREE_SLICE;
    for (uint w = 0; w < OCTREE_WORDS; w += OCTREE_LINE)
        A->words[w] = 0;
    A->words[OCTREE_SPLITS] = 1;
    A->words[OCTREE_BIGS] = big;
    L->made[0] = big ? octree_make_big(A, 0, 0, 0, A->n) : OCTREE_CELL_TASK(0u, 0u, A->n);
    L->makes = 1;
    L->take.ends = 0;
    octree_push(A, V, L);
}

coop_kernel(octree)
{
    coop_begin();
    for (uint d = coop_global_id(); d < coop_max_groups(); d += coop_global_size())
        A->ends[d] = 0;
    if (coop_global_id() == 0)
        octree_begin(A, V, L);
    global_barrier();

    S->work = OCTREE_WORK;
    while (true) {
        if (S->work >= OCTREE_WORK) {
            S->work = 0;
            offer_kill();
            request_fork();
        } else {
            workgroup_barrier(); /* nobody needs the last task any more */
        }
        if (coop_local_id() == 0)
            octree_take_own(A, V, L);
        workgroup_barrier();
        if (L->take.task == CB_NO_TASK) {
            cb_take_look(&L->take, octree_deques(A), coop_max_groups(), coop_group_id(), S->idle,
                         coop_local_id(), coop_local_size());
            workgroup_barrier();
            if (coop_local_id() == 0)
                octree_steal(A, V, L, S->idle);
            workgroup_barrier();
            if (L->over)
                break;
        }
        S->idle = L->take.task == CB_NO_TASK ? S->idle + 1 : 0;
        S->work += S->idle > 0 ? OCTREE_WORK : OCTREE_TASK_WORK + L->size;
        if (S->idle > 0)
            continue;

        octree_count(A, S, L, coop_local_id(), coop_local_size());
        workgroup_barrier();
        for (uint o = coop_local_id(); o < 8; o += coop_local_size())
            octree_arrange(A, V, L, o);
        workgroup_barrier();
        if (L->kind != OCTREE_COUNT)
            octree_move(A, S, L, coop_local_id(), coop_local_size());
        workgroup_barrier();
        if (coop_local_id() == 0)
            octree_finish(A, V, L);
        workgroup_barrier();
        if (L->last) {
            for (uint o = coop_local_id(); o < 8; o += coop_local_size())
                octree_make_octant(A, V, L, L->sizes, o);
            workgroup_barrier();
            if (coop_local_id() == 0)
                octree_publish(A, V, L);
        }
    }
    coop_end();
}

#include "coop_run.clh"
