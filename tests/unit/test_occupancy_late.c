/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for the occupancy bound, on made-up devices where some barriers are passed late: since
 * others have the device in turns, or by themselves.
 */
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/host/text.h"
#include "runtime/occupancy.h"

#define LIMIT         (1u << 20)
#define CONFIRMATIONS 3
#define US            1000u
#define MS            1000000u
#define TURN_NS       (2500 * US) /* of another program */
#define SEEDS         1000
#define FOR_ONE       64 /* more barriers at most, of one workgroup, for a slow kernel */

struct device {
    uint64_t bound;
    uint64_t by_swapping; /* so many pass at most */
    uint64_t limit;
    uint64_t guess;
    /* How long a pass takes. Over the bound, only what takes a turn or longer is one if deadlocks
     * is set: no turn of another program came in between. */
    uint64_t (*ns)(const struct device *d, uint64_t groups);
    bool deadlocks;
    unsigned calls;
    uint64_t last; /* number of workgroups before */
};

static enum cb_status barrier(void *self, uint64_t groups, struct cb_occupancy_meeting *meeting,
                              struct cb_err *err)
{
    struct device *d = self;
    meeting->ns = d->ns(d, groups);
    d->calls++;
    d->last = groups;
    if (groups <= d->bound ||
        (groups <= d->by_swapping && (!d->deadlocks || meeting->ns >= TURN_NS)))
        return CB_OK;
    meeting->arrived = d->bound;
    return cb_fail(err, CB_TIMEOUT, "deadlock");
}

static enum cb_status search(struct device d, struct cb_occupancy *out, struct cb_err *err)
{
    const struct cb_occupancy_probe probe = {&d, barrier, d.guess};
    *err = (struct cb_err){CB_OK, ""};
    return cb_occupancy_search(&probe, d.limit ? d.limit : LIMIT, CONFIRMATIONS, out, err);
}

static struct cb_occupancy finds(struct device d, uint64_t bound)
{
    struct cb_occupancy out;
    struct cb_err err;
    if (search(d, &out, &err) != CB_OK)
        fail_msg("bound %" PRIu64 ": %s", bound, err.text);
    if (out.bound != bound)
        fail_msg("found %" PRIu64 " instead of %" PRIu64, out.bound, bound);
    return out;
}

static uint64_t random_ns(uint64_t least, uint64_t most)
{
    return least + cb_random_next(&dice) % (most - least);
}

/* --- Quiet devices ---------------------------------------------------------------------------- */

static const uint64_t bounds[] = {1, 7, 264, 4224, 65535};

static uint64_t no_time(const struct device *d, uint64_t groups)
{
    (void)d;
    (void)groups;
    return 0;
}

static uint64_t short_time(const struct device *d, uint64_t groups)
{
    (void)d;
    (void)groups;
    return random_ns(20 * US, 180 * US);
}

TEST(a_quiet_device_is_asked_no_more_often)
{
    for (size_t i = 0; i < CB_COUNTOF(bounds); i++) {
        const struct cb_occupancy cpu = finds((struct device){bounds[i], .ns = no_time}, bounds[i]);
        const struct cb_occupancy out =
            finds((struct device){bounds[i], .ns = short_time}, bounds[i]);
        assert_int_equal(out.probes, cpu.probes);
        assert_int_equal(out.late, 0);
        assert_false(out.more_pass_late);
        assert_int_equal(out.one_ns, 0);
    }
}

static uint64_t just_late(const struct device *d, uint64_t groups)
{
    (void)d;
    (void)groups;
    return 201 * US;
}

static uint64_t ten_ms(const struct device *d, uint64_t groups)
{
    (void)groups;
    return d->calls == 0 ? 11 * MS : 10 * MS;
}

/* It may be the kernel's way, so that only one workgroup is tried again, for no long time. */
TEST(a_slow_kernel)
{
    for (size_t i = 0; i < CB_COUNTOF(bounds); i++) {
        const struct cb_occupancy cpu = finds((struct device){bounds[i], .ns = no_time}, bounds[i]);
        struct cb_occupancy out = finds((struct device){bounds[i], .ns = just_late}, bounds[i]);
        assert_in_range(out.probes, cpu.probes, cpu.probes + FOR_ONE);
        out = finds((struct device){bounds[i], .ns = ten_ms}, bounds[i]);
        assert_in_range(out.probes, cpu.probes, cpu.probes + 20);
        assert_int_equal(out.one_ns, 10 * MS);
        assert_int_equal(out.late, 0);
        assert_false(out.more_pass_late);
    }
}

static uint64_t late_from_half_on(const struct device *d, uint64_t groups)
{
    return groups > d->bound / 2 ? MS : 20 * US;
}

/* Nobody knows whether they run at once: the number is what is known to. */
TEST(more_pass_late)
{
    for (uint64_t guess = 0; guess <= 2112; guess += 2112) {
        const struct cb_occupancy out =
            finds((struct device){.bound = 4224, .guess = guess, .ns = late_from_half_on}, 2112);
        assert_true(out.more_pass_late);
        assert_int_equal(out.one_ns, 0);
        assert_in_range(out.late, 64, 150); /* before the search settles for it */
    }
}

static uint64_t cubic(const struct device *d, uint64_t groups)
{
    (void)d;
    return 100 * groups * groups * groups;
}

/* A barrier that all contend for: each number is late by what fewer took, but not by its own. */
TEST(time_grows_fast)
{
    const struct cb_occupancy out = finds((struct device){.bound = 4224, .ns = cubic}, 4224);
    assert_false(out.more_pass_late);
    assert_in_range(out.probes, 20, 400);
}

/* --- Beside others ---------------------------------------------------------------------------- */

static uint64_t four_of_five_lose_a_turn(const struct device *d, uint64_t groups)
{
    (void)d;
    (void)groups;
    const uint64_t ns = random_ns(20 * US, 60 * US);
    return cb_random_next(&dice) % 5 > 0 ? ns + TURN_NS : ns;
}

/* As an H200 is beside matrix products. */
TEST(turns_of_others)
{
    static const uint64_t numbers[] = {264, 528, 1056, 2112, 4224}, guesses[] = {0, 264, 924, 4224};
    const uint64_t first = cb_random_next(&dice);
    unsigned wrong = 0;
    for (uint64_t seed = first; seed < first + SEEDS; seed++) {
        const struct device d = {.bound = numbers[seed % CB_COUNTOF(numbers)],
                                 .by_swapping = LIMIT,
                                 .guess = guesses[seed / 5 % CB_COUNTOF(guesses)],
                                 .ns = four_of_five_lose_a_turn,
                                 .deadlocks = true};
        struct cb_occupancy out;
        struct cb_err err;
        dice.state = seed;
        if (search(d, &out, &err) == CB_OK && out.bound == d.bound && out.late > 0)
            continue;
        print_message("COOPBENCH_TEST_SEED %" PRIu64 ": %" PRIu64 " of %" PRIu64 " %s\n", seed,
                      out.bound, d.bound, err.text);
        wrong++;
    }
    assert_in_range(wrong, 0, SEEDS / 100);
}

static uint64_t swapped_over_bound(const struct device *d, uint64_t groups)
{
    return d->calls == 0 ? 50 * MS : groups > d->bound ? 1500 * US : 20 * US;
}

/* The first launch takes long for reasons of its own. */
TEST(a_slow_first_pass)
{
    for (uint64_t bound = 1; bound <= 264; bound += 263) {
        const struct cb_occupancy out = finds(
            (struct device){.bound = bound, .by_swapping = 924, .ns = swapped_over_bound}, bound);
        assert_true(out.more_pass_late);
        assert_int_equal(out.one_ns, 0);
    }
}

static uint64_t all_swapped(const struct device *d, uint64_t groups)
{
    (void)d;
    (void)groups;
    return random_ns(2 * MS, 4 * MS);
}

/* Not told from a slow kernel: so the result says how long one workgroup took. */
TEST(others_at_every_look)
{
    struct device d = {.bound = 264, .by_swapping = 924, .ns = all_swapped};
    struct cb_occupancy out = finds(d, 924);
    assert_in_range(out.one_ns, 2 * MS, 4 * MS);
    struct cb_err err;
    d.by_swapping = d.limit = 5000;
    assert_int_equal(search(d, &out, &err), CB_UNSUPPORTED);
    assert_non_null(strstr(err.text, "even 5000 workgroups pass a barrier, but one takes 2"));
}

TEST(no_bound_beside_others)
{
    struct cb_occupancy out;
    struct cb_err err;
    const struct device d = {.bound = LIMIT, .limit = 64, .ns = four_of_five_lose_a_turn};
    assert_int_equal(search(d, &out, &err), CB_UNSUPPORTED);
    assert_string_equal(err.text, "no occupancy bound: even 64 workgroups pass a barrier");
}

/* --- What is compared with -------------------------------------------------------------------- */

/* One passes in 20 us, and in 180 us when it is confirmed: two that pass in 800 us are late. */
static uint64_t slow_at_last(const struct device *d, uint64_t groups)
{
    return groups > 1 ? 800 * US : d->calls < 6 ? 20 * US : 180 * US;
}

TEST(the_shortest_pass_is_compared_with)
{
    finds((struct device){.bound = 1, .by_swapping = 2, .ns = slow_at_last}, 1);
}

/* The bound itself is in time only when other numbers came before. */
static uint64_t late_again(const struct device *d, uint64_t groups)
{
    return groups == d->bound && d->last == groups ? TURN_NS : 20 * US;
}

TEST(late_ones_are_not_called_deadlocks)
{
    struct cb_occupancy out;
    struct cb_err err;
    assert_int_equal(search((struct device){.bound = 8, .ns = late_again}, &out, &err), CB_ERROR);
    assert_string_equal(err.text, "8 workgroups passed a barrier in time and then only late: "
                                  "somebody else may use the device");
}

ALL_TESTS(seed_random, NULL)
