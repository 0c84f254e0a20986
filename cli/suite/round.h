/* SPDX-License-Identifier: Apache-2.0
 *
 * Another coopbench as a child process.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/host/error.h"

/* words that a round adds to a command line, with the NULL after it */
#define CB_ROUND_OPTIONS 10

/* Asks a program what it is: "coopbench 0.1.0 (...)". CB_USAGE: it is no coopbench. */
enum cb_status cb_round_version(const char *program, char *version, size_t size,
                                struct cb_err *err);

#define CB_ROUND_TOO_LONG 124 /* as of timeout(1) */

/* Runs a command and waits for its end. A signal that this program catches is passed on, once;
 * after limit_ns (0: never) it gets a SIGTERM; a child that does not end then is killed. Returns
 * its exit code; 128 + the signal that killed it; 127: it could not be started; CB_ROUND_TOO_LONG.
 */
int cb_round_run(char *const *command, uint64_t limit_ns);
