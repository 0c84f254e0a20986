/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/accepted.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/text/json.h"
#include "runtime/host/files.h"
#include "runtime/host/text.h"

#define LEAST_SHA     7 /* digits that name a commit */
#define MOST_WARNINGS 8
#define SHOWN         80 /* bytes of a line in a warning */

static void warn(struct cb_accepted *all, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void warn(struct cb_accepted *all, const char *file, int line, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    int n = snprintf(text, sizeof text, "%.500s:%d: ", file, line);
    va_start(arguments, format);
    vsnprintf(text + n, sizeof text - (size_t)n, format, arguments);
    va_end(arguments);
    if (!all->warnings)
        all->warnings = cJSON_CreateArray();
    cJSON_AddItemToArray(all->warnings, cJSON_CreateString(text));
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* The next word of a line, which ends with null then; NULL: there is none. */
static char *next_word(char **line)
{
    char *word = *line + strspn(*line, " \t");
    if (!*word)
        return NULL;
    *line = word + strcspn(word, " \t");
    if (**line)
        *(*line)++ = '\0';
    return word;
}

/* "-5.1%" is -0.051; NaN: it is no change. */
static double change_of(const char *word)
{
    char *end;
    const double percent = strtod(word, &end);
    const bool sound = (word[0] == '+' || word[0] == '-') && end > word && strcmp(end, "%") == 0;
    return sound && isfinite(percent) ? percent / 100 : NAN;
}

/* Splits words into the parts of an acceptance. */
static bool parse(struct cb_acceptance *a)
{
    char *rest = a->words, *id = next_word(&rest);
    char *at = id ? strrchr(id, '@') : NULL;
    a->case_id = id;
    a->metric = next_word(&rest);
    if (!at || at == id || !at[1] || !a->metric)
        return false;
    *at = '\0';
    a->run = at + 1;
    char *after = rest, *word = strndup(rest, strcspn(rest, " \t"));
    a->change = word ? change_of(word) : NAN;
    free(word);
    if (!isnan(a->change))
        next_word(&after);
    a->why = after + strspn(after, " \t");
    return *a->why != '\0';
}

static bool is_same(const struct cb_acceptance *a, const struct cb_acceptance *b)
{
    return strcmp(a->case_id, b->case_id) == 0 && strcmp(a->run, b->run) == 0 &&
           strcmp(a->metric, b->metric) == 0 && strcmp(a->file, b->file) == 0;
}

static void free_acceptance(struct cb_acceptance *a)
{
    free(a->words);
    free(a->file);
    free(a->folder);
    free(a->of_run);
}

/* Appends it, or, if it is no acceptance or there already, frees and warns. False: no memory. */
static bool append(struct cb_accepted *all, struct cb_acceptance *a, const char *line)
{
    if (all->n == all->room) {
        const int room = all->room ? 2 * all->room : 16;
        struct cb_acceptance *items = realloc(all->items, (size_t)room * sizeof *items);
        if (!items)
            return false;
        all->items = items;
        all->room = room;
    }
    int twin = 0;
    const bool sound = parse(a);
    while (sound && twin < all->n && !is_same(&all->items[twin], a))
        twin++;
    if (sound && twin == all->n) {
        all->items[all->n++] = *a;
        return true;
    }
    if (sound)
        warn(all, a->file, a->line, "%s of %s@%s is accepted in line %d already, which counts",
             a->metric, a->case_id, a->run, all->items[twin].line);
    else
        warn(all, a->file, a->line, "expected CASE@RUN METRIC [CHANGE] why, got \"%.*s\"", SHOWN,
             line);
    free_acceptance(a);
    return true;
}

static bool add_line(struct cb_accepted *all, const char *line, const char *file, int number,
                     const char *folder)
{
    struct cb_acceptance a = {.words = strdup(line),
                              .file = strdup(file),
                              .line = number,
                              .folder = folder ? strdup(folder) : NULL,
                              .change = NAN,
                              .grown_to = NAN};
    if (a.words && a.file && (a.folder || !folder) && append(all, &a, line))
        return true;
    free_acceptance(&a);
    return false;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static bool begins(const char *line, const char *mark)
{
    return strncmp(line, mark, strlen(mark)) == 0;
}

static bool add_text(struct cb_accepted *all, char *text, const char *file, const char *folder)
{
    bool in_conflict = false, done = true;
    int number = 0;
    for (char *line; done && (line = strsep(&text, "\n"));) {
        number++;
        line[strcspn(line, "\r")] = '\0';
        if (begins(line, "<<<<<<< ")) {
            warn(all, file, number,
                 "a conflict that git has left: its lines do not count until it is resolved");
            in_conflict = true;
        } else if (in_conflict) {
            in_conflict = !begins(line, ">>>>>>> ");
        } else if (line[0] != '#' && line[strspn(line, " \t")]) {
            done = add_line(all, line, file, number, folder);
        }
    }
    return done;
}

enum cb_status cb_accepted_read(struct cb_accepted *all, const char *file, const char *folder,
                                struct cb_err *err)
{
    static const struct cb_file_kind kind = {"a list of accepted changes", 10000000};
    char *text = NULL;
    if (access(file, F_OK) != 0 && errno == ENOENT)
        return CB_OK;
    enum cb_status status = cb_read_file(file, &kind, &text, err);
    if (status == CB_OK && !add_text(all, text, file, folder))
        status = cb_no_memory(err);
    free(text);
    return status;
}

/* Cuts the last name off a path. */
static void go_up(char path[PATH_MAX])
{
    char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (strcmp(name, "..") == 0 && strlen(path) + 4 < PATH_MAX)
        strcat(path, "/..");
    else if (strcmp(path, ".") == 0)
        strcpy(path, "..");
    else if (!slash)
        strcpy(path, ".");
    else
        slash[slash == path] = '\0';
}

void cb_accepted_folder(const char *file, char folder[PATH_MAX])
{
    snprintf(folder, PATH_MAX, "%s", file);
    go_up(folder);
    go_up(folder);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

bool cb_accepted_run_is(const char *run, const cJSON *document, const char *file)
{
    const cJSON *tool = cJSON_GetObjectItemCaseSensitive(document, "tool");
    char folder[PATH_MAX];
    if (strcmp(cb_json_text(document, "run_id", ""), run) == 0)
        return true;
    if (strspn(run, "0123456789abcdef") == strlen(run) && strlen(run) >= LEAST_SHA &&
        begins(cb_json_text(tool, "git_sha", ""), run))
        return true;
    snprintf(folder, sizeof folder, "%s", file);
    go_up(folder);
    const char *slash = strrchr(folder, '/');
    return strcmp(slash ? slash + 1 : folder, run) == 0;
}

static bool means(const struct cb_acceptance *a, const cJSON *document, const char *file)
{
    char folder[PATH_MAX];
    cb_accepted_folder(file, folder);
    return (!a->folder || strcmp(a->folder, folder) == 0) &&
           cb_accepted_run_is(a->run, document, file);
}

bool cb_acceptance_names(const struct cb_acceptance *a, const struct cb_case_series *s)
{
    return (strcmp(a->case_id, s->c->id) == 0 || fnmatch(a->case_id, s->c->id, 0) == 0) &&
           fnmatch(a->metric, s->m->name, 0) == 0;
}

enum cb_status cb_accepted_bind(struct cb_accepted *all, const struct cb_stored_run *runs, int n,
                                struct cb_err *err)
{
    for (int i = 0; i < all->n; i++) {
        struct cb_acceptance *a = &all->items[i];
        free(a->of_run);
        a->is_of_a_run = false;
        a->series = a->changes = 0;
        a->grown_to = NAN;
        if (!(a->of_run = calloc((size_t)n, sizeof *a->of_run)))
            return cb_no_memory(err);
        for (int run = 0; run < n; run++) {
            a->of_run[run] = means(a, runs[run].head, runs[run].file);
            a->is_of_a_run = a->is_of_a_run || a->of_run[run];
        }
    }
    return CB_OK;
}

/* Whether the run is among these, or its folder is where they are. */
static bool is_known(const struct cb_acceptance *a, const struct cb_stored_run *runs, int n)
{
    char path[PATH_MAX];
    for (int i = 0; i < n; i++)
        if (means(a, runs[i].head, runs[i].file))
            return true;
    return a->folder && snprintf(path, sizeof path, "%s/%s", a->folder, a->run) < PATH_MAX &&
           access(path, F_OK) == 0;
}

static bool was_read(const struct cb_stored_run *runs, int i, const char *folder)
{
    char other[PATH_MAX];
    for (int k = i; k-- > 0;) {
        cb_accepted_folder(runs[k].file, other);
        if (strcmp(folder, other) == 0)
            return true;
    }
    return false;
}

enum cb_status cb_accepted_read_all(struct cb_accepted *all, const char *file,
                                    const struct cb_stored_run *runs, int n, struct cb_err *err)
{
    enum cb_status status = file ? cb_accepted_read(all, file, NULL, err) : CB_OK;
    for (int i = 0; i < n && status == CB_OK && !file; i++) {
        char folder[PATH_MAX], path[PATH_MAX + sizeof CB_ACCEPTED_FILE];
        cb_accepted_folder(runs[i].file, folder);
        snprintf(path, sizeof path, "%s/%s", folder, CB_ACCEPTED_FILE);
        if (!was_read(runs, i, folder))
            status = cb_accepted_read(all, path, folder, err);
    }
    for (int i = 0; i < all->n && status == CB_OK; i++)
        if (!is_known(&all->items[i], runs, n))
            warn(all, all->items[i].file, all->items[i].line, "no run is called \"%s\"",
                 all->items[i].run);
    return status;
}

void cb_accepted_free(struct cb_accepted *all)
{
    for (int i = 0; i < all->n; i++)
        free_acceptance(&all->items[i]);
    free(all->items);
    cJSON_Delete(all->warnings);
    *all = (struct cb_accepted){0};
}

/* ---- What they did --------------------------------------------------------------------------- */

void cb_accepted_review(struct cb_accepted *all, bool of_all_cases)
{
    for (int i = 0; i < all->n; i++) {
        const struct cb_acceptance *a = &all->items[i];
        if (!isnan(a->grown_to))
            warn(all, a->file, a->line,
                 "%s of %s was accepted at %+.1f %%, and is %+.1f %% now: it counts again, until "
                 "--accept takes it anew",
                 a->metric, a->case_id, 100 * a->change, 100 * a->grown_to);
        else if (a->series > 0 && a->changes == 0)
            warn(all, a->file, a->line,
                 "%s of %s has not got worse at %s, as far as is known: the line does nothing",
                 a->metric, a->case_id, a->run);
        else if (a->is_of_a_run && a->series == 0 && of_all_cases)
            warn(all, a->file, a->line, "%s has no case \"%s\" with a metric \"%s\"", a->run,
                 a->case_id, a->metric);
    }
}

void cb_accepted_print_warnings(FILE *out, const struct cb_accepted *all)
{
    const cJSON *warning;
    int n = 0;
    cJSON_ArrayForEach (warning, all->warnings)
        if (++n <= MOST_WARNINGS)
            cb_text_print(out, "Warning: %s\n", cb_json_item_text(warning));
    if (n > MOST_WARNINGS)
        fprintf(out, "Warning: and %d more\n", n - MOST_WARNINGS);
}
