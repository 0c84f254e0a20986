/* SPDX-License-Identifier: Apache-2.0
 *
 * The order in which the engine takes the cases of a plan.
 */
#include <stdlib.h>

#include "measure/engine.h"
#include "measure/random.h"

static void shuffle(int *indices, int n, uint64_t seed)
{
    struct cb_random random = {seed};
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(cb_random_next(&random) % (uint64_t)(i + 1));
        int swapped = indices[i];
        indices[i] = indices[j];
        indices[j] = swapped;
    }
}

/* Brings the cases of a bench together, and of these what has the same beside it, as in the plan:
 * what is compared stays shuffled, the tables of a bench are finished before the next one begins,
 * and neighbours of ours begin and end once. */
static void gather_benches(const struct cb_plan *plan, const int *shuffled, bool *gathered,
                           int *indices)
{
    int n = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct cb_case *like = &plan->cases[i];
        for (int k = gathered[i] ? plan->count : 0; k < plan->count; k++)
            if (plan->cases[shuffled[k]].bench == like->bench &&
                plan->cases[shuffled[k]].beside == like->beside) {
                gathered[shuffled[k]] = true;
                indices[n++] = shuffled[k];
            }
    }
}

int cb_group_end(const struct cb_plan *plan, int i)
{
    int end = i + 1;
    while (plan->cases[i].group && end < plan->count &&
           plan->cases[end].group == plan->cases[i].group)
        end++;
    return end;
}

/* Appends the group of a case to the order, after the cases that it needs. */
static void place_group(const struct cb_plan *plan, int i, bool *placed, int *indices, int *n)
{
    int first = i, end = cb_group_end(plan, i);
    if (placed[i])
        return;
    while (first > 0 && cb_group_end(plan, first - 1) == end)
        first--;
    for (int k = first; k < end; k++)
        placed[k] = true;
    for (int k = first; k < end; k++)
        if (plan->cases[k].needs >= 0)
            place_group(plan, plan->cases[k].needs, placed, indices, n);
    for (int k = first; k < end; k++)
        indices[(*n)++] = k;
}

static bool is_needed(const struct cb_plan *plan, int i)
{
    for (int k = 0; k < plan->count; k++)
        if (plan->cases[k].needs == i)
            return true;
    return false;
}

/* A case brings the case that it needs. */
static void place_batch(const struct cb_plan *plan, const int *shuffled, int first, bool *placed,
                        int *indices, int *n)
{
    int batch = plan->cases[shuffled[first]].batch;
    for (int i = first; i < (batch ? plan->count : first + 1); i++)
        if (!placed[shuffled[i]] && plan->cases[shuffled[i]].batch == batch &&
            !is_needed(plan, shuffled[i]))
            place_group(plan, shuffled[i], placed, indices, n);
}

void cb_engine_order(const struct cb_plan *plan, enum cb_order order, uint64_t seed, int *indices)
{
    for (int i = 0; i < plan->count; i++)
        indices[i] = i;
    if (order == CB_ORDER_LISTED)
        return; /* always right: plans list what is needed first */
    size_t room = (size_t)plan->count + 1;
    int *shuffled = malloc(sizeof *shuffled * room), n = 0;
    bool *gathered = calloc(room, sizeof *gathered), *placed = calloc(room, sizeof *placed);
    if (shuffled && gathered && placed) {
        shuffle(indices, plan->count, seed);
        gather_benches(plan, indices, gathered, shuffled);
        for (int i = 0; i < plan->count; i++)
            place_batch(plan, shuffled, i, placed, indices, &n);
    }
    free(placed);
    free(gathered);
    free(shuffled);
}
