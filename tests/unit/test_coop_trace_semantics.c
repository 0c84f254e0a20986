/* SPDX-License-Identifier: Apache-2.0
 *
 * The check of traces by the rules of other semantics than the paper's.
 */
#include "coop_trace_model.h"

/* ---- some: a fork brings back half of those that are missing --------------------------------- */

static void build_some(uint32_t second)
{
    reset(8);
    m.semantics = COOP_SOME;
    begin_run(3);
    fork_from(1, 3); /* of five */
    phase(1);
    kill_highest();
    barrier(1, 5);
    fork_from(0, second); /* of three */
    barrier(1, 4);
    end_run();
}

static void test_some(void **unused)
{
    (void)unused;
    for (uint32_t second = 1; second <= 2; second++) {
        build_some(second);
        accepts();
    }
}

/* The last that is missing may come back alone. */
static void test_some_of_one(void **unused)
{
    (void)unused;
    reset(2);
    m.semantics = COOP_SOME;
    begin_run(1);
    fork_from(0, 1);
    end_run();
    accepts();
}

static void test_some_forks_too_many(void **unused)
{
    (void)unused;
    build_some(3);
    refuses("FORK", "workgroup 0 forked 3 of 3 that are missing: half of them at most");
    m.semantics = COOP_HIGHEST; /* where it may */
    accepts();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_some),
        cmocka_unit_test(test_some_of_one),
        cmocka_unit_test(test_some_forks_too_many),
    };
    return cmocka_run_group_tests(tests, seed_random, NULL);
}
