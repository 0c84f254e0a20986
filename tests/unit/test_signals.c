/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/signals.h"
#include "tests/unit/unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The wait status of a process that calls body. */
static int end_of(void (*body)(void))
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        body();
        _exit(cb_caught_signal());
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void raise_at_once(void)
{
    cb_catch_signals();
    raise(SIGTERM);
    raise(SIGTERM);
    raise(SIGINT);
    raise(SIGHUP);
}

static void raise_a_second_later(void)
{
    const struct timespec pause = {.tv_sec = 1, .tv_nsec = 1000000};
    cb_catch_signals();
    raise(SIGINT);
    nanosleep(&pause, NULL);
    raise(SIGTERM);
}

static void raise_hangup(void)
{
    signal(SIGHUP, SIG_DFL);
    cb_catch_signals();
    raise(SIGHUP);
}

static void raise_ignored_hangup(void)
{
    signal(SIGHUP, SIG_IGN);
    cb_catch_signals();
    raise(SIGHUP);
}

TEST(signals_that_come_together_are_one)
{
    int status = end_of(raise_at_once);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SIGTERM);
}

TEST(a_second_later_it_kills)
{
    int status = end_of(raise_a_second_later);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

TEST(a_hangup_is_caught_unless_it_was_ignored)
{
    assert_int_equal(WEXITSTATUS(end_of(raise_hangup)), SIGHUP);
    assert_int_equal(WEXITSTATUS(end_of(raise_ignored_hangup)), 0);
}

/* Computes on, deaf to signals, for more than a minute if nothing ends it. */
static void compute_on(void)
{
    const struct timespec pause = {.tv_sec = 1};
    for (int i = 0; i < 100; i++)
        nanosleep(&pause, NULL);
}

static void ignore_a_signal(void)
{
    cb_catch_signals();
    cb_end_at_signals();
    raise(SIGINT);
    compute_on();
}

static void ignore_an_earlier_signal(void)
{
    cb_catch_signals();
    raise(SIGTERM);
    cb_end_at_signals();
    compute_on();
}

static void end_in_order(void)
{
    cb_catch_signals();
    cb_end_at_signals();
    raise(SIGINT);
}

TEST(what_only_reads_ends_at_a_signal)
{
    assert_int_equal(WTERMSIG(end_of(ignore_a_signal)), SIGINT);
    assert_int_equal(WTERMSIG(end_of(ignore_an_earlier_signal)), SIGTERM);
    int status = end_of(end_in_order);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SIGINT);
}
