/* SPDX-License-Identifier: Apache-2.0
 *
 * Pointers to constant memory among a task's arguments: the megakernel has all buffers of tasks in
 * one, which is no constant memory. Nor is then what the kernel's pointers of this kind point to,
 * and those of its helpers; but for those that are declared with a table of the file, which stays
 * where it is.
 */
#include "runtime/merge/unit.h"

#include <stdio.h>
#include <string.h>

#include "runtime/merge/macros.h"

static bool is_to_constant(const struct cb_merge_var *v)
{
    return v->is_pointer && strstr(v->type, "constant ");
}

static bool has_argument(const struct cb_merge_unit *u)
{
    bool has = false;
    for (int v = 0; v < u->n_vars; v++)
        has |= u->vars[v].is_parameter && u->vars[v].space == CB_CONSTANT;
    return has;
}

/* ---- Words ----------------------------------------------------------------------------------- */

#define BLANKS " \t\r\n\\"

static bool is_word(const struct cb_merge_unit *u, uint32_t at)
{
    return cb_merge_stands_at(u, at, "__constant") || cb_merge_stands_at(u, at, "constant");
}

/* Whether a macro stands for nothing but the word. */
static bool stands_for_word(const struct cb_merge_unit *u, const struct cb_merge_macro *m)
{
    bool has = false;
    for (uint32_t at = m->body; at < m->end;) {
        const uint32_t blank = (uint32_t)strspn(u->code + at, BLANKS);
        if (!blank && !is_word(u, at) && !cb_merge_stands_at(u, at, "const"))
            return false;
        has |= !blank && is_word(u, at);
        at += blank ? blank : (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS);
    }
    return has && !m->parameters;
}

/* Whether what comes after the word declares a pointer. */
static bool is_of_pointer(const char *at)
{
    return at[strcspn(at, "*,;)=({")] == '*';
}

/* Where the next pointer to constant memory is declared, or cast to; `end`: there is none before
 * that. */
static uint32_t next_pointer(const struct cb_merge_unit *u, uint32_t at, uint32_t end)
{
    for (uint32_t size; at < end; at += size ? size : 1) {
        size = (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS);
        const struct cb_merge_macro *m = size ? cb_merge_macro_at(u, u->code + at, size, at) : NULL;
        if ((m ? stands_for_word(u, m) : size && is_word(u, at)) &&
            is_of_pointer(u->code + at + size))
            return at;
    }
    return end;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static const struct cb_merge_table *table_at(const struct cb_merge_unit *u, const char *name,
                                             uint32_t at)
{
    for (int i = 0; i < u->n_tables; i++)
        if (at >= u->tables[i].begin && at < u->tables[i].end &&
            strcmp(u->tables[i].name, name) == 0)
            return &u->tables[i];
    return NULL;
}

/* The last letter before a place that is none of these; 0: there is none. */
static uint32_t before(const struct cb_merge_unit *u, uint32_t at, const char *letters)
{
    while (at > 0 && strchr(letters, u->code[at - 1]))
        at--;
    return at > 0 ? at - 1 : 0;
}

/* Whether a name that stands for a table stands for its address there, and not for a number in it.
 */
static bool is_address(const struct cb_merge_unit *u, const struct cb_merge_table *t, uint32_t at)
{
    const uint32_t last = before(u, at, BLANKS);
    const char other = u->code[before(u, last, BLANKS)];
    if (u->code[last] == '.' || (u->code[last] == '>' && other == '-'))
        return false; /* a member */
    if (u->code[last] == '&' && !cb_merge_is_letter(other) && !strchr(")]&", other))
        return true;
    at += (uint32_t)strlen(t->name);
    for (int d = 0; d < t->n_dimensions; d++) {
        at += (uint32_t)strspn(u->code + at, BLANKS);
        if (u->code[at] != '[')
            return true;
        int depth = 0;
        do {
            depth += u->code[at] == '[';
            depth -= u->code[at] == ']';
        } while (u->code[at++] && depth > 0);
    }
    return false;
}

/* Where the address of a table is used next; `end`: nowhere before that. */
static uint32_t next_address(const struct cb_merge_unit *u, uint32_t at, uint32_t end)
{
    for (uint32_t size; at < end; at += size ? size : 1) {
        char name[256];
        size = (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS);
        snprintf(name, sizeof name, "%.*s", (int)size, u->code + at);
        const struct cb_merge_table *t = size ? table_at(u, name, at) : NULL;
        if (t && is_address(u, t, at))
            return at;
    }
    return end;
}

static uint32_t end_of_statement(const struct cb_merge_unit *u, uint32_t begin, uint32_t end)
{
    const uint32_t at = begin + (uint32_t)strcspn(u->code + begin, ";{}");
    return at < end ? at : end;
}

static void add_table(struct cb_merge_unit *u, const struct cb_merge_table *t)
{
    u->tables = cb_merge_grown(u->tables, u->n_tables, sizeof *u->tables);
    u->tables[u->n_tables++] = *t;
}

/* ---- What cannot be -------------------------------------------------------------------------- */

/* A pointer that is declared with a table's address is one to tables from there on. */
static void note_declared(struct cb_merge_unit *u, uint32_t begin, uint32_t pointer, uint32_t end)
{
    const char *name = u->code + pointer + strcspn(u->code + pointer, "*");
    name += strspn(name, "*" BLANKS);
    const size_t size = strspn(name, CB_MERGE_LETTERS);
    if (size > 0 && strspn(u->code + begin, CB_MERGE_LETTERS "(" BLANKS) >= pointer - begin)
        add_table(u, &(struct cb_merge_table){.name = cb_merge_keep_text(u, name, size),
                                              .begin = pointer,
                                              .end = end,
                                              .n_dimensions = 1});
}

/* Whether a part of the kernel has a pointer that will be one to global memory. */
static bool has_pointer_elsewhere(const struct cb_merge_unit *u, uint32_t begin, uint32_t end)
{
    for (int v = 0; v < u->n_vars; v++) {
        const struct cb_merge_var *var = &u->vars[v];
        const char *at = is_to_constant(var) && !table_at(u, var->name, begin)
                             ? cb_merge_find_word(u, u->code + begin, var->name)
                             : NULL;
        if (at && at < u->code + end && begin >= var->scope_begin && begin < var->scope_end)
            return true;
    }
    return false;
}

/* Whether an address is what a pointer becomes that is none to tables, as far as can be seen. */
static bool is_assigned(const struct cb_merge_unit *u, uint32_t at)
{
    const uint32_t last = before(u, at, "&(" BLANKS);
    if (u->code[last] != '=')
        return strchr("?:", u->code[last]) ||
               (last >= 5 && cb_merge_stands_at(u, last - 5, "return"));
    const uint32_t name_end = before(u, last, BLANKS) + 1;
    const uint32_t name_before = before(u, name_end, CB_MERGE_LETTERS);
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(name_end - name_before - 1),
             u->code + name_before + 1);
    return *name && !table_at(u, name, at);
}

/* Whether a function uses the address of a table. */
static bool check_function(struct cb_merge_unit *u, const struct cb_merge_function *f)
{
    bool uses = false;
    for (uint32_t begin = f->parameters_end, end; begin < f->end; begin = end + 1) {
        end = end_of_statement(u, begin, f->end);
        const uint32_t address = next_address(u, begin, end), pointer = next_pointer(u, begin, end);
        if (address == end)
            continue;
        uses = true;
        if (pointer < end ? has_pointer_elsewhere(u, begin, end) : is_assigned(u, address))
            cb_merge_problem(u, address,
                             "%.*s is in constant memory, and a task's arguments are not: declare "
                             "a pointer to it with this value, and another one for arguments",
                             (int)strspn(u->code + address, CB_MERGE_LETTERS), u->code + address);
        else if (pointer < end)
            note_declared(u, begin, pointer, f->end);
    }
    return uses;
}

/* One whose word leaves no room for another. */
static void check_words(struct cb_merge_unit *u, const struct cb_merge_function *f)
{
    for (uint32_t at = f->begin, size; (at = next_pointer(u, at, f->end)) < f->end; at += size) {
        size = (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS);
        if (size < strlen("global"))
            cb_merge_problem(u, at, "%.*s stands for constant: write that where it is", (int)size,
                             u->code + at);
    }
}

void cb_merge_check_constants(struct cb_merge_unit *u)
{
    bool uses = false;
    if (!u->is_task || !has_argument(u))
        return;
    for (int v = 0; v < u->n_vars; v++)
        if (u->vars[v].is_constant)
            add_table(u, &(struct cb_merge_table){.name = u->vars[v].name,
                                                  .begin = u->vars[v].begin,
                                                  .end = u->vars[v].scope_end,
                                                  .n_dimensions = *u->vars[v].dimensions != 0});
    for (int i = 0; i < u->n_functions; i++) {
        if (!u->functions[i].is_called)
            continue;
        uses |= check_function(u, &u->functions[i]);
        check_words(u, &u->functions[i]);
    }
    for (int i = 0; i < u->n_functions && uses; i++) {
        const struct cb_merge_function *f = &u->functions[i];
        const uint32_t at = f->is_called && i != u->kernel
                                ? next_pointer(u, f->parameters, f->parameters_end)
                                : f->parameters_end;
        if (at < f->parameters_end)
            cb_merge_problem(
                u, at,
                "%s() takes pointers to constant memory, in which the file has tables, "
                "but a task's arguments are not: let it, or the kernel, take pointers "
                "to global memory",
                f->name);
    }
}

/* ---- What is written ------------------------------------------------------------------------- */

/* Writes another word in the place of one that is as long, or longer. */
static void put_word(char *at, size_t size)
{
    const char *instead = size < strlen("__constant") ? "global" : "__global";
    memset(at, ' ', size);
    memcpy(at, instead, strlen(instead));
}

static void share(struct cb_merge_unit *u, uint32_t at, uint32_t end)
{
    while ((at = next_pointer(u, at, end)) < end) {
        const size_t size = strspn(u->code + at, CB_MERGE_LETTERS);
        put_word(u->code + at, size);
        put_word(u->text + at, size);
    }
}

static void share_function(struct cb_merge_unit *u, const struct cb_merge_function *f)
{
    share(u, f->begin, f->parameters_end);
    for (uint32_t begin = f->parameters_end, end; begin < f->end; begin = end + 1) {
        end = end_of_statement(u, begin, f->end);
        if (next_address(u, begin, end) == end)
            share(u, begin, end);
    }
}

static void share_type(struct cb_merge_unit *u, struct cb_merge_var *var)
{
    static const char there[] = "constant ", here[] = "const global ";
    if (!is_to_constant(var) || (!var->is_parameter && table_at(u, var->name, var->name_at)))
        return;
    const char *at = strstr(var->type, there);
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
    for (int f = 0; f < u->n_functions; f++) /* those that nobody calls are built, too */
        share_function(u, &u->functions[f]);
    for (int m = 0; m < u->n_macros && u->n_tables == 0; m++) /* casts in them */
        share(u, u->macros[m].body, u->macros[m].end);
}
