/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/evaluate.h"

#include <math.h>
#include <stdlib.h>

static size_t count_participants(const struct cb_discover_launch *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->launched; i++)
        n += l->groups[i].participating != 0;
    return n;
}

static void check_group(const struct cb_discover_launch *l, size_t native, size_t n,
                        struct cb_sample *sample)
{
    const cb_discover_group *g = &l->groups[native];
    cb_sample_check(sample, g->num_groups == n,
                    "workgroup %zu counts %u participants, there are %zu", native, g->num_groups,
                    n);
    cb_sample_check(sample, g->global_size == n * l->wg_size,
                    "workgroup %zu has a global size of %u instead of %zu", native, g->global_size,
                    n * l->wg_size);
    if (!cb_sample_check(sample, g->group_id < n,
                         "workgroup %zu has id %u, not below the %zu participants", native,
                         g->group_id, n))
        return;
    cb_sample_check(sample, g->passed, "participant %u did not pass the global barrier",
                    g->group_id);
    cb_u32 neighbour = (cb_u32)((g->group_id + 1) % n),
           read = l->letters[l->launched + g->group_id];
    cb_sample_check(sample, read == neighbour + 1,
                    "after the barrier, participant %u read %u where participant %u had written %u "
                    "before it",
                    g->group_id, read, neighbour, neighbour + 1);
}

/* Checks that exactly one work-item had each global id below participants x local size, and none
 * any other. That makes the workgroups' ids contiguous and unique, too. */
static void check_items(const struct cb_discover_launch *l, size_t n, struct cb_sample *sample)
{
    for (size_t id = 0; id < l->launched * l->wg_size; id++) {
        cb_u32 expected = id < n * l->wg_size;
        if (!cb_sample_check(sample, l->items[id] == expected,
                             "global id %zu was had by %u work-items instead of %u", id,
                             l->items[id], expected))
            return;
    }
}

/* Time from the first participant's start to the last one's end, on the device clock. */
static double protocol_ns(const struct cb_discover_launch *l)
{
    cb_u64 first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < l->launched; i++) {
        const cb_discover_group *g = &l->groups[i];
        if (!g->participating)
            continue;
        first = g->start < first ? g->start : first;
        last = g->end > last ? g->end : last;
    }
    return last >= first ? (double)(last - first) * l->ns_per_tick : NAN;
}

/* Checks the ids of the workgroups themselves: those of their work-items could be right by another
 * way. */
static void check_unique(const struct cb_discover_launch *l, size_t n, struct cb_sample *sample)
{
    /* Native id + 1 of the workgroup that had each id. */
    size_t *had_by = calloc(n, sizeof *had_by);
    cb_sample_check(sample, had_by, "out of memory");
    for (size_t i = 0; had_by && i < l->launched; i++) {
        const cb_discover_group *g = &l->groups[i];
        if (!g->participating || g->group_id >= n)
            continue;
        size_t other = had_by[g->group_id];
        if (!cb_sample_check(sample, other == 0, "workgroups %zu and %zu both have id %u",
                             other - 1, i, g->group_id))
            break;
        had_by[g->group_id] = i + 1;
    }
    free(had_by);
}

static void check_order(const struct cb_discover_launch *l, struct cb_sample *sample)
{
    cb_u32 before = 0;
    for (size_t i = 0; l->native_order && i < l->launched; i++) {
        const cb_discover_group *g = &l->groups[i];
        if (!cb_sample_check(sample, !g->participating || g->group_id == before,
                             "workgroup %zu has id %u, but %u participants come before it", i,
                             g->group_id, before))
            return;
        before += g->participating != 0;
    }
}

/* Whether one of the participants before `id` is on the same unit. */
static bool is_unit_seen(const cb_u32 *units, size_t id)
{
    for (size_t i = 0; i < id; i++)
        if (units[i] == units[id])
            return true;
    return false;
}

/* units: compute unit of each participant, by id; 0: not known. */
static void add_places(const cb_u32 *units, size_t n, struct cb_sample *sample)
{
    size_t together = 0, of_first = 0;
    for (size_t id = 0; id < n; id++) {
        if (units[id] == 0)
            return;
        together += id + 1 < n && units[id] == units[id + 1];
        of_first += id < CB_DISCOVER_FIRST && !is_unit_seen(units, id);
    }
    if (n > 1)
        cb_sample_add(sample, "neighbours_together", (double)together / (double)(n - 1));
    if (n >= CB_DISCOVER_FIRST)
        cb_sample_add(sample, "units_of_first", (double)of_first);
}

static void find_places(const struct cb_discover_launch *l, size_t n, struct cb_sample *sample)
{
    cb_u32 *units = calloc(n, sizeof *units);
    cb_sample_check(sample, units, "out of memory");
    for (size_t i = 0; units && i < l->launched; i++)
        if (l->groups[i].participating && l->groups[i].group_id < n)
            units[l->groups[i].group_id] = l->groups[i].unit;
    if (units)
        add_places(units, n, sample);
    free(units);
}

void cb_discover_evaluate(const struct cb_discover_launch *l, struct cb_sample *sample)
{
    size_t n = count_participants(l);
    if (!cb_sample_check(sample, n > 0, "no workgroup participates"))
        return;
    check_unique(l, n, sample);
    for (size_t i = 0; i < l->launched; i++) {
        cb_sample_check(sample, l->groups[i].started, "workgroup %zu did not run", i);
        if (l->groups[i].participating)
            check_group(l, i, n, sample);
    }
    check_items(l, n, sample);
    check_order(l, sample);
    cb_sample_add(sample, "groups_found", (double)n);
    if (l->bound > 0) {
        cb_sample_check(sample, (double)n <= l->bound,
                        "found %zu participants, more than the occupancy bound of %.0f", n,
                        l->bound);
        cb_sample_add(sample, "recall", (double)n / l->bound);
    }
    if (l->ns_per_tick > 0)
        cb_sample_add(sample, "protocol_time", protocol_ns(l));
    find_places(l, n, sample);
}
