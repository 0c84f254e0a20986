/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/graphs/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "apps/graphs/parts.h"
#include "apps/graphs/scan.h"

#define FIRST_ROOM 1024

/* Vertices without edges that a file may claim: 256 MiB of rows. */
#ifndef SPARE_VERTICES /* fuzzing has fewer, or it would be slow */
#define SPARE_VERTICES (1ull << 26)
#endif

/* --- Lists that grow -------------------------------------------------------------------------- */

/* The list, moved to where it has more room for items of so many bytes; NULL, and the list stays,
 * if there is not enough memory. */
static void *grow_list(void *list, uint64_t *room, size_t bytes)
{
    uint64_t more = *room ? 2 * *room : FIRST_ROOM;
    void *grown = realloc(list, more * bytes);
    if (grown)
        *room = more;
    return grown;
}

static enum cb_status out_of_memory(struct cb_graph_input *input, uint64_t count, const char *what)
{
    return cb_fail(input->err, CB_ERROR, "%s: out of memory for %" PRIu64 " %s", input->path, count,
                   what);
}

static enum cb_status make_room(struct cb_edges *edges, struct cb_graph_input *input)
{
    if (edges->count >= CB_GRAPH_MAX_EDGES)
        return cb_fail(input->err, CB_USAGE, "%s: expected at most %llu edges", input->path,
                       CB_GRAPH_MAX_EDGES);
    struct cb_edge *list = grow_list(edges->list, &edges->room, sizeof *list);
    if (!list)
        return out_of_memory(input, 2 * edges->room, "edges");
    edges->list = list;
    return CB_OK;
}

void cb_edges_weigh(struct cb_edges *edges, uint64_t edge, uint32_t weight)
{
    edges->list[edge].weight = weight ? weight : 1;
    edges->weighted |= weight > 1;
}

enum cb_status cb_edges_add(struct cb_edges *edges, uint32_t from, uint32_t to, uint32_t weight,
                            struct cb_graph_input *input)
{
    if (edges->count == edges->room) {
        enum cb_status status = make_room(edges, input);
        if (status != CB_OK)
            return status;
    }
    edges->list[edges->count] = (struct cb_edge){.from = from, .to = to};
    cb_edges_weigh(edges, edges->count++, weight);
    return CB_OK;
}

enum cb_status cb_numbers_add(struct cb_numbers *numbers, uint32_t number,
                              struct cb_graph_input *input)
{
    if (numbers->count == numbers->room) {
        uint32_t *list = grow_list(numbers->list, &numbers->room, sizeof *list);
        if (!list)
            return out_of_memory(input, 2 * numbers->room, "numbers");
        numbers->list = list;
    }
    numbers->list[numbers->count++] = number;
    return CB_OK;
}

/* --- What readers share ----------------------------------------------------------------------- */

static const char *without_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Edges without weights are sorted in half the time. */
static enum cb_status add_weights(struct cb_graph *graph, struct cb_graph_input *input)
{
    uint64_t n = graph->edges ? graph->edges : 1;
    graph->weights = malloc(n * sizeof *graph->weights);
    if (!graph->weights) {
        cb_graph_free(graph);
        return out_of_memory(input, n, "weights");
    }
    for (uint64_t i = 0; i < n; i++)
        graph->weights[i] = 1;
    return CB_OK;
}

enum cb_status cb_graph_finish(struct cb_graph_input *input, uint64_t line, uint64_t vertices,
                               const struct cb_edges *edges, struct cb_graph *graph)
{
    uint64_t most = SPARE_VERTICES + input->bytes;
    if (most >= UINT32_MAX)
        most = UINT32_MAX - 1;
    if (vertices > most)
        return cb_fail(input->err, CB_USAGE,
                       "%s:%" PRIu64 ": expected at most %" PRIu64 " vertices in a file of %" PRIu64
                       " bytes, got %" PRIu64,
                       input->path, line, most, input->bytes, vertices);
    enum cb_status status =
        cb_graph_build(without_folder(input->path), (uint32_t)vertices, edges->list, edges->count,
                       edges->weighted, graph, input->err);
    return status == CB_OK && !edges->weighted ? add_weights(graph, input) : status;
}

/* --- Which format ----------------------------------------------------------------------------- */

bool cb_graph_head_named(const struct cb_graph_head *head, const char *ending)
{
    size_t n = strlen(head->name), m = strlen(ending);
    return n >= m && strcasecmp(head->name + n - m, ending) == 0;
}

bool cb_graph_head_begins(const struct cb_graph_head *head, const char *text)
{
    size_t n = strlen(text);
    return head->n >= n && strncasecmp(head->bytes, text, n) == 0;
}

static const struct format {
    bool (*is)(const struct cb_graph_head *head);
    enum cb_status (*read)(struct cb_graph_input *input, struct cb_edges *edges,
                           struct cb_graph *graph);
} formats[] = {
#define FORMAT(id, name) {cb_graph_is_##id, cb_graph_read_##id},
    CB_GRAPH_FORMATS(FORMAT)
#undef FORMAT
};

/* The first that says so: those that can be told by their contents come before the others. */
static const struct format *find_format(const struct cb_graph_input *input)
{
    char name[256];
    struct cb_graph_head head = {name, input->at, (size_t)(input->end - input->at)};
    snprintf(name, sizeof name, "%s", without_folder(input->path));
    if (cb_graph_head_named(&head, ".gz"))
        name[strlen(name) - 3] = '\0';
    for (size_t i = 0; i < CB_COUNTOF(formats); i++)
        if (formats[i].is(&head))
            return &formats[i];
    return NULL;
}

static enum cb_status unknown_format(struct cb_graph_input *input)
{
    char quoted[CB_SCAN_QUOTED];
    return cb_fail(input->err, CB_USAGE,
                   "%s: unknown format: expected " CB_GRAPH_FILES
                   ", got a file that begins with %s",
                   input->path, cb_scan_quote(input->at, input->end, quoted));
}

static enum cb_status read_input(struct cb_graph_input *input, struct cb_graph *graph)
{
    const struct format *format = find_format(input);
    if (!format)
        return unknown_format(input);
    struct cb_edges edges = {0};
    enum cb_status status = format->read(input, &edges, graph);
    free(edges.list);
    if (status == CB_OK && input->status != CB_OK) { /* it ended too early, and nobody noticed */
        cb_graph_free(graph);
        return input->status;
    }
    return status;
}

enum cb_status cb_graph_read(const char *path, struct cb_graph *graph, struct cb_err *err)
{
    struct cb_graph_input input;
    *graph = (struct cb_graph){0};
    enum cb_status status = cb_graph_input_open(&input, path, err);
    if (status == CB_OK)
        status = read_input(&input, graph);
    cb_graph_input_close(&input);
    return status;
}
