/* SPDX-License-Identifier: Apache-2.0
 *
 * What hybrid preemption decides, and the memory that its two processes share.
 */
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probes/preempt/hybrid/board.h"
#include "probes/preempt/hybrid/decide.h"
#include "tests/unit/unit.h"

TEST(the_bound)
{
    assert_int_equal(cb_hybrid_step(0, 1e6), CB_HYBRID_WAIT);
    assert_int_equal(cb_hybrid_step(1e6, 1e6), CB_HYBRID_WAIT);
    assert_int_equal(cb_hybrid_step(1e6 + 1, 1e6), CB_HYBRID_WITHDRAW);
    assert_int_equal(cb_hybrid_step(1, 0), CB_HYBRID_WITHDRAW);
    assert_int_equal(cb_hybrid_step(1e12, INFINITY), CB_HYBRID_WAIT);
    assert_true(cb_hybrid_bound_s("gpu") <= 0.2 * 3e-3); /* the goal beside the shortest task */
    assert_true(cb_hybrid_bound_s("cpu") > cb_hybrid_bound_s("gpu"));
}

TEST(the_watchdog)
{
    struct cb_watchdog w = {.bound_ns = 100};
    assert_false(cb_watchdog_fires(&w, 1e9, 0)); /* nobody waits */
    cb_watchdog_ask(&w, 1000, 7);
    assert_false(cb_watchdog_fires(&w, 1100, 7));
    cb_watchdog_ask(&w, 1090, 7); /* the first has not been heard: its time counts */
    assert_true(cb_watchdog_fires(&w, 1101, 7));
    assert_true(cb_watchdog_fires(&w, 1102, 7));
}

TEST(a_point_calms_it)
{
    struct cb_watchdog w = {.bound_ns = 100};
    cb_watchdog_ask(&w, 1000, UINT32_MAX);
    assert_false(cb_watchdog_fires(&w, 1200, 0)); /* one more */
    assert_false(cb_watchdog_fires(&w, 5000, 0)); /* since then nobody has asked */
    cb_watchdog_ask(&w, 5000, 0);
    assert_false(cb_watchdog_fires(&w, 5100, 0));
    cb_watchdog_ask(&w, 5100, 3); /* a point has come in between */
    assert_false(cb_watchdog_fires(&w, 5200, 3));
    assert_true(cb_watchdog_fires(&w, 5201, 3));
}

TEST(no_watchdog)
{
    struct cb_watchdog w = {0};
    cb_watchdog_ask(&w, 0, 1);
    assert_false(cb_watchdog_fires(&w, 1e18, 1));
}

TEST(which_way_serves)
{
    assert_int_equal(cb_hybrid_serves(20, 0), CB_SERVES_COOPERATION);
    assert_int_equal(cb_hybrid_serves(19, 1), CB_SERVES_COOPERATION);
    assert_int_equal(cb_hybrid_serves(18, 2), CB_SERVES_BOTH);
    assert_int_equal(cb_hybrid_serves(2, 18), CB_SERVES_BOTH);
    assert_int_equal(cb_hybrid_serves(1, 19), CB_SERVES_DRIVER);
    assert_int_equal(cb_hybrid_serves(0, 20), CB_SERVES_DRIVER);
}

TEST(two_processes)
{
    struct cb_board ours, theirs;
    char path[64];
    int status;
    assert_int_equal(cb_board_make(&ours, path, NULL), CB_OK);
    cb_board_write(&ours.words->asked, 41);
    pid_t child = fork();
    if (child == 0) {
        if (cb_board_open(&theirs, path, NULL) == CB_OK)
            cb_board_write(&theirs.words->answered, cb_board_read(&theirs.words->asked) + 1);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(cb_board_read(&ours.words->answered), 42);
    cb_board_close(&ours);
    assert_int_equal(cb_board_open(&theirs, path, NULL), CB_ERROR);
    cb_board_close(&theirs);
}
