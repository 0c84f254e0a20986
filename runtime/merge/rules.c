/* SPDX-License-Identifier: Apache-2.0
 *
 * What the language cannot express, each with its place and a way out.
 */
#include "runtime/merge/unit.h"

#include <stdio.h>
#include <string.h>

#include "kernels/coop_abi.h"

static bool resizes(enum cb_merge_point point)
{
    return point == CB_RESIZING_BARRIER || point == CB_REQUEST_FORK;
}

/* A workgroup that joins at this point does not have it. */
static void check_joining(struct cb_merge_unit *u, const struct cb_merge_node *point)
{
    for (int v = 0; resizes((enum cb_merge_point)point->which) && v < u->n_vars; v++) {
        const struct cb_merge_var *var = &u->vars[v];
        if (cb_merge_has(&point->live, v) && var->lives && !var->is_transmitted)
            cb_merge_problem(u, point->begin,
                             "%s lives across %s(), and a workgroup that joins there does not have "
                             "it: mark it transmit where it is declared, or set it after the point",
                             var->name, cb_merge_row_of(point)->source);
    }
}

/* After a point between workgroups another one, or another launch, may go on: with local memory of
 * its own. */
static void check_local_pointers(struct cb_merge_unit *u, const struct cb_merge_node *point)
{
    for (int v = 0; !u->is_task && point->which != CB_WORKGROUP_BARRIER && v < u->n_vars; v++)
        if (cb_merge_has(&point->live, v) && u->vars[v].lives && u->vars[v].has_local_pointer)
            cb_merge_problem(u, point->begin,
                             "%s points to local memory, which is another after %s(): set it anew "
                             "after the point, or use the array itself",
                             u->vars[v].name, cb_merge_row_of(point)->source);
}

/* ---- Points ---------------------------------------------------------------------------------- */

/* Whether no two points are on lines of the same number, in the text as it is written. */
static bool are_told_by_lines(const struct cb_merge_unit *u, const struct cb_merge_node *n,
                              unsigned *last)
{
    if (n->kind == CB_MERGE_POINT) {
        char path[512];
        unsigned line, column, before = *last;
        cb_merge_written_at(u, n->begin, path, sizeof path, &line, &column);
        *last = line;
        return line > before;
    }
    for (const struct cb_merge_node *c = n->first; c; c = c->next)
        if (!are_told_by_lines(u, c, last))
            return false;
    return true;
}

static void number(struct cb_merge_node *n, int *before)
{
    n->number = n->kind == CB_MERGE_POINT ? ++*before : 0;
    for (struct cb_merge_node *c = n->first; c; c = c->next)
        number(c, before);
}

/* Points are told from each other by their lines, or all by numbers. */
static void number_points(struct cb_merge_unit *u)
{
    unsigned last = 0;
    int n = 0;
    if (!are_told_by_lines(u, u->body, &last))
        number(u->body, &n);
}

static void check_points(struct cb_merge_unit *u, const struct cb_merge_node *n, bool is_in_switch)
{
    if (n->kind == CB_MERGE_POINT) {
        if (is_in_switch)
            cb_merge_problem(u, n->begin, "%s() within a switch: use if and else around it",
                             cb_merge_row_of(n)->source);
        check_joining(u, n);
        check_local_pointers(u, n);
    }
    for (const struct cb_merge_node *child = n->first; child; child = child->next)
        check_points(u, child, is_in_switch || n->kind == CB_MERGE_SWITCH);
}

/* ---- Names ----------------------------------------------------------------------------------- */

bool cb_merge_is_beside(const struct cb_merge_unit *u, const char *name)
{
    for (int n = 0; n < u->n_names; n++)
        if (strcmp(u->names[n], name) == 0)
            return true;
    return false;
}

/* Whether two variables of one name cannot both have it, in the state or beside it. */
static bool are_in_conflict(const struct cb_merge_var *var, const struct cb_merge_var *other)
{
    bool meet = other->scope_begin < var->scope_end && var->scope_begin < other->scope_end;
    bool differ =
        strcmp(var->type, other->type) != 0 || strcmp(var->dimensions, other->dimensions) != 0;
    return var->lives && strcmp(var->name, other->name) == 0 && (meet || (other->lives && differ));
}

static bool has_conflict(const struct cb_merge_unit *u, int var)
{
    bool has = u->vars[var].lives && cb_merge_is_beside(u, u->vars[var].name);
    for (int o = 0; o < u->n_vars; o++)
        has |= o != var && are_in_conflict(&u->vars[var], &u->vars[o]);
    return has;
}

void cb_merge_rename(struct cb_merge_unit *u)
{
    for (int v = u->n_vars - 1; v >= 0; v--) {
        struct cb_merge_var *var = &u->vars[v];
        if (var->is_parameter || !has_conflict(u, v))
            continue;
        size_t size = strlen(var->name) + 16;
        char *name = cb_merge_keep(u, size);
        snprintf(name, size, "%s_%d", var->name, v + 1);
        var->given = var->name;
        var->name = name;
    }
}

/* Those in the state have one name for the whole kernel. */
static void check_names(struct cb_merge_unit *u)
{
    for (int v = 0; v < u->n_vars; v++)
        if (has_conflict(u, v))
            cb_merge_problem(u, u->vars[v].begin,
                             "%s lives across a point, and something else has its name: rename one",
                             u->vars[v].name);
}

/* The state of a cooperative kernel goes with those that join, in a message. */
static void check_state(struct cb_merge_unit *u)
{
    const int most = COOP_STATE_BYTES - (int)sizeof(cb_u32); /* beside the point */
    long long bytes = 0;
    const struct cb_merge_var *largest = NULL;
    for (int v = 0; v < u->n_vars && !u->is_task; v++) {
        const struct cb_merge_var *var = &u->vars[v];
        bool is_again = false; /* what has one name is one member */
        for (int before = 0; before < v; before++)
            is_again |= u->vars[before].lives && strcmp(u->vars[before].name, var->name) == 0;
        if (!var->lives || is_again || var->size <= 0 || var->alignment <= 0)
            continue;
        bytes = (bytes + var->alignment - 1) / var->alignment * var->alignment + var->size;
        largest = !largest || var->size > largest->size ? var : largest;
    }
    if (bytes > most)
        cb_merge_problem(u, largest->begin,
                         "what lives across points takes %lld bytes, and may take %d: keep %s in "
                         "global memory",
                         bytes, most, largest->name);
}

/* Arguments are kept in a structure, where these may not be. */
static bool is_opaque(const char *type)
{
    static const char *const words[] = {"pipe ", "event_t"};
    for (size_t i = 0; i < CB_COUNTOF(words); i++)
        for (const char *at = type; (at = strstr(at, words[i])); at++)
            if (at == type || at[-1] == ' ')
                return true;
    return false;
}

static void check_vars(struct cb_merge_unit *u)
{
    for (int v = 0; v < u->n_vars; v++) {
        const struct cb_merge_var *var = &u->vars[v];
        if (var->is_transmitted && var->id_at)
            cb_merge_problem(u, var->id_at,
                             "%s keeps an id or a size across points: a workgroup that joins would "
                             "get another's. Ask for it again after each point",
                             var->name);
        if ((var->lives || var->is_local) && !var->is_written_here)
            cb_merge_problem(u, var->begin,
                             "%s is declared by a macro, and moved: write it where it is",
                             var->name);
        if (var->lives && var->has_private_pointer)
            cb_merge_problem(
                u, var->begin,
                "%s lives across a point, and private memory moves there: let it point "
                "to global or constant memory, and say so",
                var->name);
        if (var->is_parameter && var->address_at)
            cb_merge_problem(u, var->address_at,
                             "the address of the parameter %s is taken: use a variable", var->name);
        if ((var->lives || var->is_local) &&
            (strstr(var->type, "anonymous") || strstr(var->type, "unnamed")))
            cb_merge_problem(u, var->begin,
                             "%s lives across a point, or in local memory: give its type a name",
                             var->name);
        if (var->is_parameter && var->written_at &&
            !u->is_task) /* FSE'17 Section 3.1: they are immutable */
            cb_merge_problem(u, var->written_at, "the parameter %s is changed: use a variable",
                             var->name);
        if (var->is_parameter && is_opaque(var->type))
            cb_merge_problem(u, var->begin, "the parameter %s: %s is not supported", var->name,
                             var->type);
        if (var->is_const_by_typedef && (var->lives || var->is_local))
            cb_merge_problem(u, var->begin,
                             "%s lives across a point, and its type's name has a const in it: "
                             "write the type without",
                             var->name);
        if (var->lives && var->has_const_member)
            cb_merge_problem(u, var->begin,
                             "%s lives across a point, and a member of its type is const, so that "
                             "it could not be kept: write the type without",
                             var->name);
        if (var->lives && *var->attribute)
            cb_merge_problem(u, var->begin,
                             "%s lives across a point, and has an attribute, which "
                             "would be lost",
                             var->name);
        if (var->is_constant)
            cb_merge_problem(u, var->begin, "%s: declare constants beside the kernel", var->name);
        if (var->is_parameter &&
            (strstr(var->type, "(*") || (var->space != CB_BY_VALUE && !var->is_pointer)))
            cb_merge_problem(u, var->begin,
                             "the parameter %s: pointers to arrays are not supported", var->name);
        if (cb_merge_is_taken(u, var->name))
            cb_merge_problem(u, var->begin, "%s is a word of the merged kernel: rename it",
                             var->name);
    }
}

static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !strchr(CB_MERGE_LETTERS, at[-1])) &&
            (at[n] == '\0' || !strchr(CB_MERGE_LETTERS, at[n])))
            return true;
    return false;
}

bool cb_merge_is_of_file(const struct cb_merge_unit *u, const struct cb_merge_var *v)
{
    bool is = v->is_record;
    for (int t = 0; t < u->n_types; t++)
        is |= *u->types[t].name && has_word(v->type, u->types[t].name);
    return is;
}

/* A type of arguments or of the state that is declared after a place; NULL: there is none. */
static const struct cb_merge_type *late_type(const struct cb_merge_unit *u, uint32_t place)
{
    for (int t = 0; t < u->n_types; t++) {
        const struct cb_merge_type *type = &u->types[t];
        for (int v = 0; type->at >= place && v < u->n_vars && *type->name; v++)
            if ((u->vars[v].lives || u->vars[v].is_parameter || u->vars[v].is_local) &&
                has_word(u->vars[v].type, type->name))
                return type;
    }
    return NULL;
}

/* A name that the kernel itself gives to one of OpenCL's types is not needed. */
static void resolve_own_types(struct cb_merge_unit *u)
{
    const uint32_t kernel = u->functions[u->kernel].begin;
    for (int v = 0; v < u->n_vars; v++) {
        bool is_own = strstr(u->vars[v].type, "typeof") != NULL, is_needed = false;
        for (int t = 0; t < u->n_types; t++) {
            const struct cb_merge_type *type = &u->types[t];
            const bool here = type->at > kernel && *type->name;
            is_own |= here && has_word(u->vars[v].type, type->name);
            is_needed |= here && has_word(u->vars[v].canonical, type->name);
        }
        if (is_own && !is_needed)
            u->vars[v].type = u->vars[v].canonical;
    }
}

/* Arguments and state come right before the kernel, or, where helpers need what comes with them,
 * before the first function; and so do their types. */
static void check_types(struct cb_merge_unit *u)
{
    const struct cb_merge_function *kernel = &u->functions[u->kernel];
    resolve_own_types(u);
    u->is_late = u->is_task || (late_type(u, cb_merge_split(u)) && cb_merge_may_be_late(u));
    const struct cb_merge_type *type = late_type(u, u->is_late ? kernel->begin : cb_merge_split(u));
    if (type && type->at > kernel->begin)
        cb_merge_problem(u, type->at,
                         "%s is a type of arguments or of what lives across points: declare it "
                         "before the kernel",
                         type->name);
    else if (type)
        cb_merge_problem(u, type->at,
                         "%s is a type of arguments or of what lives across points, and helpers "
                         "before the kernel ask for ids: declare it before the first function, and "
                         "before the #if that this is in",
                         type->name);
}

static bool calls_itself(struct cb_merge_unit *u, int function)
{
    struct cb_merge_function *f = &u->functions[function];
    if (f->is_done)
        return false;
    if (f->is_seen)
        return true;
    f->is_seen = true;
    bool found = false;
    for (int i = 0; i < f->n_calls; i++)
        found |= calls_itself(u, f->calls[i]);
    f->is_seen = false;
    f->is_done = true;
    return found;
}

/* All functions of this name, and what they call. */
static void mark_called(struct cb_merge_unit *u, int function)
{
    for (int k = 0; k < u->n_functions; k++) {
        struct cb_merge_function *f = &u->functions[k];
        if (f->is_called || strcmp(f->name, u->functions[function].name) != 0)
            continue;
        f->is_called = true;
        for (int i = 0; i < f->n_calls; i++)
            mark_called(u, f->calls[i]);
    }
}

static void check_helpers(struct cb_merge_unit *u)
{
    mark_called(u, u->kernel);
    for (int i = 0; i < u->n_functions; i++) {
        struct cb_merge_function *f = &u->functions[i];
        if (f->point_at && f->is_called)
            cb_merge_problem(u, f->point_at,
                             "a point or barrier in %s(): they have to be in the kernel itself",
                             f->name);
        if (f->collective_at && (f->is_called || i == u->kernel)) {
            const char *word = u->code + f->collective_at;
            cb_merge_problem(
                u, f->collective_at,
                "%.*s() takes all work-items of a workgroup together: use local memory "
                "and barrier()",
                (int)strspn(word, CB_MERGE_LETTERS), word);
        }
        if (f->is_kernel && f->has_body && f->is_called &&
            strcmp(f->name, u->functions[u->kernel].name) != 0)
            cb_merge_problem(u, f->begin, "the kernel %s() is called by another: make it a helper",
                             f->name);
        if (calls_itself(u, i))
            cb_merge_problem(u, f->begin, "%s() calls itself, which OpenCL C has not", f->name);
    }
}

/* Whether a function asks for ids or submits tasks, calls one that does, or is another declaration
 * of one. */
static bool asks_for_ids(const struct cb_merge_unit *u, int function)
{
    const struct cb_merge_function *f = &u->functions[function];
    bool asks = f->id_at;
    for (int c = 0; c < f->n_calls; c++)
        asks |= u->functions[f->calls[c]].needs_view;
    for (int k = 0; k < u->n_functions; k++)
        asks |= u->functions[k].needs_view && strcmp(f->name, u->functions[k].name) == 0;
    return asks;
}

/* Helpers with points, of kernels that are not merged. */
static void find_reaching(struct cb_merge_unit *u)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < u->n_functions; i++) {
            struct cb_merge_function *f = &u->functions[i];
            bool reaches = f->point_at > 0;
            for (int c = 0; c < f->n_calls; c++)
                reaches |= u->functions[f->calls[c]].reaches;
            changed |= reaches && !f->reaches;
            f->reaches |= reaches;
        }
    }
}

/* Helpers that need to be told what the kernel knows. */
static void find_views(struct cb_merge_unit *u)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < u->n_functions; i++)
            if (i != u->kernel && !u->functions[i].needs_view && asks_for_ids(u, i))
                changed = u->functions[i].needs_view = true;
    }
    for (int i = 0; i < u->n_functions; i++)
        for (int c = 0; u->functions[i].needs_view && c < u->functions[i].n_call_ends; c++)
            if (u->functions[i].call_ends[c] == 0)
                cb_merge_problem(
                    u, u->functions[i].begin,
                    "%s() asks for ids or submits tasks, and is called by a macro: call it "
                    "directly",
                    u->functions[i].name);
}

void cb_merge_check(struct cb_merge_unit *u)
{
    number_points(u);
    check_points(u, u->body, false);
    cb_merge_check_reached(u);
    if (u->goto_at && cb_merge_has_point(u->body, CB_NO_POINT))
        cb_merge_problem(u, u->goto_at, "goto: a kernel with points needs loops instead");
    check_names(u);
    check_vars(u);
    cb_merge_check_images(u);
    cb_merge_check_words(u);
    check_state(u);
    check_helpers(u);
    if (!u->is_task)
        cb_merge_check_sides(u);
    cb_merge_check_constants(u);
    find_reaching(u);
    find_views(u);
    check_types(u);
    cb_merge_check_skipped(u);
}
