/* SPDX-License-Identifier: Apache-2.0
 *
 * What apps concludes, from made-up runs.
 */
#define BENCH "apps"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

#define NEXT "next: `coopbench multitask --gpu` tells what urgent tasks beside them cost.\n"

/* Times of the host are of multikernel and portable, of the device of portable and cooperative;
 * wide: half of an interval's width over the median; 0: none. */
static void add_input(cJSON *run, const char *input, double multikernel, double portable,
                      double cooperative, double wide)
{
    static const char *const modes[] = {"multikernel", "portable", "cooperative"};
    const double times[] = {multikernel, portable, cooperative};
    for (int m = 0; m < 3; m++) {
        cJSON *item = add_case(run, "d", modes[m],
                               "app=bfs input=%s input_name=%s mode=%s "
                               "barrier=atomic",
                               input, input, modes[m]);
        double low = wide > 0 ? times[m] * (1 - wide) : NAN;
        double high = wide > 0 ? times[m] * (1 + wide) : NAN;
        add_interval(item, "host_time", times[m], low, high);
        add_interval(item, "run_time", times[m], low, high);
    }
}

TEST(faster_everywhere)
{
    cJSON *run = new_run();
    add_input(run, "road", 400, 100, 110, 0.01);
    add_input(run, "rmat", 200, 100, 105, 0.01);
    assert_findings(run, "speedup: One kernel with barriers is faster than a launch for each step "
                         "with all 2 inputs (4 [3.92, 4.08] times with bfs [road], 2 [1.96, 2.04] "
                         "with bfs [rmat]): use it.\n"
                         "cooperation: To be able to give workgroups away costs an app time: 7 % "
                         "[5, 10] on average, at most 10 % [8, 12] (bfs [road]).\n" NEXT);
}

TEST(faster_with_the_only_one)
{
    cJSON *run = new_run();
    add_input(run, "road", 400, 100, 101, 0.02);
    assert_findings(run, "speedup: With bfs [road], one kernel with barriers is 4 [3.84, 4.16] "
                         "times as fast as a launch for each step: use it.\n"
                         "cooperation: These measurements do not tell whether it costs an app time "
                         "to be able to give workgroups away: 1 % [-3, 5] (bfs [road]).\n" NEXT);
}

TEST(slower_with_the_only_one)
{
    cJSON *run = new_run();
    add_input(run, "road", 50, 100, 90, 0.01);
    assert_findings(run, "speedup: With bfs [road], one kernel with barriers is 0.5 [0.49, 0.51] "
                         "times as fast as a launch for each step: keep to launches.\n"
                         "cooperation: To be able to give workgroups away costs an app nothing (a "
                         "gain of 10 % [8, 12]) (bfs [road]).\n" NEXT);
}

TEST(slower_everywhere)
{
    cJSON *run = new_run();
    add_input(run, "road", 50, 100, 90, 0.01);
    add_input(run, "rmat", 25, 100, 90, 0.01);
    assert_findings(
        run, "speedup: One kernel with barriers is slower than a launch for each step "
             "with all 2 inputs (at best 0.5 [0.49, 0.51] times as fast, with bfs "
             "[road]): keep to launches.\n"
             "cooperation: To be able to give workgroups away costs an app nothing (a gain of "
             "10 % [8, 12]) on average, at most nothing (a gain of 10 % [8, 12]) (bfs "
             "[road]).\n" NEXT);
}

TEST(it_depends)
{
    cJSON *run = new_run();
    add_input(run, "road", 400, 100, 100, 0.01);
    add_input(run, "rmat", 50, 100, 100, 0.01);
    assert_findings(run, "speedup: One kernel with barriers is faster than a launch for each step "
                         "with 1 of 2 inputs (4 [3.92, 4.08] times with bfs [road]), slower with 1 "
                         "(0.5 [0.49, 0.51] with bfs [rmat]). Choose by the input.\n"
                         "cooperation: These measurements do not tell whether it costs an app time "
                         "to be able to give workgroups away: 0 % [-2, 2] on average, at most 0 % "
                         "[-2, 2] (bfs [road]).\n" NEXT);
}

TEST(some_are_not_known)
{
    static const struct {
        double multikernel;
        const char *said;
    } rows[] = {
        {400, "faster than a launch for each step with 1 of 2 inputs (4 [3.92, 4.08] times with "
              "bfs [road])"},
        {50, "slower than a launch for each step with 1 of 2 inputs (0.5 [0.49, 0.51] times as "
             "fast with bfs [road])"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char text[600];
        cJSON *run = new_run();
        add_input(run, "road", rows[i].multikernel, 100, 100, 0.01);
        add_input(run, "rmat", 100, 100, 100, 0.01);
        snprintf(text, sizeof text,
                 "speedup: One kernel with barriers is %s. With the others these measurements do "
                 "not tell.\n"
                 "cooperation: These measurements do not tell whether it costs an app time to be "
                 "able to give workgroups away: 0 %% [-2, 2] on average, at most 0 %% [-2, 2] (bfs "
                 "[road]).\n" NEXT,
                 rows[i].said);
        assert_findings(run, text);
    }
}

TEST(no_intervals)
{
    cJSON *run = new_run();
    add_input(run, "road", 400, 100, 103, 0);
    assert_findings(run,
                    "speedup: These measurements do not tell whether one kernel with barriers "
                    "is faster than a launch for each step: 4 times with bfs [road]. More "
                    "runs: --runs 40.\n"
                    "cooperation: So few runs do not tell what it costs an app to be able to "
                    "give workgroups away: 3.0 % (bfs [road]). Measure more: --runs 40.\n" NEXT);
}

TEST(nothing_to_compare)
{
    cJSON *run = new_run();
    cJSON *item =
        add_case(run, "d", "x", "app=bfs input=r input_name=r mode=portable barrier=atomic");
    add_interval(item, "run_time", 5, 4, 6);
    assert_findings(run, NEXT);
}
