/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs whose work-items launch children (KLAP'16 Table I, aggregation), their inputs and what
 * they have to make of them. Each has a file of its own, and its kernels one of the same name.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "apps/graphs/graph.h"
#include "apps/nested/programs/sizes.h"

/* The arrays of nest.clh, of which `words` is written; expected: what the first of them have to be
 * in the end. */
struct cb_nest_data {
    uint32_t parents, n;
    uint32_t *begins, *others, *words, *expected; /* parents + 1, ... */
    size_t n_others, n_words, n_expected;
};

struct cb_nest_size {
    /* items: work-items of a child, edges of a vertex, or a graph's scale. */
    uint32_t parents, items;
    uint32_t depth; /* of a recursion, at most; 0: as the program has it */
};

#define CB_NEST_WHY 160 /* bytes */

struct cb_nest_program {
    const char *id, *kernel;
    const char *recursive_kernel;     /* of children that launch (nest_recursive.clh), or NULL */
    unsigned parent_size, child_size; /* work-items of a workgroup */
    unsigned phases;                  /* rounds of a lap */
    unsigned launching;               /* the phases in which parents launch, a bit each */
    /* Laps go on until one leaves the flag as it was; else there is one. */
    bool has_laps;
    unsigned depth;   /* of its recursion; 0: its children launch none */
    bool same_rounds; /* what a round that launches leaves behind does not depend on the order */
    struct cb_nest_size sizes[CB_LAUNCH_SIZES];
    const char *takes; /* what an input of one's own is: "graph", ...; NULL: it has none */
    /* input: a file, or NULL: to be generated, of this size. */
    enum cb_status (*make)(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *data, struct cb_err *err);
    /* Whether the words that were found are right, or why not; of right ones `why` may be a note
     * for people. NULL: they have to be the expected ones. */
    bool (*check)(const struct cb_nest_data *data, const uint32_t *found, char why[CB_NEST_WHY]);
};

/* PROGRAM(id, what it is, what else than a size its --input as an app may be), those of the paper
 * in the order of its table. cb_nest_<id> is in <id>.c; apps/nested/<id>.cl makes it an app. */
#define CB_NEST_PAPER(PROGRAM)                                                                     \
    PROGRAM(bfs_nested, "breadth-first search", "; or a graph")                                    \
    PROGRAM(bh, "bodies that attract each other (Barnes-Hut)", "")                                 \
    PROGRAM(bt, "tessellation of Bezier lines", "; or T2048/C64")                                  \
    PROGRAM(ccl, "connected components of images", "")                                             \
    PROGRAM(gc, "graph colouring", "; or a graph")                                                 \
    PROGRAM(mstf, "minimum spanning forest, by the lowest weights", "; or a graph")                \
    PROGRAM(mstv, "minimum spanning forest, by edges that are verified", "; or a graph")           \
    PROGRAM(qt, "quadtree", "")                                                                    \
    PROGRAM(sp, "survey propagation", "; or clauses of DIMACS")                                    \
    PROGRAM(sssp_nested, "shortest paths", "; or a graph")

/* Those that go on where one of these ends: no mean over the paper's has them. */
#define CB_NEST_MORE(PROGRAM)                                                                      \
    PROGRAM(sid, "survey inspired decimation, what comes after sp", "; or clauses of DIMACS")

#define CB_NEST_APPS(PROGRAM) CB_NEST_PAPER(PROGRAM) CB_NEST_MORE(PROGRAM)

/* Those that do next to nothing, for the price of a launch. */
#define CB_NEST_FILLS(PROGRAM)                                                                     \
    PROGRAM(equal, "children of 32 work-items", "")                                                \
    PROGRAM(equal128, "children of 128 work-items", "")                                            \
    PROGRAM(power, "children of 1 to 4096 work-items", "")

#define CB_NEST_PROGRAMS(PROGRAM) CB_NEST_APPS(PROGRAM) CB_NEST_FILLS(PROGRAM)

/* Ends with NULL. */
extern const struct cb_nest_program *const cb_nest_programs[];

/* NULL: there is none. */
const struct cb_nest_program *cb_nest_program_of(const char *id);

/* To be freed also after a failure. */
enum cb_status cb_nest_make(const struct cb_nest_program *program, enum cb_launch_size size,
                            const char *input, struct cb_nest_data *data, struct cb_err *err);
/* cb_nest_make() with another depth, for a program that has one. */
enum cb_status cb_nest_make_deep(const struct cb_nest_program *program, enum cb_launch_size size,
                                 unsigned depth, const char *input, struct cb_nest_data *data,
                                 struct cb_err *err);

void cb_nest_free(struct cb_nest_data *data);

/* The identity of what was made of an input. */
struct cb_identity cb_nest_identity(const struct cb_nest_data *data);

/* ---- For programs ---------------------------------------------------------------------------- */

/* All arrays, zeroed. begins may be there already. */
enum cb_status cb_nest_room(struct cb_nest_data *data, uint32_t parents, size_t n_others,
                            size_t n_words, size_t n_expected, struct cb_err *err);

/* A graph for the arrays: begins, and others: where each edge goes, then, if `weighted`, their
 * weights. More room: of others and words, for each vertex and edge. The graph is to be freed. */
struct cb_nest_graph {
    bool weighted;
    unsigned words_of_vertex;
};
enum cb_status cb_nest_take_graph(struct cb_nest_data *data, const struct cb_graph *graph,
                                  const struct cb_nest_graph *needs, struct cb_err *err);

/* The vertex with the most edges, the first of them: others may have none. */
uint32_t cb_nest_source(const struct cb_nest_data *data);

/* A float in a word. */
static inline uint32_t cb_nest_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float cb_nest_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
