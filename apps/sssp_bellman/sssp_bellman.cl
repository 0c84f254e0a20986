/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths by sweeps (Bellman-Ford; FSE'17 Tab. 1: p-sssp, in Pannotia a product of matrix and vector in
 * the semiring of minimum and plus). A round sweeps over the vertices, BELLMAN_BLOCK consecutive ones at a time,
 * and relaxes the edges of those that have changed; blocks in which nothing has changed are not on the round's
 * list. The search ends with a round that changes nothing.
 *
 * What makes it feasible on roads, where a path has thousands of edges and plain sweeps go one edge a round, is
 * the block: a workgroup has its words in local memory and relaxes the edges within it again and again until
 * nothing changes (the diagonal blocks of the matrix), and only then those that leave it. A round so goes
 * through a whole block, and nobody waits for memory at each edge.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint4 *restrict, records) /* two of each: columns, weights */                   \
    X(const global uint2 *restrict, rows) /* of each vertex: other records, from where, how many */\
    X(volatile global uint *, words)                                                               \
    X(volatile global uint *, digests) /* of each run */                                           \
    X(global uint *, lists)            /* two, of blocks */                                        \
    X(volatile global uint *, sizes)   /* of the lists: BELLMAN_LISTS, BELLMAN_LINE apart */       \
    X(volatile global uint *, marks)   /* of each block: the last round whose list has it */       \
    X(uint, vertices)                                                                              \
    X(uint, source)

#define BELLMAN_ROOM 64u /* hubs that a workgroup shares */

/* Vertices that are looked at together, on a GPU those of a work-item. A GPU has the block's records in local
 * memory, too; the caches of a CPU are as near. */
#if defined(CB_RELAX_SYSCALL_X86_64) || defined(CB_RELAX_SYSCALL_AARCH64)
#define BELLMAN_GROUP            16u
#define BELLMAN_HELD             1u
#define BELLMAN_RECORD(A, L, v) (&(A)->records[2 * (v)])
#else
#define BELLMAN_GROUP            4u
#define BELLMAN_HELD             BELLMAN_BLOCK
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
    uchar done[BELLMAN_BLOCK]; /* 1: edges within the block were relaxed, others are to be */      \
    uchar live[2][BELLMAN_GROUPS]; /* 1: to be looked at in this pass, and in the next */          \
    uint again[3];             /* 1: there is something to do in this pass, modulo 3 */            \
    uint hub[BELLMAN_ROOM];                                                                        \
    uint hubs;                                                                                     \
    uint size, digest;

#include "append.clh"
#include "sssp_bellman_abi.h"
#include "coop.clh"

#include "apps/graph/sssp.clh"

/* Passes over a block between two scheduling points, which bound the gather time; a block that is not done is
 * swept again in the next round. */
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

/* A vertex' other records, from where and how many; the weights are those of its first. */
static inline uint2 bellman_row(const coop_args *A, uint v, uint4 weights)
{
    uint2 row = 0;
    if (weights.s3 & SSSP_MORE)
        row = A->rows[v];
    return row;
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

/* ---- Within a block ---------------------------------------------------------------------------- */

/* What has changed stays so in global memory until its edges have been relaxed. */
static inline void bellman_load(const coop_args *A, local coop_local *L, uint block, uint item, uint items)
{
    uint first = block * BELLMAN_BLOCK, vertices = bellman_vertices(A, block);
    for (uint r = item; r < (BELLMAN_HELD > 1 ? 2 * vertices : 0); r += items)
        L->record[r] = A->records[2 * first + r];
    for (uint g = item; g < BELLMAN_GROUPS; g += items) {
        uint changed = 0;
        for (uint i = g * BELLMAN_GROUP; i < min((g + 1) * BELLMAN_GROUP, vertices); i++) {
            L->word[i] = A->words[first + i];
            L->done[i] = 0;
            changed |= L->word[i] & SSSP_CHANGED;
        }
        L->live[0][g] = changed != 0;
        L->live[1][g] = 0;
    }
    if (item == 0) {
        L->again[0] = 1;
        L->again[1] = L->again[2] = 0;
        L->hubs = 0;
    }
}

/* Relaxes the edges of a record that stay in the block, which begins with vertex `first`. */
static inline void bellman_relax_within(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                        uint4 columns, uint4 weights, uint first, uint vertices, uint distance)
{
    uint4 places = (columns & ~SSSP_HUB) - first, offers = sssp_offers(distance, weights);
    uint place[4] = {places.s0, places.s1, places.s2, places.s3};
    uint offer[4] = {offers.s0, offers.s1, offers.s2, offers.s3};
#pragma unroll
    for (uint k = 0; k < 4; k++) {
        if (place[k] >= vertices || offer[k] >= L->word[place[k]])
            continue;
        atomic_min(&L->word[place[k]], offer[k]);
        L->live[(S->pass + 1) % 2][place[k] / BELLMAN_GROUP] = 1;
        L->again[(S->pass + 1) % 3] = 1;
    }
}

/* Relaxes the edges of a vertex that stay in the block. Those of hubs wait until the end. */
static inline void bellman_expand(const coop_args *A, const coop_transmit *S, local coop_local *L, uint first,
                                  uint vertices, uint v)
{
    if (!(L->word[v - first] & SSSP_CHANGED))
        return;
    uint distance = sssp_distance(atomic_and(&L->word[v - first], ~SSSP_CHANGED));
    uint4 columns = BELLMAN_RECORD(A, L, v)[0], weights = BELLMAN_RECORD(A, L, v)[1];
    uint2 row = bellman_row(A, v, weights);
    L->done[v - first] = 1;
    if (row.y > SSSP_FEW)
        return;
    bellman_relax_within(A, S, L, columns, weights, first, vertices, distance);
    for (uint r = row.x; r < row.x + row.y; r++)
        bellman_relax_within(A, S, L, A->records[2 * r], A->records[2 * r + 1], first, vertices, distance);
}

/* One pass over the groups of the block in which something changed in the pass before. */
static inline void bellman_pass(const coop_args *A, const coop_transmit *S, local coop_local *L, uint item,
                                uint items)
{
    uint first = S->block * BELLMAN_BLOCK, vertices = bellman_vertices(A, S->block);
    if (item == 0)
        L->again[(S->pass + 2) % 3] = 0;
    for (uint g = item; g < BELLMAN_GROUPS; g += items) {
        if (!L->live[S->pass % 2][g])
            continue;
        L->live[S->pass % 2][g] = 0;
        for (uint i = g * BELLMAN_GROUP; i < min((g + 1) * BELLMAN_GROUP, vertices); i++)
            bellman_expand(A, S, L, first, vertices, first + i);
    }
}

/* ---- Out of a block ---------------------------------------------------------------------------- */

/* Relaxes the edges of a record that lead to other vertices than those from `first` on. All words are asked
 * for before the first is used, and so are the minima. */
static inline void bellman_relax_outside(const coop_args *A, const coop_transmit *S, uint4 columns, uint4 weights,
                                         uint first, uint vertices, uint distance)
{
    uint4 ends = columns & ~SSSP_HUB, offers = sssp_offers(distance, weights);
    uint column[4] = {ends.s0, ends.s1, ends.s2, ends.s3};
    uint offer[4] = {offers.s0, offers.s1, offers.s2, offers.s3}, seen[4];
#pragma unroll
    for (uint k = 0; k < 4; k++) {
        if (column[k] - first < vertices)
            offer[k] = SSSP_NOTHING;
        seen[k] = offer[k] != SSSP_NOTHING ? A->words[column[k]] : 0;
    }
#pragma unroll
    for (uint k = 0; k < 4; k++)
        seen[k] = offer[k] < seen[k] ? atomic_min(&A->words[column[k]], offer[k]) : 0;
#pragma unroll
    for (uint k = 0; k < 4; k++)
        if (offer[k] < seen[k])
            bellman_mark(A, S, column[k] / BELLMAN_BLOCK);
}

/* The words of the block go back, as they are now, and the edges that leave it are relaxed. A vertex that one
 * pass more would do keeps its block on the list. */
static inline void bellman_leave(const coop_args *A, const coop_transmit *S, local coop_local *L, uint item,
                                 uint items)
{
    uint first = S->block * BELLMAN_BLOCK, vertices = bellman_vertices(A, S->block);
    for (uint i = item; i < vertices; i += items) {
        uint word = L->word[i], v = first + i;
        if (word & SSSP_CHANGED)
            bellman_mark(A, S, S->block);
        if (L->done[i] || word & SSSP_CHANGED)
            atomic_min(&A->words[v], word);
        if (!L->done[i])
            continue;
        uint4 columns = BELLMAN_RECORD(A, L, v)[0], weights = BELLMAN_RECORD(A, L, v)[1];
        uint2 row = bellman_row(A, v, weights);
        uint place = row.y > SSSP_FEW ? atomic_inc(&L->hubs) : BELLMAN_ROOM;
        if (place < BELLMAN_ROOM) {
            L->hub[place] = i;
            continue;
        }
        uint within = row.y > SSSP_FEW ? 0 : vertices; /* whose edges there were relaxed */
        bellman_relax_outside(A, S, columns, weights, first, within, sssp_distance(word));
        for (uint r = row.x; r < row.x + row.y; r++)
            bellman_relax_outside(A, S, A->records[2 * r], A->records[2 * r + 1], first, within,
                                  sssp_distance(word));
    }
}

/* All edges of the hubs, by the whole workgroup. */
static inline void bellman_leave_hubs(const coop_args *A, const coop_transmit *S, local coop_local *L, uint item,
                                      uint items)
{
    for (uint h = 0; h < min(L->hubs, BELLMAN_ROOM); h++) {
        uint v = S->block * BELLMAN_BLOCK + L->hub[h], distance = sssp_distance(L->word[L->hub[h]]);
        uint2 row = A->rows[v];
        for (uint i = item; i <= row.y; i += items) {
            uint r = i < row.y ? row.x + i : v;
            bellman_relax_outside(A, S, A->records[2 * r], A->records[2 * r + 1], v, 0, distance);
        }
    }
}

/* ---- The kernel -------------------------------------------------------------------------------- */

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
            workgroup_barrier();
            bellman_leave_hubs(A, S, L, coop_local_id(), coop_local_size());
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
