/* SPDX-License-Identifier: Apache-2.0
 *
 * Betweenness centrality (OOPSLA'16 Section 5.2: Pannotia's bc) by Brandes' algorithm. For each
 * source, level by level: its vertices reach those of the next, and add up the numbers of paths to
 * the ones before. Then back: each vertex adds up the shares of those that come after it,
 *
 *     share(v) = (1 + dependency(v)) / paths(v) = 1 / paths(v) + sum of share(w), w after v,
 *
 * so that dependency(v) = paths(v) * that sum. Both sums are gathered along edges, never scattered:
 * they need no atomics, and as the order in each is fixed, all runs agree to the last bit.
 *
 * A level is a part of the queue, gone through in slices with a barrier after each: some batches of
 * a workgroup, in which each vertex has a team of work-items. Those with very many edges are left
 * to the whole workgroup, one after the other, in further rounds of the batch.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint *restrict, rows) /* edges that leave */                                    \
    X(const global uint *restrict, columns)                                                        \
    X(const global uint *restrict, back_rows) /* edges that arrive, from where */                  \
    X(const global uint *restrict, back_columns)                                                   \
    X(volatile global uint *, stamps) /* of each vertex: S->base + level, or less: not reached */  \
    X(global uint4 *, values)         /* of each vertex its paths, then of each its share */       \
    X(global uint *, queue)           /* vertices, level after level; the source is left out */    \
    X(global uint *, begins)          /* of each level, in the queue */                            \
    X(volatile global uint *, sizes)  /* BC_SIZES words, BC_LINE apart: of a level */              \
    X(global float *, centrality)     /* of each vertex */                                         \
    X(volatile global uint *, fingerprints) /* of each vertex: see bc_fingerprint */               \
    X(volatile global uint *, digests)      /* of each run */                                      \
    X(uint, vertices)                                                                              \
    X(uint, sources)                                                                               \
    X(uint, least) /* work-items of a team */                                                      \
    X(uint, most)

#define COOP_TRANSMIT                                                                              \
    uint source;      /* vertex */                                                                 \
    uint base;        /* its stamp */                                                              \
    uint level, top;  /* top: of the source, once it is known */                                   \
    uint back;        /* 1: from the top to level 1 */                                             \
    uint begin, size; /* of the level, in the queue */                                             \
    uint turn;        /* levels reached so far: which of the sizes */                              \
    uint done;        /* vertices, in the slices so far */                                         \
    uint team;        /* work-items of each */                                                     \
    uint batch, round, step;                                                                       \
    uint vertex, lanes; /* of the work-item, in this round */

#include "number.clh"

#define COOP_LOCAL                                                                                 \
    bc_number part[COOP_WG_SIZE];                                                                  \
    uint heavy[COOP_WG_SIZE];                                                                      \
    uint heavies[3]; /* of this batch, of the next, of the last */                                 \
    uint digest;

#include "append.clh"
#include "coop.clh"
#include "shared.clh"

#define BC_NONE 0xffffffffu
/* Edges for each work-item of the team: from so many on, the whole workgroup takes over. */
#define BC_HEAVY 64u

/* Teams of one that a slice has for each workgroup. */
#ifdef COOP_CPU_DEVICE
#define BC_SHARE 256u
#else
#define BC_SHARE 4096u
#endif
#define BC_BATCHES ((BC_SHARE - 1) / COOP_WG_SIZE + 1)

#include "visit.clh"

/* ---- Runs and levels ------------------------------------------------------------------------- */

static inline void bc_begin(const coop_args *A, const coop_view V)
{
    for (uint v = coop_global_id(); v < A->vertices; v += coop_global_size()) {
        A->stamps[v] = A->fingerprints[v] = 0;
        A->centrality[v] = 0;
    }
    if (coop_global_id() > 0)
        return;
    for (uint i = 0; i < BC_SIZES; i++)
        A->sizes[BC_SIZE(i)] = 0;
    A->digests[coop_run() % COOP_MAX_RUNS] = 0;
}

static inline bool bc_is_over(const coop_args *A, const coop_transmit *S)
{
    return S->source >= A->sources * bc_stride(A);
}

/* Before the first slice of a level. Nobody uses that size before the next. */
static inline void bc_begin_level(const coop_args *A, const coop_transmit *S)
{
    if (S->back)
        return;
    A->begins[S->level] = S->begin;
    A->sizes[BC_SIZE(S->turn + 2)] = 0;
}

/* The turn, too: others may be late to look at the size that says that there is no next level. */
static inline void bc_next_source(const coop_args *A, coop_transmit *S)
{
    S->turn++;
    S->source += bc_stride(A);
    S->base += S->top + 1;
    S->level = S->back = S->begin = 0;
    S->size = 1;
}

/* After the last. The source is no vertex between others, and nobody comes after the top. */
static inline void bc_next_level(const coop_args *A, coop_transmit *S)
{
    S->done = 0;
    uint reached = S->back || bc_has_all(A, S) ? 0 : A->sizes[BC_SIZE(S->turn + 1)];
    if (reached > 0) {
        S->begin += S->size;
        S->size = reached;
        S->level++;
        S->turn++;
        return;
    }
    S->top = S->back ? S->top : S->level;
    S->back = 1;
    if (S->level <= 1) {
        bc_next_source(A, S);
        return;
    }
    S->level--;
    S->size = S->begin - A->begins[S->level];
    S->begin = A->begins[S->level];
}

/* ---- Batches --------------------------------------------------------------------------------- */

/* A power of two: as many as there are for each vertex of the level, within bounds. */
static inline uint bc_team(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    uint each = clamp(coop_max_groups() * coop_local_size() / S->size, A->least, A->most);
    return 1u << (31 - clz(min(each, coop_local_size())));
}

/* Vertices of a batch. */
static inline uint bc_teams(const coop_transmit *S, const coop_view V)
{
    return coop_local_size() / S->team;
}

/* The first vertex of the batch, in the level. */
static inline uint bc_first(const coop_transmit *S, const coop_view V)
{
    return S->done + (S->batch * coop_num_groups() + coop_group_id()) * bc_teams(S, V);
}

/* The vertex that the work-item's team has in a batch; BC_NONE if there is none, or if it is left
 * to the workgroup. */
static inline uint bc_take(const coop_args *A, const coop_transmit *S, local coop_local *L,
                           const coop_view V)
{
    uint team = coop_local_id() / S->team, i = bc_first(S, V) + team;
    if (team >= bc_teams(S, V) || i >= S->size)
        return BC_NONE;
    uint v = S->level == 0 ? S->source : A->queue[S->begin + i];
    uint edges = A->rows[v + 1] - A->rows[v] + A->back_rows[v + 1] - A->back_rows[v];
    if (S->team == coop_local_size() || edges / S->team <= BC_HEAVY)
        return v;
    if (coop_local_id() % S->team == 0)
        L->heavy[atomic_inc(&L->heavies[S->batch % 3])] = v;
    return BC_NONE;
}

/* The work-item's part in a round: the first is that of the teams. */
static inline void bc_visit(const coop_args *A, coop_transmit *S, local coop_local *L,
                            const coop_view V)
{
    if (S->round == 0 && coop_local_id() == 0)
        L->heavies[(S->batch + 1) % 3] = 0;
    S->lanes = S->round == 0 ? S->team : coop_local_size();
    S->vertex = S->round == 0 ? bc_take(A, S, L, V) : L->heavy[S->round - 1];
    if (S->vertex == BC_NONE)
        return;
    uint lane = coop_local_id() % S->lanes;
    L->part[coop_local_id()] = S->back ? bc_back(A, S, S->vertex, lane, S->lanes)
                                       : bc_forth(A, S, S->vertex, lane, S->lanes);
}

/* How far apart the parts are that are added first. */
static inline uint bc_first_step(uint lanes)
{
    return lanes == 1 ? 0 : 1u << (31 - clz(lanes - 1));
}

static inline void bc_fold(const coop_transmit *S, local coop_local *L, uint item)
{
    uint lane = item % S->lanes;
    if (S->vertex != BC_NONE && lane < S->step && lane + S->step < S->lanes)
        L->part[item] = bc_plus(L->part[item], L->part[item + S->step]);
}

static inline void bc_end_visit(const coop_args *A, const coop_transmit *S, local coop_local *L,
                                uint item)
{
    if (S->vertex == BC_NONE || item % S->lanes > 0)
        return;
    if (S->back)
        bc_end_back(A, S->vertex, L->part[item]);
    else
        bc_end_forth(A, S, S->vertex, L->part[item]);
}

coop_kernel(bc)
{
    coop_begin();
    bc_begin(A, V);
    S->base = S->size = 1;
    resizing_global_barrier();

    while (!bc_is_over(A, S)) {
        if (coop_global_id() == 0 && S->done == 0)
            bc_begin_level(A, S);
        if (coop_local_id() == 0)
            L->heavies[0] = 0;
        S->team = bc_team(A, S, V);
        workgroup_barrier();
        for (S->batch = 0; S->batch < BC_BATCHES && bc_first(S, V) < S->size; S->batch++) {
            for (S->round = 0; S->round == 0 || S->round <= L->heavies[S->batch % 3]; S->round++) {
                bc_visit(A, S, L, V);
                workgroup_barrier();
                for (S->step = bc_first_step(S->lanes); S->step > 0; S->step /= 2) {
                    bc_fold(S, L, coop_local_id());
                    workgroup_barrier();
                }
                bc_end_visit(A, S, L, coop_local_id());
            }
        }
        S->done += coop_num_groups() * BC_BATCHES * bc_teams(S, V);
        resizing_global_barrier();
        if (S->done >= S->size)
            bc_next_level(A, S);
    }

    L->digest = 0;
    workgroup_barrier();
    atomic_add(&L->digest, bc_digests(A, coop_global_id(), coop_global_size()));
    workgroup_barrier();
    if (coop_local_id() == 0)
        atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest);
    coop_end();
}

#include "coop_run.clh"
