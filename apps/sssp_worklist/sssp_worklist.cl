/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths by worklists (FSE'17 Tab. 1: l-sssp, LonestarGPU's sssp). Vertices that have
 * changed wait in one of two lists: those nearer than a limit in the near queue, the others in the
 * far pile (Davidson, Baxter, Garland, Owens: Work-efficient parallel GPU methods for single-source
 * shortest paths, IPDPS 2014, after the buckets of Meyer and Sanders' Delta-stepping). Once the
 * near queue is empty, all that is nearer than the limit is final; then the limit goes up by delta,
 * and the pile is gone through for what is nearer now.
 *
 * A path of thousands of edges is a matter of latency. So a workgroup does not give what it finds
 * to all at once: it takes a share of the near queue into local memory and goes on with what it
 * finds there, step after step without a global barrier, until its time is over. Two workgroups may
 * then do a vertex after each other that one would have done once, but never one whose turn is
 * after the limit. A narrow frontier is the share of workgroup 0 alone and stays in its local
 * memory from one resizing barrier to the next.
 *
 * A vertex is in the near queue at most once, since its word (sssp_abi.h) says whether it waits,
 * and its distance in which list. The edges of hubs are cut into chunks, a third list, which all
 * workgroups share. One list after the other is gone through in slices, with a resizing barrier
 * after each.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint4 *restrict, records) /* two of each: columns, weights */                   \
    X(const global uint2 *restrict,                                                                \
      rows) /* of each vertex: other records, from where, how many */                              \
    X(volatile global uint *, words)                                                               \
    X(volatile global uint *, digests) /* of each run */                                           \
    X(global uint *, nears)            /* two queues of `vertices` words */                        \
    X(global uint *, fars)             /* two piles of as many */                                  \
    X(global uint4 *, chunks)          /* first record, how many, distance */                      \
    X(volatile global uint *, tallies) /* WORKLIST_TALLIES, WORKLIST_LINE apart */                 \
    X(uint, vertices)                                                                              \
    X(uint, source)                                                                                \
    X(uint, delta) /* the least */                                                                 \
    X(uint, hubs)  /* 1: there are some */

#define WORKLIST_ROOM 2048u /* vertices in local memory, near and far */
#define WORKLIST_HELD 1024u /* near hubs in local memory */
#define WORKLIST_CUTS 1024u /* hubs of a share of the near queue */

#define COOP_TRANSMIT                                                                              \
    uint list;       /* which is gone through: WORKLIST_NEAR, ... */                               \
    uint from, size; /* done, and all: of the list, or of the vertices */                          \
    uint round;      /* number of the near queue */                                                \
    uint pile;       /* number of the far pile */                                                  \
    uint low, limit; /* the limit before, and now */                                               \
    uint delta;                                                                                    \
    uint slices; /* since the limit went up */                                                     \
    /* A workgroup keeps these between resizing barriers, workgroup 0, if `kept`, also beyond: */  \
    uint head, tail; /* of its near vertices in local memory */                                    \
    uint step, spent;                                                                              \
    uint relaxed; /* records */                                                                    \
    uint kept;

#define COOP_LOCAL                                                                                 \
    uint near[WORKLIST_ROOM]; /* a ring */                                                         \
    uint added[3];            /* to it, in step modulo 3 */                                        \
    uint far[WORKLIST_ROOM];                                                                       \
    uint fars, nearest;       /* vertices there, and beyond; the least of their distances */       \
    uint held[WORKLIST_HELD]; /* near, too, but not to be done before all share it */              \
    uint hubs;                                                                                     \
    uint cut[WORKLIST_CUTS]; /* hubs that are to be cut into chunks */                             \
    uint cuts, chunks;                                                                             \
    uint near_base, far_base, chunk_base, far_count, held_count, cut_count;                        \
    struct {                                                                                       \
        uint list, size, round, pile, limit, delta;                                                \
    } next;                                                                                        \
    uint digest;

#include "append.clh"
#include "sssp_worklist_abi.h"

#include "coop.clh"

#include "apps/shared/sssp.clh"

enum worklist_list { WORKLIST_NEAR, WORKLIST_HUBS, WORKLIST_FAR };

/* TIME: ns on an H200 after which a workgroup looks at the others again; a step costs STEP, and
 * VERTEX for each vertex, or WIDE when all have so many that memory is the limit. LEAST: near or
 * far vertices that a workgroup takes, so that a few are not shared out among many. MOST_NEAR,
 * MOST_FAR, MOST_CHUNKS: what it takes at most. BATCH: vertices of a step. LANES: work-items that
 * share a chunk. BUSY, BUSY_ALL: records that a workgroup, and that all relax between two barriers,
 * or else delta grows. */
#ifdef COOP_CPU_DEVICE
#define WORKLIST_TIME        200000u
#define WORKLIST_STEP        2000u
#define WORKLIST_VERTEX      100u
#define WORKLIST_WIDE        100u
#define WORKLIST_LEAST       128u
#define WORKLIST_MOST_NEAR   1024u
#define WORKLIST_MOST_FAR    8192u
#define WORKLIST_MOST_CHUNKS 256u
#define WORKLIST_BATCH       256u
#define WORKLIST_LANES       1u
#define WORKLIST_BUSY        32u
#define WORKLIST_BUSY_ALL    128u
#else
#define WORKLIST_TIME        10000u
#define WORKLIST_STEP        1300u
#define WORKLIST_VERTEX      6u
#define WORKLIST_WIDE        40u
#define WORKLIST_LEAST       128u
#define WORKLIST_MOST_NEAR   max(COOP_WG_SIZE + 0u, WORKLIST_LEAST)
#define WORKLIST_MOST_FAR    max(2u * COOP_WG_SIZE, WORKLIST_LEAST)
#define WORKLIST_MOST_CHUNKS max(COOP_WG_SIZE / 16u, 1u)
#define WORKLIST_BATCH       (COOP_WG_SIZE + 0u)
#define WORKLIST_LANES       WORKLIST_CHUNK
#define WORKLIST_BUSY        (COOP_WG_SIZE / 4u)
#define WORKLIST_BUSY_ALL    0u
#endif

/* Tallies of a round, and of a pile. They are written in the round before, or while the pile grows,
 * then read, and cleared one later, so that no barrier is needed for it. */
#define WORKLIST_TALLY(kind, number) ((3 * (kind) + (number) % 3) * WORKLIST_LINE)
#define WORKLIST_NEARS(round)        WORKLIST_TALLY(0, round)
#define WORKLIST_CHUNKS(round)       WORKLIST_TALLY(1, round) /* written and read in the round */
#define WORKLIST_FARS(pile)          WORKLIST_TALLY(2, pile)
#define WORKLIST_NEAREST(pile)       WORKLIST_TALLY(3, pile) /* of its distances as they come in */
#define WORKLIST_WORK(pile)          WORKLIST_TALLY(4, pile) /* records relaxed meanwhile */

static inline global uint *worklist_nears(const coop_args *A, uint round)
{
    return A->nears + (size_t)(round % 2) * A->vertices;
}

static inline global uint *worklist_fars(const coop_args *A, uint pile)
{
    return A->fars + (size_t)(pile % 2) * A->vertices;
}

/* What of the list each workgroup takes in this slice. */
static inline uint worklist_share(const coop_transmit *S, const coop_view V)
{
    uint least = S->list == WORKLIST_HUBS ? 1 : WORKLIST_LEAST, most = WORKLIST_MOST_NEAR;
    if (S->list != WORKLIST_NEAR)
        most = S->list == WORKLIST_HUBS ? WORKLIST_MOST_CHUNKS : WORKLIST_MOST_FAR;
    return clamp((S->size - S->from - 1) / coop_num_groups() + 1, least, most);
}

static inline uint worklist_first(const coop_transmit *S, const coop_view V)
{
    return S->from + coop_group_id() * worklist_share(S, V);
}

#include "far.clh"
#include "lists.clh"
#include "near.clh"
#include "relax.clh"

/* ---- From list to list ----------------------------------------------------------------------- */

static inline void worklist_clear_round(const coop_args *A, uint round)
{
    A->tallies[WORKLIST_NEARS(round)] = A->tallies[WORKLIST_CHUNKS(round)] = 0;
}

static inline void worklist_clear_pile(const coop_args *A, uint pile)
{
    A->tallies[WORKLIST_FARS(pile)] = A->tallies[WORKLIST_WORK(pile)] = 0;
    A->tallies[WORKLIST_NEAREST(pile)] = SSSP_UNREACHED;
}

/* Which list is next: the chunks of the round, the near queue of the next round, or, if that is
 * empty, the pile. One work-item looks for its workgroup: all that look at one word do so one after
 * the other. */
static inline void worklist_look(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                 const coop_view V)
{
    uint list = WORKLIST_HUBS, round = S->round, pile = S->pile + (S->list == WORKLIST_FAR);
    uint size = S->list == WORKLIST_NEAR && A->hubs ? A->tallies[WORKLIST_CHUNKS(round)] : 0;
    uint nears = A->tallies[WORKLIST_NEARS(round + 1)];
    L->next.limit = S->limit;
    L->next.delta = S->delta;
    if (size == 0) {
        list = WORKLIST_NEAR;
        size = nears;
        round++;
        if (coop_group_id() == 0)
            worklist_clear_round(A, round + 2);
    }
    if (size == 0) {
        list = WORKLIST_FAR;
        size = A->tallies[WORKLIST_FARS(pile)];
        worklist_raise(A, S, L, V, pile);
        if (coop_group_id() == 0)
            worklist_clear_pile(A, pile + 2);
    }
    L->next.list = list;
    L->next.size = size;
    L->next.round = round;
    L->next.pile = pile;
}

static inline void worklist_turn(coop_transmit *S, const local coop_local *L)
{
    if (L->next.list == WORKLIST_FAR) {
        S->low = S->limit;
        S->slices = 0;
    }
    S->list = L->next.list;
    S->from = 0;
    S->size = L->next.size;
    S->round = L->next.round;
    S->pile = L->next.pile;
    S->limit = L->next.limit;
    S->delta = L->next.delta;
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static inline void worklist_begin(const coop_args *A, const coop_view V)
{
    if (coop_global_id() > 0)
        return;
    A->nears[0] = A->source;
    A->digests[coop_run() % COOP_MAX_RUNS] = 0;
    for (uint i = 0; i < 2; i++) {
        worklist_clear_round(A, i);
        worklist_clear_pile(A, i);
    }
    worklist_clear_round(A, 2);
}

coop_kernel(sssp_worklist)
{
    coop_begin();
    worklist_begin(A, V);
    for (S->from = 0; S->from < A->vertices;) {
        sssp_clear(A, V, S->from);
        S->from += SSSP_SWEEP * coop_global_size();
        resizing_global_barrier();
    }

    S->list = WORKLIST_NEAR;
    S->from = S->round = S->pile = S->slices = S->kept = 0;
    S->size = 1;
    S->delta = S->limit = A->delta;
    while (S->size > 0) {
        S->slices++;
        if (worklist_first(S, V) < S->size) {
            if (S->list == WORKLIST_NEAR) {
                if (!S->kept || coop_group_id() > 0) { /* one that has joined has 0's `kept` */
                    worklist_load(A, S, L, V);
                    workgroup_barrier();
                }
                S->spent = S->relaxed = 0;
                do {
                    worklist_step(A, S, L, V);
                    workgroup_barrier();
                    worklist_advance(S, L, V);
                } while (S->head != S->tail && S->spent < WORKLIST_TIME);
            } else {
                worklist_collect(S, L, coop_local_id());
                workgroup_barrier();
                if (S->list == WORKLIST_HUBS)
                    worklist_relax_chunks(A, S, L, V);
                else
                    worklist_sort_pile(A, S, L, V);
                workgroup_barrier();
                worklist_collected(S, L, V);
            }
            if (coop_local_id() == 0)
                worklist_claim(A, S, L);
            workgroup_barrier();
            S->kept = worklist_stays_alone(A, S, L);
            worklist_store(A, S, L, coop_local_id(), coop_local_size());
        }
        S->from += worklist_share(S, V) * coop_num_groups();
        resizing_global_barrier();
        if (S->from < S->size)
            continue;
        if (coop_local_id() == 0)
            worklist_look(A, S, L, V);
        workgroup_barrier();
        worklist_turn(S, L);
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
