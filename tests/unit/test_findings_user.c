/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of a wrong result, or a crash, where the kernel is the user's.
 */
#define BENCH "multitask"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

#include "apps/host/user.h"

#define CAUSE                                                                                      \
    " The likeliest cause is your kernel, or its setup: an index out of bounds, a race between "   \
    "workgroups, something that it changes and does not initialise (it is run again and again). "  \
    "`coopbench selftest --gpu` runs kernels that are known to be right on this device.\n"

TEST(users_kernels_are_suspected_first)
{
    static const char *const params[] = {
        "app=ring input=./ring.json",
        "app=bfs input=grid:9x9 task=blur.json",
        "app=bfs input=grid:9x9 beside_input=/home/me/ring.json",
    };
    for (size_t i = 0; i < CB_COUNTOF(params); i++) {
        cJSON *run = new_run();
        make_failed(add_case(run, "d", "a", "%s", params[i]), "verify_failed");
        make_failed(add_case(run, "d", "b", "%s", params[i]), "crashed");
        assert_findings(
            run, "verify_failed: 1 of 2 cases gave a wrong result: multitask/a: because." CAUSE
                 "crashed: 1 of 2 cases crashed: multitask/b: because." CAUSE);
    }
}

TEST(ours_are_not_the_users)
{
    cJSON *run = new_run();
    make_failed(add_case(run, "d", "b", "app=bfs input=/home/me/a.gr"), "crashed");
    assert_findings(run, "crashed: 1 of 1 case crashed: multitask/b: because.\n");
}

TEST(all_that_run_them_know_it)
{
    static const char *const benches[] = {"apps", "multitask", "preempt", "selftest", "throttle"};
    for (size_t i = 0; i < CB_COUNTOF(benches); i++)
        assert_ptr_equal(cb_bench_find(benches[i])->is_users, cb_user_case_is);
}
