/* SPDX-License-Identifier: Apache-2.0
 *
 * Tessellation of Bezier lines (bt.cl), whose control points are anywhere in a square.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/nested/programs/bt_abi.h"
#include "apps/nested/programs/programs.h"
#include "measure/random.h"

#define SEED  1
#define SIDES 16384u /* sides of the square: sums of two coordinates are exact */

#define NEAR      1e-3 /* distance from an integer at which a float may be on its other side */
#define TOLERANCE 1e-4 /* relative to a line's extent */

struct line {
    double x[3], y[3];
};

static struct line line_of(const struct cb_nest_data *d, uint32_t line)
{
    const uint32_t *controls = d->others + (size_t)BT_CONTROLS * line;
    struct line l;
    for (int i = 0; i < 3; i++) {
        l.x[i] = cb_nest_float(controls[2 * i]);
        l.y[i] = cb_nest_float(controls[2 * i + 1]);
    }
    return l;
}

static void draw(struct cb_nest_data *d)
{
    struct cb_random random = {SEED};
    for (uint32_t line = 0; line < d->parents; line++) {
        uint32_t *controls = d->others + (size_t)BT_CONTROLS * line;
        do {
            for (uint32_t i = 0; i < BT_CONTROLS; i++)
                controls[i] = cb_nest_bits((float)cb_random_below(&random, SIDES) / SIDES);
        } while (controls[0] == controls[4] && controls[1] == controls[5]);
    }
}

static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    const size_t words =
        BT_HEAP(size->parents) + (size_t)BT_ROOM_OF((size_t)BT_MOST) * size->parents;
    (void)input;
    if (cb_nest_room(d, size->parents, (size_t)BT_CONTROLS * size->parents, words, 0, err) != CB_OK)
        return err->status;
    d->n = (uint32_t)words;
    d->words[0] = BT_HEAP(size->parents);
    draw(d);
    return CB_OK;
}

/* ---- The check, in double precision ---------------------------------------------------------- */

static double wanted(const struct line *l)
{
    const double middle_x = (l->x[0] + l->x[2]) / 2, middle_y = (l->y[0] + l->y[2]) / 2;
    return BT_FACTOR * hypot(l->x[1] - middle_x, l->y[1] - middle_y) /
           hypot(l->x[2] - l->x[0], l->y[2] - l->y[0]);
}

static uint32_t points_of(double points)
{
    return points <= BT_LEAST ? BT_LEAST : points >= BT_MOST ? BT_MOST : (uint32_t)points;
}

static double extent(const double c[3])
{
    return fmax(fmax(c[0], c[1]), c[2]) - fmin(fmin(c[0], c[1]), c[2]);
}

/* By de Casteljau's algorithm, which the kernel does not use. */
static double on_curve(const double c[3], double u)
{
    const double a = c[0] + u * (c[1] - c[0]), b = c[1] + u * (c[2] - c[1]);
    return a + u * (b - a);
}

static bool points_are_right(const struct line *l, const uint32_t *found, uint32_t points)
{
    const double most = TOLERANCE * fmax(extent(l->x), extent(l->y));
    for (uint32_t i = 0; i < points; i++) {
        const double u = (double)i / (points - 1);
        /* So that no NaN passes. */
        if (!(fabs(cb_nest_float(found[BT_POINT * i]) - on_curve(l->x, u)) <= most) ||
            !(fabs(cb_nest_float(found[BT_POINT * i + 1]) - on_curve(l->y, u)) <= most))
            return false;
    }
    return true;
}

/* Whether the words are all a heap's, of which those before `end` have been taken, and no other
 * line's. */
static bool take(unsigned char *taken, const struct cb_nest_data *d, uint32_t end, uint32_t at,
                 uint32_t room)
{
    if (at < BT_HEAP(d->parents) || end > d->n_words || at > end || room > end - at)
        return false;
    for (uint32_t i = at; i < at + room; i++)
        if (taken[i]++ != 0)
            return false;
    return true;
}

static bool room_is_right(const struct cb_nest_data *d, const uint32_t *found, uint32_t line,
                          unsigned char *taken, char why[CB_NEST_WHY])
{
    const struct line l = line_of(d, line);
    const uint32_t points = found[BT_POINTS(line)], at = found[BT_AT(line)];
    const double exact = wanted(&l);
    if (points < points_of(exact - NEAR) || points > points_of(exact + NEAR)) {
        snprintf(why, CB_NEST_WHY, "line %u has %u points instead of %u", line, points,
                 points_of(exact));
        return false;
    }
    if (take(taken, d, found[0], at, BT_ROOM_OF(points)))
        return true;
    snprintf(why, CB_NEST_WHY, "line %u: its points from word %u on have no room of their own",
             line, at);
    return false;
}

/* Nothing is taken and not used. */
static bool rooms_are_right(const struct cb_nest_data *d, const uint32_t *found,
                            char why[CB_NEST_WHY])
{
    unsigned char *taken = calloc(d->n_words, 1);
    size_t used = BT_HEAP(d->parents);
    bool right = taken;
    snprintf(why, CB_NEST_WHY, "out of memory for the check");
    for (uint32_t line = 0; line < d->parents && right; line++) {
        right = room_is_right(d, found, line, taken, why);
        used += BT_ROOM_OF(found[BT_POINTS(line)]);
    }
    free(taken);
    if (right && found[0] != used) {
        snprintf(why, CB_NEST_WHY, "%u words are taken instead of %zu", found[0], used);
        right = false;
    }
    return right;
}

static bool check(const struct cb_nest_data *d, const uint32_t *found, char why[CB_NEST_WHY])
{
    if (!rooms_are_right(d, found, why))
        return false;
    for (uint32_t line = 0; line < d->parents; line++) {
        const struct line l = line_of(d, line);
        if (points_are_right(&l, found + found[BT_AT(line)], found[BT_POINTS(line)]))
            continue;
        snprintf(why, CB_NEST_WHY, "line %u: its points are not on the curve", line);
        return false;
    }
    return true;
}

const struct cb_nest_program cb_nest_bt = {
    .id = "bt",
    .kernel = "apps/nested/programs/bt.cl",
    .parent_size = 64,
    .child_size = 32,
    .phases = 1,
    .launching = 1,
    .sizes = {{256, BT_MOST}, {8192, BT_MOST}, {25600, BT_MOST}},
    .make = make,
    .check = check,
};
