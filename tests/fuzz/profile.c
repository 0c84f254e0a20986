/* SPDX-License-Identifier: Apache-2.0
 *
 * A device's profile, and what is made of it.
 */
#include "runtime/profile.h"
#include "measure/bench.h"
#include "measure/safe_groups.h"
#include "probes/primitives/learnt.h"
#include "tests/fuzz/fuzz.h"

/* Pauses that were tuned, as the plans of a run look for them. */
static void look_up(const cJSON *profile)
{
    static const char *const kinds[] = {"mutex", "barrier", "semaphore"};
    static const char *const groups[] = {"N", "N/16", "33"};
    char text[CB_BACKOFF_BYTES];
    struct cb_safe_groups of;
    struct cb_err err;
    size_t safe;
    for (size_t i = 0; i < CB_COUNTOF(kinds); i++)
        cb_learnt_backoff(profile, kinds[i], "spin_backoff", groups[i], text);
    cb_safe_groups_of(profile, fuzz_device(), 0.99, 64, 8, &safe, &of, &err);
    for (int i = 0; cb_benches[i]; i++)
        if (cb_benches[i]->defines)
            cb_benches[i]->defines(fuzz_sink(), profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cJSON *profile;
    char path[512];
    struct cb_err err;
    setenv("COOPBENCH_PROFILE_DIR", fuzz_place(), 1);
    fuzz_need(cb_profile_path(fuzz_device(), path, &err) == CB_OK, "profile");
    fuzz_file(strrchr(path, '/') + 1, data, size);
    if (cb_profile_load(fuzz_device(), &profile, &err) == CB_OK)
        look_up(profile);
    cJSON_Delete(profile);
    return 0;
}
