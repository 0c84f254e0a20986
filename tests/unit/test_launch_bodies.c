/* SPDX-License-Identifier: Apache-2.0
 *
 * launch's reference for bodies that attract each other.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/nested/programs/bh_abi.h"
#include "apps/nested/programs/bh_reference.h"
#include "apps/nested/programs/programs.h"
#include "tests/unit/unit.h"

static void is_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-10))
        fail_msg("%.15g instead of %.15g", found, expected);
}

static void put(struct cb_bodies *b, uint32_t body, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    memcpy(b->bodies[body].at, at, sizeof at);
}

/* Returns the pull of a mass at this distance. */
static double pulled(double mass, double distance)
{
    return mass * distance / pow(distance * distance + BH_SOFTENING, 1.5);
}

/* Two bodies, as near and as far from each other as it gets. */
TEST(two)
{
    struct cb_bodies b;
    assert_true(cb_bodies_begin(&b, 2, 4));
    put(&b, 0, 0.25, 0.5, 0.5);
    for (double distance = 0.001; distance < 0.7; distance *= 1.5) {
        put(&b, 1, 0.25 + distance, 0.5, 0.5);
        cb_bodies_accelerate(&b);
        is_near(b.bodies[0].acceleration[0], pulled(0.5, distance));
        is_near(b.bodies[1].acceleration[0], -pulled(0.5, distance));
        is_near(b.bodies[0].acceleration[1], 0);
    }
    cb_bodies_end(&b);
}

/* Two bodies of a cell count as one in the middle for a third one, if that is far away. */
TEST(criterion)
{
    struct cb_bodies b;
    assert_true(cb_bodies_begin(&b, 3, BH_COARSE));
    for (int is_far = 0; is_far < 2; is_far++) {
        const double from = is_far ? 0.9 : 0.55, third = 1.0 / 3;
        put(&b, 0, 0.05, 0.5, 0.5);
        put(&b, 1, 0.15, 0.5, 0.5);
        put(&b, 2, from, 0.5, 0.5);
        cb_bodies_accelerate(&b);
        is_near(b.bodies[2].acceleration[0],
                is_far ? -pulled(2 * third, from - 0.1)
                       : -pulled(third, from - 0.05) - pulled(third, from - 0.15));
        assert_true(b.bodies[2].slack_acceleration == 0);
    }
    put(&b, 2, 0.6, 0.5, 0.5); /* either */
    cb_bodies_accelerate(&b);
    is_near(b.bodies[2].slack_acceleration,
            pulled(1.0 / 3, 0.45) + pulled(1.0 / 3, 0.55) - pulled(2.0 / 3, 0.5));
    cb_bodies_end(&b);
}

TEST(step)
{
    struct cb_bodies b;
    assert_true(cb_bodies_begin(&b, 1, BH_COARSE));
    put(&b, 0, 0.5, 0.999, 0.001);
    const double speed[3] = {1, 2, -3};
    memcpy(b.bodies[0].speed, speed, sizeof speed);
    cb_bodies_step(&b);
    is_near(b.bodies[0].at[0], 0.5 + BH_STEP);
    is_near(b.bodies[0].at[1], BH_WALL);
    is_near(b.bodies[0].at[2], 0);
    cb_bodies_end(&b);
}

/* ---- Against all pairs ----------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Accelerations are those of all pairs, up to a part of: of half of the bodies 0.005, of all 0.1 of
 * the mean. */
static void is_near_all_pairs(enum cb_launch_size size)
{
    const struct cb_nest_program *program = cb_nest_program_of("bh");
    struct cb_nest_data d;
    struct cb_err err;
    struct cb_bodies b;
    assert_int_equal(cb_nest_make(program, size, NULL, &d, &err), CB_OK);
    assert_true(cb_bodies_begin(&b, d.parents, d.n));
    for (uint32_t i = 0; i < b.n; i++)
        for (unsigned axis = 0; axis < 3; axis++)
            b.bodies[i].at[axis] = cb_nest_float(d.words[BH_POSITION(b.n, axis) + i]);
    cb_bodies_accelerate(&b);
    double *parts = malloc(b.n * sizeof *parts), mean = 0, largest = 0;
    assert_non_null(parts);
    for (uint32_t i = 0; i < b.n; i++) {
        double direct[3], off[3];
        cb_bodies_direct(&b, i, direct);
        for (unsigned axis = 0; axis < 3; axis++)
            off[axis] = b.bodies[i].acceleration[axis] - direct[axis];
        parts[i] = length(off) / length(direct);
        mean += length(direct) / b.n;
        largest = fmax(largest, length(off));
    }
    qsort(parts, b.n, sizeof *parts, compare);
    assert_true(parts[b.n / 2] < 0.005);
    assert_true(parts[b.n - 1] > 0); /* an approximation it is */
    assert_true(largest < 0.1 * mean);
    free(parts);
    cb_bodies_end(&b);
    cb_nest_free(&d);
}

TEST(all_pairs)
{
    for (enum cb_launch_size size = CB_LAUNCH_SMALL; size < CB_LAUNCH_SIZES; size++)
        is_near_all_pairs(size);
}

/* Bodies of the inputs are within the cube from the first to the last step, and do move. */
TEST(inputs)
{
    for (enum cb_launch_size size = CB_LAUNCH_SMALL; size < CB_LAUNCH_SIZES; size++) {
        struct cb_nest_data d;
        struct cb_err err;
        assert_int_equal(cb_nest_make(cb_nest_program_of("bh"), size, NULL, &d, &err), CB_OK);
        for (uint32_t i = 0; i < 3 * d.parents; i++) {
            const double from = cb_nest_float(d.words[i]), to = cb_nest_float(d.expected[i]);
            assert_true(from > 0 && from < BH_WALL && to > 0 && to < BH_WALL && from != to);
        }
        cb_nest_free(&d);
    }
}
