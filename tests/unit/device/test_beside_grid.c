/* SPDX-License-Identifier: Apache-2.0
 *
 * When a grid beside launches begins and ends.
 */
#include "tests/unit/device/beside_fixture.h"

#define FOR_EVER_NS 1000000000000u /* a longest wait, so that no grid is old */
#define HALF_NS     2e9            /* of the shortest grid */
#define TURNS       7              /* of a longest wait, where there is no clock */

static struct cb_session session;
static struct cb_beside_work work;
static struct cb_launch_hook hook; /* of the grid */
static bool is_in_grid, has_clock = true;

/* Only of the session's launches is the grid told: else it would wait for itself. */
static void before(void *self)
{
    if (is_in_grid)
        fail_msg("a grid's own launch is told to the grid");
    is_in_grid = true;
    hook.before(self);
    is_in_grid = false;
}

static void once(void)
{
    struct cb_err err = {0};
    is_in_grid = true;
    assert_int_equal(work.once(work.self, &err), CB_OK);
    is_in_grid = false;
}

/* A grid has begun before anything is launched. */
static void begin(uint64_t wait_deadline_ns, bool after)
{
    struct cb_err err = {0};
    cl_int code;
    is_in_grid = ends_early = refuses = false;
    session = (struct cb_session){.info = {.type = "cpu",
                                           .platform = CB_POCL_PLATFORM,
                                           .svm = "atomics",
                                           .host_channel = "svm",
                                           .max_wg_size = 64},
                                  .queue = clCreateCommandQueue(NULL, NULL, 0, &code),
                                  .ns_per_tick = has_clock,
                                  .wait_deadline_ns = wait_deadline_ns,
                                  .deadlines.deadline_turns = TURNS};
    happened[0] = '\0';
    assert_int_equal(cb_beside_grid(&session, GROUPS, 1, after, &work, &err), CB_OK);
    assert_string_equal(happened, "GE"); /* a first launch, which may take long */
    hook = session.hook;
    session.hook.before = before;
    happened[0] = '\0';
    once();
    assert_string_equal(happened, "G");
}

static cl_event launch(cl_command_queue queue)
{
    const struct cb_range range = cb_range_of(1, 2, 1);
    struct cb_err err = {0};
    cl_event event;
    assert_int_equal(cb_launch_enqueue(&session, queue, &measured, &range, &event, &err), CB_OK);
    return event;
}

static void launch_and_end(void)
{
    struct cb_err err = {0};
    assert_int_equal(cb_launch_end(&session, launch(session.queue), 2, NULL, NULL, &err), CB_OK);
}

static enum cb_status check(void)
{
    struct cb_err err = {0};
    return work.check(work.self, &err);
}

/* Nothing is left of it. */
static void close_grid(void)
{
    work.close(work.self);
    assert_null(session.hook.before);
    assert_int_equal(session.queue->holders, 1);
    clReleaseCommandQueue(session.queue);
}

/* No grid goes on until it is closed. */
static void end(const char *expected)
{
    assert_string_equal(happened, expected);
    close_grid();
    assert_string_equal(happened, expected);
}

TEST(there_is_a_grid_beside_each_launch_and_none_after_it)
{
    begin(FOR_EVER_NS, false);
    launch_and_end();
    assert_string_equal(happened, "GmE");
    launch_and_end();
    assert_int_equal(check(), CB_OK);
    end("GmEGmE");
}

TEST(a_grid_comes_after_each_launch)
{
    begin(FOR_EVER_NS, true);
    launch_and_end();
    assert_string_equal(happened, "GEmGE");
    launch_and_end();
    assert_int_equal(check(), CB_OK);
    end("GEmGEmGE");
}

/* Steps of which nobody says that they have ended: one grid beside all of them. */
TEST(a_grid_ends_when_it_finds_that_steps_have_ended)
{
    for (int after = 0; after < 2; after++) {
        begin(FOR_EVER_NS, after);
        launch(session.queue);
        launch(session.queue);
        assert_string_equal(happened, after ? "GEmGm" : "Gmm");
        once();
        assert_string_equal(happened, after ? "GEmGmE" : "GmmE");
        once(); /* nothing is launched: no grid */
        launch_and_end();
        end(after ? "GEmGmEmGE" : "GmmEGmE");
    }
}

TEST(a_grid_stays_until_all_queues_have_done_all)
{
    cl_int code;
    begin(FOR_EVER_NS, false);
    cl_command_queue other = clCreateCommandQueue(NULL, NULL, 0, &code);
    launch(other);
    launch_and_end();
    assert_string_equal(happened, "Gmm");
    assert_int_equal(other->holders, 2);
    once();
    assert_int_equal(other->holders, 1);
    clReleaseCommandQueue(other);
    end("GmmE");
}

TEST(nothing_is_left_of_a_grid_that_is_closed_while_launches_go_on)
{
    begin(FOR_EVER_NS, false);
    launch(session.queue);
    assert_string_equal(happened, "Gm");
    close_grid();
    assert_string_equal(happened, "GmE");
}

TEST(no_grid_stays_where_a_launch_was_refused)
{
    for (int after = 0; after < 2; after++) {
        const struct cb_range range = cb_range_of(1, 2, 1);
        struct cb_err err = {0};
        begin(FOR_EVER_NS, after);
        refuses = true;
        assert_int_equal(cb_launch_enqueue(&session, session.queue, &measured, &range, NULL, &err),
                         CB_ERROR);
        assert_string_equal(happened, "GE");
        refuses = false;
        launch_and_end();
        assert_int_equal(check(), CB_OK);
        end(after ? "GEmGE" : "GEGmE");
    }
}

TEST(a_grid_is_looked_at_before_it_is_said_to_have_no_room)
{
    launch_ns = 0.11e9; /* the least time that is left to a grid is 0.1 s */
    begin(1, false);
    launch_ns = 0;
    close_grid();
}

/* A grid of which at least half is to come is there for the next launch. */
TEST(a_grid_past_half_of_its_length_is_replaced)
{
    begin(1, false);
    cb_sleep_until_ns((double)cb_now_ns() + HALF_NS);
    launch_and_end();
    assert_int_equal(check(), CB_OK);
    end("GEGmE");
}

/* A read of a buffer comes after the steps that wrote it: the next step gets a new grid, as the old
 * one may end during it. */
TEST(a_grid_past_half_of_its_length_is_replaced_between_steps)
{
    struct cb_err err = {0};
    int read;
    begin(1, false);
    launch(session.queue);
    cb_sleep_until_ns((double)cb_now_ns() + HALF_NS);
    assert_int_equal(cb_buffer_read(&session, NULL, &read, sizeof read, &err), CB_OK);
    assert_true(strrchr(happened, 'E') > strrchr(happened, 'm'));
    close_grid();
    begin(FOR_EVER_NS, false);
    for (int step = 0; step < 2; step++) {
        launch(session.queue);
        assert_int_equal(cb_buffer_read(&session, NULL, &read, sizeof read, &err), CB_OK);
    }
    assert_string_equal(happened, "Gmm");
    close_grid();
}

TEST(a_launch_that_lasts_longer_than_the_grid_is_an_error)
{
    for (int unsaid = 0; unsaid < 2; unsaid++) {
        struct cb_err err = {0};
        begin(FOR_EVER_NS, false);
        cl_event event = launch(session.queue);
        assert_int_equal(check(), CB_OK);
        ends_early = true;
        if (unsaid)
            assert_int_equal(work.once(work.self, &err), CB_ERROR);
        else
            cb_launch_end(&session, event, 2, NULL, NULL, &err);
        assert_int_equal(work.check(work.self, &err), CB_ERROR);
        assert_non_null(
            strstr(err.text, "the grid ended, after 4e+03 s, before what was launched"));
        end("GmE");
    }
}

TEST(a_grid_without_a_clock_lasts_for_as_many_waits_as_others)
{
    has_clock = false;
    begin(1000000, false);
    assert_int_equal(turns, 4000 * TURNS);
    close_grid();
    assert_string_equal(happened, "GE"); /* it went on, and was ended */
    begin(FOR_EVER_NS, false);
    assert_int_equal(turns, 4 * TURNS);
    close_grid();
    has_clock = true;
}
