/* SPDX-License-Identifier: Apache-2.0
 *
 * What throttle concludes, from made-up runs.
 */
#define BENCH "throttle"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

#define NEXT                                                                                       \
    "next: `coopbench throttle --rounds 3 --gpu` measures each step three times, for intervals "   \
    "between processes.\n"

static cJSON *add_step(cJSON *run, const char *groups, double active, double progress)
{
    cJSON *item = add_case(run, "d", groups, "app=bfs groups=%s", groups);
    add_metric(item, "active", active);
    add_metric(item, "progress", progress);
    return item;
}

static void add_power(cJSON *item, double power, double energy)
{
    add_metric(item, "power", power);
    add_metric(item, "energy_per_run", energy);
}

TEST(steps)
{
    cJSON *run = new_run();
    add_power(add_step(run, "N", 8, 100), 300, 3);
    add_power(add_step(run, "N/2", 4, 90), 200, 2);
    add_power(add_step(run, "1", 1, 20), 150, 7);
    assert_findings(run, "energy: Least energy for a run: bfs with N/2 (90 % of its "
                         "progress with all workgroups); each step was measured once.\n"
                         "power: Least power: bfs with 1 (20 % of its progress with all "
                         "workgroups); each step was measured once.\n" NEXT);
}

TEST(no_power)
{
    cJSON *run = new_run();
    add_step(run, "N", 8, 100);
    assert_findings(run, "power: The power of this device cannot be read: what it saves to "
                         "take workgroups away is not known.\n" NEXT);
}

TEST(caps)
{
    cJSON *run = new_run();
    cJSON *held = add_case(run, "d", "a", "app=bfs power-cap=300");
    add_metric(held, "over_cap", 0.04);
    add_metric(held, "active", 5);
    cJSON *always = add_case(run, "d", "b", "app=mis power-cap=100");
    add_metric(always, "over_cap", 0);
    add_metric(always, "active", 1);
    add_case(run, "d", "c", "app=game power-cap=300");
    assert_findings(run, "cap: A cap of 300 W: bfs held it 96 % of the time (5 workgroups), game "
                         "never.\n"
                         "cap: A cap of 100 W: mis held it always (1 workgroup).\n" NEXT);
}

TEST(several_rounds)
{
    cJSON *run = new_run(), *item = add_case(run, "d", "N", "app=bfs groups=N");
    add_metric(item, "active", 8);
    set_statistic(add_metric(item, "progress", 100), "n", 3);
    add_power(item, 300, 3);
    assert_findings(run,
                    "energy: Least energy for a run: bfs with N (100 % of its progress with all "
                    "workgroups).\n"
                    "power: Least power: bfs with N (100 % of its progress with all "
                    "workgroups).\n"
                    "next: `coopbench multitask --gpu` tells what urgent tasks take from an "
                    "app.\n");
}
