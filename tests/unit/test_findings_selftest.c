/* SPDX-License-Identifier: Apache-2.0
 *
 * What selftest concludes, from made-up runs.
 */
#define BENCH "selftest"
#include "findings_fixture.h"

static cJSON *run_of(int passed)
{
    cJSON *run = new_run();
    for (int i = 0; i < passed; i++)
        add_case(run, "stress/1", "ok", "");
    return run;
}

static void all_passed(void **unused)
{
    (void)unused;
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

static void one_failed(void **unused)
{
    (void)unused;
    cJSON *run = run_of(2);
    add_case(run, "stress/3", "verify_failed", "");
    assert_findings(run,
                    "verify_failed: 1 of 3 cases gave a wrong result: selftest/stress/3: "
                    "because. Do not rely on this device, driver or kernel before you know "
                    "why.\n"
                    "verdict: Only 2 random runs passed: believe no other figure of this device "
                    "and driver. The command above runs each that failed again.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_passed), cmocka_unit_test(one_failed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
