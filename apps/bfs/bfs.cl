/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search, level by level (FSE'17 Tab. 1: bfs). The vertices of a level are the
 * frontier, a queue in global memory. Edges lie in quads, one load each: quad v holds the first
 * four of vertex v, the last one repeated if there are fewer, and BFS_MORE in its last word says
 * that rows[v] tells where there are more.
 *
 * Four ways to expand a frontier, one a file or two: alone, if it is narrow, by workgroup 0
 * (alone.clh); shared out by vertices (shared.clh), if all have few edges; else by quads, or from
 * the other side (uneven.clh). A level is expanded in slices, short enough for a task not to wait
 * long for the resizing barrier after each.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint4 *, quads)                                                                 \
    X(const global uint2 *, rows) /* of each vertex: more quads, from where and how many */        \
    X(const global uint *, edged) /* a bit of each vertex: it has edges */                         \
    X(volatile global uint *, levels)                                                              \
    X(global uint *, queues)             /* two of `vertices` words */                             \
    X(global uint *, offsets)            /* two of `vertices` words: see uneven.clh */             \
    X(global uint *, starts)             /* two of `chunks` words: see uneven.clh */               \
    X(volatile global uint *, frontiers) /* BFS_FRONTIERS records, BFS_LINE apart */               \
    X(volatile global uint *, digests)   /* of each run */                                         \
    X(uint, vertices)                                                                              \
    X(uint, source)                                                                                \
    X(uint, source_quads)                                                                          \
    X(uint, all_quads)                                                                             \
    X(uint, chunks)                                                                                \
    X(uint, even)      /* 1: no vertex has more than BFS_EVEN edges */                             \
    X(uint, both_ways) /* 1: each edge leads back, too */

#include "coop/phases.clh"
#include "local_memory.h"

/* BFS_NARROW: vertices of a frontier in local memory, at most; BFS_RECENT: that are remembered
 * there. Both are less where there is less of it. Then, how much a workgroup does in a
 * slice; and workgroup 0 alone between two barriers if nobody waits for it, about 0.2 ms on an
 * H200, and until it asks again whether somebody does (a power of two), about 6 us there. A level
 * alone counts BFS_LEVEL_WORK vertices more than it has. */
#define BFS_ALONE_WORK 144000u
#define BFS_LEVEL_WORK 742u
#ifdef COOP_CPU_DEVICE
#define BFS_NARROW   1024u
#define BFS_RECENT   4096u
#define BFS_ASK_WORK 512u  /* in each level */
#define BFS_SHARE    4096u /* vertices of an even graph */
#define BFS_CHUNKS   4u
#define BFS_UP_SHARE 8192u  /* vertices */
#define BFS_SWEEP    16384u /* vertices that are cleared, or added to the digest */
typedef global uint *bfs_swept_levels;
#else
#if CB_LOCAL_BYTES < CB_USUAL_LOCAL_BYTES
#define BFS_NARROW 2048u
#define BFS_RECENT 2048u
#else
#define BFS_NARROW 3072u
#define BFS_RECENT 4096u
#endif
#define BFS_ASK_WORK 4096u
#define BFS_SHARE    2048u
#define BFS_CHUNKS   1u
#define BFS_UP_SHARE 2048u
#define BFS_SWEEP    65536u
typedef volatile global uint *bfs_swept_levels;
#endif

#define BFS_HEAVY 16u  /* quads of a vertex that a whole workgroup shares, upwards */
#define BFS_ROOM  256u /* such vertices of a share */

#define COOP_TRANSMIT                                                                              \
    uint level, size, quads; /* of the frontier */                                                 \
    uint unexplored;         /* quads of the vertices beyond it */                                 \
    uint way;                /* how it is expanded */                                              \
    uint done;               /* vertices or quads, in the slices so far */                         \
    uint turn;               /* frontiers so far: which record and which queue */                  \
    uint chunk;              /* in a slice */                                                      \
    uint step;               /* of workgroup 0: levels done alone since the frontier was loaded */ \
    uint alone;              /* work since the last global barrier */                              \
    uint loaded;             /* 1: it is still in local memory */

/* For uneven graphs: on CPU devices, vertices to be appended together; on GPUs, vertices that all
 * look for, upwards. */
#ifdef COOP_CPU_DEVICE
#define BFS_PENDING 128u
#define BFS_UNEVEN_LOCAL                                                                           \
    struct {                                                                                       \
        uint vertex[BFS_PENDING], quads[BFS_PENDING];                                              \
        uint count, sum;                                                                           \
    } pending;
#else
#define BFS_UNEVEN_LOCAL                                                                           \
    uint heavy[BFS_ROOM], found[BFS_ROOM];                                                         \
    uint heavies;
#endif

#define COOP_LOCAL                                                                                 \
    union {                                                                                        \
        struct {                                                                                   \
            uint vertex[2][BFS_NARROW]; /* of a frontier */                                        \
            uint recent[BFS_RECENT];                                                               \
            uint size[3];                                                                          \
            uint wanted[2]; /* 1: others wait for the end of the slice */                          \
        } alone;                                                                                   \
        struct {                                                                                   \
            uint vertex[BFS_CHUNK + 1], offset[BFS_CHUNK + 1], beyond[BFS_CHUNK + 1];              \
            uint count;                                                                            \
        } chunk;                                                                                   \
    };                                                                                             \
    BFS_UNEVEN_LOCAL                                                                               \
    uint digest;

#include "append.clh"
#include "bfs_abi.h"
#include "coop.clh"

#define BFS_RECORD(A, turn) ((A)->frontiers + (turn) % BFS_FRONTIERS * BFS_LINE)
enum { BFS_VERTICES, BFS_QUADS, BFS_LEVEL };

enum { BFS_ALONE, BFS_SHARED, BFS_DOWN, BFS_UP, BFS_MARK, BFS_LIST };

static inline global uint *bfs_queue(const coop_args *A, uint turn)
{
    return A->queues + turn % 2 * A->vertices;
}

static inline global uint *bfs_offsets(const coop_args *A, uint turn)
{
    return A->offsets + turn % 2 * A->vertices;
}

static inline global uint *bfs_starts(const coop_args *A, uint turn)
{
    return A->starts + turn % 2 * A->chunks;
}

/* As some cache has it: a level that others have written since the last barrier may be missed, and
 * the work-item that claims the vertex finds out. */
static inline uint bfs_level_of(const coop_args *A, uint vertex)
{
    return ((const global uint *)A->levels)[vertex];
}

#include "alone.clh"
#include "shared.clh"
#include "uneven.clh"
#include "up.clh"

/* Upwards if the edges of the frontier are many, against the vertices that would look for it, and
 * against the edges of these: along those that leave them, since none arrive by others. */
static inline uint bfs_choose(const coop_args *A, const coop_transmit *S)
{
    if (A->even)
        return S->size <= BFS_NARROW ? BFS_ALONE : BFS_SHARED;
    return bfs_choose_uneven(S, A->both_ways && S->quads > A->vertices / 8 &&
                                    S->quads > S->unexplored / 12);
}

/* What there is to do in this level. */
static inline uint bfs_work(const coop_args *A, const coop_transmit *S)
{
    return S->way == BFS_SHARED ? S->size
           : S->way == BFS_DOWN ? S->quads
           : bfs_goes_up(S)     ? A->vertices
                                : 0;
}

/* Vertices of a workgroup in a slice, of those that are cleared or added to the digest; a launch of
 * multikernel mode does all of them. */
static inline uint bfs_sweep_share(const coop_args *A, const coop_view V)
{
    return COOP_MODE == COOP_MULTIKERNEL ? A->vertices / coop_num_groups() + 1 : BFS_SWEEP;
}

/* A sweep: of `vertices` from `first` on, each work-item has its own. On a CPU they lie in a row,
 * and are not volatile, for the sake of vector instructions. */
struct bfs_sweep {
    bfs_swept_levels levels;
    uint begin, end, step;
};

static inline struct bfs_sweep bfs_sweep_of(const coop_args *A, uint first, uint vertices,
                                            uint item, uint items)
{
    uint end = min(first + vertices, A->vertices);
#ifdef COOP_CPU_DEVICE
    uint each = (vertices - 1) / items + 1, begin = min(first + each * item, end);
    return (struct bfs_sweep){(bfs_swept_levels)A->levels, begin, min(begin + each, end), 1};
#else
    return (struct bfs_sweep){A->levels, first + item, end, items};
#endif
}

static inline void bfs_clear(const coop_args *A, uint first, uint vertices, uint item, uint items)
{
    struct bfs_sweep sweep = bfs_sweep_of(A, first, vertices, item, items);
    for (uint v = sweep.begin; v < sweep.end; v += sweep.step)
        sweep.levels[v] = v == A->source ? 0 : BFS_UNREACHED;
}

static inline uint bfs_digest_of(const coop_args *A, uint first, uint vertices, uint item,
                                 uint items)
{
    struct bfs_sweep sweep = bfs_sweep_of(A, first, vertices, item, items);
    uint sum = 0;
    for (uint v = sweep.begin; v < sweep.end; v += sweep.step)
        sum += bfs_digest(v, sweep.levels[v]);
    return sum;
}

static inline void bfs_begin(const coop_args *A, uint run)
{
    bfs_put(A, 0, 0, A->source, 0, A->source_quads);
    BFS_RECORD(A, 1)[BFS_VERTICES] = BFS_RECORD(A, 1)[BFS_QUADS] = 0;
    A->digests[run % COOP_MAX_RUNS] = 0;
}

/* A workgroup's chunk number S->chunk of a slice. */
static inline uint bfs_down_chunk(const coop_transmit *S, const coop_view V)
{
    return S->done / BFS_CHUNK + S->chunk * coop_num_groups() + coop_group_id();
}

/* Before the first slice of a level. Nobody uses the third record before the next level. */
static inline void bfs_begin_level(const coop_args *A, const coop_transmit *S)
{
    volatile global uint *after = BFS_RECORD(A, S->turn + 2);
    after[BFS_VERTICES] = after[BFS_QUADS] = 0;
    BFS_RECORD(A, S->turn + 1)[BFS_LEVEL] = S->level + !bfs_lists(S);
}

/* After the last. */
static inline void bfs_end_level(const coop_args *A, coop_transmit *S, bool knows)
{
    if (!bfs_marks(S))
        S->turn++;
    S->done = 0;
    if (knows || bfs_marks(S))
        return;
    S->size = BFS_RECORD(A, S->turn)[BFS_VERTICES];
    S->quads = BFS_RECORD(A, S->turn)[BFS_QUADS];
    S->level = BFS_RECORD(A, S->turn)[BFS_LEVEL];
    S->unexplored -= bfs_lists(S) ? 0 : S->quads;
}

coop_kernel(bfs)
{
    coop_begin();
    if (coop_global_id() == 0)
        bfs_begin(A, coop_run());
    S->done = 0;
    while (S->done < A->vertices) {
        bfs_clear(A, S->done + coop_group_id() * bfs_sweep_share(A, V), bfs_sweep_share(A, V),
                  coop_local_id(), coop_local_size());
        S->done += coop_num_groups() * bfs_sweep_share(A, V);
        resizing_global_barrier();
    }
    S->level = 0;
    S->size = 1;
    S->quads = A->source_quads;
    S->unexplored = A->all_quads - A->source_quads;
    S->done = 0;
    S->turn = 0;
    S->way = BFS_DOWN;
    S->loaded = 0;

    while (S->size > 0) {
        if (S->done == 0) {
            S->way = bfs_choose(A, S);
            if (coop_global_id() == 0)
                bfs_begin_level(A, S);
        }
        if (S->way != BFS_ALONE)
            S->loaded = 0;
        if (S->way == BFS_SHARED) {
            uint first = S->done + coop_group_id() * BFS_SHARE;
            bfs_shared_expand(A, S, first, min(first + BFS_SHARE, S->size), coop_local_id(),
                              coop_local_size());
            S->done += coop_num_groups() * BFS_SHARE;
        } else if (S->way == BFS_DOWN) {
            for (S->chunk = 0; S->chunk < BFS_CHUNKS; S->chunk++) {
                bfs_begin_slice(L);
                bfs_down_load(A, S, L, bfs_down_chunk(S, V), coop_local_id(), coop_local_size());
                workgroup_barrier();
                bfs_down_expand(A, S, L, bfs_down_chunk(S, V), coop_local_id(), coop_local_size());
                workgroup_barrier();
            }
            S->done += coop_num_groups() * BFS_CHUNKS * BFS_CHUNK;
        } else if (bfs_goes_up(S)) {
            bfs_begin_slice(L);
            workgroup_barrier();
            bfs_up_expand(A, S, L, S->done + coop_group_id() * bfs_up_share(S), coop_local_id(),
                          coop_local_size());
#ifndef COOP_CPU_DEVICE
            workgroup_barrier();
            bfs_up_search_heavy(A, S, L, coop_local_id(), coop_local_size());
            workgroup_barrier();
            bfs_up_take_heavy(A, S, L, coop_local_id(), coop_local_size());
#endif
            S->done += coop_num_groups() * bfs_up_share(S);
        } else if (coop_group_id() == 0) {
            if (!S->loaded | !COOP_LOCAL_STAYS) {
                bfs_alone_load(A, S, L, coop_local_id(), coop_local_size());
                S->step = 0;
            }
            S->loaded = 1;
            S->alone = 0;
            workgroup_barrier();
            do {
                bfs_alone_step_and_ask(A, S, L, V);
                S->level++;
                S->step++;
                workgroup_barrier();
                S->alone += BFS_LEVEL_WORK + L->alone.size[S->step % 3];
            } while (S->alone < BFS_ALONE_WORK && !L->alone.wanted[1 - S->step % 2] &&
                     L->alone.size[S->step % 3] > 0 && L->alone.size[S->step % 3] <= BFS_NARROW);
            S->size = L->alone.size[S->step % 3];
            bfs_alone_tell(A, S, L, coop_local_id(), coop_local_size());
        }
        resizing_global_barrier();
        if (S->done >= bfs_work(A, S))
            bfs_end_level(A, S, S->loaded && coop_group_id() == 0);
    }

    while (S->done < A->vertices) {
        L->digest = 0;
        workgroup_barrier();
        atomic_add(&L->digest,
                   bfs_digest_of(A, S->done + coop_group_id() * bfs_sweep_share(A, V),
                                 bfs_sweep_share(A, V), coop_local_id(), coop_local_size()));
        workgroup_barrier();
        if (coop_local_id() == 0)
            atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest);
        S->done += coop_num_groups() * bfs_sweep_share(A, V);
        resizing_global_barrier();
    }
    coop_end();
}

#include "coop_run.clh"
