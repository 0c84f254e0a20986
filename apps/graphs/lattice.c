/* SPDX-License-Identifier: Apache-2.0
 *
 * grid:WxH and circuit:N, numbered row by row.
 */
#include "apps/graphs/generate.h"
#include "runtime/host/parallel.h"

/* --- grid:WxH --------------------------------------------------------------------------------- */

static void add_grid_rows(const void *of, struct cb_graph *graph, unsigned part)
{
    const struct cb_spec *spec = of;
    const uint32_t width = spec->first, height = spec->second;
    uint32_t y = (uint32_t)cb_part(height, part), v = y * width;
    for (; y < cb_part(height, part + 1); y++)
        for (uint32_t x = 0; x < width; x++, v++) {
            uint32_t columns[4], n = 0;
            if (y > 0)
                columns[n++] = v - width;
            if (x > 0)
                columns[n++] = v - 1;
            if (x + 1 < width)
                columns[n++] = v + 1;
            if (y + 1 < height)
                columns[n++] = v + width;
            cb_graph_add_row(graph, v, columns, n);
        }
}

static uint32_t one(uint64_t random)
{
    (void)random;
    return 1;
}

enum cb_status cb_generate_grid(const struct cb_spec *spec, struct cb_graph *graph,
                                struct cb_err *err)
{
    if (spec->second > CB_MAX_PLACES / spec->first)
        return cb_fail(err, CB_USAGE,
                       "grid: expected grid:WxH with W * H of at most %u, got \"%.100s\"",
                       CB_MAX_PLACES, spec->text);
    return cb_graph_of_rows(spec->name, spec->first * spec->second, add_grid_rows, spec, one, graph,
                            err);
}

/* --- circuit:N -------------------------------------------------------------------------------- */

/* Two layers of wires, like the power grid of a chip: below, a mesh in which one wire of 16 is
 * missing; above, a complete mesh of every fifth column and row, each crossing of which is joined
 * to the node below it. Long ways go above: long distances are a fifth of the lower
 * mesh's. The meshes have no lower end: the graph is their first N nodes. */
struct circuit {
    uint32_t nodes, width;
};

#define WIRE_SEED 0x5eed0000000000c1ull
#define KEEP_WIRE ((7ull << 32) / 8) /* share of the half of all wires that need not be there */
#define PITCH     5u
#define OFFSET    2u /* offset of the first crossing from the left and upper edges */

static bool is_crossed(uint32_t x)
{
    return x % PITCH == OFFSET;
}

/* How many of 0 to n - 1 are. */
static uint32_t count_crossed(uint32_t n)
{
    return (n + PITCH - 1 - OFFSET) / PITCH;
}

/* The number of a lower node; that of the crossing above it is the next one. */
static uint32_t node_at(const struct circuit *c, uint32_t x, uint32_t y)
{
    return y * c->width + x + count_crossed(y) * count_crossed(c->width) +
           (is_crossed(y) ? count_crossed(x) : 0);
}

/* The wires of a lower node to the left and up. */
static unsigned wires_of(const struct circuit *c, uint32_t x, uint32_t y)
{
    struct cb_random random = {WIRE_SEED + (uint64_t)y * c->width + x};
    return cb_draw_ties(x > 0, y > 0, cb_random_next(&random), KEEP_WIRE);
}

static uint32_t lower_row(const struct circuit *c, uint32_t x, uint32_t y, uint32_t columns[5])
{
    uint32_t n = 0, right = node_at(c, x + 1, y), down = node_at(c, x, y + 1);
    uint32_t above = node_at(c, x, y) + 1;
    unsigned wires = wires_of(c, x, y);
    if (wires & CB_TIE_ALONG)
        columns[n++] = node_at(c, x, y - 1);
    if (wires & CB_TIE_ACROSS)
        columns[n++] = node_at(c, x - 1, y);
    if (is_crossed(x) && is_crossed(y) && above < c->nodes)
        columns[n++] = above;
    if (x + 1 < c->width && right < c->nodes && wires_of(c, x + 1, y) & CB_TIE_ACROSS)
        columns[n++] = right;
    if (down < c->nodes && wires_of(c, x, y + 1) & CB_TIE_ALONG)
        columns[n++] = down;
    return n;
}

static uint32_t upper_row(const struct circuit *c, uint32_t x, uint32_t y, uint32_t columns[5])
{
    uint32_t n = 0, right = node_at(c, x + PITCH, y) + 1, down = node_at(c, x, y + PITCH) + 1;
    if (y >= PITCH)
        columns[n++] = node_at(c, x, y - PITCH) + 1;
    if (x >= PITCH)
        columns[n++] = node_at(c, x - PITCH, y) + 1;
    columns[n++] = node_at(c, x, y);
    if (x + PITCH < c->width && right < c->nodes)
        columns[n++] = right;
    if (down < c->nodes)
        columns[n++] = down;
    return n;
}

static void add_circuit_rows(const void *of, struct cb_graph *graph, unsigned part)
{
    const struct circuit *c = of;
    const uint32_t height = c->nodes / c->width + 1; /* at most */
    uint32_t columns[5], y = (uint32_t)cb_part(height, part), v = node_at(c, 0, y);
    for (; y < cb_part(height, part + 1) && v < c->nodes; y++)
        for (uint32_t x = 0; x < c->width && v < c->nodes; x++) {
            cb_graph_add_row(graph, v++, columns, lower_row(c, x, y, columns));
            if (is_crossed(x) && is_crossed(y) && v < c->nodes)
                cb_graph_add_row(graph, v++, columns, upper_row(c, x, y, columns));
        }
}

enum cb_status cb_generate_circuit(const struct cb_spec *spec, struct cb_graph *graph,
                                   struct cb_err *err)
{
    const struct circuit c = {spec->first, cb_square_root(spec->first)};
    return cb_graph_of_rows(spec->name, c.nodes, add_circuit_rows, &c, cb_weight_below_256, graph,
                            err);
}
