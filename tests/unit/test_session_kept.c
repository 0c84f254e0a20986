/* SPDX-License-Identifier: Apache-2.0
 *
 * What files keep with a session: one piece of memory for each kind, until the session is closed.
 */

#include "runtime/session.h"
#include "tests/unit/unit.h"

static int released;

static void release(void *kept)
{
    released += *(int *)kept;
}

static const struct cb_kept_kind counted = {sizeof(int), release};
static const struct cb_kept_kind plain = {sizeof(double), NULL};

TEST(each_kind_is_kept_once)
{
    struct cb_session session = {0};
    struct cb_err err;
    int *number = cb_session_kept(&session, &counted, &err);
    double *other = cb_session_kept(&session, &plain, &err);
    assert_non_null(number);
    assert_non_null(other);
    assert_int_equal(*number, 0);
    assert_true(*other == 0);
    *number = 7;
    assert_ptr_equal(cb_session_kept(&session, &counted, &err), number);
    assert_ptr_equal(cb_session_kept(&session, &plain, &err), other);
    released = 0;
    cb_session_close(&session);
    assert_int_equal(released, 7);
    assert_null(session.kept);
}

TEST(what_depends_on_a_neighbour_is_kept_for_each)
{
    static const struct cb_kept_kind found = {sizeof(int), .by_neighbour = true};
    struct cb_session session = {0};
    struct cb_err err;
    int *alone = cb_session_kept(&session, &found, &err);
    int *number = cb_session_kept(&session, &counted, &err);
    *alone = 7;
    session.neighbour = 42;
    int *beside = cb_session_kept(&session, &found, &err);
    assert_ptr_not_equal(beside, alone);
    assert_int_equal(*beside, 0);
    assert_ptr_equal(cb_session_kept(&session, &found, &err), beside);
    assert_ptr_equal(cb_session_kept(&session, &counted, &err), number);
    session.neighbour = 0;
    assert_ptr_equal(cb_session_kept(&session, &found, &err), alone);
    cb_session_close(&session);
}

TEST(a_second_queue_has_that_of_the_first)
{
    struct cb_session session = {0}, second = {.first = &session};
    struct cb_err err;
    int *number = cb_session_kept(&second, &counted, &err);
    assert_ptr_equal(cb_session_kept(&session, &counted, &err), number);
    *number = 1;
    released = 0;
    cb_session_close(&second);
    assert_int_equal(released, 0);
    cb_session_close(&session);
    assert_int_equal(released, 1);
}
