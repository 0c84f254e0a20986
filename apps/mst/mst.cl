/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimum spanning forest by Boruvka's algorithm (OOPSLA'16 Section 5.3: LonestarGPU's mst). Each
 * vertex is a component. A round has three steps, each over a list and in slices, with a resizing
 * barrier after each slice:
 *
 *   find     each edge between two components is kept for the next round, and offers its key to
 *            both; the smallest key remains
 *   hook     the edge whose key it is joins the forest, and hooks the component to the other. Of
 *            two that chose the same edge the first stays, and gets a number for the next round;
 *            since keys are strictly ordered there is no other cycle.
 *   shorten  each component looks for the end of its chain, by pointer jumping, and takes its
 *            number for a name
 *
 * until no edge is left between two components.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint4 *, edges)     /* ends, number, weight (mst_abi.h) */                      \
    X(global uint4 *, lists)           /* two of `count` edges, between components */              \
    X(volatile global ulong *, best)   /* of each component: the smallest key of its edges */      \
    X(volatile global uint *, parents) /* of each: the one that it is hooked to */                 \
    X(global uint *, numbers)          /* of each that stays: in the next round */                 \
    X(global uint *, names)            /* of each: the number of what it has become a part of */   \
    X(volatile global uint *, forest)  /* a bit of each edge */                                    \
    X(volatile global uint *, records) /* counts: MST_RECORDS, MST_LINE apart */                   \
    X(volatile global uint *, digests) /* of each run */                                           \
    X(uint, vertices)                                                                              \
    X(uint, count) /* of edges */

#define COOP_TRANSMIT                                                                              \
    uint step, turn;       /* what is done, and how many steps were before */                      \
    uint done, size;       /* of its list: in the slices so far, and all */                        \
    uint round, edges;     /* on the round's list */                                               \
    uint components, left; /* in this round, and in the next */                                    \
    uint pass;             /* over the components, shortening */

#define COOP_LOCAL uint count, digest;

#include "append.clh"
#include "mst_abi.h"

#include "coop.clh"

enum { MST_CLEAR, MST_FIND, MST_HOOK, MST_SHORTEN, MST_DIGEST, MST_END };

/* Batches that a work-item does in a slice, some 20 us on a GPU; things of a batch, whose loads are
 * under way together; and how far a component goes along its chain in a pass, after the first hop.
 */
#ifdef COOP_CPU_DEVICE
#define MST_BATCH    4u
#define MST_SHARE(S) max(2048u / COOP_WG_SIZE / MST_BATCH, 1u)
#define MST_HOPS     16u
#else
#define MST_BATCH 2u
#define MST_SHARE(S)                                                                               \
    ((S)->step == MST_SHORTEN ? 1u : (S)->step == MST_FIND && (S)->round == 0 ? 4u : 2u)
#define MST_HOPS 4u
#endif

/* Rounds, and passes of one, at most: a round halves the components that have edges, a pass the
 * chains. So a run with a wrong result ends, too; edges that are left then spoil its digest. */
#define MST_MOST 32u

/* ---- Shares ---------------------------------------------------------------------------------- */

/* A launch of multikernel mode does all of a list. */
static inline uint mst_each(const coop_transmit *S, const coop_view V)
{
    if (COOP_MODE == COOP_MULTIKERNEL)
        return (S->size / coop_global_size() / MST_BATCH + 1) * MST_BATCH;
    return MST_SHARE(S) * MST_BATCH;
}

/* Where in the list is what a work-item does as its number k: on GPUs next to its neighbours', on
 * CPUs, where these come one after the other, next to its own. */
static inline uint mst_place(const coop_transmit *S, const coop_view V, uint k)
{
#ifdef COOP_CPU_DEVICE
    return S->done + coop_global_id() * mst_each(S, V) + k;
#else
    return S->done + k * coop_global_size() + coop_global_id();
#endif
}

/* for (uint k = 0; ...): the batches of a work-item. */
#define MST_BATCHES(S, V, k)                                                                       \
    for (uint k = 0; k < mst_each(S, V) && mst_place(S, V, k) < (S)->size; k += MST_BATCH)

#define MST_RECORD(A, turn) ((A)->records[(turn) % MST_RECORDS * MST_LINE])

/* ---- Find ------------------------------------------------------------------------------------ */

/* The edges of a round, in the first one all of them, and a place for those of the next. */
static inline const global uint4 *mst_list(const coop_args *A, uint round)
{
    return round == 0 ? A->edges : A->lists + round % 2 * A->count;
}

/* Lowers a component's best key, of which `seen` is a value, if this one is smaller. There need not
 * be a 64-bit atomic minimum, which OpenCL has as an extension of its own. */
static inline void mst_offer(volatile global ulong *best, ulong seen, ulong key)
{
#ifdef CB_ATOMICS_PTX
    if (key < seen)
        __asm__ volatile("red.relaxed.gpu.global.min.u64 [%0], %1;" ::"l"(best), "l"(key)
                         : "memory");
#else
    while (key < seen && !cb_swap64_acq_rel(CB_ATOMIC64(*best), &seen, key))
        ;
#endif
}

/* The edges of a batch. What would be beyond the end of the list becomes a loop, which counts for
 * nothing. */
static inline void mst_load(const coop_transmit *S, const coop_view V, uint k,
                            const global uint4 *list, uint4 edge[MST_BATCH])
{
#pragma unroll
    for (uint j = 0; j < MST_BATCH; j++)
        edge[j] = list[min(mst_place(S, V, k + j), S->size - 1)];
#pragma unroll
    for (uint j = 0; j < MST_BATCH; j++)
        if (mst_place(S, V, k + j) >= S->size)
            edge[j].s0 = edge[j].s1;
}

static inline void mst_offer_all(const coop_args *A, const uint4 edge[MST_BATCH])
{
    ulong seen[2 * MST_BATCH];
#pragma unroll
    for (uint j = 0; j < MST_BATCH; j++) {
        seen[2 * j] = cb_load64_relaxed(CB_ATOMIC64(A->best[edge[j].s0]));
        seen[2 * j + 1] = cb_load64_relaxed(CB_ATOMIC64(A->best[edge[j].s1]));
    }
#pragma unroll
    for (uint j = 0; j < MST_BATCH; j++) {
        if (edge[j].s0 == edge[j].s1)
            continue;
        ulong key = mst_key(edge[j].s2, edge[j].s3);
        mst_offer(&A->best[edge[j].s0], seen[2 * j], key);
        mst_offer(&A->best[edge[j].s1], seen[2 * j + 1], key);
    }
}

/* Puts the edges that are still between components on the round's own list. */
static inline void mst_keep(const coop_args *A, const coop_transmit *S, const uint4 edge[MST_BATCH])
{
    uint kept = 0;
#pragma unroll
    for (uint j = 0; j < MST_BATCH; j++)
        kept += edge[j].s0 != edge[j].s1;
    uint place = S->round % 2 * A->count + cb_append_global(&MST_RECORD(A, S->turn), kept);
#pragma unroll
    for (uint j = 0; j < MST_BATCH; j++)
        if (edge[j].s0 != edge[j].s1)
            A->lists[place++] = edge[j];
}

static inline void mst_find(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    MST_BATCHES(S, V, k)
    {
        uint4 edge[MST_BATCH];
        mst_load(S, V, k, mst_list(A, S->round ? S->round - 1 : 0), edge);
        if (S->round > 0) {
#pragma unroll
            for (uint j = 0; j < MST_BATCH; j++) {
                edge[j].s0 = A->names[edge[j].s0];
                edge[j].s1 = A->names[edge[j].s1];
            }
            mst_keep(A, S, edge);
        }
        mst_offer_all(A, edge);
    }
}

/* ---- Hook ------------------------------------------------------------------------------------ */

/* An edge that one of its ends has chosen, or both: then the first gets a number. */
static inline void mst_join(const coop_args *A, uint4 edge, bool first, bool second, uint number)
{
    atomic_or(&A->forest[edge.s2 / 32], 1u << edge.s2 % 32);
    if (!first) {
        A->parents[edge.s1] = edge.s0;
        return;
    }
    A->parents[edge.s0] = second ? edge.s0 : edge.s1;
    if (second) {
        A->parents[edge.s1] = edge.s0;
        A->numbers[edge.s0] = number;
    }
}

/* All take their numbers from one word: once for a batch. */
static inline void mst_hook(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    MST_BATCHES(S, V, k)
    {
        uint4 edge[MST_BATCH];
        bool first[MST_BATCH], second[MST_BATCH];
        uint both = 0;
        mst_load(S, V, k, mst_list(A, S->round), edge);
#pragma unroll
        for (uint j = 0; j < MST_BATCH; j++) {
            ulong key = mst_key(edge[j].s2, edge[j].s3);
            first[j] = A->best[edge[j].s0] == key && edge[j].s0 != edge[j].s1;
            second[j] = A->best[edge[j].s1] == key && edge[j].s0 != edge[j].s1;
            both += first[j] && second[j];
        }
        uint number = cb_append_global(&MST_RECORD(A, S->turn), both);
#pragma unroll
        for (uint j = 0; j < MST_BATCH; j++) {
            if (first[j] || second[j])
                mst_join(A, edge[j], first[j], second[j], number);
            number += first[j] && second[j];
        }
    }
}

/* ---- Shorten --------------------------------------------------------------------------------- */

/* The parent of a component. In the first pass its best key is cleared for the next round; one
 * without, whose edges have all gone, is hooked to nothing, and nothing to it. */
static inline uint mst_parent(const coop_args *A, const coop_transmit *S, uint component)
{
    ulong best = S->pass == 0 ? A->best[component] : 0;
    if (S->pass == 0)
        A->best[component] = MST_NO_KEY;
    if (best == MST_NO_KEY)
        A->parents[component] = component;
    return best == MST_NO_KEY ? component : A->parents[component];
}

/* Others shorten their chains at the same time: what a word is read to be leads to the same end. */
static inline void mst_shorten(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    MST_BATCHES(S, V, k)
    {
        uint at[MST_BATCH], next[MST_BATCH];
        bool moved = true;
#pragma unroll
        for (uint j = 0; j < MST_BATCH; j++) {
            uint component = mst_place(S, V, k + j);
            at[j] = component < S->size ? mst_parent(A, S, component) : at[0];
        }
        for (uint hop = 0; hop < MST_HOPS && moved; hop++) {
#pragma unroll
            for (uint j = 0; j < MST_BATCH; j++)
                next[j] = A->parents[at[j]];
            moved = false;
#pragma unroll
            for (uint j = 0; j < MST_BATCH; j++) {
                moved |= next[j] != at[j];
                at[j] = next[j];
            }
        }
        if (moved)
            MST_RECORD(A, S->turn) = 1; /* another pass */
#pragma unroll
        for (uint j = 0; j < MST_BATCH; j++) {
            uint component = mst_place(S, V, k + j);
            if (component < S->size) {
                A->parents[component] = at[j];
                A->names[component] = A->numbers[at[j]];
            }
        }
    }
}

/* ---- Clear and digest ------------------------------------------------------------------------ */

static inline uint mst_words(const coop_args *A)
{
    return (A->count + 31) / 32;
}

static inline void mst_clear(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    MST_BATCHES(S, V, k)
    for (uint i = k; i < k + MST_BATCH; i++) {
        uint place = mst_place(S, V, i);
        if (place < A->vertices)
            A->best[place] = MST_NO_KEY;
        if (place < mst_words(A))
            A->forest[place] = 0;
    }
}

static inline uint mst_digests(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    uint sum = 0;
    MST_BATCHES(S, V, k)
    for (uint i = k; i < k + MST_BATCH; i++) {
        uint word = mst_place(S, V, i);
        if (word < S->size)
            sum += mst_digest(word, A->forest[word]);
    }
    return sum;
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static inline void mst_begin(const coop_args *A, coop_transmit *S)
{
    S->step = MST_CLEAR;
    S->size = max(A->vertices, mst_words(A));
    S->edges = A->count;
    S->components = A->vertices;
    S->turn = S->done = S->round = 0;
}

static inline void mst_begin_step(const coop_args *A, const coop_transmit *S, uint run)
{
    MST_RECORD(A, S->turn + 1) = 0;
    if (S->step == MST_CLEAR)
        A->digests[run % COOP_MAX_RUNS] = 0;
}

/* After a step, which counted: edges that it kept, components that stay, or 1 for a pass more. */
static inline void mst_end_step(const coop_args *A, coop_transmit *S, uint count)
{
    uint step = S->step;
    S->turn++;
    S->done = 0;
    if (step == MST_CLEAR) {
        S->step = MST_FIND;
    } else if (step == MST_FIND) {
        S->edges = S->round == 0 ? S->edges : count;
        S->step = S->edges && S->round < MST_MOST ? MST_HOOK : MST_DIGEST;
    } else if (step == MST_HOOK) {
        S->left = count;
        S->pass = 0;
        S->step = MST_SHORTEN;
    } else if (step == MST_SHORTEN && count && S->pass < MST_MOST) {
        S->pass++;
    } else if (step == MST_SHORTEN) {
        S->components = S->left;
        S->round++;
        S->step = MST_FIND;
    } else {
        S->step = MST_END;
    }
    S->size = S->step == MST_SHORTEN  ? S->components
              : S->step == MST_DIGEST ? mst_words(A)
                                      : S->edges;
}

coop_kernel(mst)
{
    coop_begin();
    mst_begin(A, S);
    while (S->step != MST_END) {
        if (S->done == 0 && coop_global_id() == 0)
            mst_begin_step(A, S, coop_run());
        if (S->step == MST_CLEAR) {
            mst_clear(A, S, V);
        } else if (S->step == MST_FIND) {
            mst_find(A, S, V);
        } else if (S->step == MST_HOOK) {
            mst_hook(A, S, V);
        } else if (S->step == MST_SHORTEN) {
            mst_shorten(A, S, V);
        } else {
            L->digest = 0;
            workgroup_barrier();
            atomic_add(&L->digest, mst_digests(A, S, V));
            workgroup_barrier();
            if (coop_local_id() == 0)
                atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest + S->edges);
        }
        S->done += mst_each(S, V) * coop_global_size();
        resizing_global_barrier();
        if (S->done < S->size)
            continue;
        if (coop_local_id() == 0) /* one of many, since they would read one after the other */
            L->count = MST_RECORD(A, S->turn);
        workgroup_barrier();
        mst_end_step(A, S, L->count);
    }
    coop_end();
}

#include "coop_run.clh"
