/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of functions with points in them, written out: before the statement that has the call come
 * variables for what is given, in a block of them the parameters, and in that the body; what is
 * returned goes into a variable, which comes in the place of the call.
 */
#include "runtime/merge/inlined.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/merge/macros.h"

struct place {
    CXCursor statement;
    bool is_loose; /* there is no block right around it */
};

struct walk {
    struct cb_merge_rewriter *w;
    struct cb_merge_known names; /* of the kernel, so far */
};

/* ---- A call ---------------------------------------------------------------------------------- */

/* A name that nothing begins with. */
static const char *new_name(struct cb_merge_unit *u, const char *of)
{
    const size_t size = strlen(of) + 16;
    char *name = cb_merge_keep(u, size), *all = NULL;
    do
        snprintf(name, size, "%s_%d", of, ++u->n_written);
    while (strstr(u->code, name));
    if (asprintf(&all, "%s%s ", u->written ? u->written : "", name) < 0)
        abort();
    free(u->written);
    u->written = all;
    return name;
}

/* What comes in the place of a call. */
static const char *value_in_place(struct walk *k, const struct place *p, CXCursor call,
                                  const char *name, uint32_t open)
{
    struct cb_merge_unit *u = k->w->u;
    const uint32_t begin = cb_merge_begin_of(call), end = cb_merge_end_of(call);
    const struct cb_merge_given g = cb_merge_given_in(u, open);
    const bool is_alone = clang_equalCursors(p->statement, call);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CXString called = cb_merge_called(call);
    if (cb_merge_is_copy(clang_getCString(called)) && !is_alone && g.n > 0) {
        const char *event = cb_merge_one_line(u, g.begin[g.n - 1], g.end[g.n - 1]);
        fprintf(out, strcmp(event, "0") == 0 ? "(event_t)%s" : "(%s)", event);
    } else if (!is_alone) {
        fputs(clang_getCursorType(call).kind == CXType_Void ? "(void)0" : name, out);
    }
    clang_disposeString(called);
    for (uint32_t at = begin; at < end; at++)
        if (u->text[at] == '\n')
            fputc('\n', out);
    return cb_merge_made(u, out, &text, &size);
}

/* Writes a call out: before its statement, in a block if there is none around it. */
static void write_call(struct walk *k, const struct place *p, CXCursor call)
{
    struct cb_merge_unit *u = k->w->u;
    const uint32_t begin = cb_merge_begin_of(call), end = cb_merge_end_of(call),
                   statement = cb_merge_begin_of(p->statement);
    const char *called = cb_merge_keep_string(u, cb_merge_called(call));
    const uint32_t open =
        begin + (uint32_t)(strlen(called) + strspn(u->code + begin + strlen(called), " \t\r\n"));
    const int function = cb_merge_callee(k->w, call);
    bool is_written = false;
    if (u->code[open] != '(' || cb_merge_closing(u, open) + 1 != end ||
        cb_merge_has_directive(u, begin, end) ||
        (function >= 0 && !u->functions[function].has_body)) {
        cb_merge_problem(u, begin, "%s() has a point in it: call it directly, without an #if",
                         called);
        return;
    }
    if (function >= 0 && !cb_merge_can_be_inlined(k->w, &k->names, function, begin))
        return;
    const char *name = new_name(u, called);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fputs(p->is_loose ? "{ " : "", out);
    if (function >= 0)
        is_written = cb_merge_put_inlined(k->w, out, call, function, name, open);
    else
        is_written = cb_merge_put_copy(k->w, out, call, name, open);
    cb_merge_put_line(u, out, statement);
    const char *before = cb_merge_made(u, out, &text, &size);
    if (!is_written)
        cb_merge_problem(u, begin,
                         "%s(): what it is given cannot be told apart: give each parameter a name",
                         called);
    cb_merge_change(k->w, statement, statement, before);
    cb_merge_change(k->w, begin, end, value_in_place(k, p, call, name, open));
    if (p->is_loose) {
        const uint32_t after = cb_merge_end_of_statement(u, p->statement);
        cb_merge_change(k->w, after, after, " }");
    }
}

/* Waiting for copies is a barrier. */
static void write_wait(struct walk *k, CXCursor call)
{
    cb_merge_change(k->w, cb_merge_begin_of(call), cb_merge_end_of(call),
                    "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)");
}

/* Looks for a call in an expression of a statement. */
static void take_expression(struct walk *k, const struct place *p, CXCursor expression)
{
    struct cb_merge_unit *u = k->w->u;
    const struct cb_merge_first_call s = cb_merge_first_call(k->w, expression);
    if (!s.found || u->room == 0)
        return;
    const char *called = cb_merge_keep_string(u, cb_merge_called(s.c));
    if (cb_merge_point_named(called))
        return; /* a point itself */
    if (cb_merge_is_wait(called) && clang_equalCursors(p->statement, s.c))
        write_wait(k, s.c);
    else if (s.is_maybe || cb_merge_is_wait(called))
        cb_merge_problem(u, cb_merge_begin_of(s.c),
                         "%s() has a point in it, and is called where it may be left out: call it "
                         "in a statement of its own",
                         called);
    else if (s.is_after)
        cb_merge_problem(u, cb_merge_begin_of(s.c),
                         "%s() has a point in it, and something else comes before it in this "
                         "statement: call it in a statement of its own",
                         called);
    else
        write_call(k, p, s.c);
}

/* A part of a loop that is evaluated again. */
static void refuse_in_loop(struct walk *k, CXCursor expression)
{
    const struct cb_merge_first_call s = cb_merge_first_call(k->w, expression);
    if (!s.found)
        return;
    char *called = cb_merge_keep_string(k->w->u, cb_merge_called(s.c));
    cb_merge_problem(k->w->u, cb_merge_begin_of(s.c),
                     cb_merge_point_named(called)
                         ? "%s() has to be a statement of its own"
                         : "%s() has a point in it, and is called in a loop's head: call it in a "
                           "statement of its own",
                     called);
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static void declare(struct walk *k, CXCursor c)
{
    if (k->names.n < (int)CB_COUNTOF(k->names.list))
        k->names.list[k->names.n++] = cb_merge_keep_string(k->w->u, clang_getCursorSpelling(c));
    else if (k->w->u->n_problems == 0) /* the first one is enough */
        cb_merge_problem(k->w->u, cb_merge_begin_of(c), "a kernel has at most %d names",
                         (int)CB_COUNTOF(k->names.list));
}

static void take_statement(struct walk *k, CXCursor s, bool is_loose);

static void take_parts(struct walk *k, struct cb_merge_children parts, bool is_loose)
{
    for (int i = 0; i < parts.n; i++)
        take_statement(k, parts.list[i], is_loose);
}

static void take_declaration(struct walk *k, const struct place *p, struct cb_merge_children parts)
{
    take_expression(k, p, p->statement);
    for (int i = 0; i < parts.n; i++)
        declare(k, parts.list[i]);
}

static void take_loop(struct walk *k, struct cb_merge_children parts)
{
    for (int i = 0; i + 1 < parts.n; i++) {
        refuse_in_loop(k, parts.list[i]);
        struct cb_merge_children declared = cb_merge_children_of(k->w->u, parts.list[i]);
        for (int d = 0; clang_getCursorKind(parts.list[i]) == CXCursor_DeclStmt && d < declared.n;
             d++)
            declare(k, declared.list[d]);
    }
    if (parts.n > 0)
        take_statement(k, parts.list[parts.n - 1], true);
}

static void take_statement(struct walk *k, CXCursor s, bool is_loose)
{
    const struct place place = {s, is_loose};
    struct cb_merge_children parts = cb_merge_children_of(k->w->u, s);
    const int names = k->names.n;
    switch (clang_getCursorKind(s)) {
    case CXCursor_CompoundStmt:
        take_parts(k, parts, false);
        k->names.n = names;
        break;
    case CXCursor_IfStmt:
    case CXCursor_SwitchStmt:
        if (parts.n == 0)
            break;
        take_expression(k, &place, parts.list[0]);
        parts.list++;
        parts.n--;
        take_parts(k, parts, true);
        break;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
        take_loop(k, parts);
        k->names.n = names;
        break;
    case CXCursor_DoStmt:
        if (parts.n < 2)
            break;
        take_statement(k, parts.list[0], true);
        refuse_in_loop(k, parts.list[1]);
        break;
    case CXCursor_DeclStmt:
        take_declaration(k, &place, parts);
        break;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
    case CXCursor_UnexposedStmt:
        if (parts.n > 0)
            take_statement(k, parts.list[parts.n - 1], true);
        break;
    default: /* an expression, or a return's */
        take_expression(k, &place, s);
    }
}

/* Events are no more than numbers when all copies are written out. */
static void replace_events(struct cb_merge_rewriter *w)
{
    const struct cb_merge_function *kernel = &w->u->functions[w->u->kernel];
    for (const char *at = w->u->code + kernel->parameters_end;
         (at = cb_merge_find_word(w->u, at, "event_t")) && at < w->u->code + kernel->end; at++) {
        const uint32_t begin = (uint32_t)(at - w->u->code);
        cb_merge_change(w, begin, begin + (uint32_t)strlen("event_t"), "uint");
    }
}

void cb_merge_inline(struct cb_merge_rewriter *w)
{
    struct cb_merge_unit *u = w->u;
    struct walk *k = cb_merge_keep(u, sizeof *k);
    struct cb_merge_children all = cb_merge_children_of(u, w->routines[u->kernel].c);
    k->w = w;
    for (int i = 0; i < all.n; i++)
        if (clang_getCursorKind(all.list[i]) == CXCursor_ParmDecl)
            declare(k, all.list[i]);
        else if (clang_getCursorKind(all.list[i]) == CXCursor_CompoundStmt)
            take_statement(k, all.list[i], false);
    if (w->n_changes == 0 && u->n_problems == 0)
        replace_events(w);
}
