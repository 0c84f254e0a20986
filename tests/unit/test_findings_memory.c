/* SPDX-License-Identifier: Apache-2.0
 *
 * What memory concludes, from made-up runs.
 */
#define BENCH "memory"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

/* Makes a run of reads by N workgroups: atomic and contentious, atomic and not, volatile and
 * contentious. */
static cJSON *run_of(double shared, double own, double plain, double wide)
{
    static const char *const ids[] = {"contentious.read.atomic/groups=N",
                                      "noncontentious.read.atomic/groups=N",
                                      "contentious.read.volatile/groups=N"};
    const double times[] = {shared, own, plain};
    cJSON *run = new_run();
    for (int i = 0; i < 3; i++)
        add_interval(add_case(run, "d", ids[i], NO_PARAMS), "access_time", times[i],
                     wide > 0 ? times[i] - wide : NAN, times[i] + wide);
    return run;
}

static void assert_ratios(cJSON *run, const char *expected)
{
    cJSON *findings = cb_findings_of(run, the_bench());
    char text[1024] = "";
    for (int i = 0; i < 2; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n",
                 cJSON_GetObjectItem(cJSON_GetArrayItem(findings, i), "text")->valuestring);
    assert_string_equal(text, expected);
    const cJSON *next = cJSON_GetObjectItem(cJSON_GetArrayItem(findings, 2), "text");
    assert_non_null(strstr(next->valuestring, "No primitive is predicted without memory/"));
    assert_non_null(strstr(next->valuestring, "`coopbench memory --gpu` measures it all."));
    cJSON_Delete(findings);
    cJSON_Delete(run);
}

TEST(contention_and_atomics_cost)
{
    assert_ratios(
        run_of(1000, 100, 500, 5),
        "An atomic read of a word that all workgroups read takes 1.00 µs, 10 [9.48, "
        "10.6] times as long as one of a word that no other reads: let each workgroup wait "
        "for a word of its own where you can.\n"
        "An atomic read of a shared word takes 1.00 µs, 2 [1.97, 2.03] times as long as "
        "a plain one: spin with plain (volatile) reads.\n");
}

TEST(they_cost_nothing)
{
    assert_ratios(
        run_of(100, 200, 400, 5),
        "An atomic read of a word that all workgroups read takes 100 ns, 0.5 [0.463, "
        "0.538] times as long as one of a word that no other reads: waiting for one shared "
        "word costs nothing more.\n"
        "An atomic read of a shared word takes 100 ns, 0.25 [0.235, 0.266] times as long "
        "as a plain one: spin with atomic reads.\n");
}

TEST(they_do_not_differ)
{
    assert_ratios(run_of(100, 100, 90, 50),
                  "An atomic read of a word that all workgroups read takes 100 ns, 1 [0.333, 3] "
                  "times as long as one of a word that no other reads: which is faster, these "
                  "measurements do not tell (--runs 50).\n"
                  "An atomic read of a shared word takes 100 ns, 1.11 [0.357, 3.75] times as long "
                  "as a plain one: which is faster, these measurements do not tell (--runs 50).\n");
}

TEST(no_intervals)
{
    assert_ratios(
        run_of(100, 50, 50, 0),
        "An atomic read of a word that all workgroups read takes 100 ns, 2 times as long "
        "as one of a word that no other reads: which is faster, these measurements do not "
        "tell (--runs 50).\n"
        "An atomic read of a shared word takes 100 ns, 2 times as long as a plain one: "
        "which is faster, these measurements do not tell (--runs 50).\n");
}
