/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimum spanning forest as LonestarGPU's mst (OOPSLA'16 Section 5.3): Boruvka's algorithm over
 * all vertices and all edges in each round, on components that know their boss. A round has steps,
 * by the names in that program:
 *
 *   dinit            nobody has chosen
 *   dfindelemin      each vertex finds its lightest edge to another component; the boss of its own
 *                    gets the least weight of these
 *   dfindelemin2     of the vertices that have an edge of that weight, the one with the least
 *                    number becomes the component's leader
 *   verify_min_elem  each boss looks for that edge of the leader's
 *   dfindcompmintwo  slice by slice, leaders look who are the bosses at both ends, and after a
 *                    barrier hook the one with the lesser number to the other; those that come too
 *                    late try again, until none does
 *
 * until a round joins nothing. What differs from that program:
 *
 * - It launches all steps but the last, whose two barriers are all that it has, and reads on the
 *   host whether to go on: here each of these launches has a barrier in its place.
 * - It keeps the weight and the number of edges alone. Here the edges are kept, too, for the check:
 *   their numbers stand for its flag `processinnextiteration`, and their bits are set as they join.
 * - It reads bosses by comparing and swapping a word with itself, for want of an atomic load, which
 *   there is here.
 * - Between the two barriers of a slice it keeps both bosses in private memory, in which nothing
 *   survives a barrier here: they are in an array.
 * - Its sizes of components, which nobody reads, are left out, and so is in dinit what the next
 *   step writes anyway. No weight stands for infinity: all 32 bits count.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint *restrict, rows)                                                           \
    X(const global uint *restrict, columns)                                                        \
    X(const global uint *restrict, weights)                                                        \
    X(const global uint *restrict, numbers) /* of the edge of each column */                       \
    X(volatile global uint *, bosses)  /* of each vertex: one nearer to its component's boss, \
                                               whose is itself */    \
    X(global uint *, lightest)         /* of each: the weight of its lightest edge outwards */     \
    X(global uint *, partners)         /* of each: the boss at its other end, or `vertices` */     \
    X(volatile global uint *, least)   /* of each boss: the least of these weights */              \
    X(volatile global uint *, leaders) /* of each boss: who has that edge, or `vertices` */        \
    X(global uint *, chosen)           /* of each: the edge that it leads, or MST_NO_EDGE */       \
    X(global uint *, sources)          /* of each that leads: its own boss, after a barrier */     \
    X(volatile global uint *, forest)  /* a bit of each edge */                                    \
    X(volatile global uint *, words)   /* MST_WORDS */                                             \
    X(volatile global uint *, digests) /* of each run */                                           \
    X(uint, vertices)                                                                              \
    X(uint, count) /* of edges */

#define COOP_TRANSMIT                                                                              \
    uint round;                                                                                    \
    uint joined;     /* edges, in the rounds before */                                             \
    uint pass, last; /* over the vertices, in all rounds: this one, and the first of the next */   \
    uint first;      /* of the slice */

#include "mst_abi.h"

#include "coop.clh"

/* Rounds at most: one halves the components that have edges, and the last one joins nothing. Each
 * pass with an edge that comes too late joins another one, so that there are fewer than vertices.
 * So a run with a wrong result ends, too; its digest then is wrong. */
#define MST_MOST 33u

/* ---- Components ------------------------------------------------------------------------------ */

/* Its boss, of which it takes note. A boss is hooked to one with a greater number only, so that the
 * way there ends whatever comes to be in memory. */
static inline uint mst_boss(const coop_args *A, uint v)
{
    uint boss = v;
    for (uint next = cb_load_relaxed(CB_ATOMIC(A->bosses[v])); next > boss;
         next = cb_load_relaxed(CB_ATOMIC(A->bosses[boss])))
        boss = next;
    cb_store_relaxed(CB_ATOMIC(A->bosses[v]), boss);
    return boss;
}

/* False: one of both is no boss any more. */
static inline bool mst_hook(const coop_args *A, uint one, uint other)
{
    uint boss = max(one, other), below = min(one, other);
    return cb_load_relaxed(CB_ATOMIC(A->bosses[one])) == one &&
           cb_load_relaxed(CB_ATOMIC(A->bosses[other])) == other &&
           atomic_cmpxchg(&A->bosses[below], below, boss) == below;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* for (uint v = ...): a work-item's vertices. */
#define MST_VERTICES(A, V, v)                                                                      \
    for (uint v = coop_global_id(); v < (A)->vertices; v += coop_global_size())

static inline void mst_begin(const coop_args *A, const coop_view V)
{
    MST_VERTICES(A, V, v)
    A->bosses[v] = v;
    for (uint w = coop_global_id(); w < (A->count + 31) / 32; w += coop_global_size())
        A->forest[w] = 0;
    for (uint w = coop_global_id(); w < MST_WORDS; w += coop_global_size())
        A->words[w] = 0;
}

static inline void mst_init(const coop_args *A, uint v)
{
    A->least[v] = 0xffffffffu;
    A->leaders[v] = A->vertices;
    A->chosen[v] = MST_NO_EDGE;
}

static inline void mst_find_lightest(const coop_args *A, uint v)
{
    uint boss = mst_boss(A, v), partner = A->vertices, lightest = 0xffffffffu;
    for (uint e = A->rows[v]; e < A->rows[v + 1]; e++) {
        if (partner < A->vertices && A->weights[e] >= lightest)
            continue;
        uint other = mst_boss(A, A->columns[e]);
        if (other == boss)
            continue;
        partner = other;
        lightest = A->weights[e];
    }
    A->lightest[v] = lightest;
    A->partners[v] = partner;
    if (partner < A->vertices && lightest < A->least[boss])
        atomic_min(&A->least[boss], lightest);
}

/* The column of its lightest edge, or the end of its row. */
static inline uint mst_column_of(const coop_args *A, uint v)
{
    uint e = A->rows[v];
    while (e < A->rows[v + 1] &&
           (A->weights[e] != A->lightest[v] || mst_boss(A, A->columns[e]) != A->partners[v]))
        e++;
    return e;
}

static inline void mst_find_leader(const coop_args *A, uint v)
{
    uint boss = mst_boss(A, v);
    if (A->partners[v] < A->vertices && A->lightest[v] == A->least[boss] &&
        mst_column_of(A, v) < A->rows[v + 1])
        atomic_min(&A->leaders[boss], v);
}

static inline void mst_choose(const coop_args *A, uint v)
{
    if (A->bosses[v] != v || A->leaders[v] == A->vertices)
        return;
    uint leader = A->leaders[v], e = mst_column_of(A, leader);
    if (e < A->rows[leader + 1])
        A->chosen[leader] = A->numbers[e];
}

static inline void mst_find_bosses(const coop_args *A, uint v)
{
    if (v >= A->vertices || A->chosen[v] == MST_NO_EDGE)
        return;
    A->sources[v] = mst_boss(A, v);
    A->partners[v] = mst_boss(A, A->partners[v]);
}

static inline void mst_join(const coop_args *A, const coop_transmit *S, uint v)
{
    uint edge = v < A->vertices ? A->chosen[v] : MST_NO_EDGE;
    if (edge == MST_NO_EDGE || A->sources[v] == A->partners[v])
        return;
    if (!mst_hook(A, A->sources[v], A->partners[v])) {
        cb_store_relaxed(CB_ATOMIC(A->words[MST_AGAIN(S->pass)]), 1);
        return;
    }
    atomic_add(&A->words[MST_WEIGHT], A->lightest[v]);
    atomic_add(&A->words[MST_JOINED], 1);
    atomic_or(&A->forest[edge / 32], 1u << edge % 32);
    A->chosen[v] = MST_NO_EDGE;
}

/* ---- The kernel ------------------------------------------------------------------------------ */

coop_kernel(mst)
{
    coop_begin();
    mst_begin(A, V);
    global_barrier();

    do {
        S->joined = A->words[MST_JOINED];
        S->last = S->pass + A->vertices;
        MST_VERTICES(A, V, v)
        mst_init(A, v);
        global_barrier();
        MST_VERTICES(A, V, v)
        mst_find_lightest(A, v);
        global_barrier();
        MST_VERTICES(A, V, v)
        mst_find_leader(A, v);
        global_barrier();
        MST_VERTICES(A, V, v)
        mst_choose(A, v);
        global_barrier();
        do {
            if (coop_global_id() == 0)
                A->words[MST_AGAIN(S->pass + 1)] = 0;
            S->first = 0;
            while (S->first < A->vertices) {
                mst_find_bosses(A, S->first + coop_global_id());
                global_barrier();
                mst_join(A, S, S->first + coop_global_id());
                S->first += coop_global_size();
                resizing_global_barrier();
            }
            S->pass++;
        } while (A->words[MST_AGAIN(S->pass - 1)] && S->pass != S->last);
        S->round++;
    } while (A->words[MST_JOINED] != S->joined && S->round < MST_MOST);

    if (coop_global_id() == 0)
        A->digests[coop_run() % COOP_MAX_RUNS] =
            mst_digest(A->words[MST_JOINED], A->words[MST_WEIGHT]) + A->words[MST_JOINED] -
            S->joined;
    coop_end();
}

#include "coop_run.clh"
