/* SPDX-License-Identifier: Apache-2.0
 *
 * What the generators share. A spec is "NAME:first" or "NAME:first" with a second number after a
 * separator; generate.c reads it and holds the numbers against the generator's bounds.
 */
#pragma once

#include "apps/graphs/parts.h"

struct cb_spec {
    const char *text;       /* as it was given, for messages */
    char name[64];          /* with its defaults */
    uint32_t first, second; /* second: 0 if the generator has only one */
};

/* What makes the graph of a spec. */
typedef enum cb_status cb_generator(const struct cb_spec *spec, struct cb_graph *graph,
                                    struct cb_err *err);

cb_generator cb_generate_grid, cb_generate_circuit;                       /* lattice.c */
cb_generator cb_generate_road;                                            /* road.c */
cb_generator cb_generate_rmat, cb_generate_uniform, cb_generate_directed; /* drawn.c */

#define CB_MAX_PLACES (1u << 28) /* vertices of those that are laid out in the plane */

/* --- Random numbers --------------------------------------------------------------------------- */

/* 0 to n - 1, from the upper half of a random number. */
static inline uint32_t cb_upper_below(uint32_t n, uint64_t random)
{
    return (uint32_t)(((random >> 32) * n) >> 32);
}

/* From 1 to 255, all as likely: what Graph500 graphs have in the GAP Benchmark Suite. */
static inline uint32_t cb_weight_below_256(uint64_t random)
{
    return 1 + cb_upper_below(255, random);
}

/* 0 to n - 1 in random order; NULL if there is not enough memory. */
uint32_t *cb_shuffled(uint32_t n, uint64_t seed);

/* --- Ties ------------------------------------------------------------------------------------- */

enum { CB_TIE_ACROSS = 1, CB_TIE_ALONG = 2 };

/* The ties that a place of a lattice keeps of the two that lead toward the lattice's root, where
 * there are such: one for certain, so that all places hang together, the other with probability
 * keep / 2^32. Uses the lower half of the random number, and the highest bit. */
static inline unsigned cb_draw_ties(bool across, bool along, uint64_t random, uint64_t keep)
{
    if (!across || !along || (uint32_t)random < keep)
        return (across ? CB_TIE_ACROSS : 0u) | (along ? CB_TIE_ALONG : 0u);
    return random >> 63 ? CB_TIE_ACROSS : CB_TIE_ALONG;
}

/* The largest number whose square is at most n. */
static inline uint32_t cb_square_root(uint32_t n)
{
    uint32_t root = 0;
    for (uint32_t bit = 1u << 15; bit; bit >>= 1)
        if ((uint64_t)(root + bit) * (root + bit) <= n)
            root += bit;
    return root;
}

/* --- Parts ------------------------------------------------------------------------------------ */

/* The first vertex of a part (runtime/host/parallel.h) of a finished graph; parts have about as
 * many edges each. */
uint32_t cb_graph_part(const struct cb_graph *graph, unsigned part);

/* --- Rows ------------------------------------------------------------------------------------- */

/* Adds row v to a graph whose rows are gone through twice: at first the columns are counted, then,
 * after cb_graph_counted(), put in. Sorts them. */
void cb_graph_add_row(struct cb_graph *graph, uint32_t v, uint32_t *columns, uint32_t n);

/* Makes a graph whose rows can be computed: add_rows(of, graph, part) adds each row of a part once;
 * all parts come twice, on several cores. For weight see cb_graph_weigh. */
enum cb_status cb_graph_of_rows(const char *name, uint32_t vertices,
                                void (*add_rows)(const void *of, struct cb_graph *graph,
                                                 unsigned part),
                                const void *of, uint32_t (*weight)(uint64_t random),
                                struct cb_graph *graph, struct cb_err *err);

/* Weighs each edge by weight(a random number that depends on its two ends only), so that both
 * directions have the same. Frees the graph if there is not enough memory. */
enum cb_status cb_graph_weigh(struct cb_graph *graph, uint32_t (*weight)(uint64_t random),
                              struct cb_err *err);
