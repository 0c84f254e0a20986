/* SPDX-License-Identifier: Apache-2.0
 *
 * Delaunay mesh refinement (LonestarGPU's dmr, OOPSLA'16 Section 5.3): Ruppert's algorithm, until
 * no triangle has an angle below 30 degrees. In a turn, the bad triangles of a slice of the list
 * find their cavities and mark them; then those whose marks have stayed are refined, the others are
 * put on the next list, and so are new bad triangles. Each step takes as many phases as it needs.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint4 *restrict, first_corners) /* the mesh that is refined */                  \
    X(const global uint4 *restrict, first_links)                                                   \
    X(global int2 *, points)                                                                       \
    X(global uint4 *, corners)                                                                     \
    X(global uint *, links)            /* four words a triangle */                                 \
    X(volatile global uint *, marks)   /* of each triangle: whose it is in this turn */            \
    X(global uint *, listed)           /* of each triangle: 1: it is on a list */                  \
    X(global uint *, lists)            /* two of triangle_room words */                            \
    X(global uint *, rooms)            /* a large one, then one for each place of a slice */       \
    X(volatile global uint *, words)   /* DMR_WORDS */                                             \
    X(volatile global uint *, digests) /* of each run */                                           \
    X(uint, n_points)                                                                              \
    X(uint, n_triangles)                                                                           \
    X(uint, triangle_room)

#define COOP_TRANSMIT                                                                              \
    uint step, phase;     /* what is done, and how many phases were before */                      \
    uint done;            /* of the triangles to copy or to sum up */                              \
    uint begun;           /* 1: the step goes on with what the last phase left */                  \
    uint pass, size;      /* which list is read, and how long it is */                             \
    uint first, count;    /* of its block: where it begins, how long it is */                      \
    uint slices, slice;   /* of the block: how many, and which one is next */                      \
    uint waiting, asides; /* put aside so far; in this turn, which is of no slice then */

#define COOP_LOCAL uint pending, seen, is_wanted, digest;

#include "append.clh"
#include "coop.clh"
#include "dmr_abi.h"

enum { DMR_COPY, DMR_CLAIM, DMR_SETTLE, DMR_SUM, DMR_END };

/* The most that is done in a phase: triangles of a workgroup in a slice, and those of the cavity of
 * one; moves of a work-item; triangles that it copies or sums up. On a CPU, whose work-items go
 * one after the other, barriers cost more. */
#ifdef COOP_CPU_DEVICE
#define DMR_TAKES 64u
#define DMR_SMALL DMR_CAVITY
#define DMR_MOVES 2048u
#define DMR_EACH  64u
#define DMR_WARP  ((uint)COOP_WG_SIZE)
#else
#define DMR_TAKES min(DMR_SHARE, (uint)COOP_WG_SIZE)
#define DMR_SMALL 16u
#define DMR_MOVES 64u
#define DMR_EACH  4u
#define DMR_WARP  ((uint)COOP_WG_SIZE % 32 == 0 ? 32u : (uint)COOP_WG_SIZE)
#endif

/* Warps of a workgroup, and moves after which each of them asks once whether the scheduler
 * waits. */
#define DMR_WARPS ((uint)COOP_WG_SIZE / DMR_WARP)
#define DMR_ASKS  max(8u, DMR_WARPS)

/* The moves that a work-item has left in a phase: a visit to an edge, a batch of marks, some new
 * triangles. What a launch of multikernel mode does has no bound. */
typedef struct {
    uint left;
    uint seen; /* in the move before: not 0 if the scheduler waits for the end of the phase */
    volatile local uint *is_wanted; /* 1: some work-item of the workgroup has */
} dmr_moves;

static inline dmr_moves dmr_begin_moves(local coop_local *L)
{
    dmr_moves m = {COOP_MODE == COOP_MULTIKERNEL ? 0xffffffffu : DMR_MOVES, 0, &L->is_wanted};
    return m;
}

/* Makes one, the last one if the scheduler waits. All ask for the same word, so warps take turns,
 * and look at the answer in the next move: then it is there. */
static inline void dmr_move(dmr_moves *moves, const coop_view V)
{
    if (moves->seen)
        *moves->is_wanted = 1;
    moves->seen = 0;
    if ((moves->left + coop_local_id() / DMR_WARP * (DMR_ASKS / DMR_WARPS)) % DMR_ASKS == 0)
        moves->seen = coop_resize_is_wanted();
    moves->left = *moves->is_wanted ? 0 : moves->left - 1;
}

#include "cavity.clh"
#include "refine.clh"

/* A block of the list is done in so many slices, the last ones of a list in fewer: triangles next
 * to each other on the list, whose cavities have triangles in common, are in different ones. Blocks
 * are small, for the caches. */
#define DMR_STRIDE 8u

/* Instead of a size: nothing more is refined. */
#define DMR_NO_MORE 0xffffffffu

/* The next block of the list. All workgroups begin with it, with the same number of them. */
static inline void dmr_begin_block(coop_transmit *S, uint first, const coop_view V)
{
    uint most = min(DMR_TAKES * coop_num_groups(), DMR_SLICE);
    S->first = first;
    S->count = min(S->size - first, DMR_STRIDE * most);
    S->slices = (S->count + most - 1) / most;
    S->slice = 0;
}

static inline void dmr_begin_pass(coop_transmit *S, uint pass, uint size, const coop_view V)
{
    S->pass = pass;
    S->size = size;
    dmr_begin_block(S, 0, V);
}

/* ---- Phases ---------------------------------------------------------------------------------- */

static inline uint dmr_each(const coop_transmit *S, const coop_view V)
{
    return COOP_MODE == COOP_MULTIKERNEL ? S->size / coop_global_size() + 1 : DMR_EACH;
}

/* for (uint t = ...): a work-item's triangles of the mesh, in this phase. */
#define DMR_TRIANGLES_OF_PHASE(S, V, t)                                                            \
    for (uint k = 0, t = (S)->done + coop_global_id(); k < dmr_each(S, V) && t < (S)->size;        \
         k++, t += coop_global_size())

/* Copies the mesh; all of its triangles are on the first list. */
static inline void dmr_copy(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    DMR_TRIANGLES_OF_PHASE(S, V, t)
    {
        A->corners[t] = A->first_corners[t];
        ((global uint4 *)A->links)[t] = A->first_links[t];
        A->marks[t] = DMR_FREE;
        A->listed[t] = 1;
    }
    for (uint w = coop_global_id(); w < DMR_WORDS && S->done == 0; w += coop_global_size())
        A->words[w] = w == DMR_POINTS ? A->n_points : w == DMR_TRIANGLES ? A->n_triangles : 0;
}

/* A work-item's rank in its workgroup: the first of each warp come before the second ones. */
static inline uint dmr_rank(const coop_view V)
{
    return coop_local_id() % DMR_WARP * DMR_WARPS + coop_local_id() / DMR_WARP;
}

/* for (uint i = ...): a work-item's places in the turn. There may be fewer than work-items; however
 * few there are, all workgroups have as many, and all warps of each: the fewer work-items of a warp
 * have one, the less they wait for each other. */
#define DMR_PLACES_OF_TURN(S, V, i)                                                                \
    for (uint i = dmr_rank(V) * coop_num_groups() + coop_group_id(); i < dmr_places(S);            \
         i += coop_global_size())

/* Whether there is more to do. */
static inline bool dmr_claim_all(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                 const coop_view V)
{
    dmr_moves moves = dmr_begin_moves(L);
    bool more = false;
    DMR_PLACES_OF_TURN(S, V, i)
    {
        if (!S->begun)
            dmr_begin_claim(A, S, i);
        more |= dmr_claim(A, S, i, &moves, V);
    }
    return more;
}

static inline bool dmr_settle_all(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                  const coop_view V)
{
    dmr_moves moves = dmr_begin_moves(L);
    bool more = false;
    DMR_PLACES_OF_TURN(S, V, i)
    more |= dmr_settle(A, S, i, &moves, V);
    return more;
}

/* A work-item's part of the digest. */
static inline uint dmr_digest_of(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    uint sum = S->done == 0 && coop_global_id() == 0 ? dmr_first_digest(A) : 0;
    DMR_TRIANGLES_OF_PHASE(S, V, t)
    sum += dmr_triangle_digest(A, t);
    return sum;
}

/* ---- What comes next ------------------------------------------------------------------------- */

static inline void dmr_begin_step(coop_transmit *S, uint step)
{
    S->step = step;
    S->begun = S->done = 0;
}

/* Once all triangles of the turn are seen to: those that were put aside, if they are enough or the
 * list has ended; or the next slice. */
static inline void dmr_begin_turn(coop_transmit *S, uint next_size, const coop_view V)
{
    S->slice += S->asides == 0;
    bool ended = S->slice == S->slices && S->first + S->count == S->size;
    S->asides = S->waiting >= (ended ? 1 : DMR_ASIDE / 2) ? S->waiting : 0;
    S->waiting -= S->asides;
    if (S->asides == 0 && ended)
        dmr_begin_pass(S, S->pass + 1, next_size, V);
    else if (S->asides == 0 && S->slice == S->slices)
        dmr_begin_block(S, S->first + S->count, V);
}

/* The words that a step may need clear after this phase: nobody uses them now. */
static inline void dmr_clear_words(const coop_args *A, const coop_transmit *S)
{
    A->words[DMR_PENDING(S->phase + 1)] = 0;
    if (S->step == DMR_CLAIM)
        A->words[DMR_SIZE(S->pass + 2)] = 0;
    if (S->step == DMR_SETTLE && S->asides)
        A->words[DMR_ASIDES] = 0;
}

/* Reads what the workgroup needs to know after a phase: one work-item does, since many would read
 * one after the other. */
static inline void dmr_see(const coop_args *A, const coop_transmit *S, local coop_local *L)
{
    L->is_wanted = 0;
    L->pending = A->words[DMR_PENDING(S->phase)];
    if (S->step == DMR_CLAIM)
        L->seen = A->words[DMR_ASIDES];
    else if (A->words[DMR_STOP])
        L->seen = DMR_NO_MORE;
    else
        L->seen = A->words[DMR_SIZE(S->pass + 1)];
}

/* After a phase. */
static inline void dmr_go_on(const coop_args *A, coop_transmit *S, bool pending, uint seen,
                             const coop_view V)
{
    uint step = S->step;
    S->phase++;
    S->begun = 1;
    if (pending || ((step == DMR_COPY || step == DMR_SUM) && S->done < S->size))
        return;
    if (step == DMR_COPY) {
        dmr_begin_step(S, DMR_CLAIM);
        dmr_begin_pass(S, 0, A->n_triangles, V);
    } else if (step == DMR_CLAIM) {
        dmr_begin_step(S, DMR_SETTLE);
        if (S->asides == 0)
            S->waiting = min(seen, dmr_most_asides(S));
    } else if (step == DMR_SETTLE) {
        dmr_begin_step(S, DMR_CLAIM);
        if (seen != DMR_NO_MORE)
            dmr_begin_turn(S, seen, V);
        if (seen == DMR_NO_MORE || S->size == 0) {
            dmr_begin_step(S, DMR_SUM);
            S->size = min(A->words[DMR_TRIANGLES], A->triangle_room);
        }
    } else {
        S->step = DMR_END;
    }
}

coop_kernel(dmr)
{
    coop_begin();
    S->step = DMR_COPY;
    S->size = A->n_triangles;
    while (S->step != DMR_END) {
        if (coop_global_id() == 0)
            dmr_clear_words(A, S);
        if (S->step == DMR_COPY) {
            dmr_copy(A, S, V);
        } else if (S->step == DMR_CLAIM) {
            if (dmr_claim_all(A, S, L, V))
                A->words[DMR_PENDING(S->phase)] = 1;
        } else if (S->step == DMR_SETTLE) {
            if (dmr_settle_all(A, S, L, V))
                A->words[DMR_PENDING(S->phase)] = 1;
        } else {
            L->digest = 0;
            workgroup_barrier();
            atomic_add(&L->digest, dmr_digest_of(A, S, V));
            workgroup_barrier();
            if (coop_local_id() == 0)
                atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest);
        }
        S->done += dmr_each(S, V) * coop_global_size();
        resizing_global_barrier();
        if (coop_local_id() == 0)
            dmr_see(A, S, L);
        workgroup_barrier();
        dmr_go_on(A, S, L->pending, L->seen, V);
    }
    coop_end();
}

#include "coop_run.clh"
