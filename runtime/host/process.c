/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/host/time.h"

#define KILL_GRACE_NS 5000000000u

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

int cb_process_end(pid_t pid, uint64_t deadline_ns)
{
    int status = 0;
    if (!cb_process_wait(pid, deadline_ns, &status)) {
        kill(pid, SIGKILL);
        cb_process_wait(pid, cb_now_ns() + KILL_GRACE_NS, &status);
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void cb_process_read(int fd, uint64_t deadline_ns, char *text, size_t size)
{
    size_t n = 0;
    for (uint64_t now; (now = cb_now_ns()) < deadline_ns;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        char chunk[512];
        ssize_t got = -1;
        if (poll(&ready, 1, (int)((deadline_ns - now) / 1000000) + 1) > 0)
            got = read(fd, chunk, sizeof chunk);
        else
            errno = EINTR;
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        for (ssize_t i = 0; i < got && n + 1 < size; i++)
            if (n > 0 || chunk[i] != '\n')
                text[n++] = chunk[i];
    }
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' '))
        n--;
    text[n] = '\0';
}
