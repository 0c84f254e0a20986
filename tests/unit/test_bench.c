/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds for the plans of all benchmarks.
 */
#include "measure/bench.h"
#include "tests/unit/unit.h"

static void *give_nothing(size_t size)
{
    (void)size;
    return NULL;
}

static int give_again(void **unused)
{
    (void)unused;
    cJSON_InitHooks(NULL);
    return 0;
}

/* A case for which there is no memory is not left out: the plan fails. */
TEST_WITH(want_of_memory_is_told, NULL, give_again)
{
    static const struct cb_device device = {
        .id = "gpu", .index = "0:0", .name = "GPU", .type = "gpu", .max_wg_size = 1024};
    for (int i = 0; cb_benches[i]; i++) {
        struct cb_plan plan = {.seed = 1};
        struct cb_err err = {0};
        cJSON *options = cJSON_CreateObject();
        cb_options_complete(options, cb_benches[i]->params);
        cJSON_InitHooks(&(cJSON_Hooks){give_nothing, NULL});
        assert_int_equal(cb_plan_bench(&plan, cb_benches[i], &device, options, &err), CB_ERROR);
        cJSON_InitHooks(NULL);
        assert_string_equal(err.text, "out of memory");
        assert_int_equal(plan.count, 0);
        cb_plan_free(&plan);
        cJSON_Delete(options);
    }
}
