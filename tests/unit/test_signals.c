/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/signals.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

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

static void test_signals_that_come_together_are_one(void **state)
{
    (void)state;
    int status = end_of(raise_at_once);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SIGTERM);
}

static void test_a_second_later_it_kills(void **state)
{
    (void)state;
    int status = end_of(raise_a_second_later);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

static void test_a_hangup_is_caught_unless_it_was_ignored(void **state)
{
    (void)state;
    assert_int_equal(WEXITSTATUS(end_of(raise_hangup)), SIGHUP);
    assert_int_equal(WEXITSTATUS(end_of(raise_ignored_hangup)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals_that_come_together_are_one),
        cmocka_unit_test(test_a_second_later_it_kills),
        cmocka_unit_test(test_a_hangup_is_caught_unless_it_was_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
