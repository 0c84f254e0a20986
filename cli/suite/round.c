/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/round.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/host/process.h"
#include "runtime/host/signals.h"
#include "runtime/host/time.h"

#define VERSION_DEADLINE_NS 10000000000u
#define END_GRACE_NS        60000000000u /* for a run that was interrupted to write its results */
#define POLL_NS             20000000     /* seldom: it is being measured */

/* In the child: a process group of its own, so that Ctrl-C of a terminal reaches it once, from its
 * parent, and everything that a wrapper has started. */
static void become(char *const *command, int out)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int quiet = open("/dev/null", O_RDONLY);
    dup2(quiet, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    execvp(command[0], command);
    _exit(127);
}

enum cb_status cb_round_version(const char *program, char *version, size_t size, struct cb_err *err)
{
    char *command[] = {(char *)program, "--version", NULL};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return cb_fail(err, CB_ERROR, "cannot start %s: %s", program, strerror(errno));
    uint64_t deadline_ns = cb_now_ns() + VERSION_DEADLINE_NS;
    pid_t child = fork();
    if (child == 0)
        become(command, ends[1]);
    close(ends[1]);
    cb_process_read(ends[0], deadline_ns, version, size);
    close(ends[0]);
    if (child < 0)
        return cb_fail(err, CB_ERROR, "cannot start %s: fork failed", program);
    int code = cb_process_end(child, deadline_ns);
    if (code == 0 && strncmp(version, "coopbench ", strlen("coopbench ")) == 0)
        return CB_OK;
    version[strcspn(version, "\n")] = '\0';
    return cb_fail(err, CB_USAGE,
                   "--interleave: %s is no coopbench that can be run: '%s --version' ended with "
                   "exit code %d and said \"%.80s\"; name the executable of another build, as "
                   "../base/build/coopbench",
                   program, program, code, version);
}

int cb_round_run(char *const *command, uint64_t limit_ns)
{
    const struct timespec pause = {.tv_nsec = POLL_NS};
    const uint64_t begin_ns = cb_now_ns();
    uint64_t deadline_ns = 0; /* once it was told to end */
    bool too_long = false;
    int status;
    pid_t child = fork();
    if (child == 0)
        become(command, STDERR_FILENO);
    if (child < 0)
        return 127;
    while (waitpid(child, &status, WNOHANG) == 0) {
        const bool over = limit_ns > 0 && cb_now_ns() - begin_ns > limit_ns;
        if ((cb_caught_signal() || over) && deadline_ns == 0) {
            kill(-child, cb_caught_signal() ? cb_caught_signal() : SIGTERM);
            too_long = !cb_caught_signal();
            deadline_ns = cb_now_ns() + END_GRACE_NS;
        } else if (deadline_ns && cb_now_ns() > deadline_ns) {
            kill(-child, SIGKILL);
        }
        nanosleep(&pause, NULL);
    }
    if (too_long)
        return CB_ROUND_TOO_LONG;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
