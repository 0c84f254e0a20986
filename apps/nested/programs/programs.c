/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/nested/programs/programs.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/host/hash.h"

#define DECLARE(id, what, takes) extern const struct cb_nest_program cb_nest_##id;
#define LIST(id, what, takes)    &cb_nest_##id,
CB_NEST_PROGRAMS(DECLARE)
const struct cb_nest_program *const cb_nest_programs[] = {CB_NEST_PROGRAMS(LIST) NULL};

const struct cb_nest_program *cb_nest_program_of(const char *id)
{
    const struct cb_nest_program *const *p = cb_nest_programs;
    while (*p && strcmp((*p)->id, id) != 0)
        p++;
    return *p;
}

enum cb_status cb_nest_make(const struct cb_nest_program *program, enum cb_launch_size size,
                            const char *input, struct cb_nest_data *data, struct cb_err *err)
{
    return cb_nest_make_deep(program, size, program->depth, input, data, err);
}

enum cb_status cb_nest_make_deep(const struct cb_nest_program *program, enum cb_launch_size size,
                                 unsigned depth, const char *input, struct cb_nest_data *data,
                                 struct cb_err *err)
{
    struct cb_nest_size of_size = program->sizes[size];
    of_size.depth = depth;
    *data = (struct cb_nest_data){0};
    return program->make(&of_size, input, data, err);
}

void cb_nest_free(struct cb_nest_data *d)
{
    free(d->begins);
    free(d->others);
    free(d->words);
    free(d->expected);
    *d = (struct cb_nest_data){0};
}

struct cb_identity cb_nest_identity(const struct cb_nest_data *d)
{
    uint64_t hash = cb_hash_numbers(CB_HASH_START, d->begins, (size_t)d->parents + 1);
    hash = cb_hash_numbers(hash, d->others, d->n_others);
    hash = cb_hash_numbers(hash, d->words, d->n_words);
    return (struct cb_identity){.hash = hash};
}

/* An array of no words is one of one, since a buffer has to have some. */
static uint32_t *words_of(size_t *n)
{
    *n = *n > 0 ? *n : 1;
    return calloc(*n, sizeof(uint32_t));
}

enum cb_status cb_nest_room(struct cb_nest_data *d, uint32_t parents, size_t n_others,
                            size_t n_words, size_t n_expected, struct cb_err *err)
{
    size_t room = n_expected;
    d->parents = parents;
    d->n_others = n_others;
    d->n_words = n_words;
    d->n_expected = n_expected;
    d->begins = d->begins ? d->begins : calloc((size_t)parents + 1, sizeof *d->begins);
    d->others = words_of(&d->n_others);
    d->words = words_of(&d->n_words);
    d->expected = words_of(&room);
    return d->begins && d->others && d->words && d->expected
               ? CB_OK
               : cb_fail(err, CB_ERROR, "out of memory for the input");
}

enum cb_status cb_nest_take_graph(struct cb_nest_data *d, const struct cb_graph *graph,
                                  const struct cb_nest_graph *needs, struct cb_err *err)
{
    const size_t n_others = (needs->weighted ? 2 : 1) * (size_t)graph->edges,
                 n_words = needs->words_of_vertex * (size_t)graph->vertices;
    if (n_others > UINT32_MAX || n_words > UINT32_MAX)
        return cb_fail(err, CB_UNSUPPORTED, "%s: at most %u words for vertices, and for edges",
                       graph->name, UINT32_MAX);
    if (cb_nest_room(d, graph->vertices, n_others, n_words, graph->vertices, err) != CB_OK)
        return err->status;
    d->n = (uint32_t)graph->edges;
    memcpy(d->begins, graph->rows, (d->parents + (size_t)1) * sizeof *d->begins);
    memcpy(d->others, graph->columns, graph->edges * sizeof *d->others);
    if (needs->weighted)
        memcpy(d->others + graph->edges, graph->weights, graph->edges * sizeof *d->others);
    return CB_OK;
}

uint32_t cb_nest_source(const struct cb_nest_data *d)
{
    uint32_t source = 0;
    for (uint32_t p = 1; p < d->parents; p++)
        if (d->begins[p + 1] - d->begins[p] > d->begins[source + 1] - d->begins[source])
            source = p;
    return source;
}
