/* SPDX-License-Identifier: Apache-2.0
 *
 * The built program on hostile input: makes the files, runs a command in the test's folder, and
 * checks how it ends and what it prints. Includes temp_folder.h: for one test program each.
 */
#pragma once

#include "temp_folder.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "analysis/documents/document.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"
#include "runtime/host/text.h"

#define LONGEST_S 20       /* of a command on a loaded machine; most take 0.1 s */
#define VERDICT   -1       /* the exit code of any comparison */
#define MOST_KB   1500000l /* of its memory, with the sanitizers' own */

/* A name in the folder stands for one of these. */
enum hostile_kind {
    TEXT,     /* the content; a '`' in it is written as a NUL byte */
    REPEATED, /* the content, 200,000 times */
    ZERO,     /* a link to /dev/zero */
    PIPE,     /* a named pipe without a writer */
    FOLDER,
    SPARSE, /* 3 GB that take no room */
    LOOP,   /* a link to itself */
    ABSENT,
};

static void put(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc(*text == '`' ? '\0' : *text, out);
}

static void write_repeated(const char *name, const char *text, int times)
{
    FILE *out = fopen(path_of(name), "w");
    assert_non_null(out);
    for (int i = 0; i < times; i++)
        put(out, text);
    assert_int_equal(fclose(out), 0);
}

static inline void make(const char *name, enum hostile_kind kind, const char *content)
{
    const char *path = path_of(name);
    assert_true(remove(path) == 0 || errno == ENOENT);
    if (kind == TEXT || kind == REPEATED)
        write_repeated(name, content, kind == TEXT ? 1 : 200000);
    else if (kind == ZERO)
        assert_int_equal(symlink("/dev/zero", path), 0);
    else if (kind == PIPE)
        assert_int_equal(mkfifo(path, 0600), 0);
    else if (kind == FOLDER)
        assert_int_equal(mkdir(path, 0700), 0);
    else if (kind == LOOP)
        assert_int_equal(symlink(strrchr(path, '/') + 1, path), 0);
    else if (kind == SPARSE) {
        write_repeated(name, "", 1);
        assert_int_equal(truncate(path, 3000000000), 0);
    }
}

/* The run of the fixtures, in which `to` replaces the first `from` (NULL: as it is), in the folder
 * `name`. */
static inline void make_run(const char *name, const char *from, const char *to)
{
    char path[PATH_MAX], *text = NULL;
    struct cb_err err = {0};
    if (cb_read_file(COOPBENCH_TEST_DIR "/fixtures/export/run.json", &cb_run_file, &text, &err) !=
        CB_OK)
        fail_msg("%s", err.text);
    assert_true(mkdir(path_of(name), 0700) == 0 || errno == EEXIST);
    snprintf(path, sizeof path, "%s/%s/run.json", folder, name);
    FILE *out = fopen(path, "w");
    const char *at = from ? strstr(text, from) : text;
    if (!out || !at)
        fail_msg("no %s in the fixture", from);
    fwrite(text, 1, (size_t)(at - text), out);
    put(out, from ? to : "");
    fputs(at + (from ? strlen(from) : 0), out);
    assert_int_equal(fclose(out), 0);
    free(text);
}

/* ---- Running --------------------------------------------------------------------------------- */

/* Runs a command in the child, and does not return. */
static void start(const char *command)
{
    static const char *const unset[] = {"COOPBENCH_KERNEL_DIR", "COOPBENCH_NO_PROFILE",
                                        "XDG_CONFIG_HOME"};
    char shell[8192];
    bool ready = chdir(folder) == 0 && freopen("out", "w", stdout) && freopen("err", "w", stderr) &&
                 freopen("/dev/null", "r", stdin);
    for (size_t i = 0; i < CB_COUNTOF(unset); i++)
        unsetenv(unset[i]);
    setenv("COOPBENCH_PROFILE_DIR", folder, 1);
    setenv("COOPBENCH_HOSTNAME", "test", 1);
    setpgid(0, 0);
    snprintf(shell, sizeof shell, "coopbench() { exec %s \"$@\"; }; %s", COOPBENCH_PROGRAM,
             command);
    if (ready)
        execl("/bin/sh", "sh", "-c", shell, (char *)NULL);
    _exit(126);
}

/* Waits for the end of the command, which has a while for it. */
static int wait_for(pid_t child, const char *command, struct rusage *usage)
{
    int status = 0;
    const struct timespec look = {0, 5000000};
    for (double left = LONGEST_S; wait4(child, &status, WNOHANG, usage) == 0; left -= 0.005) {
        if (left < 0) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            fail_msg("%s: hung", command);
        }
        nanosleep(&look, NULL);
    }
    if (WIFSIGNALED(status))
        fail_msg("%s: died of signal %d", command, WTERMSIG(status));
    return WEXITSTATUS(status);
}

/* The bytes of an output; the caller's to free. */
static char *output(const char *name)
{
    size_t room = 1 << 20, n = 0;
    FILE *in = fopen(path_of(name), "r");
    char *text = malloc(room);
    assert_non_null(in);
    assert_non_null(text);
    while ((n += fread(text + n, 1, room - n - 1, in)) == room - 1)
        assert_non_null(text = realloc(text, room *= 2));
    fclose(in);
    text[n] = '\0';
    return text;
}

/* Nothing that a terminal obeys, and nothing that makes JSON or XML invalid. */
static void check_clean(const char *command, const char *text)
{
    for (const char *c = text; *c; c += cb_text_character(c))
        if (cb_text_character(c) == 0)
            fail_msg("%s: prints the byte %02x before %.40s", command, (unsigned char)*c, c + 1);
}

/* Runs the command, in which "coopbench" is the built program, in the folder. */
static int execute(const char *command, struct rusage *usage)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        start(command);
    return wait_for(child, command, usage);
}

static inline int exit_code_of(const char *command)
{
    struct rusage usage;
    return execute(command, &usage);
}

/* Runs it, and fails if it does not end with this code and print these words (NULL: any). */
static inline void run(const char *command, int code, const char *words)
{
    struct rusage usage = {0};
    int got = execute(command, &usage);
    char *out = output("out"), *err = output("err");
    bool ended = code == VERDICT ? got == 0 || got == 5 || got == 6 : got == code;
    if (!ended || (words && !strstr(out, words) && !strstr(err, words)) ||
        strstr(err, "Sanitizer") || strstr(err, "runtime error"))
        fail_msg("%s: exit code %d instead of %d, or not \"%s\":\n%.500s\n%.1500s", command, got,
                 code, words ? words : "", out, err);
    check_clean(command, out);
    check_clean(command, err);
    if (usage.ru_maxrss > MOST_KB)
        fail_msg("%s: took %ld kB", command, usage.ru_maxrss);
    free(out);
    free(err);
}
