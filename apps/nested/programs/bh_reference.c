/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/nested/programs/bh_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/nested/programs/bh_abi.h"

/* A cell that holds bodies: some in `order`, next to each other. */
struct cell {
    double centre[3]; /* centre of mass */
    uint32_t first, n;
    uint32_t children[8]; /* 0: none */
};

struct cb_bodies_tree {
    uint32_t *order, *sorted;
    struct cell *cells;
    uint32_t used;
};

bool cb_bodies_begin(struct cb_bodies *b, uint32_t n, uint32_t depth)
{
    *b = (struct cb_bodies){.n = n, .depth = depth};
    b->bodies = calloc(n, sizeof *b->bodies);
    struct cb_bodies_tree *t = b->tree = calloc(1, sizeof *b->tree);
    if (!t)
        return false;
    t->order = malloc(n * sizeof *t->order);
    t->sorted = malloc(n * sizeof *t->sorted);
    t->cells = malloc((n * (size_t)depth + 1) * sizeof *t->cells);
    return b->bodies && t->order && t->sorted && t->cells;
}

void cb_bodies_end(struct cb_bodies *b)
{
    if (b->tree) {
        free(b->tree->order);
        free(b->tree->sorted);
        free(b->tree->cells);
    }
    free(b->tree);
    free(b->bodies);
}

/* ---- The tree -------------------------------------------------------------------------------- */

static unsigned octant_of(const struct cb_body *body, const double middle[3])
{
    return (body->at[0] >= middle[0]) | (body->at[1] >= middle[1]) << 1 |
           (body->at[2] >= middle[2]) << 2;
}

/* Sorts a cell's bodies by octant. begins: of each, and the end. */
static void sort(struct cb_bodies *b, const struct cell *cell, const double middle[3],
                 uint32_t begins[9])
{
    struct cb_bodies_tree *t = b->tree;
    uint32_t n = 0;
    for (unsigned octant = 0; octant < 8; octant++) {
        begins[octant] = cell->first + n;
        for (uint32_t i = cell->first; i < cell->first + cell->n; i++)
            if (octant_of(&b->bodies[t->order[i]], middle) == octant)
                t->sorted[n++] = t->order[i];
    }
    begins[8] = cell->first + n;
    memcpy(t->order + cell->first, t->sorted, n * sizeof *t->order);
}

static void find_centre(const struct cb_bodies *b, struct cell *cell)
{
    for (unsigned axis = 0; axis < 3; axis++) {
        cell->centre[axis] = 0;
        for (uint32_t i = cell->first; i < cell->first + cell->n; i++)
            cell->centre[axis] += b->bodies[b->tree->order[i]].at[axis] / cell->n;
    }
}

/* The cell of n bodies, of this edge and with this corner; returns its number. */
static uint32_t build(struct cb_bodies *b, uint32_t first, uint32_t n, uint32_t level,
                      const double corner[3])
{
    const uint32_t number = b->tree->used++;
    const double half = ldexp(0.5, -(int)level);
    const double middle[3] = {corner[0] + half, corner[1] + half, corner[2] + half};
    struct cell *cell = &b->tree->cells[number];
    uint32_t begins[9];
    *cell = (struct cell){.first = first, .n = n};
    find_centre(b, cell);
    if (level == b->depth)
        return number;
    sort(b, cell, middle, begins);
    for (unsigned o = 0; o < 8; o++) {
        const double of_child[3] = {o & 1 ? middle[0] : corner[0], o & 2 ? middle[1] : corner[1],
                                    o & 4 ? middle[2] : corner[2]};
        if (begins[o + 1] > begins[o])
            cell->children[o] = build(b, begins[o], begins[o + 1] - begins[o], level + 1, of_child);
    }
    return number;
}

/* ---- Accelerations --------------------------------------------------------------------------- */

static double square_between(const double a[3], const double b[3])
{
    double square = 0;
    for (unsigned axis = 0; axis < 3; axis++)
        square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return square;
}

static void pull(const double at[3], const double from[3], double mass, double acceleration[3])
{
    const double factor = mass / pow(square_between(at, from) + BH_SOFTENING, 1.5);
    for (unsigned axis = 0; axis < 3; axis++)
        acceleration[axis] += (from[axis] - at[axis]) * factor;
}

static void pull_of_cell(const struct cb_bodies *b, uint32_t number, uint32_t level,
                         const double at[3], double acceleration[3], double *slack);

/* What is in a cell, one by one. */
static void pull_of_parts(const struct cb_bodies *b, const struct cell *cell, uint32_t level,
                          const double at[3], double acceleration[3], double *slack)
{
    for (uint32_t i = cell->first; i < cell->first + cell->n && level == b->depth; i++)
        pull(at, b->bodies[b->tree->order[i]].at, 1.0 / b->n, acceleration);
    for (unsigned o = 0; o < 8 && level < b->depth; o++)
        if (cell->children[o] > 0)
            pull_of_cell(b, cell->children[o], level + 1, at, acceleration, slack);
}

/* How far a cell's edge is from the largest with which it counts as a point. */
static double excess_of(const struct cell *cell, uint32_t level, const double at[3])
{
    const double square = ldexp(1, -2 * (int)level);
    return 1 - BH_THETA * BH_THETA * square_between(at, cell->centre) / square;
}

static void pull_of_cell(const struct cb_bodies *b, uint32_t number, uint32_t level,
                         const double at[3], double acceleration[3], double *slack)
{
    const struct cell *cell = &b->tree->cells[number];
    const double excess = level < BH_COARSE ? 1 : excess_of(cell, level, at);
    double as_point[3] = {0}, as_parts[3] = {0};
    if (excess < CB_BODIES_MARGIN)
        pull(at, cell->centre, (double)cell->n / b->n, as_point);
    if (excess > -CB_BODIES_MARGIN)
        pull_of_parts(b, cell, level, at, as_parts, slack);
    if (fabs(excess) < CB_BODIES_MARGIN)
        *slack += sqrt(square_between(as_point, as_parts));
    for (unsigned axis = 0; axis < 3; axis++)
        acceleration[axis] += excess < 0 ? as_point[axis] : as_parts[axis];
}

void cb_bodies_accelerate(struct cb_bodies *b)
{
    const double corner[3] = {0};
    b->tree->used = 0;
    for (uint32_t i = 0; i < b->n; i++)
        b->tree->order[i] = i;
    build(b, 0, b->n, 0, corner);
    for (struct cb_body *body = b->bodies; body < b->bodies + b->n; body++) {
        memset(body->acceleration, 0, sizeof body->acceleration);
        body->slack_acceleration = 0;
        pull_of_cell(b, 0, 0, body->at, body->acceleration, &body->slack_acceleration);
    }
}

void cb_bodies_direct(const struct cb_bodies *b, uint32_t body, double acceleration[3])
{
    memset(acceleration, 0, 3 * sizeof *acceleration);
    for (uint32_t other = 0; other < b->n; other++)
        pull(b->bodies[body].at, b->bodies[other].at, 1.0 / b->n, acceleration);
}

void cb_bodies_step(struct cb_bodies *b)
{
    cb_bodies_accelerate(b);
    for (struct cb_body *body = b->bodies; body < b->bodies + b->n; body++) {
        body->slack_speed += body->slack_acceleration * BH_STEP;
        body->slack_at += body->slack_speed * BH_STEP;
        for (unsigned axis = 0; axis < 3; axis++) {
            body->speed[axis] += body->acceleration[axis] * BH_STEP;
            body->at[axis] += body->speed[axis] * BH_STEP;
            body->at[axis] = fmin(fmax(body->at[axis], 0), BH_WALL);
        }
    }
}
