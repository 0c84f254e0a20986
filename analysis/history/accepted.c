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

const struct cb_file_kind cb_accepted_kind = {"a list of accepted changes", 10000000};

__attribute__((format(printf, 3, 4))) static void
warn(struct cb_accepted *all, const struct cb_acceptance *of, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    int n = snprintf(text, sizeof text, "%.500s:%d: ", of->file, of->line);
    va_start(arguments, format);
    vsnprintf(text + n, sizeof text - (size_t)n, format, arguments);
    va_end(arguments);
    if (!all->warnings)
        all->warnings = cJSON_CreateArray();
    cJSON_AddItemToArray(all->warnings, cJSON_CreateString(text));
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Ends the next word of a line and moves the line behind it; "" at the line's end. */
static char *next_word(char **line)
{
    char *word = *line + strspn(*line, " \t");
    *line = word + strcspn(word, " \t");
    if (**line)
        *(*line)++ = '\0';
    return word;
}

/* The change that a line begins with, and the line moved behind it: "-5.1% why" is -0.051. NaN: it
 * begins with none. */
static double take_change(char **line)
{
    char *end;
    const char *text = *line + strspn(*line, " \t");
    const double percent = strtod(text, &end);
    if (!strchr("+-", *text) || !isfinite(percent) || *end != '%' || !strchr(" \t", end[1]))
        return NAN;
    *line = end + 1;
    return percent / 100;
}

/* Splits the words into the parts of an acceptance; false: they are none. */
static bool parse(struct cb_acceptance *a)
{
    char *rest = a->words, *id = next_word(&rest), *at = strrchr(id, '@');
    if (!at || at == id || !at[1])
        return false;
    *at = '\0';
    a->case_id = id;
    a->run = at + 1;
    a->metric = next_word(&rest);
    a->change = take_change(&rest);
    a->why = rest + strspn(rest, " \t");
    return *a->why != '\0';
}

static bool is_same(const struct cb_acceptance *a, const struct cb_acceptance *b)
{
    return strcmp(a->case_id, b->case_id) == 0 && strcmp(a->run, b->run) == 0 &&
           strcmp(a->metric, b->metric) == 0 && a->file == b->file;
}

static void free_acceptance(struct cb_acceptance *a)
{
    free(a->words);
    free(a->of_run);
}

/* Adds an acceptance, in the place of an earlier one for the same. False: no memory. */
static bool add(struct cb_accepted *all, const struct cb_acceptance *a)
{
    int i = 0;
    while (i < all->n && !is_same(&all->items[i], a))
        i++;
    if (i < all->n) {
        free_acceptance(&all->items[i]);
    } else {
        struct cb_acceptance *items = realloc(all->items, (size_t)(i + 1) * sizeof *items);
        if (!items)
            return false;
        all->items = items;
        all->n++;
    }
    all->items[i] = *a;
    return true;
}

/* Adds what a line says; a line that is no acceptance is warned of. False: no memory. */
static bool add_line(struct cb_accepted *all, const char *line, const char *file, int number)
{
    struct cb_acceptance a = {.words = strdup(line), .file = file, .line = number, .grown_to = NAN};
    const bool sound = a.words && parse(&a);
    if (sound && add(all, &a))
        return true;
    if (a.words && !sound)
        warn(all, &a, "expected CASE@RUN METRIC [CHANGE] why, got \"%.80s\"", line);
    const bool done = a.words && !sound;
    free(a.words);
    return done;
}

static bool add_text(struct cb_accepted *all, char *text, const char *file)
{
    int number = 0;
    bool done = true;
    for (char *line; done && (line = strsep(&text, "\n"));) {
        number++;
        line[strcspn(line, "\r")] = '\0';
        if (line[0] != '#' && line[strspn(line, " \t")])
            done = add_line(all, line, file, number);
    }
    return done;
}

/* ---- Files ----------------------------------------------------------------------------------- */

enum cb_status cb_accepted_read(struct cb_accepted *all, const char *file, struct cb_err *err)
{
    char *text = NULL;
    const int known = cJSON_GetArraySize(all->files), place = cb_json_add_once(&all->files, file);
    if (place < known || (access(file, F_OK) != 0 && errno == ENOENT))
        return CB_OK;
    enum cb_status status = cb_read_file(file, &cb_accepted_kind, &text, err);
    file = cb_json_item_text(cJSON_GetArrayItem(all->files, place));
    if (status == CB_OK && !add_text(all, text, file))
        status = cb_no_memory(err);
    free(text);
    return status;
}

/* The name of the folder that a run's document is in, which ends at *end. */
static const char *folder_of(const char *document, const char **end)
{
    const char *slash = strrchr(document, '/');
    *end = slash ? slash : document;
    const char *before = memrchr(document, '/', (size_t)(*end - document));
    return before ? before + 1 : document;
}

void cb_accepted_beside(const char *document, char path[CB_ACCEPTED_PATH])
{
    const char *end, *folder = folder_of(document, &end);
    const bool is_named = (size_t)(end - folder) > strspn(folder, ".");
    snprintf(path, CB_ACCEPTED_PATH, "%.*s%s" CB_ACCEPTED_FILE,
             (int)((is_named ? folder : end + (*end == '/')) - document), document,
             is_named ? "" : "../");
}

bool cb_accepted_run_is(const char *run, const cJSON *document, const char *file)
{
    const cJSON *tool = cJSON_GetObjectItemCaseSensitive(document, "tool");
    const size_t n = strlen(run);
    const char *end, *folder = folder_of(file, &end);
    return strcmp(cb_json_text(document, "run_id", ""), run) == 0 ||
           (strspn(run, "0123456789abcdef") == n && n >= LEAST_SHA &&
            strncmp(cb_json_text(tool, "git_sha", ""), run, n) == 0) ||
           (n == (size_t)(end - folder) && strncmp(folder, run, n) == 0);
}

/* Whether an acceptance is of a run: by its name, and because its file is that of the run. */
static bool means(const struct cb_accepted *all, const struct cb_acceptance *a,
                  const struct cb_stored_run *run)
{
    char path[CB_ACCEPTED_PATH];
    cb_accepted_beside(run->file, path);
    return (all->of_all_runs || strcmp(a->file, path) == 0) &&
           cb_accepted_run_is(a->run, run->head, run->file);
}

/* Whether the run of an acceptance is among these, or is a folder beside the acceptance's file. */
static bool is_known(const struct cb_accepted *all, const struct cb_acceptance *a,
                     const struct cb_stored_run *runs, int n)
{
    for (int i = 0; i < n; i++)
        if (means(all, a, &runs[i]))
            return true;
    char *folder = all->of_all_runs ? NULL : cb_path_beside(a->file, a->run);
    const bool is_there = folder && access(folder, F_OK) == 0;
    free(folder);
    return is_there;
}

enum cb_status cb_accepted_read_all(struct cb_accepted *all, const char *file,
                                    const struct cb_stored_run *runs, int n, struct cb_err *err)
{
    all->of_all_runs = file != NULL;
    enum cb_status status = file ? cb_accepted_read(all, file, err) : CB_OK;
    for (int i = 0; i < n && status == CB_OK && !file; i++) {
        char path[CB_ACCEPTED_PATH];
        cb_accepted_beside(runs[i].file, path);
        status = cb_accepted_read(all, path, err);
    }
    for (int i = 0; i < all->n && status == CB_OK; i++)
        if (!is_known(all, &all->items[i], runs, n))
            warn(all, &all->items[i], "no run is called \"%s\"", all->items[i].run);
    return status;
}

void cb_accepted_free(struct cb_accepted *all)
{
    for (int i = 0; i < all->n; i++)
        free_acceptance(&all->items[i]);
    free(all->items);
    cJSON_Delete(all->files);
    cJSON_Delete(all->warnings);
    *all = (struct cb_accepted){0};
}

/* ---- What they do ---------------------------------------------------------------------------- */

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
            a->of_run[run] = means(all, a, &runs[run]);
            a->is_of_a_run = a->is_of_a_run || a->of_run[run];
        }
    }
    return CB_OK;
}

bool cb_acceptance_names(const struct cb_acceptance *a, const struct cb_case_series *s)
{
    return (strcmp(a->case_id, s->c->id) == 0 || fnmatch(a->case_id, s->c->id, 0) == 0) &&
           fnmatch(a->metric, s->m->name, 0) == 0;
}

void cb_accepted_review(struct cb_accepted *all, bool of_all_cases)
{
    for (int i = 0; i < all->n; i++) {
        const struct cb_acceptance *a = &all->items[i];
        if (!isnan(a->grown_to))
            warn(all, a,
                 "%s of %s was accepted at %+.1f %%, and is %+.1f %% now: it counts again, until "
                 "--accept takes it anew",
                 a->metric, a->case_id, 100 * a->change, 100 * a->grown_to);
        else if (a->series > 0 && a->changes == 0)
            warn(all, a,
                 "%s of %s has not got worse at %s, as far as is known: the line does nothing",
                 a->metric, a->case_id, a->run);
        else if (a->is_of_a_run && a->series == 0 && of_all_cases)
            warn(all, a, "%s has no case \"%s\" with a metric \"%s\"", a->run, a->case_id,
                 a->metric);
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
