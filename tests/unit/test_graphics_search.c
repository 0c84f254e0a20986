/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for the longest kernel that is not seen, with observers that are made up.
 */
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

#include "probes/graphics/analysis/impact.h"
#include "probes/graphics/analysis/search.h"

#define MS     1e6
#define PAIRS  12
#define FRAMES 9 /* of a window */

/* --- Observers -------------------------------------------------------------------------------- */

/* Sees what is longer than the limit. */
struct observer {
    double limit;
    unsigned fails; /* the number of the try that fails, from 1; 0: none */
    unsigned tries;
};

static enum cb_status look(void *self, double t, bool *seen, struct cb_err *err)
{
    struct observer *o = self;
    o->tries++;
    *seen = t > o->limit;
    return o->tries == o->fails ? cb_fail(err, CB_CRASHED, "the renderer has gone") : CB_OK;
}

static struct cb_search search_of(void *self)
{
    return (struct cb_search){0.1 * MS, 100 * MS, 0.05, self, look};
}

static struct cb_search_result result_of(struct observer *o)
{
    const struct cb_search search = search_of(o);
    struct cb_search_result result;
    struct cb_err err;
    assert_int_equal(cb_search(&search, &result, &err), CB_OK);
    assert_int_equal(result.tries, o->tries);
    assert_in_range(result.tries, 1, cb_search_tries(&search));
    return result;
}

/* --- Kernels that are seen or not ------------------------------------------------------------- */

TEST(finds_any_limit)
{
    for (double limit = 0.1 * MS; limit < 100 * MS; limit *= 1.013) {
        struct observer o = {.limit = limit};
        struct cb_search_result r = result_of(&o);
        assert_true(r.unseen <= limit && limit < r.seen);
        assert_true(r.seen <= r.unseen * 1.05 * (1 + 1e-9));
        assert_true(r.before < r.unseen && (r.before > 0 || r.unseen == 0.1 * MS));
    }
}

TEST(even_the_least_is_seen)
{
    struct observer o = {.limit = 0.09 * MS};
    struct cb_search_result r = result_of(&o);
    assert_true(r.unseen == 0 && r.seen == 0.1 * MS);
    assert_int_equal(r.tries, 1);
}

TEST(not_even_the_most_is_seen)
{
    struct observer o = {.limit = 101 * MS};
    struct cb_search_result r = result_of(&o);
    assert_true(r.unseen == 100 * MS && r.seen == 0 && r.before == 0.1 * MS * 256);
}

TEST(one_kernel)
{
    struct observer o = {.limit = 7 * MS};
    struct cb_search search = search_of(&o);
    struct cb_search_result r;
    struct cb_err err;
    search.least = search.most = 5 * MS;
    assert_int_equal(cb_search(&search, &r, &err), CB_OK);
    assert_true(r.unseen == 5 * MS && r.seen == 0);
}

TEST(failure_ends_it)
{
    for (unsigned fails = 1; fails < 8; fails++) {
        struct observer o = {.limit = 3 * MS, .fails = fails};
        const struct cb_search search = search_of(&o);
        struct cb_search_result r;
        struct cb_err err;
        assert_int_equal(cb_search(&search, &r, &err), CB_CRASHED);
        assert_string_equal(err.text, "the renderer has gone");
        assert_int_equal(o.tries, fails);
    }
}

/* --- Frames ----------------------------------------------------------------------------------- */

/* A display whose frames wait for the kernel that runs when they are due, and a machine whose
 * frames are late now and then without any. */
struct display {
    struct cb_random random;
    double draw_ns, hiccups; /* time of a frame; share of those that take twice the period */
};

static struct cb_frames draw(struct display *d, double t)
{
    struct cb_frames frames = {0};
    for (int i = 0; i < FRAMES; i++) {
        double time =
            d->draw_ns * (1 + 0.05 * random_share(&d->random)) + t * random_share(&d->random);
        if (random_share(&d->random) < d->hiccups)
            time += 33 * MS;
        assert_true(cb_frames_add(&frames, &time, 1, 1));
    }
    return frames;
}

static enum cb_status watch(void *self, double t, bool *seen, struct cb_err *err)
{
    struct display *d = self;
    const struct cb_criterion criterion = {true, true, 0.83 * MS, 16.7 * MS, 0.01, 1};
    struct cb_pair pairs[PAIRS];
    (void)err;
    for (int i = 0; i < PAIRS; i++)
        pairs[i] = (struct cb_pair){draw(d, 0), draw(d, t)};
    *seen = cb_impact_of(pairs, PAIRS, 1.05 * d->draw_ns, &criterion).seen;
    for (int i = 0; i < PAIRS; i++) {
        cb_frames_free(&pairs[i].alone);
        cb_frames_free(&pairs[i].with);
    }
    return CB_OK;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Most of 100 searches find the same t within 10 %, with 1 % of the frames late by themselves. */
TEST(repeats)
{
    double t[100];
    int near = 0;
    for (int i = 0; i < 100; i++) {
        struct display d = {{(uint64_t)i + 1}, 4 * MS, 0.01};
        struct cb_search search = search_of(&d);
        struct cb_search_result r;
        struct cb_err err;
        search.try = watch;
        assert_int_equal(cb_search(&search, &r, &err), CB_OK);
        t[i] = r.unseen;
    }
    qsort(t, 100, sizeof *t, by_value);
    for (int i = 0; i < 100; i++)
        near += fabs(t[i] / t[50] - 1) <= 0.1;
    print_message("t: %.3g ms, from %.3g to %.3g ms, %d of 100 within 10 %%\n", t[50] / MS,
                  t[0] / MS, t[99] / MS, near);
    assert_in_range(near, 60, 100);
    assert_true(t[50] > 0.83 * MS && t[50] < 1.2 * MS);
}
