/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/process.h"

#include <sys/wait.h>
#include <time.h>

#include "runtime/time.h"

bool cb_process_wait(pid_t pid, uint64_t deadline_ns, int *status)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (waitpid(pid, status, WNOHANG) == 0) {
        if (cb_now_ns() >= deadline_ns)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}
