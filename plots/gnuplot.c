/* SPDX-License-Identifier: Apache-2.0 */
#include "plots/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plots/svg.h"
#include "runtime/host/files.h"
#include "runtime/host/process.h"
#include "runtime/host/signals.h"
#include "runtime/host/time.h"

#define DEADLINE_NS 60000000000u
#define NO_GNUPLOT  127 /* exit status of a child that found no gnuplot, as a shell's */
#define PATH_BYTES  PATH_MAX

/* In the child: becomes a gnuplot that draws id.type in folder and complains to messages. */
static void become_gnuplot(const char *folder, const char *id, const char *type, int messages)
{
    char settings[512], script[256];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
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

/* Points of a picture tell their values to browsers. */
static enum cb_status tell_points(const char *path, struct cb_err *err)
{
    static const struct cb_file_kind picture = {"a picture", 0};
    char *svg = NULL;
    enum cb_status status = cb_read_file(path, &picture, &svg, err);
    FILE *out = status == CB_OK ? fopen(path, "we") : NULL;
    if (out)
        cb_svg_print(out, svg);
    bool lost = out && ferror(out);
    if (status == CB_OK && (!out || fclose(out) != 0 || lost))
        status = cb_fail(err, CB_ERROR, "cannot write %s: %s", path, strerror(errno));
    free(svg);
    return status;
}

enum cb_status cb_gnuplot_draw(const char *folder, const char *id, const char *type,
                               struct cb_err *err)
{
    char path[PATH_BYTES], messages[CB_ERR_TEXT / 2];
    int ends[2];
    struct stat info;
    if (snprintf(path, sizeof path, "%s/%s.%s", folder, id, type) >= PATH_BYTES)
        return cb_fail(err, CB_ERROR, "path too long: %s", folder);
    if (cb_caught_signal())
        return cb_fail(err, CB_INTERRUPTED, "interrupted");
    unlink(path); /* a picture that is there afterwards is new */
    if (pipe2(ends, O_CLOEXEC) != 0)
        return cb_fail(err, CB_ERROR, "cannot start gnuplot: %s", strerror(errno));
    uint64_t deadline_ns = cb_now_ns() + DEADLINE_NS;
    pid_t child = fork();
    if (child == 0)
        become_gnuplot(folder, id, type, ends[1]);
    close(ends[1]);
    cb_process_read(ends[0], deadline_ns, messages, sizeof messages);
    close(ends[0]);
    if (child < 0)
        return cb_fail(err, CB_ERROR, "cannot start gnuplot: fork failed");
    int code = cb_process_end(child, deadline_ns);
    if (code == NO_GNUPLOT)
        return cb_fail(err, CB_UNSUPPORTED,
                       "gnuplot not found: install it with 'apt-get install gnuplot-nox'");
    if (code == 0 && stat(path, &info) == 0 && info.st_size > 0)
        return strcmp(type, "svg") == 0 ? tell_points(path, err) : CB_OK;
    if (cb_caught_signal())
        return cb_fail(err, CB_INTERRUPTED, "interrupted");
    const char *why = cb_now_ns() >= deadline_ns ? "it took too long"
                      : code < 0                 ? "it crashed"
                                                 : "it wrote no picture";
    return cb_fail(err, CB_ERROR, "gnuplot failed to draw %s.%s: %s", id, type,
                   *messages ? messages : why);
}
