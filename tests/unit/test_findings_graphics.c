/* SPDX-License-Identifier: Apache-2.0
 *
 * What graphics concludes, from made-up runs.
 */
#define BENCH "graphics"
#include "findings_fixture.h"

static void scenes(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    cJSON *item = add_case(run, "heavy", "ok", "\"scene\": \"heavy\"");
    add_metric(item, "t", 30e6, NAN, NAN);
    add_metric(item, "period", 40e6, NAN, NAN);
    add_metric(item, "duration", 10e6, NAN, NAN);
    add_metric(add_case(run, "light", "ok", "\"scene\": \"light\""), "frame_time_alone", 1, NAN,
               NAN);
    assert_findings(run, "scene: The scene `heavy` does not show kernels of up to 30.0 ms: it "
                         "needs the device every 40.0 ms for 10.0 ms.\n"
                         "scene: The scene `light` shows every kernel that was tried.\n"
                         "next: `coopbench multitask --workload FILE --gpu` runs apps beside such "
                         "a display.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
