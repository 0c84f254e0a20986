/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of a neighbour in a worker that has failed: the next case begins another.
 */
#include "measure/process/beside.h"
#include "tests/unit/unit.h"

static bool fails;
static int closed;

static enum cb_status work(void *self, struct cb_err *err)
{
    (void)self, (void)err;
    return CB_OK;
}

static enum cb_status check(void *self, struct cb_err *err)
{
    (void)self;
    return fails ? cb_fail(err, CB_ERROR, "no room") : CB_OK;
}

static void close_work(void *self)
{
    (void)self;
    closed++;
}

TEST(who_has_failed_is_gone)
{
    const struct cb_beside_work works = {.once = work, .check = check, .close = close_work};
    const struct cb_rhythm rhythm = {.every_s = 0.01, .for_s = 0.001};
    struct cb_beside_thread *thread = NULL;
    struct cb_err err = {0};
    assert_int_equal(cb_beside_keep(&thread, &err), CB_OK);
    assert_int_equal(cb_beside_thread_start(&works, &rhythm, &thread, &err), CB_OK);
    assert_int_equal(cb_beside_keep(&thread, &err), CB_OK);
    assert_non_null(thread);
    assert_int_equal(closed, 0);
    fails = true;
    assert_int_equal(cb_beside_keep(&thread, &err), CB_ERROR);
    assert_string_equal(err.text, "no room");
    assert_null(thread);
    assert_int_equal(closed, 1);
    err = (struct cb_err){0};
    assert_int_equal(cb_beside_keep(&thread, &err), CB_OK);
}
