/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/signals.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught_signal;

static void on_signal(int number)
{
    if (caught_signal) { /* impatient: back to the default, which ends the process */
        signal(number, SIG_DFL);
        raise(number);
    }
    caught_signal = number;
}

void cb_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a full file is an error of write(), not a death */
}

int cb_caught_signal(void)
{
    return caught_signal;
}
