/* SPDX-License-Identifier: Apache-2.0
 *
 * Child processes. Deadlines are in cb_now_ns() time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Waits for a child process until the deadline; false: it has not ended. Its exit status is that of
 * waitpid(). */
bool cb_process_wait(pid_t pid, uint64_t deadline_ns, int *status);

/* Waits for a child, and kills it at the deadline. Its exit code; -1: it was killed, or crashed. */
int cb_process_end(pid_t pid, uint64_t deadline_ns);

/* Reads to the end of fd, but not past the deadline; keeps what fits into text, without newlines at
 * its begin and white space at its end. */
void cb_process_read(int fd, uint64_t deadline_ns, char *text, size_t size);
