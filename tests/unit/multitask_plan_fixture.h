/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the cases that options of multitask mean.
 */
#pragma once

#include "temp_folder.h"

#define BENCH "multitask"
#include "bench_fixture.h"

#include "apps/host/app.h"
#include "apps/host/workload.h"
#include "measure/quick.h"
#include "measure/text/json.h"

static const struct cb_device gpu = {
    .id = "uuid:1", .name = "H200", .type = "gpu", .compute_units = 132, .max_wg_size = 1024};
static const struct cb_device cpu = {
    .id = "name:cpu", .name = "cpu-8", .type = "cpu", .compute_units = 8, .max_wg_size = 4096};

/* --- Helpers ---------------------------------------------------------------------------------- */

static inline int count_of(const char *settings)
{
    struct cb_plan plan = plans(&cpu, settings);
    int count = plan.count;
    cb_plan_free(&plan);
    return count;
}

static inline void has_input(const struct cb_device *device, const char *settings, const char *id,
                             const char *input)
{
    struct cb_plan plan = plans(device, settings);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(case_of(&plan, id)->params, "input");
    assert_string_equal(cJSON_GetStringValue(item), input);
    cb_plan_free(&plan);
}
