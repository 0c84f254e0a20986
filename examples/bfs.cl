/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search, level by level (FSE'17 Tab. 1: bfs), in ordinary OpenCL C with the paper's
 * words: what apps/bfs/bfs.cl is on GPUs in the runtime's language, and explains.
 *
 *     coopbench merge examples/bfs.cl -o bfs.cl
 *
 * Helpers get the arguments and the state by value, each as a structure.
 */
#include "coop_abi.h"

#define NARROW     3072u /* vertices of a frontier in local memory */
#define SHARE      2048u /* vertices of a workgroup in a slice, of an even graph */
#define UP_SHARE   2048u /* vertices of a workgroup in a slice upwards */
#define SWEEP      65536u
#define ALONE_WORK 144000u /* of workgroup 0 between two barriers */
#define LEVEL_WORK 742u
#define ASK_WORK   4096u
#define AHEAD      16u   /* vertices: of what is fetched early */
#define RECENT     4096u /* vertices that are remembered */
#define HEAVY      16u   /* quads of a vertex that a whole workgroup shares, upwards */
#define HEAVIES    256u

enum { ALONE, SHARED, DOWN, UP }; /* how a frontier is expanded */
enum { VERTICES, QUADS, LEVEL };  /* the words of a frontier's record */

typedef struct {
    const global uint4 *quads;
    const global uint2 *rows;
    volatile global uint *levels;
    global uint *queues, *offsets, *starts;
    volatile global uint *frontiers;
    uint vertices, source, chunks;
} bfs_graph;

typedef struct {
    uint level, size, quads; /* of the frontier */
    uint unexplored;         /* quads of the vertices beyond it */
    uint way;
    uint done; /* vertices or quads, in the slices so far */
    uint turn; /* frontiers so far */
    uint step; /* of workgroup 0: levels done alone in this slice */
    uint alone;
} bfs_state;

typedef struct {
    uint vertex[2][NARROW]; /* of a frontier */
    uint recent[RECENT];
    uint size[3];
    uint wanted[2];
} bfs_alone;

typedef struct {
    uint vertex[1025], offset[1025], beyond[1025];
    uint count;
} bfs_chunk;

typedef struct {
    uint vertex[HEAVIES], found[HEAVIES];
    uint count;
} bfs_heavy;

/* Never needed together. */
typedef union {
    bfs_alone alone;
    bfs_chunk chunk;
} bfs_local;

#include "../apps/bfs/bfs_abi.h"

#include "append.clh"
#include "prefetch.clh"

static volatile global uint *record_of(bfs_graph g, uint turn)
{
    return g.frontiers + turn % BFS_FRONTIERS * BFS_LINE;
}

static global uint *queue_of(bfs_graph g, uint turn)
{
    return g.queues + turn % 2 * g.vertices;
}

static global uint *offsets_of(bfs_graph g, uint turn)
{
    return g.offsets + turn % 2 * g.vertices;
}

static global uint *starts_of(bfs_graph g, uint turn)
{
    return g.starts + turn % 2 * g.chunks;
}

/* May be out of date: a cache may hold an old level. The claim of the vertex sees the right one. */
static uint level_of(bfs_graph g, uint vertex)
{
    return ((const global uint *)g.levels)[vertex];
}

/* ---- An even graph, by all ------------------------------------------------------------------- */

/* Gives the unreached ends of four edges their level; which of them are this work-item's. */
static uint claim(bfs_graph g, const uint v[4], uint level)
{
    uint seen[4], mine = 0;
    for (uint k = 0; k < 4; k++)
        seen[k] = level_of(g, v[k]);
    for (uint k = 0; k < 4; k++)
        if (seen[k] == BFS_UNREACHED)
            seen[k] = atomic_cmpxchg(&g.levels[v[k]], BFS_UNREACHED, level);
        else
            seen[k] = 0;
    for (uint k = 0; k < 4; k++)
        mine |= (uint)(seen[k] == BFS_UNREACHED) << k;
    return mine;
}

static void reach(bfs_graph g, bfs_state s, uint4 quad)
{
    const uint v[4] = {quad.s0, quad.s1, quad.s2, quad.s3 & ~BFS_MORE};
    uint mine = claim(g, v, s.level + 1);
    uint place = cb_append_global(&record_of(g, s.turn + 1)[VERTICES], popcount(mine));
    global uint *queue = queue_of(g, s.turn + 1);
    for (uint k = 0; k < 4; k++)
        if (mine >> k & 1)
            queue[place++] = v[k];
}

static void expand_shared(bfs_graph g, bfs_state s)
{
    const global uint *queue = queue_of(g, s.turn);
    uint first = s.done + get_group_id(0) * SHARE, end = min(first + SHARE, s.size);
    for (uint i = first + get_local_id(0); i < end; i += get_local_size(0)) {
        uint v = queue[i];
        uint4 quad = g.quads[v];
        reach(g, s, quad);
        if (!(quad.s3 & BFS_MORE))
            continue;
        uint2 row = g.rows[v];
        for (uint q = row.x; q < row.x + row.y; q++)
            reach(g, s, g.quads[q]);
    }
}

/* ---- A narrow frontier, by workgroup 0 ------------------------------------------------------- */

static void load_alone(bfs_graph g, bfs_state s, local bfs_alone *a)
{
    const global uint *queue = queue_of(g, s.turn);
    for (uint i = get_local_id(0); i < s.size; i += get_local_size(0))
        a->vertex[0][i] = queue[i];
    for (uint i = get_local_id(0); i < RECENT; i += get_local_size(0))
        a->recent[i] = BFS_UNREACHED;
    for (uint i = get_local_id(0); i < 3; i += get_local_size(0))
        a->size[i] = i == 0 ? s.size : 0;
}

/* What finds no room in local memory goes to the queue. */
static void put_alone(bfs_graph g, bfs_state s, local bfs_alone *a, uint place, uint vertex)
{
    if (place < NARROW)
        a->vertex[1 - s.step % 2][place] = vertex;
    else
        queue_of(g, s.turn + 1)[place] = vertex;
}

static void reach_alone(bfs_graph g, bfs_state s, local bfs_alone *a, uint4 quad)
{
    uint v[4] = {quad.s0, quad.s1, quad.s2, quad.s3 & ~BFS_MORE}, seen[4], found = 0;
    for (uint k = 0; k < 4; k++)
        seen[k] = atomic_xchg(&a->recent[v[k] % RECENT], v[k]);
    for (uint k = 0; k < 4; k++)
        if (seen[k] != v[k])
            seen[k] = atomic_cmpxchg(&g.levels[v[k]], BFS_UNREACHED, s.level + 1);
        else
            seen[k] = 0;
    for (uint k = 0; k < 4; k++)
        found += seen[k] == BFS_UNREACHED;
    uint place = cb_append_local(&a->size[(s.step + 1) % 3], found);
    for (uint k = 0; k < 4; k++)
        if (seen[k] == BFS_UNREACHED)
            put_alone(g, s, a, place++, v[k]);
}

/* Expands the frontier of a step. Now and then the last work-item asks whether others wait. */
static void step_alone(bfs_graph g, bfs_state s, local bfs_alone *a)
{
    uint size = a->size[s.step % 3], before = s.alone - LEVEL_WORK - size;
    if (get_local_id(0) == 0)
        a->size[(s.step + 2) % 3] = 0;
    for (uint i = get_local_id(0); i < size; i += get_local_size(0)) {
        uint v = a->vertex[s.step % 2][i];
        uint soon = a->vertex[s.step % 2][min(i + AHEAD * (uint)get_local_size(0), size - 1)];
        cb_prefetch(&g.quads[soon]);
        cb_prefetch(&g.levels[soon]);
        uint4 quad = g.quads[v];
        reach_alone(g, s, a, quad);
        if (!(quad.s3 & BFS_MORE))
            continue;
        uint2 row = g.rows[v];
        for (uint q = row.x; q < row.x + row.y; q++)
            reach_alone(g, s, a, g.quads[q]);
    }
    if (get_local_id(0) == get_local_size(0) - 1)
        a->wanted[s.step % 2] = (s.alone ^ before) >= ASK_WORK && coop_resize_is_wanted();
}

/* For all to see: how far workgroup 0 has come, and the frontier. */
static void tell_alone(bfs_graph g, bfs_state s, const local bfs_alone *a)
{
    global uint *queue = queue_of(g, s.turn + 1);
    for (uint i = get_local_id(0); i < min(s.size, NARROW); i += get_local_size(0))
        queue[i] = a->vertex[s.step % 2][i];
    if (get_local_id(0) == 0) {
        record_of(g, s.turn + 1)[VERTICES] = s.size;
        record_of(g, s.turn + 1)[LEVEL] = s.level;
    }
}

/* ---- An uneven graph, downwards -------------------------------------------------------------- */

/* A new frontier's vertex, with so many quads, of which the first has number `offset`. */
static void put(bfs_graph g, uint turn, uint place, uint vertex, uint offset, uint quads)
{
    global uint *starts = starts_of(g, turn);
    queue_of(g, turn)[place] = vertex;
    offsets_of(g, turn)[place] = offset;
    for (uint c = (offset + BFS_CHUNK - 1) / BFS_CHUNK; c * BFS_CHUNK < offset + quads; c++)
        starts[c] = place;
}

/* Appends those of four vertices that are `mine`. All work-items of the workgroup together. */
static void append(bfs_graph g, bfs_state s, const uint v[4], uint mine)
{
    uint quads[4], sum = 0;
    for (uint k = 0; k < 4; k++)
        quads[k] = mine >> k & 1 ? 1 + g.rows[v[k]].y : 0;
    for (uint k = 0; k < 4; k++)
        sum += quads[k];
    volatile global ulong *tail = (volatile global ulong *)record_of(g, s.turn + 1);
    ulong base = cb_append_pair(tail, popcount(mine), sum, get_local_id(0), get_local_size(0));
    uint place = (uint)base, offset = (uint)(base >> 32);
    for (uint k = 0; k < 4; k++)
        if (mine >> k & 1) {
            put(g, s.turn + 1, place++, v[k], offset, quads[k]);
            offset += quads[k];
        }
}

/* The vertices of a chunk, and where their quads are. */
static void load_chunk(bfs_graph g, bfs_state s, local bfs_chunk *c, uint chunk)
{
    uint begin = chunk * BFS_CHUNK;
    if (begin >= s.quads) {
        c->count = 0;
        return;
    }
    uint start = starts_of(g, s.turn)[chunk], end = min(begin + BFS_CHUNK, s.quads);
    const global uint *offsets = offsets_of(g, s.turn), *queue = queue_of(g, s.turn);
    for (uint i = get_local_id(0); i <= BFS_CHUNK && start + i < s.size; i += get_local_size(0)) {
        uint offset = offsets[start + i];
        uint next = start + i + 1 < s.size ? offsets[start + i + 1] : s.quads;
        if (offset >= end)
            break;
        uint v = queue[start + i];
        c->vertex[i] = v;
        c->offset[i] = offset;
        c->beyond[i] = next - offset > 1 ? g.rows[v].x - offset - 1 : 0;
        if (next >= end)
            c->count = i + 1;
    }
}

/* Where quad number q of the frontier is. */
static uint find_quad(const local bfs_chunk *c, uint q)
{
    uint low = 0, high = c->count;
    while (high - low > 1) {
        uint middle = (low + high) / 2;
        if (c->offset[middle] <= q)
            low = middle;
        else
            high = middle;
    }
    return c->offset[low] == q ? c->vertex[low] : c->beyond[low] + q;
}

static void expand_chunk(bfs_graph g, bfs_state s, const local bfs_chunk *c, uint chunk)
{
    if (c->count == 0)
        return;
    for (uint first = 0; first < BFS_CHUNK; first += get_local_size(0)) {
        uint q = chunk * BFS_CHUNK + first + get_local_id(0), mine = 0;
        uint v[4] = {0, 0, 0, 0};
        if (first + get_local_id(0) < BFS_CHUNK && q < s.quads) {
            uint4 quad = g.quads[find_quad(c, q)];
            v[0] = quad.s0, v[1] = quad.s1, v[2] = quad.s2, v[3] = quad.s3 & ~BFS_MORE;
            mine = claim(g, v, s.level + 1);
        }
        append(g, s, v, mine);
    }
}

/* ---- Upwards --------------------------------------------------------------------------------- */

/* Whether one of four vertices is in the frontier. */
static bool meets(bfs_graph g, bfs_state s, uint4 quad)
{
    uint a = level_of(g, quad.s0), b = level_of(g, quad.s1);
    uint c = level_of(g, quad.s2), d = level_of(g, quad.s3 & ~BFS_MORE);
    return (a == s.level) | (b == s.level) | (c == s.level) | (d == s.level);
}

/* Whether the vertex has a neighbour in the frontier; one with many edges is left to all. */
static bool look_up(bfs_graph g, bfs_state s, local bfs_heavy *h, uint v)
{
    uint4 quad = g.quads[v];
    if (meets(g, s, quad))
        return true;
    if (!(quad.s3 & BFS_MORE))
        return false;
    uint2 row = g.rows[v];
    uint place = row.y > HEAVY ? atomic_inc(&h->count) : HEAVIES;
    if (place < HEAVIES) {
        h->vertex[place] = v;
        h->found[place] = 0;
        return false;
    }
    for (uint q = row.x; q < row.x + row.y; q++)
        if (meets(g, s, g.quads[q]))
            return true;
    return false;
}

static void take(bfs_graph g, bfs_state s, uint v, bool mine)
{
    const uint one[4] = {v, 0, 0, 0};
    if (mine)
        g.levels[v] = s.level + 1;
    append(g, s, one, mine);
}

static void expand_up(bfs_graph g, bfs_state s, local bfs_heavy *h)
{
    uint first = s.done + get_group_id(0) * UP_SHARE;
    for (uint i = 0; i < UP_SHARE; i += get_local_size(0)) {
        uint v = first + i + get_local_id(0);
        bool mine = i + get_local_id(0) < UP_SHARE && v < g.vertices &&
                    level_of(g, v) == BFS_UNREACHED && look_up(g, s, h, v);
        take(g, s, v, mine);
    }
}

static void look_up_heavy(bfs_graph g, bfs_state s, local bfs_heavy *h)
{
    for (uint i = 0; i < min(h->count, HEAVIES); i++) {
        uint2 row = g.rows[h->vertex[i]];
        for (uint q = row.x + get_local_id(0); q < row.x + row.y && !h->found[i];
             q += get_local_size(0))
            if (meets(g, s, g.quads[q]))
                h->found[i] = 1;
    }
}

static void take_heavy(bfs_graph g, bfs_state s, const local bfs_heavy *h)
{
    for (uint first = 0; first < min(h->count, HEAVIES); first += get_local_size(0)) {
        uint i = first + get_local_id(0);
        bool mine = i < min(h->count, HEAVIES) && h->found[i];
        take(g, s, mine ? h->vertex[i] : 0, mine);
    }
}

/* ---- Levels ---------------------------------------------------------------------------------- */

static uint choose(bfs_graph g, bfs_state s, bool even, bool both_ways)
{
    if (even)
        return s.size <= NARROW ? ALONE : SHARED;
    return both_ways && s.quads > g.vertices / 8 && s.quads > s.unexplored / 12 ? UP : DOWN;
}

static uint work_of(bfs_graph g, bfs_state s)
{
    return s.way == SHARED ? s.size : s.way == DOWN ? s.quads : s.way == UP ? g.vertices : 0;
}

/* Nobody uses the third record before the next level. */
static void begin_level(bfs_graph g, bfs_state s)
{
    volatile global uint *after = record_of(g, s.turn + 2);
    after[VERTICES] = after[QUADS] = 0;
    record_of(g, s.turn + 1)[LEVEL] = s.level + 1;
}

static bfs_state after_level(bfs_graph g, bfs_state s)
{
    const volatile global uint *record = record_of(g, ++s.turn);
    s.done = 0;
    s.size = record[VERTICES];
    s.quads = record[QUADS];
    s.level = record[LEVEL];
    s.unexplored -= s.quads;
    return s;
}

static void begin(bfs_graph g, uint source_quads, volatile global uint *digest)
{
    volatile global uint *next = record_of(g, 1);
    put(g, 0, 0, g.source, 0, source_quads);
    next[VERTICES] = next[QUADS] = 0;
    *digest = 0;
}

static void clear(bfs_graph g, uint first)
{
    uint end = min(first + SWEEP, g.vertices);
    for (uint v = first + get_local_id(0); v < end; v += get_local_size(0))
        g.levels[v] = v == g.source ? 0 : BFS_UNREACHED;
}

static uint digest_of(bfs_graph g, uint first)
{
    uint end = min(first + SWEEP, g.vertices), sum = 0;
    for (uint v = first + get_local_id(0); v < end; v += get_local_size(0))
        sum += bfs_digest(v, g.levels[v]);
    return sum;
}

/* The graph among the kernel's arguments, anew in each phase. */
#define GRAPH                                                                                      \
    ((bfs_graph){quads, rows, levels, queues, offsets, starts, frontiers, vertices, source, chunks})
#define DIGEST (digests + coop_run() % COOP_MAX_RUNS)

kernel void bfs(const global uint4 *quads, const global uint2 *rows, const global uint *edged,
                volatile global uint *levels, global uint *queues, global uint *offsets,
                global uint *starts, volatile global uint *frontiers, volatile global uint *digests,
                uint vertices, uint source, uint source_quads, uint all_quads, uint chunks,
                uint even, uint both_ways)
{
    local bfs_local l;
    local bfs_heavy heavy;
    local uint digest;
    transmit bfs_state s = {0};
    if (get_global_id(0) == 0)
        begin(GRAPH, source_quads, DIGEST);
    while (s.done < vertices) {
        clear(GRAPH, s.done + get_group_id(0) * SWEEP);
        s.done += get_num_groups(0) * SWEEP;
        resizing_global_barrier();
    }
    s.size = 1;
    s.quads = source_quads;
    s.unexplored = all_quads - source_quads;
    s.done = 0;

    while (s.size > 0) {
        if (s.done == 0) {
            s.way = choose(GRAPH, s, even, both_ways);
            if (get_global_id(0) == 0)
                begin_level(GRAPH, s);
        }
        if (s.way == SHARED) {
            expand_shared(GRAPH, s);
            s.done += get_num_groups(0) * SHARE;
        } else if (s.way == DOWN) {
            load_chunk(GRAPH, s, &l.chunk, s.done / BFS_CHUNK + get_group_id(0));
            barrier(CLK_LOCAL_MEM_FENCE);
            expand_chunk(GRAPH, s, &l.chunk, s.done / BFS_CHUNK + get_group_id(0));
            barrier(CLK_LOCAL_MEM_FENCE);
            s.done += get_num_groups(0) * BFS_CHUNK;
        } else if (s.way == UP) {
            heavy.count = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            expand_up(GRAPH, s, &heavy);
            barrier(CLK_LOCAL_MEM_FENCE);
            look_up_heavy(GRAPH, s, &heavy);
            barrier(CLK_LOCAL_MEM_FENCE);
            take_heavy(GRAPH, s, &heavy);
            s.done += get_num_groups(0) * UP_SHARE;
        } else if (get_group_id(0) == 0) {
            load_alone(GRAPH, s, &l.alone);
            s.step = s.alone = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            do {
                step_alone(GRAPH, s, &l.alone);
                s.level++;
                s.step++;
                barrier(CLK_LOCAL_MEM_FENCE);
                s.alone += LEVEL_WORK + l.alone.size[s.step % 3];
            } while (s.alone < ALONE_WORK && !l.alone.wanted[1 - s.step % 2] &&
                     l.alone.size[s.step % 3] > 0 && l.alone.size[s.step % 3] <= NARROW);
            s.size = l.alone.size[s.step % 3];
            tell_alone(GRAPH, s, &l.alone);
        }
        resizing_global_barrier();
        if (s.done >= work_of(GRAPH, s))
            s = after_level(GRAPH, s);
    }

    while (s.done < vertices) {
        digest = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = digest_of(GRAPH, s.done + get_group_id(0) * SWEEP);
        atomic_add(&digest, sum);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            atomic_add(DIGEST, digest);
        s.done += get_num_groups(0) * SWEEP;
        resizing_global_barrier();
    }
}
