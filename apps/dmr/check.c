/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/dmr/check.h"

#include <inttypes.h>
#include <stdlib.h>

struct check {
    const struct cb_dmr_mesh *mesh;
    struct cb_sample *sample;
    bool *used;       /* of each point: whether a triangle has it */
    int64_t area;     /* twice that of all triangles */
    uint32_t borders; /* edges on the border */
};

#define CHECK(c, ...) cb_sample_check((c)->sample, __VA_ARGS__)

static bool is_on_border(const struct cb_dmr_point *a, const struct cb_dmr_point *b)
{
    return (a->x == b->x && (a->x == 0 || a->x == DMR_SIDE)) ||
           (a->y == b->y && (a->y == 0 || a->y == DMR_SIDE));
}

/* --- Points ----------------------------------------------------------------------------------- */

static bool check_points(struct check *c, const struct cb_dmr_mesh *input)
{
    const struct cb_dmr_mesh *mesh = c->mesh;
    for (uint32_t i = 0; i < mesh->n_points; i++) {
        const struct cb_dmr_point *p = &mesh->points[i];
        if (i < input->n_points &&
            !CHECK(c, p->x == input->points[i].x && p->y == input->points[i].y,
                   "point %u of the input is at (%d, %d) instead of (%d, %d)", i, p->x, p->y,
                   input->points[i].x, input->points[i].y))
            return false;
        if (!CHECK(c, p->x >= 0 && p->x <= DMR_SIDE && p->y >= 0 && p->y <= DMR_SIDE,
                   "point %u at (%d, %d) is outside of the square", i, p->x, p->y))
            return false;
    }
    return true;
}

static bool check_all_used(struct check *c)
{
    for (uint32_t i = 0; i < c->mesh->n_points; i++)
        if (!CHECK(c, c->used[i], "point %u is in no triangle", i))
            return false;
    return true;
}

/* --- Triangles -------------------------------------------------------------------------------- */

static bool check_corners(struct check *c, uint32_t t)
{
    const uint32_t *corners = &c->mesh->corners[4 * (size_t)t];
    for (uint32_t e = 0; e < 3; e++) {
        if (!CHECK(c, corners[e] < c->mesh->n_points, "triangle %u: there is no point %u", t,
                   corners[e]))
            return false;
        c->used[corners[e]] = true;
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
 * not in the triangle's circle. */
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
    return CHECK(c,
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

/* For each triangle first its corners, which all else relies on. */
static bool check_triangles(struct check *c)
{
    for (uint32_t t = 0; t < c->mesh->n_triangles; t++)
        if (!check_corners(c, t))
            return false;
    for (uint32_t t = 0; t < c->mesh->n_triangles; t++)
        if (!check_area(c, t) || !check_edges(c, t))
            return false;
    return true;
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

bool cb_dmr_check_mesh(const struct cb_dmr_mesh *mesh, const struct cb_dmr_mesh *input,
                       struct cb_sample *sample)
{
    struct check c = {
        .mesh = mesh, .sample = sample, .used = calloc(mesh->n_points + 1ul, sizeof *c.used)};
    if (!c.used)
        return false;
    if (CHECK(&c, mesh->n_points >= input->n_points, "%u points, of %u of the input",
              mesh->n_points, input->n_points) &&
        check_points(&c, input) && check_triangles(&c) && check_all_used(&c))
        check_whole(&c);
    free(c.used);
    return true;
}

void cb_dmr_check_angles(const struct cb_dmr_mesh *mesh, struct cb_sample *sample)
{
    uint32_t small = 0;
    for (uint32_t t = 0; t < mesh->n_triangles; t++) {
        const struct cb_dmr_point *a = cb_dmr_corner(mesh, 4 * t),
                                  *b = cb_dmr_corner(mesh, 4 * t + 1),
                                  *c = cb_dmr_corner(mesh, 4 * t + 2);
        if (!cb_dmr_is_skinny(a, b, c))
            continue;
        small += cb_dmr_is_small(a, b, c);
        if (!cb_sample_check(sample, cb_dmr_is_small(a, b, c),
                             "triangle %u, (%d, %d) (%d, %d) (%d, %d), has an angle below 30 "
                             "degrees",
                             t, a->x, a->y, b->x, b->y, c->x, c->y))
            return;
    }
    if (small > 0)
        cb_sample_note(sample,
                       "%u triangles have an angle below 30 degrees, and an edge shorter than %d",
                       small, DMR_SHORTEST);
}
