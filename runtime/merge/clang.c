/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/merge/clang.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Places and texts ------------------------------------------------------------------------ */

uint32_t cb_merge_offset_of(CXSourceLocation location)
{
    unsigned offset = 0;
    clang_getExpansionLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

uint32_t cb_merge_begin_of(CXCursor c)
{
    return cb_merge_offset_of(clang_getRangeStart(clang_getCursorExtent(c)));
}

uint32_t cb_merge_end_of(CXCursor c)
{
    return cb_merge_offset_of(clang_getRangeEnd(clang_getCursorExtent(c)));
}

bool cb_merge_is_in_file(const struct cb_merge_parser *p, CXCursor c)
{
    CXFile file;
    clang_getExpansionLocation(clang_getCursorLocation(c), &file, NULL, NULL, NULL);
    return file == p->file;
}

char *cb_merge_keep_string(struct cb_merge_unit *u, CXString string)
{
    const char *text = clang_getCString(string);
    char *copy = cb_merge_keep_text(u, text ? text : "", text ? strlen(text) : 0);
    clang_disposeString(string);
    return copy;
}

bool cb_merge_is_operator(const struct cb_merge_unit *u, uint32_t from, uint32_t to, const char *op)
{
    char seen[4] = "";
    size_t n = 0;
    for (uint32_t i = from; i < to && n < sizeof seen - 1; i++)
        if (!strchr(" \t\r\n()", u->code[i]))
            seen[n++] = u->code[i];
    return strcmp(seen, op) == 0;
}

uint32_t cb_merge_closing(const struct cb_merge_unit *u, uint32_t at)
{
    int depth = 0;
    for (uint32_t i = at; u->code[i]; i++) {
        depth += u->code[i] == '(';
        depth -= u->code[i] == ')';
        if (depth == 0)
            return i;
    }
    return 0;
}

bool cb_merge_is_empty(const struct cb_merge_unit *u, uint32_t from, uint32_t to)
{
    while (from < to && isspace((unsigned char)u->code[from]))
        from++;
    return from == to ||
           (cb_merge_stands_at(u, from, "void") && cb_merge_is_empty(u, from + 4, to));
}

/* ---- Children -------------------------------------------------------------------------------- */

static enum CXChildVisitResult note_child(CXCursor c, CXCursor parent, CXClientData data)
{
    struct cb_merge_children *children = data;
    (void)parent;
    children->list = cb_merge_grown(children->list, children->n, sizeof *children->list);
    children->list[children->n++] = c;
    return CXChildVisit_Continue;
}

struct cb_merge_children cb_merge_children_of(struct cb_merge_unit *u, CXCursor c)
{
    struct cb_merge_children children = {NULL, 0};
    clang_visitChildren(c, note_child, &children);
    size_t size = (size_t)children.n * sizeof *children.list;
    CXCursor *kept = cb_merge_keep(u, size);
    if (size)
        memcpy(kept, children.list, size);
    free(children.list);
    children.list = kept;
    return children;
}

static enum CXChildVisitResult take_first(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = c;
    return CXChildVisit_Break;
}

CXCursor cb_merge_first_child(CXCursor c)
{
    CXCursor first = clang_getNullCursor();
    clang_visitChildren(c, take_first, &first);
    return first;
}

CXCursor cb_merge_bare(CXCursor c)
{
    while (clang_getCursorKind(c) == CXCursor_UnexposedExpr ||
           clang_getCursorKind(c) == CXCursor_ParenExpr) {
        CXCursor inner = cb_merge_first_child(c);
        if (clang_Cursor_isNull(inner))
            return c;
        c = inner;
    }
    return c;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

struct cb_merge_node *cb_merge_new_node(struct cb_merge_parser *p, enum cb_merge_kind kind,
                                        CXCursor c)
{
    struct cb_merge_node *n = cb_merge_keep(p->u, sizeof *n);
    n->kind = kind;
    if (!clang_Cursor_isNull(c)) {
        n->begin = cb_merge_begin_of(c);
        n->end = cb_merge_end_of(c);
    }
    return n;
}

void cb_merge_append(struct cb_merge_node *parent, struct cb_merge_node *child)
{
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

void cb_merge_note(struct cb_merge_parser *p, struct cb_merge_node *parent, enum cb_merge_kind kind,
                   int which, CXCursor c)
{
    struct cb_merge_node *n = cb_merge_new_node(p, kind, c);
    n->which = which;
    cb_merge_append(parent, n);
}

/* ---- Names ----------------------------------------------------------------------------------- */

int cb_merge_var_of(const struct cb_merge_parser *p, CXCursor c)
{
    if (clang_getCursorKind(c) != CXCursor_DeclRefExpr)
        return -1;
    CXCursor declared = clang_getCursorReferenced(c);
    for (int v = 0; v < p->u->n_vars; v++)
        if (clang_equalCursors(p->declared[v], declared))
            return v;
    return -1;
}

enum cb_merge_point cb_merge_point_named(const char *name)
{
    for (const struct cb_merge_point_name *p = cb_merge_points; p->source; p++)
        if (strcmp(p->source, name) == 0)
            return p->point;
    return CB_NO_POINT;
}

int cb_merge_function_named(const struct cb_merge_unit *u, const char *name)
{
    for (int f = 0; f < u->n_functions; f++)
        if (strcmp(u->functions[f].name, name) == 0)
            return f;
    return -1;
}

CXString cb_merge_called(CXCursor c)
{
    return clang_getCursorSpelling(clang_getCursorReferenced(c));
}

void cb_merge_note_type(struct cb_merge_parser *p, CXCursor c)
{
    struct cb_merge_unit *u = p->u;
    u->types = cb_merge_grown(u->types, u->n_types, sizeof *u->types);
    u->types[u->n_types++] = (struct cb_merge_type){
        cb_merge_keep_string(u, clang_getCursorSpelling(c)), cb_merge_begin_of(c)};
}
