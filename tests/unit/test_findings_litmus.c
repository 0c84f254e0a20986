/* SPDX-License-Identifier: Apache-2.0
 *
 * What litmus concludes, from made-up runs.
 */
#include "litmus_fixture.h"

#define KEPT                                                                                       \
    "promise: No promise was broken: none of 10000 instances showed an outcome that the memory "   \
    "model forbids.\n"

static void reorders(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add_row(run, "MP", "workgroups", "relaxed", 1, 0.1);
    add_row(run, "MP", "subgroups", "relaxed", 0, 0.1);
    add_row(run, "SB", "workgroups", "relaxed", 2, 0.1);
    add_row(run, "MP", "workgroups", "acqrel", 0, 0.1);
    assert_findings(
        run,
        "order: With relaxed accesses, the device does not keep in order: two stores, or two "
        "loads (MP: 500 in a million); a store and a later load (SB: 2000 in a million).\n" KEPT
        "score: Of 2 kinds of reordering that orders forbid, 1 can be seen here: of the "
        "others, a kept promise says little. `coopbench litmus --full --runs 400 --gpu` looks "
        "longer.\n");
}

static void sees_all(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add_row(run, "LB", "workgroups", "relaxed", 1, 0);
    add_row(run, "LB", "workgroups", "fences", 0, 0);
    assert_findings(
        run,
        "order: With relaxed accesses, the device does not keep in order: a load and a later "
        "store (LB: 1000 in a million).\n" KEPT
        "score: The tests can see all kinds of reordering that orders forbid (1 of 1) here.\n");
}

static void reorders_nothing(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add_row(run, "CoRR", "workgroups", "relaxed", 0, 0.5);
    assert_findings(run, "order: No relaxed access was seen out of order.\n" KEPT
                         "alone: 50 % of the threads waited in vain for the others of their "
                         "instance, so that few reorderings could show: let nothing else use the "
                         "device.\n");
}

static void breaks_a_promise(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add_row(run, "SB", "workgroups", "acqrel", 0, 0);
    make_failed(add_row(run, "MP", "workgroups", "acqrel", 0, 0), "verify_failed");
    cJSON *findings = cb_findings_of(run, the_bench()), *finding;
    bool told = false;
    cJSON_ArrayForEach (finding, findings)
        told = told || strstr(cJSON_GetObjectItem(finding, "text")->valuestring,
                              "A promise of the memory model was broken");
    assert_true(told);
    cJSON_Delete(findings);
    cJSON_Delete(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reorders),
        cmocka_unit_test(sees_all),
        cmocka_unit_test(reorders_nothing),
        cmocka_unit_test(breaks_a_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
