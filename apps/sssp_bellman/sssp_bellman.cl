/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths by sweeps (Bellman-Ford; FSE'17 Tab. 1: p-sssp, in Pannotia a product of matrix
 * and vector in the semiring of minimum and plus). A round sweeps over the vertices, BELLMAN_BLOCK
 * consecutive ones at a time, and relaxes the edges of those that have changed; blocks in which
 * nothing has changed are not on the round's list. The search ends with a round that changes
 * nothing.
 *
 * What makes it feasible on roads, where a path has thousands of edges and plain sweeps go one edge
 * a round, is the block: a workgroup has its words in local memory and relaxes the edges within it
 * again and again until nothing changes (the diagonal blocks of the matrix), and only then those
 * that leave it. A round so goes through a whole block, and nobody waits for memory at each edge.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint4 *restrict, records) /* of edges within a block: columns, weights */       \
    X(const global uint2 *restrict,                                                                \
      rows) /* of each vertex: other records, from where, how many */                              \
    X(volatile global uint *, words)                                                               \
    X(volatile global uint *, digests) /* of each run */                                           \
    X(const global uint4 *restrict,                                                                \
      exits) /* other edges, by blocks: place in it, column, weight */                             \
    X(const global uint *restrict, exit_rows) /* the first of each block */                        \
    X(global uint *, lists)                   /* two, of blocks */                                 \
    X(volatile global uint *, sizes) /* of the lists: BELLMAN_LISTS, BELLMAN_LINE apart */         \
    X(volatile global uint *, marks) /* of each block: the last round whose list has it */         \
    X(uint, vertices)                                                                              \
    X(uint, source)

#include "coop/phases.clh"
#include "local_memory.h"

/* Vertices g, g + BELLMAN_GROUPS, ... of a block are a group, so that on a GPU neighbouring
 * work-items read neighbouring vertices. A GPU has the block's records in local memory, too, if
 * they fit; the caches of a CPU are as near. */
#ifdef COOP_CPU_DEVICE
#define BELLMAN_GROUP 16u
#else
#define BELLMAN_GROUP 4u
#endif
#if defined(COOP_CPU_DEVICE) || CB_LOCAL_BYTES < CB_USUAL_LOCAL_BYTES
#define BELLMAN_HELD            1u
#define BELLMAN_RECORD(A, L, v) (&(A)->records[2 * (v)])
#else
#define BELLMAN_HELD            BELLMAN_BLOCK
#define BELLMAN_RECORD(A, L, v) (&(L)->record[2 * ((v) % BELLMAN_BLOCK)])
#endif
#define BELLMAN_GROUPS (BELLMAN_BLOCK / BELLMAN_GROUP)

#define COOP_TRANSMIT                                                                              \
    uint round;                                                                                    \
    uint from, size;  /* done, and all: of the blocks on the list, or of the vertices */           \
    uint block, pass; /* of this workgroup */

#define COOP_LOCAL                                                                                 \
    uint4 record[2 * BELLMAN_HELD];                                                                \
    uint word[BELLMAN_BLOCK];                                                                      \
    uchar done[BELLMAN_BLOCK];     /* 1: edges within the block were relaxed, exits are to be */   \
    uchar live[2][BELLMAN_GROUPS]; /* 1: to be looked at in this pass, and in the next */          \
    uint again[3];                 /* 1: there is something to do in this pass, modulo 3 */        \
    uint size, digest;

#include "append.clh"
#include "sssp_bellman_abi.h"

#include "coop.clh"

#include "apps/shared/sssp.clh"

/* Passes over a block between two scheduling points, which bound the gather time; a block that is
 * not done is swept again in the next round. */
#define BELLMAN_PASSES 8u

#define BELLMAN_SIZE(round) ((round) % BELLMAN_LISTS * BELLMAN_LINE)

static inline global uint *bellman_list(const coop_args *A, uint round)
{
    return A->lists + round % 2 * bellman_blocks(A->vertices);
}

static inline uint bellman_vertices(const coop_args *A, uint block)
{
    return min(A->vertices - block * BELLMAN_BLOCK, BELLMAN_BLOCK);
}

/* Puts a block on the list of the next round, if it is not there. */
static inline void bellman_mark(const coop_args *A, const coop_transmit *S, uint block)
{
    uint next = S->round + 1;
    bool mine = atomic_xchg(&A->marks[block], next) != next;
    uint place = cb_append_global(&A->sizes[BELLMAN_SIZE(next)], mine);
    if (mine)
        bellman_list(A, next)[place] = block;
}

/* ---- Within a block -------------------------------------------------------------------------- */

/* All records are asked for before the first is stored. */
static inline void bellman_load_records(const coop_args *A, local coop_local *L, uint block,
                                        uint item, uint items)
{
    uint first = 2 * block * BELLMAN_BLOCK, end = 2 * bellman_vertices(A, block);
    for (uint r = item; r < end; r += 8 * items) {
        uint4 loaded[8];
#pragma unroll
        for (uint k = 0; k < 8; k++)
            loaded[k] = A->records[first + min(r + k * items, end - 1)];
#pragma unroll
        for (uint k = 0; k < 8; k++)
            L->record[min(r + k * items, end - 1)] = loaded[k];
    }
}

/* What has changed stays so in global memory until its edges have been relaxed. */
static inline void bellman_load(const coop_args *A, local coop_local *L, uint block, uint item,
                                uint items)
{
    uint first = block * BELLMAN_BLOCK, vertices = bellman_vertices(A, block);
    for (uint g = item; g < BELLMAN_GROUPS; g += items) {
        uint word[BELLMAN_GROUP], changed = 0;
#pragma unroll
        for (uint k = 0; k < BELLMAN_GROUP; k++)
            word[k] = A->words[first + min(g + k * BELLMAN_GROUPS, vertices - 1)];
#pragma unroll
        for (uint k = 0; k < BELLMAN_GROUP; k++) {
            uint i = g + k * BELLMAN_GROUPS;
            L->word[i] = i < vertices ? word[k] : SSSP_UNREACHED;
            L->done[i] = 0;
            changed |= L->word[i] & SSSP_CHANGED;
        }
        L->live[0][g] = changed != 0;
        L->live[1][g] = 0;
    }
    if (BELLMAN_HELD > 1)
        bellman_load_records(A, L, block, item, items);
    for (uint e = A->exit_rows[block] + item; e < A->exit_rows[block + 1]; e += items)
        sssp_fetch(&A->exits[e]);
    if (item == 0) {
        L->again[0] = 1;
        L->again[1] = L->again[2] = 0;
    }
}

/* Relaxes the edges of a record. */
static inline void bellman_relax(const coop_transmit *S, local coop_local *L, uint4 columns,
                                 uint4 weights, uint distance)
{
    uint4 places = columns % BELLMAN_BLOCK, offers = sssp_offers(distance, weights);
    uint place[4] = {places.s0, places.s1, places.s2, places.s3};
    uint offer[4] = {offers.s0, offers.s1, offers.s2, offers.s3}, seen[4];
#pragma unroll
    for (uint k = 0; k < 4; k++)
        seen[k] = L->word[place[k]];
#pragma unroll
    for (uint k = 0; k < 4; k++) {
        if (offer[k] >= seen[k])
            continue;
        atomic_min(&L->word[place[k]], offer[k]);
        L->live[(S->pass + 1) % 2][place[k] % BELLMAN_GROUPS] = 1;
        L->again[(S->pass + 1) % 3] = 1;
    }
}

/* Relaxes the edges of a vertex that stay in the block. */
static inline void bellman_expand(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                  uint v)
{
    uint distance = sssp_distance(atomic_and(&L->word[v % BELLMAN_BLOCK], ~SSSP_CHANGED));
    uint4 columns = BELLMAN_RECORD(A, L, v)[0], weights = BELLMAN_RECORD(A, L, v)[1];
    L->done[v % BELLMAN_BLOCK] = 1;
    bellman_relax(S, L, columns, weights, distance);
    if (!(weights.s3 & SSSP_MORE))
        return;
    uint2 row = A->rows[v];
    for (uint r = row.x; r < row.x + row.y; r++)
        bellman_relax(S, L, A->records[2 * r], A->records[2 * r + 1], distance);
}

/* One pass over the groups of the block in which something changed in the pass before. */
static inline void bellman_pass(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                uint item, uint items)
{
    if (item == 0)
        L->again[(S->pass + 2) % 3] = 0;
    for (uint g = item; g < BELLMAN_GROUPS; g += items) {
        if (!L->live[S->pass % 2][g])
            continue;
        L->live[S->pass % 2][g] = 0;
        for (uint i = g; i < BELLMAN_BLOCK; i += BELLMAN_GROUPS)
            if (L->word[i] & SSSP_CHANGED)
                bellman_expand(A, S, L, S->block * BELLMAN_BLOCK + i);
    }
}

/* ---- Out of a block -------------------------------------------------------------------------- */

/* The words of the block go back, as they are now. One that a pass more would change keeps its
 * block on the list. */
static inline void bellman_store(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                 uint item, uint items)
{
    uint first = S->block * BELLMAN_BLOCK, vertices = bellman_vertices(A, S->block);
    for (uint i = item; i < vertices; i += items) {
        uint word = L->word[i];
        if (L->done[i] || word & SSSP_CHANGED)
            atomic_min(&A->words[first + i], word);
        if (word & SSSP_CHANGED)
            bellman_mark(A, S, S->block);
    }
}

/* Relaxes four exits of the block, `stride` apart: all words are asked for before the first is
 * used, and so are the minima. */
static inline void bellman_exit(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                uint e, uint end, uint stride)
{
    uint column[4], offer[4], seen[4];
    uint4 exit[4];
#pragma unroll
    for (uint k = 0; k < 4; k++)
        exit[k] = A->exits[min(e + k * stride, end - 1)];
#pragma unroll
    for (uint k = 0; k < 4; k++) {
        bool is_open = e + k * stride < end && L->done[exit[k].s0];
        column[k] = exit[k].s1;
        offer[k] =
            is_open ? sssp_offer(sssp_distance(L->word[exit[k].s0]), exit[k].s2) : SSSP_NOTHING;
        seen[k] = is_open ? A->words[column[k]] : 0;
    }
#pragma unroll
    for (uint k = 0; k < 4; k++)
        seen[k] = offer[k] < seen[k] ? atomic_min(&A->words[column[k]], offer[k]) : 0;
#pragma unroll
    for (uint k = 0; k < 4; k++)
        if (offer[k] < seen[k])
            bellman_mark(A, S, column[k] / BELLMAN_BLOCK);
}

static inline void bellman_leave(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                 uint item, uint items)
{
    uint end = A->exit_rows[S->block + 1];
    bellman_store(A, S, L, item, items);
    for (uint e = A->exit_rows[S->block] + item; e < end; e += 4 * items)
        bellman_exit(A, S, L, e, end, items);
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static inline void bellman_begin(const coop_args *A, const coop_view V)
{
    for (uint b = coop_global_id(); b < bellman_blocks(A->vertices); b += coop_global_size())
        A->marks[b] = 0;
    if (coop_global_id() > 0)
        return;
    A->lists[0] = A->source / BELLMAN_BLOCK;
    A->sizes[BELLMAN_SIZE(1)] = 0;
    A->digests[coop_run() % COOP_MAX_RUNS] = 0;
}

coop_kernel(sssp_bellman)
{
    coop_begin();
    bellman_begin(A, V);
    for (S->from = 0; S->from < A->vertices;) {
        sssp_clear(A, V, S->from);
        S->from += SSSP_SWEEP * coop_global_size();
        resizing_global_barrier();
    }

    S->round = S->from = 0;
    S->size = 1;
    while (S->size > 0) {
        if (coop_global_id() == 0) /* nobody uses it before the next barrier */
            A->sizes[BELLMAN_SIZE(S->round + 2)] = 0;
        if (S->from + coop_group_id() < S->size) {
            S->block = bellman_list(A, S->round)[S->from + coop_group_id()];
            bellman_load(A, L, S->block, coop_local_id(), coop_local_size());
            workgroup_barrier();
            for (S->pass = 0; S->pass < BELLMAN_PASSES && L->again[S->pass % 3]; S->pass++) {
                bellman_pass(A, S, L, coop_local_id(), coop_local_size());
                workgroup_barrier();
            }
            bellman_leave(A, S, L, coop_local_id(), coop_local_size());
        }
        S->from += coop_num_groups();
        resizing_global_barrier();
        if (S->from < S->size)
            continue;
        S->round++;
        if (coop_local_id() == 0) /* one of many, since they would read one after the other */
            L->size = A->sizes[BELLMAN_SIZE(S->round)];
        workgroup_barrier();
        S->size = L->size;
        S->from = 0;
    }

    for (S->from = 0; S->from < A->vertices;) {
        L->digest = 0;
        workgroup_barrier();
        atomic_add(&L->digest, sssp_digests(A, V, S->from));
        workgroup_barrier();
        if (coop_local_id() == 0)
            atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest);
        S->from += SSSP_SWEEP * coop_global_size();
        resizing_global_barrier();
    }
    coop_end();
}

#include "coop_run.clh"
