/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Waits for a child process until the deadline (in cb_now_ns() time); false: it has not ended. Its
 * exit status is that of waitpid(). */
bool cb_process_wait(pid_t pid, uint64_t deadline_ns, int *status);
