/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search, level by level (FSE'17 Tab. 1: bfs). The vertices of a level are the frontier, a
 * queue in global memory of which each workgroup expands a share. Edges lie in quads, one load each: quad v
 * holds the first four of vertex v, the last one repeated if there are fewer, and BFS_MORE in its last word
 * says that rows[v] tells where there are more.
 *
 * A narrow frontier is a matter of latency: workgroup 0 then goes on alone for some levels, with the
 * frontier in local memory, and nobody waits for a global barrier. A level is two trips to memory, the quad
 * and the claims of its ends, a local addition and a workgroup barrier. What counts then is how much one
 * compute unit asks of memory: a table of the vertices met last, in local memory, keeps most edges that lead
 * back, or to where another work-item has just been, from asking. A graph with a vertex of very many edges
 * is never searched so: one work-item would walk through all of them.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint4 *, quads)                                                                 \
    X(const global uint2 *, rows)        /* of each vertex: more quads, from where and how many */ \
    X(volatile global uint *, levels)                                                              \
    X(global uint *, queues)             /* two of `vertices` words */                             \
    X(volatile global uint *, frontiers) /* BFS_FRONTIERS records, BFS_LINE apart: size, level */  \
    X(volatile global uint *, digests)   /* of each run */                                         \
    X(uint, vertices)                                                                              \
    X(uint, source)                                                                                \
    X(uint, narrow) /* 1: workgroup 0 may expand a narrow frontier alone */

#define BFS_RECENT 4096u /* vertices that are remembered */
#define BFS_HEAVY  16u   /* quads of a vertex that a whole workgroup shares */
#define BFS_ROOM   256u  /* such vertices of a share */

#define COOP_TRANSMIT                                                                              \
    uint level, size; /* of the frontier */                                                        \
    uint turn;        /* frontiers so far: which record and which queue */                         \
    uint step;        /* of workgroup 0: levels done alone since the frontier was loaded */        \
    uint alone;       /* work since the last global barrier */                                     \
    uint loaded;      /* 1: it is still in local memory */

#define COOP_LOCAL                                                                                 \
    uint vertex[2][BFS_NARROW]; /* of a frontier */                                                \
    uint recent[BFS_RECENT];                                                                       \
    uint size[3];                                                                                  \
    uint heavy[BFS_ROOM];                                                                          \
    uint heavies;                                                                                  \
    uint digest;

#include "append.clh"
#include "bfs_abi.h"
#include "coop.clh"


/* Workgroup 0 looks at the others again after so much work, to bound the gather time: about 26 us on an H200,
 * where a level takes as long as BFS_LEVEL_WORK vertices and those of the frontier. */
#define BFS_LEVEL_WORK 742u
#ifdef COOP_OPAQUE_PHASES
#define BFS_ALONE_WORK 2500u
#else
#define BFS_ALONE_WORK 17000u
#endif

#define BFS_SIZE(turn)  (((turn) % BFS_FRONTIERS) * BFS_LINE)
#define BFS_LEVEL(turn) (BFS_SIZE(turn) + 1)

static inline global uint *bfs_queue(const coop_args *A, uint turn)
{
    return A->queues + turn % 2 * A->vertices;
}

/* Whether this work-item is the one that gives the vertex its level. */
static inline bool bfs_claim(const coop_args *A, uint vertex, uint level)
{
    return atomic_cmpxchg(&A->levels[vertex], BFS_UNREACHED, level) == BFS_UNREACHED;
}

static inline void bfs_visit(const coop_args *A, uint vertex, uint level, uint turn)
{
    bool mine = A->levels[vertex] == BFS_UNREACHED && bfs_claim(A, vertex, level);
    uint place = cb_append_global(&A->frontiers[BFS_SIZE(turn + 1)], mine);
    if (mine)
        bfs_queue(A, turn + 1)[place] = vertex;
}

/* ---- A wide frontier --------------------------------------------------------------------------- */

static inline void bfs_visit_quad(const coop_args *A, const coop_transmit *S, uint4 v)
{
    bfs_visit(A, v.s0, S->level + 1, S->turn);
    bfs_visit(A, v.s1, S->level + 1, S->turn);
    bfs_visit(A, v.s2, S->level + 1, S->turn);
    bfs_visit(A, v.s3 & ~BFS_MORE, S->level + 1, S->turn);
}

/* A share of the frontier; vertices with many edges are left to bfs_expand_heavy(). */
static inline void bfs_expand(const coop_args *A, const coop_transmit *S, local coop_local *L,
                              uint first, uint stride)
{
    const global uint *queue = bfs_queue(A, S->turn);
    for (uint i = first; i < S->size; i += stride) {
        uint v = queue[i];
        uint4 quad = A->quads[v];
        bfs_visit_quad(A, S, quad);
        if (!(quad.s3 & BFS_MORE))
            continue;
        uint2 row = A->rows[v];
        uint place = row.y > BFS_HEAVY ? atomic_inc(&L->heavies) : BFS_ROOM;
        if (place < BFS_ROOM)
            L->heavy[place] = v;
        else
            for (uint q = row.x; q < row.x + row.y; q++)
                bfs_visit_quad(A, S, A->quads[q]);
    }
}

static inline void bfs_expand_heavy(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                    uint item, uint items)
{
    uint heavies = min(L->heavies, BFS_ROOM);
    for (uint h = 0; h < heavies; h++) {
        uint2 row = A->rows[L->heavy[h]];
        for (uint q = row.x + item; q < row.x + row.y; q += items)
            bfs_visit_quad(A, S, A->quads[q]);
    }
}

/* ---- A narrow frontier: workgroup 0 alone ------------------------------------------------------ */

static inline void bfs_alone_load(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                  uint item, uint items)
{
    const global uint *queue = bfs_queue(A, S->turn);
    for (uint i = item; i < S->size; i += items)
        L->vertex[0][i] = queue[i];
    for (uint i = item; i < BFS_RECENT; i += items)
        L->recent[i] = BFS_UNREACHED;
    if (item < 3)
        L->size[item] = item == 0 ? S->size : 0;
}

/* Reaches the ends of four edges. All claims are begun before the result of any is used: one after the
 * other, they would take most of a level's time. */
static inline void bfs_alone_reach(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                   uint4 quad)
{
    uint v[4] = {quad.s0, quad.s1, quad.s2, quad.s3 & ~BFS_MORE}, seen[4], found = 0;
    for (uint k = 0; k < 4; k++)
        seen[k] = atomic_xchg(&L->recent[v[k] % BFS_RECENT], v[k]);
    for (uint k = 0; k < 4; k++) /* who is in the table has been reached, or is just being */
        if (seen[k] != v[k])
            seen[k] = atomic_cmpxchg(&A->levels[v[k]], BFS_UNREACHED, S->level + 1);
        else
            seen[k] = 0;
    for (uint k = 0; k < 4; k++)
        found += seen[k] == BFS_UNREACHED;
    uint place = cb_append_local(&L->size[(S->step + 1) % 3], found);
    for (uint k = 0; k < 4; k++) {
        if (seen[k] != BFS_UNREACHED)
            continue;
        if (place < BFS_NARROW)
            L->vertex[1 - S->step % 2][place] = v[k];
        else
            bfs_queue(A, S->turn + 1)[place] = v[k];
        place++;
    }
}

/* Expands the frontier of step `step` into that of the next. What finds no room in local memory goes to
 * the queue. */
static inline void bfs_alone_step(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                  uint item, uint items)
{
    uint size = L->size[S->step % 3];
    if (item == 0)
        L->size[(S->step + 2) % 3] = 0;
    for (uint i = item; i < size; i += items) {
        uint v = L->vertex[S->step % 2][i];
        uint4 quad = A->quads[v];
        bfs_alone_reach(A, S, L, quad);
        if (!(quad.s3 & BFS_MORE))
            continue;
        uint2 row = A->rows[v];
        for (uint q = row.x; q < row.x + row.y; q++)
            bfs_alone_reach(A, S, L, A->quads[q]);
    }
}

/* For all to see, how far workgroup 0 has come; the rest of the frontier if it is the others', too. */
static inline void bfs_alone_tell(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                  uint item, uint items)
{
    uint size = S->size;
    global uint *queue = bfs_queue(A, S->turn + 1);
    if ((size > BFS_NARROW) | (COOP_MODE == COOP_MULTIKERNEL))
        for (uint i = item; i < min(size, BFS_NARROW); i += items)
            queue[i] = L->vertex[S->step % 2][i];
    if (item == 0) {
        A->frontiers[BFS_SIZE(S->turn + 1)] = size;
        A->frontiers[BFS_LEVEL(S->turn + 1)] = S->level;
    }
}

/* ---- The kernel -------------------------------------------------------------------------------- */

coop_kernel(bfs)
{
    coop_begin();
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        A->levels[v] = v == A->source ? 0 : BFS_UNREACHED;
    if (coop_global_id() == 0) {
        A->queues[0] = A->source;
        A->frontiers[BFS_SIZE(1)] = 0;
        A->digests[coop_run() % COOP_MAX_RUNS] = 0;
    }
    S->level = 0;
    S->size = 1;
    S->turn = 0;
    S->loaded = 0;
    resizing_global_barrier();

    while (S->size > 0) {
        if (coop_global_id() == 0) { /* nobody uses the third record before the next barrier */
            A->frontiers[BFS_SIZE(S->turn + 2)] = 0;
            A->frontiers[BFS_LEVEL(S->turn + 1)] = S->level + 1;
        }
        if (S->size > BFS_NARROW || !A->narrow) {
            S->loaded = 0;
            L->heavies = 0;
            workgroup_barrier();
            bfs_expand(A, S, L, coop_global_id(), coop_global_size());
            workgroup_barrier();
            bfs_expand_heavy(A, S, L, coop_local_id(), coop_local_size());
        } else if (coop_group_id() == 0) {
            if (!S->loaded | (COOP_MODE == COOP_MULTIKERNEL)) { /* where local memory does not stay */
                bfs_alone_load(A, S, L, coop_local_id(), coop_local_size());
                S->step = 0;
            }
            S->loaded = 1;
            S->alone = 0;
            workgroup_barrier();
            do {
                bfs_alone_step(A, S, L, coop_local_id(), coop_local_size());
                S->level++;
                S->step++;
                workgroup_barrier();
                S->alone += BFS_LEVEL_WORK + L->size[S->step % 3];
            } while (S->alone < BFS_ALONE_WORK && L->size[S->step % 3] > 0 &&
                     L->size[S->step % 3] <= BFS_NARROW);
            S->size = L->size[S->step % 3];
            bfs_alone_tell(A, S, L, coop_local_id(), coop_local_size());
        }
        resizing_global_barrier();
        S->turn++;
        if (coop_group_id() > 0 || !S->loaded) {
            S->size = A->frontiers[BFS_SIZE(S->turn)];
            S->level = A->frontiers[BFS_LEVEL(S->turn)];
        }
    }

    L->digest = 0;
    workgroup_barrier();
    S->size = 0;
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size())
        S->size += bfs_digest(v, A->levels[v]);
    atomic_add(&L->digest, S->size);
    workgroup_barrier();
    if (coop_local_id() == 0)
        atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest);
    coop_end();
}

#include "coop_run.clh"
