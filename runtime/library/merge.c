/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging, in a child: libclang and the LLVM of a driver do not get along in one process.
 */
#include "runtime/merge/merge.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/library/handle.h"
#include "runtime/source.h"

/* What the child says: a status and a text, of warnings if all is well. */
struct answer {
    enum cb_status status;
    char text[CB_ERR_TEXT];
};

static enum cb_status write_program(const struct cb_merge_source *sources, unsigned n,
                                    const char *path, struct cb_err *err)
{
    struct cb_merge_kernel kernel = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    enum cb_status status =
        memory ? cb_merge(sources, (int)n, memory, &kernel, err) : cb_no_memory(err);
    if (memory && fclose(memory) != 0 && status == CB_OK)
        status = cb_no_memory(err);
    FILE *file = status == CB_OK ? fopen(path, "w") : NULL;
    if (status == CB_OK && (!file || fwrite(text, 1, size, file) != size || fflush(file) != 0))
        status = cb_fail(err, CB_ERROR, "cannot write %s: %s", path, strerror(errno));
    if (file)
        fclose(file);
    free(text);
    if (status == CB_OK)
        cb_fail(err, CB_OK, "%s", kernel.warnings); /* no failure, but text */
    cb_merge_kernel_free(&kernel);
    return status;
}

static enum cb_status merge(const struct coopbench_source *given, unsigned n, const char *path,
                            struct cb_err *err)
{
    struct cb_merge_source *sources = calloc(n + 1, sizeof *sources);
    char **paths = calloc(n + 1, sizeof *paths);
    enum cb_status status = sources && paths ? CB_OK : cb_no_memory(err);
    for (unsigned i = 0; status == CB_OK && i < n; i++) {
        paths[i] = strdup(given[i].file);
        if (!paths[i])
            status = cb_no_memory(err);
        else
            sources[i] = (struct cb_merge_source){.path = paths[i],
                                                  .name = cb_source_split_name(paths[i]),
                                                  .options = given[i].build_options,
                                                  .by_packet = true};
    }
    if (status == CB_OK)
        status = write_program(sources, n, path, err);
    for (unsigned i = 0; paths && i < n; i++)
        free(paths[i]);
    free(paths);
    free(sources);
    return status;
}

static void tell(int file, const struct coopbench_source *sources, unsigned n, const char *path)
{
    static struct cb_err err;
    static struct answer answer;
    answer.status = merge(sources, n, path, &err);
    memcpy(answer.text, err.text, sizeof answer.text);
    size_t done = 0;
    for (ssize_t put = 1; put > 0 && done<sizeof answer; done += put> 0 ? (size_t)put : 0)
        put = write(file, (char *)&answer + done, sizeof answer - done);
}

static enum cb_status hear(int file, struct cb_err *err)
{
    struct answer answer;
    size_t got = 0;
    for (ssize_t n = 1; n > 0 && got<sizeof answer; got += n> 0 ? (size_t)n : 0)
        n = read(file, (char *)&answer + got, sizeof answer - got);
    if (got < sizeof answer)
        return cb_fail(err, CB_ERROR, "the process that merges has crashed");
    return cb_fail(err, answer.status, "%s", answer.text);
}

static enum cb_status merge_apart(const struct coopbench_source *sources, unsigned n,
                                  const char *path, struct cb_err *err)
{
    int ends[2];
    if (!sources || n == 0)
        return cb_fail(err, CB_USAGE, "no files to merge");
    for (unsigned i = 0; i < n; i++)
        if (!sources[i].file)
            return cb_fail(err, CB_USAGE, "file %u is NULL", i);
    if (!path)
        return cb_fail(err, CB_USAGE, "path is NULL: of the program that is to be written");
    if (library_has_opened)
        return cb_fail(err, CB_USAGE,
                       "coopbench_merge() comes before the first coopbench_open(), "
                       "or use 'coopbench merge'");
    if (pipe(ends) != 0)
        return cb_fail(err, CB_ERROR, "pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        tell(ends[1], sources, n, path);
        _exit(0);
    }
    close(ends[1]);
    enum cb_status status =
        child < 0 ? cb_fail(err, CB_ERROR, "fork: %s", strerror(errno)) : hear(ends[0], err);
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return status;
}

enum coopbench_status coopbench_merge_sources(const struct coopbench_source *sources, unsigned n,
                                              const char *path, char *message, size_t room)
{
    struct cb_err err = {0};
    enum cb_status status = merge_apart(sources, n, path, &err);
    if (message && room > 0)
        snprintf(message, room, "%s", err.text);
    return (enum coopbench_status)status;
}

enum coopbench_status coopbench_merge(const char *const *files, unsigned n, const char *path,
                                      char *message, size_t room)
{
    struct coopbench_source *sources = calloc(files ? n : 0, sizeof *sources);
    for (unsigned i = 0; sources && files && i < n; i++)
        sources[i].file = files[i];
    enum coopbench_status status =
        coopbench_merge_sources(files ? sources : NULL, n, path, message, room);
    free(sources);
    return status;
}
