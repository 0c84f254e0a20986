/* SPDX-License-Identifier: Apache-2.0
 *
 * Delaunay mesh refinement (LonestarGPU's dmr, OOPSLA'16 Section 5.2): Ruppert's algorithm, until
 * no triangle has an angle below 30 degrees. In a turn, the bad triangles of a slice of the list
 * find their cavities and mark them; after a barrier, those whose marks have stayed are refined,
 * the others are put on the next list, and so are new bad triangles.
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
    uint pass, size;    /* which list is read, and how long it is */                               \
    uint first, count;  /* of its block: where it begins, how long it is */                        \
    uint slices, slice; /* of the block: how many, and which one is next */                        \
    uint turn, asides;  /* barriers passed at the end of a slice; put aside in it */

#define COOP_LOCAL uint digest;

#include "append.clh"
#include "coop.clh"
#include "dmr_abi.h"
#include "predicates.clh"

#include "cavity.clh"
#include "refine.clh"

/* Of a workgroup in a slice: on a CPU its work-items go one after the other. */
#ifdef COOP_CPU_DEVICE
#define DMR_TAKES 64u
#else
#define DMR_TAKES DMR_SHARE
#endif

/* A block of the list is done in so many slices, the last ones of a list in fewer: triangles next
 * to each other on the list, whose cavities have triangles in common, are in different ones. Blocks
 * are small, for the caches. */
#define DMR_STRIDE 8u

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

/* What comes after a slice, once all triangles of it are seen to. */
static inline void dmr_end_slice(const coop_args *A, coop_transmit *S, const coop_view V)
{
    S->turn++;
    S->slice++;
    if (A->words[DMR_FULL])
        S->size = 0;
    else if (S->slice == S->slices && S->first + S->count == S->size)
        dmr_begin_pass(S, S->pass + 1, A->words[DMR_SIZE(S->pass + 1)], V);
    else if (S->slice == S->slices)
        dmr_begin_block(S, S->first + S->count, V);
}

/* Copies the mesh; all of its triangles are on the first list. */
static inline void dmr_copy(const coop_args *A, const coop_view V)
{
    for (uint t = coop_global_id(); t < A->n_triangles; t += coop_global_size()) {
        A->corners[t] = A->first_corners[t];
        ((global uint4 *)A->links)[t] = A->first_links[t];
        A->marks[t] = DMR_FREE;
        A->listed[t] = 1;
    }
    for (uint w = coop_global_id(); w < DMR_WORDS; w += coop_global_size())
        A->words[w] = w == DMR_POINTS ? A->n_points : w == DMR_TRIANGLES ? A->n_triangles : 0;
}

/* A work-item's part of the digest. */
static inline uint dmr_digest_of(const coop_args *A, uint id, uint ids)
{
    uint area = 0, bad = 0, missing = id == 0 ? 2 - 2 * A->words[DMR_POINTS] : 0;
    for (uint t = id; t < min(A->words[DMR_TRIANGLES], A->triangle_room); t += ids) {
        uint4 c = A->corners[t];
        uint4 links = ((const global uint4 *)A->links)[t];
        area += (uint)dmr_cross(A->points[c.x], A->points[c.y], A->points[c.z]);
        bad += dmr_is_bad_one(A, t);
        missing += 1 + (links.x == DMR_BORDER) + (links.y == DMR_BORDER) + (links.z == DMR_BORDER);
    }
    return dmr_digest(area, bad, missing) + (id == 0 ? DMR_RIGHT : 0);
}

coop_kernel(dmr)
{
    coop_begin();
    dmr_copy(A, V);
    S->turn = 0;
    resizing_global_barrier();

    dmr_begin_pass(S, 0, A->n_triangles, V);
    while (S->size > 0) {
        if (coop_global_id() == 0) /* nobody uses it before the next pass */
            A->words[DMR_SIZE(S->pass + 2)] = 0;
        for (uint i = coop_global_id(); i < dmr_slice_size(S); i += coop_global_size())
            dmr_claim(A, S, i);
        global_barrier();
        if (coop_global_id() == 0) /* all know how many were put aside in the last turn */
            A->words[DMR_ASIDES(S->turn + 1)] = 0;
        for (uint i = coop_global_id(); i < dmr_slice_size(S); i += coop_global_size())
            dmr_settle(A, S, i);
        resizing_global_barrier();
        S->asides = A->words[DMR_ASIDES(S->turn)];
        if (S->asides > 0) {
            if (coop_global_id() == 0)
                dmr_refine_asides(A, S);
            global_barrier();
        }
        dmr_end_slice(A, S, V);
    }

    L->digest = 0;
    workgroup_barrier();
    atomic_add(&L->digest, dmr_digest_of(A, coop_global_id(), coop_global_size()));
    workgroup_barrier();
    if (coop_local_id() == 0)
        atomic_add(&A->digests[coop_run() % COOP_MAX_RUNS], L->digest);
    coop_end();
}

#include "coop_run.clh"
