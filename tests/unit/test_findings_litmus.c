/* SPDX-License-Identifier: Apache-2.0
 *
 * What litmus concludes, from made-up runs.
 */
#include "litmus_fixture.h"
#include "tests/unit/unit.h"

#include "probes/litmus/outcomes.h"

#define KEPT                                                                                       \
    "promise: No promise was broken: none of 10000 instances showed an outcome that the memory "   \
    "model forbids.\n"

TEST(reorders)
{
    cJSON *run = new_run();
    add_row(run, "MP", "workgroups", "relaxed", 1, 0.1);
    add_row(run, "MP", "subgroups", "relaxed", 0, 0.1);
    add_row(run, "SB", "workgroups", "relaxed", 2, 0.1);
    add_row(run, "MP", "workgroups", "acqrel", 0, 0.1);
    assert_findings(
        run,
        "order: With relaxed accesses, the device does not keep in order: two stores, or two "
        "loads (MP: 500 in a million); a store and a later load (SB: 2000 in a million).\n" KEPT
        "score: Of 3 mutants (tests whose order allows what a stronger one forbids, in each "
        "scope), 2 showed the weak outcome: of the others, a kept promise says little. Where they "
        "did, the ordered tests "
        "would have missed as much with a chance of at most 1.4e-06 (MP, workgroups, acqrel). "
        "`coopbench litmus --full --runs 400 --gpu` looks longer.\n");
}

TEST(sees_all)
{
    cJSON *run = new_run();
    add_row(run, "LB", "workgroups", "relaxed", 1, 0);
    add_row(run, "LB", "workgroups", "fences", 0, 0);
    assert_findings(
        run, "order: With relaxed accesses, the device does not keep in order: a load and a later "
             "store (LB: 1000 in a million).\n" KEPT
             "score: All mutants (1; tests whose order allows what a stronger one forbids, in each "
             "scope) showed their weak outcome. Where they did, the ordered tests would have "
             "missed as much with a "
             "chance of at most 1.4e-06 (LB, workgroups, fences).\n");
}

static void score_is(cJSON *run, const char *chance)
{
    char expected[120];
    cJSON *findings = cb_findings_of(run, the_bench()), *finding;
    bool told = false;
    snprintf(expected, sizeof expected, "a chance of at most %s (S, subgroups, fences).", chance);
    cJSON_ArrayForEach (finding, findings)
        told = told || strstr(cJSON_GetObjectItem(finding, "text")->valuestring, expected);
    if (!told)
        fail_msg("not %s: %s", chance, cJSON_Print(findings));
    cJSON_Delete(findings);
    cJSON_Delete(run);
}

/* 12 weak instances of 33000 in 3 of 33 samples: were they drawn one by one, 33000 more would miss
 * them with a chance of 6e-6. */
TEST(correlated)
{
    cJSON *run = new_run();
    add_correlated(run, "relaxed");
    add_correlated(run, "fences");
    score_is(run, "0.43");

    /* sixteen launches a sample, of which four had it: more is known */
    run = new_run();
    add_launches(add_correlated(run, "relaxed"), 16, 4.0 / 33);
    add_launches(add_correlated(run, "fences"), 16, 0);
    score_is(run, "0.25");

    /* one of them has not counted launches */
    run = new_run();
    add_launches(add_correlated(run, "relaxed"), 16, 4.0 / 33);
    add_correlated(run, "fences");
    score_is(run, "0.43");
}

/* The least that statistics of samples allow is never more than there were. */
TEST(bounds_samples)
{
    static const struct {
        double weak[8];
        double least, most; /* of the number that is not 0 */
    } rows[] = {
        {{0}, 0, 0},
        {{5}, 1, 1},
        {{9, 2, 1}, 3, 3},
        {{4, 4, 4}, 3, 3},
        {{100, 1, 1, 1, 1}, 5, 5},
        {{100, 90, 1, 1}, 3, 4},
        {{7, 6, 5, 4, 3, 2, 1, 1}, 8, 8},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        cJSON *run = new_run();
        const cJSON *row = add_samples(run, "S", "subgroups", "relaxed", rows[i].weak, 8);
        const struct cb_litmus_units units = cb_litmus_units_of(row, false);
        assert_true(units.all == 8);
        assert_true(units.weak >= rows[i].least && units.weak <= rows[i].most);
        cJSON_Delete(run);
    }
}

TEST(reorders_nothing)
{
    cJSON *run = new_run();
    add_row(run, "CoRR", "workgroups", "relaxed", 0, 0.5);
    assert_findings(run, "order: No relaxed access was seen out of order.\n" KEPT
                         "coherence: Coherence (tests Co..) was tested without its mutants "
                         "(--ordering reversed): whether the tests could see it broken is not "
                         "known.\n"
                         "alone: 50 % of the threads waited in vain for the others of their "
                         "instance, so that few reorderings could show: let nothing else use the "
                         "device.\n");
}

/* What did not come by any taking of turns makes a row no proof: it is not counted as kept. */
TEST(lacks_turns)
{
    cJSON *run = new_run();
    add_outcomes(add_row(run, "MP", "workgroups", "acqrel", 0, 0), 0);
    add_row(run, "MP", "workgroups", "fences", 0, 0);
    assert_findings(run, KEPT
                    "turns: 1 of 2 rows are no proof: not all outcomes came to which a taking of "
                    "turns leads, so that their threads may not run at the same time. Let nothing "
                    "else use the device, or look longer (--runs).\n");
}

TEST(breaks_a_promise)
{
    cJSON *run = new_run();
    add_row(run, "SB", "workgroups", "acqrel", 0, 0);
    make_failed(add_row(run, "MP", "workgroups", "acqrel", 0, 0), "verify_failed");
    cJSON *findings = cb_findings_of(run, the_bench()), *finding;
    bool told = false;
    cJSON_ArrayForEach (finding, findings)
        told = told || strstr(cJSON_GetObjectItem(finding, "text")->valuestring,
                              "A promise of the memory model was broken, by our kernels, the "
                              "driver's compiler or the device");
    assert_true(told);
    cJSON_Delete(findings);
    cJSON_Delete(run);
}
