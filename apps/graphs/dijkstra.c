/* SPDX-License-Identifier: Apache-2.0
 *
 * Dijkstra's algorithm with a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan: Faster algorithms for the
 * shortest path problem, J. ACM 1990): what is taken out of it never gets less, so that entries lie
 * in buckets by the highest bit in which they differ from what was taken last. Buckets are read and
 * written from end to end, where a binary heap of millions of vertices waits for memory.
 */
#include "apps/graphs/dijkstra.h"

#include <stdlib.h>

#define BUCKETS 65 /* 0: no bit differs */

struct entry {
    uint64_t distance;
    uint32_t vertex;
};

struct bucket {
    struct entry *entries;
    size_t n, room;
};

struct heap {
    struct bucket buckets[BUCKETS];
    uint64_t last; /* distance that was taken out */
};

static bool put(struct heap *h, uint64_t distance, uint32_t vertex)
{
    struct bucket *b =
        &h->buckets[distance == h->last ? 0 : 64 - __builtin_clzll(distance ^ h->last)];
    if (b->n == b->room) {
        size_t room = b->room ? 2 * b->room : 64;
        struct entry *entries = realloc(b->entries, room * sizeof *entries);
        if (!entries)
            return false;
        b->entries = entries;
        b->room = room;
    }
    b->entries[b->n++] = (struct entry){distance, vertex};
    return true;
}

/* Entries of the first bucket that has any go to those before, the nearest to the very first. */
static bool spread(struct heap *h)
{
    struct bucket *b = h->buckets;
    while (b < h->buckets + BUCKETS && b->n == 0)
        b++;
    if (b == h->buckets || b == h->buckets + BUCKETS)
        return true;
    h->last = b->entries[0].distance;
    for (size_t i = 1; i < b->n; i++)
        h->last = b->entries[i].distance < h->last ? b->entries[i].distance : h->last;
    for (size_t i = 0; i < b->n; i++)
        if (!put(h, b->entries[i].distance, b->entries[i].vertex))
            return false;
    b->n = 0;
    return true;
}

/* A vertex that has come nearer has more than one entry: the others are out of date. */
static bool search(const struct cb_graph *graph, uint32_t source, uint64_t *distances,
                   struct heap *h)
{
    distances[source] = 0;
    bool found = put(h, 0, source);
    while (found && (found = spread(h)) && h->buckets[0].n > 0) {
        struct entry nearest = h->buckets[0].entries[--h->buckets[0].n];
        uint32_t v = nearest.vertex;
        if (nearest.distance != distances[v])
            continue;
        for (uint32_t e = graph->rows[v]; found && e < graph->rows[v + 1]; e++) {
            uint32_t next = graph->columns[e];
            uint64_t distance = nearest.distance + graph->weights[e];
            if (distance >= distances[next])
                continue;
            distances[next] = distance;
            found = put(h, distance, next);
        }
    }
    return found;
}

bool cb_dijkstra(const struct cb_graph *graph, uint32_t source, uint64_t *distances)
{
    struct heap h = {.last = 0};
    for (uint32_t v = 0; v < graph->vertices; v++)
        distances[v] = CB_DIJKSTRA_UNREACHED;
    bool found = search(graph, source, distances, &h);
    for (int i = 0; i < BUCKETS; i++)
        free(h.buckets[i].entries);
    return found;
}
