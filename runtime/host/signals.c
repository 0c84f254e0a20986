/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/signals.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "runtime/host/time.h"

#define IMPATIENCE_NS 1000000000u /* timeout(1) sends the same signal twice, microseconds apart */

#define GRACE_S 1

static const int caught_signals[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t caught_signal, ends;
static volatile uint64_t caught_ns; /* only the handler uses it, and no signal interrupts that */

static void on_signal(int number)
{
    uint64_t now = cb_now_ns();
    if (!caught_signal) {
        caught_ns = now;
        caught_signal = number;
        if (ends)
            alarm(GRACE_S);
    } else if (now - caught_ns >= IMPATIENCE_NS) { /* back to the default, which ends the process */
        signal(number, SIG_DFL);
        raise(number);
    }
}

static sigset_t all_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof caught_signals / sizeof *caught_signals; i++)
        sigaddset(&set, caught_signals[i]);
    return set;
}

void cb_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_mask = all_signals()}, before;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup's */
        sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a full file is an error of write(), not a death */
}

static void on_alarm(int unused)
{
    (void)unused;
    signal(caught_signal, SIG_DFL);
    raise(caught_signal);
}

void cb_end_at_signals(void)
{
    signal(SIGALRM, on_alarm);
    ends = 1;
    if (caught_signal)
        alarm(GRACE_S);
}

int cb_caught_signal(void)
{
    return caught_signal;
}

bool cb_wait_for_signal(uint64_t until_ns)
{
    const sigset_t all = all_signals();
    sigset_t before;
    sigprocmask(SIG_BLOCK, &all, &before); /* so that none comes between the look and the wait */
    for (uint64_t now; !caught_signal && (now = cb_now_ns()) < until_ns;) {
        const uint64_t left = until_ns - now;
        const struct timespec time = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
        ppoll(NULL, 0, &time, &before);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return caught_signal != 0;
}
