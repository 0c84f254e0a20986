/* SPDX-License-Identifier: Apache-2.0 */
#include "graphs/dijkstra.h"

#include <stdlib.h>

#define NOWHERE UINT32_MAX

/* Vertices, of which none is nearer than the one at half its place. */
struct heap {
    uint32_t *vertices; /* places count from 1 */
    uint32_t *places;   /* of each vertex, or NOWHERE */
    uint32_t size;
    const uint64_t *distances;
};

static void put(struct heap *h, uint32_t place, uint32_t vertex)
{
    h->vertices[place] = vertex;
    h->places[vertex] = place;
}

static uint64_t distance_at(const struct heap *h, uint32_t place)
{
    return h->distances[h->vertices[place]];
}

/* The vertex has come nearer, or is new. */
static void rise(struct heap *h, uint32_t vertex)
{
    uint32_t place = h->places[vertex] == NOWHERE ? ++h->size : h->places[vertex];
    for (; place > 1 && distance_at(h, place / 2) > h->distances[vertex]; place /= 2)
        put(h, place, h->vertices[place / 2]);
    put(h, place, vertex);
}

static uint32_t take_nearest(struct heap *h)
{
    uint32_t nearest = h->vertices[1], last = h->vertices[h->size--], place = 1, child;
    for (; (child = 2 * place) <= h->size; place = child) {
        if (child < h->size && distance_at(h, child + 1) < distance_at(h, child))
            child++;
        if (distance_at(h, child) >= h->distances[last])
            break;
        put(h, place, h->vertices[child]);
    }
    if (h->size > 0)
        put(h, place, last);
    return nearest;
}

static void search(const struct cb_graph *graph, uint32_t source, uint64_t *distances,
                   struct heap *h)
{
    distances[source] = 0;
    rise(h, source);
    while (h->size > 0) {
        uint32_t v = take_nearest(h);
        for (uint32_t e = graph->rows[v]; e < graph->rows[v + 1]; e++) {
            uint32_t next = graph->columns[e];
            uint64_t distance = distances[v] + graph->weights[e];
            if (distance >= distances[next])
                continue;
            distances[next] = distance;
            rise(h, next);
        }
    }
}

bool cb_dijkstra(const struct cb_graph *graph, uint32_t source, uint64_t *distances)
{
    struct heap h = {.vertices = malloc(4 * ((size_t)graph->vertices + 1)),
                     .places = malloc(4 * (size_t)graph->vertices),
                     .distances = distances};
    bool found = h.vertices && h.places;
    for (uint32_t v = 0; found && v < graph->vertices; v++) {
        distances[v] = CB_DIJKSTRA_UNREACHED;
        h.places[v] = NOWHERE;
    }
    if (found)
        search(graph, source, distances, &h);
    free(h.vertices);
    free(h.places);
    return found;
}
