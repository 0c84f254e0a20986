/* SPDX-License-Identifier: Apache-2.0
 *
 * Ctrl-C, SIGTERM and SIGHUP: the first ends the run in order, a second one a second or more later
 * kills. A closed pipe and a file that may not grow are errors of write(), not deaths.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void cb_catch_signals(void);

/* From here on nothing is measured that would be lost: a process that has not ended in order a
 * second after a signal dies of it, wherever it is. */
void cb_end_at_signals(void);

/* The signal that arrived; 0: none. */
int cb_caught_signal(void);

/* Waits for a signal until this time (cb_now_ns()). Whether one arrived, by now or before. */
bool cb_wait_for_signal(uint64_t until_ns);
