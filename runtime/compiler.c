/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/compiler.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/source.h"

static void (*told)(const char *line);
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER; /* there is one standard error */

void cb_compiler_tells(void (*tell)(const char *line))
{
    told = tell;
}

bool cb_compiler_tells_anybody(void)
{
    return told;
}

/* "2 warnings and 1 error generated." */
static bool is_count(const char *line)
{
    static const char ending[] = " generated.\n";
    const size_t n = strlen(line), m = strlen(ending);
    return *line >= '1' && *line <= '9' && n > m && strcmp(line + n - m, ending) == 0;
}

static void print_without_counts(int from)
{
    FILE *in = lseek(from, 0, SEEK_SET) == 0 ? fdopen(from, "r") : NULL;
    char *line = NULL;
    size_t room = 0;
    while (in && getline(&line, &room, in) > 0)
        if (!is_count(line))
            fputs(line, stderr);
    free(line);
    if (in)
        fclose(in);
    else
        close(from);
}

/* While a compiler is at work: standard error as it was, and what is written in its place. */
static int own = -1, said = -1;
static struct sigaction before_abort, before_fault;

/* The compiler ends the process: what it has said would be lost with it. */
static void end_compiler(int number)
{
    char part[1024];
    off_t at = 0;
    for (ssize_t n; (n = pread(said, part, sizeof part, at)) > 0; at += n)
        if (write(own, part, (size_t)n) < 0)
            break;
    dup2(own, STDERR_FILENO);
    sigaction(number, number == SIGABRT ? &before_abort : &before_fault, NULL);
    raise(number);
}

static void begin_listening(void)
{
    struct sigaction end = {.sa_handler = end_compiler};
    own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    said = own >= 0 ? memfd_create("compiler", MFD_CLOEXEC) : -1;
    if (said < 0)
        return;
    sigaction(SIGABRT, &end, &before_abort);
    sigaction(SIGSEGV, &end, &before_fault);
    dup2(said, STDERR_FILENO);
}

static void end_listening(void)
{
    if (said >= 0) {
        dup2(own, STDERR_FILENO);
        sigaction(SIGABRT, &before_abort, NULL);
        sigaction(SIGSEGV, &before_fault, NULL);
        print_without_counts(said);
    }
    if (own >= 0)
        close(own);
    own = said = -1;
}

cl_int cb_compiler_build(cl_program program, cl_device_id device, const char *options)
{
    if (!told)
        return clBuildProgram(program, 1, &device, options, NULL, NULL);
    pthread_mutex_lock(&one_at_a_time);
    begin_listening();
    const cl_int code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    end_listening();
    pthread_mutex_unlock(&one_at_a_time);
    return code;
}

/* In no file of ours, in "solver.cl:4:2: warning: ..." or, as PoCL writes it, "warning:
 * solver.cl:4:2: ...". */
static bool is_of_user(const char *line)
{
    static const char first[] = "warning: ";
    const bool is_first = strncmp(line, first, strlen(first)) == 0;
    const char *path = is_first ? line + strlen(first) : line;
    bool is = strstr(line, "warning: ");
    for (const struct cb_embedded *f = cb_embedded_files; f->path && is; f++)
        is = strncmp(path, f->path, strlen(f->path)) != 0 || path[strlen(f->path)] != ':';
    return is;
}

void cb_compiler_tell(const char *log)
{
    char *lines = told ? strdup(log) : NULL, *rest = NULL;
    for (char *line = lines ? strtok_r(lines, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        if (is_of_user(line))
            told(line);
    free(lines);
}
