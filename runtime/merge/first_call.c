/* SPDX-License-Identifier: Apache-2.0
 *
 * Which call in an expression has a point in it, and what is evaluated before it.
 */
#include "runtime/merge/inlined.h"

#include <string.h>

#include "runtime/merge/macros.h"

/* In the order in which an expression is evaluated. */
struct search {
    const struct cb_merge_rewriter *w;
    bool is_maybe, is_after; /* what is looked at */
    struct cb_merge_first_call call;
};

static void look(struct search *s, CXCursor c);

static void look_at_all(struct search *s, struct cb_merge_children children, bool is_maybe)
{
    const bool before = s->is_maybe;
    s->is_maybe |= is_maybe;
    for (int i = 0; i < children.n; i++)
        look(s, children.list[i]);
    s->is_maybe = before;
}

static bool has_either(const char *at, const char *end)
{
    for (; at + 1 < end; at++)
        if ((*at == '&' || *at == '|') && at[1] == *at)
            return true;
    return false;
}

static void look_in_macro(const struct cb_merge_unit *u, uint32_t at, uint32_t size, void *data)
{
    const struct cb_merge_macro *m = cb_merge_macro_at(u, u->code + at, size, at);
    *(bool *)data |= m && has_either(u->code + m->body, u->code + m->end);
}

/* Whether && or || is between the two sides of an operator. */
static bool is_short(const struct cb_merge_unit *u, uint32_t from, uint32_t to)
{
    bool is = from >= to || has_either(u->code + from, u->code + to);
    cb_merge_go_through_names(u, from, to, look_in_macro, &is);
    return is;
}

static void look_at_binary(struct search *s, CXCursor left, CXCursor right)
{
    const struct cb_merge_unit *u = s->w->u;
    const uint32_t from = cb_merge_end_of(left), to = cb_merge_begin_of(right);
    if (cb_merge_is_operator(u, from, to, "=")) {
        look(s, right);
        look(s, left);
        s->is_after = true;
        return;
    }
    const bool before = s->is_maybe;
    look(s, left);
    s->is_maybe |= is_short(u, from, to);
    look(s, right);
    s->is_maybe = before;
}

/* Functions that may change what others see. */
static bool has_effect(const struct search *s, CXCursor call)
{
    static const char *const begins[] = {"atom", "cb_", "coop_", "vstore", "printf"};
    CXString name = cb_merge_called(call);
    bool has = cb_merge_callee(s->w, call) >= 0;
    for (size_t i = 0; i < CB_COUNTOF(begins); i++)
        has |= strncmp(clang_getCString(name), begins[i], strlen(begins[i])) == 0;
    clang_disposeString(name);
    return has;
}

/* Memory that others may change, or this work-item by another name. */
static bool is_memory(CXCursor c, enum CXCursorKind kind, const struct cb_merge_unit *u)
{
    if (clang_isConstQualifiedType(clang_getCursorType(c)))
        return false;
    return kind == CXCursor_ArraySubscriptExpr ||
           (kind == CXCursor_UnaryOperator && u->code[cb_merge_begin_of(c)] == '*') ||
           (kind == CXCursor_MemberRefExpr &&
            clang_getCanonicalType(clang_getCursorType(cb_merge_first_child(c))).kind ==
                CXType_Pointer);
}

static bool steps(const struct cb_merge_unit *u, CXCursor c)
{
    const char *begin = u->code + cb_merge_begin_of(c), *end = u->code + cb_merge_end_of(c);
    return strncmp(begin, "++", 2) == 0 || strncmp(begin, "--", 2) == 0 ||
           (end - begin >= 2 && (strncmp(end - 2, "++", 2) == 0 || strncmp(end - 2, "--", 2) == 0));
}

static void look_at_call(struct search *s, CXCursor c, struct cb_merge_children children)
{
    const bool was_after = s->is_after;
    look_at_all(s, children, false);
    if (!cb_merge_reaches(s->w, c)) {
        s->is_after |= has_effect(s, c);
    } else if (!s->call.found) {
        s->call = (struct cb_merge_first_call){
            .found = true, .c = c, .is_maybe = s->is_maybe, .is_after = was_after};
    }
}

static void look(struct search *s, CXCursor c)
{
    const enum CXCursorKind kind = clang_getCursorKind(c);
    struct cb_merge_children children = cb_merge_children_of(s->w->u, c);
    if (s->call.found || kind == CXCursor_UnaryExpr) /* sizeof evaluates nothing */
        return;
    if (kind == CXCursor_CallExpr) {
        look_at_call(s, c, children);
    } else if (kind == CXCursor_BinaryOperator && children.n == 2) {
        look_at_binary(s, children.list[0], children.list[1]);
    } else if (kind == CXCursor_CompoundAssignOperator && children.n == 2) {
        look(s, children.list[1]);
        look(s, children.list[0]);
        s->is_after = true;
    } else if (kind == CXCursor_ConditionalOperator && children.n == 3) {
        look(s, children.list[0]);
        children.list++;
        children.n--;
        look_at_all(s, children, true);
    } else {
        look_at_all(s, children,
                    kind == CXCursor_StmtExpr ||
                        (kind == CXCursor_UnexposedExpr && children.n > 1));
        s->is_after |= is_memory(c, kind, s->w->u) ||
                       (kind == CXCursor_UnaryOperator && steps(s->w->u, c)) ||
                       kind == CXCursor_VarDecl; /* the next of a declaration */
    }
}

struct cb_merge_first_call cb_merge_first_call(const struct cb_merge_rewriter *w,
                                               CXCursor expression)
{
    struct search s = {.w = w};
    look(&s, expression);
    return s.call;
}
