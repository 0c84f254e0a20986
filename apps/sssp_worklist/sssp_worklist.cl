/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths by worklists (FSE'17 Tab. 1: l-sssp, LonestarGPU's sssp). Vertices that have changed wait in
 * one of two lists: those nearer than a limit in the near queue, the others in the far pile (Davidson, Baxter,
 * Garland, Owens: Work-efficient parallel GPU methods for single-source shortest paths, IPDPS 2014, after the
 * buckets of Meyer and Sanders' Delta-stepping). Once the near queue is empty, all that is nearer than the limit
 * is final; then the limit goes up by delta, and the pile is gone through for what is nearer now.
 *
 * A path of thousands of edges is a matter of latency. So a workgroup does not give what it finds to all at
 * once: it takes a share of the near queue into local memory and goes on with what it finds there, step after
 * step without a global barrier, until its time is over. Two workgroups may then do a vertex after each other
 * that one would have done once, but never one whose turn is after the limit. A narrow frontier is the share of
 * workgroup 0 alone and stays in its local memory from one resizing barrier to the next.
 *
 * A vertex is in the near queue at most once, since its word (sssp_abi.h) says whether it waits, and its
 * distance in which list. The edges of hubs are cut into chunks, which all workgroups share.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint4 *restrict, records) /* two of each: columns, weights */                   \
    X(const global uint2 *restrict, rows) /* of each vertex: other records, from where, how many */\
    X(volatile global uint *, words)                                                               \
    X(volatile global uint *, digests)   /* of each run */                                         \
    X(global uint *, nears)              /* two queues of `vertices` words */                      \
    X(global uint *, fars)               /* two piles of as many */                                \
    X(global uint4 *, chunks)            /* first record, how many, distance */                    \
    X(volatile global uint *, tallies)   /* WORKLIST_TALLIES, WORKLIST_LINE apart */               \
    X(uint, vertices)                                                                              \
    X(uint, source)                                                                                \
    X(uint, delta) /* to begin with */                                                             \
    X(uint, hubs)  /* 1: there are some */

#define WORKLIST_ROOM 2048u /* vertices in local memory, of each list */

#define COOP_TRANSMIT                                                                              \
    uint round;                                                                                    \
    uint from, size;   /* done, and all: of the near queue, of the hubs' records, of the pile, of the vertices */ \
    uint pile;         /* number of the far pile */                                                \
    uint low, limit;   /* the limit before, and now */                                             \
    uint delta;                                                                                    \
    uint slices;       /* since the limit went up */                                               \
    /* of a workgroup, between two resizing barriers; of workgroup 0, if `kept`, also beyond: */   \
    uint head, tail;   /* of its vertices in local memory */                                       \
    uint step, spent;                                                                              \
    uint relaxed;      /* records */                                                               \
    uint kept;

#define COOP_LOCAL                                                                                 \
    uint near[WORKLIST_ROOM]; /* a ring */                                                         \
    uint added[3];            /* to it, in step modulo 3 */                                        \
    uint far[WORKLIST_ROOM];                                                                       \
    uint fars, nearest;       /* vertices there, and beyond; the least of their distances */       \
    uint near_base, far_base, far_count;                                                           \
    uint next_size, chunks;                                                                        \
    uint piled, raised, delta;                                                                     \
    uint digest;

#include "append.clh"
#include "sssp_worklist_abi.h"
#include "coop.clh"

#include "apps/graph/sssp.clh"

/* Time on an H200, in ns, after which a workgroup looks at the others again; a step of its own costs
 * WORKLIST_STEP and WORKLIST_VERTEX for each vertex. SHARE: vertices of the near queue that a workgroup takes at
 * least and at most. SLICE: records of hubs, or vertices of the pile. BATCH: vertices of a step. BUSY: records
 * that each workgroup relaxes between two barriers, or else delta grows. */
#ifdef COOP_OPAQUE_PHASES
#define WORKLIST_TIME   200000u
#define WORKLIST_STEP   2000u
#define WORKLIST_VERTEX 100u
#define WORKLIST_LEAST  256u
#define WORKLIST_MOST   1024u
#define WORKLIST_BATCH  256u
#define WORKLIST_SLICE  8192u
#define WORKLIST_BUSY   16u
#else
#define WORKLIST_TIME   20000u
#define WORKLIST_STEP   1300u
#define WORKLIST_VERTEX 6u
#define WORKLIST_LEAST  128u
#define WORKLIST_MOST   max((uint)COOP_LOCAL_SIZE, WORKLIST_LEAST)
#define WORKLIST_BATCH  COOP_LOCAL_SIZE
#define WORKLIST_SLICE  (2 * COOP_LOCAL_SIZE)
#define WORKLIST_BUSY   (COOP_LOCAL_SIZE / 4)
#endif

/* Tallies. Those of a round, or of a pile, are read in it, or when it is gone through, written in the one before,
 * and cleared in the one before that: nobody needs a barrier for it. */
#define WORKLIST_TALLY(kind, number) ((3 * (kind) + (number) % 3) * WORKLIST_LINE)
#define WORKLIST_NEAR(round)         WORKLIST_TALLY(0, round)
#define WORKLIST_CHUNKS(round)       WORKLIST_TALLY(1, round)
#define WORKLIST_FAR(pile)           WORKLIST_TALLY(2, pile)
#define WORKLIST_NEAREST(pile)       WORKLIST_TALLY(3, pile) /* of its distances when they were added */
#define WORKLIST_WORK(pile)          WORKLIST_TALLY(4, pile) /* records relaxed while it grew */

static inline global uint *worklist_near(const coop_args *A, uint round)
{
    return A->nears + (size_t)(round % 2) * A->vertices;
}

static inline global uint *worklist_far(const coop_args *A, uint pile)
{
    return A->fars + (size_t)(pile % 2) * A->vertices;
}

/* Vertices of the near queue that each workgroup takes. */
static inline uint worklist_share(const coop_transmit *S, const coop_view V)
{
    return clamp((S->size - S->from - 1) / coop_num_groups() + 1, WORKLIST_LEAST, WORKLIST_MOST);
}

/* Whether memory has more to do than to wait. */
static inline bool worklist_is_wide(const coop_transmit *S, const coop_view V)
{
#ifdef COOP_OPAQUE_PHASES
    return true;
#else
    return S->size > WORKLIST_LEAST * coop_num_groups();
#endif
}

/* ---- Into local memory, and out of it ---------------------------------------------------------- */

static inline void worklist_reset(local coop_local *L, uint item)
{
    if (item > 0)
        return;
    L->added[0] = L->added[1] = L->added[2] = 0;
    L->fars = 0;
    L->nearest = SSSP_UNREACHED;
}

/* Adds to the near queue of the next round, in local memory while there is room. */
static inline void worklist_add_near(const coop_args *A, const coop_transmit *S, local coop_local *L, uint vertex,
                                     uint place)
{
    if (place < WORKLIST_ROOM - (S->tail - S->head)) {
        L->near[(S->tail + place) % WORKLIST_ROOM] = vertex;
        sssp_fetch(A, vertex);
    } else {
        worklist_near(A, S->round + 1)[cb_append_global(&A->tallies[WORKLIST_NEAR(S->round + 1)], 1)] = vertex;
    }
}

static inline void worklist_add_far(const coop_args *A, local coop_local *L, uint pile, uint vertex, uint distance,
                                    uint place)
{
    if (distance < L->nearest)
        atomic_min(&L->nearest, distance);
    if (place < WORKLIST_ROOM)
        L->far[place] = vertex;
    else
        worklist_far(A, pile)[cb_append_global(&A->tallies[WORKLIST_FAR(pile)], 1)] = vertex;
}

/* Takes places for what is in local memory. */
static inline void worklist_claim(const coop_args *A, const coop_transmit *S, local coop_local *L, uint pile)
{
    uint nears = S->tail - S->head, fars = min(L->fars, WORKLIST_ROOM), near_base = 0, far_base = 0;
    if (nears)
        near_base = atomic_add(&A->tallies[WORKLIST_NEAR(S->round + 1)], nears);
    if (fars) {
        far_base = atomic_add(&A->tallies[WORKLIST_FAR(pile)], fars);
        atomic_min(&A->tallies[WORKLIST_NEAREST(pile)], L->nearest);
    }
    atomic_add(&A->tallies[WORKLIST_WORK(pile)], S->relaxed);
    L->near_base = near_base;
    L->far_base = far_base;
    L->far_count = fars;
    L->fars = 0;
    L->nearest = SSSP_UNREACHED;
}

/* What workgroup 0 has alone stays where it is. */
static inline void worklist_store(const coop_args *A, const coop_transmit *S, local coop_local *L, uint pile,
                                  uint item, uint items)
{
    global uint *near = worklist_near(A, S->round + 1), *far = worklist_far(A, pile);
    for (uint i = item; i < S->tail - S->head && !S->kept; i += items)
        near[L->near_base + i] = L->near[(S->head + i) % WORKLIST_ROOM];
    for (uint i = item; i < L->far_count; i += items)
        far[L->far_base + i] = L->far[i];
}

/* ---- Edges ------------------------------------------------------------------------------------- */

/* The words of four vertices, all asked for before the first is used. */
static inline uint4 worklist_words(const coop_args *A, uint4 vertices)
{
    return (uint4)(A->words[vertices.s0], A->words[vertices.s1], A->words[vertices.s2], A->words[vertices.s3]);
}

/* Whether a vertex goes into a list whose word was `seen` and is now `offer`: not if it waits there. */
static inline bool worklist_is_new(const coop_transmit *S, uint seen, uint offer)
{
    bool waits = seen & SSSP_CHANGED, changes = sssp_distance(seen) >= S->limit && sssp_distance(offer) < S->limit;
    return offer < seen && (!waits || changes);
}

static inline void worklist_add(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                const uint column[4], const uint offer[4], const uint seen[4])
{
    bool added[4], near[4];
    uint nears = 0, fars = 0;
#pragma unroll
    for (uint k = 0; k < 4; k++) {
        added[k] = worklist_is_new(S, seen[k], offer[k]);
        near[k] = sssp_distance(offer[k]) < S->limit;
        nears += added[k] && near[k] && !(column[k] & SSSP_HUB);
        fars += added[k] && !near[k];
    }
    uint near_place = cb_append_local(&L->added[S->step % 3], nears);
    uint far_place = cb_append_local(&L->fars, fars);
#pragma unroll
    for (uint k = 0; k < 4; k++) {
        if (!added[k])
            continue;
        if (!near[k])
            worklist_add_far(A, L, S->pile, column[k] & ~SSSP_HUB, sssp_distance(offer[k]), far_place++);
        else if (column[k] & SSSP_HUB) /* done once a round, so that there is room for its chunks */
            worklist_add_near(A, S, L, column[k] & ~SSSP_HUB, WORKLIST_ROOM);
        else
            worklist_add_near(A, S, L, column[k], near_place++);
    }
}

/* Relaxes the four edges of a record. With `look`, minima are made only of words that are larger, which saves
 * atomics, but takes a trip to memory more. Always inline: a call would keep all of S in memory. */
static inline __attribute__((always_inline)) void worklist_relax(const coop_args *A, const coop_transmit *S,
                                                                 local coop_local *L, uint4 columns,
                                                                 uint4 weights, uint distance, bool look)
{
    uint4 offers = sssp_offers(distance, weights);
    if (look) {
        int4 lower = offers < worklist_words(A, columns & ~SSSP_HUB);
        if (!any(lower))
            return;
        offers = select((uint4)SSSP_NOTHING, offers, lower);
    }
    uint column[4] = {columns.s0, columns.s1, columns.s2, columns.s3};
    uint offer[4] = {offers.s0, offers.s1, offers.s2, offers.s3}, seen[4];
#pragma unroll
    for (uint k = 0; k < 4; k++)
        seen[k] = offer[k] != SSSP_NOTHING ? atomic_min(&A->words[column[k] & ~SSSP_HUB], offer[k]) : 0;
    worklist_add(A, S, L, column, offer, seen);
}

static inline void worklist_cut(const coop_args *A, const coop_transmit *S, uint2 row, uint distance)
{
    uint chunks = worklist_chunks(row.y);
    uint place = atomic_add(&A->tallies[WORKLIST_CHUNKS(S->round)], chunks);
    for (uint c = 0, r = 0; c < chunks; c++, r += WORKLIST_CHUNK)
        A->chunks[place + c] = (uint4)(row.x + r, min(row.y - r, WORKLIST_CHUNK), distance, 0);
}

/* Relaxes the edges of a vertex, if it waits for that. */
static inline void worklist_expand(const coop_args *A, const coop_transmit *S, local coop_local *L, uint v,
                                   bool look)
{
    uint4 columns = A->records[2 * v], weights = A->records[2 * v + 1];
    uint word = atomic_and(&A->words[v], ~SSSP_CHANGED), distance = sssp_distance(word);
    if (!(word & SSSP_CHANGED))
        return;
    worklist_relax(A, S, L, columns, weights, distance, look);
    if (!(weights.s3 & SSSP_MORE))
        return;
    uint2 row = A->rows[v];
    if (row.y > SSSP_FEW)
        worklist_cut(A, S, row, distance);
    else
        for (uint r = row.x; r < row.x + row.y; r++)
            worklist_relax(A, S, L, A->records[2 * r], A->records[2 * r + 1], distance, look);
}

/* ---- The near queue ---------------------------------------------------------------------------- */

static inline void worklist_load(const coop_args *A, coop_transmit *S, local coop_local *L, const coop_view V)
{
    const global uint *near = worklist_near(A, S->round);
    uint share = worklist_share(S, V), first = S->from + coop_group_id() * share;
    S->head = 0;
    S->tail = min(S->size - first, share);
    S->step = 0;
    for (uint i = coop_local_id(); i < S->tail; i += coop_local_size()) {
        L->near[i] = near[first + i];
        sssp_fetch(A, L->near[i]);
    }
    worklist_reset(L, coop_local_id());
}

static inline uint worklist_batch(const coop_transmit *S)
{
    return min(S->tail - S->head, (uint)WORKLIST_BATCH);
}

/* Relaxes the edges of the first vertices in local memory. */
static inline void worklist_step(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                 const coop_view V)
{
    bool look = worklist_is_wide(S, V);
    uint batch = worklist_batch(S);
    if (coop_local_id() == 0)
        L->added[(S->step + 1) % 3] = 0;
    for (uint i = coop_local_id(); i < batch; i += coop_local_size())
        worklist_expand(A, S, L, L->near[(S->head + i) % WORKLIST_ROOM], look);
}

/* Behind the step's barrier: what it has added comes behind the rest, and its batch is gone. */
static inline void worklist_advance(coop_transmit *S, const local coop_local *L)
{
    uint batch = worklist_batch(S);
    S->tail += min(L->added[S->step % 3], WORKLIST_ROOM - (S->tail - S->head));
    S->head += batch;
    S->step++;
    S->relaxed += batch;
    S->spent += WORKLIST_STEP + WORKLIST_VERTEX * batch;
}

/* Whether workgroup 0, which was alone, goes on so. All take part in hubs. */
static inline bool worklist_stays_alone(const coop_args *A, const coop_transmit *S, const local coop_local *L)
{
    uint left = S->tail - S->head;
    if (COOP_MODE == COOP_MULTIKERNEL || A->hubs) /* where local memory does not stay; see above */
        return false;
    return S->size <= WORKLIST_LEAST && left > 0 && left <= WORKLIST_LEAST && L->near_base == 0;
}

/* ---- Hubs and the far pile --------------------------------------------------------------------- */

/* Nothing in local memory: what is found from here on is only stored. */
static inline void worklist_collect(coop_transmit *S, local coop_local *L, uint item)
{
    S->head = S->tail = S->step = S->kept = 0;
    worklist_reset(L, item);
}

static inline void worklist_relax_chunks(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                         const coop_view V)
{
    uint first = S->from + coop_group_id() * WORKLIST_SLICE, each = (WORKLIST_SLICE - 1) / coop_local_size() + 1;
    for (uint k = 0; k < each; k++) {
        uint turn = sssp_turn(k, each, coop_local_id(), coop_local_size()), i = first + turn;
        if (turn >= WORKLIST_SLICE || i >= S->size)
            return;
        uint4 chunk = A->chunks[i / WORKLIST_CHUNK];
        uint record = chunk.s0 + i % WORKLIST_CHUNK;
        if (i % WORKLIST_CHUNK < chunk.s1)
            worklist_relax(A, S, L, A->records[2 * record], A->records[2 * record + 1], chunk.s2, true);
    }
}

/* What the pile holds that is nearer than the limit goes into the near queue; what was nearer before is done
 * long since; the rest goes to the next pile. */
static inline void worklist_sort_pile(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                      const coop_view V)
{
    const global uint *pile = worklist_far(A, S->pile);
    uint first = S->from + coop_group_id() * WORKLIST_SLICE, each = (WORKLIST_SLICE - 1) / coop_local_size() + 1;
    for (uint k = 0; k < each; k++) {
        uint turn = sssp_turn(k, each, coop_local_id(), coop_local_size()), i = first + turn;
        if (turn >= WORKLIST_SLICE || i >= S->size)
            return;
        uint v = pile[i], distance = sssp_distance(A->words[v]);
        bool near = distance >= S->low && distance < S->limit, far = distance >= S->limit;
        uint near_place = cb_append_local(&L->added[0], near), far_place = cb_append_local(&L->fars, far);
        if (near)
            worklist_add_near(A, S, L, v, near_place);
        if (far)
            worklist_add_far(A, L, S->pile + 1, v, distance, far_place);
    }
}

/* Delta follows the work: too few records between two barriers, and it doubles; many, and it halves. */
static inline uint worklist_delta(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    ulong work = A->tallies[WORKLIST_WORK(S->pile)], busy = (ulong)S->slices * WORKLIST_BUSY * coop_num_groups();
    if (work < busy)
        return min(2 * S->delta, SSSP_FARTHEST / 2);
    return work > 16 * busy ? max(S->delta / 2, A->delta) : S->delta;
}

/* One work-item looks for its workgroup, since all that look at one word do so one after the other. */
static inline void worklist_raise(const coop_args *A, const coop_transmit *S, local coop_local *L, const coop_view V)
{
    uint nearest = A->tallies[WORKLIST_NEAREST(S->pile)];
    L->piled = A->tallies[WORKLIST_FAR(S->pile)];
    L->delta = worklist_delta(A, S, V);
    L->raised = min(nearest, SSSP_FARTHEST + 1 - L->delta) + L->delta;
}

static inline void worklist_raised(coop_transmit *S, const local coop_local *L)
{
    S->size = L->piled;
    S->delta = L->delta;
    S->low = S->limit;
    S->limit = L->raised;
    S->slices = 0;
}

/* ---- The kernel -------------------------------------------------------------------------------- */

static inline void worklist_clear_round(const coop_args *A, uint round)
{
    A->tallies[WORKLIST_NEAR(round)] = A->tallies[WORKLIST_CHUNKS(round)] = 0;
}

static inline void worklist_clear_pile(const coop_args *A, uint pile)
{
    A->tallies[WORKLIST_FAR(pile)] = A->tallies[WORKLIST_WORK(pile)] = 0;
    A->tallies[WORKLIST_NEAREST(pile)] = SSSP_UNREACHED;
}

static inline void worklist_begin(const coop_args *A, const coop_view V)
{
    if (coop_global_id() > 0)
        return;
    A->nears[0] = A->source;
    A->digests[coop_run() % COOP_MAX_RUNS] = 0;
    worklist_clear_round(A, 0);
    worklist_clear_round(A, 1);
    worklist_clear_pile(A, 0);
    worklist_clear_pile(A, 1);
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

    S->round = S->pile = S->low = S->slices = S->kept = 0;
    S->size = 1;
    S->delta = S->limit = A->delta;
    while (true) {
        if (coop_global_id() == 0)
            worklist_clear_round(A, S->round + 2);
        if (S->size > 0) {
            for (S->from = 0; S->from < S->size;) {
                S->slices++;
                if (S->from + coop_group_id() * worklist_share(S, V) < S->size) {
                    if (!S->kept || coop_group_id() > 0) { /* who has joined has 0's `kept` */
                        worklist_load(A, S, L, V);
                        workgroup_barrier();
                    }
                    S->spent = S->relaxed = 0;
                    do {
                        worklist_step(A, S, L, V);
                        workgroup_barrier();
                        worklist_advance(S, L);
                    } while (S->head != S->tail && S->spent < WORKLIST_TIME);
                    if (coop_local_id() == 0)
                        worklist_claim(A, S, L, S->pile);
                    workgroup_barrier();
                    S->kept = worklist_stays_alone(A, S, L);
                    worklist_store(A, S, L, S->pile, coop_local_id(), coop_local_size());
                }
                S->from += worklist_share(S, V) * coop_num_groups();
                resizing_global_barrier();
            }
            if (A->hubs) {
                if (coop_local_id() == 0)
                    L->chunks = A->tallies[WORKLIST_CHUNKS(S->round)];
                workgroup_barrier();
                S->size = L->chunks * WORKLIST_CHUNK;
                for (S->from = 0; S->from < S->size;) {
                    S->slices++;
                    if (S->from + coop_group_id() * WORKLIST_SLICE < S->size) {
                        worklist_collect(S, L, coop_local_id());
                        workgroup_barrier();
                        worklist_relax_chunks(A, S, L, V);
                        workgroup_barrier();
                        S->tail = min(L->added[0], WORKLIST_ROOM);
                        S->relaxed = WORKLIST_SLICE;
                        if (coop_local_id() == 0)
                            worklist_claim(A, S, L, S->pile);
                        workgroup_barrier();
                        worklist_store(A, S, L, S->pile, coop_local_id(), coop_local_size());
                    }
                    S->from += WORKLIST_SLICE * coop_num_groups();
                    resizing_global_barrier();
                }
            }
        } else {
            if (coop_local_id() == 0)
                worklist_raise(A, S, L, V);
            workgroup_barrier();
            worklist_raised(S, L);
            if (S->size == 0)
                break;
            if (coop_global_id() == 0)
                worklist_clear_pile(A, S->pile + 2);
            for (S->from = 0; S->from < S->size;) {
                if (S->from + coop_group_id() * WORKLIST_SLICE < S->size) {
                    worklist_collect(S, L, coop_local_id());
                    workgroup_barrier();
                    worklist_sort_pile(A, S, L, V);
                    workgroup_barrier();
                    S->tail = min(L->added[0], WORKLIST_ROOM);
                    S->relaxed = 0;
                    if (coop_local_id() == 0)
                        worklist_claim(A, S, L, S->pile + 1);
                    workgroup_barrier();
                    worklist_store(A, S, L, S->pile + 1, coop_local_id(), coop_local_size());
                }
                S->from += WORKLIST_SLICE * coop_num_groups();
                resizing_global_barrier();
            }
            S->pile++;
        }
        S->round++;
        if (coop_local_id() == 0)
            L->next_size = A->tallies[WORKLIST_NEAR(S->round)];
        workgroup_barrier();
        S->size = L->next_size;
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
