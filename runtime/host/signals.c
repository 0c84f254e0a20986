/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/signals.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "runtime/host/time.h"

#define IMPATIENCE_NS 1000000000u /* timeout(1) sends the same signal twice, microseconds apart */

#define GRACE_S 1

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

void cb_catch_signals(void)
{
    static const int all[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}, before;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sigaddset(&action.sa_mask, all[i]);
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
