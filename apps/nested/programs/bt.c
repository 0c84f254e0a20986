/* SPDX-License-Identifier: Apache-2.0
 *
 * Tessellation of Bezier lines (bt.cl), whose control points are anywhere in a square.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/nested/programs/bt_abi.h"
#include "apps/nested/programs/programs.h"
#include "measure/random.h"

#define SEED  1
#define MOST  65536u /* most points of a line, and largest factor */
#define SIDES 16384u /* sides of the square: sums of two coordinates are exact */

/* Distance from an integer at which a float of up to BT_MOST may be on its other side. */
#define NEAR      1e-3
#define TOLERANCE 1e-4 /* relative to a line's extent */

extern const struct cb_nest_program cb_nest_bt;

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

/* ---- Points, in double precision ------------------------------------------------------------- */

/* Points that a line wants. */
static double wanted(const struct cb_nest_data *d, const struct line *l)
{
    const double middle_x = (l->x[0] + l->x[2]) / 2, middle_y = (l->y[0] + l->y[2]) / 2;
    return d->others[BT_C(d->parents)] * hypot(l->x[1] - middle_x, l->y[1] - middle_y) /
           hypot(l->x[2] - l->x[0], l->y[2] - l->y[0]);
}

/* Points that it has; may_be: one that wants slightly fewer (-1), or more (1). */
static uint32_t points_of(const struct cb_nest_data *d, double points, int may_be)
{
    const uint32_t most = d->others[BT_T(d->parents)];
    points += may_be * NEAR * fmax(1, points / BT_MOST);
    return points <= BT_LEAST ? BT_LEAST : points >= most ? most : (uint32_t)points;
}

/* Makes the words, with room for all points. */
static enum cb_status make_words(struct cb_nest_data *d, struct cb_err *err)
{
    size_t words = BT_HEAP(d->parents);
    for (uint32_t line = 0; line < d->parents; line++) {
        const struct line l = line_of(d, line);
        words += BT_ROOM_OF(points_of(d, wanted(d, &l), 1));
    }
    free(d->words);
    d->words = words <= UINT32_MAX ? calloc(words, sizeof *d->words) : NULL;
    if (!d->words)
        return cb_fail(err, CB_ERROR, "out of memory for %zu words of points", words);
    d->n_words = words;
    d->n = (uint32_t)words;
    d->words[0] = BT_HEAP(d->parents);
    return CB_OK;
}

/* Reads "T2048/C64". */
static enum cb_status read_input(const char *input, uint32_t *most, uint32_t *factor,
                                 struct cb_err *err)
{
    int end = 0;
    if (input && (sscanf(input, "T%" SCNu32 "/C%" SCNu32 "%n", most, factor, &end) != 2 ||
                  input[end] || *most < BT_LEAST || *most > MOST || *factor < 1 || *factor > MOST))
        return cb_fail(err, CB_USAGE,
                       "bt: expected T and C of its lines, T%u/C1 to T%u/C%u, as T2048/C64, "
                       "got \"%s\"",
                       BT_LEAST, MOST, MOST, input);
    return CB_OK;
}

/* Lines with an input of one's own are as many as the paper's. */
static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    const uint32_t lines = input ? cb_nest_bt.sizes[CB_LAUNCH_LARGE].parents : size->parents;
    uint32_t most = BT_MOST, factor = BT_FACTOR;
    if (read_input(input, &most, &factor, err) != CB_OK ||
        cb_nest_room(d, lines, BT_OTHERS((size_t)lines), 0, 0, err) != CB_OK)
        return err->status;
    d->others[BT_T(lines)] = most;
    d->others[BT_C(lines)] = factor;
    draw(d);
    return make_words(d, err);
}

/* ---- The check ------------------------------------------------------------------------------- */

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
    const double exact = wanted(d, &l);
    if (points < points_of(d, exact, -1) || points > points_of(d, exact, 1)) {
        snprintf(why, CB_NEST_WHY, "line %u has %u points instead of %u", line, points,
                 points_of(d, exact, 0));
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
    .takes = "T and C of its lines",
    .make = make,
    .check = check,
};
