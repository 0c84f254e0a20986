/* SPDX-License-Identifier: Apache-2.0
 *
 * P and E of a loop's log that is made up.
 */
#include <math.h>

#include "probes/graphics/needs.h"
#include "tests/unit/unit.h"

#define MS    1e6
#define PAIRS 10

static double value_of(const struct cb_sample *sample, const char *metric)
{
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(sample->values, metric);
    assert_int_equal(cJSON_GetArraySize(values), 1);
    return cJSON_GetNumberValue(cJSON_GetArrayItem(values, 0));
}

/* A log of the two parts again and again. */
static void check(double frame_ns, const struct cb_loop_part pair[2], double period, double gap,
                  double stopped)
{
    struct cb_sample sample = {.values = cJSON_CreateObject()};
    struct cb_loop_part parts[2 * PAIRS];
    struct cb_loop_log log = {.parts = parts, .n = 2 * PAIRS};
    struct cb_err err = {0};
    for (size_t i = 0; i < log.n; i++)
        parts[i] = pair[i % 2];
    assert_int_equal(cb_needs_add(&sample, &log, frame_ns, 1, &err), CB_OK);
    assert_true(fabs(value_of(&sample, "period") - period) < 1);
    assert_true(fabs(value_of(&sample, "gap") - gap) < 1);
    assert_true(fabs(value_of(&sample, "stopped") - stopped) < 1);
    assert_true(fabs(value_of(&sample, "duration") - gap - stopped) < 1);
    assert_true(value_of(&sample, "duration_lower") <= gap + stopped + 1);
    assert_true(value_of(&sample, "duration_upper") >= gap + stopped - 1);
    assert_true(value_of(&sample, "kernels") == PAIRS * (pair[0].launches + pair[1].launches));
    cJSON_Delete(sample.values);
}

TEST(between_two_kernels)
{
    static const struct cb_loop_part pair[] = {{10, 100 * MS, 8 * MS, 2 * MS},
                                               {30, 300 * MS, 32 * MS, 6 * MS}};
    check(0, pair, 10 * MS, 1 * MS, 0.2 * MS);
}

/* Four kernels of 100 ms, in which 20 frames are drawn. */
TEST(in_the_midst_of_kernels)
{
    static const struct cb_loop_part pair[] = {{1, 100 * MS, 1 * MS, 39 * MS},
                                               {3, 300 * MS, 3 * MS, 117 * MS}};
    check(20 * MS, pair, 20 * MS, 0.2 * MS, 7.8 * MS);
}

TEST(not_one_kernel)
{
    struct cb_sample sample = {.values = cJSON_CreateObject()};
    struct cb_err err = {0};
    assert_int_equal(cb_needs_add(&sample, &(struct cb_loop_log){0}, 20 * MS, 1, &err), CB_OK);
    assert_int_equal(cJSON_GetArraySize(sample.values), 0);
    cJSON_Delete(sample.values);
}
