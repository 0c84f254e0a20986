/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/change_points.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/history/divisive.h"
#include "analysis/history/levels.h"
#include "measure/stats.h"

const struct cb_change_rules cb_change_rules = {
    .least = 3, .window = 50, .weak = 0.01, .alpha = 0.001, .smallest = 0};

/* A position that may be a change point, and what was found out of it and of the level before it,
 * as long as its neighbours stay. */
struct candidate {
    size_t at;
    double p;
    bool judged, seen; /* the levels, the persistence */
    struct cb_levels levels;
    struct cb_persistence before;
};

/* A search: values as they are looked at, and the points found so far, in order. */
struct search {
    const double *given;
    double *values;
    size_t n;
    const struct cb_change_rules *rules;
    struct candidate *points; /* after the last, one that is the end */
    size_t count;
    double persistence; /* within the levels that are left */
    bool failed;        /* no memory */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool known(const struct search *s, size_t at)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->points[i].at == at)
            return true;
    return false;
}

/* The first pass in [begin, end): the best split, if it is a weak point, and those to either side.
 * Returns the last point found, or begin. */
static size_t split(struct search *s, size_t begin, size_t end)
{
    struct cb_split best;
    const size_t least = s->rules->least;
    if (s->failed || end - begin < 2 * least)
        return begin;
    if (!cb_divisive_split(&s->values[begin], end - begin, least, &best)) {
        s->failed = true;
        return begin;
    }
    const size_t at = begin + best.at, to = begin + best.end;
    if (best.energy <= 0 ||
        cb_levels_weak_p(&s->values[begin], at - begin, &s->values[at], to - at) >= s->rules->weak)
        return begin;
    split(s, begin, at);
    if (!known(s, at))
        s->points[s->count++] = (struct candidate){.at = at};
    const size_t last = split(s, at, end);
    return last > at ? last : at;
}

static int by_place(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Windows that overlap, so that what is far away hides nothing. */
static void find_weak(struct search *s)
{
    const size_t window = s->rules->window;
    for (size_t begin = 0; begin < s->n && !s->failed;) {
        const size_t end = smaller(s->n, begin + window), last = split(s, begin, end);
        if (end == s->n)
            break;
        begin = last > begin + window / 2 ? last : begin + window / 2;
    }
    qsort(s->points, s->count, sizeof *s->points, by_place);
    s->points[s->count] = (struct candidate){.at = s->n};
}

static size_t begin_of(const struct search *s, size_t i)
{
    return i > 0 ? s->points[i - 1].at : 0;
}

static size_t end_of(const struct search *s, size_t i)
{
    return s->points[i + 1].at;
}

/* Moves a weak point to where the values are nearest to the medians of their levels: E-Divisive
 * means draws a position towards the middle, so that a few values of the old level may hide how
 * clear the new one is. (Bai, Econometric Theory 11, 1995, with medians that stay.) */
static void put_right(struct search *s, size_t i)
{
    const size_t at = s->points[i].at, least = s->rules->least, window = s->rules->window;
    const size_t before = smaller(at - begin_of(s, i), window);
    const size_t after = smaller(end_of(s, i) - at, window);
    const double from = cb_stats_of(&s->values[at - before], before).median;
    const double to = cb_stats_of(&s->values[at], after).median;
    const size_t begin = at - before, end = at + after;
    double far = 0, least_far = INFINITY; /* how far all are, but for a constant */
    for (size_t k = begin; k + least <= end && from != to; k++) {
        if (k >= begin + least && far < least_far) {
            least_far = far;
            s->points[i].at = k;
        }
        far += fabs(s->values[k] - from) - fabs(s->values[k] - to);
    }
}

static double change_at(const struct search *s, size_t i)
{
    const size_t begin = begin_of(s, i), at = s->points[i].at, end = end_of(s, i);
    const double from = cb_stats_of(&s->given[begin], at - begin).median;
    const double to = cb_stats_of(&s->given[at], end - at).median;
    return from == to ? 0 : from == 0 ? INFINITY : fabs(to / from - 1);
}

static double persistence_of(struct search *s)
{
    struct cb_persistence all = {0};
    for (size_t i = 0; i <= s->count; i++) {
        struct candidate *end = &s->points[i];
        const size_t begin = begin_of(s, i);
        if (!end->seen)
            end->before = cb_persistence_within(&s->values[begin], end->at - begin);
        end->seen = true;
        cb_persistence_add(&all, &end->before);
    }
    return cb_persistence_of(&all);
}

/* The p of a point between its neighbours, corrected for all positions where it could have been. Of
 * long levels only the values next to it count. */
static double p_of(struct search *s, size_t i)
{
    struct candidate *point = &s->points[i];
    const size_t at = point->at, least = s->rules->least, window = s->rules->window;
    const size_t before = smaller(at - begin_of(s, i), window);
    const size_t after = smaller(end_of(s, i) - at, window);
    if (before < least || after < least)
        return 1;
    if (!point->judged)
        point->levels = cb_levels_of(&s->values[at - before], before, &s->values[at], after);
    point->judged = true;
    const size_t positions = before + after + 1 - 2 * smaller(least, (before + after) / 2);
    const double p = cb_levels_p(&point->levels, s->persistence, positions);
    s->failed = s->failed || isnan(p);
    return p;
}

/* The point to be taken away first; count: none. */
static size_t weakest(struct search *s)
{
    size_t worst = s->count;
    s->persistence = persistence_of(s);
    for (size_t i = 0; i < s->count; i++) {
        struct candidate *point = &s->points[i];
        point->p = p_of(s, i);
        if (point->p >= s->rules->alpha && (worst == s->count || point->p > s->points[worst].p))
            worst = i;
    }
    for (size_t i = 0; i < s->count && worst == s->count; i++)
        if (change_at(s, i) < s->rules->smallest)
            worst = i;
    return worst;
}

static void take_away(struct search *s, size_t i)
{
    memmove(&s->points[i], &s->points[i + 1], (s->count - i) * sizeof *s->points);
    s->count--;
    s->points[i].seen = s->points[i].judged = false;
    if (i > 0)
        s->points[i - 1].judged = false;
}

/* As they are looked at: logarithms, if all are positive. */
static void take_values(struct search *s)
{
    bool positive = true;
    for (size_t i = 0; i < s->n; i++)
        positive = positive && s->given[i] > 0;
    for (size_t i = 0; i < s->n; i++)
        s->values[i] = positive ? log(s->given[i]) : s->given[i];
}

long cb_change_points(const double *values, size_t n, const struct cb_change_rules *rules,
                      struct cb_change_point *points)
{
    struct search s = {.given = values, .n = n, .rules = rules};
    s.values = malloc((n + 1) * sizeof *s.values);
    s.points = malloc((n + 1) * sizeof *s.points);
    s.failed = !s.values || !s.points;
    if (!s.failed) {
        take_values(&s);
        find_weak(&s);
        for (size_t i = 0; i < s.count && !s.failed; i++)
            put_right(&s, i);
    }
    for (size_t worst; !s.failed && (worst = weakest(&s)) < s.count;)
        take_away(&s, worst);
    for (size_t i = 0; i < s.count && !s.failed; i++)
        points[i] = (struct cb_change_point){s.points[i].at, s.points[i].p};
    free(s.points);
    free(s.values);
    return s.failed ? -1 : (long)s.count;
}
