/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/accept.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/folder.h"
#include "analysis/history/write.h"
#include "measure/text/json.h"
#include "runtime/host/text.h"

#define MOST_SAID 5

/* One "CASE@RUN" of the command line. */
struct target {
    const struct cb_history *history;
    char *case_id;   /* owned: leads to the whole text */
    const char *run; /* in it */
};

/* ---- What is meant --------------------------------------------------------------------------- */

static bool is_case(const struct target *t, const struct cb_history_change *c)
{
    return strcmp(t->case_id, c->series->c->id) == 0 ||
           fnmatch(t->case_id, c->series->c->id, 0) == 0;
}

static bool has_case(const struct target *t, const struct cb_history_change *c)
{
    return is_case(t, c) || strstr(c->series->c->id, t->case_id);
}

static bool is_run(const struct target *t, int run)
{
    const struct cb_stored_run *of = &t->history->series.runs[run];
    return cb_accepted_run_is(t->run, of->head, of->file);
}

static bool is_worse(const struct cb_history_change *c)
{
    return c->kind == CB_HISTORY_WORSE || c->kind == CB_HISTORY_ACCEPTED;
}

static bool is_meant(const struct target *t, const struct cb_history_change *c)
{
    return is_worse(c) && is_case(t, c) && is_run(t, c->run);
}

/* What got worse, as --accept takes it: near to what is meant, if anything is. */
static void say_what_did(const struct target *t, FILE *out)
{
    const struct cb_history *h = t->history;
    int of_case = 0, said = 0, all = 0;
    for (int i = 0; i < h->n; i++)
        of_case += is_worse(&h->changes[i]) && has_case(t, &h->changes[i]);
    for (int i = h->n; i-- > 0;) {
        const struct cb_history_change *c = &h->changes[i];
        if (!is_worse(c) || (of_case > 0 && !has_case(t, c)))
            continue;
        if (++all <= MOST_SAID)
            fprintf(out, "%s%s@%s", said++ ? ", " : "\n  What did: ", c->series->c->id,
                    cb_history_run_id(h, c->run));
    }
    if (all > said)
        fprintf(out, ", and %d more", all - said);
    if (all == 0)
        fputs("\n  Nothing did", out);
}

static enum cb_status refuse(const struct target *t, struct cb_err *err)
{
    const struct cb_history *h = t->history;
    bool known = false, other = false;
    for (int i = 0; i < h->series.n_runs; i++)
        known = known || is_run(t, i);
    for (int i = 0; i < h->n; i++)
        other = other || (is_case(t, &h->changes[i]) && is_run(t, h->changes[i].run));
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return cb_no_memory(err);
    if (!known)
        fprintf(out, "no run is called \"%s\", nor of a commit that begins so", t->run);
    else if (other)
        fprintf(out, "%s has changed at %s, but not for the worse: only that can be accepted",
                t->case_id, t->run);
    else
        fprintf(out, "no case \"%s\" got worse at %s", t->case_id, t->run);
    say_what_did(t, out);
    if (fclose(out) == 0)
        cb_fail(err, CB_USAGE, "--accept: %s", text);
    free(text);
    return CB_USAGE;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* A word of a line is a glob, in which '?' stands for what would end the word. */
static void print_word(FILE *out, const char *text)
{
    for (const char *at = text; *at; at++) {
        const bool ends = (unsigned char)*at <= ' ' || *at == 127 || (at == text && *at == '#');
        fputc(ends ? '?' : *at, out);
    }
}

/* A name of the run that a line can hold. */
static const char *name_of(const struct cb_history *h, int run, char folder[PATH_MAX])
{
    const char *id = cb_history_run_id(h, run);
    snprintf(folder, PATH_MAX, "%s", cb_history_file(h, run));
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    slash = strrchr(folder, '/');
    const char *names[] = {id, slash ? slash + 1 : folder, cb_history_commit(h, run)};
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        if (cb_run_id_check(names[i], NULL) == CB_OK)
            return names[i];
    return NULL;
}

/* The reason as one line. */
static void print_reason(FILE *out, const char *why)
{
    const size_t room = CB_TEXT_ROOM(strlen(why));
    char *clean = malloc(room);
    if (clean)
        cb_text_clean(clean, room, why, strlen(why), CB_TEXT_STORED);
    for (char *at = clean; at && *at; at++)
        fputc(*at == '\n' || *at == '\r' || *at == '\t' ? ' ' : *at, out);
    free(clean);
}

/* The line for a change, the caller's to free; NULL: err says why. */
static char *line_of(const struct cb_history *h, const struct cb_history_change *c, const char *why,
                     struct cb_err *err)
{
    char folder[PATH_MAX], *line = NULL;
    size_t size = 0;
    const char *run = name_of(h, c->run, folder);
    if (!run)
        return cb_fail(err, CB_USAGE, "--accept: neither the id nor the folder of %s is a name",
                       cb_history_file(h, c->run)),
               NULL;
    FILE *out = open_memstream(&line, &size);
    if (!out)
        return cb_no_memory(err), NULL;
    print_word(out, c->series->c->id);
    fprintf(out, "@%s ", run);
    print_word(out, c->series->m->name);
    if (isfinite(c->change.estimate))
        fprintf(out, " %+.1f%%", 100 * c->change.estimate);
    fputc(' ', out);
    print_reason(out, why);
    if (fclose(out) == 0)
        return line;
    free(line);
    return cb_no_memory(err), NULL;
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Adds the line to those of its file, which is a key of files. */
static enum cb_status add_line(const struct cb_history *h, const struct cb_history_change *c,
                               const char *why, const char *file, cJSON *files, struct cb_err *err)
{
    char folder[PATH_MAX], path[PATH_MAX + sizeof CB_ACCEPTED_FILE];
    char *line = line_of(h, c, why, err);
    if (!line)
        return err->status;
    cb_accepted_folder(cb_history_file(h, c->run), folder);
    snprintf(path, sizeof path, "%s/%s", folder, CB_ACCEPTED_FILE);
    const char *key = file ? file : path;
    cJSON *lines = cJSON_GetObjectItemCaseSensitive(files, key);
    if (!lines)
        lines = cJSON_AddArrayToObject(files, key);
    cb_json_add_once(&lines, line);
    free(line);
    return CB_OK;
}

static enum cb_status add_target(struct target *t, const char *why, const char *file, cJSON *files,
                                 struct cb_err *err)
{
    const struct cb_history *h = t->history;
    char *at = strrchr(t->case_id, '@');
    enum cb_status status = CB_OK;
    int n = 0;
    if (!at || at == t->case_id || !at[1])
        return cb_fail(err, CB_USAGE,
                       "--accept: expected CASE@RUN, as history tells them, got \"%s\"",
                       t->case_id);
    *at = '\0';
    t->run = at + 1;
    for (int i = 0; i < h->n && status == CB_OK; i++)
        if (is_meant(t, &h->changes[i])) {
            status = add_line(h, &h->changes[i], why, file, files, err);
            n++;
        }
    return status == CB_OK && n == 0 ? refuse(t, err) : status;
}

static enum cb_status write_files(const cJSON *files, FILE *out, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    const cJSON *lines, *line;
    cJSON_ArrayForEach (lines, files) {
        if (status == CB_OK)
            status = cb_accepted_write(lines->string, lines, err);
        cJSON_ArrayForEach (line, lines)
            if (status == CB_OK)
                cb_text_print(out, "%s: %s\n", lines->string, line->valuestring);
    }
    return status;
}

enum cb_status cb_history_accept(const struct cb_history *h, const cJSON *options, const char *why,
                                 const char *file, FILE *out, struct cb_err *err)
{
    cJSON *files = cJSON_CreateObject();
    enum cb_status status = files ? CB_OK : cb_no_memory(err);
    for (int i = 0; i < cb_options_count(options, "accept") && status == CB_OK; i++) {
        struct target t = {h, strdup(cb_options_text(options, "accept", i)), NULL};
        status = t.case_id ? add_target(&t, why, file, files, err) : cb_no_memory(err);
        free(t.case_id);
    }
    if (status == CB_OK)
        status = write_files(files, out, err);
    cJSON_Delete(files);
    return status;
}
