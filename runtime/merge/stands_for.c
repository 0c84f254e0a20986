/* SPDX-License-Identifier: Apache-2.0
 *
 * What a parameter of a function that is written out stands for. Between workgroups a variable of
 * its own would have to be handed on, so that a name of the kernel's comes in its place where it
 * can: an argument of the kernel, or an array in local memory, which stay what they are.
 */
#include "runtime/merge/inlined.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct cb_merge_rewriter *w;
    const char *parameter, *given; /* names */
    CXCursor declared;             /* the parameter */
    const char *to;                /* what each place that reads it becomes; NULL: only look */
    bool is_all_plain;             /* it is read by name, and nothing else is done with it */
};

/* A type without what does not change its values, unless functions of one name are told apart
 * by it. */
static char *bare_type(struct cb_merge_unit *u, CXType type)
{
    static const char *const words[] = {"const ", "const", "restrict", "local "};
    char *text = cb_merge_type_text(u, clang_getCanonicalType(type));
    const bool is_told = cb_merge_has_word(u, "overloadable");
    for (size_t i = 0; i < CB_COUNTOF(words) && !is_told; i++)
        for (char *at; (at = strstr(text, words[i]));)
            memmove(at, at + strlen(words[i]), strlen(at + strlen(words[i])) + 1);
    text[strcspn(text, "[")] = '\0';
    while (*text && text[strlen(text) - 1] == ' ')
        text[strlen(text) - 1] = '\0';
    return text;
}

static bool is_array(CXType type)
{
    return clang_getArraySize(clang_getCanonicalType(type)) >= 0;
}

/* Whether what is given may come in the place of a parameter, by their types. */
static bool are_alike(struct cb_merge_unit *u, CXType parameter, CXType given)
{
    if (!is_array(given))
        return strcmp(bare_type(u, parameter), bare_type(u, given)) == 0;
    const CXType element = clang_getArrayElementType(clang_getCanonicalType(given)),
                 pointee = clang_getPointeeType(clang_getCanonicalType(parameter));
    return clang_getAddressSpace(given) == CB_CLANG_LOCAL && !is_array(element) &&
           clang_getAddressSpace(pointee) == CB_CLANG_LOCAL &&
           strcmp(bare_type(u, pointee), bare_type(u, element)) == 0;
}

/* A value that is read has a conversion right around its name; one that is written, or whose
 * address or size is asked for, has none. */
static enum CXChildVisitResult look(CXCursor c, CXCursor parent, CXClientData data)
{
    struct reading *r = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    const uint32_t at = cb_merge_begin_of(c);
    if (clang_isDeclaration(kind) && !clang_equalCursors(c, r->declared)) {
        CXString name = clang_getCursorSpelling(c);
        r->is_all_plain &= strcmp(clang_getCString(name), r->given) != 0;
        clang_disposeString(name);
    }
    if (kind != CXCursor_DeclRefExpr ||
        !clang_equalCursors(clang_getCursorReferenced(c), r->declared))
        return CXChildVisit_Recurse;
    r->is_all_plain &= clang_getCursorKind(parent) == CXCursor_UnexposedExpr &&
                       cb_merge_end_of(parent) == cb_merge_end_of(c) && /* no component of it */
                       cb_merge_stands_at(r->w->u, at, r->parameter);
    if (r->to)
        cb_merge_change(r->w, at, cb_merge_end_of(c), r->to);
    return CXChildVisit_Recurse;
}

const char *cb_merge_stands_for(struct cb_merge_rewriter *w, CXCursor function, CXCursor parameter,
                                CXCursor given)
{
    struct cb_merge_unit *u = w->u;
    const CXCursor name = cb_merge_bare(given), declared = clang_getCursorReferenced(name);
    const enum CXCursorKind kind = clang_getCursorKind(declared);
    const bool is_argument = kind == CXCursor_ParmDecl,
               is_local = kind == CXCursor_VarDecl && is_array(clang_getCursorType(declared));
    const uint32_t begin = cb_merge_begin_of(function), end = cb_merge_end_of(function);
    struct reading r = {w,
                        cb_merge_keep_string(u, clang_getCursorSpelling(parameter)),
                        cb_merge_keep_string(u, clang_getCursorSpelling(name)),
                        parameter,
                        NULL,
                        true};
    if (!w->routines[u->kernel].schedules || clang_getCursorKind(name) != CXCursor_DeclRefExpr ||
        (!is_argument && !is_local) || !cb_merge_stands_at(u, cb_merge_begin_of(given), r.given) ||
        !are_alike(u, clang_getCursorType(parameter), clang_getCursorType(declared)) ||
        cb_merge_has_directive(u, begin, end))
        return NULL;
    clang_visitChildren(function, look, &r);
    return r.is_all_plain ? r.given : NULL;
}

void cb_merge_put_stand_in(struct cb_merge_rewriter *w, CXCursor function, CXCursor parameter,
                           const char *given)
{
    struct reading r = {w,     cb_merge_keep_string(w->u, clang_getCursorSpelling(parameter)),
                        given, parameter,
                        given, true};
    clang_visitChildren(function, look, &r);
}
