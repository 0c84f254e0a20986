/* SPDX-License-Identifier: Apache-2.0
 *
 * Pointers to constant memory among a task's arguments: the megakernel has all buffers of tasks in
 * one, which is no constant memory. Nor is then what the kernel's pointers of this kind point to,
 * and those of its helpers.
 */
#include "runtime/merge/unit.h"

#include <stdio.h>
#include <string.h>

static const char *const words[] = {"__constant", "constant"};
static const char *const instead[] = {"__global  ", "global  "}; /* as long as these */

static bool is_constant_argument(const struct cb_merge_var *v)
{
    return v->is_parameter && v->space == CB_CONSTANT;
}

static bool has_argument(const struct cb_merge_unit *u)
{
    bool has = false;
    for (int v = 0; v < u->n_vars; v++)
        has |= is_constant_argument(&u->vars[v]);
    return has;
}

/* Whether what begins with the word declares a pointer. */
static bool is_of_pointer(const char *at)
{
    return at[strcspn(at, "*,;)=({")] == '*';
}

/* The next pointer to constant memory between two places; NULL: there is none. */
static char *next_pointer(const struct cb_merge_unit *u, uint32_t begin, uint32_t end,
                          size_t *which)
{
    const char *first = NULL;
    for (size_t w = 0; w < CB_COUNTOF(words); w++)
        for (const char *at = u->code + begin;
             (at = cb_merge_find_word(u, at, words[w])) && at < u->code + end; at++)
            if (is_of_pointer(at)) {
                *which = !first || at < first ? w : *which;
                first = !first || at < first ? at : first;
                break;
            }
    return first ? u->code + (first - u->code) : NULL;
}

/* ---- What cannot be -------------------------------------------------------------------------- */

static bool is_in_function(const struct cb_merge_unit *u, uint32_t place)
{
    bool is = false;
    for (int f = 0; f < u->n_functions; f++)
        is |= place >= u->functions[f].begin && place < u->functions[f].end;
    return is;
}

/* Whether the file has a table of constants, of which helpers may be given a part. */
static bool has_table(const struct cb_merge_unit *u)
{
    for (size_t w = 0; w < CB_COUNTOF(words); w++)
        for (const char *at = u->code; (at = cb_merge_find_word(u, at, words[w])); at++)
            if (!is_in_function(u, (uint32_t)(at - u->code)))
                return true;
    return false;
}

void cb_merge_check_constants(struct cb_merge_unit *u)
{
    size_t which;
    if (!u->is_task || !has_argument(u) || !has_table(u))
        return;
    for (int i = 0; i < u->n_functions; i++) {
        const struct cb_merge_function *f = &u->functions[i];
        const char *at = f->is_called && i != u->kernel
                             ? next_pointer(u, f->parameters, f->parameters_end, &which)
                             : NULL;
        if (at)
            cb_merge_problem(
                u, (uint32_t)(at - u->code),
                "%s() takes pointers to constant memory, in which the file has tables, "
                "but a task's arguments are not: let it, or the kernel, take pointers "
                "to global memory",
                f->name);
    }
}

/* ---- What is written ------------------------------------------------------------------------- */

static void share_function(struct cb_merge_unit *u, const struct cb_merge_function *f)
{
    size_t which;
    for (uint32_t begin = f->begin; begin < f->end;) {
        char *at = next_pointer(u, begin, f->end, &which);
        if (!at)
            return;
        begin = (uint32_t)(at - u->code);
        memcpy(at, instead[which], strlen(instead[which]));
        memcpy(u->text + begin, instead[which], strlen(instead[which]));
    }
}

static void share_type(struct cb_merge_unit *u, struct cb_merge_var *var)
{
    static const char there[] = "constant ", here[] = "const global ";
    const char *at = var->is_pointer ? strstr(var->type, there) : NULL;
    if (!at)
        return;
    size_t size = strlen(var->type) + sizeof here;
    char *type = cb_merge_keep(u, size);
    snprintf(type, size, "%.*s%s%s", (int)(at - var->type), var->type, here, at + sizeof there - 1);
    var->type = type;
}

void cb_merge_share_constants(struct cb_merge_unit *u)
{
    if (!has_argument(u))
        return;
    for (int v = 0; v < u->n_vars; v++)
        share_type(u, &u->vars[v]);
    for (int f = 0; f < u->n_functions && !has_table(u); f++)
        if (f == u->kernel || u->functions[f].is_called)
            share_function(u, &u->functions[f]);
}
