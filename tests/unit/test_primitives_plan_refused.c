/* SPDX-License-Identifier: Apache-2.0
 *
 * The options that the primitives refuse.
 */
#include "primitives_plan_fixture.h"
#include "tests/unit/unit.h"

/* --- Refusals --------------------------------------------------------------------------------- */

TEST_WITH(wrong_groups, setup, remove_folder)
{
    static const char *const texts[] = {"0", "N/0", "M", "1.5", "N/", "-1", "Auto", "9999999999"};
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        char settings[64], text[128];
        snprintf(settings, sizeof settings, "groups=N,%s", texts[i]);
        snprintf(text, sizeof text,
                 "groups: expected a number from 1, N, N/K, KN/L or N-K, got \"%s\"", texts[i]);
        refuses(&cpu, settings, text);
    }
}

TEST_WITH(too_many_groups, setup, remove_folder)
{
    char settings[512] = ONLY_BARRIERS "barrier=xf groups=1";
    for (int i = 2; i <= 64; i++)
        snprintf(settings + strlen(settings), sizeof settings - strlen(settings), ",%d", i);
    assert_int_equal(count_of(&gpu, settings), 64);
    strcat(settings, ",65");
    refuses(&gpu, settings, "groups: at most 64 values");
}

TEST_WITH(wrong_backoff, setup, remove_folder)
{
    static const char *const texts[] = {"0",  "0:5",     "10:5",      "a:b", "1:", ":1",
                                        "-1", "1000001", "1:1000001", "1.5", "no", "1:2:3"};
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        char settings[64], text[160];
        snprintf(settings, sizeof settings, "backoff=profile,64:128,%s", texts[i]);
        snprintf(
            text, sizeof text,
            "backoff: expected MIN:MAX or PLACE in ns (MIN from 1 to MAX, at most 1000000), or "
            "profile, got \"%s\"",
            texts[i]);
        refuses(&gpu, settings, text);
    }
}

TEST_WITH(wrong_ops, setup, remove_folder)
{
    static const char *const texts[] = {"0", "000", "x", "10x", "1.5", "-1", "10000000", "Auto"};
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        char settings[64], text[128];
        snprintf(settings, sizeof settings, "ops=%s", texts[i]);
        snprintf(text, sizeof text, "ops: expected a number from 1 to 9999999 or auto, got \"%s\"",
                 texts[i]);
        refuses(&gpu, settings, text);
    }
    assert_int_equal(count_of(&gpu, ONLY_BARRIERS "barrier=xf groups=1 ops=9999999"), 1);
    assert_int_equal(count_of(&gpu, ONLY_BARRIERS "barrier=xf groups=1 ops=1"), 1);
}

TEST_WITH(wg_size_of_the_device, setup, remove_folder)
{
    refuses(&gpu, "wg-size=1025", "wg-size: H200 takes at most 1024 work-items a workgroup");
    refuses(&cpu, "wg-size=4097", "wg-size: cpu-8 takes at most 4096 work-items a workgroup");
    assert_int_equal(count_of(&gpu, ONLY_BARRIERS "barrier=xf groups=1 wg-size=1024"), 1);
    assert_int_equal(count_of(&cpu, ONLY_BARRIERS "barrier=xf groups=1 wg-size=1025"), 1);
}

/* The table of parameters itself refuses these. */
TEST_WITH(values_out_of_range, setup, remove_folder)
{
    static const struct wrong_value rows[] = {
        {"initial", "0", "expected an integer from 1 to 10000, got \"0\""},
        {"initial", "-1", "expected an integer from 1 to 10000, got \"-1\""},
        {"initial", "x", "expected an integer from 1 to 10000, got \"x\""},
        {"initial", "10001", "expected an integer from 1 to 10000, got \"10001\""},
        {"section", "100001", "expected an integer from 0 to 100000, got \"100001\""},
        {"wg-size", "0", "expected an integer from 1 to 65536, got \"0\""},
        {"mutex", "tickt", "got \"tickt\" (did you mean \"ticket\"?)"},
        {"barrier", "countr", "got \"countr\" (did you mean \"counter\"?)"},
        {"semaphore", "sleping", "got \"sleping\" (did you mean \"sleeping\"?)"},
    };
    refuses_values(rows, CB_COUNTOF(rows));
}
