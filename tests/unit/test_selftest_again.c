/* SPDX-License-Identifier: Apache-2.0
 *
 * A case of selftest that fails is run again, and its row says how often it failed.
 */

#include <string.h>

#include "probes/selftest/again.h"
#include "runtime/session.h"
#include "tests/unit/unit.h"

/* A case that goes as this says, run after run: r right, w wrong, t timeout, e error. */
struct made_up {
    const char *runs;
    int n;
};

static enum cb_status once(void *self, struct cb_sample *sample, struct cb_err *err)
{
    struct made_up *m = self;
    const char how = m->runs[m->n++];
    cb_sample_add(sample, "tasks", m->n);
    cb_sample_check(sample, how != 'w', "wrong");
    return how == 't'   ? cb_fail(err, CB_TIMEOUT, "late")
           : how == 'e' ? cb_fail(err, CB_ERROR, "no device")
                        : CB_OK;
}

static struct cb_session session;

static void goes(const char *runs, enum cb_status status, const char *reason, int n)
{
    struct made_up m = {runs, 0};
    struct cb_sample sample = {.values = cJSON_CreateObject()};
    struct cb_err err = {0};
    assert_int_equal(cb_selftest_try(&session, &m, once, &sample, &err), status);
    assert_string_equal(status == CB_OK ? sample.failure : err.text, reason);
    assert_int_equal(m.n, n);
    /* the values are those of the first run */
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(sample.values, "tasks")), 1);
    cJSON_Delete(sample.values);
    cJSON_Delete(sample.notes);
}

static int new_session(void **unused)
{
    (void)unused;
    memset(&session, 0, sizeof session);
    return 0;
}

static int close_session(void **unused)
{
    (void)unused;
    cb_session_close(&session);
    return 0;
}

TEST_WITH(what_passes_is_run_once, new_session, close_session)
{
    goes("rw", CB_OK, "", 1);
    goes("ew", CB_ERROR, "no device", 1); /* nor what another run may make worse */
}

TEST_WITH(what_fails_is_run_again, new_session, close_session)
{
    goes("wwww", CB_OK, "failed in 4 of 4 runs: wrong", 4);
    goes("wrrr", CB_OK, "failed in 1 of 4 runs: wrong", 4);
    goes("twtr", CB_TIMEOUT, "failed in 3 of 4 runs: late", 4);
}

TEST_WITH(an_error_ends_it, new_session, close_session)
{
    goes("wwerr", CB_OK, "failed in 2 of 2 runs: wrong", 3);
    goes("we", CB_OK, "wrong", 2);
}

TEST_WITH(only_the_first_cases_are, new_session, close_session)
{
    for (int i = 0; i < 3; i++)
        goes("wwww", CB_OK, "failed in 4 of 4 runs: wrong", 4);
    goes("wwww", CB_OK, "wrong", 1);
}

TEST_WITH(a_stuck_device_is_left_alone, new_session, close_session)
{
    session.stuck = true;
    goes("tttt", CB_TIMEOUT, "late", 1);
}

TEST_WITH(reasons_are_read, new_session, close_session)
{
    const struct cb_selftest_again again = cb_selftest_again_of("failed in 2 of 4 runs: wrong"),
                                   none = cb_selftest_again_of("wrong: failed in 2 of 4 runs");
    assert_int_equal(again.failed, 2);
    assert_int_equal(again.runs, 4);
    assert_int_equal(none.failed, 0);
    assert_int_equal(none.runs, 0);
}
