/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of a wrong result, or a crash, where the kernel is the user's.
 */
#define BENCH "multitask"
#include "findings_fixture.h"

#include "apps/host/user.h"

#define CAUSE                                                                                      \
    " The likeliest cause is your kernel, or its setup: an index out of bounds, a race between "   \
    "workgroups, something that it changes and does not initialise (it is run again and again). "  \
    "`coopbench selftest --gpu` runs kernels that are known to be right on this device.\n"

static void users_kernels_are_suspected_first(void **unused)
{
    (void)unused;
    static const char *const params[] = {
        "\"app\": \"ring\", \"input\": \"./ring.json\"",
        "\"app\": \"bfs\", \"input\": \"grid:9x9\", \"task\": \"blur.json\"",
        "\"app\": \"bfs\", \"input\": \"grid:9x9\", \"beside_input\": \"/home/me/ring.json\"",
    };
    for (size_t i = 0; i < CB_COUNTOF(params); i++) {
        cJSON *run = new_run();
        add_case(run, "a", "verify_failed", params[i]);
        add_case(run, "b", "crashed", params[i]);
        assert_findings(
            run, "verify_failed: 1 of 2 cases gave a wrong result: multitask/a: because." CAUSE
                 "crashed: 1 of 2 cases crashed: multitask/b: because." CAUSE);
    }
}

static void ours_are_not_the_users(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add_case(run, "b", "crashed", "\"app\": \"bfs\", \"input\": \"/home/me/a.gr\"");
    assert_findings(run, "crashed: 1 of 1 case crashed: multitask/b: because.\n");
}

static void all_that_run_them_know_it(void **unused)
{
    (void)unused;
    static const char *const benches[] = {"apps", "multitask", "preempt", "selftest", "throttle"};
    for (size_t i = 0; i < CB_COUNTOF(benches); i++)
        assert_ptr_equal(cb_bench_find(benches[i])->is_users, cb_user_case_is);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_kernels_are_suspected_first),
        cmocka_unit_test(ours_are_not_the_users),
        cmocka_unit_test(all_that_run_them_know_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
