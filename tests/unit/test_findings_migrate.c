/* SPDX-License-Identifier: Apache-2.0
 *
 * What migrate concludes, from made-up runs.
 */
#define BENCH "migrate"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

#define NEXT                                                                                       \
    "next: `coopbench multitask --gpu` tells how soon an app gives up part of its device "         \
    "instead.\n"

static void add_app(cJSON *run, const char *app, double gone, double copied, double moved)
{
    char params[64];
    snprintf(params, sizeof params, "app=%s", app);
    cJSON *item = add_case(run, "d", app, params);
    add_metric(item, "gone_time", gone);
    add_metric(item, "copied_time", copied);
    add_metric(item, "move_time", moved);
}

TEST(one_app)
{
    cJSON *run = new_run();
    add_app(run, "mis", 2e4, 3e6, 4e6);
    assert_findings(run, "move: The app mis works on the other device 4.00 ms after the wish to "
                         "move; its workgroups are gone after 20.0 µs, and all is copied after "
                         "3.00 ms.\n" NEXT);
}

TEST(longest)
{
    cJSON *run = new_run();
    add_app(run, "bfs", 3e4, 5e6, 6e6);
    add_app(run, "mis", 2e4, 3e6, 4e6);
    assert_findings(run, "move: The app that takes longest, bfs, works on the other device 6.00 ms "
                         "after the wish to move; its workgroups are gone after 30.0 µs, and all "
                         "is copied after 5.00 ms.\n" NEXT);
}

TEST(nothing_moved)
{
    cJSON *run = new_run();
    add_case(run, "d", "mis", "app=mis");
    assert_findings(run, NEXT);
}
