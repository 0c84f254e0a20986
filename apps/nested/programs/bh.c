/* SPDX-License-Identifier: Apache-2.0
 *
 * Bodies that attract each other (bh.cl): Plummer's model of a cluster of stars, of which each has
 * the same mass.
 */
#include <math.h>
#include <stdio.h>

#include "apps/nested/programs/bh_abi.h"
#include "apps/nested/programs/bh_reference.h"
#include "apps/nested/programs/programs.h"
#include "measure/random.h"

#define SEED        1
#define RADIUS      0.1  /* radius of the model */
#define MOST_RADIUS 0.45 /* farthest position of a body: none is near the walls */

/* By how much positions and velocities may be off beside a body's slack. Velocities: bodies next
 * to a side of a cell may be in either, which moves centres of mass. */
#define TOLERANCE_AT    1e-6
#define TOLERANCE_SPEED 1e-4

/* ---- Bodies ---------------------------------------------------------------------------------- */

/* From 0 up to 1, but neither. */
static double draw(struct cb_random *random)
{
    return ldexp((double)(cb_random_next(random) >> 12) + 0.5, -52);
}

/* A vector of this length, in any direction. */
static void draw_direction(struct cb_random *random, double length, double to[3])
{
    double square;
    do {
        square = 0;
        for (unsigned axis = 0; axis < 3; axis++) {
            to[axis] = 2 * draw(random) - 1;
            square += to[axis] * to[axis];
        }
    } while (square > 1 || square < 0.01);
    for (unsigned axis = 0; axis < 3; axis++)
        to[axis] *= length / sqrt(square);
}

/* In units of the model's radius. */
static double draw_radius(struct cb_random *random)
{
    double radius;
    do
        radius = 1 / sqrt(pow(draw(random), -2.0 / 3) - 1);
    while (radius > MOST_RADIUS / RADIUS);
    return radius;
}

/* As a part of what a body needs to escape (Aarseth, Henon, Wielen: A comparison of numerical
 * methods for the study of star cluster dynamics, 1974). */
static double draw_speed(struct cb_random *random)
{
    double speed, density;
    do {
        speed = draw(random);
        density = 0.1 * draw(random);
    } while (density > speed * speed * pow(1 - speed * speed, 3.5));
    return speed;
}

/* In the precision of kernels. */
static void draw_bodies(struct cb_bodies *b)
{
    struct cb_random random = {SEED};
    for (uint32_t i = 0; i < b->n; i++) {
        struct cb_body *body = &b->bodies[i];
        const double radius = draw_radius(&random),
                     escape = sqrt(2 / RADIUS) * pow(1 + radius * radius, -0.25);
        draw_direction(&random, radius * RADIUS, body->at);
        draw_direction(&random, escape * draw_speed(&random), body->speed);
        for (unsigned axis = 0; axis < 3; axis++) {
            body->at[axis] = (float)(0.5 + body->at[axis]);
            body->speed[axis] = (float)body->speed[axis];
        }
    }
}

/* ---- The arrays ------------------------------------------------------------------------------ */

static void put_bodies(const struct cb_bodies *b, uint32_t *words)
{
    for (uint32_t i = 0; i < b->n; i++)
        for (unsigned axis = 0; axis < 3; axis++) {
            words[BH_POSITION(b->n, axis) + i] = cb_nest_bits((float)b->bodies[i].at[axis]);
            words[BH_VELOCITY(b->n, axis) + i] = cb_nest_bits((float)b->bodies[i].speed[axis]);
        }
}

/* How far each may be off comes after what is expected. */
#define SLACK_AT(n)    (6 * (n))
#define SLACK_SPEED(n) (7 * (n))
#define EXPECTED(n)    (8 * (n))

static enum cb_status fill(struct cb_nest_data *d, struct cb_bodies *b, struct cb_err *err)
{
    const size_t words = BH_CELL(b->n) + (size_t)BH_CELLS(b->depth) * BH_CELL_WORDS;
    if (cb_nest_room(d, b->n, 0, words, EXPECTED(b->n), err) != CB_OK)
        return err->status;
    d->n = b->depth;
    put_bodies(b, d->words);
    for (uint32_t step = 0; step < BH_STEPS; step++)
        cb_bodies_step(b);
    put_bodies(b, d->expected);
    for (uint32_t i = 0; i < b->n; i++) {
        d->expected[SLACK_AT(b->n) + i] = cb_nest_bits((float)b->bodies[i].slack_at);
        d->expected[SLACK_SPEED(b->n) + i] = cb_nest_bits((float)b->bodies[i].slack_speed);
    }
    return CB_OK;
}

static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    struct cb_bodies b;
    enum cb_status status = CB_OK;
    (void)input;
    if (!cb_bodies_begin(&b, size->parents, size->items))
        status = cb_fail(err, CB_ERROR, "out of memory for bodies");
    if (status == CB_OK) {
        draw_bodies(&b);
        status = fill(d, &b, err);
    }
    cb_bodies_end(&b);
    return status;
}

/* ---- The check ------------------------------------------------------------------------------- */

static bool check_body(const struct cb_nest_data *d, const uint32_t *found, uint32_t body,
                       char why[CB_NEST_WHY])
{
    const uint32_t n = d->parents;
    for (unsigned i = 0; i < 6; i++) { /* three axes of the position, three of the velocity */
        const double is = cb_nest_float(found[i * n + body]),
                     expected = cb_nest_float(d->expected[i * n + body]),
                     most = i < 3 ? TOLERANCE_AT + cb_nest_float(d->expected[SLACK_AT(n) + body])
                                  : TOLERANCE_SPEED +
                                        cb_nest_float(d->expected[SLACK_SPEED(n) + body]);
        if (!(fabs(is - expected) <= most)) {
            snprintf(why, CB_NEST_WHY, "%s %u of body %u is %.8g instead of %.8g, within %.2g",
                     i < 3 ? "coordinate" : "velocity", i % 3, body, is, expected, most);
            return false;
        }
    }
    return true;
}

static bool check(const struct cb_nest_data *d, const uint32_t *found, char why[CB_NEST_WHY])
{
    uint32_t body = 0;
    while (body < d->parents && check_body(d, found, body, why))
        body++;
    return body == d->parents;
}

const struct cb_nest_program cb_nest_bh = {
    .id = "bh",
    .kernel = "apps/nested/programs/bh.cl",
    .parent_size = 256,
    .child_size = 256,
    .phases = 3,
    .launching = 2,
    .has_laps = true,
    .same_rounds = true,
    .sizes = {{128, 3}, {1024, 4}, {BH_MOST_BODIES, BH_MOST_DEPTH}},
    .make = make,
    .check = check,
};
