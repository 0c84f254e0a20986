/* SPDX-License-Identifier: Apache-2.0
 *
 * Suites (configs/), and the cases that are planned of them.
 */
#include "measure/config.h"
#include "cli/suite/global_params.h"
#include "cli/suite/plan.h"
#include "tests/fuzz/fuzz.h"

static void plan(struct cb_config *config)
{
    struct cb_device device = *fuzz_device();
    struct cb_devices devices = {.items = &device, .count = 1};
    struct cb_suite suite = {.config_path = "suite.json",
                             .settings = config->settings,
                             .entries = config->entries,
                             .count = config->count};
    struct cb_plan planned = {0};
    struct cb_err err;
    if (cb_suite_plan(&suite, &devices, &planned, &err) == CB_OK)
        cb_plan_print(fuzz_sink(), &planned);
    cb_plan_free(&planned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct cb_config config;
    struct cb_err err;
    if (cb_config_parse("suite.json", text, cb_global_params, &config, &err) == CB_OK) {
        plan(&config);
        cb_config_free(&config);
    }
    free(text);
    return 0;
}
