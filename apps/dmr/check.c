/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/dmr/check.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "runtime/host/parallel.h"

/* A part of the mesh; parts are checked in parallel. */
struct check {
    const struct cb_dmr_mesh *mesh;
    const struct cb_dmr_mesh *input;
    atomic_bool *used; /* for each point whether a triangle has it */
    struct cb_sample sample;
    unsigned part;
    int64_t area;     /* twice that of all triangles */
    uint32_t borders; /* edges on the border */
    uint32_t small;   /* triangles that are skinny, and too small to be bad */
};

/* Conditions are the fast part: millions of them hold. */
#define CHECK(c, ok, ...) ((ok) || cb_sample_check(&(c)->sample, false, __VA_ARGS__))

#define FOR_PART(c, i, n)                                                                          \
    for (uint32_t i = (uint32_t)cb_part(n, (c)->part); i < cb_part(n, (c)->part + 1); i++)

static bool is_on_border(const struct cb_dmr_point *a, const struct cb_dmr_point *b)
{
    return (a->x == b->x && (a->x == 0 || a->x == DMR_SIDE)) ||
           (a->y == b->y && (a->y == 0 || a->y == DMR_SIDE));
}

/* --- Points ----------------------------------------------------------------------------------- */

static bool check_point(struct check *c, uint32_t i)
{
    const struct cb_dmr_point *p = &c->mesh->points[i], *q = &c->input->points[i];
    return (i >= c->input->n_points ||
            CHECK(c, p->x == q->x && p->y == q->y,
                  "point %u of the input is at (%d, %d) instead of (%d, %d)", i, p->x, p->y, q->x,
                  q->y)) &&
           CHECK(c, p->x >= 0 && p->x <= DMR_SIDE && p->y >= 0 && p->y <= DMR_SIDE,
                 "point %u at (%d, %d) is outside of the square", i, p->x, p->y);
}

static void check_points(void *checks, unsigned part)
{
    struct check *c = (struct check *)checks + part;
    FOR_PART(c, i, c->mesh->n_points)
    if (!check_point(c, i))
        return;
}

static void check_all_used(void *checks, unsigned part)
{
    struct check *c = (struct check *)checks + part;
    FOR_PART(c, i, c->mesh->n_points)
    if (!CHECK(c, atomic_load_explicit(&c->used[i], memory_order_relaxed),
               "point %u is in no triangle", i))
        return;
}

/* --- Triangles -------------------------------------------------------------------------------- */

static bool check_corners(struct check *c, uint32_t t)
{
    const uint32_t *corners = &c->mesh->corners[4 * (size_t)t];
    for (uint32_t e = 0; e < 3; e++) {
        if (!CHECK(c, corners[e] < c->mesh->n_points, "triangle %u: there is no point %u", t,
                   corners[e]))
            return false;
        atomic_store_explicit(&c->used[corners[e]], true, memory_order_relaxed);
    }
    return true;
}

static bool check_area(struct check *c, uint32_t t)
{
    int64_t area = cb_dmr_area(cb_dmr_corner(c->mesh, 4 * t), cb_dmr_corner(c->mesh, 4 * t + 1),
                               cb_dmr_corner(c->mesh, 4 * t + 2));
    c->area += area;
    return CHECK(c, area > 0, "triangle %u is not counterclockwise: twice its area is %" PRId64, t,
                 area);
}

/* --- Edges ------------------------------------------------------------------------------------ */

/* The edge on the other side goes back between the same points, and the point across from it is
 * not in the triangle's circle: nor is then, on the other side, that of this triangle. */
static bool check_inner_edge(struct check *c, uint32_t edge, uint32_t link)
{
    const struct cb_dmr_mesh *mesh = c->mesh;
    uint32_t t = edge / 4, e = edge % 4;
    if (!CHECK(c, link / 4 < mesh->n_triangles && link % 4 < 3 && mesh->links[link] == edge,
               "triangle %u: edge %u has the link %u, which does not lead back", t, e, link) ||
        !CHECK(c,
               mesh->corners[edge] == mesh->corners[cb_dmr_next(link)] &&
                   mesh->corners[link] == mesh->corners[cb_dmr_next(edge)],
               "triangle %u: edge %u has other points than triangle %u there", t, e, link / 4))
        return false;
    uint32_t apex = cb_dmr_next(cb_dmr_next(link));
    return link < edge ||
           CHECK(c,
                 !cb_dmr_in_circle(cb_dmr_corner(mesh, 4 * t), cb_dmr_corner(mesh, 4 * t + 1),
                                   cb_dmr_corner(mesh, 4 * t + 2), cb_dmr_corner(mesh, apex)),
                 "triangle %u is not Delaunay: point %u is in its circle", t, mesh->corners[apex]);
}

static bool check_edges(struct check *c, uint32_t t)
{
    for (uint32_t e = 0; e < 3; e++) {
        uint32_t edge = 4 * t + e, link = c->mesh->links[edge];
        if (link != DMR_BORDER && !check_inner_edge(c, edge, link))
            return false;
        if (link != DMR_BORDER)
            continue;
        c->borders++;
        if (!CHECK(c,
                   is_on_border(cb_dmr_corner(c->mesh, edge),
                                cb_dmr_corner(c->mesh, cb_dmr_next(edge))),
                   "triangle %u: edge %u has no link, and is not on the square's border", t, e))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------- */

static void check_all_corners(void *checks, unsigned part)
{
    struct check *c = (struct check *)checks + part;
    FOR_PART(c, t, c->mesh->n_triangles)
    if (!check_corners(c, t))
        return;
}

static void check_triangles(void *checks, unsigned part)
{
    struct check *c = (struct check *)checks + part;
    FOR_PART(c, t, c->mesh->n_triangles)
    if (!check_area(c, t) || !check_edges(c, t))
        return;
}

/* Positive triangles that are linked as they lie, and whose areas add up to the square's, cover it
 * once. Where all edges are Delaunay, all circles are empty. */
static bool check_whole(struct check *c)
{
    const struct cb_dmr_mesh *mesh = c->mesh;
    const int64_t square = 2 * (int64_t)DMR_SIDE * DMR_SIDE;
    int64_t euler = 2 * (int64_t)mesh->n_points - 2 - c->borders;
    return CHECK(c, c->area == square,
                 "twice the area of all triangles is %" PRId64 " instead of %" PRId64, c->area,
                 square) &&
           CHECK(c, mesh->n_triangles == euler,
                 "%u triangles instead of %" PRId64 ", for %u points and %u edges on the border",
                 mesh->n_triangles, euler, mesh->n_points, c->borders);
}

static void check_part_angles(void *checks, unsigned part)
{
    struct check *check = (struct check *)checks + part;
    const struct cb_dmr_mesh *mesh = check->mesh;
    FOR_PART(check, t, mesh->n_triangles)
    {
        const struct cb_dmr_point *a = cb_dmr_corner(mesh, 4 * t),
                                  *b = cb_dmr_corner(mesh, 4 * t + 1),
                                  *c = cb_dmr_corner(mesh, 4 * t + 2);
        if (!cb_dmr_is_skinny(a, b, c))
            continue;
        check->small += cb_dmr_is_small(a, b, c);
        if (!CHECK(check, cb_dmr_is_small(a, b, c),
                   "triangle %u, (%d, %d) (%d, %d) (%d, %d), has an angle below 30 degrees", t,
                   a->x, a->y, b->x, b->y, c->x, c->y))
            return;
    }
}

/* ---- All parts ------------------------------------------------------------------------------- */

static void begin(struct check checks[CB_PARTS], const struct cb_dmr_mesh *mesh)
{
    for (unsigned part = 0; part < CB_PARTS; part++)
        checks[part] = (struct check){.mesh = mesh, .part = part};
}

/* False: a check failed; the sample has the first one. */
static bool run(struct check checks[CB_PARTS], void (*phase)(void *checks, unsigned part),
                struct cb_sample *sample)
{
    cb_parallel(phase, checks);
    for (unsigned part = 0; part < CB_PARTS; part++) {
        const char *failure = checks[part].sample.failure;
        if (!cb_sample_check(sample, !failure[0], "%s", failure))
            return false;
    }
    return true;
}

/* Corners come before all else, which relies on them. */
static void check_mesh(struct check checks[CB_PARTS], struct cb_sample *sample)
{
    if (!run(checks, check_points, sample) || !run(checks, check_all_corners, sample) ||
        !run(checks, check_triangles, sample) || !run(checks, check_all_used, sample))
        return;
    struct check whole = {.mesh = checks[0].mesh};
    for (unsigned part = 0; part < CB_PARTS; part++) {
        whole.area += checks[part].area;
        whole.borders += checks[part].borders;
    }
    cb_sample_check(sample, check_whole(&whole), "%s", whole.sample.failure);
}

bool cb_dmr_check_mesh(const struct cb_dmr_mesh *mesh, const struct cb_dmr_mesh *input,
                       struct cb_sample *sample)
{
    struct check checks[CB_PARTS];
    atomic_bool *used = calloc(mesh->n_points + 1ul, sizeof *used);
    if (!used)
        return false;
    begin(checks, mesh);
    for (unsigned part = 0; part < CB_PARTS; part++) {
        checks[part].input = input;
        checks[part].used = used;
    }
    if (cb_sample_check(sample, mesh->n_points >= input->n_points, "%u points, of %u of the input",
                        mesh->n_points, input->n_points))
        check_mesh(checks, sample);
    free(used);
    return true;
}

void cb_dmr_check_angles(const struct cb_dmr_mesh *mesh, struct cb_sample *sample)
{
    struct check checks[CB_PARTS];
    uint32_t small = 0;
    begin(checks, mesh);
    if (!run(checks, check_part_angles, sample))
        return;
    for (unsigned part = 0; part < CB_PARTS; part++)
        small += checks[part].small;
    if (small > 0)
        cb_sample_note(sample,
                       "%u triangles have an angle below 30 degrees, and an edge shorter than %d",
                       small, DMR_SHORTEST);
}
