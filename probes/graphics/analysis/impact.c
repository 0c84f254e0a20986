/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/analysis/impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"

/* ---- Frames ---------------------------------------------------------------------------------- */

bool cb_frames_add(struct cb_frames *to, const double *times, size_t n, double slots)
{
    if (to->n + n > to->room) {
        size_t room = 2 * (to->n + n);
        double *grown = realloc(to->times, room * sizeof *grown);
        if (!grown)
            return false;
        to->times = grown;
        to->room = room;
    }
    if (n > 0)
        memcpy(to->times + to->n, times, n * sizeof *times);
    to->n += n;
    to->slots += slots;
    return true;
}

void cb_frames_free(struct cb_frames *frames)
{
    free(frames->times);
    *frames = (struct cb_frames){0};
}

double cb_frames_late(const struct cb_frames *f, double limit_ns)
{
    double in_time = 0;
    for (size_t i = 0; i < f->n; i++)
        in_time += f->times[i] <= limit_ns;
    return fmax(0, f->slots - in_time);
}

double cb_frames_quantile(const struct cb_frames *f, double q)
{
    double *sorted = f->n ? malloc(f->n * sizeof *sorted) : NULL;
    if (!sorted)
        return NAN;
    memcpy(sorted, f->times, f->n * sizeof *sorted);
    qsort(sorted, f->n, sizeof *sorted, cb_compare_doubles);
    double value = cb_quantile(sorted, f->n, q);
    free(sorted);
    return value;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

struct cb_pair *cb_pairs_grow(struct cb_pairs *pairs)
{
    struct cb_pair *grown = realloc(pairs->items, (pairs->n + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    pairs->items = grown;
    grown[pairs->n] = (struct cb_pair){0};
    return &grown[pairs->n++];
}

void cb_pairs_free(struct cb_pairs *pairs)
{
    for (size_t i = 0; i < pairs->n; i++) {
        cb_frames_free(&pairs->items[i].alone);
        cb_frames_free(&pairs->items[i].with);
    }
    free(pairs->items);
    *pairs = (struct cb_pairs){0};
}

bool cb_pairs_gather(const struct cb_pairs *pairs, bool with, struct cb_frames *all)
{
    bool kept = true;
    for (size_t i = 0; i < pairs->n; i++) {
        const struct cb_frames *f = with ? &pairs->items[i].with : &pairs->items[i].alone;
        kept = kept && cb_frames_add(all, f->times, f->n, f->slots);
    }
    return kept;
}

/* ---- The test -------------------------------------------------------------------------------- */

/* Late frames with the kernel and without, and the test of their difference. */
struct comparison {
    double share_alone, share_with, p_value;
};

/* The share of all ways to swap pairs in which the differences add up to their sum as it is, or to
 * more. Swapping turns the sign of a difference: chances[most + s] is the share of those with the
 * sum s, pair after pair. */
static double p_value(const long *differences, size_t n)
{
    long sum = 0, most = 0;
    double above = 0;
    for (size_t i = 0; i < n; i++) {
        sum += differences[i];
        most += labs(differences[i]);
    }
    size_t room = 2 * (size_t)most + 1;
    double *chances = calloc(2 * room, sizeof *chances), *next = chances + room;
    if (!chances)
        return 1;
    chances[most] = 1;
    for (size_t i = 0; i < n; i++) {
        long d = labs(differences[i]);
        for (long s = 0; s < (long)room; s++)
            next[s] =
                ((s >= d ? chances[s - d] : 0) + (s + d < (long)room ? chances[s + d] : 0)) / 2;
        memcpy(chances, next, room * sizeof *chances);
    }
    for (long s = sum; s <= most; s++)
        above += chances[most + s];
    free(chances);
    return above;
}

static struct comparison compare_late(const struct cb_pair *pairs, size_t n, double limit_ns)
{
    struct comparison c = {0, 0, 1};
    double slots_alone = 0, slots_with = 0;
    long *differences = calloc(n, sizeof *differences);
    for (size_t i = 0; i < n && differences; i++) {
        double alone = cb_frames_late(&pairs[i].alone, limit_ns);
        double with = cb_frames_late(&pairs[i].with, limit_ns);
        differences[i] = lround(with - alone);
        c.share_alone += alone;
        c.share_with += with;
        slots_alone += pairs[i].alone.slots;
        slots_with += pairs[i].with.slots;
    }
    c.share_alone /= slots_alone;
    c.share_with /= slots_with;
    if (differences)
        c.p_value = p_value(differences, n);
    free(differences);
    return c;
}

/* In how many tests the level is shared out (Bonferroni). */
static double tests_of(const struct cb_criterion *c)
{
    return (c->p99 + c->missed) * (double)c->looks;
}

struct cb_impact cb_impact_of(const struct cb_pair *pairs, size_t n, double p99_ns,
                              const struct cb_criterion *c)
{
    const struct comparison late = compare_late(pairs, n, p99_ns + c->margin_ns);
    const struct comparison missed = compare_late(pairs, n, c->period_ns);
    struct cb_impact impact = {
        late.share_alone, late.share_with, missed.share_alone, missed.share_with, 0, 1, false};
    if (c->p99) {
        impact.rise = late.share_with - late.share_alone;
        impact.p_value = late.p_value;
    }
    if (c->missed) {
        impact.rise = fmax(impact.rise, missed.share_with - missed.share_alone);
        impact.p_value = fmin(impact.p_value, missed.p_value);
    }
    impact.p_value = fmin(1, impact.p_value * tests_of(c));
    impact.seen = impact.p_value <= c->level;
    return impact;
}

unsigned cb_impact_least_pairs(const struct cb_criterion *c)
{
    unsigned pairs = 1;
    while (pairs < 32 && ldexp(tests_of(c), -(int)pairs) > c->level)
        pairs++;
    return pairs;
}
