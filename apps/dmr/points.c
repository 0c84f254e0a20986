/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/dmr/points.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/dmr/dmr_abi.h"
#include "apps/graphs/scan.h"
#include "apps/host/app.h"
#include "runtime/cl.h"

#define SEED     1u
#define MARGIN   (DMR_SIDE / 16) /* around the points: the border is not where they are */
#define INNER    (DMR_SIDE - 2 * MARGIN)
#define CLUSTERS 16u
#define WIDTHS   16u /* half of a cluster's extent: a power of two, the least of which is this */

/* A point and its number in the input. */
struct spot {
    struct cb_dmr_point at;
    uint32_t number;
};

/* --- Generators ------------------------------------------------------------------------------- */

struct generator {
    struct cb_random random;
    uint32_t n;
    struct cb_dmr_point centres[CLUSTERS];
    int32_t x, y, dx, dy; /* begin and direction of a line */
};

/* Places that are outside are moved by the width of the inner square. */
static struct cb_dmr_point inner(int64_t x, int64_t y)
{
    x = ((x - MARGIN) % INNER + INNER) % INNER + MARGIN;
    y = ((y - MARGIN) % INNER + INNER) % INNER + MARGIN;
    return (struct cb_dmr_point){(int32_t)x, (int32_t)y};
}

static int32_t below(struct generator *g, int32_t n)
{
    return (int32_t)cb_random_below(&g->random, (unsigned)n);
}

static struct cb_dmr_point make_uniform(struct generator *g, uint32_t number)
{
    (void)number;
    int32_t x = below(g, INNER), y = below(g, INNER);
    return (struct cb_dmr_point){MARGIN + x, MARGIN + y};
}

static struct cb_dmr_point make_clustered(struct generator *g, uint32_t number)
{
    (void)number;
    const struct cb_dmr_point *centre = &g->centres[below(g, CLUSTERS)];
    int32_t half = 1 << (8 + below(g, WIDTHS));
    int32_t x = below(g, 2 * half) - half, y = below(g, 2 * half) - half;
    return inner(centre->x + x, centre->y + y);
}

/* Exactly on a line: whole steps from its beginning. */
static struct cb_dmr_point make_line(struct generator *g, uint32_t number)
{
    (void)number;
    int32_t steps = below(g, INNER / 4);
    return (struct cb_dmr_point){g->x + steps * g->dx, g->y + steps * g->dy};
}

/* Four points of each cell are on a circle. */
static struct cb_dmr_point make_grid(struct generator *g, uint32_t number)
{
    uint32_t side = (uint32_t)ceil(sqrt(g->n));
    int32_t step = INNER / (int32_t)side;
    return (struct cb_dmr_point){MARGIN + (int32_t)(number % side) * step,
                                 MARGIN + (int32_t)(number / side) * step};
}

static const struct kind {
    const char *name;
    struct cb_dmr_point (*make)(struct generator *g, uint32_t number);
} kinds[] = {
    {"uniform", make_uniform},
    {"clustered", make_clustered},
    {"line", make_line},
    {"grid", make_grid},
};

static void generate(const struct kind *kind, uint32_t n, uint32_t seed, struct spot *spots)
{
    struct generator g = {.random = {seed}, .n = n};
    for (unsigned c = 0; c < CLUSTERS; c++)
        g.centres[c] = make_uniform(&g, c);
    g.x = MARGIN + below(&g, INNER / 2);
    g.y = MARGIN + below(&g, INNER / 2);
    g.dx = below(&g, 3);
    g.dy = g.dx == 0 ? 1 : below(&g, 3);
    for (uint32_t i = 0; i < n; i++)
        spots[i] = (struct spot){kind->make(&g, i), i};
}

/* ":KIND", ":SEED" or ":KIND:SEED" after the number of points. */
static const struct kind *parse_kind(const char *rest, uint32_t *seed)
{
    const struct kind *kind = &kinds[0];
    *seed = SEED;
    for (size_t k = 0; *rest && k < CB_COUNTOF(kinds); k++) {
        size_t length = strlen(kinds[k].name);
        if (strncmp(rest + 1, kinds[k].name, length) == 0 &&
            (rest[1 + length] == ':' || !rest[1 + length])) {
            kind = &kinds[k];
            rest += 1 + length;
            break;
        }
    }
    if (*rest && !cb_app_read_count(rest + 1, 0, UINT32_MAX, seed, NULL))
        return NULL;
    return kind;
}

/* Whether it is to be taken for a generator's, right or wrong. */
static bool is_generated(const char *input)
{
    size_t digits = strspn(input, "0123456789");
    return (digits > 0 && (!input[digits] || input[digits] == ':')) || access(input, F_OK) != 0;
}

static enum cb_status make_spots(const char *input, struct spot **spots, uint32_t *n,
                                 struct cb_err *err)
{
    const char *rest = "";
    uint32_t seed = 0;
    const struct kind *kind = NULL;
    if (cb_app_read_count(input, 3, CB_DMR_MAX_POINTS, n, &rest))
        kind = parse_kind(rest, &seed);
    if (!kind)
        return cb_fail(err, CB_USAGE,
                       "dmr: expected POINTS[:uniform|:clustered|:line|:grid][:SEED] with 3 to %u "
                       "points, or a file; got \"%s\"",
                       CB_DMR_MAX_POINTS, input);
    *spots = malloc(*n * sizeof **spots);
    if (!*spots)
        return cb_no_memory(err);
    generate(kind, *n, seed, *spots);
    return CB_OK;
}

/* --- Files ------------------------------------------------------------------------------------ */

struct real {
    double x, y;
};

struct reals {
    struct real *all;
    size_t n, room;
};

static enum cb_status add_real(struct reals *reals, struct real real, struct cb_scan *scan)
{
    if (reals->n == CB_DMR_MAX_POINTS)
        return cb_scan_wrong(scan, "more than %u points", CB_DMR_MAX_POINTS);
    if (reals->n == reals->room) {
        size_t room = 2 * reals->room + 1024;
        struct real *all = realloc(reals->all, room * sizeof *all);
        if (!all)
            return cb_fail(scan->input->err, CB_ERROR, "out of memory");
        reals->all = all;
        reals->room = room;
    }
    reals->all[reals->n++] = real;
    return CB_OK;
}

static enum cb_status read_reals(struct cb_graph_input *input, struct reals *reals)
{
    struct cb_scan scan = {input};
    while (cb_scan_next_line(&scan)) {
        struct real real;
        char next = cb_scan_peek(&scan);
        if (next == '#' || next == '\n')
            continue;
        if (cb_scan_decimal(&scan, "x", &real.x) != CB_OK ||
            cb_scan_decimal(&scan, "y", &real.y) != CB_OK || cb_scan_end(&scan, "X Y") != CB_OK ||
            add_real(reals, real, &scan) != CB_OK)
            return input->err->status;
    }
    if (input->status == CB_OK && reals->n < 3)
        return cb_scan_wrong(&scan, "expected at least 3 points, got %zu", reals->n);
    return input->status;
}

/* The largest square that the points need becomes the inner one. Halves do not overflow. */
static void fit(const struct reals *reals, struct spot *spots)
{
    double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < reals->n; i++) {
        left = fmin(left, reals->all[i].x / 2);
        right = fmax(right, reals->all[i].x / 2);
        low = fmin(low, reals->all[i].y / 2);
        high = fmax(high, reals->all[i].y / 2);
    }
    double extent = fmax(fmax(right - left, high - low), DBL_MIN);
    for (size_t i = 0; i < reals->n; i++) {
        double x = (reals->all[i].x / 2 - left) / extent, y = (reals->all[i].y / 2 - low) / extent;
        spots[i].at = (struct cb_dmr_point){MARGIN + (int32_t)lround(x * INNER),
                                            MARGIN + (int32_t)lround(y * INNER)};
        spots[i].number = (uint32_t)i;
    }
}

static enum cb_status read_spots(const char *path, struct spot **spots, uint32_t *n,
                                 struct cb_err *err)
{
    struct cb_graph_input input;
    struct reals reals = {0};
    enum cb_status status = cb_graph_input_open(&input, path, err);
    if (status == CB_OK)
        status = read_reals(&input, &reals);
    cb_graph_input_close(&input);
    if (status == CB_OK && !(*spots = malloc(reals.n * sizeof **spots)))
        status = cb_no_memory(err);
    if (status == CB_OK) {
        *n = (uint32_t)reals.n;
        fit(&reals, *spots);
    }
    free(reals.all);
    return status;
}

/* --- Points that are there twice, or on one line ---------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const struct spot *left = a, *right = b;
    if (left->at.x != right->at.x)
        return left->at.x < right->at.x ? -1 : 1;
    if (left->at.y != right->at.y)
        return left->at.y < right->at.y ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

static bool is_at_one_place(const struct spot *a, const struct spot *b)
{
    return a->at.x == b->at.x && a->at.y == b->at.y;
}

/* As well as it can be told once they are on the grid: none is two units from the line between the
 * first and the last of the sorted ones. */
static bool is_on_a_line(const struct spot *spots, uint32_t n)
{
    const struct cb_dmr_point *a = &spots[0].at, *b = &spots[n - 1].at;
    int64_t dx = b->x - a->x, dy = llabs((int64_t)b->y - a->y);
    for (uint32_t i = 1; i + 1 < n; i++)
        if (llabs(cb_dmr_area(a, b, &spots[i].at)) > 2 * (dx > dy ? dx : dy))
            return false;
    return true;
}

static enum cb_status check_file(const char *path, const struct spot *sorted, uint32_t n,
                                 struct cb_err *err)
{
    for (uint32_t i = 1; i < n; i++)
        if (is_at_one_place(&sorted[i - 1], &sorted[i]))
            return cb_fail(err, CB_USAGE,
                           "%s: points %u and %u are at one place, on a grid of %d x %d", path,
                           sorted[i - 1].number + 1, sorted[i].number + 1, INNER, INNER);
    return is_on_a_line(sorted, n) ? cb_fail(err, CB_USAGE, "%s: all points are on one line", path)
                                   : CB_OK;
}

/* The first of each place. */
static enum cb_status take_points(const struct spot *sorted, struct cb_dmr_point **points,
                                  uint32_t *n, struct cb_err *err)
{
    uint32_t count = 0;
    *points = malloc(*n * sizeof **points);
    if (!*points)
        return cb_no_memory(err);
    for (uint32_t i = 0; i < *n; i++)
        if (i == 0 || !is_at_one_place(&sorted[i - 1], &sorted[i]))
            (*points)[count++] = sorted[i].at;
    *n = count;
    return CB_OK;
}

/* ---------------------------------------------------------------------------------------------- */

enum cb_status cb_dmr_points(const char *input, struct cb_dmr_point **points, uint32_t *n,
                             struct cb_err *err)
{
    struct spot *spots = NULL;
    bool file = !is_generated(input);
    *points = NULL;
    enum cb_status status = (file ? read_spots : make_spots)(input, &spots, n, err);
    if (status == CB_OK)
        qsort(spots, *n, sizeof *spots, compare);
    if (status == CB_OK && file)
        status = check_file(input, spots, *n, err);
    if (status == CB_OK)
        status = take_points(spots, points, n, err);
    free(spots);
    return status;
}

void cb_dmr_draw(struct cb_random *random, char *text, size_t size)
{
    const struct kind *kind = &kinds[cb_random_below(random, CB_COUNTOF(kinds))];
    unsigned most = cb_random_below(random, 4) ? 40 : 400;
    snprintf(text, size, "%u:%s:%u", cb_random_between(random, 3, most), kind->name,
             cb_random_below(random, 10000));
}
