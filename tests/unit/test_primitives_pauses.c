/* SPDX-License-Identifier: Apache-2.0
 *
 * Which pauses the tuner's cases teach.
 */
#include "primitives_learnt_fixture.h"
#include "tests/unit/unit.h"

/* Learns, and compares the profile with a text in JSON. */
static void learns(bool learnt, const char *expected)
{
    cJSON *wanted = cJSON_Parse(expected);
    assert_non_null(wanted);
    assert_int_equal(cb_primitives_learn(run, "d", profile), learnt);
    char *text = cJSON_PrintUnformatted(profile);
    if (!cJSON_Compare(profile, wanted, true))
        fail_msg("learnt %s\ninstead of %s", text, expected);
    free(text);
    cJSON_Delete(wanted);
}

/* --- Learning: pauses ------------------------------------------------------------------------- */

TEST_WITH(best_pauses_of_each_level, setup, teardown)
{
    add_tuned("mutex", "spin_backoff", 4, "32:256", 100);
    add_tuned("mutex", "spin_backoff", 8, "32:256", 500);
    add_tuned("semaphore", "ticket", 8, "120", 7);
    add_tuned("mutex", "spin_backoff", 8, "64:512", 400);
    add_tuned("mutex", "spin_backoff", 4, "64:512", 300);
    add_tuned("mutex", "spin_backoff", 4, "128:1024", 200);
    add_tuned("semaphore", "ticket", 8, "30", 6);
    learns(true, "{\"primitives\": {\"occupancy\": 8, \"backoff\": {"
                 "\"mutex.spin_backoff\": ["
                 "{\"asked\": \"N/2\", \"groups\": 4, \"ns\": \"64:512\", \"throughput\": 300},"
                 "{\"asked\": \"N\", \"groups\": 8, \"ns\": \"32:256\", \"throughput\": 500}],"
                 "\"semaphore.ticket\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"120\", "
                 "\"throughput\": 7}]}}}");
    char text[CB_BACKOFF_BYTES];
    assert_true(cb_learnt_backoff(profile, "mutex", "spin_backoff", "N/2", text));
    assert_string_equal(text, "64:512");
}

/* The best counts, wherever it stands. */
TEST_WITH(the_first_and_the_last_may_be_best, setup, teardown)
{
    add_tuned("semaphore", "optimistic", 8, "1:2", 3);
    add_tuned("semaphore", "optimistic", 8, "3:4", 1);
    add_tuned("semaphore", "optimistic", 8, "5:6", 2);
    add_tuned("semaphore", "spin_backoff", 8, "1:2", 1);
    add_tuned("semaphore", "spin_backoff", 8, "3:4", 2);
    add_tuned("semaphore", "spin_backoff", 8, "5:6", 3);
    learns(true, "{\"primitives\": {\"occupancy\": 8, \"backoff\": {"
                 "\"semaphore.optimistic\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"1:2\", "
                 "\"throughput\": 3}],"
                 "\"semaphore.spin_backoff\": ["
                 "{\"asked\": \"N\", \"groups\": 8, \"ns\": \"5:6\", \"throughput\": 3}]}}}");
}

/* A case of the tuner with the optimistic semaphore. */
static void add_optimistic(int initial, const char *backoff, double throughput)
{
    set_params(add_tuned("semaphore", "optimistic", 8, backoff, throughput), "initial=%d", initial);
}

#define OPTIMISTIC(ns, throughput)                                                                 \
    "{\"primitives\": {\"occupancy\": 8, \"backoff\": {\"semaphore.optimistic\": ["                \
    "{\"asked\": \"N\", \"groups\": 8, \"ns\": \"" ns "\", \"throughput\": " throughput "}]}}}"

/* Pauses are chosen for all initial values together, by ratios; the throughput that is kept is that
 * of 10. */
TEST_WITH(pauses_that_are_good_for_all_initial_values, setup, teardown)
{
    add_optimistic(1, "1:2", 10);
    add_optimistic(10, "1:2", 500);
    add_optimistic(10, "3:4", 110);
    add_optimistic(1, "3:4", 100);
    add_optimistic(1, "5:6", 20);
    add_optimistic(10, "5:6", 400);
    learns(true, OPTIMISTIC("3:4", "110"));
    add_optimistic(10, "7:8", 9e9); /* with 1, it failed */
    learns(true, OPTIMISTIC("3:4", "110"));
    add_optimistic(1, "9:10", 1000);
    add_optimistic(10, "9:10", 50);
    learns(true, OPTIMISTIC("9:10", "50"));
}

/* The kernels keep the pauses that are built in, unless others are better by more than noise. */
TEST_WITH(built_in_pauses_are_preferred, setup, teardown)
{
    add_optimistic(10, "1:2", 1010);
    add_optimistic(10, CB_BUILT_IN_PAUSES, 1000);
    add_optimistic(10, "3:4", 1010);
    learns(true, OPTIMISTIC(CB_BUILT_IN_PAUSES, "1000"));
    add_optimistic(10, "5:6", 1100);
    learns(true, OPTIMISTIC("5:6", "1100"));
    cJSON_DeleteItemFromObject(run, "cases");
    cJSON_AddArrayToObject(run, "cases");
    cJSON_DeleteItemFromObject(profile, "primitives");
    add_tuned("mutex", "ticket_backoff", 8, CB_BUILT_IN_PLACE, 1000);
    add_tuned("mutex", "ticket_backoff", 8, "30", 1010);
    learns(true, "{\"primitives\": {\"occupancy\": 8, \"backoff\": {\"mutex.ticket_backoff\": ["
                 "{\"asked\": \"N\", \"groups\": 8, \"ns\": \"" CB_BUILT_IN_PLACE
                 "\", \"throughput\": 1000}]}}}");
}

/* Discovery may find fewer workgroups for some pauses: it is the same level all the same. */
TEST_WITH(a_level_is_what_was_asked_for, setup, teardown)
{
    add_tuned("mutex", "ticket_backoff", 8, "30", 2);
    set_params(add_tuned("mutex", "ticket_backoff", 7, "60", 3), "groups=N");
    assert_true(cb_primitives_learn(run, "d", profile));
    const cJSON *section = cJSON_GetObjectItem(profile, "primitives");
    const cJSON *levels =
        cJSON_GetObjectItem(cJSON_GetObjectItem(section, "backoff"), "mutex.ticket_backoff");
    assert_int_equal(cJSON_GetArraySize(levels), 1);
    assert_string_equal(cJSON_GetObjectItem(levels->child, "asked")->valuestring, "N");
    assert_string_equal(cJSON_GetObjectItem(levels->child, "ns")->valuestring, "60");
    assert_true(cJSON_GetObjectItem(section, "occupancy")->valuedouble == 8);
}

TEST_WITH(only_what_the_tuner_measured_here, setup, teardown)
{
    add_tuned("mutex", "ticket_backoff", 4, "30", 100);
    set_text(add_tuned("mutex", "ticket_backoff", 4, "60", 900), "status", "timeout");
    set_text(add_tuned("mutex", "ticket_backoff", 4, "120", 900), "status", "verify_failed");
    set_text(add_tuned("mutex", "ticket_backoff", 4, "180", 900), "device", "other");
    set_text(add_tuned("mutex", "ticket_backoff", 8, "250", 900), "bench", "memory");
    set_params(add_tuned("mutex", "ticket_backoff", 4, "350", 900), "tune=false");
    learns(true, "{\"primitives\": {\"occupancy\": 4, \"backoff\": {\"mutex.ticket_backoff\": ["
                 "{\"asked\": \"N/2\", \"groups\": 4, \"ns\": \"30\", \"throughput\": 100}]}}}");
}

TEST_WITH(nothing_to_learn, setup, teardown)
{
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(profile, "memory"), "x", 1);
    learns(false, "{\"memory\": {\"x\": 1}}"); /* no case */
    add_all("mutex", MUTEXES, "N", 8, 1, "array");
    add_all("barrier", BARRIERS, "N", 8, 0, "xf");
    learns(false, "{\"memory\": {\"x\": 1}}"); /* none of the tuner */
    set_text(add_tuned("mutex", "spin_backoff", 8, "1:2", 5), "status", "error");
    learns(false, "{\"memory\": {\"x\": 1}}"); /* none that is ok */
    set_text(add_tuned("mutex", "spin_backoff", 8, "1:2", 5), "device", "other");
    learns(false, "{\"memory\": {\"x\": 1}}"); /* none of this device */
}

/* What was learnt before stays, unless it is learnt anew; so do other benches' sections. */
TEST_WITH(older_runs, setup, teardown)
{
    cJSON_Delete(profile);
    profile = cJSON_Parse(
        "{\"memory\": {\"x\": 1}, \"primitives\": {\"occupancy\": 8, \"barrier\": \"patient\","
        "\"mutex\": \"spin\", \"backoff\": {"
        "\"mutex.ticket_backoff\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"30\", "
        "\"throughput\": 1}],"
        "\"mutex.spin_backoff\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"1:2\", "
        "\"throughput\": 9000}]}}}");
    assert_non_null(profile);
    add_tuned("mutex", "spin_backoff", 8, "3:4", 10);
    const char *expected =
        "{\"memory\": {\"x\": 1}, \"primitives\": {\"occupancy\": 8, \"barrier\": \"patient\","
        "\"mutex\": \"spin\", \"backoff\": {"
        "\"mutex.ticket_backoff\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"30\", "
        "\"throughput\": 1}],"
        "\"mutex.spin_backoff\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"3:4\", "
        "\"throughput\": 10}]}}}";
    learns(true, expected);
    learns(true, expected); /* nothing is there twice */
    const cJSON *section = cJSON_GetObjectItem(profile, "primitives");
    assert_int_equal(cJSON_GetArraySize(section), 4);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(section, "backoff")), 2);
}
