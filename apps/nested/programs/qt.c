/* SPDX-License-Identifier: Apache-2.0
 *
 * A quadtree (qt.clh) of points of which one half is anywhere in the unit square, and the other one
 * in clusters.
 */
#include <stdio.h>
#include <stdlib.h>

#include "apps/nested/programs/programs.h"
#include "apps/nested/programs/qt_abi.h"
#include "measure/random.h"

#define SEED     1
#define CLUSTERS 16u
#define ON_EDGES 16u /* one point of so many is on edges of squares */
#define EDGES    256 /* edges lie at multiples of 1 / EDGES */
#define SPARE    64u /* nodes more than the reference has, so that too many are found, not lost */

static float draw_unit(struct cb_random *random)
{
    return (float)(cb_random_next(random) >> 40) / (float)(1 << 24);
}

static void draw(struct cb_nest_data *d, uint32_t n)
{
    struct cb_random random = {SEED};
    float centres[CLUSTERS][2];
    for (uint32_t c = 0; c < CLUSTERS; c++)
        for (int axis = 0; axis < 2; axis++)
            centres[c][axis] = draw_unit(&random);
    for (uint32_t point = 0; point < n; point++)
        for (int axis = 0; axis < 2; axis++) {
            const uint32_t c = point % (2 * CLUSTERS);
            float x = draw_unit(&random);
            if (c < CLUSTERS) /* each smaller than the one before it */
                x = centres[c][axis] + (x - 0.5f) * (draw_unit(&random) / (float)(4u << c / 2));
            x = x < 0 || x >= 1 ? 0.5f : x;
            if (point % ON_EDGES == 0)
                x = (float)(uint32_t)(x * EDGES) / EDGES;
            d->others[2 * point + (unsigned)axis] = cb_nest_bits(x);
        }
}

/* ---- The reference, one node after the other ------------------------------------------------- */

struct square {
    double left, right, low, high; /* it has its left and its low edge */
};

/* A tree of the points is counted; or also compared with a found one. */
struct walk {
    const struct cb_nest_data *data;
    uint32_t n, parents;
    uint32_t *points, *aside; /* those of a node are next to each other */
    uint32_t nodes, depth, splits[QT_MOST_DEPTH];
    const uint32_t *found; /* words, or NULL */
    uint32_t room;         /* nodes that these may have */
    unsigned char *seen;   /* marks of the nodes found so far */
    uint32_t *leaf;        /* leaf of each point, as the number of nodes counted by then */
    char *why;
};

/* The points of a node, those of a quadrant after the other. */
static void sort_points(const struct walk *w, uint32_t begin, uint32_t n, const struct square *s,
                        uint32_t counts[4])
{
    const double x = (s->left + s->right) / 2, y = (s->low + s->high) / 2;
    uint32_t to = begin;
    for (uint32_t q = 0; q < 4; q++) {
        counts[q] = 0;
        for (uint32_t i = begin; i < begin + n; i++) {
            const uint32_t p = w->points[i];
            const bool right = cb_nest_float(w->data->others[2 * p]) >= x,
                       high = cb_nest_float(w->data->others[2 * p + 1]) >= y;
            if (right != q % 2 || high != q / 2)
                continue;
            w->aside[to++] = p;
            counts[q]++;
        }
    }
    memcpy(w->points + begin, w->aside + begin, n * sizeof *w->points);
}

static struct square quadrant_of(const struct square *s, uint32_t q)
{
    const double x = (s->left + s->right) / 2, y = (s->low + s->high) / 2;
    return (struct square){q % 2 ? x : s->left, q % 2 ? s->right : x, q / 2 ? y : s->low,
                           q / 2 ? s->high : y};
}

static bool fails(const struct walk *w, uint32_t node, const char *why)
{
    snprintf(w->why, CB_NEST_WHY, "node %u %s", node, why);
    return false;
}

/* A found node is another one than those before it, and the same as this one. */
static bool node_is_right(const struct walk *w, uint32_t node, uint32_t level, uint32_t n,
                          const struct square *s)
{
    if (node >= w->room || w->seen[node]++)
        return fails(w, node, "is none, or in the tree twice");
    const uint32_t *f = w->found + QT_NODE(w->parents, w->n, node);
    if (f[QT_LEVEL] != level || cb_nest_float(f[QT_X]) != s->left ||
        cb_nest_float(f[QT_Y]) != s->low)
        return fails(w, node, "has another square");
    if (f[QT_POINTS] != n || f[QT_BEGIN] > w->n || n > w->n - f[QT_BEGIN])
        return fails(w, node, "has another number of points");
    return true;
}

/* All points of a leaf, once each. */
static bool leaf_is_right(const struct walk *w, uint32_t node, uint32_t level, uint32_t begin,
                          uint32_t n)
{
    const uint32_t *f = w->found + QT_NODE(w->parents, w->n, node);
    const uint32_t *order = w->found + QT_ORDER(w->parents, w->n, level) + f[QT_BEGIN];
    for (int q = 0; q < 4; q++)
        if (f[QT_CHILDREN + q] != 0)
            return fails(w, node, "is split, and should not");
    for (uint32_t i = begin; i < begin + n; i++)
        w->leaf[w->points[i]] = w->nodes;
    for (uint32_t i = 0; i < n; i++) {
        if (order[i] >= w->n || w->leaf[order[i]] != w->nodes)
            return fails(w, node, "has other points");
        w->leaf[order[i]] = 0;
    }
    return true;
}

static bool visit(struct walk *w, uint32_t node, uint32_t level, uint32_t begin, uint32_t n,
                  const struct square *s)
{
    const bool leaf = n <= 1 || level == w->depth;
    uint32_t counts[4];
    w->nodes++;
    if (w->found && (!node_is_right(w, node, level, n, s) ||
                     (leaf && !leaf_is_right(w, node, level, begin, n))))
        return false;
    if (leaf)
        return true;
    w->splits[level]++;
    sort_points(w, begin, n, s, counts);
    for (uint32_t q = 0; q < 4; q++) {
        const struct square quadrant = quadrant_of(s, q);
        const uint32_t child =
            w->found ? w->found[QT_NODE(w->parents, w->n, node) + QT_CHILDREN + q] : 0;
        if (w->found && (child != 0) != (counts[q] > 0))
            return fails(w, node, "has a quadrant too many, or too few");
        if (counts[q] > 0 && !visit(w, child, level + 1, begin, counts[q], &quadrant))
            return false;
        begin += counts[q];
    }
    return true;
}

/* The whole tree; false, too, without memory. */
static bool walk(struct walk *w)
{
    const struct square all = {0, 1, 0, 1};
    w->points = calloc(w->n, sizeof *w->points);
    w->aside = calloc(w->n, sizeof *w->aside);
    w->leaf = calloc(w->n, sizeof *w->leaf);
    w->seen = calloc((size_t)w->room + 1, 1);
    bool right = w->points && w->aside && w->leaf && w->seen;
    for (uint32_t p = 0; right && p < w->n; p++)
        w->points[p] = p;
    right = right && visit(w, 0, 0, 0, w->n, &all);
    free(w->points);
    free(w->aside);
    free(w->leaf);
    free(w->seen);
    return right;
}

static bool check(const struct cb_nest_data *d, const uint32_t *found, char why[CB_NEST_WHY])
{
    struct walk w = {.data = d,
                     .n = d->n,
                     .parents = d->parents,
                     .found = found,
                     .room = d->others[QT_ROOM(d->n)],
                     .depth = d->others[QT_DEPTH(d->n)],
                     .why = why};
    snprintf(why, CB_NEST_WHY, "out of memory for the check");
    if (!walk(&w))
        return false;
    snprintf(why, CB_NEST_WHY, "%u nodes instead of %u", found[QT_USED], w.nodes);
    return found[QT_USED] == w.nodes;
}

/* ---- The input ------------------------------------------------------------------------------- */

/* The root is there already. */
static void begin(struct cb_nest_data *d)
{
    uint32_t *root = d->words + QT_NODE(d->parents, d->n, 0u);
    d->words[QT_USED] = 1;
    d->words[QT_SPLITS(0u)] = 1;
    for (uint32_t p = 0; p < d->n; p++)
        d->words[QT_ORDER(d->parents, d->n, 0u) + p] = p;
    root[QT_POINTS] = d->n;
}

static enum cb_status fill(struct cb_nest_data *d, const struct walk *w, struct cb_err *err)
{
    const uint32_t room = w->nodes + SPARE;
    uint32_t parents = 0;
    for (uint32_t level = 0; level < w->depth; level++)
        parents = w->splits[level] > parents ? w->splits[level] : parents;
    if (cb_nest_room(d, parents, w->data->n_others, QT_NODE((size_t)parents, w->n, room), 0, err) !=
        CB_OK)
        return err->status;
    memcpy(d->others, w->data->others, d->n_others * sizeof *d->others);
    d->others[QT_ROOM(w->n)] = room;
    d->others[QT_DEPTH(w->n)] = w->depth;
    d->n = w->n;
    begin(d);
    return CB_OK;
}

/* The parents are as many as a level has nodes that are split. */
static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    struct cb_nest_data points = {.n_others = QT_OTHERS((size_t)size->items)};
    struct walk w = {.data = &points, .n = size->items, .depth = size->depth};
    (void)input;
    points.others = calloc(points.n_others, sizeof *points.others);
    if (points.others)
        draw(&points, w.n);
    enum cb_status status = points.others && walk(&w)
                                ? fill(d, &w, err)
                                : cb_fail(err, CB_ERROR, "out of memory for the tree");
    cb_nest_free(&points);
    return status;
}

const struct cb_nest_program cb_nest_qt = {
    .id = "qt",
    .kernel = "apps/nested/programs/qt.cl",
    .recursive_kernel = "apps/nested/programs/qt_recursive.cl",
    .parent_size = 128,
    .child_size = 128,
    .phases = 2,
    .launching = 3,
    .has_laps = true,
    .depth = 12,
    .sizes = {{0, 1000}, {0, 10000}, {0, 40000}}, /* items: points */
    .make = make,
    .check = check,
};
