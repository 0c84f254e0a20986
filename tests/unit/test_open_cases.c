/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases of a worker and their batches: each is opened once for its cases, and closed before the
 * next is opened.
 */

#include <stdlib.h>
#include <string.h>

#include "measure/process/open_cases.h"
#include "tests/unit/unit.h"

/* "(a" a batch was opened, ")a" closed, "+b" and "-b" a case, "?" means that it failed. The letter
 * is params' "name". */
static char events[256];

static void note(char event, char name, bool fails)
{
    char text[4] = {event, name, fails ? '?' : '\0', '\0'};
    assert_true(strlen(events) + sizeof text < sizeof events);
    strcat(events, text);
}

struct opened {
    char name;
    void *batch;
};

static enum cb_status open_any(char event, const cJSON *params, void *batch, void **state,
                               struct cb_err *err)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(params, "name"));
    const char *fails = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(params, "fails"));
    bool failed = fails && *fails == event;
    struct opened *o = *state = calloc(1, sizeof *o);
    assert_non_null(o);
    *o = (struct opened){*name, batch};
    note(event, *name, failed);
    return failed ? cb_fail(err, CB_ERROR, "as asked for") : CB_OK;
}

static enum cb_status open_batch(struct cb_session *session, const cJSON *params, void **batch,
                                 struct cb_err *err)
{
    (void)session;
    return open_any('(', params, NULL, batch, err);
}

static void close_batch(void *batch)
{
    note(')', ((struct opened *)batch)->name, false);
    free(batch);
}

static enum cb_status open_case(struct cb_session *session, const cJSON *params, void *batch,
                                void **state, struct cb_err *err)
{
    (void)session;
    return open_any('+', params, batch, state, err);
}

static enum cb_status run_case(void *state, struct cb_sample *sample, struct cb_err *err)
{
    (void)err;
    const struct opened *c = state;
    sample->verified = c->batch != NULL;
    note('!', c->name, false);
    return CB_OK;
}

static void close_case(void *state)
{
    note('-', ((struct opened *)state)->name, false);
    free(state);
}

static const struct cb_bench bench = {.id = "batches",
                                      .open_batch = open_batch,
                                      .close_batch = close_batch,
                                      .open = open_case,
                                      .run = run_case,
                                      .close = close_case};
static const struct cb_bench twin = {.id = "twin",
                                     .open_batch = open_batch,
                                     .close_batch = close_batch,
                                     .open = open_case,
                                     .run = run_case,
                                     .close = close_case};
static const struct cb_bench plain = {
    .id = "plain", .open = open_case, .run = run_case, .close = close_case};

/* ---- Helpers --------------------------------------------------------------------------------- */

static struct cb_open_cases cases;

static enum cb_status open_with(const struct cb_bench *of, const char *id, int batch,
                                const char *fails)
{
    struct cb_err err;
    cJSON *params = cJSON_CreateObject();
    cJSON_AddStringToObject(params, "name", id);
    cJSON_AddStringToObject(params, "fails", fails);
    enum cb_status status = cb_cases_open(&cases, id, of, batch, params, &err);
    cJSON_Delete(params);
    return status;
}

static void opens(const char *id, int batch)
{
    assert_int_equal(open_with(&bench, id, batch, ""), CB_OK);
}

static void closes(const char *id)
{
    cb_cases_close(&cases, id);
}

static int setup(void **unused)
{
    (void)unused;
    cases = (struct cb_open_cases){0};
    events[0] = '\0';
    return 0;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

TEST_WITH(opened_once_for_its_cases, setup, NULL)
{
    opens("a", 1);
    closes("a");
    opens("b", 1);
    opens("c", 1);
    closes("b");
    closes("c");
    assert_string_equal(events, "(a+a-a+b+c-b-c");
    cb_cases_close_all(&cases);
    assert_string_equal(events, "(a+a-a+b+c-b-c)a");
}

TEST_WITH(closed_before_the_next, setup, NULL)
{
    opens("a", 1);
    closes("a");
    opens("b", 2);
    closes("b");
    assert_int_equal(open_with(&twin, "c", 2, ""), CB_OK); /* the number is a benchmark's own */
    closes("c");
    assert_int_equal(open_with(&plain, "d", 0, ""), CB_OK);
    closes("d");
    assert_string_equal(events, "(a+a-a)a(b+b-b)b(c+c-c)c+d-d");
}

TEST_WITH(without_a_number_each_case_has_its_own, setup, NULL)
{
    opens("a", 1);
    closes("a");
    opens("b", 0);
    opens("c", 0);
    closes("b");
    closes("c");
    assert_string_equal(events, "(a+a-a)a(b+b(c+c-b)b-c)c");
}

TEST_WITH(not_closed_while_a_case_is_open, setup, NULL)
{
    opens("a", 1);
    opens("b", 2);
    closes("a");
    cb_cases_close_all(&cases);
    assert_string_equal(events, "(a+a(b+b-a)a-b)b");
}

TEST_WITH(closed_after_it_failed_to_open, setup, NULL)
{
    assert_int_equal(open_with(&bench, "a", 1, "("), CB_ERROR);
    assert_string_equal(events, "(a?)a");
    closes("a");
    opens("b", 1);
    cb_cases_close_all(&cases);
    assert_string_equal(events, "(a?)a(b+b-b)b");
}

TEST_WITH(stays_when_a_case_fails_to_open, setup, NULL)
{
    struct cb_err err;
    struct cb_sample sample = {0};
    assert_int_equal(open_with(&bench, "a", 1, "+"), CB_ERROR);
    assert_int_equal(cb_cases_run(&cases, "a", &sample, &err), CB_ERROR);
    closes("a");
    opens("b", 1);
    assert_string_equal(events, "(a+a?-a+b");
    cb_cases_close_all(&cases);
}

/* All cases of a rehearsal have one id. */
TEST_WITH(a_case_of_the_same_id_is_closed_first, setup, NULL)
{
    opens("a", 0);
    opens("a", 0);
    cb_cases_close_all(&cases);
    assert_string_equal(events, "(a+a-a)a(a+a-a)a");
}

TEST_WITH(cases_have_their_batch, setup, NULL)
{
    struct cb_err err;
    struct cb_sample sample = {0}, other = {0};
    opens("a", 1);
    assert_int_equal(open_with(&plain, "b", 0, ""), CB_OK);
    assert_int_equal(cb_cases_run(&cases, "a", &sample, &err), CB_OK);
    assert_int_equal(cb_cases_run(&cases, "b", &other, &err), CB_OK);
    assert_true(sample.verified);
    assert_false(other.verified);
    assert_int_equal(cb_cases_run(&cases, "c", &other, &err), CB_ERROR);
    cb_cases_close_all(&cases);
}
