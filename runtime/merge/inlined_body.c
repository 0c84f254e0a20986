/* SPDX-License-Identifier: Apache-2.0
 *
 * What is written for a call: a block of the parameters, and in it the function's body, in which a
 * return is a break; or a copy by all work-items.
 */
#include "runtime/merge/inlined.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/merge/macros.h"

/* ---- Statements ------------------------------------------------------------------------------ */

/* After the semicolon that ends what begins at a place. */
static uint32_t after_semicolon(const struct cb_merge_unit *u, uint32_t at)
{
    int depth = 0;
    for (; u->code[at]; at++) {
        depth += strchr("([{", u->code[at]) != NULL;
        depth -= strchr(")]}", u->code[at]) != NULL;
        if (depth == 0 && u->code[at] == ';')
            return at + 1;
    }
    return at;
}

uint32_t cb_merge_end_of_statement(struct cb_merge_unit *u, CXCursor s)
{
    struct cb_merge_children children = cb_merge_children_of(u, s);
    switch (clang_getCursorKind(s)) {
    case CXCursor_CompoundStmt:
        return cb_merge_end_of(s);
    case CXCursor_DoStmt:
        return after_semicolon(u, children.n ? cb_merge_end_of_statement(u, children.list[0])
                                             : cb_merge_begin_of(s));
    case CXCursor_IfStmt:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
    case CXCursor_UnexposedStmt:
        if (children.n > 0)
            return cb_merge_end_of_statement(u, children.list[children.n - 1]);
        break;
    default:
        break;
    }
    return after_semicolon(u, cb_merge_begin_of(s));
}

void cb_merge_put_line(const struct cb_merge_unit *u, FILE *out, uint32_t at)
{
    char path[512];
    unsigned line, column;
    cb_merge_written_at(u, at, path, sizeof path, &line, &column);
    fprintf(out, "\n#line %u \"%s\"\n%*s", line, path,
            column > 1 && column < 200 ? (int)column - 1 : 0, "");
}

/* ---- A function's body ----------------------------------------------------------------------- */

struct body {
    struct cb_merge_rewriter *w;
    const char *name; /* of this call, with which its variables' begin */
    bool returns_nothing, is_plain /* one return, at the end */, leaves_loops;
    int n_returns;
};

static enum CXChildVisitResult count_return(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(int *)data += clang_getCursorKind(c) == CXCursor_ReturnStmt;
    return CXChildVisit_Recurse;
}

static int returns_in(CXCursor c)
{
    int n = 0;
    clang_visitChildren(c, count_return, &n);
    return n;
}

static bool is_left_by_break(enum CXCursorKind kind)
{
    return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt ||
           kind == CXCursor_SwitchStmt;
}

static void write_return(struct body *b, CXCursor s, int loops)
{
    struct cb_merge_unit *u = b->w->u;
    const uint32_t begin = cb_merge_begin_of(s), end = cb_merge_end_of_statement(u, s);
    const uint32_t value = begin + (uint32_t)strlen("return");
    const bool gives = strspn(u->code + value, " \t\r\n") + value + 1 < end && !b->returns_nothing;
    const size_t size = 2 * strlen(b->name) + 32;
    char *before = cb_merge_keep(u, size), *after = cb_merge_keep(u, size);
    snprintf(before, size, "%s%s%s%s", b->is_plain ? "" : "{", gives && !b->is_plain ? " " : "",
             gives ? b->name : "", gives ? " =" : "");
    if (loops > 0)
        snprintf(after, size, " %s_left = 1;", b->name);
    strcat(after, b->is_plain ? "" : " break; }");
    b->leaves_loops |= loops > 0;
    cb_merge_change(b->w, begin, value, before);
    cb_merge_change(b->w, end, end, after);
}

/* A loop that a return leaves is left by a break, and so is the one around it. */
static void write_returns(struct body *b, CXCursor s, int loops, bool is_loose)
{
    const enum CXCursorKind kind = clang_getCursorKind(s);
    struct cb_merge_unit *u = b->w->u;
    struct cb_merge_children children = cb_merge_children_of(u, s);
    const bool is_left = is_left_by_break(kind) && returns_in(s) > 0;
    if (kind == CXCursor_ReturnStmt) {
        write_return(b, s, loops);
        return;
    }
    if (is_left && is_loose)
        cb_merge_change(b->w, cb_merge_begin_of(s), cb_merge_begin_of(s), "{ ");
    for (int i = 0; i < children.n; i++)
        write_returns(b, children.list[i], loops + is_left, kind != CXCursor_CompoundStmt);
    if (!is_left)
        return;
    const uint32_t end = cb_merge_end_of_statement(u, s);
    const size_t size = strlen(b->name) + 64;
    char *text = cb_merge_keep(u, size);
    snprintf(text, size, " if (%s_left) break;%s", b->name, is_loose ? " }" : "");
    cb_merge_change(b->w, end, end, text);
}

static CXCursor body_of(struct cb_merge_unit *u, CXCursor function)
{
    struct cb_merge_children children = cb_merge_children_of(u, function);
    return children.n ? children.list[children.n - 1] : clang_getNullCursor();
}

/* Whether its one return is its last statement. */
static bool is_plain(struct cb_merge_unit *u, CXCursor body)
{
    struct cb_merge_children children = cb_merge_children_of(u, body);
    const int n = returns_in(body);
    return n == 0 ||
           (n == 1 && clang_getCursorKind(children.list[children.n - 1]) == CXCursor_ReturnStmt);
}

/* ---- What is given --------------------------------------------------------------------------- */

struct cb_merge_given cb_merge_given_in(const struct cb_merge_unit *u, uint32_t open)
{
    struct cb_merge_given g = {.n = 0};
    const uint32_t closing = cb_merge_closing(u, open);
    if (cb_merge_is_empty(u, open + 1, closing))
        return g;
    uint32_t begin = open + 1;
    int depth = 0;
    for (uint32_t at = begin; at <= closing && g.n < (int)CB_COUNTOF(g.begin); at++) {
        if ((depth == 0 && u->code[at] == ',') || at == closing) {
            g.begin[g.n] = begin;
            g.end[g.n++] = at;
            begin = at + 1;
        }
        depth += strchr("([{", u->code[at]) != NULL;
        depth -= strchr(")]}", u->code[at]) != NULL;
    }
    return g;
}

/* A declaration like a parameter's, of another name, or its own; what is an array is a pointer. */
static void put_parameter(struct cb_merge_unit *u, FILE *out, CXCursor parameter,
                          const char *prefix)
{
    const uint32_t begin = cb_merge_begin_of(parameter),
                   at = cb_merge_offset_of(clang_getCursorLocation(parameter));
    const uint32_t after = at + (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS);
    const uint32_t end = cb_merge_end_of(parameter) > after ? cb_merge_end_of(parameter) : after;
    const char *dimensions = cb_merge_one_line(u, after, end);
    const bool is_array = *dimensions == '[';
    fprintf(out, "%s%s", cb_merge_one_line(u, begin, at),
            begin < at && u->code[at - 1] != '*' ? " " : "");
    fprintf(out, is_array ? "(*%s%s%.*s)" : "%s%s%.*s", prefix, *prefix ? "_" : "",
            (int)(after - at), u->code + at);
    fputs(is_array ? dimensions + strcspn(dimensions, "]") + 1 : dimensions, out);
}

/* ---- A call ---------------------------------------------------------------------------------- */

/* Parameters of a function that is called, and the kernel's names that come in their place, or NULL
 * where they are variables. */
struct parameters {
    CXCursor list[64];
    const char *stand_in[64];
    int n;
    bool have_names;
};

static struct parameters parameters_of(struct cb_merge_rewriter *w, CXCursor function,
                                       CXCursor call)
{
    struct parameters p = {.have_names = true};
    struct cb_merge_children all = cb_merge_children_of(w->u, function);
    for (int i = 0; i < all.n && p.n < (int)CB_COUNTOF(p.list); i++) {
        const CXCursor c = all.list[i];
        if (clang_getCursorKind(c) != CXCursor_ParmDecl)
            continue;
        p.have_names &=
            cb_merge_is_letter(w->u->code[cb_merge_offset_of(clang_getCursorLocation(c))]);
        p.stand_in[p.n] =
            p.n < clang_Cursor_getNumArguments(call)
                ? cb_merge_stands_for(w, function, c, clang_Cursor_getArgument(call, (unsigned)p.n))
                : NULL;
        p.list[p.n++] = c;
    }
    return p;
}

/* Variables for what is given, and, in a block of them, the parameters, so that none hides what
 * another is given. */
static void put_parameters(struct cb_merge_unit *u, FILE *out, const struct parameters *p,
                           const struct cb_merge_given *given, const char *name)
{
    fputs("{ ", out);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->n && i < given->n; i++) {
            const uint32_t at = cb_merge_offset_of(clang_getCursorLocation(p->list[i]));
            if (p->stand_in[i])
                continue;
            put_parameter(u, out, p->list[i], pass ? "" : name);
            if (pass)
                fprintf(out, " = %s_%.*s; ", name, (int)strspn(u->code + at, CB_MERGE_LETTERS),
                        u->code + at);
            else
                fprintf(out, " = %s; ", cb_merge_one_line(u, given->begin[i], given->end[i]));
        }
        if (pass == 0)
            fputs("{ ", out);
    }
}

static void put_body(struct body *b, FILE *out, CXCursor function, const struct parameters *p)
{
    struct cb_merge_rewriter *w = b->w;
    const CXCursor body = body_of(w->u, function);
    const int first = w->n_changes;
    b->is_plain = is_plain(w->u, body);
    for (int i = 0; i < p->n; i++)
        if (p->stand_in[i])
            cb_merge_put_stand_in(w, function, p->list[i], p->stand_in[i]);
    write_returns(b, body, 0, false);
    const char *text = cb_merge_changed(w, cb_merge_begin_of(body), cb_merge_end_of(body), first);
    w->n_changes = first;
    if (b->leaves_loops)
        fprintf(out, "transmit int %s_left = 0; ", b->name);
    fputs(b->is_plain ? "" : "do", out);
    cb_merge_put_line(w->u, out, cb_merge_begin_of(body));
    fputs(text, out);
    fputs(b->is_plain ? "" : " while (0);", out);
}

bool cb_merge_put_inlined(struct cb_merge_rewriter *w, FILE *out, CXCursor call, int function,
                          const char *name, uint32_t open)
{
    struct cb_merge_unit *u = w->u;
    CXCursor c = w->routines[function].c;
    CXType type = clang_getResultType(clang_getCursorType(c));
    struct body b = {.w = w, .name = name, .returns_nothing = type.kind == CXType_Void};
    const struct cb_merge_given given = cb_merge_given_in(u, open);
    const struct parameters p = parameters_of(w, c, call);
    char *body = NULL;
    size_t size = 0;
    FILE *inside = open_memstream(&body, &size);
    put_body(&b, inside, c, &p);
    const char *text = cb_merge_made(u, inside, &body, &size);
    char *result = cb_merge_type_text(u, type);
    cb_merge_drop_const(result);
    if (!b.returns_nothing) /* out of a loop it is handed on, as is that it leaves the loop */
        fprintf(out, "%s%s%s%s; ", b.leaves_loops ? "transmit " : "", result,
                result[strlen(result) - 1] == '*' ? "" : " ", name);
    put_parameters(u, out, &p, &given, name);
    fputs(text, out);
    fputs(" } }", out);
    return p.have_names && p.n == given.n;
}

bool cb_merge_put_copy(struct cb_merge_rewriter *w, FILE *out, CXCursor call, const char *name,
                       uint32_t open)
{
    struct cb_merge_unit *u = w->u;
    const struct cb_merge_given g = cb_merge_given_in(u, open);
    const bool has_stride = g.n == 5, schedules = w->routines[u->kernel].schedules;
    if ((g.n != 4 && g.n != 5) || clang_Cursor_getNumArguments(call) != g.n)
        return false;
    CXType to = clang_getCursorType(clang_Cursor_getArgument(call, 0));
    const bool is_to_local = clang_getAddressSpace(clang_getPointeeType(to)) == CB_CLANG_LOCAL;
    const char *given[] = {cb_merge_one_line(u, g.begin[0], g.end[0]),
                           cb_merge_one_line(u, g.begin[1], g.end[1])};
    fprintf(out, "{ __typeof__(&(%s)[0]) %s_to = %s; __typeof__(&(%s)[0]) %s_from = %s; ", given[0],
            name, given[0], given[1], name, given[1]);
    fprintf(out, "const size_t %s_n = %s, %s_step = %s; ", name,
            cb_merge_one_line(u, g.begin[2], g.end[2]), name,
            has_stride ? cb_merge_one_line(u, g.begin[3], g.end[3]) : "1");
    fprintf(out, "for (size_t %s_i = %s; %s_i < %s_n; %s_i += %s) ", name,
            schedules ? "get_local_id(0)" : "get_local_linear_id()", name, name, name,
            schedules ? "get_local_size(0)"
                      : "get_local_size(0) * get_local_size(1) * get_local_size(2)");
    fprintf(out, "%s_to[%s_i%s%s%s] = %s_from[%s_i%s%s%s]; }", name, name, is_to_local ? "" : " * ",
            is_to_local ? "" : name, is_to_local ? "" : "_step", name, name,
            is_to_local ? " * " : "", is_to_local ? name : "", is_to_local ? "_step" : "");
    return true;
}
