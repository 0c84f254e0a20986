/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for the occupancy bound, on made-up devices whose bound is known.
 */
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/occupancy.h"

#define LIMIT         (1u << 20)
#define CONFIRMATIONS 2
#define TURN_NS       400000 /* of another program, a short one */

struct device {
    uint64_t bound;
    uint64_t limit;
    uint64_t (*hint)(const struct device *d, uint64_t groups);
    unsigned passes, deadlocks; /* so far */
    unsigned change_after;      /* calls after which the bound is other_bound; 0: never */
    uint64_t other_bound;
    unsigned lies, asked;  /* so often one more than the bound passes, each second time */
    uint64_t broken;       /* number of workgroups that the driver fails on; 0: none */
    uint64_t guess;        /* that the search begins with; 0: none */
    uint64_t by_swapping;  /* so many pass where others have the device meanwhile */
    unsigned turns_end;    /* others have it in one of so many meetings, too; 0: in none */
    uint64_t ns_per_group; /* that a pass takes */
    uint64_t last;         /* number of workgroups that met */
};

/* --- The made-up device ----------------------------------------------------------------------- */

static enum cb_status barrier(void *self, uint64_t groups, struct cb_occupancy_meeting *meeting,
                              struct cb_err *err)
{
    struct device *d = self;
    unsigned calls = d->passes + d->deadlocks;
    uint64_t bound = d->change_after && calls >= d->change_after ? d->other_bound : d->bound;
    assert_in_range(groups, 1, d->limit);
    d->last = groups;
    if (groups == d->broken)
        return cb_fail(err, CB_CRASHED, "CL_OUT_OF_RESOURCES");
    bool lies = groups == bound + 1 && d->lies > 0 && d->asked++ % 2 == 0;
    d->lies -= lies;
    const bool late = (groups > bound && groups <= d->by_swapping) ||
                      (d->turns_end > 0 && cb_random_next(&dice) % d->turns_end == 0);
    meeting->ns = groups * d->ns_per_group + late * TURN_NS;
    if (groups <= bound || groups <= d->by_swapping || lies) {
        d->passes++;
        return CB_OK;
    }
    d->deadlocks++;
    meeting->arrived = d->hint(d, groups);
    return cb_fail(err, CB_TIMEOUT, "deadlock");
}

static uint64_t truth(const struct device *d, uint64_t groups)
{
    (void)groups;
    return d->bound;
}

static uint64_t nothing(const struct device *d, uint64_t groups)
{
    (void)d;
    (void)groups;
    return 0;
}

static uint64_t all(const struct device *d, uint64_t groups)
{
    (void)d;
    return groups;
}

static uint64_t one_less(const struct device *d, uint64_t groups)
{
    (void)groups;
    return d->bound - 1;
}

static uint64_t one_more(const struct device *d, uint64_t groups)
{
    (void)groups;
    return d->bound + 1;
}

static uint64_t nonsense(const struct device *d, uint64_t groups)
{
    (void)d;
    return cb_random_next(&dice) % (2 * groups);
}

static enum cb_status search(struct device *d, struct cb_occupancy *out, struct cb_err *err)
{
    const struct cb_occupancy_probe probe = {d, barrier, d->guess};
    if (!d->limit)
        d->limit = LIMIT;
    if (!d->hint)
        d->hint = truth;
    *err = (struct cb_err){CB_OK, ""};
    return cb_occupancy_search(&probe, d->limit, CONFIRMATIONS, out, err);
}

static struct cb_occupancy finds(uint64_t bound,
                                 uint64_t (*hint)(const struct device *d, uint64_t groups))
{
    struct device d = {.bound = bound, .hint = hint};
    struct cb_occupancy out;
    struct cb_err err;
    if (search(&d, &out, &err) != CB_OK)
        fail_msg("bound %" PRIu64 ": %s", bound, err.text);
    if (out.bound != bound)
        fail_msg("found %" PRIu64 " instead of %" PRIu64, out.bound, bound);
    assert_int_equal(out.deadlocks, d.deadlocks);
    assert_int_equal(out.probes, d.passes + d.deadlocks);
    return out;
}

static void refuses(struct device d, enum cb_status status, const char *text)
{
    struct cb_occupancy out;
    struct cb_err err;
    assert_int_equal(search(&d, &out, &err), status);
    assert_int_equal(err.status, status);
    if (!strstr(err.text, text))
        fail_msg("got \"%s\", expected \"%s\"", err.text, text);
}

/* --- Tests ------------------------------------------------------------------------------------ */

static const uint64_t bounds[] = {1, 2, 3, 7, 8, 9, 100, 4224, 65535};

TEST(truthful_hint)
{
    for (size_t i = 0; i < CB_COUNTOF(bounds); i++)
        assert_in_range(finds(bounds[i], truth).deadlocks, 2, 4);
    for (int i = 0; i < 1000; i++)
        assert_in_range(finds(1 + cb_random_next(&dice) % (LIMIT - 1), truth).deadlocks, 2, 4);
}

TEST(false_hints)
{
    static uint64_t (*const hints[])(const struct device *, uint64_t) = {nothing, all, one_less,
                                                                         one_more, nonsense};
    for (size_t h = 0; h < CB_COUNTOF(hints); h++) {
        for (size_t i = 0; i < CB_COUNTOF(bounds); i++)
            finds(bounds[i], hints[h]);
        for (int i = 0; i < 200; i++)
            finds(1 + cb_random_next(&dice) % (LIMIT - 1), hints[h]);
    }
}

TEST(bisection_is_short)
{
    for (int i = 0; i < 200; i++) /* 21 doublings, 20 halvings, and the confirmation */
        assert_in_range(finds(1 + cb_random_next(&dice) % (LIMIT - 1), nothing).probes, 1, 44);
}

TEST(result_is_confirmed)
{
    struct cb_occupancy out = finds(1, truth);
    assert_int_equal(out.probes, 2 + CONFIRMATIONS + 1); /* 1, 2; 1 again; 2 again */
    assert_int_equal(out.deadlocks, 2);
}

/* The bound of another kernel is a guess: one deadlock shows that it holds here, too. */
TEST(right_guess)
{
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        struct device d = {.bound = bounds[i], .guess = bounds[i]};
        struct cb_occupancy out;
        struct cb_err err;
        assert_int_equal(search(&d, &out, &err), CB_OK);
        assert_int_equal(out.bound, bounds[i]);
        assert_int_equal(out.deadlocks, 1);
        assert_in_range(out.probes, 2 + CONFIRMATIONS, 2 + CONFIRMATIONS + 16); /* and doublings */
    }
}

/* What an H200 did beside matrix products: 924 workgroups of 1024 passed, where 264 run at once. */
TEST(more_pass_beside_others)
{
    static const uint64_t guesses[] = {0, 1, 264, 924, 4224}, speeds[] = {0, 30, 100};
    for (size_t i = 0; i < CB_COUNTOF(guesses) * CB_COUNTOF(speeds) * 2; i++) {
        struct device d = {.bound = 264,
                           .by_swapping = 924,
                           .guess = guesses[i / 2 % CB_COUNTOF(guesses)],
                           .ns_per_group = speeds[i / 2 / CB_COUNTOF(guesses)],
                           .turns_end = i % 2 ? 0 : 1000};
        struct cb_occupancy out;
        struct cb_err err;
        assert_int_equal(search(&d, &out, &err), CB_OK);
        assert_int_equal(out.bound, 264);
        assert_in_range(out.late, 4, 150);
        assert_int_equal(out.deadlocks, d.deadlocks);
    }
}

/* A quiet device is believed however slow it is, and a slow pass now and then is tried again. */
TEST(slow_passes)
{
    for (size_t i = 0; i < CB_COUNTOF(bounds); i++) {
        struct device d = {.bound = bounds[i], .ns_per_group = 10000000, .turns_end = 10};
        struct cb_occupancy out;
        struct cb_err err;
        assert_int_equal(search(&d, &out, &err), CB_OK);
        assert_int_equal(out.bound, bounds[i]);
        assert_int_equal(out.late, 0);
        d = (struct device){.bound = bounds[i], .ns_per_group = 10, .turns_end = 100};
        assert_int_equal(search(&d, &out, &err), CB_OK);
        assert_int_equal(out.bound, bounds[i]);
    }
}

/* It only costs a barrier or two, and the result is confirmed as without it. */
TEST(wrong_guesses)
{
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
            struct device d = {.bound = bounds[i], .guess = bounds[k]};
            struct cb_occupancy out;
            struct cb_err err;
            assert_int_equal(search(&d, &out, &err), CB_OK);
            assert_int_equal(out.bound, bounds[i]);
            assert_in_range(out.deadlocks, i == k ? 1 : 2, 3);
        }
}

/* More than can be launched, or what breaks off within. */
TEST(guesses_over_the_limit)
{
    struct device d = {.bound = 7, .limit = 10, .guess = 100};
    struct cb_occupancy out;
    struct cb_err err;
    assert_int_equal(search(&d, &out, &err), CB_OK);
    assert_int_equal(out.bound, 7);
    d = (struct device){.bound = 20, .limit = 10, .guess = 10};
    assert_int_equal(search(&d, &out, &err), CB_UNSUPPORTED);
}

TEST(limit)
{
    refuses((struct device){.bound = 100, .limit = 100}, CB_UNSUPPORTED,
            "no occupancy bound: even 100 workgroups pass a barrier");
    refuses((struct device){.bound = 1000, .limit = 64}, CB_UNSUPPORTED, "even 64 workgroups");
    refuses((struct device){.bound = 1, .limit = 1}, CB_UNSUPPORTED, "even 1 workgroup passes");
    struct device d = {.bound = 99, .limit = 100};
    struct cb_occupancy out;
    struct cb_err err;
    assert_int_equal(search(&d, &out, &err), CB_OK);
    assert_int_equal(out.bound, 99);
}

TEST(not_even_one)
{
    refuses((struct device){.bound = 0}, CB_ERROR, "not even one workgroup passes a barrier");
}

/* The driver fails in the doubling, in the bisection, and in the confirmation. */
TEST(driver_error)
{
    static const uint64_t broken[] = {1, 64, 100, 101};
    for (size_t i = 0; i < CB_COUNTOF(broken); i++)
        refuses((struct device){.bound = 100, .broken = broken[i]}, CB_CRASHED,
                "workgroups: CL_OUT_OF_RESOURCES");
    refuses((struct device){.bound = 100, .broken = 64}, CB_CRASHED,
            "barrier across 64 workgroups: CL_OUT_OF_RESOURCES");
}

TEST(flaky_device)
{
    struct cb_occupancy out;
    struct cb_err err;
    /* 1, 2, 4, 8 pass; 16 and what lies between deadlock; then 8 deadlocks, too */
    struct device d = {.bound = 8, .change_after = 4, .other_bound = 4};
    assert_int_equal(search(&d, &out, &err), CB_OK);
    assert_int_equal(out.bound, 4);
    /* 1, 2, 4 pass, 8 deadlocks with 4, 5 deadlocks; then everything up to 1000 passes */
    d = (struct device){.bound = 4, .change_after = 5, .other_bound = 1000};
    assert_int_equal(search(&d, &out, &err), CB_OK);
    assert_int_equal(out.bound, 1000);
    /* once one more passes than run at once: with a guess, and without */
    for (uint64_t guess = 0; guess <= 100; guess += 100) {
        d = (struct device){.bound = 100, .lies = 1, .guess = guess};
        assert_int_equal(search(&d, &out, &err), CB_OK);
        assert_int_equal(out.bound, 100);
        assert_int_equal(d.last, 101); /* what contradicted itself is confirmed in full */
    }
    refuses(
        (struct device){.bound = 100, .lies = 1000}, CB_ERROR,
        "101 workgroups passed a barrier and then deadlocked: somebody else uses the device, or");
    refuses((struct device){.bound = 100, .lies = 1000, .asked = 1}, CB_ERROR,
            "101 workgroups deadlocked and then passed a barrier: somebody else uses the device");
}

ALL_TESTS(seed_random, NULL)
