/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/accept.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "analysis/documents/folder.h"
#include "analysis/history/write.h"
#include "runtime/host/text.h"

#define MOST_SAID 5
#define TRIES     500 /* waits of 20 ms for the lock of a file */

/* ---- The file -------------------------------------------------------------------------------- */

/* Locks the folder of a file, as the file itself is replaced. A file system without locks tells of
 * nobody else. */
static enum cb_status lock_folder(const char *file, int *folder, struct cb_err *err)
{
    char *path = cb_path_beside(file, ".");
    *folder = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(path);
    if (*folder < 0)
        return cb_fail(err, CB_ERROR, "cannot write %s: %s", file, strerror(errno));
    for (int i = 0; i < TRIES; i++) {
        if (flock(*folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return CB_OK;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    close(*folder);
    return cb_fail(err, CB_ERROR, "%s is being written by others: try again", file);
}

enum cb_status cb_accepted_add(const char *file, const char *line, struct cb_err *err)
{
    static const char head[] =
        "# Changes that are accepted (coopbench history --accept): CASE@RUN METRIC CHANGE why.\n"
        "# To take one back, delete its line.\n\n";
    char *text = NULL, *longer = NULL;
    int folder;
    if (lock_folder(file, &folder, err) != CB_OK)
        return err->status;
    /* Makes the file that a link leads to. */
    const int made = open(file, O_RDONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (made >= 0)
        close(made);
    enum cb_status status = cb_read_file(file, &cb_accepted_kind, &text, err);
    const size_t n = text ? strlen(text) : 0;
    const char *end = n > 0 && text[n - 1] != '\n' ? "\n" : "";
    if (status == CB_OK && asprintf(&longer, "%s%s%s\n", n ? text : head, end, line) < 0)
        status = cb_no_memory(err);
    if (status == CB_OK)
        status = cb_replace_text(file, longer, strlen(longer), err);
    free(text);
    free(longer);
    close(folder);
    return status;
}

/* ---- What is meant --------------------------------------------------------------------------- */

static bool is_worse(const struct cb_history_change *c)
{
    return c->kind == CB_HISTORY_WORSE || c->kind == CB_HISTORY_ACCEPTED;
}

static bool is_meant(const struct cb_history *h, const struct cb_history_change *c,
                     const char *case_id, const char *run)
{
    const struct cb_stored_run *at = &h->series.runs[c->run];
    return is_worse(c) &&
           (strcmp(case_id, c->series->c->id) == 0 || fnmatch(case_id, c->series->c->id, 0) == 0) &&
           cb_accepted_run_is(run, at->head, at->file);
}

/* Says that nothing is meant, and what could be. */
static enum cb_status refuse(const struct cb_history *h, const char *case_id, const char *run,
                             struct cb_err *err)
{
    char did[2048] = "";
    int n = 0;
    for (int i = h->n; i-- > 0;)
        if (is_worse(&h->changes[i]) && n++ < MOST_SAID)
            cb_text_join(did, sizeof did, "%s@%s", h->changes[i].series->c->id,
                         cb_history_run_id(h, h->changes[i].run));
    if (n > MOST_SAID)
        cb_text_join(did, sizeof did, "and %d more", n - MOST_SAID);
    return cb_fail(err, CB_USAGE, "--accept: no case \"%s\" got worse at a run \"%s\"\n  %s%s",
                   case_id, run, n ? "What did: " : "Nothing did", did);
}

/* Marks the changes that "CASE@RUN" means. */
static enum cb_status mark(const struct cb_history *h, const char *target, bool *marks,
                           struct cb_err *err)
{
    const char *at = strrchr(target, '@');
    char *case_id = at ? strndup(target, (size_t)(at - target)) : NULL;
    int n = 0;
    if (!at || at == target || !at[1])
        cb_fail(err, CB_USAGE, "--accept: expected CASE@RUN, as history tells them, got \"%s\"",
                target);
    else if (!case_id)
        cb_no_memory(err);
    else {
        for (int i = 0; i < h->n; i++)
            if (is_meant(h, &h->changes[i], case_id, at + 1))
                marks[i] = n++ >= 0;
        if (n == 0)
            refuse(h, case_id, at + 1, err);
    }
    free(case_id);
    return n ? CB_OK : err->status;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Prints a text with what could end a word or a line replaced. */
static void print_with(FILE *out, char instead, const char *text)
{
    for (; *text; text++)
        fputc((unsigned char)*text <= ' ' || *text == 127 ? instead : *text, out);
}

/* The line for a change; the words in it are globs, in which '?' is any character. NULL: no
 * memory. */
static char *line_of(const struct cb_history *h, const struct cb_history_change *c, const char *why)
{
    char *line = NULL;
    size_t size;
    FILE *out = open_memstream(&line, &size);
    if (!out)
        return NULL;
    print_with(out, '?', c->series->c->id);
    fprintf(out, "@%s ", cb_history_run_id(h, c->run));
    print_with(out, '?', c->series->m->name);
    if (isfinite(c->change.estimate))
        fprintf(out, " %+.1f%%", 100 * c->change.estimate);
    fputc(' ', out);
    print_with(out, ' ', why);
    if (fclose(out) == 0)
        return line;
    free(line);
    return NULL;
}

static enum cb_status accept_change(const struct cb_history *h, const struct cb_history_change *c,
                                    const char *why, const char *file, FILE *out,
                                    struct cb_err *err)
{
    char beside[CB_ACCEPTED_PATH];
    cb_accepted_beside(cb_history_file(h, c->run), beside);
    file = file ? file : beside;
    if (cb_run_id_check(cb_history_run_id(h, c->run), NULL) != CB_OK)
        return cb_fail(err, CB_USAGE, "--accept: the id of %s is no name that a line can hold",
                       cb_history_file(h, c->run));
    char *line = line_of(h, c, why);
    const enum cb_status status = line ? cb_accepted_add(file, line, err) : cb_no_memory(err);
    if (status == CB_OK)
        cb_text_print(out, "%s: %s\n", file, line);
    free(line);
    return status;
}

enum cb_status cb_history_accept(const struct cb_history *h, struct cb_texts accept,
                                 const char *why, const char *file, FILE *out, struct cb_err *err)
{
    bool *marks = calloc((size_t)h->n + 1, sizeof *marks);
    enum cb_status status = marks ? CB_OK : cb_no_memory(err);
    for (int i = 0; i < accept.n && status == CB_OK; i++)
        status = mark(h, cb_texts_at(accept, i), marks, err);
    for (int i = 0; i < h->n && status == CB_OK; i++)
        if (marks[i])
            status = accept_change(h, &h->changes[i], why, file, out, err);
    free(marks);
    return status;
}
