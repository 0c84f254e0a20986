/* SPDX-License-Identifier: Apache-2.0
 *
 * Which primitives are learnt to be the best, and what the report says of the prediction.
 */
#include "primitives_learnt_fixture.h"
#include "table_fixture.h"
#include "tests/unit/unit.h"

/* The best primitive of a kind in the profile; NULL: none. */
static const char *best_of(const char *kind)
{
    return cJSON_GetStringValue(
        cJSON_GetObjectItem(cJSON_GetObjectItem(profile, "primitives"), kind));
}

static void best_is(const char *kind, const char *expected)
{
    const char *best = best_of(kind);
    if (!best)
        fail_msg("no best %s", kind);
    assert_string_equal(best, expected);
}

/* --- Learning: the best ----------------------------------------------------------------------- */

TEST_WITH(best_of_all_implementations, setup, teardown)
{
    add_all("barrier", BARRIERS, "N", 8, 0, "broadcast");
    add_all("mutex", MUTEXES, "N", 8, 1, "array");
    add_all("semaphore", SEMAPHORES, "N", 8, 10, "sleeping");
    add_tuned("mutex", "spin_backoff", 8, "1:2", 1);
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("barrier", "broadcast");
    best_is("mutex", "array");
    best_is("semaphore", "sleeping");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(profile, "primitives")), 5);
}

/* Pauses that were found in this run may make another one the best: at full contention, and of the
 * same kind. */
TEST_WITH(best_with_new_pauses, setup, teardown)
{
    add_all("mutex", MUTEXES, "N", 8, 1, "array"); /* 1e6 */
    add_tuned("mutex", "ticket_backoff", 4, "30", 9e9);
    add_tuned("semaphore", "spin_backoff", 8, "1:2", 9e9);
    add_tuned("mutex", "ticket_backoff", 8, "30", 9e5);
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("mutex", "array");
    add_tuned("mutex", "spin_backoff", 8, "1:2", 2e6);
    add_tuned("mutex", "ticket_backoff", 8, "60", 3e6);
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("mutex", "ticket_backoff");
}

/* Leaves a name out of a list. */
static char *without(char *list, const char *name)
{
    memset(strstr(list, name), ',', strlen(name));
    return list;
}

/* Among some implementations none is the best; the native barrier is not one of them. */
TEST_WITH(no_best_of_some, setup, teardown)
{
    char barriers[] = BARRIERS "native", mutexes[] = MUTEXES, semaphores[] = SEMAPHORES;
    add_tuned("mutex", "spin_backoff", 8, "1:2", 1);
    add_all("barrier", without(barriers, "patient"), "N", 8, 0, "xf");
    add_all("mutex", without(mutexes, "array"), "N", 8, 1, "ticket");
    add_all("semaphore", without(semaphores, "spin_backoff"), "N", 8, 10, "ticket");
    assert_true(cb_primitives_learn(run, "d", profile));
    assert_null(best_of("barrier"));
    assert_null(best_of("mutex"));
    assert_null(best_of("semaphore"));
    add_all("mutex", "array", "N", 8, 1, "");
    add_all("barrier", "patient", "N", 8, 0, "");
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("barrier", "xf");
    best_is("mutex", "ticket");
    assert_null(best_of("semaphore"));
}

/* At full contention, with one increment, and of semaphores that ten may be in. */
TEST_WITH(what_the_best_is_best_at, setup, teardown)
{
    add_tuned("mutex", "spin_backoff", 8, "1:2", 1);
    add_all("barrier", BARRIERS, "1", 1, 0, "xf");
    add_all("barrier", BARRIERS, "N/4", 2, 0, "counter");
    add_all("barrier", BARRIERS, "N", 8, 0, "patient");
    add("barrier", "native", "N", 8, 0, 9e9);
    add_all("mutex", MUTEXES, "N", 8, 0, "spin");
    add_all("mutex", MUTEXES, "N", 8, 1, "ticket");
    add_all("semaphore", SEMAPHORES, "N", 8, 1, "spin");
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("barrier", "patient");
    best_is("mutex", "ticket");
    assert_null(best_of("semaphore"));
    add_all("semaphore", SEMAPHORES, "N", 8, 10, "optimistic");
    add_all("semaphore", SEMAPHORES, "N", 8, 120, "sleeping");
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("semaphore", "optimistic");
}

TEST_WITH(best_of_another_device, setup, teardown)
{
    cJSON *item;
    add_all("mutex", MUTEXES, "N", 8, 1, "ticket");
    cJSON_ArrayForEach (item, cJSON_GetObjectItem(run, "cases"))
        set_text(item, "device", "other");
    add_tuned("mutex", "spin_backoff", 8, "1:2", 1);
    assert_true(cb_primitives_learn(run, "d", profile));
    assert_null(best_of("mutex"));
}

/* --- The report ------------------------------------------------------------------------------- */

static char *report(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    cb_primitives_report(out, run);
    fclose(out);
    return text;
}

/* The run keeps what `coopbench memory` predicted; the reader's profile does not count. */
TEST_WITH(prediction_of_the_run, setup, teardown)
{
    const struct cb_device device = {
        .id = "d", .name = "Device", .driver_version = "1", .compute_units = 8};
    char path[512];
    struct cb_err err;
    cJSON *kept, *mine = cb_device_to_json(&device);
    assert_true(cJSON_ReplaceItemInArray(cJSON_GetObjectItem(run, "devices"), 0, mine));
    add_all("mutex", MUTEXES, "N", 8, 1, "ticket");
    assert_int_equal(cb_profile_load(&device, &kept, &err), CB_OK);
    cJSON *memory = cJSON_AddObjectToObject(kept, "memory");
    cJSON_AddItemToObject(memory, "prediction",
                          cJSON_Parse("{\"mutex\": {\"low\": \"spin\", \"full\": \"ticket\"}}"));
    if (cb_profile_save(&device, kept, path, &err) != CB_OK)
        fail_msg("%s", err.text);
    char *text = report();
    assert_non_null(
        strstr(text, "\nNo prediction: run 'coopbench memory' on this device first.\n"));
    free(text);

    cJSON_AddItemToObject(mine, "profile", kept);
    assert_int_equal(unlink(path), 0);
    text = report();
    assert_row(after(text, "\nBest primitive"), "predicted", "low contention (8 workgroups)",
               "spin: cannot tell", "full contention (8 workgroups)", "ticket: cannot tell");
    assert_non_null(strstr(text, "\nPredictions of 'coopbench memory': 0 right, 0 wrong, 2 where"));
    free(text);
}
