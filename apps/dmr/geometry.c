/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/dmr/geometry.h"

#include "apps/dmr/dmr_abi.h"

__extension__ typedef __int128 wide;

/* The cross product of the vectors from o to a and to b. */
static int64_t cross(const struct cb_dmr_point *o, const struct cb_dmr_point *a,
                     const struct cb_dmr_point *b)
{
    return (int64_t)(a->x - o->x) * (b->y - o->y) - (int64_t)(a->y - o->y) * (b->x - o->x);
}

static int64_t dot(const struct cb_dmr_point *o, const struct cb_dmr_point *a,
                   const struct cb_dmr_point *b)
{
    return (int64_t)(a->x - o->x) * (b->x - o->x) + (int64_t)(a->y - o->y) * (b->y - o->y);
}

int64_t cb_dmr_area(const struct cb_dmr_point *a, const struct cb_dmr_point *b,
                    const struct cb_dmr_point *c)
{
    return cross(a, b, c);
}

/* Lifted to a paraboloid over p, whose tangent plane is below the plane through the corners. */
bool cb_dmr_in_circle(const struct cb_dmr_point *a, const struct cb_dmr_point *b,
                      const struct cb_dmr_point *c, const struct cb_dmr_point *p)
{
    wide lifted_a = (wide)dot(p, a, a) * cross(p, b, c);
    wide lifted_b = (wide)dot(p, b, b) * cross(p, c, a);
    wide lifted_c = (wide)dot(p, c, c) * cross(p, a, b);
    return lifted_a + lifted_b + lifted_c > 0;
}

/* Whether the angle at o is below 30 degrees: the square of its cosine is more than 3/4. */
static bool is_sharp(const struct cb_dmr_point *o, const struct cb_dmr_point *a,
                     const struct cb_dmr_point *b)
{
    int64_t along = dot(o, a, b);
    return along > 0 && 4 * (wide)along * along > 3 * (wide)dot(o, a, a) * dot(o, b, b);
}

bool cb_dmr_is_skinny(const struct cb_dmr_point *a, const struct cb_dmr_point *b,
                      const struct cb_dmr_point *c)
{
    return is_sharp(a, b, c) || is_sharp(b, c, a) || is_sharp(c, a, b);
}

bool cb_dmr_is_small(const struct cb_dmr_point *a, const struct cb_dmr_point *b,
                     const struct cb_dmr_point *c)
{
    const int64_t least = (int64_t)DMR_SHORTEST * DMR_SHORTEST;
    return dot(a, b, b) < least || dot(b, c, c) < least || dot(c, a, a) < least;
}
