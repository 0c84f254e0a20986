/* SPDX-License-Identifier: Apache-2.0
 *
 * road:N. Crossings are the places of a lattice as high as wide. Each keeps one of its two roads
 * toward the lattice's middle, so that the whole is connected, and the other one at times. The
 * other three tenths of the vertices are extras, at most one a crossing: a dead end, or a vertex on
 * the way of the road to the middle. All of it lies in the plane, and no roads cross but at
 * vertices: a part of a lattice, some of whose edges are divided, with some leaves more.
 *
 * Numbers are those of a country whose counties were surveyed one after the other, in no order:
 * tiles of 64 x 64 crossings are shuffled, within a tile crossings count row by row, and an extra
 * comes after its crossing.
 */
#include <stdlib.h>

#include "apps/graphs/generate.h"
#include "runtime/host/parallel.h"

#define TILE 64 /* crossings across */

#define TILE_SEED 0x5eed0000000000d1ull
#define ROAD_SEED 0x5eed0000000000d2ull

/* How often a crossing keeps the second of its roads toward the middle: gives 2.41 edges a vertex,
 * as the USA have. */
#define KEEP_ROAD ((2927ull << 32) / 10000)

/* What the plan says of a crossing, beside its CB_TIE_ roads toward the middle. */
enum {
    WAY_ACROSS = CB_TIE_ACROSS << 2, /* its extra is on the way of this road */
    WAY_ALONG = CB_TIE_ALONG << 2,
    DEAD_END = 16, /* the crossing is a dead end */
};

struct road {
    uint32_t width, height; /* in crossings */
    uint64_t crossings, extras;
    uint64_t turn;   /* which crossings have extras, turned so that the middle has none */
    uint32_t *first; /* the number of each tile's first crossing */
    uint8_t *plan;   /* plan of each crossing, row by row */
};

struct place {
    uint32_t x, y; /* wraps around at the left and upper edges, beyond which there is nothing */
};

static const struct place steps[4] = {{0, UINT32_MAX}, {UINT32_MAX, 0}, {1, 0}, {0, 1}};

/* --- Numbers ---------------------------------------------------------------------------------- */

static uint32_t tiles_in(uint32_t crossings)
{
    return (crossings + TILE - 1) / TILE;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint64_t crossing_number(const struct road *r, struct place a)
{
    uint32_t left = a.x / TILE * TILE, top = a.y / TILE * TILE;
    return r->first[top / TILE * tiles_in(r->width) + left / TILE] +
           (a.y - top) * smaller(TILE, r->width - left) + (a.x - left);
}

/* Extras among the crossings before number n. They are spread evenly. */
static uint64_t extras_before(const struct road *r, uint64_t n)
{
    return ((n + r->turn) * r->extras) / r->crossings - r->turn * r->extras / r->crossings;
}

/* The vertex of a crossing; its extra, if it has one, is the next one. */
static uint32_t vertex_of(const struct road *r, struct place a)
{
    uint64_t number = crossing_number(r, a);
    return (uint32_t)(number + extras_before(r, number));
}

static bool has_extra(const struct road *r, struct place a)
{
    uint64_t number = crossing_number(r, a);
    return extras_before(r, number + 1) > extras_before(r, number);
}

/* Shuffles the tiles and counts the crossings before each. */
static bool number_tiles(struct road *r)
{
    const uint32_t across = tiles_in(r->width), tiles = across * tiles_in(r->height);
    uint32_t *order = cb_shuffled(tiles, TILE_SEED), crossings = 0;
    for (uint32_t i = 0; order && i < tiles; i++) {
        uint32_t left = order[i] % across * TILE, top = order[i] / across * TILE;
        r->first[order[i]] = crossings;
        crossings += smaller(TILE, r->width - left) * smaller(TILE, r->height - top);
    }
    free(order);
    return order != NULL;
}

/* --- Roads ------------------------------------------------------------------------------------ */

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a < b ? b - a : a - b;
}

/* From the middle, in crossings. */
static uint32_t remoteness(const struct road *r, struct place a)
{
    return distance(a.x, r->width / 2) + distance(a.y, r->height / 2);
}

/* Whether a road leads from a crossing in a direction, and to which vertex: an extra on its way,
 * or the next crossing. */
static bool follow(const struct road *r, struct place a, struct place step, uint32_t *end)
{
    const struct place b = {a.x + step.x, a.y + step.y};
    if (b.x >= r->width || b.y >= r->height)
        return false;
    const struct place outer = remoteness(r, a) > remoteness(r, b) ? a : b;
    const unsigned plan = r->plan[(size_t)outer.y * r->width + outer.x];
    const unsigned road = step.x ? CB_TIE_ACROSS : CB_TIE_ALONG;
    if (!(plan & road))
        return false;
    const bool is_divided = plan & road << 2;
    *end = vertex_of(r, is_divided ? outer : b) + is_divided;
    return true;
}

static uint32_t follow_all(const struct road *r, struct place a, uint32_t ends[4])
{
    uint32_t n = 0;
    for (int i = 0; i < 4; i++)
        n += follow(r, a, steps[i], &ends[n]);
    return n;
}

/* What the extra of a crossing is: a dead end where few roads meet, so that as many crossings of
 * three become of it as roads really have; else a vertex on the way of a road to the middle. */
static unsigned plan_extra(const struct road *r, struct place a, uint64_t random)
{
    uint32_t ends[4];
    const uint32_t roads = follow_all(r, a, ends);
    const unsigned own = r->plan[(size_t)a.y * r->width + a.x] & (CB_TIE_ACROSS | CB_TIE_ALONG);
    if (roads <= 2 || own == 0 || (roads == 3 && random >> 62 == 0))
        return DEAD_END;
    if (own == (CB_TIE_ACROSS | CB_TIE_ALONG))
        return random >> 63 ? WAY_ACROSS : WAY_ALONG;
    return own << 2;
}

static void plan_roads(struct road *r)
{
    struct cb_random random = {ROAD_SEED};
    uint8_t *plan = r->plan;
    for (uint32_t y = 0; y < r->height; y++)
        for (uint32_t x = 0; x < r->width; x++)
            *plan++ = (uint8_t)cb_draw_ties(x != r->width / 2, y != r->height / 2,
                                            cb_random_next(&random), KEEP_ROAD);
    plan = r->plan;
    for (uint32_t y = 0; y < r->height; y++)
        for (uint32_t x = 0; x < r->width; x++, plan++)
            if (has_extra(r, (struct place){x, y}))
                *plan |= (uint8_t)plan_extra(r, (struct place){x, y}, cb_random_next(&random));
}

/* --- Rows ------------------------------------------------------------------------------------- */

static void add_extra_row(const struct road *r, struct place a, unsigned plan,
                          struct cb_graph *graph)
{
    const uint32_t v = vertex_of(r, a);
    uint32_t columns[2] = {v};
    if (plan & DEAD_END) {
        cb_graph_add_row(graph, v + 1, columns, 1);
        return;
    }
    struct place next = a;
    if (plan & WAY_ACROSS)
        next.x += a.x < r->width / 2 ? 1u : UINT32_MAX;
    else
        next.y += a.y < r->height / 2 ? 1u : UINT32_MAX;
    columns[1] = vertex_of(r, next);
    cb_graph_add_row(graph, v + 1, columns, 2);
}

static void add_road_rows(const void *of, struct cb_graph *graph, unsigned part)
{
    const struct road *r = of;
    uint32_t y = (uint32_t)cb_part(r->height, part);
    const uint8_t *plan = r->plan + (size_t)y * r->width;
    for (; y < cb_part(r->height, part + 1); y++)
        for (uint32_t x = 0; x < r->width; x++, plan++) {
            const struct place a = {x, y};
            uint32_t columns[5], n = follow_all(r, a, columns), v = vertex_of(r, a);
            if (*plan & DEAD_END)
                columns[n++] = v + 1;
            cb_graph_add_row(graph, v, columns, n);
            if (*plan & (DEAD_END | WAY_ACROSS | WAY_ALONG))
                add_extra_row(r, a, *plan, graph);
        }
}

/* --- Weights ---------------------------------------------------------------------------------- */

/* Lengths in the manner of the DIMACS USA roads, whose median is half of their mean: between two
 * powers of two, which is drawn as the number of ones among twelve bits. */
static uint32_t length(uint64_t random)
{
    uint32_t power = 16;
    for (int i = 0; i < 12; i++)
        power <<= random >> i & 1;
    return power + cb_upper_below(power, random);
}

/* --- The whole -------------------------------------------------------------------------------- */

static enum cb_status make_road(struct road *r, const struct cb_spec *spec, struct cb_graph *graph,
                                struct cb_err *err)
{
    const struct place middle = {r->width / 2, r->height / 2};
    if (!r->first || !r->plan || !number_tiles(r))
        return cb_fail(err, CB_ERROR, "%s: out of memory", spec->name);
    r->turn = r->crossings - crossing_number(r, middle);
    plan_roads(r);
    return cb_graph_of_rows(spec->name, spec->first, add_road_rows, r, length, graph, err);
}

enum cb_status cb_generate_road(const struct cb_spec *spec, struct cb_graph *graph,
                                struct cb_err *err)
{
    const uint32_t n = spec->first, most = n > 1 ? (uint32_t)(7 * (uint64_t)n / 10) : 1;
    struct road r = {.width = cb_square_root(most)};
    r.height = most / r.width;
    r.crossings = (uint64_t)r.width * r.height;
    r.extras = n - r.crossings; /* at most as many */
    r.first = calloc((size_t)tiles_in(r.width) * tiles_in(r.height), sizeof *r.first);
    r.plan = calloc(r.crossings, 1);
    enum cb_status status = make_road(&r, spec, graph, err);
    free(r.first);
    free(r.plan);
    return status;
}
