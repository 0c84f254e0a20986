/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench: what a device does when workgroups have to wait for each other.
 * This folder is the only place that prints help or failures and decides the exit code.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "apps/host/setup_trial.h"
#include "cli/commands.h"
#include "cli/complete.h"
#include "measure/process/supervisor.h"
#include "measure/text/nearest.h"
#include "runtime/drivers.h"
#include "runtime/host/files.h"
#include "runtime/host/signals.h"
#include "runtime/version.h"

static void print_exit_codes(FILE *out)
{
    int column = fprintf(out, "Exit codes:");
    for (const struct cb_meaning *code = cb_exit_codes; code->what; code++) {
        int width = (int)(strlen(code->what) + strlen(code->meaning)) + 3;
        if (column + width > 80) {
            fprintf(out, "\n ");
            column = 1;
        }
        column += fprintf(out, " %s %s%c", code->what, code->meaning, code[1].what ? ',' : '.');
    }
    fputc('\n', out);
}

static void print_help(FILE *out)
{
    fprintf(out, "coopbench measures what an OpenCL device does when workgroups have to wait for\n"
                 "each other.\n\nUsage: coopbench COMMAND [OPTIONS]\n\nBenchmarks:\n");
    for (int i = 0; cb_benches[i]; i++)
        fprintf(out, "  %-12s %s\n               (%s)\n", cb_benches[i]->id, cb_benches[i]->summary,
                cb_benches[i]->reproduces);
    fprintf(out, "\nOther commands:\n");
    for (const struct cb_command *command = cb_commands; command->name; command++)
        fprintf(out, "  %-12s %s\n", command->name, command->summary);
    fprintf(out, "\n'coopbench COMMAND --help' tells the options of a command.\n\n"
                 "First steps:\n"
                 "  coopbench list devices        what is here, and what it can do\n"
                 "  coopbench discover            how many workgroups run at once\n"
                 "  coopbench plot results/latest the pictures of the last run\n"
                 "  coopbench compare --baseline RUN  the last run against an earlier one\n"
                 "  coopbench glossary            what N, bound, gather and other words mean\n\n");
    print_exit_codes(out);
}

static int print_version(void)
{
    printf("coopbench %s", cb_version.version);
    if (cb_version.git_sha[0])
        printf(" (%s%s)", cb_version.git_sha, cb_version.git_dirty ? ", modified" : "");
    printf(", %s, %s\n", cb_version.compiler, cb_version.build_type);
    return 0;
}

static const char *option_at(const void *unused, int i)
{
    static const char *const options[] = {"help", "version", NULL};
    (void)unused;
    return options[i];
}

static int unknown_command(const char *name, struct cb_err *err)
{
    if (name[0] == '-') {
        const char *option = cb_nearest(name + strspn(name, "-"), option_at, NULL);
        if (option)
            cb_fail(err, CB_USAGE, "unknown option %s (did you mean --%s?)", name, option);
        else
            cb_fail(err, CB_USAGE, "unknown option %s; options come after a command", name);
        return cb_exit_code_of(CB_USAGE);
    }
    const char *nearest = cb_nearest(name, cb_command_name, NULL);
    if (nearest)
        cb_fail(err, CB_USAGE, "unknown command \"%s\" (did you mean \"%s\"?)", name, nearest);
    else
        cb_fail(err, CB_USAGE, "unknown command \"%s\"; 'coopbench --help' lists them", name);
    return cb_exit_code_of(CB_USAGE);
}

/* What ended well although a signal came may lack something, and a script should not go on. */
static int or_signal(int code)
{
    return code == 0 && cb_caught_signal() ? cb_exit_code_of(CB_INTERRUPTED) : code;
}

/* argv[0] is the name of the command. */
static int run_command(int argc, char **argv, struct cb_err *err)
{
    const struct cb_command *command = cb_command_find(argv[0]);
    if (command && !command->measures)
        cb_end_at_signals();
    if (command)
        return or_signal(command->run(argc, argv, err));
    const struct cb_bench *bench = cb_bench_find(argv[0]);
    return bench ? cb_cmd_bench(bench, argc, argv, err) : unknown_command(argv[0], err);
}

static int dispatch(int argc, char **argv, struct cb_err *err)
{
    if (argc < 2) {
        print_help(stderr);
        return 2;
    }
    const char *name = argv[1];
    if (strcmp(name, "worker") == 0) /* not for people: measure/process/supervisor.c starts it */
        return cb_worker_main(3, 4);
    if (strcmp(name, "trial") == 0) /* not for people: apps/host/setup_trial.c starts it */
        return cb_setup_trial_main(argc, argv);
    if (strcmp(name, "complete") == 0) { /* not for people: cli/completion/ */
        cb_complete(stdout, argv + 2, argc - 2);
        return 0;
    }
    if (strcmp(name, "help") == 0 && argc > 2 && argv[2][0] != '-' &&
        strcmp(argv[2], "help") != 0) {
        char flag[] = "--help", *words[] = {argv[2], flag, NULL};
        return run_command(2, words, err);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return 0;
    }
    if (strcmp(name, "--version") == 0)
        return print_version();
    return run_command(argc - 1, argv + 1, err);
}

/* Bytes of stack with which coopbench comes to tell what a driver lacks. */
#define LEAST_STACK 32768

/* Ends the program where its own functions have no room. stdio, too, would need more stack. */
static void check_stack(void)
{
    static const char text[] =
        "coopbench: this shell allows too little stack: raise it with 'ulimit -s 1024'\n";
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= LEAST_STACK)
        return;
    _exit(write(STDERR_FILENO, text, sizeof text - 1) < 0 ? 2 : 1);
}

/* Takes the places of standard files that are closed, so that no other file gets there. To write to
 * standard output stays an error. */
static void fill_standard_files(void)
{
    static const int modes[] = {O_RDONLY, O_RDONLY, O_RDWR};
    for (int file = 0; file < (int)CB_COUNTOF(modes); file++)
        if (fcntl(file, F_GETFD) < 0)
            open("/dev/null", modes[file]); /* the lowest number that is free: this one */
}

/* Lost output turns success into failure. A reader that has closed its pipe gets no message, as if
 * SIGPIPE had ended the program; it is ignored, so that results are written all the same. */
static int check_output(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (cb_reader_is_gone(stdout)) {
        if (code != 0)
            return code;
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    const char *why = "what came before is lost";
    if (write(STDOUT_FILENO, "\n", 1) < 0) /* why the one before failed may be forgotten */
        why = errno == EBADF ? "it is closed" : strerror(errno);
    fprintf(stderr, "coopbench: cannot write to standard output: %s\n", why);
    return code ? code : 1;
}

/* Not a part of main(), which has to fit into any stack. */
__attribute__((noinline)) static int run(int argc, char **argv)
{
    struct cb_err err = {0};
    fill_standard_files();
    cb_catch_signals();
    int code = dispatch(argc, argv, &err);
    if (err.text[0])
        fprintf(stderr, "coopbench: %s\n", err.text);
    return check_output(code);
}

int main(int argc, char **argv)
{
    cb_drivers_raise_stack();
    check_stack();
    return run(argc, argv);
}
