/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/signals.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/time.h"

#define IMPATIENCE_NS 1000000000u /* timeout(1) sends the same signal twice, microseconds apart */

static volatile sig_atomic_t caught_signal;
static volatile uint64_t caught_ns; /* only the handler uses it, and no signal interrupts that */

static void on_signal(int number)
{
    uint64_t now = cb_now_ns();
    if (!caught_signal) {
        caught_ns = now;
        caught_signal = number;
    } else if (now - caught_ns >= IMPATIENCE_NS) { /* back to the default, which ends the process */
        signal(number, SIG_DFL);
        raise(number);
    }
}

void cb_catch_signals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}, before;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaddset(&action.sa_mask, ends[i]);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup's */
        sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a full file is an error of write(), not a death */
}

int cb_caught_signal(void)
{
    return caught_signal;
}
