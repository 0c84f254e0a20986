/* SPDX-License-Identifier: Apache-2.0
 *
 * Ctrl-C, SIGTERM and SIGHUP: the first ends the run in order, a second one a second or more later
 * kills. A closed pipe and a file that may not grow are errors of write(), not deaths.
 */
#pragma once

void cb_catch_signals(void);

/* The signal that arrived; 0: none. */
int cb_caught_signal(void);
