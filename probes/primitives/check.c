/* SPDX-License-Identifier: Apache-2.0
 *
 * What has to be true after a launch. The kernels count what their work-items saw and should not
 * have seen; here are the sums.
 */
#include "probes/primitives/primitives.h"

#include <stdlib.h>

static void check_operations(const struct cb_primitives *p, int kernel, struct cb_sample *sample)
{
    for (size_t i = 0; i < p->launched; i++) {
        const cb_primitive_group *g = &p->groups[i];
        bool timed_out = p->budget > 0 && kernel == CB_TIMED && g->operations > 0;
        cb_sample_check(sample, timed_out || g->operations == p->operations[kernel],
                        "workgroup %zu has done %u operations instead of %u", i, g->operations,
                        p->operations[kernel]);
    }
}

/* No increment of a section was lost: mutual exclusion, and each holder saw the one before. */
static void check_section(const struct cb_primitives *p, struct cb_sample *sample)
{
    cb_u32 expected = 0;
    for (size_t i = 0; i < p->launched; i++)
        expected += p->groups[i].operations * p->section;
    cb_sample_check(sample, p->counted == expected,
                    "the plain counter of the critical section is %u instead of %u", p->counted,
                    expected);
}

static const char *const seen_wrongly[] = {
    [CB_KIND_BARRIER] = "after a barrier, work-items of workgroup %zu read %u words of another "
                        "phase",
    [CB_KIND_MUTEX] = "holding the mutex, work-items of workgroup %zu read %u words that were not "
                      "the last holder's",
    [CB_KIND_QUEUE] = "after dequeueing, workgroup %zu read %u words older than what came in",
    [CB_KIND_SEMAPHORE] = "inside the semaphore, workgroup %zu saw %u things that were wrong: more "
                          "inside than its value, or words older than the posts that let it in",
};

static void check_seen(const struct cb_primitives *p, struct cb_sample *sample)
{
    for (size_t i = 0; i < p->launched; i++)
        if (p->groups[i].errors > 0)
            cb_sample_check(sample, false, seen_wrongly[p->kind], i, p->groups[i].errors);
}

/* Each work-item's word ends with the number of times that its place was written. */
static void check_items(const struct cb_primitives *p, struct cb_sample *sample)
{
    cb_u32 rounds = p->operations[CB_CHECKED];
    cb_u32 expected = p->kind == CB_KIND_MUTEX ? (cb_u32)p->launched * rounds : rounds;
    for (size_t i = 0; i < p->wg_size; i++) {
        cb_u32 value = p->values[CB_DATA_ITEMS + i];
        cb_sample_check(sample, value == expected,
                        "in the end, word %zu of the critical section is %u instead of %u", i,
                        value, expected);
    }
}

/* Each element came out once, and those of a workgroup in the order in which it put them in. */
static void check_order(const struct cb_primitives *p, struct cb_sample *sample)
{
    cb_u32 rounds = p->operations[CB_CHECKED];
    size_t givers = (p->launched + 1) / 2, total = givers * rounds; /* as in queue.cl */
    cb_u32 *next = calloc(givers, sizeof *next);
    for (size_t i = 0; i < total && next; i++) {
        cb_u32 element = p->values[CB_DATA_ITEMS + i];
        size_t giver = element / rounds;
        bool right = giver < givers && element % rounds == next[giver];
        cb_sample_check(sample, right, "element %u came out as number %zu: out of order, or twice",
                        element, i);
        if (!right)
            break;
        next[giver]++;
    }
    cb_sample_check(sample, next, "out of memory");
    free(next);
}

void cb_primitives_check(const struct cb_primitives *p, int kernel, struct cb_sample *sample)
{
    if (p->relaunch && kernel == CB_TIMED) /* empty kernels */
        return;
    check_operations(p, kernel, sample);
    if (kernel == CB_TIMED && p->kind == CB_KIND_MUTEX)
        check_section(p, sample);
    if (kernel == CB_TIMED)
        return;
    check_seen(p, sample);
    if (p->kind == CB_KIND_QUEUE)
        check_order(p, sample);
    else if (p->kind != CB_KIND_BARRIER)
        check_items(p, sample);
}
