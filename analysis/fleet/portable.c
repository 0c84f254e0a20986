/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/fleet/portable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fleet/ways.h"

/* ---- Ways ------------------------------------------------------------------------------------ */

/* The way of this name, which joins them; -1: no memory. */
static int way_of(struct cb_portable *p, const char *name)
{
    for (int i = 0; i < p->n; i++)
        if (strcmp(p->ways[i].name, name) == 0)
            return i;
    struct cb_way *ways = realloc(p->ways, (size_t)(p->n + 1) * sizeof *ways);
    p->ways = ways ? ways : p->ways;
    char *copy = ways ? strdup(name) : NULL;
    if (!copy)
        return -1;
    p->ways[p->n] = (struct cb_way){.name = copy};
    return p->n++;
}

/* Sums of logarithms of factors: of a way, on the device at hand. */
struct sum {
    double log;
    int n;
};

/* A device ends: its mean joins those of others. devices: how many each way has so far. */
static void close_device(struct cb_portable *p, struct sum *sums, struct sum *means)
{
    for (int i = 0; i < p->n; i++) {
        if (sums[i].n == 0)
            continue;
        means[i].log += sums[i].log / sums[i].n;
        means[i].n++;
        sums[i] = (struct sum){0};
    }
}

/* A place: its entries, the best of which is the first. */
static bool add_place(struct cb_portable *p, const struct cb_way_entry *entries, int n,
                      struct sum *sums)
{
    for (int i = 0; i < n; i++) {
        const double lost = entries[i].cost - entries[0].cost;
        const int way = way_of(p, entries[i].way);
        if (way < 0)
            return false;
        struct cb_way *w = &p->ways[way];
        if (w->last == p->places + 1)
            continue; /* tuned, or differing in what only some of them have: the best one stands */
        w->last = p->places + 1;
        if (w->places++ == 0 || exp(lost) > w->worst) {
            w->worst = exp(lost);
            w->device = entries[i].device;
            w->c = entries[i].c;
        }
        sums[way].log += lost;
        sums[way].n++;
    }
    p->places++;
    return true;
}

/* ---- A choice -------------------------------------------------------------------------------- */

static bool is_everywhere(const struct cb_portable *p, const struct cb_way *w)
{
    return w->places == p->places;
}

static bool comes_before(const struct cb_way *a, const struct cb_way *b)
{
    if (a->places != b->places)
        return a->places > b->places;
    return a->worst != b->worst ? a->worst < b->worst : a->mean < b->mean;
}

static void rank(struct cb_portable *p)
{
    for (int i = 1; i < p->n; i++) {
        const struct cb_way way = p->ways[i];
        int k = i;
        for (; k > 0 && comes_before(&way, &p->ways[k - 1]); k--)
            p->ways[k] = p->ways[k - 1];
        p->ways[k] = way;
    }
    p->least_worst = p->least_mean = -1;
    for (int i = 0; i < p->n && is_everywhere(p, &p->ways[i]); i++) {
        if (p->least_worst < 0)
            p->least_worst = i;
        if (p->least_mean < 0 || p->ways[i].mean < p->ways[p->least_mean].mean)
            p->least_mean = i;
    }
}

/* Entries of one choice, by device and place. False: no memory. */
static bool weigh(struct cb_portable *p, const struct cb_way_entry *entries, int n)
{
    struct sum *sums = calloc((size_t)n + 1, sizeof *sums);
    struct sum *means = calloc((size_t)n + 1, sizeof *means);
    int device = -1;
    bool done = sums && means;
    for (int i = 0, end; i < n && done; i = end) {
        end = cb_way_place_end(entries, n, i);
        if (end - i < 2)
            continue; /* there is no choice */
        if (entries[i].device != device) {
            close_device(p, sums, means);
            p->devices++;
        }
        device = entries[i].device;
        done = add_place(p, &entries[i], end - i, sums);
    }
    if (done)
        close_device(p, sums, means);
    for (int i = 0; i < p->n && done; i++)
        p->ways[i].mean = exp(means[i].log / means[i].n);
    free(sums);
    free(means);
    rank(p);
    return done;
}

static void free_ways(struct cb_portable *p)
{
    for (int i = 0; i < p->n; i++)
        free(p->ways[i].name);
    free(p->ways);
}

static bool add(struct cb_portables *out, const struct cb_way_entry *entries, int n)
{
    struct cb_portable p = {.bench = entries->bench, .choice = entries->choice};
    struct cb_portable *items = NULL;
    bool done = weigh(&p, entries, n);
    if (done && p.n > 1) {
        items = realloc(out->items, (size_t)(out->n + 1) * sizeof *items);
        done = items != NULL;
    }
    if (!items) {
        free_ways(&p);
        return done;
    }
    out->items = items;
    out->items[out->n++] = p;
    return true;
}

/* ---- All ------------------------------------------------------------------------------------- */

bool cb_portables_find(const struct cb_fleet_devices *devices, struct cb_portables *out)
{
    struct cb_way_entries all;
    *out = (struct cb_portables){0};
    bool done = cb_way_entries_make(devices, &all);
    for (int i = 0, end; i < all.n && done; i = end) {
        end = cb_way_choice_end(all.items, all.n, i);
        done = add(out, &all.items[i], end - i);
    }
    cb_way_entries_free(&all);
    return done;
}

void cb_portables_free(struct cb_portables *portables)
{
    for (int i = 0; i < portables->n; i++)
        free_ways(&portables->items[i]);
    free(portables->items);
    *portables = (struct cb_portables){0};
}
