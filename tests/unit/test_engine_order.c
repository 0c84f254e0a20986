/* SPDX-License-Identifier: Apache-2.0 */

#include <stdio.h>
#include <string.h>

#include "measure/engine.h"
#include "tests/unit/unit.h"

static struct cb_plan plan;

static int teardown(void **unused)
{
    (void)unused;
    cb_plan_free(&plan);
    return 0;
}

static const struct cb_bench fake = {.id = "fake"}, other_fake = {.id = "other"};

static void add(const char *id, int needs)
{
    static const struct cb_device device = {.id = "name:fake"};
    plan.bench = &fake;
    plan.device = &device;
    cb_plan_add(&plan, "%s", id)->needs = needs;
}

#define N_ORDERED 40

/* Fours: the first stands alone, the others need the first, the first, the third. */
static void add_fours(void)
{
    for (int i = 0; i < N_ORDERED; i++) {
        char id[8];
        snprintf(id, sizeof id, "%d", i);
        add(id, i % 4 == 0 ? -1 : i % 4 == 3 ? i - 1 : i - i % 4);
    }
}

static void order_by(uint64_t seed, int *places)
{
    cb_engine_order(&plan, CB_ORDER_RANDOM, seed, places);
}

static void check_order(const int *places)
{
    bool placed[N_ORDERED] = {false};
    for (int i = 0; i < N_ORDERED; i++) {
        assert_in_range(places[i], 0, N_ORDERED - 1);
        assert_false(placed[places[i]]);
        placed[places[i]] = true;
        int needs = plan.cases[places[i]].needs;
        assert_true(needs < 0 || placed[needs]);
    }
}

TEST_WITH(random_order, NULL, teardown)
{
    int places[N_ORDERED], again[N_ORDERED], other[N_ORDERED];
    add_fours();
    for (uint64_t seed = 0; seed < 100; seed++) {
        order_by(seed, places);
        check_order(places);
        order_by(seed, again);
        assert_memory_equal(places, again, sizeof places);
        order_by(seed + 1, other);
        assert_memory_not_equal(places, other, sizeof places);
    }
}

TEST_WITH(every_case_may_be_first, NULL, teardown)
{
    int places[5];
    unsigned first[5] = {0};
    for (int i = 0; i < 5; i++)
        add((const char *[]){"a", "b", "c", "d", "e"}[i], -1);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        order_by(seed, places);
        first[places[0]]++;
    }
    for (int i = 0; i < 5; i++)
        assert_in_range(first[i], 140, 260); /* 200 +- 4.7 standard deviations */
}

TEST_WITH(listed_order, NULL, teardown)
{
    int places[N_ORDERED];
    add_fours();
    cb_engine_order(&plan, CB_ORDER_LISTED, 5, places);
    for (int i = 0; i < N_ORDERED; i++)
        assert_int_equal(places[i], i);
}

/* One that stands alone, then three together, of which the first needs it. */
static void add_groups(void)
{
    for (int i = 0; i < N_ORDERED; i++) {
        char id[8];
        snprintf(id, sizeof id, "%d", i);
        add(id, i % 4 == 1 ? i - 1 : -1);
        if (i % 4 == 1)
            plan.groups++;
        plan.cases[i].group = i % 4 == 0 ? 0 : plan.groups;
    }
}

TEST_WITH(groups_stay_together, NULL, teardown)
{
    int places[N_ORDERED];
    bool first[N_ORDERED] = {false};
    add_groups();
    for (uint64_t seed = 0; seed < 200; seed++) {
        order_by(seed, places);
        check_order(places);
        first[places[0]] = true;
        for (int i = 0; i < N_ORDERED; i += 4) /* what a group needs comes just before it */
            for (int k = 0; k < 4; k++)
                assert_int_equal(places[i + k], places[i] + k);
    }
    for (int i = 0; i < N_ORDERED; i++)
        assert_true(first[i] == (i % 4 == 0));
}

/* Fours of which each is a batch; the last of a four needs the first. */
TEST_WITH(batches_are_not_left_before_their_end, NULL, teardown)
{
    int places[N_ORDERED], other[N_ORDERED];
    bool shuffled = false;
    for (int i = 0; i < N_ORDERED; i++) {
        add((char[]){(char)('0' + i), '\0'}, i % 4 == 3 ? i - 3 : -1);
        plan.cases[i].batch = 1 + i / 4;
    }
    for (uint64_t seed = 0; seed < 200; seed++) {
        order_by(seed, places);
        check_order(places);
        for (int i = 0; i < N_ORDERED; i++)
            assert_int_equal(places[i] / 4, places[i - i % 4] / 4);
        order_by(seed + 1, other);
        for (int i = 0; i < 4; i++) /* within a batch, too */
            shuffled = shuffled || places[i] % 4 != other[i] % 4;
    }
    assert_true(shuffled);
}

/* Four and four by turns; the last of a four needs the first. */
TEST_WITH(benches_come_as_in_the_plan, NULL, teardown)
{
    int places[N_ORDERED], other[N_ORDERED];
    bool shuffled[2] = {false, false};
    for (int i = 0; i < N_ORDERED; i++) {
        add((char[]){(char)('0' + i), '\0'}, i % 4 == 3 ? i - 3 : -1);
        plan.cases[i].bench = i / 4 % 2 ? &other_fake : &fake;
    }
    for (uint64_t seed = 0; seed < 200; seed++) {
        order_by(seed, places);
        check_order(places);
        for (int i = 0; i < N_ORDERED; i++)
            assert_true((plan.cases[places[i]].bench == &fake) == (i < N_ORDERED / 2));
        order_by(seed + 1, other);
        for (int i = 0; i < N_ORDERED; i++)
            shuffled[i / (N_ORDERED / 2)] |= places[i] != other[i];
    }
    assert_true(shuffled[0] && shuffled[1]);
}

TEST_WITH(ends_of_groups, NULL, teardown)
{
    add_groups();
    assert_int_equal(cb_group_end(&plan, 0), 1);
    assert_int_equal(cb_group_end(&plan, 1), 4);
    assert_int_equal(cb_group_end(&plan, 2), 4);
    assert_int_equal(cb_group_end(&plan, N_ORDERED - 1), N_ORDERED);
}
