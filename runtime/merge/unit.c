/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/merge/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PROBLEMS 20

const struct cb_merge_point_name cb_merge_points[] = {
    {"offer_kill", "offer_kill", CB_OFFER_KILL},
    {"request_fork", "request_fork", CB_REQUEST_FORK},
    {"global_barrier", "global_barrier", CB_GLOBAL_BARRIER},
    {"resizing_global_barrier", "resizing_global_barrier", CB_RESIZING_BARRIER},
    {CB_MERGE_JOIN, CB_MERGE_JOIN, CB_JOIN_TASKS},
    {CB_MERGE_JOIN_ALL, CB_MERGE_JOIN_ALL, CB_JOIN_TASKS},
    {"barrier", "workgroup_barrier", CB_WORKGROUP_BARRIER},
    {"work_group_barrier", "workgroup_barrier", CB_WORKGROUP_BARRIER},
    {0},
};

const struct cb_merge_id_name cb_merge_ids[] = {
    {"get_global_id", "coop_global_id()", "0u", "coop_global_id_in(d)", true, true,
     "task_global_id(task_v, d)"},
    {"get_global_linear_id", "coop_global_id()", NULL, "coop_global_linear_id()", true, false,
     "task_global_linear_id(task_v)"},
    {"get_global_size", "coop_global_size()", "1u", "coop_global_size_in(d)", true, true,
     "task_global_size(task_v, d)"},
    {"get_group_id", "coop_group_id()", "0u", "coop_group_id_in(d)", true, true,
     "task_group_id(task_v, d)"},
    {"get_num_groups", "coop_num_groups()", "1u", "coop_num_groups_in(d)", true, true,
     "task_num_groups(task_v, d)"},
    {"get_local_id", "coop_local_id()", "0u", "coop_local_id_in(d)", true, true,
     "task_local_id(task_v, d)"},
    {"get_local_linear_id", "coop_local_id()", NULL, "coop_local_id()", true, false,
     "task_local_linear_id(task_v)"},
    {"get_local_size", "coop_local_size()", "1u", "coop_local_size_in(d)", false, true,
     "task_local_size(task_v, d)"},
    {"get_enqueued_local_size", "coop_local_size()", "1u", "coop_local_size_in(d)", false, true,
     "task_local_size(task_v, d)"},
    {"get_work_dim", "1u", NULL, "coop_work_dim()", false, false, "task_work_dim(task_v)"},
    {"get_global_offset", "0u", "0u", "0u", false, true, "task_offset_in(task_v, d)"},
    {"coop_max_groups", NULL, NULL, NULL, false, false, NULL},
    {"coop_run", NULL, NULL, NULL, false, false, NULL},
    {"coop_resize_is_wanted", NULL, NULL, NULL, false, false, NULL},
    {"coop_query", NULL, NULL, NULL, false, false, NULL},
    {"coop_launch", NULL, NULL, NULL, false, false, NULL},
    {0},
};

const struct cb_merge_id_name *cb_merge_id_named(const char *name)
{
    for (const struct cb_merge_id_name *i = cb_merge_ids; i->source; i++)
        if (strcmp(i->source, name) == 0)
            return i;
    return NULL;
}

const struct cb_merge_point_name *cb_merge_row_of(const struct cb_merge_node *point)
{
    const struct cb_merge_point_name *p = cb_merge_points;
    while ((int)p->point != point->which)
        p++;
    return p;
}

bool cb_merge_has_point(const struct cb_merge_node *n, enum cb_merge_point point)
{
    bool found = n->kind == CB_MERGE_POINT && (!point || n->which == (int)point);
    for (const struct cb_merge_node *c = n->first; c && !found; c = c->next)
        found = cb_merge_has_point(c, point);
    return found;
}

bool cb_merge_is_together(const struct cb_merge_unit *u)
{
    bool is_together = cb_merge_has_point(u->body, CB_NO_POINT);
    for (int v = 0; v < u->n_vars; v++)
        is_together |=
            u->vars[v].is_local || (u->vars[v].is_parameter && u->vars[v].is_local_pointer);
    return is_together;
}

bool cb_merge_stands_at(const struct cb_merge_unit *u, uint32_t at, const char *word)
{
    size_t n = strlen(word);
    return strncmp(u->code + at, word, n) == 0 && strspn(u->code + at + n, CB_MERGE_LETTERS) == 0;
}

bool cb_merge_is_directive(const struct cb_merge_unit *u, uint32_t at)
{
    if (u->code[at] != '#')
        return false;
    while (at > 0 && strchr(" \t", u->code[at - 1]))
        at--;
    return at == 0 || u->code[at - 1] == '\n';
}

bool cb_merge_has_directive(const struct cb_merge_unit *u, uint32_t begin, uint32_t end)
{
    bool is_first = false; /* on its line, but for blanks */
    for (uint32_t i = begin; i < end; i++) {
        if (is_first && u->code[i] == '#')
            return true;
        is_first = u->code[i] == '\n' || (is_first && strchr(" \t", u->code[i]));
    }
    return false;
}

bool cb_merge_is_skipped(const struct cb_merge_unit *u, uint32_t at)
{
    for (int i = 0; i < u->n_skipped; i++)
        if (at >= u->skipped[i].begin && at < u->skipped[i].end)
            return true;
    return false;
}

bool cb_merge_next_macro(const struct cb_merge_unit *u, uint32_t *at, uint32_t *size)
{
    for (const char *line = u->code + *at; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *word = line + strspn(line, " \t");
        if (*word != '#')
            continue;
        word += 1 + strspn(word + 1, " \t");
        if (strncmp(word, "define", 6) != 0)
            continue;
        word += 6 + strspn(word + 6, " \t");
        *at = (uint32_t)(word - u->code);
        *size = (uint32_t)strspn(word, CB_MERGE_LETTERS);
        return true;
    }
    return false;
}

uint32_t cb_merge_next_point(const struct cb_merge_unit *u, const struct cb_merge_function *f,
                             uint32_t at)
{
    for (; at < f->end; at++) {
        if (cb_merge_is_directive(u, at))
            at += (uint32_t)strcspn(u->code + at, "\n");
        for (const struct cb_merge_point_name *p = cb_merge_points; p->source; p++)
            if (p->point != CB_WORKGROUP_BARRIER && cb_merge_stands_at(u, at, p->source) &&
                !strchr(CB_MERGE_LETTERS, u->code[at - 1]))
                return at;
    }
    return 0;
}

const char *cb_merge_word(const struct cb_merge_unit *u, char letter)
{
    static const char *const words[][2] = {
        {"coop_a", "task_a"}, {"coop_s", "task_s"}, {"coop_l", "task_l"}, {"coop_v", "task_v"}};
    for (size_t i = 0; i < CB_COUNTOF(words); i++)
        if (words[i][0][strlen("coop_")] == letter)
            return words[i][u->is_task];
    abort();
}

void *cb_merge_grown(void *list, int n, size_t size)
{
    const bool is_full = (n & (n - 1)) == 0; /* it has room for the next power of two */
    void *longer = is_full ? realloc(list, (n > 0 ? 2 * (size_t)n : 1) * size) : list;
    if (!longer)
        abort();
    return longer;
}

void *cb_merge_keep(struct cb_merge_unit *u, size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    u->kept = cb_merge_grown(u->kept, u->n_kept, sizeof *u->kept);
    if (!memory)
        abort(); /* the text is at most some megabytes: nothing else would work either */
    u->kept[u->n_kept++] = memory;
    return memory;
}

char *cb_merge_keep_text(struct cb_merge_unit *u, const char *text, size_t size)
{
    char *copy = cb_merge_keep(u, size + 1);
    if (size)
        memcpy(copy, text, size);
    return copy;
}

char *cb_merge_made(struct cb_merge_unit *u, FILE *stream, char **text, const size_t *size)
{
    fclose(stream);
    char *kept = cb_merge_keep_text(u, *text, *size);
    free(*text);
    return kept;
}

/* The end of the comment or string that begins at a place; that place: there is none. */
static char *end_of_blank(char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    char *end = at + 1;
    while (*end && *end != *at && *end != '\n')
        end += *end == '\\' && end[1] ? 2 : 1;
    return *end == *at ? end + 1 : end;
}

void cb_merge_blank(struct cb_merge_unit *u)
{
    u->code = cb_merge_keep_text(u, u->text, strlen(u->text));
    for (char *at = u->code; *at;) {
        char *end = end_of_blank(at);
        for (char *c = at; c < end; c++)
            *c = *c == '\n' ? '\n' : ' ';
        at = end > at ? end : at + 1;
    }
}

void cb_merge_forget(struct cb_merge_unit *u)
{
    const struct cb_merge_unit left = {.text = u->text,
                                       .chosen = u->chosen,
                                       .n_written = u->n_written,
                                       .written = u->written,
                                       .room = u->room,
                                       .has_no_generic = u->has_no_generic};
    for (int f = 0; f < u->n_functions; f++) {
        free(u->functions[f].calls);
        free(u->functions[f].call_ends);
        free(u->functions[f].call_is_empty);
    }
    for (int v = 0; v < u->n_vars; v++)
        cb_layout_free(&u->vars[v].layout);
    free(u->functions);
    free(u->types);
    free(u->tables);
    free(u->names);
    free(u->skipped);
    free(u->macros);
    free(u->given_macros);
    for (int i = 0; i < u->n_kept; i++)
        free(u->kept[i]);
    free(u->kept);
    *u = left;
}

void cb_merge_free(struct cb_merge_unit *u)
{
    cb_merge_forget(u);
    free(u->chosen);
    free(u->written);
    free(u->text);
    *u = (struct cb_merge_unit){0};
}

void cb_merge_written_at(const struct cb_merge_unit *u, uint32_t at, char *path, size_t size,
                         unsigned *line, unsigned *column)
{
    const char *begin = u->text;
    unsigned number = 1;
    snprintf(path, size, "the text");
    for (const char *end; (end = strchr(begin, '\n')) && end < u->text + at; begin = end + 1) {
        char name[512];
        number++;
        unsigned given;
        if (strncmp(begin, "#line ", 6) == 0 &&
            sscanf(begin, "#line %u \"%511[^\"\n]\"", &given, name) == 2) {
            number = given;
            snprintf(path, size, "%s", name + (strncmp(name, "./", 2) == 0 ? 2 : 0));
        }
    }
    *line = number;
    *column = (unsigned)(u->text + at - begin) + 1;
}

static size_t length_without_number(const char *name, size_t n)
{
    while (n > 0 && name[n - 1] != '_')
        n--;
    return n - (n > 0);
}

/* What a name of a call that is written out stands for; false: it is none. */
static bool put_call(const struct cb_merge_unit *u, FILE *out, const char *name, size_t size)
{
    size_t n;
    for (const char *at = u->written ? u->written : ""; *at; at += n + 1) {
        n = strcspn(at, " ");
        if (size < n || strncmp(name, at, n) != 0 || (size > n && name[n] != '_'))
            continue;
        if (size > n) /* a parameter's */
            fprintf(out, "%.*s", (int)(size - n - 1), name + n + 1);
        else
            fprintf(out, "what %.*s() returns", (int)length_without_number(at, n), at);
        return true;
    }
    return false;
}

/* A name as the user wrote it, if we gave it another. */
static void put_name(const struct cb_merge_unit *u, FILE *out, const char *name, size_t size)
{
    for (int v = 0; v < u->n_vars; v++)
        if (u->vars[v].given && strlen(u->vars[v].name) == size &&
            strncmp(u->vars[v].name, name, size) == 0) {
            fputs(u->vars[v].given, out);
            return;
        }
    if (!put_call(u, out, name, size))
        fprintf(out, "%.*s", (int)size, name);
}

/* A message with the user's names. */
static void put_message(const struct cb_merge_unit *u, FILE *out, const char *message)
{
    while (*message) {
        const size_t n = strspn(message, CB_MERGE_LETTERS);
        if (n > 0)
            put_name(u, out, message, n);
        else
            fputc(*message, out);
        message += n > 0 ? n : 1;
    }
}

/* Adds a line to a list of n, once; of many, only the first. */
static void note(struct cb_merge_unit *u, char **all, int *n, uint32_t at, const char *kind,
                 const char *format, va_list values)
{
    char path[512], what[1024], line[2048];
    unsigned number, column;
    vsnprintf(what, sizeof what, format, values);
    if ((*n)++ >= MOST_PROBLEMS)
        return;
    cb_merge_written_at(u, at, path, sizeof path, &number, &column);
    FILE *out = fmemopen(line, sizeof line, "w");
    fprintf(out, "%s:%u:%u: %s", path, number, column, kind);
    put_message(u, out, what);
    fclose(out);
    line[sizeof line - 1] = '\0';
    if (*all && strstr(*all, line)) /* what is written out twice */
        return;
    const size_t size = (*all ? strlen(*all) : 0) + 1 + strlen(line) + 1;
    char *longer = cb_merge_keep(u, size);
    snprintf(longer, size, "%s%s%s", *all ? *all : "", *all ? "\n" : "", line);
    *all = longer;
}

void cb_merge_problem(struct cb_merge_unit *u, uint32_t at, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    note(u, &u->problems, &u->n_problems, at, "", format, values);
    va_end(values);
}

void cb_merge_warn(struct cb_merge_unit *u, uint32_t at, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    note(u, &u->warnings, &u->n_warnings, at, "warning: ", format, values);
    va_end(values);
}

enum cb_status cb_merge_verdict(const struct cb_merge_unit *u, struct cb_err *err)
{
    if (u->n_problems == 0)
        return CB_OK;
    if (u->n_problems <= MOST_PROBLEMS)
        return cb_fail(err, CB_USAGE, "%s", u->problems);
    return cb_fail(err, CB_USAGE, "%s\nand %d more", u->problems, u->n_problems - MOST_PROBLEMS);
}

const char *cb_merge_find_word(const struct cb_merge_unit *u, const char *from, const char *word)
{
    for (const char *at = from; (at = strstr(at, word)) != NULL; at++)
        if ((at == u->code || !strchr(CB_MERGE_LETTERS, at[-1])) &&
            cb_merge_stands_at(u, (uint32_t)(at - u->code), word))
            return at;
    return NULL;
}

bool cb_merge_has_word(const struct cb_merge_unit *u, const char *word)
{
    return cb_merge_find_word(u, u->code, word) != NULL;
}
