/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that a user's kernel may not have, since the merged one has them.
 */
#include "runtime/merge/unit.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/merge/macros.h"
#include "runtime/source.h"

static bool is_word(const struct cb_merge_unit *u, const char *name, size_t size)
{
    static const char letters[] = "aslv";
    for (const char *l = letters; *l; l++) {
        const char *word = cb_merge_word(u, *l);
        if (strlen(word) == size && strncmp(word, name, size) == 0)
            return true;
    }
    return false;
}

/* Whether a name is the kernel's and one of these. */
static bool ends_so(const struct cb_merge_unit *u, const char *name, const char *const *ends)
{
    const char *kernel = u->functions[u->kernel].name;
    const size_t n = strlen(kernel);
    bool does = false;
    for (; *ends && strncmp(name, kernel, n) == 0; ends++)
        does |= strcmp(name + n, *ends) == 0;
    return does;
}

/* A task's types and functions are called as its kernel, and one of these. */
static bool is_of_task(const struct cb_merge_unit *u, const char *name)
{
    static const char *const all[] = {"_args",  "_state",  "_local",       "_task",
                                      "_share", "_images", "_packet",      "_unpack",
                                      "_pack",  "_submit", "_image_names", NULL},
                             *const apart[] = {"_deal", "_rows", NULL},
                             *const together[] = {"_group",  "_plain",         "_phase",
                                                  "_phases", "_ends_together", NULL};
    return u->is_task &&
           (ends_so(u, name, all) || ends_so(u, name, cb_merge_is_together(u) ? together : apart));
}

/* Whether a name at a place is a parameter of the macro whose definition that is in: other macros
 * of that name do not matter there. */
static bool is_parameter(const struct cb_merge_unit *u, uint32_t at, const char *name)
{
    for (int i = 0; i < u->n_macros; i++) {
        const struct cb_merge_macro *m = &u->macros[i];
        for (uint32_t p = m->parameters; p > 0 && at >= p && at < m->end && p < m->body;
             p += 1 + (uint32_t)strcspn(u->code + p, ", )"))
            if (cb_merge_stands_at(u, p, name))
                return true;
    }
    return false;
}

static bool has_name(const struct cb_merge_unit *u, const char *name)
{
    for (const char *at = u->code; (at = cb_merge_find_word(u, at, name)); at++)
        if (!is_parameter(u, (uint32_t)(at - u->code), name))
            return true;
    return false;
}

static bool is_in_library(const char *name)
{
    static const char folder[] = "kernels/";
    bool found = false;
    for (const struct cb_embedded *file = cb_embedded_files; file->path && !found; file++) {
        if (strncmp(file->path, folder, strlen(folder)) != 0 || !strstr(file->text, name))
            continue;
        struct cb_merge_unit library = {.text = strdup(file->text)};
        if (!library.text)
            abort();
        cb_merge_blank(&library);
        cb_merge_find_macros(&library);
        found = has_name(&library, name);
        cb_merge_free(&library);
    }
    return found;
}

/* What the kernel library calls so, by its own beginnings of names. */
static bool is_library_word(const char *name)
{
    static const char *const begins[] = {"coop_", "COOP_", "task_", "TASK_", "cb_"};
    for (size_t i = 0; i < CB_COUNTOF(begins); i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return is_in_library(name);
    return false;
}

/* Before the library comes what a cooperative kernel's text defines, and after it what a task's
 * does. Some macros of the library's names are there to be set. */
static bool may_be_macro(const struct cb_merge_unit *u, const char *name)
{
    if (cb_merge_id_named(name) || is_word(u, name, strlen(name)))
        return false;
    if (u->is_task)
        return !is_library_word(name);
    return strncmp(name, "CB_", 3) == 0 || strncmp(name, "COOP_", 5) == 0 || !is_in_library(name);
}

bool cb_merge_is_taken(const struct cb_merge_unit *u, const char *name)
{
    return is_word(u, name, strlen(name)) || is_library_word(name);
}

void cb_merge_check_words(struct cb_merge_unit *u)
{
    for (int n = 0; n < u->n_names; n++)
        if (cb_merge_is_taken(u, u->names[n]) || is_of_task(u, u->names[n]))
            cb_merge_problem(u, u->functions[u->kernel].begin,
                             "%s, beside the kernel, is a word of the merged kernel: rename it",
                             u->names[n]);
    for (uint32_t at = 0, size; cb_merge_next_macro(u, &at, &size); at += size) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", size < sizeof name ? (int)size : 0, u->code + at);
        if (!may_be_macro(u, name))
            cb_merge_problem(u, at, "the macro %s is a word of the merged kernel: rename it", name);
    }
}
