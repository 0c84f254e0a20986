/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the cases that options of the primitives mean.
 */
#pragma once

#include "temp_folder.h"

#define BENCH "primitives"
#include "bench_fixture.h"

#include "probes/primitives/learnt.h"
#include "runtime/profile.h"

static const struct cb_device gpu = {
    .id = "uuid:1", .name = "H200", .type = "gpu", .compute_units = 132, .max_wg_size = 1024};
static const struct cb_device cpu = {
    .id = "name:cpu", .name = "cpu-8", .type = "cpu", .compute_units = 8, .max_wg_size = 4096};

/* --- Helpers ---------------------------------------------------------------------------------- */

/* No profile is there at first, and none of the user's is ever read. */
static inline int setup(void **state)
{
    unsetenv("COOPBENCH_NO_PROFILE");
    return make_folder(state) != 0 || setenv("COOPBENCH_PROFILE_DIR", folder, 1);
}

static inline int count_of(const struct cb_device *device, const char *settings)
{
    struct cb_plan plan = plans(device, settings);
    int count = plan.count;
    cb_plan_free(&plan);
    return count;
}

#define ONLY_BARRIERS   "mutex=none semaphore=none queue=none "
#define ONLY_MUTEXES    "barrier=none semaphore=none queue=none "
#define ONLY_SEMAPHORES "barrier=none mutex=none queue=none "
