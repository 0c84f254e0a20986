/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings of any bench: what failed, where they go, and what intervals say.
 */
#define BENCH "discover"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

#include "measure/estimate.h"

/* ---- Intervals ------------------------------------------------------------------------------- */

TEST(overlap_tells_nothing)
{
    struct cb_estimate a = {10, 9, 11}, b = {12, 11, 13}, c = {14, 12, 15}, none = {1, NAN, NAN};
    assert_false(cb_estimate_below(a, b)); /* they touch */
    assert_false(cb_estimate_below(b, a));
    assert_true(cb_estimate_below(a, c));
    assert_false(cb_estimate_below(c, a));
    assert_false(cb_estimate_below(none, c));
    assert_false(cb_estimate_below(a, none));
}

TEST(failed_cases_have_no_estimate)
{
    cJSON *run = new_run(),
          *item = make_failed(add_case(run, "d", "x/y", NO_PARAMS), "verify_failed");
    add_interval(item, "recall", 1, 1, 1);
    assert_true(isnan(cb_estimate_of(item, "recall").median));
    cJSON_Delete(run);
}

TEST(estimates_have_texts)
{
    char text[CB_ESTIMATE_BYTES];
    struct cb_estimate time = {9700, 9610, 9790}, alone = {9700, NAN, NAN};
    cb_estimate_time(text, time);
    assert_string_equal(text, "9.70 µs [9.61 µs, 9.79 µs]");
    cb_estimate_time(text, alone);
    assert_string_equal(text, "9.70 µs");
    cb_estimate_percent(text, (struct cb_estimate){1.03, 1.01, 1.05});
    assert_string_equal(text, "3 % [1, 5]");
    cb_estimate_percent(text, (struct cb_estimate){1.031, 1.026, 1.035});
    assert_string_equal(text, "3.1 % [2.6, 3.5]");
    cb_estimate_percent(text, (struct cb_estimate){1.5, NAN, NAN});
    assert_string_equal(text, "50 %");
    cb_estimate_number(text, cb_estimate_quotient((struct cb_estimate){20, 19, 21},
                                                  (struct cb_estimate){10, 9.5, 10.5}));
    assert_string_equal(text, "2 [1.81, 2.21]");
}

/* ---- Failures -------------------------------------------------------------------------------- */

TEST(failures_come_first)
{
    cJSON *run = new_run();
    make_failed(add_case(run, "d", "a/b", NO_PARAMS), "timeout");
    make_failed(add_case(run, "d", "a/c", NO_PARAMS), "verify_failed");
    make_failed(add_case(run, "d", "a/d", NO_PARAMS), "verify_failed");
    make_failed(add_case(run, "d", "a/e", NO_PARAMS), "unsupported");
    assert_findings(run,
                    "verify_failed: 2 of 4 cases gave a wrong result; the first, "
                    "discover/a/c: because. What may be wrong, the likeliest first: coopbench, "
                    "the driver, the device. Run it again, also while nobody else uses the "
                    "device: the same command with `--seed 7 --filter discover/a/c`. If it "
                    "comes again, report it with its run.json.\n"
                    "timeout: 1 of 4 cases ran past a deadline: discover/a/b: because.\n"
                    "unsupported: 1 of 4 cases cannot run on this device: discover/a/e: "
                    "because.\n");
}

TEST(long_reasons_are_cut)
{
    cJSON *run = new_run(), *item = make_failed(add_case(run, "d", "a/b", NO_PARAMS), "error");
    set_text(item, "reason", "no kernel\n  line 2");
    assert_findings(run, "error: 1 of 1 case failed: discover/a/b: no kernel ...\n");
}

TEST(terminals_are_given_nothing_to_obey)
{
    cJSON *run = new_run(), *item = make_failed(add_case(run, "d", "a/b", NO_PARAMS), "error");
    set_text(item, "reason", "\x1b[2J \xff\ttab");
    assert_findings(run, "error: 1 of 1 case failed: discover/a/b: \\x1b[2J \\xff\\x09tab.\n");
}

TEST(interrupted_runs_conclude_nothing)
{
    cJSON *run = new_run(), *item = add_case(run, "d", "bound/11", "protocol=bound");
    add_metric(item, "groups_bound", 8);
    make_failed(add_case(run, "d", "bound/1W", NO_PARAMS), "interrupted");
    assert_findings(run, "interrupted: The run was interrupted when 1 of 2 cases had ended: "
                         "nothing is concluded from it.\n");
}

TEST(other_benches_and_devices_have_their_own)
{
    cJSON *run = new_run(), *item = add_case(run, "d", "bound/11", "protocol=bound");
    set_text(item, "device", "unknown");
    item = make_failed(add_case(run, "d", "bound/11", NO_PARAMS), "timeout");
    set_text(item, "bench", "memory");
    assert_findings(run, "");
}

/* ---- Where they go --------------------------------------------------------------------------- */

static cJSON *run_of_one(void)
{
    cJSON *run = new_run();
    make_failed(add_case(run, "d", "a/b", NO_PARAMS), "timeout");
    return run;
}

TEST(the_document_has_them)
{
    cJSON *run = run_of_one();
    cb_findings_update(run);
    cb_findings_update(run); /* not twice */
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(run, "findings")), 1);
    cJSON_DeleteItemFromArray(cJSON_GetObjectItem(run, "cases"), 0);
    cb_findings_update(run);
    assert_false(cJSON_HasObjectItem(run, "findings"));
    cJSON_Delete(run);
}

TEST(they_are_printed_as_a_list)
{
    char *text = NULL;
    size_t size = 0;
    cJSON *run = run_of_one();
    cJSON_ReplaceItemInObject(
        cJSON_GetArrayItem(cJSON_GetObjectItem(run, "cases"), 0), "reason",
        cJSON_CreateString("a reason that is long enough for two lines of a terminal"));
    FILE *out = open_memstream(&text, &size);
    cb_findings_print(out, run);
    fclose(out);
    assert_string_equal(text, "\nIn short: discover on GPU\n\n"
                              "- 1 of 1 case ran past a deadline: discover/a/b: a reason that is "
                              "long enough for two lines of a\n  terminal.\n");
    free(text);
    cJSON_Delete(run);
}

TEST(commands_name_the_device)
{
    char text[CB_COMMAND_BYTES];
    cJSON *run = new_run();
    struct cb_findings f = {.run = run, .bench = the_bench()};
    f.device = cJSON_GetArrayItem(cJSON_GetObjectItem(run, "devices"), 0);
    assert_string_equal(cb_findings_command(&f, "apps", text), "coopbench apps --gpu");
    cJSON *invocation = cJSON_GetObjectItem(run, "invocation");
    cJSON_ReplaceItemInObject(invocation, "settings", cJSON_Parse("{\"device\": [\"GPU\"]}"));
    assert_string_equal(cb_findings_command(&f, "apps", text), "coopbench apps --device 1:0");
    cJSON_ReplaceItemInObject(invocation, "settings", cJSON_CreateObject());
    assert_string_equal(cb_findings_command(&f, "apps", text), "coopbench apps");
    cJSON_Delete(run);
}
