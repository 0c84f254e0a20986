/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "apps/dmr/mesh.h"
#include "measure/random.h"

/* Rounds of insertion: each has about twice as many points as the one before. */
#define ROUNDS   8u
#define BITS     28u /* bits of a coordinate on the curve */
#define MOST     4u  /* edges around a point that is inserted, at first */
#define BOUNDARY 4u  /* the square's corners */

/* --- The order of insertion ------------------------------------------------------------------- */

struct key {
    uint64_t place; /* the round, and in it the place on the curve */
    uint32_t point;
};

/* On Hilbert's curve. */
static uint64_t place_of(struct cb_dmr_point p)
{
    uint32_t x = (uint32_t)p.x, y = (uint32_t)p.y;
    uint64_t place = 0;
    for (uint32_t bit = 1u << (BITS - 1); bit > 0; bit /= 2) {
        bool right = x & bit, upper = y & bit;
        place = place << 2 | (right ? 3u ^ upper : (unsigned)upper);
        if (!upper) {
            uint32_t swapped = right ? ~x : x;
            x = right ? ~y : y;
            y = swapped;
        }
    }
    return place;
}

/* The last one with probability 1/2, the one before with 1/4, and so on. */
static uint64_t round_of(uint32_t point)
{
    uint64_t bits = cb_random_mix(point + 1ull) | 1ull << (ROUNDS - 1);
    return ROUNDS - 1 - (unsigned)__builtin_ctzll(bits);
}

static int compare(const void *a, const void *b)
{
    uint64_t left = ((const struct key *)a)->place, right = ((const struct key *)b)->place;
    return (left > right) - (left < right);
}

static bool put_in_order(const struct cb_dmr_point *points, uint32_t n, struct cb_dmr_point *sorted)
{
    struct key *keys = malloc((n + 1) * sizeof *keys);
    if (!keys)
        return false;
    for (uint32_t i = 0; i < n; i++)
        keys[i] = (struct key){round_of(i) << 2 * BITS | place_of(points[i]), i};
    qsort(keys, n, sizeof *keys, compare);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = points[keys[i].point];
    free(keys);
    return true;
}

/* --- Insertion -------------------------------------------------------------------------------- */

static void link_edges(struct cb_dmr_mesh *mesh, uint32_t edge, uint32_t other)
{
    mesh->links[edge] = other;
    if (other != DMR_BORDER)
        mesh->links[other] = edge;
}

static void set_corners(struct cb_dmr_mesh *mesh, uint32_t triangle, uint32_t a, uint32_t b,
                        uint32_t c)
{
    memcpy(&mesh->corners[4 * (size_t)triangle], (uint32_t[]){a, b, c, 0}, 4 * sizeof a);
}

/* Which triangle the point is in; *on is its edge that the point is on, or DMR_BORDER. In a
 * Delaunay triangulation no walk comes back. */
static uint32_t locate(const struct cb_dmr_mesh *mesh, uint32_t triangle,
                       const struct cb_dmr_point *p, uint32_t *on)
{
    *on = DMR_BORDER;
    for (uint32_t e = 0; e < 3;) {
        uint32_t edge = 4 * triangle + e;
        int64_t side =
            cb_dmr_area(cb_dmr_corner(mesh, edge), cb_dmr_corner(mesh, cb_dmr_next(edge)), p);
        if (side == 0)
            *on = edge;
        e++;
        if (side < 0) {
            triangle = mesh->links[edge] / 4;
            *on = DMR_BORDER;
            e = 0;
        }
    }
    return triangle;
}

/* The edges of the triangle, or of those on both sides of the edge that the point is on, around
 * which they go. */
static uint32_t edges_around(const struct cb_dmr_mesh *mesh, uint32_t triangle, uint32_t on,
                             uint32_t around[MOST])
{
    if (on == DMR_BORDER) {
        for (uint32_t e = 0; e < 3; e++)
            around[e] = 4 * triangle + e;
        return 3;
    }
    around[0] = cb_dmr_next(on);
    around[1] = cb_dmr_next(around[0]);
    if (mesh->links[on] == DMR_BORDER)
        return 2;
    around[2] = cb_dmr_next(mesh->links[on]);
    around[3] = cb_dmr_next(around[2]);
    return 4;
}

/* Replaces what is within these edges by triangles of the point and an edge each, of which the
 * first is returned. Corner 0 of each is the point. */
static uint32_t make_star(struct cb_dmr_mesh *mesh, uint32_t point, const uint32_t *around,
                          uint32_t n, bool closed)
{
    uint32_t from[MOST], to[MOST], link[MOST], triangle[MOST];
    for (uint32_t i = 0; i < n; i++) {
        from[i] = mesh->corners[around[i]];
        to[i] = mesh->corners[cb_dmr_next(around[i])];
        link[i] = mesh->links[around[i]];
    }
    triangle[0] = around[0] / 4;
    for (uint32_t i = 1; i < n; i++)
        triangle[i] = i == 2 && n == 4 ? around[2] / 4 : mesh->n_triangles++;
    for (uint32_t i = 0; i < n; i++) {
        set_corners(mesh, triangle[i], point, from[i], to[i]);
        link_edges(mesh, 4 * triangle[i] + 1, link[i]);
        if (i > 0 || closed)
            link_edges(mesh, 4 * triangle[i], 4 * triangle[(i + n - 1) % n] + 2);
    }
    if (!closed)
        mesh->links[4 * triangle[0]] = mesh->links[4 * triangle[n - 1] + 2] = DMR_BORDER;
    return triangle[0];
}

/* Replaces the edge across from the point by the other diagonal, from the point. */
static void flip(struct cb_dmr_mesh *mesh, uint32_t triangle)
{
    uint32_t across = mesh->links[4 * triangle + 1], other = across / 4;
    uint32_t first = cb_dmr_next(across), second = cb_dmr_next(first);
    uint32_t point = mesh->corners[4 * triangle], from = mesh->corners[4 * triangle + 1],
             to = mesh->corners[4 * triangle + 2], apex = mesh->corners[second];
    uint32_t first_link = mesh->links[first], second_link = mesh->links[second],
             back = mesh->links[4 * triangle + 2];
    set_corners(mesh, triangle, point, from, apex);
    set_corners(mesh, other, point, apex, to);
    link_edges(mesh, 4 * triangle + 1, first_link);
    link_edges(mesh, 4 * other + 1, second_link);
    link_edges(mesh, 4 * other + 2, back);
    link_edges(mesh, 4 * triangle + 2, 4 * other);
}

/* Whether the point of the star is in the circle of the triangle across from it. */
static bool is_to_be_flipped(const struct cb_dmr_mesh *mesh, uint32_t triangle)
{
    uint32_t across = mesh->links[4 * triangle + 1], other = across / 4 * 4;
    return across != DMR_BORDER &&
           cb_dmr_in_circle(cb_dmr_corner(mesh, other), cb_dmr_corner(mesh, other + 1),
                            cb_dmr_corner(mesh, other + 2), cb_dmr_corner(mesh, 4 * triangle));
}

/* Goes around the point of the star, counterclockwise, and flips what has to be. */
static void flip_around(struct cb_dmr_mesh *mesh, uint32_t first)
{
    uint32_t next = 4 * first;
    do {
        while (is_to_be_flipped(mesh, next / 4))
            flip(mesh, next / 4);
        next = mesh->links[next / 4 * 4 + 2];
    } while (next != DMR_BORDER && next / 4 != first);
}

static bool insert(struct cb_dmr_mesh *mesh, uint32_t point, uint32_t *near)
{
    uint32_t around[MOST], on;
    const struct cb_dmr_point *p = &mesh->points[point];
    uint32_t triangle = locate(mesh, *near, p, &on);
    for (uint32_t e = 0; e < 3; e++) {
        const struct cb_dmr_point *corner = cb_dmr_corner(mesh, 4 * triangle + e);
        if (corner->x == p->x && corner->y == p->y)
            return false;
    }
    uint32_t n = edges_around(mesh, triangle, on, around);
    *near = make_star(mesh, point, around, n, n != 2);
    flip_around(mesh, *near);
    return true;
}

/* --- The mesh --------------------------------------------------------------------------------- */

static void begin_square(struct cb_dmr_mesh *mesh)
{
    static const struct cb_dmr_point corners[BOUNDARY] = {
        {0, 0}, {DMR_SIDE, 0}, {DMR_SIDE, DMR_SIDE}, {0, DMR_SIDE}};
    static const uint32_t links[] = {DMR_BORDER, DMR_BORDER, 4, 0, 2, DMR_BORDER, DMR_BORDER, 0};
    memcpy(mesh->points, corners, sizeof corners);
    set_corners(mesh, 0, 0, 1, 2);
    set_corners(mesh, 1, 0, 2, 3);
    memcpy(mesh->links, links, sizeof links);
    mesh->n_points = BOUNDARY;
    mesh->n_triangles = 2;
}

void cb_dmr_mesh_free(struct cb_dmr_mesh *mesh)
{
    free(mesh->points);
    free(mesh->corners);
    free(mesh->links);
    *mesh = (struct cb_dmr_mesh){0};
}

enum cb_status cb_dmr_triangulate(const struct cb_dmr_point *points, uint32_t n,
                                  struct cb_dmr_mesh *mesh, struct cb_err *err)
{
    size_t most = n + (size_t)BOUNDARY, words = 4 * 2 * most;
    *mesh = (struct cb_dmr_mesh){.points = malloc(most * sizeof *points),
                                 .corners = calloc(words, sizeof(uint32_t)),
                                 .links = calloc(words, sizeof(uint32_t))};
    if (!mesh->points || !mesh->corners || !mesh->links ||
        !put_in_order(points, n, mesh->points + BOUNDARY))
        return cb_no_memory(err);
    begin_square(mesh);
    for (uint32_t near = 0; mesh->n_points < most; mesh->n_points++)
        if (!insert(mesh, mesh->n_points, &near))
            return cb_fail(err, CB_ERROR, "the point (%d, %d) is there twice",
                           mesh->points[mesh->n_points].x, mesh->points[mesh->n_points].y);
    return CB_OK;
}
