/* SPDX-License-Identifier: Apache-2.0
 *
 * What selftest concludes, from made-up runs.
 */
#define BENCH "selftest"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

static cJSON *run_of(int passed)
{
    cJSON *run = new_run();
    for (int i = 0; i < passed; i++)
        add_case(run, "d", "stress/1", NO_PARAMS);
    return run;
}

TEST(all_passed)
{
    assert_findings(run_of(50),
                    "verdict: All 50 random runs passed: cooperative kernels work on this device, "
                    "as far as these tell (with 95 % confidence, fewer than 5.8 % of such runs "
                    "fail).\n"
                    "next: `coopbench selftest --stress 500 --gpu` looks for rarer failures; "
                    "`coopbench discover --gpu` goes on.\n");
    assert_findings(run_of(600),
                    "verdict: All 600 random runs passed: cooperative kernels work on this device, "
                    "as far as these tell (with 95 % confidence, fewer than 0.5 % of such runs "
                    "fail).\n"
                    "next: `coopbench discover --gpu` tells how many workgroups run at once.\n");
}

#define CAUSE                                                                                      \
    " What may be wrong, the likeliest first: coopbench, the driver, the device. Run it again, "   \
    "also "                                                                                        \
    "while nobody else uses the device: the same command with `--seed 7 --filter "                 \
    "selftest/stress/3`. If it comes again, report it with its run.json.\n"
#define DOUBT                                                                                      \
    " Before the cause is known, doubt what cooperative kernels do here. The commands above run "  \
    "each again, alone.\n"

static cJSON *add_failed(cJSON *run, const char *id, const char *status, const char *reason)
{
    cJSON *row = make_failed(add_case(run, "d", id, NO_PARAMS), status);
    set_text(row, "reason", reason);
    return row;
}

/* After an error, a repetition tells nothing. */
TEST(one_failed)
{
    cJSON *run = run_of(2);
    add_failed(run, "stress/3", "verify_failed", "because");
    assert_findings(run, "verify_failed: 1 of 3 cases gave a wrong result: selftest/stress/3: "
                         "because." CAUSE "verdict: 2 of 3 random runs passed." DOUBT);
}

TEST(fails_each_time)
{
    cJSON *run = run_of(2);
    add_failed(run, "stress/3", "verify_failed", "failed in 4 of 4 runs: because");
    assert_findings(run, "verify_failed: 1 of 3 cases gave a wrong result: selftest/stress/3: "
                         "failed in 4 of 4 runs: because." CAUSE
                         "verdict: 2 of 3 random runs passed. Run again at once, each failed every "
                         "time: it is no accident." DOUBT);
}

TEST(is_right_when_repeated)
{
    cJSON *run = run_of(2);
    add_failed(run, "stress/3", "verify_failed", "failed in 1 of 4 runs: because");
    add_failed(run, "stress/4", "timeout", "because");
    assert_findings(run, "verify_failed: 1 of 4 cases gave a wrong result: selftest/stress/3: "
                         "failed in 1 of 4 runs: because." CAUSE
                         "timeout: 1 of 4 cases ran past a deadline: selftest/stress/4: because.\n"
                         "verdict: 2 of 4 random runs passed. Run again at once, none failed every "
                         "time: it depends on timing, as a race does, which other processes on the "
                         "device may bring out." DOUBT);
}

TEST(some_fail_each_time)
{
    cJSON *run = run_of(1);
    add_failed(run, "stress/3", "verify_failed", "failed in 2 of 3 runs: because");
    add_failed(run, "stress/4", "verify_failed", "failed in 4 of 4 runs: because");
    assert_findings(run, "verify_failed: 2 of 3 cases gave a wrong result; the first, "
                         "selftest/stress/3: failed in 2 of 3 runs: because." CAUSE
                         "verdict: 1 of 3 random runs passed. Run again at once, some failed every "
                         "time, others not." DOUBT);
}
