/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables and statements of a kernel.
 */
#include "runtime/merge/clang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/merge/merge.h"

/* ---- Declarations ---------------------------------------------------------------------------- */

char *cb_merge_type_text(struct cb_merge_unit *u, CXType type)
{
    static const char *const deduced[] = {"__private ", " __private", "__private", "__generic "};
    char *text = cb_merge_keep_string(u, clang_getTypeSpelling(type));
    for (size_t i = 0; i < CB_COUNTOF(deduced); i++)
        for (char *at; (at = strstr(text, deduced[i]));)
            memmove(at, at + strlen(deduced[i]), strlen(at + strlen(deduced[i])) + 1);
    for (char *at; (at = strstr(text, "__"));)
        if (strncmp(at, "__global", 8) == 0 || strncmp(at, "__local", 7) == 0 ||
            strncmp(at, "__constant", 10) == 0)
            memmove(at, at + 2, strlen(at + 2) + 1);
        else
            break;
    return text;
}

void cb_merge_drop_const(char *type)
{
    char *star = strrchr(type, '*'), *at = star ? star + 1 : type;
    for (; (at = strstr(at, "const")); at += 5) {
        bool begins = at == type || at[-1] == ' ' || at[-1] == '*';
        if (!begins || (at[5] != ' ' && at[5] != '\0'))
            continue;
        memmove(at, at + 5 + (at[5] == ' '), strlen(at + 5 + (at[5] == ' ')) + 1);
        return;
    }
}

static bool is_kept_space(CXType pointer)
{
    unsigned space = clang_getAddressSpace(clang_getPointeeType(pointer));
    return space >= CB_CLANG_GLOBAL && space <= CB_CLANG_CONSTANT;
}

struct parts {
    bool (*is_such)(CXType canonical);
    bool found;
};

static bool has_part(CXType type, bool (*is_such)(CXType canonical));

static enum CXVisitorResult look_at_field(CXCursor c, CXClientData data)
{
    struct parts *parts = data;
    parts->found |= has_part(clang_getCursorType(c), parts->is_such);
    return parts->found ? CXVisit_Break : CXVisit_Continue;
}

/* Whether it is such a number or pointer, or has one in it. */
static bool has_part(CXType type, bool (*is_such)(CXType canonical))
{
    while (clang_getArraySize(type) >= 0)
        type = clang_getArrayElementType(type);
    CXType canonical = clang_getCanonicalType(type);
    if (canonical.kind == CXType_Record) {
        struct parts parts = {is_such, false};
        clang_Type_visitFields(canonical, look_at_field, &parts);
        return parts.found;
    }
    return is_such(canonical);
}

/* A pointer, not to global, local or constant memory. */
static bool is_private(CXType canonical)
{
    return canonical.kind == CXType_Pointer && !is_kept_space(canonical);
}

static bool is_pointer(CXType canonical)
{
    return canonical.kind == CXType_Pointer;
}

static bool is_to_local(CXType canonical)
{
    return canonical.kind == CXType_Pointer &&
           clang_getAddressSpace(clang_getPointeeType(canonical)) == CB_CLANG_LOCAL;
}

static bool is_const(CXType canonical)
{
    return clang_isConstQualifiedType(canonical);
}

static bool has_transmit(struct cb_merge_parser *p, CXCursor c)
{
    struct cb_merge_children children = cb_merge_children_of(p->u, c);
    bool found = false;
    for (int i = 0; i < children.n; i++)
        found |= clang_getCursorKind(children.list[i]) == CXCursor_AnnotateAttr;
    return found;
}

/* After the name and its dimensions: what the variable begins with. */
static uint32_t init_of(const struct cb_merge_unit *u, CXCursor c, uint32_t end)
{
    int depth = 0;
    for (uint32_t i = cb_merge_offset_of(clang_getCursorLocation(c)); i < end; i++) {
        depth += u->code[i] == '[';
        depth -= u->code[i] == ']';
        if (depth == 0 && u->code[i] == '=')
            return i + 1;
    }
    return 0;
}

/* "__attribute__((aligned(16)))" before or after the name, or "". */
static char *attribute_of(struct cb_merge_unit *u, CXCursor c)
{
    uint32_t begin = cb_merge_begin_of(c), end = cb_merge_offset_of(clang_getCursorLocation(c));
    end += (uint32_t)strcspn(u->code + end, ",;={");
    const char *at = strstr(u->code + begin, "__attribute__");
    if (!at || at > u->code + end || !strchr(at, '('))
        return cb_merge_keep_text(u, "", 0);
    uint32_t first = (uint32_t)(at - u->code);
    uint32_t last = cb_merge_closing(u, (uint32_t)(strchr(at, '(') - u->code));
    return cb_merge_keep_text(u, u->text + first, last + 1 - first);
}

/* "global int p[]", or with a size, is a pointer, and written as one. */
static void make_pointer(struct cb_merge_unit *u, struct cb_merge_var *v)
{
    int dimensions = 0;
    for (const char *c = v->type; *c; c++)
        dimensions += *c == '[';
    for (const char *c = v->dimensions; *c; c++)
        dimensions += *c == '[';
    if (v->space == CB_BY_VALUE || v->is_pointer || dimensions != 1)
        return;
    const size_t n = strcspn(v->type, "[");
    char *type = cb_merge_keep(u, n + sizeof " *");
    sprintf(type, "%.*s *", (int)n, v->type);
    v->type = type;
    v->dimensions = cb_merge_keep_text(u, "", 0);
    v->is_pointer = true;
    v->is_local_pointer = v->space == CB_LOCAL;
    v->is_local = v->is_constant = false;
}

int cb_merge_new_var(struct cb_merge_parser *p, CXCursor c, bool is_parameter)
{
    struct cb_merge_unit *u = p->u;
    if (is_parameter && u->n_vars == CB_MERGE_PARAMETERS) { /* they come first */
        if (u->n_problems == 0)
            cb_merge_problem(u, cb_merge_begin_of(c), "a kernel has at most %d parameters",
                             CB_MERGE_PARAMETERS);
        return -1;
    }
    if (u->n_vars == CB_MERGE_VARS) {
        if (u->n_problems == 0) /* the first one is enough */
            cb_merge_problem(u, cb_merge_begin_of(c),
                             "a kernel has at most %d variables, with its parameters and those of "
                             "helpers that are written out in it: make arrays of some, or move "
                             "some into helpers without points",
                             CB_MERGE_VARS);
        return -1;
    }
    struct cb_merge_var *v = &u->vars[u->n_vars];
    CXType type = clang_getCursorType(c);
    char dimensions[128] = "";
    for (; clang_getArraySize(type) >= 0; type = clang_getArrayElementType(type))
        snprintf(dimensions + strlen(dimensions), sizeof dimensions - strlen(dimensions), "[%lld]",
                 clang_getArraySize(type));
    *v = (struct cb_merge_var){.name = cb_merge_keep_string(u, clang_getCursorSpelling(c)),
                               .type = cb_merge_type_text(u, type),
                               .dimensions = cb_merge_keep_text(u, dimensions, strlen(dimensions)),
                               .begin = cb_merge_begin_of(c),
                               .end = cb_merge_end_of(c),
                               .name_at = cb_merge_offset_of(clang_getCursorLocation(c)),
                               .scope_begin = cb_merge_begin_of(c),
                               .scope_end = p->scope_end,
                               .is_parameter = is_parameter,
                               .is_transmitted = has_transmit(p, c)};
    p->declared[u->n_vars] = c;
    v->is_written_here =
        cb_merge_stands_at(u, cb_merge_offset_of(clang_getCursorLocation(c)), v->name);
    char *whole = cb_merge_type_text(u, clang_getCursorType(c));
    v->is_constant = strstr(whole, "constant ") && !strchr(whole, '*');
    v->is_record = clang_getCanonicalType(type).kind == CXType_Record;
    v->is_local = strstr(v->type, "local ") && !strchr(v->type, '*');
    v->has_const_member = v->is_record && has_part(clang_getCursorType(c), is_const);
    v->has_pointer = has_part(clang_getCursorType(c), is_pointer);
    v->has_private_pointer = has_part(clang_getCursorType(c), is_private);
    v->has_local_pointer = has_part(clang_getCursorType(c), is_to_local);
    v->init = init_of(u, c, v->end);
    v->attribute = attribute_of(u, c);
    CXType canonical = clang_getCanonicalType(clang_getCursorType(c));
    v->is_pointer = canonical.kind == CXType_Pointer;
    v->is_local_pointer =
        v->is_pointer && clang_getAddressSpace(clang_getPointeeType(canonical)) == CB_CLANG_LOCAL;
    v->size = clang_Type_getSizeOf(clang_getCursorType(c));
    v->alignment = clang_Type_getAlignOf(clang_getCursorType(c));
    v->canonical = cb_merge_type_text(u, clang_getCanonicalType(type));
    if (is_parameter) {
        cb_merge_read_layout(c, &v->space, &v->layout);
        make_pointer(u, v);
    } else {
        cb_merge_drop_const(v->type);
        cb_merge_drop_const(v->canonical);
    }
    v->is_const = clang_isConstQualifiedType(canonical);
    v->is_const_by_typedef = !is_parameter &&
                             clang_isConstQualifiedType(clang_getCanonicalType(type)) &&
                             !clang_isConstQualifiedType(type);
    return u->n_vars++;
}

static void read_declared(struct cb_merge_parser *p, CXCursor c, struct cb_merge_node *parent)
{
    int var = cb_merge_new_var(p, c, false);
    struct cb_merge_children children = cb_merge_children_of(p->u, c);
    for (int i = 0; var >= 0 && i < children.n; i++) { /* dimensions read nothing */
        p->u->vars[var].is_list |= clang_getCursorKind(children.list[i]) == CXCursor_InitListExpr;
        cb_merge_read_expression(p, children.list[i], parent);
        cb_merge_look_for_id(p, var, children.list[i]);
    }
    if (var >= 0)
        cb_merge_note(p, parent, CB_MERGE_BEGINS, var, c);
}

/* ---- Statements ------------------------------------------------------------------------------ */

static struct cb_merge_node *read_expression_statement(struct cb_merge_parser *p, CXCursor c)
{
    CXString name = clang_getCursorKind(c) == CXCursor_CallExpr ? cb_merge_called(c)
                                                                : clang_getCursorSpelling(c);
    enum cb_merge_point point = clang_getCursorKind(c) == CXCursor_CallExpr
                                    ? cb_merge_point_named(clang_getCString(name))
                                    : CB_NO_POINT;
    struct cb_merge_node *n = cb_merge_new_node(p, point ? CB_MERGE_POINT : CB_MERGE_EXPRESSION, c);
    n->which = (int)point;
    if (point && !cb_merge_stands_at(p->u, n->begin, clang_getCString(name)))
        cb_merge_problem(p->u, n->begin, "%s() comes out of a macro: write it where it is",
                         clang_getCString(name));
    if (!point) {
        cb_merge_read_expression(p, c, n);
        n->value = cb_merge_value_of(p->u, c);
    }
    clang_disposeString(name);
    return n;
}

/* One out of a macro: which part is which cannot be seen. As a loop over all of them, in which
 * there is no point. */
static void read_hidden_for(struct cb_merge_parser *p, struct cb_merge_node *n,
                            struct cb_merge_children children)
{
    const CXCursor nothing = clang_getNullCursor();
    struct cb_merge_node *body = cb_merge_new_node(p, CB_MERGE_BLOCK, nothing);
    for (int i = 0; i < children.n; i++)
        cb_merge_append(body, cb_merge_read_statement(p, children.list[i]));
    cb_merge_append(n, cb_merge_new_node(p, CB_MERGE_NOTHING, nothing));
    cb_merge_append(n, cb_merge_new_node(p, CB_MERGE_EXPRESSION, nothing));
    cb_merge_append(n, cb_merge_new_node(p, CB_MERGE_NOTHING, nothing));
    cb_merge_append(n, body);
    if (cb_merge_has_point(body, CB_NO_POINT))
        cb_merge_problem(p->u, n->begin,
                         "a loop with a point comes out of a macro: write it where "
                         "it is");
}

/* The two semicolons between the brackets; false: something of them comes out of a macro, or
 * depends on #if. */
static bool find_ends(const struct cb_merge_unit *u, const struct cb_merge_node *n,
                      uint32_t ends[2])
{
    const char *open = strchr(u->code + n->begin, '(');
    if (!cb_merge_stands_at(u, n->begin, "for") || !open)
        return false;
    uint32_t begin = (uint32_t)(open - u->code), end = cb_merge_closing(u, begin);
    int depth = 0, k = 0;
    for (uint32_t i = begin; i < end; i++) {
        depth += u->code[i] == '(';
        depth -= u->code[i] == ')';
        if (depth != 1 || u->code[i] != ';')
            continue;
        if (k < 2)
            ends[k] = i;
        k++;
    }
    return k == 2 && !cb_merge_has_directive(u, begin, end);
}

/* The parts of "for (begin; condition; step) body", of which any but the last may be missing. */
static void read_for(struct cb_merge_parser *p, struct cb_merge_node *n,
                     struct cb_merge_children children)
{
    uint32_t ends[2];
    if (!find_ends(p->u, n, ends)) {
        read_hidden_for(p, n, children);
        return;
    }
    struct cb_merge_node *parts[3] = {NULL, NULL, NULL};
    for (int i = 0; i + 1 < children.n; i++) {
        uint32_t at = cb_merge_begin_of(children.list[i]);
        parts[(at > ends[0]) + (at > ends[1])] = cb_merge_read_statement(p, children.list[i]);
    }
    for (int i = 0; i < 3; i++)
        cb_merge_append(
            n, parts[i] ? parts[i] : cb_merge_new_node(p, CB_MERGE_NOTHING, clang_getNullCursor()));
    cb_merge_append(n, cb_merge_read_statement(p, children.list[children.n - 1]));
}

static enum cb_merge_kind kind_of(CXCursor c)
{
    switch (clang_getCursorKind(c)) {
    case CXCursor_CompoundStmt:
        return CB_MERGE_BLOCK;
    case CXCursor_IfStmt:
        return CB_MERGE_IF;
    case CXCursor_ForStmt:
        return CB_MERGE_FOR;
    case CXCursor_WhileStmt:
        return CB_MERGE_WHILE;
    case CXCursor_DoStmt:
        return CB_MERGE_DO;
    case CXCursor_SwitchStmt:
        return CB_MERGE_SWITCH;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        return CB_MERGE_CASE;
    case CXCursor_BreakStmt:
        return CB_MERGE_BREAK;
    case CXCursor_ContinueStmt:
        return CB_MERGE_CONTINUE;
    case CXCursor_ReturnStmt:
        return CB_MERGE_RETURN;
    case CXCursor_DeclStmt:
        return CB_MERGE_DECLARES;
    case CXCursor_NullStmt:
        return CB_MERGE_NOTHING;
    default:
        return CB_MERGE_EXPRESSION;
    }
}

static void read_parts(struct cb_merge_parser *p, struct cb_merge_node *n,
                       struct cb_merge_children children)
{
    for (int i = 0; i < children.n; i++) {
        CXCursor part = children.list[i];
        if (n->kind == CB_MERGE_DECLARES && clang_getCursorKind(part) == CXCursor_VarDecl)
            read_declared(p, part, n);
        else if (n->kind == CB_MERGE_DECLARES)
            cb_merge_note_type(p, part);
        else if (n->kind != CB_MERGE_DECLARES && n->kind != CB_MERGE_RETURN)
            cb_merge_append(n, cb_merge_read_statement(p, part));
    }
}

struct cb_merge_node *cb_merge_read_statement(struct cb_merge_parser *p, CXCursor c)
{
    enum CXCursorKind clang_kind = clang_getCursorKind(c);
    enum cb_merge_kind kind = kind_of(c);
    if (clang_kind == CXCursor_GotoStmt || clang_kind == CXCursor_LabelStmt)
        p->u->goto_at = cb_merge_begin_of(c);
    struct cb_merge_children children = cb_merge_children_of(p->u, c);
    struct cb_merge_node *n;
    if (clang_kind == CXCursor_UnexposedStmt && children.n > 0) { /* attributes of a loop */
        n = cb_merge_read_statement(p, children.list[children.n - 1]);
    } else if (kind == CB_MERGE_EXPRESSION) {
        n = read_expression_statement(p, c);
    } else {
        uint32_t before = p->scope_end;
        n = cb_merge_new_node(p, kind, c);
        n->parting = cb_merge_parting_of(p->u, c);
        n->comes_once = cb_merge_comes_once(p->u, c);
        if (kind == CB_MERGE_RETURN && !cb_merge_stands_at(p->u, n->begin, "return"))
            cb_merge_problem(p->u, n->begin, "return comes out of a macro: write it where it is");
        if (kind == CB_MERGE_RETURN && children.n > 0)
            cb_merge_problem(p->u, n->begin, "a kernel returns nothing");
        if (kind == CB_MERGE_BLOCK || kind == CB_MERGE_FOR)
            p->scope_end = n->end;
        if (kind == CB_MERGE_FOR)
            read_for(p, n, children);
        else
            read_parts(p, n, children);
        p->scope_end = before;
    }
    return n;
}
