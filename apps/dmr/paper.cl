/* SPDX-License-Identifier: Apache-2.0
 *
 * Delaunay mesh refinement as LonestarGPU's dmr (OOPSLA'16 Section 5.3). In a pass, triangles that
 * are new are looked at, and the bad ones put on a list. Each work-item has some triangles of the
 * list that follow each other, and refines one in a turn, of which barriers make three parts:
 *
 *   race        it finds the cavity, and writes its number into all triangles of it and around it
 *   prioritise  where another's number has stayed, the smaller one of both is put
 *   settle      if all have its number, the cavity is replaced; else the triangle is put on the
 *               next list
 *
 * until there is nothing on the list. The new point is the centre of the bad triangle's circle, or,
 * if it has an obtuse angle, of the neighbour's across from that, after which the triangle may have
 * to come again; or the middle of an edge of the border. New triangles get new places; those that
 * are replaced stay where they are. What differs from that program:
 *
 * - It launches a kernel that looks at triangles and one that refines, in turns, and reads on the
 *   host whether to go on: here there are barriers between them, and workgroups come and go at one.
 * - It calculates in double precision, which OOPSLA'16 names as what kept it from other GPUs than
 *   those of NVIDIA. Here coordinates are integers, and all is exact (predicates.clh); a triangle
 *   with a very short edge is not bad (dmr_abi.h), so that it ends.
 * - Its edges of the border are elements as triangles are. Here they are links to nowhere.
 * - Its cavity is in private memory, in which nothing survives a barrier here: in a room of global
 *   memory, whose words lie as a GPU has those of private memory. It has arrays of 256 triangles,
 *   which may run over. Here a cavity that outgrows its room takes the large one, if nobody has it
 *   in this turn; else the triangle is put on the next list.
 * - It does not look how many triangles it has room for.
 */
#define COOP_ARGS(X)                                                                               \
    X(const global uint4 *restrict, first_corners) /* the mesh that is refined */                  \
    X(const global uint4 *restrict, first_links)                                                   \
    X(global int2 *, points)                                                                       \
    X(global uint4 *, corners)       /* the fourth: DMR_BAD, DMR_GONE */                           \
    X(global uint *, links)          /* four words a triangle */                                   \
    X(volatile global uint *, marks) /* of each triangle: whose it is in this turn */              \
    X(global uint *, unused)                                                                       \
    X(global uint *, lists)            /* two of triangle_room words */                            \
    X(global uint *, rooms)            /* the large one, and the others word by word */            \
    X(volatile global uint *, words)   /* DMR_WORDS */                                             \
    X(volatile global uint *, digests) /* of each run */                                           \
    X(uint, n_points)                                                                              \
    X(uint, n_triangles)                                                                           \
    X(uint, triangle_room)

#define COOP_TRANSMIT                                                                              \
    uint pass, size; /* which list is read, and how long it is */                                  \
    uint known;      /* triangles that have been looked at */                                      \
    uint each, turn; /* triangles of a work-item, and how many turns were before */

#define COOP_LOCAL uint digest;

#include "append.clh"
#include "coop.clh"
#include "dmr_abi.h"
#include "mesh.clh"

/* ---- Rooms ----------------------------------------------------------------------------------- */

/* Words of a room's head. */
enum {
    DMR_TRIANGLE, /* on the list */
    DMR_FATE,     /* of the triangle, in this turn */
    DMR_X,
    DMR_Y,           /* the new point */
    DMR_SPLIT,       /* the edge of the border that the point is on, or DMR_BORDER */
    DMR_N_TRIANGLES, /* of the cavity */
    DMR_N_EDGES      /* around it, but the one that is split */
};

typedef char dmr_head_has_another_size[DMR_N_EDGES + 1 == DMR_PAPER_HEAD_WORDS ? 1 : -1];

#define DMR_DROPPED  0u /* there is nothing to do for it */
#define DMR_CLAIMS   1u /* it has found its cavity */
#define DMR_IS_LARGE 2u /* it has, in the large room */

typedef struct {
    global uint *words;
    uint stride, most; /* words from one to the next; triangles that there is room for */
} dmr_room;

#define DMR_WORD(room, i) ((room).words[(size_t)(i) * (room).stride])

/* The triangles of the cavity, and the edges around it, from within. */
#define DMR_CAVITY_OF(room, i) DMR_WORD(room, DMR_PAPER_HEAD_WORDS + (i))
#define DMR_AROUND(room, i)    DMR_WORD(room, DMR_PAPER_HEAD_WORDS + (room).most + (i))

/* Work-items of a workgroup that refine. */
#define DMR_ITEMS min((uint)COOP_WG_SIZE, DMR_PAPER_ITEMS)

static inline dmr_room dmr_own_room(const coop_args *A, uint place, const coop_view V)
{
    dmr_room room = {A->rooms + DMR_PAPER_ROOM_WORDS((size_t)A->triangle_room) + place,
                     coop_max_groups() * DMR_ITEMS, DMR_PAPER_CAVITY};
    return room;
}

static inline dmr_room dmr_large_room(const coop_args *A)
{
    dmr_room room = {A->rooms, 1, A->triangle_room};
    return room;
}

/* The room that has its cavity. */
static inline dmr_room dmr_room_of(const coop_args *A, uint place, const coop_view V)
{
    dmr_room own = dmr_own_room(A, place, V);
    return DMR_WORD(own, DMR_FATE) == DMR_IS_LARGE ? dmr_large_room(A) : own;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static inline global uint *dmr_list(const coop_args *A, uint pass)
{
    return A->lists + (size_t)(pass % 2) * A->triangle_room;
}

static inline void dmr_push(const coop_args *A, uint pass, uint triangle)
{
    dmr_list(A, pass)[cb_append_global(&A->words[DMR_SIZE(pass)], 1)] = triangle;
}

/* The word of a triangle that says whether it is bad or gone. */
static inline global uint *dmr_state(const coop_args *A, uint triangle)
{
    return (global uint *)&A->corners[triangle] + 3;
}

static inline uint dmr_count_triangles(const coop_args *A)
{
    return min(A->words[DMR_TRIANGLES], A->triangle_room);
}

/* Looks at those that are new; some have been replaced again. */
static inline void dmr_check(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    if (coop_global_id() == 0)
        A->words[DMR_SIZE(S->pass + 1)] = 0;
    if (A->words[DMR_STOP])
        return;
    uint end = dmr_count_triangles(A);
    for (uint t = S->known + coop_global_id(); t < end; t += coop_global_size()) {
        if (*dmr_state(A, t) == DMR_GONE || !dmr_is_bad_one(A, t))
            continue;
        *dmr_state(A, t) = DMR_BAD;
        dmr_push(A, S->pass, t);
    }
}

/* ---- Cavities -------------------------------------------------------------------------------- */

#define DMR_FOUND      0u
#define DMR_ENCROACHES 1u /* the point does, on an edge of the border, DMR_SPLIT */
#define DMR_TOO_MANY   2u /* triangles for the room */

static inline bool dmr_encroaches_on(const coop_args *A, uint edge, int2 p)
{
    return dmr_encroaches(A->points[dmr_from(A, edge)], A->points[dmr_from(A, dmr_next(edge))], p);
}

/* Puts a triangle into the cavity, unless it is there. False: there is no room. */
static inline bool dmr_add(const dmr_room room, uint triangle, uint *triangles)
{
    for (uint i = 0; i < *triangles; i++)
        if (DMR_CAVITY_OF(room, i) == triangle)
            return true;
    if (*triangles == room.most)
        return false;
    DMR_CAVITY_OF(room, (*triangles)++) = triangle;
    return true;
}

/* Finds the cavity of a point, from a triangle on that has it in its circle. */
static inline uint dmr_grow(const coop_args *A, const dmr_room room, uint first, int2 p, uint split)
{
    uint triangles = 0, edges = 0;
    DMR_WORD(room, DMR_X) = (uint)p.x;
    DMR_WORD(room, DMR_Y) = (uint)p.y;
    DMR_WORD(room, DMR_SPLIT) = split;
    dmr_add(room, first, &triangles);
    for (uint i = 0; i < 3 * triangles; i++) {
        uint edge = 4 * DMR_CAVITY_OF(room, i / 3) + i % 3, link = A->links[edge];
        if (edge == split)
            continue;
        if (link == DMR_BORDER && split == DMR_BORDER && dmr_encroaches_on(A, edge, p)) {
            DMR_WORD(room, DMR_SPLIT) = edge;
            return DMR_ENCROACHES;
        }
        if (link != DMR_BORDER && dmr_is_in_conflict(A, link / 4, p)) {
            if (!dmr_add(room, link / 4, &triangles))
                return DMR_TOO_MANY;
        } else if (edges == room.most + 2) {
            return DMR_TOO_MANY;
        } else {
            DMR_AROUND(room, edges++) = edge;
        }
    }
    DMR_WORD(room, DMR_N_TRIANGLES) = triangles;
    DMR_WORD(room, DMR_N_EDGES) = edges;
    return DMR_FOUND;
}

/* The edge across from an obtuse angle, or DMR_BORDER. */
static inline uint dmr_across(const coop_args *A, uint triangle)
{
    for (uint edge = 4 * triangle; edge < 4 * triangle + 3; edge++) {
        uint next = dmr_next(edge);
        if (dmr_dot(A->points[dmr_from(A, dmr_next(next))], A->points[dmr_from(A, edge)],
                    A->points[dmr_from(A, next)]) < 0)
            return edge;
    }
    return DMR_BORDER;
}

static inline uint dmr_find_cavity(const coop_args *A, const dmr_room room, uint triangle)
{
    uint across = dmr_across(A, triangle), found = DMR_ENCROACHES;
    uint link = across == DMR_BORDER ? 4 * triangle : A->links[across];
    DMR_WORD(room, DMR_SPLIT) = across;
    if (link != DMR_BORDER)
        found = dmr_grow(A, room, link / 4, dmr_centre_of(A, link / 4), DMR_BORDER);
    uint split = DMR_WORD(room, DMR_SPLIT);
    if (found == DMR_ENCROACHES)
        found = dmr_grow(A, room, split / 4, dmr_middle(A, split), split);
    return found;
}

/* ---- Conflicts ------------------------------------------------------------------------------- */

static inline void dmr_mark(const coop_args *A, const dmr_room room, uint place)
{
    for (uint i = 0; i < DMR_WORD(room, DMR_N_TRIANGLES); i++)
        cb_store_relaxed(CB_ATOMIC(A->marks[DMR_CAVITY_OF(room, i)]), place);
    for (uint i = 0; i < DMR_WORD(room, DMR_N_EDGES); i++) {
        uint link = A->links[DMR_AROUND(room, i)];
        if (link != DMR_BORDER)
            cb_store_relaxed(CB_ATOMIC(A->marks[link / 4]), place);
    }
}

/* One of those who want a triangle has its number there, and the others put theirs if smaller. */
static inline void dmr_lower(const coop_args *A, uint triangle, uint place)
{
    if (cb_load_relaxed(CB_ATOMIC(A->marks[triangle])) != place)
        atomic_min(&A->marks[triangle], place);
}

/* Whether all are its own. The cavity comes first: as soon as it is, nobody changes its links. */
static inline bool dmr_has_all(const coop_args *A, const dmr_room room, uint place)
{
    bool all = true;
    for (uint i = 0; all && i < DMR_WORD(room, DMR_N_TRIANGLES); i++)
        all = cb_load_relaxed(CB_ATOMIC(A->marks[DMR_CAVITY_OF(room, i)])) == place;
    for (uint i = 0; all && i < DMR_WORD(room, DMR_N_EDGES); i++) {
        uint link = A->links[DMR_AROUND(room, i)];
        all = link == DMR_BORDER || cb_load_relaxed(CB_ATOMIC(A->marks[link / 4])) == place;
    }
    return all;
}

/* ---- New triangles --------------------------------------------------------------------------- */

/* The triangle of the new point and an edge around the cavity. Among the other new ones, it looks
 * for those that go on from either end of the edge; at an edge that is split there is none. */
static inline void dmr_make(const coop_args *A, const dmr_room room, uint i, uint number,
                            uint fresh)
{
    const uint edge = DMR_AROUND(room, i), t = fresh + i, link = A->links[edge];
    const uint from = dmr_from(A, edge), to = dmr_from(A, dmr_next(edge));
    uint before = DMR_BORDER, after = DMR_BORDER;
    for (uint j = 0; j < DMR_WORD(room, DMR_N_EDGES); j++) {
        uint other = DMR_AROUND(room, j);
        if (dmr_from(A, dmr_next(other)) == from)
            before = 4 * (fresh + j) + 2;
        if (dmr_from(A, other) == to)
            after = 4 * (fresh + j);
    }
    A->corners[t] = (uint4)(number, from, to, 0);
    ((global uint4 *)A->links)[t] = (uint4)(before, link, after, 0);
    if (link != DMR_BORDER)
        A->links[link] = 4 * t + 1;
}

static inline void dmr_replace(const coop_args *A, const coop_transmit *S, const dmr_room room,
                               uint triangle)
{
    uint edges = DMR_WORD(room, DMR_N_EDGES);
    uint fresh = atomic_add(&A->words[DMR_TRIANGLES], edges);
    if (fresh + edges > A->triangle_room) {
        cb_store_relaxed(CB_ATOMIC(A->words[DMR_STOP]), DMR_FULL);
        return;
    }
    uint number = cb_append_global(&A->words[DMR_POINTS], 1);
    A->points[number] = (int2)((int)DMR_WORD(room, DMR_X), (int)DMR_WORD(room, DMR_Y));
    for (uint i = 0; i < edges; i++)
        dmr_make(A, room, i, number, fresh);
    for (uint i = 0; i < DMR_WORD(room, DMR_N_TRIANGLES); i++)
        *dmr_state(A, DMR_CAVITY_OF(room, i)) = DMR_GONE;
    if (*dmr_state(A, triangle) != DMR_GONE)
        dmr_push(A, S->pass + 1, triangle);
}

/* ---- The parts of a turn --------------------------------------------------------------------- */

static inline bool dmr_take_large_room(const coop_args *A)
{
    return atomic_cmpxchg(&A->words[DMR_TAKEN], 0, 1) == 0;
}

/* Looks for the cavity in its own room, then in the large one. */
static inline uint dmr_claim(const coop_args *A, const coop_transmit *S, const dmr_room own,
                             uint triangle)
{
    if (dmr_find_cavity(A, own, triangle) == DMR_FOUND)
        return DMR_CLAIMS;
    if (!dmr_take_large_room(A)) {
        dmr_push(A, S->pass + 1, triangle);
        return DMR_DROPPED;
    }
    if (dmr_find_cavity(A, dmr_large_room(A), triangle) == DMR_FOUND)
        return DMR_IS_LARGE;
    cb_store_relaxed(CB_ATOMIC(A->words[DMR_STOP]), DMR_BROKEN);
    return DMR_DROPPED;
}

static inline void dmr_race(const coop_args *A, const coop_transmit *S, uint place,
                            const coop_view V)
{
    dmr_room own = dmr_own_room(A, place, V);
    uint at = place * S->each + S->turn;
    uint triangle = at < S->size ? dmr_list(A, S->pass)[at] : 0, fate = DMR_DROPPED;
    if (at < S->size && *dmr_state(A, triangle) == DMR_BAD)
        fate = dmr_claim(A, S, own, triangle);
    DMR_WORD(own, DMR_TRIANGLE) = triangle;
    DMR_WORD(own, DMR_FATE) = fate;
    if (fate != DMR_DROPPED)
        dmr_mark(A, dmr_room_of(A, place, V), place);
}

static inline void dmr_prioritise(const coop_args *A, uint place, const coop_view V)
{
    const dmr_room room = dmr_room_of(A, place, V);
    if (DMR_WORD(dmr_own_room(A, place, V), DMR_FATE) == DMR_DROPPED)
        return;
    for (uint i = 0; i < DMR_WORD(room, DMR_N_TRIANGLES); i++)
        dmr_lower(A, DMR_CAVITY_OF(room, i), place);
    for (uint i = 0; i < DMR_WORD(room, DMR_N_EDGES); i++) {
        uint link = A->links[DMR_AROUND(room, i)];
        if (link != DMR_BORDER)
            dmr_lower(A, link / 4, place);
    }
}

static inline void dmr_settle(const coop_args *A, const coop_transmit *S, uint place,
                              const coop_view V)
{
    const dmr_room own = dmr_own_room(A, place, V), room = dmr_room_of(A, place, V);
    uint fate = DMR_WORD(own, DMR_FATE);
    if (fate == DMR_DROPPED)
        return;
    if (dmr_has_all(A, room, place))
        dmr_replace(A, S, room, DMR_WORD(own, DMR_TRIANGLE));
    else
        dmr_push(A, S->pass + 1, DMR_WORD(own, DMR_TRIANGLE));
    if (fate == DMR_IS_LARGE)
        A->words[DMR_TAKEN] = 0;
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static inline void dmr_copy(const coop_args *A, const coop_view V)
{
    for (uint t = coop_global_id(); t < A->n_triangles; t += coop_global_size()) {
        A->corners[t] = A->first_corners[t];
        ((global uint4 *)A->links)[t] = A->first_links[t];
    }
    for (uint w = coop_global_id(); w < DMR_WORDS; w += coop_global_size())
        A->words[w] = w == DMR_POINTS ? A->n_points : w == DMR_TRIANGLES ? A->n_triangles : 0;
}

/* Nobody writes the words after a check. A pass that makes no triangle leaves nothing on the list;
 * one in a mesh that is broken may, which ends here, too: its digest is wrong. */
static inline void dmr_begin_pass(const coop_args *A, coop_transmit *S, const coop_view V)
{
    uint triangles = dmr_count_triangles(A), items = coop_num_groups() * DMR_ITEMS;
    bool ends = A->words[DMR_STOP] || triangles == S->known;
    S->size = ends ? 0 : A->words[DMR_SIZE(S->pass)];
    S->known = triangles;
    S->each = (S->size + items - 1) / items;
    S->turn = 0;
}

static inline uint dmr_digest_of(const coop_args *A, const coop_transmit *S, const coop_view V)
{
    uint sum = coop_global_id() == 0 ? dmr_first_digest(A) : 0;
    uint end = A->words[DMR_STOP] ? 0 : S->known;
    for (uint t = coop_global_id(); t < end; t += coop_global_size())
        if (*dmr_state(A, t) != DMR_GONE)
            sum += dmr_triangle_digest(A, t);
    return sum;
}

/* The place of a work-item among those that refine, or none. */
#define DMR_PLACE(V)   (coop_group_id() * DMR_ITEMS + coop_local_id())
#define DMR_REFINES(V) (coop_local_id() < DMR_ITEMS)

coop_kernel(dmr)
{
    coop_begin();
    dmr_copy(A, V);
    if (coop_global_id() == 0)
        A->digests[coop_run() % COOP_MAX_RUNS] = 0;
    global_barrier();

    do {
        dmr_check(A, S, V);
        resizing_global_barrier();
        dmr_begin_pass(A, S, V);
        while (S->turn < S->each) {
            if (DMR_REFINES(V))
                dmr_race(A, S, DMR_PLACE(V), V);
            global_barrier();
            if (DMR_REFINES(V))
                dmr_prioritise(A, DMR_PLACE(V), V);
            global_barrier();
            if (DMR_REFINES(V))
                dmr_settle(A, S, DMR_PLACE(V), V);
            S->turn++;
            global_barrier();
        }
        S->pass++;
    } while (S->size > 0);

    L->digest = 0;
    workgroup_barrier();
    atomic_add(&L->digest, dmr_digest_of(A, S, V));
    workgroup_barrier();
    if (coop_local_id() == 0)
        atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest);
    coop_end();
}

#include "coop_run.clh"
