/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/process.h"
#include "runtime/time.h"

#define DEADLINE_NS   60000000000u
#define KILL_GRACE_NS 5000000000u
#define NO_GNUPLOT    127 /* exit status of a child that found no gnuplot, as a shell's */
#define PATH_BYTES    PATH_MAX

/* In the child: becomes a gnuplot that draws id.type in folder and complains to messages. */
static void become_gnuplot(const char *folder, const char *id, const char *type, int messages)
{
    char settings[512], script[256];
    snprintf(settings, sizeof settings, "term='%s'; out='%s.%s'", type, id, type);
    snprintf(script, sizeof script, "%s.gp", id);
    /* -d: the user's own gnuplotrc must not change the pictures */
    char *arguments[] = {"gnuplot", "-d", "-e", settings, script, NULL};
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(messages, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    if (chdir(folder) == 0) {
        execvp(arguments[0], arguments);
        if (errno == ENOENT)
            _exit(NO_GNUPLOT);
    }
    dprintf(STDERR_FILENO, "cannot start gnuplot in %s: %s", folder, strerror(errno));
    _exit(1);
}

/* Reads to the end of fd, but not past the deadline; keeps what fits into text. */
static void read_messages(int fd, uint64_t deadline_ns, char *text, size_t size)
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

/* Waits for a child, and ends it at the deadline. Its exit status; -1: it was ended, or crashed. */
static int wait_for(pid_t child, uint64_t deadline_ns)
{
    int status = 0;
    if (!cb_process_wait(child, deadline_ns, &status)) {
        kill(child, SIGKILL);
        cb_process_wait(child, cb_now_ns() + KILL_GRACE_NS, &status);
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum cb_status cb_gnuplot_draw(const char *folder, const char *id, const char *type,
                               struct cb_err *err)
{
    char path[PATH_BYTES], messages[CB_ERR_TEXT / 2];
    int ends[2];
    struct stat info;
    if (snprintf(path, sizeof path, "%s/%s.%s", folder, id, type) >= PATH_BYTES)
        return cb_fail(err, CB_ERROR, "path too long: %s", folder);
    unlink(path); /* a picture that is there afterwards is new */
    if (pipe2(ends, O_CLOEXEC) != 0)
        return cb_fail(err, CB_ERROR, "cannot start gnuplot: %s", strerror(errno));
    uint64_t deadline_ns = cb_now_ns() + DEADLINE_NS;
    pid_t child = fork();
    if (child == 0)
        become_gnuplot(folder, id, type, ends[1]);
    close(ends[1]);
    read_messages(ends[0], deadline_ns, messages, sizeof messages);
    close(ends[0]);
    if (child < 0)
        return cb_fail(err, CB_ERROR, "cannot start gnuplot: fork failed");
    int code = wait_for(child, deadline_ns);
    if (code == NO_GNUPLOT)
        return cb_fail(err, CB_UNSUPPORTED,
                       "gnuplot not found: install it with 'apt-get install gnuplot-nox'; the data "
                       "and scripts are in %s",
                       folder);
    if (code == 0 && stat(path, &info) == 0 && info.st_size > 0)
        return CB_OK;
    const char *why = cb_now_ns() >= deadline_ns ? "it took too long" : "it wrote no picture";
    return cb_fail(err, CB_ERROR, "gnuplot failed to draw %s (data and script beside it): %s", path,
                   *messages ? messages : why);
}
