/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangulations of points that lie in odd ways, and the check of meshes: it passes these, and
 * finds what is planted.
 */
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "apps/dmr/check.h"
#include "apps/dmr/points.h"
#include "runtime/cl.h"

static struct cb_dmr_mesh triangulate(const struct cb_dmr_point *points, uint32_t n)
{
    struct cb_dmr_mesh mesh;
    struct cb_err err;
    if (cb_dmr_triangulate(points, n, &mesh, &err) != CB_OK)
        fail_msg("%s", err.text);
    return mesh;
}

static struct cb_dmr_mesh make(const char *spec)
{
    struct cb_dmr_point *points;
    uint32_t n;
    struct cb_err err;
    if (cb_dmr_points(spec, &points, &n, &err) != CB_OK)
        fail_msg("%s: %s", spec, err.text);
    struct cb_dmr_mesh mesh = triangulate(points, n);
    free(points);
    return mesh;
}

/* Returns what the check says of a mesh of this input; "": nothing. */
static const char *verdict(const struct cb_dmr_mesh *mesh, const struct cb_dmr_mesh *input)
{
    static struct cb_sample sample;
    sample = (struct cb_sample){0};
    assert_true(cb_dmr_check_mesh(mesh, input, &sample));
    return sample.failure;
}

static const char *angles(const struct cb_dmr_mesh *mesh, cJSON **notes)
{
    static struct cb_sample sample;
    sample = (struct cb_sample){0};
    cb_dmr_check_angles(mesh, &sample);
    *notes = sample.notes;
    return sample.failure;
}

/* --- Triangles that are gone ------------------------------------------------------------------ */

/* Puts a triangle that is gone before the one at `place`, and moves what links lead to. */
static void put_gone_before(struct cb_dmr_mesh *mesh, uint32_t place)
{
    const size_t words = 4 * (mesh->n_triangles + 1ul);
    mesh->corners = realloc(mesh->corners, 4 * words);
    mesh->links = realloc(mesh->links, 4 * words);
    for (uint32_t e = 0; e < 4 * mesh->n_triangles; e++)
        if (mesh->links[e] != DMR_BORDER && mesh->links[e] / 4 >= place)
            mesh->links[e] += 4;
    for (size_t w = words - 1; w >= 4 * (place + 1ul); w--) {
        mesh->corners[w] = mesh->corners[w - 4];
        mesh->links[w] = mesh->links[w - 4];
    }
    mesh->corners[4 * place + 3] = DMR_GONE;
    mesh->n_triangles++;
}

TEST(gone_triangles_are_taken_out)
{
    struct cb_dmr_mesh mesh = make("20"), right = make("20");
    for (uint32_t i = 0; i < right.n_triangles; i++)
        mesh.links[4 * i + 3] = right.links[4 * i + 3] = DMR_BORDER; /* is none */
    const uint32_t places[] = {0, 1, 7, right.n_triangles};
    for (unsigned i = 0; i < CB_COUNTOF(places); i++)
        put_gone_before(&mesh, places[i]);
    assert_int_equal(mesh.n_triangles, right.n_triangles + CB_COUNTOF(places));
    mesh.corners[4 * 2 + 3] |= DMR_BAD; /* which tells nothing of being gone */
    cb_dmr_mesh_compact(&mesh);
    assert_int_equal(mesh.n_triangles, right.n_triangles);
    for (uint32_t e = 0; e < 4 * right.n_triangles; e++) {
        assert_int_equal(mesh.links[e], right.links[e]);
        assert_true(e % 4 == 3 || mesh.corners[e] == right.corners[e]);
    }
    cb_dmr_mesh_free(&mesh);
    cb_dmr_mesh_free(&right);
}

TEST(links_to_what_is_gone_lead_nowhere)
{
    static const uint32_t wrong[] = {4 * 5, 4000000, DMR_BORDER - 5};
    struct cb_dmr_mesh input = make("20");
    for (unsigned i = 0; i < CB_COUNTOF(wrong); i++) {
        struct cb_dmr_mesh mesh = make("20");
        put_gone_before(&mesh, 5);
        uint32_t edge = mesh.links[4] != DMR_BORDER ? 4 : 5;
        mesh.links[edge] = wrong[i];
        cb_dmr_mesh_compact(&mesh);
        assert_non_null(strstr(verdict(&mesh, &input), "which does not lead back"));
        cb_dmr_mesh_free(&mesh);
    }
    cb_dmr_mesh_free(&input);
}

/* --- Triangulations --------------------------------------------------------------------------- */

TEST(generated)
{
    static const char *const kinds[] = {"uniform", "clustered", "line", "grid"};
    for (unsigned i = 0; i < 200; i++) {
        char spec[64];
        snprintf(spec, sizeof spec, "%u:%s:%u",
                 cb_random_between(&dice, 3, 10u << cb_random_below(&dice, 7)), kinds[i % 4],
                 cb_random_below(&dice, 1000000));
        struct cb_dmr_mesh mesh = make(spec);
        if (verdict(&mesh, &mesh)[0])
            fail_msg("%s: %s", spec, verdict(&mesh, &mesh));
        assert_int_equal(mesh.n_triangles, 2 * mesh.n_points - 2 - 4);
        cb_dmr_mesh_free(&mesh);
    }
}

/* All points of a lattice up to its border, in any order: circles through four and more. */
TEST(lattice)
{
    enum { STEPS = 16 };
    struct cb_dmr_point points[(STEPS + 1) * (STEPS + 1)];
    uint32_t n = 0;
    for (int32_t x = 0; x <= STEPS; x++)
        for (int32_t y = 0; y <= STEPS; y++)
            if (x % STEPS != 0 || y % STEPS != 0)
                points[n++] = (struct cb_dmr_point){x * (DMR_SIDE / STEPS), y * (DMR_SIDE / STEPS)};
    for (uint32_t i = n - 1; i > 0; i--) {
        uint32_t other = cb_random_below(&dice, i + 1);
        struct cb_dmr_point moved = points[i];
        points[i] = points[other];
        points[other] = moved;
    }
    struct cb_dmr_mesh mesh = triangulate(points, n);
    cJSON *notes;
    assert_string_equal(verdict(&mesh, &mesh), "");
    assert_string_equal(angles(&mesh, &notes), "");
    assert_null(notes);
    assert_int_equal(mesh.n_triangles, 2 * STEPS * STEPS);
    cb_dmr_mesh_free(&mesh);
}

/* Points next to each other, in a corner. */
TEST(extremes)
{
    const struct cb_dmr_point points[] = {
        {1, 0}, {0, 1}, {1, 1}, {DMR_SIDE - 1, DMR_SIDE}, {DMR_SIDE - 1, 1}, {1, 2}, {2, 1}};
    struct cb_dmr_mesh mesh = triangulate(points, CB_COUNTOF(points));
    assert_string_equal(verdict(&mesh, &mesh), "");
    cb_dmr_mesh_free(&mesh);
    mesh = triangulate(points, 0);
    assert_string_equal(verdict(&mesh, &mesh), "");
    assert_int_equal(mesh.n_triangles, 2);
    cb_dmr_mesh_free(&mesh);
}

TEST(twice)
{
    const struct cb_dmr_point points[] = {{5, 7}, {90, 80}, {5, 7}}, corner = {0, DMR_SIDE};
    struct cb_dmr_mesh mesh;
    struct cb_err err;
    assert_int_equal(cb_dmr_triangulate(points, 3, &mesh, &err), CB_ERROR);
    assert_string_equal(err.text, "the point (5, 7) is there twice");
    cb_dmr_mesh_free(&mesh);
    assert_int_equal(cb_dmr_triangulate(&corner, 1, &mesh, &err), CB_ERROR);
    cb_dmr_mesh_free(&mesh);
}

/* --- The check -------------------------------------------------------------------------------- */

static struct cb_dmr_mesh input, broken; /* the second to be broken */

static uint32_t *copy_words(const uint32_t *words, size_t n)
{
    uint32_t *copy = malloc(n * sizeof *copy);
    assert_non_null(copy);
    return memcpy(copy, words, n * sizeof *copy);
}

static int make_meshes(void **unused)
{
    (void)unused;
    input = make("200:uniform:3");
    broken = input;
    broken.points = malloc(input.n_points * sizeof *input.points);
    assert_non_null(broken.points);
    memcpy(broken.points, input.points, input.n_points * sizeof *input.points);
    broken.corners = copy_words(input.corners, 4 * (size_t)input.n_triangles);
    broken.links = copy_words(input.links, 4 * (size_t)input.n_triangles);
    assert_string_equal(verdict(&broken, &input), "");
    return 0;
}

static int free_meshes(void **unused)
{
    (void)unused;
    cb_dmr_mesh_free(&input);
    cb_dmr_mesh_free(&broken);
    return 0;
}

static void assert_found(const char *text)
{
    if (!strstr(verdict(&broken, &input), text))
        fail_msg("\"%s\" instead of \"%s\"", verdict(&broken, &input), text);
}

/* An edge with a triangle on both sides. */
static uint32_t inner_edge(void)
{
    for (uint32_t edge = 40;; edge = cb_dmr_next(edge) + (edge % 4 == 2 ? 4 : 0))
        if (input.links[edge] != DMR_BORDER)
            return edge;
}

TEST_WITH(link_is_wrong, make_meshes, free_meshes)
{
    uint32_t edge = inner_edge(), link = broken.links[edge];
    static const uint32_t wrong[] = {3, DMR_BORDER - 1, 0x7fffffff};
    broken.links[edge] = cb_dmr_next(link);
    assert_found("which does not lead back");
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        broken.links[edge] = wrong[i];
        assert_found("which does not lead back");
    }
    broken.links[edge] = DMR_BORDER;
    assert_found("has no link, and is not on the square's border");
    broken.links[edge] = link;
    broken.links[link] = DMR_BORDER;
    assert_found("which does not lead back");
}

/* Two pairs of edges are linked crosswise. */
TEST_WITH(links_are_crossed, make_meshes, free_meshes)
{
    uint32_t edge = inner_edge(), link = broken.links[edge], other = 4 * (input.n_triangles - 1);
    while (broken.links[other] == DMR_BORDER)
        other++;
    uint32_t other_link = broken.links[other];
    broken.links[edge] = other_link;
    broken.links[other_link] = edge;
    broken.links[other] = link;
    broken.links[link] = other;
    assert_found("has other points than triangle");
}

TEST_WITH(triangle_is_turned_over, make_meshes, free_meshes)
{
    uint32_t *corners = &broken.corners[4 * 17], moved = corners[0];
    corners[0] = corners[1];
    corners[1] = moved;
    assert_found("triangle 17 is not counterclockwise");
}

TEST_WITH(points_are_changed, make_meshes, free_meshes)
{
    broken.points[50].x++;
    assert_found("point 50 of the input is at");
    broken.points[50].x--;
    broken.n_points--;
    assert_found("203 points, of 204 of the input");
    broken.n_points++;
    broken.corners[4 * 9 + 1] = broken.n_points;
    assert_found("triangle 9: there is no point 204");
}

/* A point that no triangle has, one outside, a triangle that is missing at the end. */
TEST_WITH(something_is_lost, make_meshes, free_meshes)
{
    struct cb_dmr_mesh more = make("200:uniform:3");
    more.points = realloc(more.points, (more.n_points + 1ul) * sizeof *more.points);
    assert_non_null(more.points);
    more.points[more.n_points++] = (struct cb_dmr_point){77, 78};
    assert_string_equal(verdict(&more, &input), "point 204 is in no triangle");
    more.points[204].y = -1;
    assert_string_equal(verdict(&more, &input), "point 204 at (77, -1) is outside of the square");
    more.n_points--;
    more.n_triangles--;
    assert_non_null(strstr(verdict(&more, &input), "which does not lead back"));
    cb_dmr_mesh_free(&more);
}

/* The square as two triangles, twice: all of it is right but the area. */
TEST(area_is_wrong)
{
    struct cb_dmr_mesh square = triangulate(NULL, 0);
    uint32_t corners[16], links[16];
    for (uint32_t i = 0; i < 16; i++) {
        corners[i] = square.corners[i % 8];
        links[i] = square.links[i % 8] == DMR_BORDER ? DMR_BORDER : square.links[i % 8] + i / 8 * 8;
    }
    struct cb_dmr_mesh twice = {square.points, corners, links, 4, 4};
    assert_non_null(strstr(verdict(&twice, &square), "twice the area of all triangles is"));
    cb_dmr_mesh_free(&square);
}

/* The square with a point in it, linked to three of the corners; a circle through the others is
 * around the point. */
TEST(edge_is_not_delaunay)
{
    enum { NONE = -1 };
    struct cb_dmr_point points[] = {
        {0, 0}, {DMR_SIDE, 0}, {DMR_SIDE, DMR_SIDE}, {0, DMR_SIDE}, {DMR_SIDE / 4, DMR_SIDE / 4}};
    uint32_t corners[] = {4, 0, 1, 0, 4, 1, 3, 0, 1, 2, 3, 0, 4, 3, 0, 0};
    const int32_t edges[] = {14, NONE, 4, 0, 2, 10, 12, 0, NONE, NONE, 5, 0, 6, NONE, 0, 0};
    uint32_t links[16];
    for (int i = 0; i < 16; i++)
        links[i] = edges[i] == NONE ? DMR_BORDER : (uint32_t)edges[i];
    struct cb_dmr_mesh mesh = {points, corners, links, 5, 4};
    assert_string_equal(verdict(&mesh, &mesh),
                        "triangle 1 is not Delaunay: point 2 is in its circle");
    points[4].x = points[4].y = DMR_SIDE / 2 - 1;
    assert_non_null(strstr(verdict(&mesh, &mesh), "is not Delaunay"));
}

TEST(angles)
{
    struct cb_dmr_point points[] = {{0, 0}, {DMR_SHORTEST, 0}, {7, 100}};
    uint32_t corners[] = {0, 1, 2, 0};
    struct cb_dmr_mesh mesh = {points, corners, NULL, 3, 1};
    cJSON *notes;
    assert_string_equal(angles(&mesh, &notes),
                        "triangle 0, (0, 0) (16, 0) (7, 100), has an angle below 30 degrees");
    assert_null(notes);
    points[1].x--;
    assert_string_equal(angles(&mesh, &notes), "");
    assert_int_equal(cJSON_GetArraySize(notes), 1);
    cJSON_Delete(notes);
    points[2].y = 10;
    assert_string_equal(angles(&mesh, &notes), "");
    assert_null(notes);
}

ALL_TESTS(seed_random, NULL)
