/* SPDX-License-Identifier: Apache-2.0
 *
 * What #if leaves out of a kernel here. The device's compiler may see it: it knows macros that
 * libclang does not. So it must be text that stays right as it is.
 */
#include "runtime/merge/unit.h"

#include <ctype.h>
#include <string.h>

struct word {
    uint32_t at;
    size_t size;
};

/* The next name from a place on, of lines that are no directives; false: there is none before the
 * end. */
static bool next_word(const struct cb_merge_unit *u, uint32_t from, uint32_t end, struct word *w)
{
    for (uint32_t at = from; at < end; at++) {
        if (u->code[at] == '#' && cb_merge_has_directive(u, at - 1, at + 1))
            at += (uint32_t)strcspn(u->code + at, "\n");
        else if (isdigit((unsigned char)u->code[at]))
            at += (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS) - 1;
        else if (strchr(CB_MERGE_LETTERS, u->code[at])) {
            *w = (struct word){at, strspn(u->code + at, CB_MERGE_LETTERS)};
            return true;
        }
    }
    return false;
}

static bool is_called(const struct cb_merge_unit *u, const struct word *w, const char *name)
{
    return name && strlen(name) == w->size && strncmp(u->code + w->at, name, w->size) == 0;
}

/* Whether a name means a variable that is not called so in the merged kernel, or, where it is
 * declared once more, hides the one that is. */
static bool is_lost(const struct cb_merge_unit *u, const struct word *w, bool declares)
{
    for (int v = 0; v < u->n_vars; v++) {
        const struct cb_merge_var *var = &u->vars[v];
        bool moves =
            var->is_local ||
            (var->lives && (*var->dimensions || var->address_at || var->given || declares));
        if (moves && !var->is_parameter &&
            (is_called(u, w, var->name) || is_called(u, w, var->given)))
            return true;
    }
    return false;
}

static bool is_point(const struct cb_merge_unit *u, const struct word *w)
{
    for (const struct cb_merge_point_name *p = cb_merge_points; p->source; p++)
        if (is_called(u, w, p->source))
            return true;
    return false;
}

/* Whether a name comes right after a type's, and no other name after it: it is declared. */
static bool is_declared(const struct cb_merge_unit *u, uint32_t begin, const struct word *w)
{
    static const char *const words[] = {"return", "else", "do", "goto", "case", "sizeof"};
    const char *after = u->code + w->at + w->size;
    after += strspn(after, " \t\r\n");
    uint32_t at = w->at;
    if (*after == '*' || cb_merge_is_letter(*after))
        return false;
    while (at > begin && strchr(" \t*", u->code[at - 1]))
        at--;
    uint32_t end = at;
    while (at > begin && strchr(CB_MERGE_LETTERS, u->code[at - 1]))
        at--;
    const struct word before = {at, end - at};
    for (size_t i = 0; i < CB_COUNTOF(words); i++)
        if (is_called(u, &before, words[i]))
            return false;
    return end > at && end < w->at && !isdigit((unsigned char)u->code[at]);
}

/* Whether a text is of the kernel's body: its parameters are written anew. */
static bool is_of_body(const struct cb_merge_unit *u, const struct cb_merge_range *text)
{
    return text->begin >= u->body->begin && text->begin < u->body->end;
}

/* Whether another text that is left out goes on with a variable of this name. */
static bool is_elsewhere(const struct cb_merge_unit *u, int own, const struct word *w)
{
    for (int i = 0; i < u->n_skipped; i++) {
        struct word other = {u->skipped[i].begin, 0};
        bool found = false;
        while (i != own && !found && is_of_body(u, &u->skipped[i]) &&
               next_word(u, other.at + (uint32_t)other.size, u->skipped[i].end, &other))
            found =
                other.size == w->size && strncmp(u->code + other.at, u->code + w->at, w->size) == 0;
        if (found && !is_declared(u, u->skipped[i].begin, &other))
            return true;
    }
    return false;
}

static void check_word(struct cb_merge_unit *u, int i, const struct word *w)
{
    const bool declares = is_declared(u, u->skipped[i].begin, w);
    if (is_point(u, w))
        cb_merge_problem(u, w->at,
                         "a point that #if takes away here, and perhaps not on the device: points "
                         "have to be in all branches, or in none");
    else if (is_lost(u, w, declares) || (declares && is_elsewhere(u, i, w)))
        cb_merge_problem(u, w->at,
                         "%.*s, in text that #if takes away here, and perhaps not on the device, "
                         "cannot be moved as it is elsewhere: let #if choose a macro or a helper "
                         "before the kernel",
                         (int)w->size, u->code + w->at);
}

static bool is_in_use(const struct cb_merge_unit *u, uint32_t at)
{
    bool is = false;
    for (int f = 0; f < u->n_functions; f++)
        is |= (u->functions[f].is_called || f == u->kernel) && at >= u->functions[f].begin &&
              at < u->functions[f].end;
    return is;
}

static void warn_of_collectives(struct cb_merge_unit *u)
{
    for (int i = 0; i < u->n_skipped; i++) {
        struct word w = {u->skipped[i].begin, 0};
        while (is_in_use(u, w.at) && next_word(u, w.at + (uint32_t)w.size, u->skipped[i].end, &w))
            if (cb_merge_is_collective(u->code + w.at))
                cb_merge_warn(u, w.at,
                              "%.*s() takes all work-items of a workgroup together, in text that "
                              "#if takes away here: the device must not take it",
                              (int)w.size, u->code + w.at);
    }
}

void cb_merge_check_skipped(struct cb_merge_unit *u)
{
    warn_of_collectives(u);
    if (!cb_merge_has_point(u->body, CB_NO_POINT))
        return;
    for (int i = 0; i < u->n_skipped; i++) {
        struct word w = {u->skipped[i].begin, 0};
        while (is_of_body(u, &u->skipped[i]) &&
               next_word(u, w.at + (uint32_t)w.size, u->skipped[i].end, &w))
            check_word(u, i, &w);
    }
}
