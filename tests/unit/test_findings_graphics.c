/* SPDX-License-Identifier: Apache-2.0
 *
 * What graphics concludes, from made-up runs.
 */
#define BENCH "graphics"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

#define NEXT                                                                                       \
    "next: `coopbench multitask --workload FILE --gpu` runs apps beside such a display; FILE is "  \
    "a scene's .json in this run's folder.\n"

/* NaN: not measured. */
static void add(cJSON *run, const char *scene, double t, double p_value)
{
    cJSON *item = add_case(run, "d", scene, "scene=%s level=0.025 t-max=100", scene);
    if (!isnan(t))
        add_metric(item, "t", t);
    if (!isnan(p_value))
        add_metric(item, "p_value", p_value);
}

TEST(known_scenes)
{
    cJSON *run = new_run();
    add(run, "light", 100e6, 0.5);
    add(run, "heavy", 30e6, 0.125);
    assert_findings(run, "scene: Frames do not show kernels of up to at least 100 ms (`light`), "
                         "30.0 ms (`heavy`): keep kernels no longer than that while such a scene "
                         "is drawn.\n" NEXT);
}

TEST(all_kernels_are_seen)
{
    cJSON *run = new_run();
    add(run, "light", 30e6, 0.5);
    add(run, "heavy", NAN, 0.001);
    assert_findings(run, "scene: Frames do not show kernels of up to 30.0 ms (`light`): keep "
                         "kernels no longer than that while such a scene is drawn.\n"
                         "scene: Frames show even the shortest kernels that were tried: `heavy`. "
                         "No kernel is short enough there.\n" NEXT);
}

/* The last check saw kernels of t: t is no answer. */
TEST(refuted_scenes)
{
    cJSON *run = new_run();
    add(run, "light", 42e6, 0.016);
    assert_findings(run, "scene: There is no answer for `light`: a longer check saw kernels that "
                         "the search had not. The machine was busy, or the search too short.\n"
                         "next: `coopbench graphics --full --gpu` looks longer; let nothing else "
                         "run beside it.\n");
}

TEST(given_workloads_find_nothing)
{
    cJSON *run = new_run();
    add(run, "file", NAN, NAN);
    assert_findings(run, NEXT);
}
