/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact geometry: the host's by circles and lines that are known, and the kernel's
 * (apps/dmr/predicates.clh, compiled as C) by the host's.
 */
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdbool.h>

#include "apps/dmr/dmr_abi.h"
#include "apps/dmr/geometry.h"
#include "runtime/cl.h"

/* --- As much OpenCL C as the header needs ----------------------------------------------------- */

__extension__ typedef __int128 wide;

static uint64_t leading_zeros(uint64_t x)
{
    return x ? (uint64_t)__builtin_clzll(x) : 64;
}

static int64_t mul_hi(int64_t a, int64_t b)
{
    return (int64_t)((wide)a * b >> 64);
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#define uint  unsigned
#define ulong uint64_t
#define long int64_t
#define int2 struct cb_dmr_point
#define clz  leading_zeros
#define min  least_of
#define max  most_of
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include "apps/dmr/predicates.clh"
#pragma GCC diagnostic pop
#undef long

/* --- Points ----------------------------------------------------------------------------------- */

/* Draws a point of a square of this width; of small squares many points are on one line or circle.
 */
static struct cb_dmr_point draw(struct cb_dmr_point corner, int32_t width)
{
    return (struct cb_dmr_point){corner.x + (int32_t)cb_random_below(&dice, (unsigned)width + 1),
                                 corner.y + (int32_t)cb_random_below(&dice, (unsigned)width + 1)};
}

/* Four points, of which the first three are counterclockwise. */
static void draw_four(struct cb_dmr_point p[4])
{
    int32_t width = 4 << cb_random_below(&dice, 27);
    struct cb_dmr_point corner = draw((struct cb_dmr_point){0, 0}, DMR_SIDE - width);
    do {
        for (int i = 0; i < 4; i++)
            p[i] = draw(corner, width);
        if (cb_random_below(&dice, 4) == 0) /* a sliver */
            p[2].x = p[0].x + (p[1].x - p[0].x) / 3, p[2].y = p[0].y + (p[1].y - p[0].y) / 3;
    } while (cb_dmr_area(&p[0], &p[1], &p[2]) == 0);
    if (cb_dmr_area(&p[0], &p[1], &p[2]) < 0) {
        struct cb_dmr_point swapped = p[1];
        p[1] = p[2];
        p[2] = swapped;
    }
}

/* --- The host's ------------------------------------------------------------------------------- */

/* All on a circle of radius 65. */
static const struct cb_dmr_point circle[] = {
    {65, 0},   {63, 16}, {60, 25},   {56, 33},   {52, 39}, {39, 52},  {16, 63}, {-16, 63},
    {-52, 39}, {-65, 0}, {-60, -25}, {-33, -56}, {0, -65}, {25, -60}, {56, -33}};
#define ON_CIRCLE ((unsigned)CB_COUNTOF(circle))

static struct cb_dmr_point on_circle(unsigned i, int32_t scale)
{
    const struct cb_dmr_point *p = &circle[i % ON_CIRCLE];
    return (struct cb_dmr_point){DMR_SIDE / 2 + scale * p->x, DMR_SIDE / 2 + scale * p->y};
}

/* A unit in or out decides. */
TEST(circle)
{
    for (int32_t scale = 1; scale < DMR_SIDE / 2 / 65; scale += scale)
        for (unsigned i = 0; i < ON_CIRCLE; i++) {
            unsigned j = i + 3, k = j + 4;
            struct cb_dmr_point a = on_circle(i, scale), b = on_circle(j, scale),
                                c = on_circle(k, scale), p = on_circle(k + 2, scale), q = p;
            assert_false(cb_dmr_in_circle(&a, &b, &c, &p));
            q.x += q.x < DMR_SIDE / 2 ? 1 : -1;
            q.y += p.x != DMR_SIDE / 2 ? 0 : p.y < DMR_SIDE / 2 ? 1 : -1;
            assert_true(cb_dmr_in_circle(&a, &b, &c, &q));
            assert_true(cb_dmr_in_circle(&b, &c, &a, &q));
            q.x = 2 * p.x - q.x;
            q.y = 2 * p.y - q.y;
            assert_false(cb_dmr_in_circle(&a, &b, &c, &q));
            assert_false(cb_dmr_in_circle(&a, &b, &c, &a));
        }
}

TEST(area)
{
    const struct cb_dmr_point a = {0, 0}, b = {DMR_SIDE, DMR_SIDE}, c = {0, DMR_SIDE},
                              middle = {DMR_SIDE / 2, DMR_SIDE / 2},
                              above = {DMR_SIDE / 2, DMR_SIDE / 2 + 1};
    assert_true(cb_dmr_area(&a, &b, &c) == (int64_t)DMR_SIDE * DMR_SIDE);
    assert_true(cb_dmr_area(&b, &a, &c) == -(int64_t)DMR_SIDE * DMR_SIDE);
    assert_true(cb_dmr_area(&a, &b, &middle) == 0);
    assert_true(cb_dmr_area(&a, &b, &above) == DMR_SIDE);
}

/* Half of an equilateral triangle: 1351 / 780 is above the root of 3, 265 / 153 is below. */
TEST(angles)
{
    const struct cb_dmr_point o = {0, 0}, below = {1351, 0}, below_up = {1351, 780},
                              above = {265, 0}, above_up = {265, 153}, tiny = {15, 0},
                              tiny_up = {40, 30}, large = {16, 0};
    assert_true(cb_dmr_is_skinny(&o, &below, &below_up));
    assert_true(cb_dmr_is_skinny(&below_up, &o, &below));
    assert_true(cb_dmr_is_skinny(&below, &below_up, &o));
    assert_false(cb_dmr_is_skinny(&o, &above, &above_up));
    assert_true(cb_dmr_is_small(&o, &tiny, &tiny_up));
    assert_true(cb_dmr_is_small(&tiny, &tiny_up, &o));
    assert_false(cb_dmr_is_small(&o, &large, &tiny_up));
}

/* --- The kernel's ----------------------------------------------------------------------------- */

#define TRIALS 200000

TEST(kernel_agrees)
{
    for (int i = 0; i < TRIALS; i++) {
        struct cb_dmr_point p[4];
        draw_four(p);
        assert_int_equal(dmr_in_circle(p[0], p[1], p[2], p[3]),
                         cb_dmr_in_circle(&p[0], &p[1], &p[2], &p[3]));
        assert_int_equal(dmr_is_bad(p[0], p[1], p[2]), cb_dmr_is_skinny(&p[0], &p[1], &p[2]) &&
                                                           !cb_dmr_is_small(&p[0], &p[1], &p[2]));
    }
}

static bool is_in_square(struct cb_dmr_point p)
{
    return p.x > 0 && p.x < DMR_SIDE && p.y > 0 && p.y < DMR_SIDE;
}

/* A centre is in its circle, and where it should be if it is in the square; the other ones are
 * outside, or nearly so. */
TEST(centre)
{
    for (int i = 0; i < TRIALS; i++) {
        struct cb_dmr_point p[4];
        draw_four(p);
        if (!dmr_is_bad(p[0], p[1], p[2]))
            continue;
        struct cb_dmr_point centre = dmr_centre(p[0], p[1], p[2]);
        assert_true(cb_dmr_in_circle(&p[0], &p[1], &p[2], &centre));
        long double bx = p[1].x - p[0].x, by = p[1].y - p[0].y, cx = p[2].x - p[0].x,
                    cy = p[2].y - p[0].y, area = 2 * (bx * cy - by * cx);
        long double x = p[0].x + ((bx * bx + by * by) * cy - (cx * cx + cy * cy) * by) / area;
        long double y = p[0].y + ((cx * cx + cy * cy) * bx - (bx * bx + by * by) * cx) / area;
        bool inside = x > 0 && x < DMR_SIDE && y > 0 && y < DMR_SIDE;
        if (inside || is_in_square(centre))
            assert_true(fabsl(x - centre.x) < 2 && fabsl(y - centre.y) < 2);
    }
}

TEST(encroaching)
{
    const struct cb_dmr_point a = {100, 0}, b = {200, 0}, top = {150, 50}, inside = {110, 30},
                              higher = {150, 51}, beyond = {5000, -1}, on = {5000, 0};
    assert_true(dmr_encroaches(a, b, top));
    assert_true(dmr_encroaches(a, b, inside));
    assert_false(dmr_encroaches(a, b, higher));
    assert_true(dmr_encroaches(a, b, beyond));
    assert_true(dmr_encroaches(a, b, on));
}

ALL_TESTS(seed_random, NULL)
